//! Tiny recordings, and the states that they give.

use agent::{Exit, Process};

use super::*;

/// Plays `"0 out hi, 1 in y, 2 exit 0"`: `out` (with `\e` and `\r`), `in`, `focus`, `exit CODE`,
/// `cooked`, `reading`, `hidden` and `raw` (samples). Then time passes for `after` seconds.
#[track_caller]
fn check(script: &str, after: u64, expected: &str) {
    let changes = play(script, after);
    let said: Vec<String> = changes.iter().map(describe).collect();
    assert_eq!(said.join(", "), expected, "states of: {script}");
    let in_order = changes.windows(2).all(|pair| pair[0].at <= pair[1].at);
    assert!(in_order, "time goes forward: {changes:?}");
}

fn play(script: &str, after: u64) -> Vec<Change> {
    let events = script.split(", ").map(event).collect();
    let rules = Arc::new(config::Config::default().rules("any", "any"));
    let player = Player::new(GridSize { columns: 60, rows: 10 }, rules, epoch());
    player.play(&Recording { events, ..Recording::default() }, Duration::from_secs(after))
}

fn event(step: &str) -> Event {
    let mut words = step.splitn(3, ' ');
    let seconds: f64 = words.next().and_then(|it| it.parse().ok()).expect("seconds");
    let at = Duration::from_secs_f64(seconds);
    let (word, rest) = (words.next().expect("an event"), words.next().unwrap_or(""));
    let bytes =
        rest.replace("\\e", "\x1b").replace("\\r", "\r").replace("\\n", "\r\n").into_bytes();
    let what = match word {
        "out" => Happening::Output(bytes),
        "in" => Happening::Input(bytes),
        "focus" => Happening::Focus,
        "watched" => Happening::Watched(true),
        "exit" => Happening::Exit(Exit::Code(rest.parse().expect("a code"))),
        "cooked" | "reading" | "hidden" | "raw" => Happening::Sample(ProcessSample {
            is_canonical: word != "raw",
            echoes: !matches!(word, "raw" | "hidden"),
            foreground: 1,
            processes: vec![Process {
                pid: 1,
                cpu_ticks: 0,
                reads_terminal: matches!(word, "reading" | "hidden"),
            }],
        }),
        other => panic!("unknown event {other}"),
    };
    Event { at, what }
}

fn describe(change: &Change) -> String {
    let reason = change.reason.map_or(String::new(), |reason| format!(" {}", reason.name()));
    format!("{:.2} {}{reason}", change.at.as_secs_f64(), change.state)
}

/// Some instant: only ever compared and added to.
#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn epoch() -> Instant {
    Instant::now()
}

#[test]
fn a_program_that_falls_silent_waits() {
    check("0 out hi", 0, "0.00 starting, 0.00 running");
    check("0 out hi", 4, "0.00 starting, 0.00 running");
    check("0 out hi", 9, "0.00 starting, 0.00 running, 5.00 needs_input silence");
    check("0 out hi", 90, "0.00 starting, 0.00 running, 5.00 needs_input silence, 65.00 stale");
}

#[test]
fn a_program_that_ends_has_exited() {
    check("0 out hi, 1 exit 0", 99, "0.00 starting, 0.00 running, 1.00 exited");
    check("0 out hi, 1 exit 0, 2 out bye, 3 in x", 99, "0.00 starting, 0.00 running, 1.00 exited");
}

#[test]
fn what_a_program_says_of_itself_is_heard() {
    check("0 out hi, 1 out \\e]7501;state=blocked:kind=permission\\e\\, 2 in y\\r", 0, {
        "0.00 starting, 0.00 running, 1.06 needs_input permission, 2.00 running"
    });
    check("0 out hi, 1 out \\e]0;✳ x\\e\\", 3, {
        "0.00 starting, 0.00 running, 1.25 needs_input turn_done"
    });
}

#[test]
fn questions_are_read_off_the_screen() {
    check("0 out hi\\n, 1 out Proceed? [y/N] ", 3, {
        "0.00 starting, 0.00 running, 1.60 needs_input confirmation"
    });
    let asked = play("0 out hi\\n, 1 out Proceed? [y/N] ", 3).pop().and_then(|change| change.text);
    assert_eq!(asked.as_deref(), Some("Proceed? [y/N]"), "in its own words");
}

#[test]
fn an_update_that_is_never_ended_is_seen_when_its_time_is_up() {
    check("0 out hi\\n, 1 out \\e[?2026hProceed? [y/N] ", 3, {
        "0.00 starting, 0.00 running, 1.75 needs_input confirmation"
    });
}

#[test]
fn samples_are_seen_when_they_are_wished_for() {
    check("0 out hi, 0.25 reading, 0.5 reading, 0.75 reading", 1, {
        "0.00 starting, 0.00 running, 0.30 needs_input silence"
    });
    check("0 out Pass: , 0.25 hidden, 0.5 hidden, 0.75 hidden", 1, {
        "0.00 starting, 0.00 running, 0.30 needs_input password"
    });
}

#[test]
fn a_sample_is_not_seen_before_it_was_taken() {
    check("0 out hi, 3 reading, 4 reading", 0, {
        "0.00 starting, 0.00 running, 3.00 needs_input silence"
    });
    check("0 out hi, 8 hidden, 9 hidden", 0, {
        "0.00 starting, 0.00 running, 5.00 needs_input silence"
    });
    check("0 out hi, 1 in x\\r, 2 hidden, 3 hidden", 0, {
        "0.00 starting, 0.00 running, 2.00 needs_input password"
    });
}

#[test]
fn a_sample_is_not_taken_for_what_was_long_after_it() {
    check("0 out hi, 0.2 cooked, 9 focus", 3, "0.00 starting, 0.00 running");
}

#[test]
fn being_told_of_the_focus_is_no_work() {
    check("0 out hi, 6 focus, 6.1 out \\rredrawn, 7 focus", 0, {
        "0.00 starting, 0.00 running, 5.00 needs_input silence"
    });
}

#[test]
fn an_answer_ends_a_wait() {
    check("0 out hi, 6 in y\\r, 6.1 out done", 6, {
        "0.00 starting, 0.00 running, 5.00 needs_input silence, 6.00 running, \
         11.10 needs_input silence"
    });
}

#[test]
fn a_recording_of_nothing_starts() {
    let rules = Arc::new(Rules::default());
    let player = Player::new(GridSize { columns: 1, rows: 1 }, rules, epoch());
    let changes = player.play(&Recording::default(), Duration::ZERO);
    assert_eq!(changes.iter().map(describe).collect::<Vec<_>>(), ["0.00 starting"], "no more");
}

#[test]
fn a_recording_of_thirty_years_ends() {
    check("0 out hi, 1000000000 exit 0", 0, {
        "0.00 starting, 0.00 running, 5.00 needs_input silence, 65.00 stale, 1000000000.00 exited"
    });
}

#[test]
fn a_turn_that_somebody_sees_end_does_not_go_stale() {
    let last = |script: &str| play(script, 90).last().map(|change| change.state);
    let done = r"0 out hi\e]7501;state=done\e\";
    assert_eq!(last(done), Some("stale"), "nobody looks");
    assert_eq!(last(&format!("0 watched, {done}")), Some("needs_input"), "somebody does");
}
