//! Several sources at once, and what follows from what they say.

use super::*;

#[test]
fn a_program_that_waits_may_redraw_compute_and_say_a_word() {
    for wait in ["1 title ✳ x", "1 ask permission", "1 bell", "0.1..0.9/0.1 frame, 2 tick"] {
        for noise in [
            "10 text",
            "10 text, 15 text, 20 text",
            "10 redraw, 10.1..10.4/0.1 text",
            "10 sample raw, 11 sample raw cpu=90",
            "10 sample raw, 11 sample raw child=9",
            "10..20/0.6 blink",
            "10 cell, 12 cell",
            "10..10.3/0.1 frame",
        ] {
            let mut stage = Stage::new(Timeouts::default());
            let script = format!("0 text, {wait}, 5 tick, {noise}, 30 tick");
            let mut states = Vec::new();
            for (now, event) in steps(&script) {
                let mut note = |stage: &Stage, _| states.push(describe(stage.machine.state()));
                stage.pass(now, &mut note);
                stage.play(event, now);
                note(&stage, now);
            }
            states.dedup();
            assert_eq!(states.len(), 2, "works, then waits for one reason: {script}: {states:?}");
        }
    }
}

#[test]
fn a_program_that_waits_goes_on_when_text_flows() {
    check_running("1 ask permission, 5 ask nothing, 10..12/0.2 text, 12.1 tick", {
        "1.00 NeedsInput(permission), 5.00 NeedsInput(silence), 10.60 Running"
    });
    check_running("0.1..0.9/0.1 frame, 10..12/0.2 text, 12.1 tick", {
        "1.80 NeedsInput(turn_done), 10.60 Running"
    });
    check_running("6 tick, 10 text, 10.1 tick", "5.00 NeedsInput(silence), 10.00 Running");
}

#[test]
fn a_program_that_waits_goes_on_when_it_animates_anew() {
    check_running("0.1..0.9/0.1 frame, 10..12/0.1 frame, 12.1 tick", {
        "1.80 NeedsInput(turn_done), 10.40 Running"
    });
}

#[test]
fn an_echo_is_no_work_but_an_animation_beside_it_is() {
    check_running("6 tick, 7 type, 7.1 text, 7.2 count, 9 tick", "5.00 NeedsInput(silence)");
    check_running("0.1..3/0.1 frame, 3.05 type, 3.1..5/0.1 frame, 5.05 type, 5.1 tick", "");
}

#[test]
fn the_strongest_is_named_and_gives_the_words() {
    check_believed("", "nobody: -");
    check_believed("0 text", "output: -");
    check_believed("0 text, 9 tick", "silence: -");
    check_believed("0 text, 1 status permission: run touch?, 2 tick", "status: run touch?");
    check_believed("0 text, 1 notify come here, 2 tick", "notification: come here");
    check_believed("0 text, 1 ask permission run it?, 2 tick", "screen: run it?");
    check_believed("0 text, 1 ask permission run it?, 2 bell", "notification: run it?");
    check_believed("0 text, 1 ask permission run it?, 2 send", "submitted: -");
    check_believed("0 text, 1 title ✳ x, 2 tick", "title: -");
    check_believed("0 text, 1 progress on", "progress: -");
    check_believed("0 text, 1 report completed", "report: -");
    check_believed("0 text, 1 paste off, 2 paste on, 3 tick", "line_editor: -");
    check_believed("0 text, 1 sample cooked reading", "terminal_read: -");
    check_believed("0 text, 1 sample cooked", "command_runs: -");
    check_believed("0..2/0.1 frame", "animation: -");
    check_believed("0 text, 1 sample raw, 2 sample raw cpu=90", "processes: -");
}

/// Plays a script and lists all that is said in the end, the strongest first.
#[track_caller]
fn check_claims(script: &str, expected: &str) {
    let mut stage = Stage::new(Timeouts::default());
    let mut end = Duration::ZERO;
    for (now, event) in steps(script) {
        stage.pass(now, &mut |_, _| {});
        stage.play(event, now);
        end = now;
    }
    let claims = stage.machine.claims(stage.start + end);
    let said: Vec<String> = claims
        .iter()
        .map(|claim| match claim.says {
            Says::Working => format!("{} works", claim.source.name()),
            Says::Waiting(reason) => format!("{} {}", claim.source.name(), reason.name()),
        })
        .collect();
    assert_eq!(said.join(", "), expected, "said after: {script}");
    assert_eq!(stage.machine.believed(), claims.first(), "the strongest is believed: {script}");
}

#[test]
fn all_that_is_said_is_told_the_strongest_first() {
    check_claims("0 tick", "");
    check_claims("0 text, 1 sample raw, 2 sample raw cpu=90", "processes works, output works");
    check_claims("0 text, 1 ask permission, 1.5 sample cooked", {
        "screen permission, command_runs works, silence silence"
    });
    check_claims("0..2/0.1 frame, 1 ask permission, 2 frame", {
        "animation works, screen permission, output works"
    });
    check_claims("0.1 paste off, 0.2 paste on, 0.4 line prompt, 9 sample raw, 9 tick", {
        "line_editor turn_done, silence turn_done"
    });
    check_claims(
        "0..2/0.1 frame, 2 ask permission, 2.1 status done, 2.2 report running, 2.3 progress on, \
         2.4 title ✳ x, 2.5 bell, 2.6 paste off, 2.7 paste on, 3 sample raw reading, 4 tick",
        "status turn_done, report works, progress works, title turn_done, \
         notification turn_done, line_editor turn_done, terminal_read silence, \
         screen permission, silence turn_done",
    );
}

