//! Timelines beside labels, and what they are worth.

use super::*;

/// Scores a timeline such as `"2 w, 12 n"` (works, needs input, stale, exited from then on) beside
/// spans such as `"0-10 working, 10-20 needs_input"`, of an agent, which may have a reason each.
#[track_caller]
fn check_agent(agent: &str, spans: &str, timeline: &str, expected: &str) {
    let score = labels(agent, spans).score(&changes(timeline));
    let latencies: Vec<String> =
        score.latencies.iter().map(|latency| format!("{:.1}", latency.as_secs_f64())).collect();
    let said = format!(
        "{} of {}, {} false, {} flaps, after {}",
        score.found,
        score.waits,
        score.false_alarms,
        score.flaps,
        if latencies.is_empty() { "-".to_owned() } else { latencies.join(" ") }
    );
    assert_eq!(said, expected, "score of {timeline} beside {spans}");
}

#[track_caller]
fn check(spans: &str, timeline: &str, expected: &str) {
    check_agent("sh", spans, timeline, expected);
}

fn labels(agent: &str, spans: &str) -> Labels {
    let mut end = "0";
    let spans: Vec<String> = spans
        .split(", ")
        .map(|span| {
            let mut words = span.split(' ');
            let (from, to) = words.next().and_then(|it| it.split_once('-')).expect("a span");
            end = to;
            let state = words.next().expect("a state");
            let why = words.next().unwrap_or("");
            format!(r#"{{"t0":{from},"t1":{to},"state":"{state}","why":"{why}"}}"#)
        })
        .collect();
    let text = format!(r#"{{"agent":"{agent}","duration":{end},"spans":[{}]}}"#, spans.join(","));
    Labels::parse(&text).expect("labels")
}

fn changes(timeline: &str) -> Vec<Change> {
    let change = |step: &str| {
        let (at, state) = step.split_once(' ').expect("a time and a state");
        let state = match state {
            "w" => "running",
            "n" => "needs_input",
            "s" => "stale",
            "x" => "exited",
            other => panic!("unknown state {other}"),
        };
        let at = Duration::from_secs_f64(at.parse().expect("seconds"));
        Change { at, state, reason: None, source: None, text: None }
    };
    timeline.split(", ").filter(|step| !step.is_empty()).map(change).collect()
}

#[test]
fn a_wait_that_is_seen_and_kept_to_is_found() {
    check("0-10 working, 10-20 needs_input", "0 w, 10 n", "1 of 1, 0 false, 0 flaps, after 0.0");
    check("0-10 working, 10-20 needs_input", "0 w, 11.5 n", "1 of 1, 0 false, 0 flaps, after 1.5");
    check("0-10 working, 10-20 needs_input", "0 w, 19 n", "1 of 1, 0 false, 0 flaps, after 9.0");
    check("0-10 working, 10-80 needs_input", "0 w, 11 n, 70 s", {
        "1 of 1, 0 false, 0 flaps, after 1.0"
    });
}

#[test]
fn a_wait_that_is_never_seen_is_missed() {
    check("0-10 working, 10-20 needs_input", "0 w", "0 of 1, 0 false, 0 flaps, after -");
    check("0-10 working, 10-20 needs_input", "", "0 of 1, 0 false, 0 flaps, after -");
    check("0-10 working, 10-20 needs_input", "0 w, 10 x", "0 of 1, 0 false, 0 flaps, after -");
    check("0-10 working, 10-20 needs_input", "0 w, 20 n", "0 of 1, 0 false, 0 flaps, after -");
}

#[test]
fn a_wait_that_is_not_kept_to_is_found_when_it_is() {
    check("0-10 working, 10-20 needs_input", "0 w, 10 n, 11 w, 16 n", {
        "1 of 1, 0 false, 0 flaps, after 6.0"
    });
    check("0-10 working, 10-20 needs_input", "0 w, 10 n, 15 w", {
        "0 of 1, 0 false, 0 flaps, after -"
    });
}

#[test]
fn leaving_a_wait_that_was_found_is_a_flap() {
    check("0-10 working, 10-20 needs_input", "0 w, 10 n, 15 w, 15.5 n, 17 w, 17.5 n", {
        "1 of 1, 0 false, 2 flaps, after 0.0"
    });
    check("0-10 working, 10-20 needs_input", "0 w, 10 n, 15 s, 16 n", {
        "1 of 1, 0 false, 0 flaps, after 0.0"
    });
}

#[test]
fn what_was_shown_a_moment_before_a_wait_is_no_part_of_it() {
    check("0-10.004 needs_input typing, 10.004-20 needs_input", "0 n, 10.004 w, 10.8 n", {
        "1 of 1, 0 false, 0 flaps, after 0.8"
    });
    check("0-10.004 working, 10.004-20 needs_input", "0 w, 9.998 n, 10.004 w, 10.5 n", {
        "1 of 1, 0 false, 0 flaps, after 0.5"
    });
}

#[test]
fn a_short_wait_counts_neither_way() {
    check("0-10 working, 10-15.9 needs_input", "0 w", "0 of 0, 0 false, 0 flaps, after -");
    check("0-10 working, 10-15.9 needs_input", "0 w, 10 n", "0 of 0, 0 false, 0 flaps, after -");
    check("0-10 working, 10-16 needs_input", "0 w", "0 of 1, 0 false, 0 flaps, after -");
}

#[test]
fn waiting_while_it_works_is_a_false_alarm() {
    check("0-10 working", "0 w, 5 n, 5.3 w", "0 of 0, 1 false, 0 flaps, after -");
    check("0-10 working", "0 w, 5 n, 5.2 w", "0 of 0, 0 false, 0 flaps, after -");
    check("0-10 working", "0 w, 2 n, 3 w, 5 n, 6 w", "0 of 0, 2 false, 0 flaps, after -");
    check("0-10 working", "0 w, 5 s", "0 of 0, 1 false, 0 flaps, after -");
    check("0-10 working", "0 w, 9.8 n", "0 of 0, 0 false, 0 flaps, after -");
    check("0-10 starting", "0 n", "0 of 0, 1 false, 0 flaps, after -");
}

#[test]
fn a_leftover_of_the_wait_before_is_given_a_second() {
    let spans = "0-10 needs_input, 10-20 working";
    check(spans, "0 n, 10.9 w", "1 of 1, 0 false, 0 flaps, after 0.0");
    check(spans, "0 n, 11 w", "1 of 1, 1 false, 0 flaps, after 0.0");
}

#[test]
fn typing_and_the_end_count_neither_way() {
    check("0-10 needs_input typing", "0 w", "0 of 0, 0 false, 0 flaps, after -");
    check("0-10 needs_input typing", "0 n", "0 of 0, 0 false, 0 flaps, after -");
    check("0-10 exited", "0 n", "0 of 0, 0 false, 0 flaps, after -");
}

#[test]
fn the_end_of_a_start_is_left_open() {
    let spans = "0-10 starting, 10-20 needs_input";
    check(spans, "0 w, 9.2 n", "1 of 1, 0 false, 0 flaps, after 0.0");
    check(spans, "0 w, 8.9 n", "1 of 1, 1 false, 0 flaps, after 0.0");
    check_agent("opencode", spans, "0 w, 6.5 n", "1 of 1, 0 false, 0 flaps, after 0.0");
    check_agent("claude", spans, "0 w, 8.4 n", "1 of 1, 0 false, 0 flaps, after 0.0");
    check_agent("aider", spans, "0 w, 8.4 n", "1 of 1, 1 false, 0 flaps, after 0.0");
    check("0-10 starting, 10-20 needs_input typing", "0 w, 9.2 n", {
        "0 of 0, 1 false, 0 flaps, after -"
    });
    check("0-10 working startup, 10-20 working", "0 w, 9.2 n, 10 w", {
        "0 of 0, 0 false, 0 flaps, after -"
    });
}

#[test]
fn a_start_that_is_shorter_than_it_takes_to_settle_is_all_open() {
    check_agent("opencode", "0-2 starting, 2-12 needs_input", "0 n", {
        "1 of 1, 0 false, 0 flaps, after 0.0"
    });
}

#[test]
fn what_is_no_file_of_labels_is_none() {
    let none = |text: &str| {
        assert!(Labels::parse(text).is_none(), "no labels: {text}");
    };
    none("");
    none("[]");
    none(r#"{"duration":1}"#);
    none(r#"{"spans":[]}"#);
    none(r#"{"spans":[{"t0":0,"t1":1}],"duration":1}"#);
    none(r#"{"spans":[{"t0":-1,"t1":1,"state":"working"}],"duration":1}"#);
    none(r#"{"spans":[{"t0":0,"t1":"x","state":"working"}],"duration":1}"#);
    none(r#"{"spans":[],"duration":1e9}"#);
    none(r#"{"spans":[{"t0":0,"t1":1,"state":"wroking"}],"duration":1}"#);
}

#[test]
fn spans_that_make_no_sense_do_no_harm() {
    let score = |text: &str| Labels::parse(text).expect("labels").score(&changes("0 n"));
    let beyond = r#"{"spans":[{"t0":50,"t1":90,"state":"needs_input"}],"duration":1}"#;
    assert_eq!(score(beyond).waits, 0, "after the end");
    let backwards = r#"{"spans":[{"t0":9,"t1":1,"state":"needs_input"}],"duration":10}"#;
    assert_eq!(score(backwards).waits, 0, "ends before it begins");
}

#[test]
fn scores_add_up() {
    let mut all = Score::default();
    assert_eq!((all.recall(), all.precision()), (1.0, 1.0), "nothing was wrong");
    assert_eq!(all.latency(0.5), Duration::ZERO, "nor late");
    let spans = "0-10 working, 10-20 needs_input, 20-30 working, 30-40 needs_input";
    all.add(labels("sh", spans).score(&changes("0 w, 10.5 n, 20 w, 25 n, 26 w, 32 n")));
    all.add(labels("sh", spans).score(&changes("0 w, 11 n, 20 w")));
    assert_eq!((all.waits, all.found, all.false_alarms), (4, 3, 1), "counted");
    assert_eq!((all.recall(), all.precision()), (0.75, 0.75), "as parts of one");
    assert_eq!(all.latency(0.0), Duration::from_millis(500), "the best");
    assert_eq!(all.latency(0.5), Duration::from_millis(1000), "the middle");
    assert_eq!(all.latency(0.95), Duration::from_millis(2000), "the worst");
    assert_eq!(all.latency(1.0), Duration::from_millis(2000), "no worse than the worst");
    assert_eq!(all.notes.len(), 2, "a false alarm and a miss: {:?}", all.notes);
}
