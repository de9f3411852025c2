//! What is to be done about a control sequence, and what a sequence costs the parser.
//!
//! Only complete sequences without control characters inside come here. What the parser would ignore
//! is passed on to be ignored there.

use super::{BUDGET, Query};

/// Longest sequence that is passed on, in bytes.
pub(super) const MAX_LEN: usize = 512;

/// Parameters and sub-parameters the parser has room for; with more it ignores the sequence.
const MAX_PARAMETERS: usize = 32;

/// Characters one slice may repeat. In insert mode each of them moves a row.
const MAX_REPEATS: usize = 4096;

/// Tabs to go back in one go. The emulator goes over the row for each, also when no tab is set.
const MAX_TABS: u16 = 1000;

const SYNC: u16 = 2026;

/// DECSTR, which the parser does not know.
const SOFT_RESET: &[u8] = b"\x1b[!p";

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Passed on as it is. It touches about so many cells.
    Pass {
        cost: usize,
    },
    Act(Action),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// It is too long to be passed on.
    Drop,
    Ask(Query),
    BeginSync,
    EndSync,
    SoftReset,
    /// `first` is passed on in its place. `rest`, if there is any, comes after that; it lacks the
    /// final byte of the sequence it was made from.
    Rewrite {
        first: Vec<u8>,
        rest: Vec<u8>,
    },
}

/// Whether a sequence with this final byte may need more than to be passed on for nothing.
pub(super) fn may_matter(last: u8) -> bool {
    matches!(
        last,
        b'@' | b'J'
            | b'L'
            | b'M'
            | b'P'
            | b'S'
            | b'T'
            | b'X'
            | b'Z'
            | b'b'
            | b'h'
            | b'l'
            | b'n'
            | b'p'
            | b'q'
            | b't'
    ) || (cfg!(feature = "conformance") && last == b'y')
}

/// Where the parameters and intermediates end.
pub(super) fn parameters_end(bytes: &[u8]) -> Option<usize> {
    const WORD: usize = size_of::<u64>();
    // Eight at a time, since coloured text consists of parameters more than of anything else. They
    // are the bytes whose upper three bits are 001.
    let (words, rest) = bytes.as_chunks::<WORD>();
    for (index, word) in words.iter().enumerate() {
        let others = (u64::from_le_bytes(*word) & 0xe0e0_e0e0_e0e0_e0e0) ^ 0x2020_2020_2020_2020;
        if others != 0 {
            return Some(index * WORD + others.trailing_zeros() as usize / 8);
        }
    }
    let last = rest.iter().position(|byte| !matches!(byte, 0x20..=0x3f))?;
    Some(words.len() * WORD + last)
}

pub(super) fn verdict(sequence: &[u8], cells: usize) -> Verdict {
    if sequence.len() > MAX_LEN {
        return Verdict::Act(Action::Drop);
    }
    let free = Verdict::Pass { cost: 0 };
    if sequence == SOFT_RESET {
        return Verdict::Act(Action::SoftReset);
    }
    #[cfg(feature = "conformance")]
    if let Some(parameters) = sequence.strip_prefix(b"\x1b[").and_then(|it| it.strip_suffix(b"*y"))
    {
        let parameters = String::from_utf8_lossy(parameters).into_owned();
        return Verdict::Act(Action::Ask(Query::Checksum(parameters)));
    }
    let Some(csi) = Csi::parse(sequence) else { return free };
    let ask = |query| Verdict::Act(Action::Ask(query));
    match (csi.last, csi.marker) {
        (b'b', None) => repeat(&csi, cells),
        (b'Z', None) => tabs_back(csi.count(), cells),
        // What is erased is moved into the history first.
        (b'J', None) => Verdict::Pass { cost: 2 * cells },
        (b'L' | b'M' | b'S' | b'T', None) => Verdict::Pass { cost: cells },
        (b'@' | b'P' | b'X', None) => Verdict::Pass { cost: row(cells) },
        (b'h' | b'l', Some(b'?')) => modes(&csi, cells),
        (b'q', Some(b'>')) if csi.first() == 0 => ask(Query::Version),
        (b'n', Some(b'?')) if csi.first() == 6 => ask(Query::ExtendedCursorPosition),
        (b'n', Some(b'?')) if csi.first() == 996 => ask(Query::ColorScheme),
        (b't', None) if csi.first() == 16 => ask(Query::CellSize),
        _ => free,
    }
}

