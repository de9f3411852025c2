//! What an agent's own hooks are believed to say, and for how long.

use super::*;

#[test]
fn a_hook_is_believed_at_once_when_it_asks_and_after_a_moment_when_it_is_done() {
    check_running("1 hook permission, 60 tick", "1.00 NeedsInput(permission)");
    check_running("1 hook completed, 9 tick", "1.50 NeedsInput(turn_done)");
    check_running("1 hook errored, 9 tick", "1.00 NeedsInput(error)");
    check_running("1 hook running, 2 hook permission, 9 hook running, 10 tick", {
        "2.00 NeedsInput(permission), 9.00 Running"
    });
}

#[test]
fn a_hook_that_speaks_of_work_hides_a_dialog_for_a_moment_only() {
    check_running("1 hook running, 1.6 ask permission, 9 tick", "2.00 NeedsInput(permission)");
    check_running("1 hook running, 3 text, 3.5 ask permission, 9 tick", {
        "3.60 NeedsInput(permission)"
    });
    // Another tool goes on beside the one that asks.
    check_running("1 hook permission, 1.5 ask permission, 2 hook running, 9 tick", {
        "1.00 NeedsInput(permission), 2.00 Running, 3.00 NeedsInput(permission)"
    });
    check_running("1 ask permission, 2 send, 2.1 hook running, 2.5 ask permission, 9 tick", {
        "1.00 NeedsInput(permission), 2.00 Running"
    });
}

#[test]
fn a_later_sign_of_waiting_is_stronger_than_a_hook_that_speaks_of_work() {
    check_running("1 hook running, 5 title ✳ x, 9 tick", "5.25 NeedsInput(turn_done)");
    check_running("1 hook running, 5 notify come, 9 tick", "5.00 NeedsInput(turn_done)");
    check_running("1 title ✳ x, 2 hook running, 9 tick", {
        "1.25 NeedsInput(turn_done), 2.00 Running"
    });
}

#[test]
fn an_end_that_no_hook_tells_of_is_found_all_the_same() {
    check_running("1 hook running, 60 tick", "11.00 NeedsInput(silence)");
    check_running("1 hook running, 1.1..30/0.1 frame, 60 tick", "40.00 NeedsInput(turn_done)");
    check_running("1 hook running, 2 sample cooked reading, 60 tick", {
        "11.00 NeedsInput(silence)"
    });
}

#[test]
fn while_an_agent_shows_that_it_works_a_pause_is_none() {
    check_running("1 hook running, 1.1..5/0.1 frame, 12 frame, 20 frame, 21 tick", "");
    // What one says of a script is said until it is taken back.
    check_running("1 report running, 1.1..5/0.1 frame, 900 tick", "");
}

#[test]
fn a_turn_is_not_over_while_the_screen_moves_on() {
    check_running("1..3/0.1 frame, 3.05 hook completed, 3.1..9/0.1 frame, 9 tick", "");
    // Nor does it come back when that rests.
    check_running("1..3/0.1 frame, 3.05 hook completed, 3.1..9/0.1 frame, 11 tick", {
        "9.90 NeedsInput(turn_done)"
    });
    check_believed("0 text, 1..3/0.1 frame, 3.05 hook completed: x, 3.1..9/0.1 frame, 11 tick", {
        "silence: -"
    });
    check_running("1..3/0.1 frame, 3.05 hook completed, 3.2 frame, 9 tick", {
        "3.55 NeedsInput(turn_done)"
    });
    // It was told to go on, or goes on by itself.
    check_running("1..3/0.1 frame, 3.05 hook completed, 9..12/0.1 frame, 12 tick", {
        "3.55 NeedsInput(turn_done), 9.40 Running"
    });
}

#[test]
fn what_is_cleared_leaves_it_to_the_others() {
    check_running("1 hook permission, 5 hook cleared, 6 title ⠋ x, 7 tick", {
        "1.00 NeedsInput(permission), 5.00 NeedsInput(silence), 6.00 Running"
    });
}

#[test]
fn who_says_the_same_again_without_words_keeps_the_words() {
    check_believed("0 text, 1 hook permission: Bash: ls, 7 hook permission", "report: Bash: ls");
    check_believed("0 text, 1 hook permission: Bash: ls, 7 hook permission: rm", "report: rm");
    check_believed("0 text, 1 hook permission: Bash: ls, 7 hook completed, 9 tick", "report: -");
    // A reminder that something is asked does not know what.
    check_running(
        "1 hook question: Which?, 7 hook permission, 9 tick",
        "1.00 NeedsInput(question)",
    );
}

#[test]
fn a_status_is_stronger_than_a_hook() {
    check_running("1 status working, 2 hook completed, 9 tick", "");
    check_running("1 status permission, 2 hook running, 9 tick", "1.06 NeedsInput(permission)");
}
