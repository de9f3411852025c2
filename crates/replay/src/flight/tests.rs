//! What is kept, and that it plays as the whole does.

use std::path::Path;
use std::sync::Arc;

use agent::Rules;
use terminal::{TerminalBuffer, TerminalOptions};

use super::*;
use crate::{Player, USUAL_SIZE};

/// The usual time after which a wait is stale.
const STALE: Duration = Duration::from_secs(60);

/// Some instant: only ever compared and added to.
#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn epoch() -> Instant {
    Instant::now()
}

fn painted(text: &str) -> Option<(GridSize, Vec<u8>)> {
    Some((USUAL_SIZE, text.as_bytes().to_vec()))
}

fn outputs(recording: &Recording) -> Vec<String> {
    let output = |event: &Event| match &event.what {
        Happening::Output(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => None,
    };
    recording.events.iter().filter_map(output).collect()
}

#[test]
fn what_is_older_than_five_minutes_is_dropped_and_the_screen_then_stands_for_it() {
    let start = epoch();
    let mut recorder = FlightRecorder::new(FlightBudget::default(), USUAL_SIZE, start);
    for minute in 0..10 {
        let now = start + Duration::from_secs(60 * minute);
        assert_eq!(recorder.wants_screen(now), minute > 0, "a block lasts a minute");
        recorder.begin_block(painted(&format!("screen {minute}")).filter(|_| minute > 0), now);
        recorder.output(format!("output {minute}").as_bytes(), now);
    }
    let saved = start + Duration::from_secs(9 * 60 + 30);
    let recording = recorder.take().into_recording(saved);
    let expected = "screen 4, output 4, output 5, output 6, output 7, output 8, output 9";
    assert_eq!(outputs(&recording).join(", "), expected, "five minutes and a block");
    assert_eq!(recording.duration(), Duration::from_secs(5 * 60 + 30), "until it was saved");
}

#[test]
fn memory_is_bounded_for_each_and_for_all() {
    let (start, budget) = (epoch(), FlightBudget::default());
    let used = || budget.0.load(Ordering::Relaxed);
    let mut recorders: Vec<FlightRecorder> = Vec::new();
    for _ in 0..12 {
        let mut recorder = FlightRecorder::new(budget.clone(), USUAL_SIZE, start);
        for _ in 0..100 {
            if recorder.wants_screen(start) {
                recorder.begin_block(painted("screen"), start);
            }
            recorder.output(&b"x".repeat(64 * 1024), start);
        }
        let kept: usize = recorder.blocks.iter().map(|block| block.weight).sum();
        assert!(kept <= MAX_BYTES, "one of them keeps {kept}");
        recorders.push(recorder);
    }
    assert!(used() <= MAX_ALL + 12 * 2 * BLOCK_BYTES, "all of them keep {}", used());
    drop(recorders);
    assert_eq!(used(), 0, "all is given back");
}

#[test]
fn a_sequence_without_end_leaves_a_gap_and_no_more() {
    let start = epoch();
    let mut recorder = FlightRecorder::new(FlightBudget::default(), USUAL_SIZE, start);
    recorder.output(b"before", start);
    for _ in 0..100 {
        if recorder.wants_screen(start) {
            recorder.begin_block(None, start);
        }
        recorder.output(&b"x".repeat(64 * 1024), start + AT_ONCE);
    }
    assert!(recorder.current.weight < 3 * BLOCK_BYTES, "{} bytes", recorder.current.weight);
    recorder.begin_block(painted("screen"), start);
    recorder.output(b"after", start + AT_ONCE);
    let outputs = outputs(&recorder.take().into_recording(start));
    let ends: Vec<&str> = outputs.iter().filter(|it| it.len() < 10).map(String::as_str).collect();
    assert_eq!(ends, ["before", "\x1bc", "screen", "after"], "what comes after it is drawn anew");
}

/// The last state of a recording that is played from somewhere in the middle.
fn cut(recording: &Recording, at: Duration, rules: &Arc<Rules>) -> &'static str {
    let start = epoch();
    let terminal = TerminalBuffer::new(USUAL_SIZE, TerminalOptions::default());
    let mut recorder = FlightRecorder::new(FlightBudget::default(), USUAL_SIZE, start);
    let mut is_cut = false;
    for event in &recording.events {
        let now = start + event.at;
        if !is_cut
            && event.at >= at
            && let Some(screen) = terminal.repaint()
        {
            recorder.begin_block(Some(screen), now);
            recorder.blocks.clear();
            is_cut = true;
        }
        match &event.what {
            Happening::Output(bytes) => {
                recorder.output(bytes, now);
                let fed = terminal.feed(bytes);
                fed.signals.iter().for_each(|signal| recorder.signal(signal));
            }
            other => recorder.note(other.clone(), now),
        }
    }
    let taken = recorder.take().into_recording(start + recording.duration());
    let read = Recording::parse(&taken.to_lines(), Path::new("cut")).expect("our own lines");
    last(&read, rules)
}

fn last(recording: &Recording, rules: &Arc<Rules>) -> &'static str {
    let changes = Player::of(recording, Arc::clone(rules), epoch()).play(recording, Duration::ZERO);
    changes.last().map_or("nothing", |change| change.state)
}

#[test]
fn real_agents_cut_anywhere_end_in_the_same_state() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/signals");
    let rules = Arc::new(config::Config::default().rules("any", "any"));
    let paths =
        std::fs::read_dir(folder).expect("recordings").filter_map(|it| Some(it.ok()?.path()));
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "jsonl")).collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in &paths {
        let recording = Recording::load(path).expect("a recording");
        let whole = last(&recording, &rules);
        for part in [1, 2, 3] {
            let at = recording.duration() * part / 4;
            let end = cut(&recording, at, &rules);
            // Since when it has waited is not known of a wait that was cut.
            let is_younger =
                (whole, end) == ("stale", "needs_input") && recording.duration() - at < STALE;
            if end != whole && !is_younger {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                wrong.push(format!("{name} cut at {at:?}: {end}, not {whole}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
