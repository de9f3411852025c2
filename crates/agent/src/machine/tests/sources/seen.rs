//! What is seen of a program that says nothing of itself.

use super::*;

#[test]
fn a_line_editor_that_is_back_waits_for_a_line() {
    check_running("1 paste off, 2 paste on, 4 tick", "2.35 NeedsInput(turn_done)");
    check_running("1 paste off, 2 paste on, 2.2 text, 4 tick", "2.55 NeedsInput(turn_done)");
    check_running("1 paste off, 2 paste on, 2.2 text full, 4 tick", "3.20 NeedsInput(turn_done)");
    check_running("1 paste off, 2 sample cooked, 2.1 paste on, 60 tick", "");
    check_running("1 paste off, 2 paste on, 2.2 paste off, 4.9 tick", "");
}

#[test]
fn a_prompt_stays_whatever_else_is_printed() {
    check_running("1 paste off, 2 paste on, 5..9/0.1 text, 10 tick", "2.35 NeedsInput(turn_done)");
}

#[test]
fn a_line_editor_from_before_the_answer_is_none() {
    check_running("1 paste off, 2 paste on, 3 send, 3.1..5/0.1 text", {
        "2.35 NeedsInput(turn_done), 3.00 Running"
    });
    check_running("1 paste off, 2 paste on, 3 send, 3.1 paste off, 9 paste on, 9.4 tick", {
        "2.35 NeedsInput(turn_done), 3.00 Running, 8.00 NeedsInput(silence), \
         9.35 NeedsInput(turn_done)"
    });
}

#[test]
fn a_first_prompt_is_known_by_a_program_at_rest() {
    check_running("0.1 paste on, 0.5 sample raw, 0.9 tick, 4 tick", "1.00 NeedsInput(turn_done)");
    check_running("0.1 paste on, 0.5 sample raw, 0.8 sample raw cpu=80, 2 tick", "");
    check_running("0.1 paste on, 0.5 sample raw, 0.8 sample raw child=7, 2.9 tick", "");
    check_running("0.1 paste on, 0.5 sample cooked, 9 tick", "");
    check("0.1 paste on, 0.5 sample raw, 4 tick", "Starting");
}

#[test]
fn a_command_that_was_typed_behind_a_prompt_runs_until_there_is_another() {
    let check_after = |script: &str, expected: &str| {
        let script = format!("0.4 line prompt, 0.7 sample raw, {script}, 60 tick");
        let expected = format!("0.70 NeedsInput(turn_done), 2.00 Running, {expected}");
        check_running(&script, &expected);
    };
    check_after("2 send, 2.1 sample raw, 2.4 line empty", "32.00 NeedsInput(silence)");
    check_after("1 line typed, 2 send, 2.4 line empty", "32.00 NeedsInput(silence)");
    check_after("2 send, 2.2 scroll, 2.6 line empty", "32.20 NeedsInput(silence)");
    check_after("2 send, 2.4 line empty, 9 text, 9.4 line prompt, 9.7 sample raw", {
        "9.70 NeedsInput(turn_done)"
    });
    check_after("2 send, 2.2 text, 2.6 line typed", "5.20 NeedsInput(silence)");
    let prints = "2 send, 2.4 line empty, 3 text, 3.4 line empty, 8 text, 8.4 line empty";
    check_after(&format!("{prints}, 13 text, 13.4 line prompt, 13.7 sample raw"), {
        "13.70 NeedsInput(turn_done)"
    });
    check_after(prints, "38.00 NeedsInput(silence)");
    check_after("2 send, 2.4 line empty, 2.5 send, 2.9 line empty", "5.50 NeedsInput(silence)");
}

#[test]
fn what_was_asked_at_the_cursor_is_answered_like_a_prompt() {
    let asked = "0.4 line label, 0.7 sample raw, 2 send, 2.1 sample raw, 2.4 line empty";
    check_running(&format!("{asked}, 7 text, 7.4 line prompt, 7.7 sample raw, 9 tick"), {
        "0.70 NeedsInput(question), 2.00 Running, 7.70 NeedsInput(turn_done)"
    });
}

#[test]
fn who_hides_the_cursor_has_drawn_a_form() {
    check_running(
        "0.4 line prompt, 0.7 sample raw, 2 send, 2.2 text, 2.4 line empty hidden, 9 tick",
        "0.70 NeedsInput(turn_done), 2.00 Running, 5.20 NeedsInput(silence)",
    );
    let command = "0.4 line prompt hidden, 0.7 sample raw, 2 send, 2.1 sample raw, 2.2 text";
    check_running(&format!("{command}, 2.8 sample raw child=7, 3 line prompt hidden, 31 tick"), {
        "0.70 NeedsInput(turn_done), 2.00 Running"
    });
}

#[test]
fn who_draws_on_an_empty_line_may_wait_there() {
    let drawn = "0.4 line prompt, 0.7 sample raw, 2 send, 2.4 line empty, 3 text";
    let expected = "0.70 NeedsInput(turn_done), 2.00 Running, 6.00 NeedsInput(silence)";
    check_running(&format!("{drawn}, 3.4 line empty hidden, 60 tick"), expected);
    let another = "3.2 sample raw child=7 front=7, 3.4 line empty, 60 tick";
    check_running(&format!("{drawn}, {another}"), expected);
}

