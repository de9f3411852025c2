//! What each source of evidence is believed to say, from the strongest to the weakest.

use super::*;

mod hooks;
mod seen;
mod together;

/// Plays a script, serves every deadline on the way, and writes the states that were entered, with their
/// times.
#[track_caller]
fn check(script: &str, expected: &str) {
    let mut stage = Stage::new(Timeouts::default());
    let mut shown = vec![stage.shown()];
    let mut note = |stage: &Stage, at: Duration| {
        if shown.last().is_some_and(|last| last.ends_with(&format!(" {}", stage.shown())))
            || shown.last() == Some(&stage.shown())
        {
            return;
        }
        shown.push(format!("{:.2} {}", at.as_secs_f64(), stage.shown()));
    };
    for (now, event) in steps(script) {
        stage.pass(now, &mut note);
        stage.play(event, now);
        note(&stage, now);
    }
    assert_eq!(shown.join(", "), expected, "states entered by: {script}");
}

/// Plays a script and tells who is believed in the end, and in which words.
#[track_caller]
fn check_believed(script: &str, expected: &str) {
    let mut stage = Stage::new(Timeouts::default());
    for (now, event) in steps(script) {
        stage.pass(now, &mut |_, _| {});
        stage.play(event, now);
    }
    let source = stage.machine.believed().map_or("nobody", |claim| claim.source.name());
    let text = stage.machine.text().unwrap_or("-");
    assert_eq!(format!("{source}: {text}"), expected, "believed after: {script}");
}

impl Stage {
    fn shown(&self) -> String {
        let calm = if self.machine.is_calm() { " calm" } else { "" };
        format!("{}{calm}", describe(self.machine.state()))
    }

    /// Lets time pass up to a moment, serving what is due on the way.
    fn pass(&mut self, until: Duration, note: &mut impl FnMut(&Self, Duration)) {
        let until = self.start + until;
        while let Some(due) = self.machine.next_deadline().filter(|due| *due <= until) {
            self.machine.on_deadline(due);
            note(self, due - self.start);
        }
    }
}

const START: &str = "Starting, 0.00 Running";

/// As [`check`], for a program that has printed something at 0.
#[track_caller]
fn check_running(script: &str, expected: &str) {
    let expected =
        if expected.is_empty() { START.to_owned() } else { format!("{START}, {expected}") };
    check(&format!("0 text, {script}"), &expected);
}

#[test]
fn a_status_is_believed_once_it_has_held_for_a_moment() {
    check_running("1 status permission, 9 tick", "1.06 NeedsInput(permission)");
    check_running("1 status question, 9 tick", "1.06 NeedsInput(question)");
    check_running("1 status blocked, 9 tick", "1.06 NeedsInput(question)");
    check_running("1 status auth, 9 tick", "1.06 NeedsInput(password)");
    check_running("1 status done, 9 tick", "1.06 NeedsInput(turn_done)");
    check_running("1 status idle, 9 tick", "1.06 NeedsInput(turn_done)");
    check_running("1 status error, 9 tick", "1.06 NeedsInput(error)");
    check_running("1 status working, 900 tick", "");
}

#[test]
fn a_status_that_flickers_changes_nothing() {
    check_running("1 status idle, 5 status working, 5.04 status idle, 9 tick", {
        "1.06 NeedsInput(turn_done)"
    });
    check_running("1 status working, 30 status idle, 30.04 status working, 60 tick", "");
    check_running("1 status idle, 5 status working, 5.02 status done, 5.04 status idle, 9 tick", {
        "1.06 NeedsInput(turn_done)"
    });
}

#[test]
fn until_a_new_status_holds_the_one_before_counts() {
    check_running(
        "1 status working, 30 status permission, 40 tick",
        "30.06 NeedsInput(permission)",
    );
    check_running("1 status permission, 30 status working, 40 tick", {
        "1.06 NeedsInput(permission), 30.06 Running"
    });
    check_running("1 status working, 9 status done, 9.03 status permission, 20 tick", {
        "9.09 NeedsInput(permission)"
    });
}

#[test]
fn a_status_that_is_told_again_has_held_all_the_time() {
    check_running("1 status done, 1.05 status done, 9 tick", "1.06 NeedsInput(turn_done)");
    check_running("1 status done, 9 status done, 10 tick", "1.06 NeedsInput(turn_done)");
}

#[test]
fn a_program_that_has_shown_nothing_is_starting_whatever_it_says() {
    check("0 status working, 60 tick", "Starting");
    check("0 status working, 1 text, 60 tick", "Starting, 1.00 Running");
    check("1 status permission, 2 tick", "Starting, 1.06 NeedsInput(permission)");
}

#[test]
fn a_status_is_stronger_than_anything_else() {
    check_running("1 status done, 2 title ⠋ x, 3 progress on, 4..8/0.1 frame, 9 tick", {
        "1.06 NeedsInput(turn_done)"
    });
    check_running("1 status done, 2 report running, 3..8/0.1 text, 9 tick", {
        "1.06 NeedsInput(turn_done)"
    });
    check_running(
        "1 status working, 2 title ✳ x, 3 notify come, 4 bell, 5 report completed, 9 tick",
        "",
    );
    check_running("1 status working, 5 ask permission, 6 sample cooked reading, 30 tick", "");
}

