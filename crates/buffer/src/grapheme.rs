//! Where graphemes begin and end in a rope.
//!
//! Each question looks at a small window of the text and widens it only while the answer may depend
//! on what lies outside. (Feeding a `GraphemeCursor` chunk by chunk would do without windows, but
//! unicode-segmentation 1.13 counts flags twice when one is split between chunks.)

use std::borrow::Cow;

use base::never;
use ropey::Rope;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Characters looked at first. Graphemes are rarely longer.
const WINDOW: usize = 32;
/// How much wider the next window is, so that looking at all of them stays linear.
const GROWTH: usize = 8;

/// The boundary after one; the end of the text at its end.
pub(crate) fn next(rope: &Rope, boundary: usize) -> usize {
    let mut width = WINDOW;
    loop {
        let end = boundary.saturating_add(width).min(rope.len_chars());
        let window: Cow<'_, str> = rope.slice(boundary..end).into();
        // What precedes a boundary has no say in where the next one is.
        let first = window.graphemes(true).next().unwrap_or_default();
        if first.len() < window.len() || end == rope.len_chars() {
            return boundary + first.chars().count();
        }
        width *= GROWTH;
    }
}

/// The boundary before any character offset; the start of the text at its start.
pub(crate) fn previous(rope: &Rope, at: usize) -> usize {
    let mut width = WINDOW;
    loop {
        let start = at.saturating_sub(width);
        let (window, window_start) = window(rope, start, at);
        let mut cursor = GraphemeCursor::new(window_start + window.len(), rope.len_bytes(), true);
        match cursor.prev_boundary(&window, window_start) {
            Ok(Some(byte)) => return at - window[byte - window_start..].chars().count(),
            Ok(None) => return 0,
            Err(_) if never!(start == 0) => return 0,
            Err(_) => width *= GROWTH,
        }
    }
}

/// The character offset itself if it is a boundary, else the boundary after it.
pub(crate) fn at_or_after(rope: &Rope, at: usize) -> usize {
    if is_boundary(rope, at) { at } else { next(rope, previous(rope, at)) }
}

/// The character offset itself if it is a boundary, else the boundary before it.
pub(crate) fn at_or_before(rope: &Rope, at: usize) -> usize {
    if is_boundary(rope, at) { at } else { previous(rope, at) }
}

fn is_boundary(rope: &Rope, at: usize) -> bool {
    if at == 0 || at == rope.len_chars() {
        return true;
    }
    let mut width = WINDOW;
    loop {
        let start = at.saturating_sub(width);
        let (window, window_start) = window(rope, start, at + 1);
        let mut cursor = GraphemeCursor::new(rope.char_to_byte(at), rope.len_bytes(), true);
        match cursor.is_boundary(&window, window_start) {
            Ok(answer) => return answer,
            Err(_) if never!(start == 0) => return true,
            Err(_) => width *= GROWTH,
        }
    }
}

/// The text between two character offsets and the byte it begins at.
fn window(rope: &Rope, start: usize, end: usize) -> (Cow<'_, str>, usize) {
    (rope.slice(start..end).into(), rope.char_to_byte(start))
}