/// What an escape without parameters costs, `escape` being what follows its escape character.
pub(super) fn escape_cost(escape: &[u8], cells: usize) -> usize {
    match escape {
        // RIS clears both screens, DECALN fills one, RI may scroll.
        b"c" => 2 * cells,
        b"#8" => cells,
        b"M" => 4 * row(cells),
        _ => 0,
    }
}

/// A sequence without intermediates that the parser would not ignore.
struct Csi<'a> {
    marker: Option<u8>,
    parameters: &'a [u8],
    last: u8,
}

impl<'a> Csi<'a> {
    fn parse(sequence: &'a [u8]) -> Option<Self> {
        let (last, before) = sequence.split_last()?;
        let body = before.get(2..)?;
        let (marker, parameters) = match body {
            [marker @ 0x3c..=0x3f, parameters @ ..] => (Some(*marker), parameters),
            parameters => (None, parameters),
        };
        let is_plain = parameters.iter().all(|byte| matches!(byte, b'0'..=b';'));
        let separators = parameters.iter().filter(|byte| matches!(byte, b';' | b':')).count();
        let is_read = is_plain && separators < MAX_PARAMETERS;
        is_read.then_some(Self { marker, parameters, last: *last })
    }

    fn texts(&self) -> impl Iterator<Item = &'a [u8]> {
        self.parameters.split(|byte| *byte == b';')
    }

    fn first(&self) -> u16 {
        self.texts().next().map_or(0, number)
    }

    fn count(&self) -> u16 {
        self.first().max(1)
    }
}

/// The number at the start of a parameter, as the parser reads it: sub-parameters do not matter.
fn number(text: &[u8]) -> u16 {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number: u16, digit| {
        number.saturating_mul(10).saturating_add(u16::from(digit - b'0'))
    })
}

fn repeat(csi: &Csi<'_>, cells: usize) -> Verdict {
    let wanted = usize::from(csi.count());
    let allowed = wanted.min(cells);
    let now = allowed.min(MAX_REPEATS);
    // The parser knows no better than to insert one after the other; without further parameters the
    // repetition does not get to it.
    let is_plain = csi.parameters.iter().all(u8::is_ascii_digit);
    if now == wanted && (is_plain || now == 1) {
        return Verdict::Pass { cost: (now * BUDGET).div_ceil(MAX_REPEATS.min(cells)) };
    }
    let rest =
        if allowed == now { Vec::new() } else { format!("\x1b[{}", allowed - now).into_bytes() };
    rewrite(format!("\x1b[{now}b").into_bytes(), rest)
}

fn tabs_back(count: u16, cells: usize) -> Verdict {
    if count > MAX_TABS {
        return rewrite(format!("\x1b[{MAX_TABS}Z").into_bytes(), Vec::new());
    }
    Verdict::Pass { cost: usize::from(count) * row(cells) }
}

fn modes(csi: &Csi<'_>, cells: usize) -> Verdict {
    let others: Vec<&[u8]> = csi.texts().filter(|text| number(text) != SYNC).collect();
    if others.len() == csi.texts().count() {
        let switches = others.iter().filter(|text| matches!(number(text), 3 | 47 | 1047 | 1049));
        return Verdict::Pass { cost: switches.count() * cells };
    }
    if others.is_empty() {
        return Verdict::Act(if csi.last == b'h' { Action::BeginSync } else { Action::EndSync });
    }
    let mut first = b"\x1b[?".to_vec();
    first.extend(others.join(&b';'));
    first.push(csi.last);
    rewrite(first, format!("\x1b[?{SYNC}").into_bytes())
}

fn rewrite(first: Vec<u8>, rest: Vec<u8>) -> Verdict {
    Verdict::Act(Action::Rewrite { first, rest })
}

/// About as many cells as a row has. A guess: the shape of the screen is not known here.
fn row(cells: usize) -> usize {
    cells / 64 + 1
}
