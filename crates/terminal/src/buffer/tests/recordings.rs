//! Real programs, recorded, played back into a terminal.

use std::fs;
use std::path::Path;

use super::*;

/// Plays a recording at once and in small pieces, and compares the two; then looks for texts that
/// were on the screen at some time.
#[track_caller]
fn check_recording(name: &str, texts: &[&str]) {
    let output = read(name);
    let (whole, pieces) = (large(), large());
    let mut missing: Vec<&str> = texts.to_vec();
    let mut snapshot = Snapshot::default();
    for bytes in &output {
        whole.feed(bytes);
        whole.end_sync();
        for piece in bytes.chunks(7) {
            pieces.feed(piece);
        }
        pieces.end_sync();
        let screen = whole.visible_text();
        missing.retain(|text| !screen.iter().any(|row| row.contains(text)));
        if whole.snapshot_into(&mut snapshot) {
            let rows: Vec<String> = snapshot.rows.iter().map(crate::SnapshotRow::text).collect();
            assert_eq!(rows, screen, "the snapshot follows");
        }
    }
    assert!(missing.is_empty(), "never seen in {name}: {missing:?}");
    assert_eq!(whole.visible_text(), pieces.visible_text(), "{name} in pieces");
    assert!(!whole.crashed(), "{name} crashed the terminal");
}

pub(super) fn large() -> TerminalBuffer {
    TerminalBuffer::new(GridSize { columns: 120, rows: 40 }, TerminalOptions::default())
}

/// What the program wrote, in order of time.
pub(super) fn read(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/recordings");
    let text = fs::read_to_string(folder.join(name)).expect("the recording");
    let mut output: Vec<(f64, Vec<u8>)> = text
        .lines()
        .filter(|line| line.contains(r#""dir":"out""#))
        .map(|line| {
            let time = field(line, r#""t":"#).parse().expect("a time");
            (time, decode_base64(field(line, r#""b64":""#)))
        })
        .collect();
    output.sort_by(|a, b| a.0.total_cmp(&b.0));
    output.into_iter().map(|(_, bytes)| bytes).collect()
}

fn field<'a>(line: &'a str, key: &str) -> &'a str {
    let start = line.find(key).expect("the field") + key.len();
    let len = line[start..].find(['"', ',', '}']).expect("the end of the field");
    &line[start..start + len]
}

fn decode_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut n_bits) = (0u32, 0);
    for digit in text.bytes().filter(|byte| *byte != b'=') {
        let value = DIGITS.iter().position(|other| *other == digit).expect("a digit");
        bits = (bits << 6) | u32::try_from(value).expect("six bits");
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push(u8::try_from((bits >> n_bits) & 0xff).expect("eight bits"));
        }
    }
    bytes
}

#[test]
fn claude_asking_for_permission() {
    check_recording("claude-perm.jsonl", &["Claude Code", "1. Yes", "❯"]);
}

#[test]
fn codex_asking_a_question() {
    check_recording("codex-ask.jsonl", &["OpenAI Codex", "Working", "›"]);
}

#[test]
fn a_shell_with_full_screen_programs() {
    check_recording("sh-tui.jsonl", &["dev@demo:$"]);
}
