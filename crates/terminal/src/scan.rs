//! What stands before the parser: it finds what the parser cannot be trusted with or leaves out.
//!
//! Bytes of a program go in, [`Step`]s come out in the same order: slices for the parser, and between
//! them questions to answer and news to tell. Which steps come out does not depend on where the stream
//! is cut into chunks. Nothing here knows the screen, except for how many cells it has.
//!
//! Invariants:
//! - The parser sees whole characters and whole sequences only, and no string that is longer than its
//!   limit. What parsing one slice costs is bounded.
//! - What is held of an unfinished sequence is bounded, however long it goes on.
//! - No step carries text that was not made safe, except for the slices.

mod answer;
mod base64;
mod csi;
mod dcs;
mod directory;
mod hold;
mod notify;
mod osc;
mod status;
mod token;

use memchr::memchr;

pub(crate) use answer::{AnswerFacts, answer};
pub(crate) use dcs::{Capability, StatusString};

use crate::{PromptMark, TerminalSignal};
use csi::{Action, Verdict};
use hold::{Event, Hold, StringKind};
use token::{Token, token};

const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
const ESC: u8 = 0x1b;

/// Bytes in one slice for the parser, give or take one sequence.
pub(crate) const SLICE: usize = 16 * 1024;
/// Bytes in one slice for the largest screens, where even line feeds cost a lot.
const MIN_SLICE: usize = 1024;
/// Up to this many cells, [`SLICE`] bytes of anything that has no cost of its own take few milliseconds.
const ROOMY_CELLS: usize = 48 * 1024;

/// Cells that the sequences of one slice may touch: some eight milliseconds' worth.
const BUDGET: usize = 256 * 200 * 60;

/// Stands in for bytes that are no character, as it does in the parser.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// Finds the [`Step`]s in the output of one program.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    hold: Hold,
    /// What the last step passed on, where that is not a part of the input.
    out: Vec<u8>,
    /// What this machine calls itself, so that another machine's directories are not taken for ours.
    host: String,
    notifications: notify::Parts,
}

/// What the scanner must know of the screen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Columns times rows.
    pub(crate) cells: usize,
}

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// For the parser, as it is.
    Parse(&'a [u8]),
    /// A synchronized update begins.
    BeginSync,
    EndSync,
    /// Modes and attributes are to be as they were at first; text and cursor stay.
    SoftReset,
    /// A question the parser would leave unanswered; [`answer()`] knows what to say.
    Ask(Query),
    Signal(TerminalSignal),
    /// The cursor is where a part of a shell's prompt or output begins or ends.
    Prompt(PromptMark),
}

/// A question of the program. None of them carries text of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Query {
    /// XTVERSION, `CSI > q`.
    Version,
    /// DECXCPR, `CSI ? 6 n`.
    ExtendedCursorPosition,
    /// `CSI ? 996 n`.
    ColorScheme,
    /// `CSI 16 t`.
    CellSize,
    /// DECRQSS, `DCS $ q`.
    StatusString(StatusString),
    /// XTGETTCAP, `DCS + q`: what was asked for, in order.
    Capabilities(Vec<Capability>),
    /// `OSC 7501 ; ?`.
    ProgramStatus,
    /// `OSC 99 ; p=?`.
    NotificationSupport,
    /// DECRQCRA, `CSI .. * y`: its parameters.
    #[cfg(feature = "conformance")]
    Checksum(String),
}

/// A step as far as it does not borrow.
enum Found {
    /// The bytes taken are for the parser.
    Taken,
    /// `Scanner::out` is.
    Out,
    /// What was held is no character.
    Replacement,
    Step(Step<'static>),
    Nothing,
}

impl Scanner {
    pub(crate) fn new(host: &str) -> Self {
        Self { host: host.to_owned(), ..Self::default() }
    }

    /// Whether nothing is held for a sequence or character that is not complete.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.hold.is_empty()
    }

