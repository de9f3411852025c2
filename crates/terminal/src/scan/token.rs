//! A look at the sequence that stands at an escape character, without copying anything.
//!
//! Only what is complete and clean is told apart here; whatever is unfinished, too long or has control
//! characters inside is for [`super::hold`], which makes the same of it.

use super::csi::{self, Action, Verdict};
use super::{BEL, ESC, osc};

/// What stands there, and how many bytes it has.
pub(super) enum Token {
    /// Nothing is to be done but to pass it on. It touches about `cost` cells.
    Pass {
        len: usize,
        cost: usize,
    },
    Csi {
        len: usize,
        action: Action,
    },
    /// `body` is the length of what stands between introducer and terminator.
    Osc {
        len: usize,
        body: usize,
        bell: bool,
    },
    Hold,
}

/// Looks at a sequence, `input` beginning with its escape character.
pub(super) fn token(input: &[u8], cells: usize) -> Token {
    match input.get(1) {
        Some(b'[') => csi_token(input, cells),
        Some(b']') => osc_token(input),
        Some(b'P' | b'X' | b'^' | b'_') => Token::Hold,
        Some(0x30..=0x7e) => Token::Pass { len: 2, cost: csi::escape_cost(&input[1..2], cells) },
        Some(0x20..=0x2f) => {
            let last = input.iter().skip(1).position(|byte| !matches!(byte, 0x20..=0x2f));
            match last.map(|at| (at + 2, input[at + 1])) {
                Some((len, 0x30..=0x7e)) if len <= csi::MAX_LEN => {
                    Token::Pass { len, cost: csi::escape_cost(&input[1..len], cells) }
                }
                _ => Token::Hold,
            }
        }
        Some(_) | None => Token::Hold,
    }
}

fn csi_token(input: &[u8], cells: usize) -> Token {
    let parameters = &input[2..];
    let Some(at) = csi::parameters_end(parameters) else { return Token::Hold };
    let (len, last) = (at + 3, parameters[at]);
    match last {
        0x40..=0x7e if !csi::may_matter(last) && len <= csi::MAX_LEN => {
            Token::Pass { len, cost: 0 }
        }
        0x40..=0x7e => match csi::verdict(&input[..len], cells) {
            Verdict::Pass { cost } => Token::Pass { len, cost },
            Verdict::Act(action) => Token::Csi { len, action },
        },
        _ => Token::Hold,
    }
}

fn osc_token(input: &[u8]) -> Token {
    let after = &input[2..];
    let Some(body) = after.iter().position(|byte| *byte < 0x20) else { return Token::Hold };
    let (end, bell) = match &after[body..] {
        [BEL, ..] => (1, true),
        [ESC, b'\\', ..] => (2, false),
        _ => return Token::Hold,
    };
    let len = 2 + body + end;
    if osc::passes(&after[..body]) {
        Token::Pass { len, cost: 0 }
    } else {
        Token::Osc { len, body, bell }
    }
}
