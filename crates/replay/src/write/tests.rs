//! What is written is read again.

use std::path::Path;
use std::time::Duration;

use agent::{Exit, Expected, Reason, Reported, ReportedBy, Timeouts};
use terminal::GridSize;

use super::*;
use crate::About;

#[test]
fn a_recording_survives_its_file() {
    let sample = ProcessSample {
        is_canonical: true,
        echoes: false,
        foreground: 7,
        processes: vec![Process { pid: 7, cpu_ticks: 9, reads_terminal: true }],
    };
    let happened = [
        Happening::Output(b"\x1b[1mshort".to_vec()),
        Happening::Output(b"long ".repeat(400)),
        Happening::Input(b"y\r".to_vec()),
        Happening::Focus,
        Happening::Watched(true),
        Happening::Resize(GridSize { columns: 100, rows: 30 }),
        Happening::Told(sample.clone()),
        Happening::Sample(sample),
        Happening::Report {
            says: Reported::NeedsInput(Reason::Permission),
            by: ReportedBy::Hook,
            text: None,
        },
        Happening::Report {
            says: Reported::Completed,
            by: ReportedBy::Script,
            text: Some("done".to_owned()),
        },
        Happening::Exit(Exit::Code(3)),
    ];
    let at = |index: u64| Duration::from_millis(250 * index);
    let recording = Recording {
        events: (0..).zip(happened).map(|(index, what)| Event { at: at(index), what }).collect(),
        about: About {
            size: Some(GridSize { columns: 80, rows: 24 }),
            agent: Some("claude".to_owned()),
            timeouts: Some(Timeouts::default()),
            saved_at: Some(at(20)),
            shown: Some("running".to_owned()),
            expected: Some(Expected::NeedsInput),
        },
    };
    let lines = recording.to_lines();
    assert!(lines.len() < 2000, "what is long is packed: {} bytes", lines.len());
    let read = Recording::parse(&lines, Path::new("r")).expect("what was written");
    assert_eq!(read.events, recording.events, "the same happens");
    assert_eq!(read.about, recording.about, "and the same is known");
}

#[test]
fn a_person_can_read_it() {
    let events = [
        Happening::Output(b"\x1b]2;title\x07\x1b[31mred\x1b[m word\x1b[2;3Hthere\r\n".to_vec()),
        Happening::Input(b"y\r".to_vec()),
    ];
    let events = events.map(|what| Event { at: Duration::ZERO, what }).into();
    let text = Recording { events, ..Recording::default() }.to_text();
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["[2;title]", "red word", "there", "[typed y", "]"], "all words are there");
}