#[test]
fn what_ends_like_a_question_is_one_where_the_line_is_edited() {
    check_running("0.4 line label, 0.7 sample raw, 9 tick", "0.70 NeedsInput(question)");
    check_running("0.4 line label, 0.5 sample raw, 9 tick", "0.60 NeedsInput(question)");
    check_running("0.4 line label hidden, 0.7 sample raw, 9 tick", "3.00 NeedsInput(question)");
    check_running("0.4 line label, 0.7 sample cooked, 9 tick", "");
    check_running("0.1 text full, 0.5 line label, 0.7 sample raw, 9 tick", {
        "3.10 NeedsInput(question)"
    });
    check_running("0.4 line label, 0.5 sample raw, 0.8 sample raw cpu=80, 2.9 tick", {
        "0.60 NeedsInput(question)"
    });
    check_running("0.4 line label, 1 send, 1.4 line label, 2 sample raw, 9 tick", {
        "4.00 NeedsInput(silence)"
    });
    check_believed("0 text, 0.4 line label, 0.7 sample raw", "line_editor: name: (demo)");
}

#[test]
fn without_a_prompt_silence_says_what_it_always_says() {
    let left = "0.7 sample raw, 1 send, 1.4 line empty, 9 tick";
    check_running(left, "4.00 NeedsInput(silence)");
    let full_screen = format!("0.1 text full, 0.5 line prompt, {left}");
    check_running(&full_screen, "4.00 NeedsInput(silence)");
}

#[test]
fn somebody_who_reads_the_terminal_waits() {
    check_running("1 sample cooked reading, 4 tick", "1.00 NeedsInput(silence)");
    check_running("0.1 sample cooked reading, 4 tick", "0.30 NeedsInput(silence)");
    check_running("1 sample raw reading, 4 tick", "1.00 NeedsInput(silence)");
    check_running("1 sample cooked reading, 1.2 sample cooked reading, 1.3 tick", {
        "1.00 NeedsInput(silence)"
    });
}

#[test]
fn a_password_is_a_line_that_is_read_without_echo() {
    check_running("1 sample cooked hidden reading, 4 tick", "1.00 NeedsInput(password)");
    check_running("1 sample raw hidden reading, 4 tick", "1.00 NeedsInput(silence)");
    check_running("1 sample cooked hidden, 60 tick", "");
}

#[test]
fn a_reader_that_was_seen_before_the_last_output_may_be_gone() {
    check_running("1 sample cooked reading, 1.2 text, 1.3 tick", "1.00 NeedsInput(silence)");
    check_running("0.2 sample cooked reading, 0.25 text, 2 tick", "");
}

#[test]
fn a_question_on_a_screen_at_rest_is_waiting() {
    check_running("1 ask permission, 4 tick", "1.00 NeedsInput(permission)");
    check_running("0.3 ask question, 4 tick", "0.60 NeedsInput(question)");
    check_running("1 ask first_run, 4 tick", "1.00 NeedsInput(first_run)");
    check_running("1 ask confirmation, 4 tick", "1.00 NeedsInput(confirmation)");
    check_running("1 ask password, 4 tick", "1.00 NeedsInput(password)");
    check_running("0.2 ask permission, 0.5..3/0.3 frame, 3.1 tick", "");
}

#[test]
fn an_error_on_the_screen_is_the_reason_of_a_wait_but_no_wait() {
    check_running("1 ask error, 4.9 tick", "");
    check_running("1 ask error, 6 tick", "5.00 NeedsInput(error)");
    check_running("1 ask error, 7 text, 9 tick", "5.00 NeedsInput(error)");
}

#[test]
fn a_question_that_was_answered_does_not_ask_again() {
    check_running("1 ask permission, 2 send, 2.5 ask permission, 6.9 tick", {
        "1.00 NeedsInput(permission), 2.00 Running"
    });
    check_running("1 ask permission, 2 send, 2.5 ask permission, 8 tick", {
        "1.00 NeedsInput(permission), 2.00 Running, 7.00 NeedsInput(silence)"
    });
    check_running("1 ask permission, 2 send, 2.5 ask permission to go, 4 tick", {
        "1.00 NeedsInput(permission), 2.00 Running, 2.60 NeedsInput(permission)"
    });
    check_running("1 ask permission, 2 send, 2.5 ask nothing, 4 ask permission, 5 tick", {
        "1.00 NeedsInput(permission), 2.00 Running, 4.00 NeedsInput(permission)"
    });
}

#[test]
fn a_key_at_a_menu_is_an_answer() {
    check_running("1 ask permission, 2 press y, 2.1 tick", {
        "1.00 NeedsInput(permission), 2.00 Running"
    });
    check_running("1 ask permission, 2 press 2, 2.1 tick", {
        "1.00 NeedsInput(permission), 2.00 Running"
    });
    check_running("1 ask permission, 2 press \x1b[A, 2.1 tick", "1.00 NeedsInput(permission)");
    check_running("1 ask permission, 2 press \x1b, 2.1 tick", "1.00 NeedsInput(permission)");
    check_running("1 ask permission, 2 press yes, 2.1 tick", "1.00 NeedsInput(permission)");
    check_running("1 ask confirmation, 2 press y, 2.1 tick", "1.00 NeedsInput(confirmation)");
    check_running("1 title ✳ x, 2 press y, 2.1 tick", "1.25 NeedsInput(turn_done)");
}