#[test]
fn a_status_that_is_cleared_leaves_it_to_the_others() {
    check_running("1 status working, 30 status clear, 40 tick", "30.00 NeedsInput(silence)");
    check_running("1 status done, 5 status clear, 9 tick", "1.06 NeedsInput(turn_done)");
    check_running("1 status done, 5 status clear, 6 title ⠋ x, 7 tick", {
        "1.06 NeedsInput(turn_done), 6.00 Running"
    });
}

#[test]
fn a_part_that_works_counts_where_the_whole_says_nothing() {
    check_running("1 part a working, 60 tick", "");
    check_running("1 part a/b working, 20 part a/b done, 21 tick", "20.00 NeedsInput(silence)");
    check_running("1 part a/b working, 20 part a clear, 21 tick", "20.00 NeedsInput(silence)");
    check_running("1 part ab working, 20 part a clear, 60 tick", "");
    check_running("1 part a working, 2 part b working, 20 part a clear, 60 tick", "");
    check_running("1 part a working, 2 status done, 60 tick", "2.06 NeedsInput(turn_done)");
    check_running("1 part a working, 20 status clear, 21 tick", "20.00 NeedsInput(silence)");
    check_running("1 part a permission, 4 tick", "");
}

#[test]
fn no_more_parts_are_remembered_than_a_person_could_start() {
    let mut stage = Stage::new(Timeouts::default());
    for index in 0..1000 {
        stage.play(&format!("part {index} idle"), Duration::ZERO);
    }
    stage.play("text", Duration::ZERO);
    stage.play("part 999 working", Duration::ZERO);
    stage.play("tick", Duration::from_secs(9));
    assert_eq!(describe(stage.machine.state()), "NeedsInput(silence)", "999 was not remembered");
    stage.play("part 1 working", Duration::from_secs(10));
    assert_eq!(describe(stage.machine.state()), "Running", "1 was, and may change");
}

#[test]
fn a_report_is_believed_at_once() {
    check_running("1 report permission, 9 tick", "1.00 NeedsInput(permission)");
    check_running("1 report completed, 9 tick", "1.00 NeedsInput(turn_done)");
    check_running("1 report errored, 9 tick", "1.00 NeedsInput(error)");
    check_running("1 report running, 900 tick", "");
    check_running("1 report permission, 2 title ⠋ x, 3 progress on, 4..8/0.1 frame", {
        "1.00 NeedsInput(permission)"
    });
}

#[test]
fn an_answer_ends_what_was_reported() {
    check_running("1 report permission, 2 send, 3 text, 4 tick", {
        "1.00 NeedsInput(permission), 2.00 Running"
    });
    check_running("1 report running, 60 send, 64 tick, 65 tick", "65.00 NeedsInput(silence)");
}

#[test]
fn progress_is_work_while_anything_is_written() {
    check_running("1 progress on, 14.9 tick", "");
    check_running("1 progress half, 14.9 tick", "");
    check_running("1 progress on, 16 tick", "15.00 NeedsInput(silence)");
    check_running("1 progress on, 10 blink, 24.9 tick", "");
    check_running("1 progress on, 7 progress off, 8 tick", "7.00 NeedsInput(silence)");
    check_running("1 progress error, 6 tick", "5.00 NeedsInput(silence)");
    check_running("1 progress paused, 6 tick", "5.00 NeedsInput(silence)");
    check_running("1 title ✳ x, 2 progress on, 3 tick", "1.25 NeedsInput(turn_done), 2.00 Running");
}

#[test]
fn a_title_of_waiting_is_believed_after_a_moment() {
    check_running("1 title ✳ x, 4 tick", "1.25 NeedsInput(turn_done)");
    check_running("1 title ◇  Ready (x), 4 tick", "1.25 NeedsInput(turn_done)");
    check_running("1 title ✋  Action Required (x), 4 tick", "1.25 NeedsInput(permission)");
    check_running("1 title ✳ x, 1.2 title ⠋ x, 4 tick", "");
}

#[test]
fn a_blinking_title_of_waiting_is_one_title() {
    check_running(
        "1 title [ ! ] Action Required | x, 1.2 title [ . ] Action Required | x, 9 tick",
        "1.25 NeedsInput(permission)",
    );
}

#[test]
fn a_title_of_work_is_believed_while_it_is_fresh() {
    check_running("4 title ◐ x, 7.9 tick", "");
    check_running("4 title ◐ x, 9 tick", "8.00 NeedsInput(silence)");
    check_running("1..20/1 title ⠋ x, 21 tick", "");
    check_running("1 title ✳ x, 3 title ◐ x, 4 tick", "1.25 NeedsInput(turn_done), 3.00 Running");
}

