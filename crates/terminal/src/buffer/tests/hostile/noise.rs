//! Bytes that mean nothing, and screens that never keep their size.

use std::sync::atomic::AtomicBool;
use std::thread;

use super::*;

/// Numbers that look random and are the same every time (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length + 8);
        while bytes.len() < length {
            bytes.extend(self.next().to_le_bytes());
        }
        bytes.truncate(length);
        bytes
    }
}

const MEBIBYTE: usize = 1024 * 1024;

/// Feeds each chunk and looks at the screen after it.
fn check_survives(chunks: impl Iterator<Item = Vec<u8>>, what: &str) {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 80, rows: 24 }, TerminalOptions::default());
    let mut snapshot = Snapshot::default();
    for (number, chunk) in chunks.enumerate() {
        let fed = terminal.feed(&chunk);
        assert!(!fed.replies.contains(&b'\r'), "{what}, chunk {number}: an answer types Enter");
        let _changed = terminal.snapshot_into(&mut snapshot);
        assert!(!terminal.crashed(), "{what}, chunk {number}: it crashed");
    }
    let memory = terminal.memory();
    assert!(memory < 32 * MEBIBYTE, "{what} leaves {memory} bytes");
    check_usable(&terminal, what);
}

#[test]
fn random_bytes_are_survived() {
    let mut dice = Dice(1);
    check_survives((0..64).map(|_| dice.bytes(MEBIBYTE)), "noise");
}

#[test]
fn random_base64_is_survived() {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut dice = Dice(2);
    let mut line = |_| {
        let mut text: Vec<u8> = dice.bytes(76);
        text.iter_mut().for_each(|byte| *byte = DIGITS[usize::from(*byte % 64)]);
        text.push(b'\n');
        text
    };
    let lines = 16 * MEBIBYTE / 77;
    let chunks = (0..lines / 1000).map(|_| (0..1000).flat_map(&mut line).collect());
    check_survives(chunks, "base64");
}

#[test]
fn every_two_bytes_after_an_escape_are_survived() {
    let chunk = |first: u8| (0..=255).flat_map(|second| [0x1b, first, second]).collect();
    check_survives((0..=255).map(chunk), "two bytes");
}

#[test]
fn every_three_bytes_after_an_escape_are_survived() {
    let chunk = |first: u8| {
        let pairs = (0..=255).flat_map(|second| (0..=255).map(move |third| (second, third)));
        pairs.flat_map(|(second, third)| [0x1b, first, second, third]).collect()
    };
    check_survives((0..=255).map(chunk), "three bytes");
}

#[test]
fn broken_characters_look_the_same_wherever_they_are_cut() {
    const BROKEN: &[&[u8]] = &[
        b"a\xffb\xfec",
        b"\x80\xbf\x80x",
        // Cut short: two, three and four bytes were announced.
        b"\xc3(\xe2\x82(\xf0\x9f\x98(",
        b"\xe2\x82",
        // Overlong, of two, three and four bytes.
        b"\xc0\xaf\xc1\x81\xe0\x80\xaf\xf0\x80\x80\xaf",
        // Halves of a pair, and beyond the last character.
        b"\xed\xa0\x80\xed\xb0\x80\xf4\x90\x80\x80\xf8\x88\x80\x80\x80",
        b"\xe6\x97\xa5\xe6\x97\xe6\xa5\xf0\x9f\x91\x8d\xf0\x9f\x91",
        b"\xe6\x1b[31m\x97\xa5\xe6\x97\r\n\xa5",
        b"e\xcc\x81\xcc\xcc\x81\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
        b"\x1b]0;\xe6\x97\xff\xa5\x07\x1b[\xe6m\x9b31mx\xc2\x9b31my\xc2\x85z",
    ];
    for text in BROKEN {
        let look = |pieces: &[&[u8]]| {
            let terminal = terminal(20, 4);
            pieces.iter().for_each(|piece| {
                terminal.feed(piece);
            });
            assert!(!terminal.crashed(), "{}", text.escape_ascii());
            (shown(&terminal), terminal.title())
        };
        let whole = look(&[text]);
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let pieces = [&text[..first], &text[first..second], &text[second..]];
                let name = format!("{} cut at {first} and {second}", text.escape_ascii());
                assert_eq!(look(&pieces), whole, "{name}");
            }
        }
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(look(&bytes), whole, "{} byte by byte", text.escape_ascii());
    }
}

#[test]
fn a_thousand_sizes_during_output_are_survived() {
    let size = GridSize { columns: 80, rows: 24 };
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    let done = AtomicBool::new(false);
    let mut dice = Dice(3);
    let mut longest = Duration::ZERO;
    thread::scope(|scope| {
        scope.spawn(|| {
            let text = "日 some words \x1b[31mof some length\x1b[m e\u{301} 👍 ".repeat(20);
            while !done.load(Ordering::Acquire) {
                terminal.feed(format!("{text}\r\n").as_bytes());
            }
        });
        let mut snapshot = Snapshot::default();
        for number in 0..1000_u64 {
            // As a border that is dragged to and fro, and now and then from one end to the other.
            let share = if number % 50 == 49 { dice.next() % 2 * 500 } else { number % 500 };
            let share = if number < 500 { share } else { 500 - share };
            let narrow = |number: u64| u16::try_from(number).expect("a small number");
            let (columns, rows) = (narrow(2 + share * 498 / 500), narrow(1 + share * 199 / 500));
            let before = cpu_time();
            terminal.resize(GridSize { columns, rows });
            longest = longest.max(cpu_time().saturating_sub(before));
            let _changed = terminal.snapshot_into(&mut snapshot);
        }
        done.store(true, Ordering::Release);
    });
    assert!(longest <= Duration::from_millis(250), "one took {longest:?}");
    assert!(!terminal.crashed(), "it lives");
    terminal.resize(GridSize { columns: 33, rows: 7 });
    assert_eq!(terminal.size(), GridSize { columns: 33, rows: 7 }, "the last size is taken");
    let memory = terminal.memory();
    assert!(memory < 32 * MEBIBYTE, "{memory} bytes");
    check_usable(&terminal, "many sizes");
}