#[test]
fn what_is_done_and_seen_is_calm_and_does_not_go_stale() {
    check_running("1 title ✳ x, 2 seen, 900 tick", {
        "1.25 NeedsInput(turn_done), 2.00 NeedsInput(turn_done) calm"
    });
    check_running("6 seen, 900 tick", "5.00 NeedsInput(silence), 65.00 Stale");
    check_running("1 title ✳ x, 2 seen, 3 type, 900 tick", {
        "1.25 NeedsInput(turn_done), 2.00 NeedsInput(turn_done) calm"
    });
    check_running("1 title ✳ x, 900 tick", "1.25 NeedsInput(turn_done), 61.25 Stale");
}

#[test]
fn what_is_asked_and_seen_is_still_asked() {
    check_running(
        "1 status permission, 2 seen, 900 tick",
        "1.06 NeedsInput(permission), 61.06 Stale",
    );
    check_running("1 status error, 2 seen, 900 tick", "1.06 NeedsInput(error), 61.06 Stale");
    check_running("1 status done, 2 seen, 3 status permission, 4 tick", {
        "1.06 NeedsInput(turn_done), 2.00 NeedsInput(turn_done) calm, 3.06 NeedsInput(permission)"
    });
}

#[test]
fn what_is_done_anew_is_unseen() {
    check_running("1 status done, 2 seen, 3 status working, 4 status done, 5 tick", {
        "1.06 NeedsInput(turn_done), 2.00 NeedsInput(turn_done) calm, 3.06 Running, \
         4.06 NeedsInput(turn_done)"
    });
    check_running("0.5 seen, 1 status done, 2 tick", "1.06 NeedsInput(turn_done)");
}

#[test]
fn a_call_wakes_what_went_stale() {
    const STALE: &str = "5.00 NeedsInput(silence), 65.00 Stale";
    check_running("80 bell, 81 tick", &format!("{STALE}, 80.00 NeedsInput(turn_done)"));
    let asks = format!("{STALE}, 80.06 NeedsInput(permission)");
    check_running("80 status permission, 81 tick", &asks);
    check_running("80 ask question, 81 tick", &format!("{STALE}, 80.00 NeedsInput(question)"));
    check_running(
        "80 bell, 200 tick",
        &format!("{STALE}, 80.00 NeedsInput(turn_done), 140.00 Stale"),
    );
    check_running("80 blink, 90 cell, 91 sample raw, 99 redraw, 200 tick", STALE);
    check_running("1 status done, 80 status done, 99 tick", {
        "1.06 NeedsInput(turn_done), 61.06 Stale"
    });
}

#[test]
fn a_better_reason_replaces_a_vague_one() {
    check_running("6 ask confirmation, 7 tick", {
        "5.00 NeedsInput(silence), 6.00 NeedsInput(confirmation)"
    });
    check_running("1 bell, 2 ask permission, 3 tick", {
        "1.00 NeedsInput(turn_done), 2.00 NeedsInput(permission)"
    });
    check_running("1 status error, 2 ask permission, 3 tick", "1.06 NeedsInput(error)");
}

#[test]
fn processes_are_looked_at_only_while_that_can_tell_something() {
    let wish = |script: &str| {
        let mut stage = Stage::new(Timeouts::default());
        for (now, event) in steps(script) {
            stage.play(event, now);
        }
        let at = stage.machine.sample_at()?;
        Some(at.saturating_duration_since(stage.start).as_millis())
    };
    assert_eq!(wish("0 text"), Some(300), "once it is at rest");
    assert_eq!(wish("0 text, 2 text"), Some(2300), "a screen that moves says enough");
    assert_eq!(wish("0 text, 1 sample cooked"), Some(1250), "soon again");
    assert_eq!(wish("0 text, 1 unsampled"), Some(1250), "soon again if it failed");
    assert_eq!(wish("0 text, 20.3 sample cooked"), Some(30_300), "then ever more rarely");
    assert_eq!(wish("0 text, 900 sample cooked"), Some(915_000), "but not too rarely");
    assert_eq!(wish("0 text, 1 send"), Some(1000), "at once when something is handed in");
    assert_eq!(wish("0 text, 9 tick"), None, "not while it waits");
    assert_eq!(wish("0 text, 1 status working, 2 tick"), None, "not while it tells by itself");
    assert_eq!(wish("0 text, 1 send, 2 exit 0"), None, "not when it is gone");
}

#[test]
fn a_screen_is_read_once_after_each_change() {
    let wish = |script: &str| {
        let mut stage = Stage::new(Timeouts::default());
        for (now, event) in steps(script) {
            stage.play(event, now);
        }
        let at = stage.machine.question_at()?;
        Some(at.saturating_duration_since(stage.start).as_millis())
    };
    assert_eq!(wish("1 tick"), None, "nothing was written");
    assert_eq!(wish("1 text"), Some(1300), "once it is at rest");
    assert_eq!(wish("1 text, 1.3 ask nothing"), None, "it was read");
    assert_eq!(wish("1 text, 1.2 ask nothing"), Some(1300), "it was read too early");
    assert_eq!(wish("1 text, 1.3 ask nothing, 9 blink"), Some(9300), "it has changed");
    assert_eq!(wish("1 text, 1.3 ask nothing, 9 send"), Some(9300), "it was answered");
    assert_eq!(wish("1 text, 2 exit 0"), None, "it is gone");
}
