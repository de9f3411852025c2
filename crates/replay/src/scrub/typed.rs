//! What the person typed: of no use to others, apart from which keys submit, and short answers.

use super::tokens::Token;
use super::{Piece, Tokens};
use crate::{Happening, Recording};

/// A key that types something: in which event, and which bytes of it.
struct Typed {
    event: usize,
    range: std::ops::Range<usize>,
    /// Nobody was to see it.
    is_password: bool,
}

/// Replaces what was typed by as many `x`. An answer of one character stays, unless nothing echoed it.
pub(super) fn scrub(recording: &mut Recording) {
    let (mut runs, mut run): (Vec<Vec<Typed>>, Vec<Typed>) = (Vec::new(), Vec::new());
    let mut is_password = false;
    for (event, happened) in recording.events.iter().enumerate() {
        match &happened.what {
            Happening::Told(sample) | Happening::Sample(sample) => {
                is_password = sample.is_canonical && !sample.echoes;
            }
            Happening::Input(bytes) => {
                for Token { range, piece } in Tokens::new(bytes) {
                    let raw = bytes.get(range.clone()).unwrap_or_default();
                    if matches!(piece, Piece::Char(_)) || types_a_character(raw) {
                        run.push(Typed { event, range, is_password });
                    } else {
                        runs.push(std::mem::take(&mut run));
                    }
                }
            }
            _ => {}
        }
    }
    runs.push(run);
    let is_answer = |run: &Vec<Typed>| run.len() == 1 && run.iter().all(|key| !key.is_password);
    // From the end, so that what is replaced does not move what comes before.
    let keys = runs.into_iter().filter(|run| !is_answer(run)).flatten();
    for Typed { event, range, .. } in keys.collect::<Vec<_>>().into_iter().rev() {
        if let Some(Happening::Input(bytes)) =
            recording.events.get_mut(event).map(|event| &mut event.what)
        {
            bytes.splice(range, *b"x");
        }
    }
}

/// `CSI number … u` and `CSI 27 ; … ; number ~`, with which terminals tell keys apart.
fn types_a_character(raw: &[u8]) -> bool {
    let Some(parameters) = raw.strip_prefix(b"\x1b[") else { return false };
    let number = match parameters {
        [rest @ .., b'u'] => rest.split(|byte| matches!(byte, b';' | b':')).next(),
        [b'2', b'7', b';', rest @ .., b'~'] => rest.split(|byte| *byte == b';').next_back(),
        _ => None,
    };
    let number = number.and_then(|digits| str::from_utf8(digits).ok()?.parse::<u32>().ok());
    // Keys without a character of their own have numbers for private use.
    number.is_some_and(|number| {
        number >= 0x20 && number != 0x7f && !(57344..=63743).contains(&number)
    })
}
