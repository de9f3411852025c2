//! Lines whole, halved, joined and too long.

use crate::{LineBuffer, LineTooLong, MAX_LINE};

/// Pushes the pieces and writes every line that comes out, `!` for one too long.
#[track_caller]
fn check(limit: usize, pieces: &[&str], expected: &[&str]) {
    let mut buffer = LineBuffer::new(limit);
    let mut lines = Vec::new();
    for piece in pieces {
        buffer.push(piece.as_bytes());
        loop {
            match buffer.next_line() {
                Ok(Some(line)) => lines.push(String::from_utf8(line).unwrap()),
                Ok(None) => break,
                Err(LineTooLong { .. }) => {
                    lines.push("!".to_owned());
                    break;
                }
            }
        }
    }
    assert_eq!(lines, expected, "for {pieces:?}");
}

#[test]
fn lines_come_whole_however_they_are_cut() {
    check(9, &["ab\n", "cd\n"], &["ab", "cd"]);
    check(9, &["a", "b", "\nc", "d\n"], &["ab", "cd"]);
    check(9, &["ab\ncd\n\nef"], &["ab", "cd", ""]);
    check(9, &["ab\r\ncd\r", "\n"], &["ab", "cd"]);
    check(9, &["no end"], &[]);
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    check(3, &["abc\n"], &["abc"]);
    check(3, &["abcd\n"], &["!"]);
    check(3, &["ab", "cd"], &["!"]);
    check(3, &["ab\nabcd"], &["ab", "!"]);
}

#[test]
fn memory_is_that_of_the_line_and_is_given_back() {
    let mut buffer = LineBuffer::new(MAX_LINE);
    let mut most = 0;
    for _ in 0..MAX_LINE / 1_024 {
        buffer.push(&[b'x'; 1_024]);
        assert_eq!(buffer.next_line(), Ok(None), "no end yet");
        most = most.max(buffer.capacity());
    }
    assert!(most <= MAX_LINE + 16 * 1_024, "held {most} bytes");
    buffer.push(b"\nshort");
    assert_eq!(buffer.next_line().unwrap().map(|line| line.len()), Some(MAX_LINE), "the line");
    assert!(buffer.capacity() <= 16 * 1_024, "still holds {} bytes", buffer.capacity());
    assert!(buffer.has_rest(), "and what came after it");
}

#[test]
fn bytes_that_come_one_by_one_cost_no_more() {
    let mut buffer = LineBuffer::new(MAX_LINE);
    for _ in 0..100_000 {
        buffer.push(b"x");
        assert_eq!(buffer.next_line(), Ok(None), "no end yet");
    }
    assert!(buffer.capacity() <= 140_000, "held {} bytes", buffer.capacity());
}

#[test]
fn an_endless_line_is_refused_early() {
    let mut buffer = LineBuffer::new(MAX_LINE);
    let chunk = vec![b'x'; 64 * 1_024];
    let mut pushed = 0;
    while buffer.next_line() == Ok(None) {
        buffer.push(&chunk);
        pushed += chunk.len();
    }
    assert!(pushed <= MAX_LINE + chunk.len(), "refused after {pushed} bytes");
    assert!(buffer.capacity() <= MAX_LINE + 2 * chunk.len(), "held {} bytes", buffer.capacity());
}