#[test]
fn a_command_that_nobody_reads_for_runs_however_silent() {
    check_running("1 sample cooked, 900 tick", "");
    check_running("1 sample cooked, 5 sample cooked cpu=0, 60 tick", "");
    check_running("1 sample cooked, 9 sample raw, 9.1 tick", "9.00 NeedsInput(silence)");
}

#[test]
fn an_animation_that_pauses_has_ended() {
    check_running("0.1..2/0.1 frame, 9 tick", "2.90 NeedsInput(turn_done)");
    check_running("1..9/1 frame, 12 tick", "");
    check_running("1..9/1 frame, 13 tick", "12.50 NeedsInput(turn_done)");
    check_running("0.1..2/0.1 count, 9 tick", "2.90 NeedsInput(turn_done)");
}

#[test]
fn a_few_frames_are_no_animation() {
    check_running("0.1..0.4/0.1 frame, 5.3 tick", "");
    check_running("0.1..0.4/0.1 frame, 9 tick", "5.40 NeedsInput(silence)");
    check_running("0.1..2/0.1 blink, 9 tick", "5.00 NeedsInput(silence)");
}

#[test]
fn a_program_that_computes_may_pause_its_animation() {
    check_running("0.1..2/0.1 frame, 2.5 sample raw, 2.8 sample raw cpu=90, 9 tick", "");
    check_running("0.1..2/0.1 frame, 2.5 sample raw, 2.8 sample raw cpu=50, 9 tick", {
        "2.90 NeedsInput(turn_done)"
    });
}

#[test]
fn a_busy_program_works() {
    check_running("1 sample raw, 2 sample raw cpu=30, 60 tick", "");
    check_running("1 sample raw, 2 sample raw cpu=20, 4 tick", "3.00 NeedsInput(silence)");
}

#[test]
fn a_tool_that_was_started_for_an_answer_works() {
    check_running("1 sample raw, 2 send, 2.1 sample raw, 3 sample raw child=7, 31 tick", "");
    check_running("1 sample raw, 2 send, 2.1 sample raw, 3 sample raw child=7, 33 tick", {
        "32.00 NeedsInput(silence)"
    });
    check_running("1 sample raw child=7, 2 send, 3 sample raw child=7, 6 tick", {
        "5.00 NeedsInput(silence)"
    });
    check_running("1 sample raw, 2 send, 2.1 sample raw, 3 sample raw child=7 front=7, 6 tick", {
        "5.00 NeedsInput(silence)"
    });
}

#[test]
fn an_animation_that_ends_while_a_tool_runs_has_not_ended_the_turn() {
    let tool = "0.1..1/0.1 frame, 1.05 sample raw, 1.1..2/0.1 frame, 2.4 sample raw child=7";
    check_running(&format!("{tool}, 20 sample raw child=7, 30 sample raw child=7, 40 tick"), {
        "32.00 NeedsInput(turn_done)"
    });
    check_running(&format!("{tool}, 9 sample raw, 10 tick"), "9.00 NeedsInput(turn_done)");
    check_running(&format!("{tool}, 5 ask permission, 10 tick"), "5.00 NeedsInput(permission)");
    check_running(&format!("{tool}, 5 title ✳ x, 10 tick"), "5.25 NeedsInput(turn_done)");
    check_running(&format!("{tool}, 5 line prompt, 10 tick"), "5.00 NeedsInput(turn_done)");
    let before = "0.1..1/0.1 frame, 1.05 sample raw child=7, 1.1..2/0.1 frame";
    check_running(&format!("{before}, 2.4 sample raw child=7, 10 tick"), {
        "2.90 NeedsInput(turn_done)"
    });
}

#[test]
fn who_reads_behind_a_prompt_is_done() {
    check_running("0.4 line prompt, 1 sample raw reading, 4 tick", "1.00 NeedsInput(turn_done)");
    check_running("0.4 line typed, 1 sample raw reading, 4 tick", "1.00 NeedsInput(silence)");
    check_running("0.4 line prompt, 1 sample cooked hidden reading, 4 tick", {
        "1.00 NeedsInput(password)"
    });
}

#[test]
fn silence_is_shorter_where_more_is_known() {
    check_running("1 sample raw, 2.9 tick", "");
    check_running("1 sample raw, 4 tick", "3.00 NeedsInput(silence)");
    check_running("4 cell, 8.9 tick", "");
}

#[test]
fn a_program_that_is_about_to_draw_is_given_time() {
    check("1 sample raw, 19.9 tick", "Starting");
    check("1 sample raw, 21 tick", "Starting, 20.00 NeedsInput(silence)");
    check("1 blank, 2 sample raw, 19 tick", "Starting");
}