#[test]
fn a_sign_of_work_that_leaves_the_title_is_waiting() {
    check_running("1 title ⠋ dir, 3 title dir, 4 tick", "3.25 NeedsInput(turn_done)");
    check_running("1 title dir, 3 title other, 4 tick", "");
}

#[test]
fn a_title_of_waiting_from_before_the_answer_says_nothing() {
    check_running("1 title ✳ x, 3 send, 3.5..6/0.1 text, 6.2 tick", {
        "1.25 NeedsInput(turn_done), 3.00 Running"
    });
    check_running("1 title ✳ x, 3 send, 3.1 title ✳ x, 3.5..6/0.1 text, 6.2 tick", {
        "1.25 NeedsInput(turn_done), 3.00 Running"
    });
}

#[test]
fn a_notification_is_a_call() {
    check_running("1 notify come, 4 tick", "1.00 NeedsInput(turn_done)");
    check_running("1 bell, 4 tick", "1.00 NeedsInput(turn_done)");
    check_running("1 type, 1.49 bell, 4 tick", "");
    check_running("1 type, 1.5 bell, 4 tick", "1.50 NeedsInput(turn_done)");
    check_running("1 notify come, 2 send, 4 tick", "1.00 NeedsInput(turn_done), 2.00 Running");
}

#[test]
fn a_notification_may_say_what_it_calls_for() {
    check_running("1 notify Agent needs your approval, 4 tick", "1.00 NeedsInput(permission)");
    check_believed("0 text, 1 notify Claude needs your permission to use Bash", {
        "notification: Claude needs your permission to use Bash"
    });
    check_running("1 notify Agent needs your approval, 1.1 bell, 1.2 progress paused, 4 tick", {
        "1.00 NeedsInput(permission)"
    });
    check_running("1 notify Agent needs your approval, 2 notify done, 4 tick", {
        "1.00 NeedsInput(permission), 2.00 NeedsInput(turn_done)"
    });
}

#[test]
fn a_call_from_before_it_worked_is_over() {
    let called = "1 notify Agent needs your approval";
    check_running(&format!("{called}, 7 progress on, 13 text, 13.1 progress off, 19 tick"), {
        "1.00 NeedsInput(permission), 7.00 Running, 18.00 NeedsInput(silence)"
    });
    check_running(&format!("{called}, 7 status working, 13 text, 13.1 status clear, 19 tick"), {
        "1.00 NeedsInput(permission), 7.06 Running, 18.00 NeedsInput(silence)"
    });
    check_running(&format!("{called}, 5..7/0.2 text, 13 tick"), {
        "1.00 NeedsInput(permission), 5.00 NeedsInput(silence), 5.60 Running, \
         12.00 NeedsInput(silence)"
    });
    check_running("1 progress on, 2 notify Agent needs your approval, 30 tick", {
        "15.00 NeedsInput(permission)"
    });
}

#[test]
fn a_bell_that_rings_on_between_text_calls_once() {
    let rings = "1 bell, 1.05 text, 1.7 bell, 1.75 text, 2.4 bell, 2.45 text, 3.1 bell, 3.15 text";
    check_running(&format!("{rings}, 3.8 bell, 3.85 text, 4.5 bell, 4.55 text, 5.2 bell"), {
        "1.00 NeedsInput(turn_done), 3.85 Running"
    });
    check_running("1 bell, 1.5 bell, 4 tick", "1.00 NeedsInput(turn_done)");
    check_running("1 bell, 2 send, 2.5 text, 2.9 bell, 4 tick", {
        "1.00 NeedsInput(turn_done), 2.00 Running, 2.90 NeedsInput(turn_done)"
    });
}

#[test]
fn text_that_flows_on_takes_a_call_back() {
    check_running("1 notify come, 1.5 text, 4 tick", "1.00 NeedsInput(turn_done)");
    check_running("1 notify come, 5..7/0.2 text, 7.5 tick", {
        "1.00 NeedsInput(turn_done), 5.60 Running"
    });
}

#[test]
fn an_animation_that_goes_on_takes_a_call_back() {
    check_running("1 bell, 2..6/0.1 frame, 6 tick", "1.00 NeedsInput(turn_done), 2.40 Running");
    check_running("1..3/0.1 frame, 3.5 bell, 5 tick", "3.50 NeedsInput(turn_done)");
}

#[test]
fn an_answer_ends_a_status_that_blocks() {
    check_running("1 status permission, 3 send, 3.5 tick", {
        "1.06 NeedsInput(permission), 3.00 Running"
    });
    check_running("1 status working, 3 send, 30 tick", "");
}

#[test]
fn an_answer_is_worked_on_for_a_while() {
    check_running(
        "1 sample cooked reading, 1.4 tick, 2 send, 2.1 sample cooked reading, 4 tick",
        "1.00 NeedsInput(silence), 2.00 Running, 2.50 NeedsInput(silence)",
    );
    check_running("6 end, 7 tick", "5.00 NeedsInput(silence), 6.00 Running");
}