    /// Takes bytes from the front of `input` and says how many that were, and what to do.
    ///
    /// `None` in place of a step: all bytes taken are held, for a sequence or character that is not
    /// complete, or swallowed. Unless `input` is empty a byte is taken or there is a step; nothing
    /// waits to be asked for without further input.
    pub(crate) fn next<'a>(
        &'a mut self,
        input: &'a [u8],
        limits: Limits,
    ) -> (usize, Option<Step<'a>>) {
        let cells = limits.cells.max(1);
        let (taken, found) =
            if self.hold.is_empty() { self.ground(input, cells) } else { self.held(input, cells) };
        let step = match found {
            Found::Taken => Some(Step::Parse(&input[..taken])),
            Found::Out => Some(Step::Parse(&self.out)),
            Found::Replacement => Some(Step::Parse(REPLACEMENT)),
            Found::Step(step) => Some(step),
            Found::Nothing => None,
        };
        (taken, step)
    }

    /// Goes over text and over sequences that nothing has to be done about.
    fn ground(&mut self, input: &[u8], cells: usize) -> (usize, Found) {
        let window = input.len().min(slice_len(cells));
        let mut at = 0;
        let mut spent = 0;
        while at < window && spent < BUDGET {
            if input[at] != ESC {
                let Some(text) = memchr(ESC, &input[at..window]) else {
                    at = window;
                    break;
                };
                at += text;
            }
            match token(&input[at..], cells) {
                Token::Pass { len, cost } => {
                    at += len;
                    spent += cost;
                }
                _ if at > 0 => return (at, self.pass(&input[..at])),
                Token::Csi { len, action } => return self.csi(action, len),
                Token::Osc { len, body, bell } => {
                    return (len, self.osc(&input[2..2 + body], bell));
                }
                Token::Hold => {
                    self.hold.start_sequence();
                    return (1, Found::Nothing);
                }
            }
        }
        let whole = at - cut_character(&input[..at]);
        if whole > 0 {
            return (whole, self.pass(&input[..whole]));
        }
        self.hold.start_character(&input[..at]);
        (at, Found::Nothing)
    }

    /// Passes on `text`, after which something else comes than the rest of a character.
    fn pass(&mut self, text: &[u8]) -> Found {
        let broken = cut_character(text);
        if broken == 0 {
            return Found::Taken;
        }
        self.out.clear();
        self.out.extend_from_slice(&text[..text.len() - broken]);
        self.out.extend_from_slice(REPLACEMENT);
        Found::Out
    }

    /// Goes on with what is held.
    fn held(&mut self, input: &[u8], cells: usize) -> (usize, Found) {
        let (taken, event) = self.hold.advance(input);
        let found = match event {
            Event::Open | Event::Cancelled => Found::Nothing,
            Event::Control(byte) => {
                self.out.clear();
                self.out.push(byte);
                Found::Out
            }
            Event::Character | Event::Escape => {
                self.out = self.hold.take();
                Found::Out
            }
            Event::BrokenCharacter => Found::Replacement,
            Event::Csi => {
                let sequence = self.hold.take();
                match csi::verdict(&sequence, cells) {
                    Verdict::Pass { .. } => {
                        self.out = sequence;
                        Found::Out
                    }
                    Verdict::Act(action) => return self.csi(action, taken),
                }
            }
            Event::String { kind: StringKind::Osc, bell } => {
                let had_controls = self.hold.had_controls();
                let overflowed = self.hold.overflowed();
                let body = self.hold.take();
                if overflowed {
                    osc::too_long(&body).map_or(Found::Nothing, Found::Step)
                } else if had_controls && osc::is_link(&body) {
                    self.pass_osc(osc::NO_LINK, bell)
                } else if osc::passes(&body) {
                    self.pass_osc(&body, bell)
                } else {
                    self.osc(&body, bell)
                }
            }
            Event::String { kind: StringKind::Dcs, .. } => match dcs::query(&self.hold.take()) {
                Some(query) => Found::Step(Step::Ask(query)),
                None => Found::Nothing,
            },
            Event::String { kind: StringKind::Other, .. } => Found::Nothing,
        };
        (taken, found)
    }

    /// Acts on a control sequence, the last of the `taken` bytes being its final byte.
    fn csi(&mut self, action: Action, taken: usize) -> (usize, Found) {
        let found = match action {
            Action::Drop => Found::Nothing,
            Action::Ask(query) => Found::Step(Step::Ask(query)),
            Action::BeginSync => Found::Step(Step::BeginSync),
            Action::EndSync => Found::Step(Step::EndSync),
            Action::SoftReset => Found::Step(Step::SoftReset),
            Action::Rewrite { first, rest } => {
                self.out = first;
                if !rest.is_empty() {
                    // The final byte is left in the input, where it will complete the rest.
                    self.hold.start_csi(rest);
                    return (taken - 1, Found::Out);
                }
                Found::Out
            }
        };
        (taken, found)
    }

    /// Acts on an OSC string that cannot simply be passed on.
    fn osc(&mut self, body: &[u8], bell: bool) -> Found {
        if let Some(instead) = osc::instead(body) {
            return self.pass_osc(&instead, bell);
        }
        match osc::step(body, &self.host, &mut self.notifications) {
            Some(step) => Found::Step(step),
            None => Found::Nothing,
        }
    }

    fn pass_osc(&mut self, body: &[u8], bell: bool) -> Found {
        self.out.clear();
        self.out.extend_from_slice(b"\x1b]");
        self.out.extend_from_slice(body);
        self.out.extend_from_slice(if bell { b"\x07" } else { b"\x1b\\" });
        Found::Out
    }
}

fn slice_len(cells: usize) -> usize {
    if cells <= ROOMY_CELLS { SLICE } else { (SLICE * ROOMY_CELLS / cells).max(MIN_SLICE) }
}

/// How many bytes at the end are the beginning of a character.
fn cut_character(text: &[u8]) -> usize {
    for len in 1..=text.len().min(3) {
        let start = text.len() - len;
        let is_continuation = text[start] & 0xc0 == 0x80;
        if is_continuation {
            continue;
        }
        let is_cut = std::str::from_utf8(&text[start..])
            .is_err_and(|err| err.valid_up_to() == 0 && err.error_len().is_none());
        return if is_cut { len } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests;
