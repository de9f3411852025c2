//! How a line looks in cells: tabs stretched, control characters made visible, wide text counted.
//!
//! Everything walks the line once from its start, in steps of a whole chunk where the text is plain
//! ASCII, and copies only what is asked for. An 8 MB line so costs a look at the bytes before the
//! wanted column and the memory of one screen row.
//!
//! Invariant: every grapheme is at least one cell wide, so that the cursor can stand on it.

use std::borrow::Cow;
use std::ops::Range;

use ropey::Rope;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::grapheme;
use crate::text::Text;

/// Shown for what has neither a look nor a symbol of its own, such as bidirectional controls.
const PLACEHOLDER: char = '\u{fffd}';

/// As much of one grapheme as is ever shown; hostile text stacks thousands of marks on a letter.
const MAX_GRAPHEME_CHARS: usize = 16;

/// A part of a line as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VisibleLine {
    /// Free of tabs, line breaks and other control characters.
    pub text: String,
    /// The display column of the first cell of `text`.
    pub start_column: usize,
    /// Display column and byte in `text` at which each piece begins.
    pieces: Vec<(usize, usize)>,
    last_is_plain: bool,
}

impl VisibleLine {
    /// The text cut where drawing on a grid needs it: runs of ASCII, and every other grapheme on its
    /// own, each with its display column.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, &str)> {
        let ends = self.pieces.iter().skip(1).map(|(_, start)| *start).chain([self.text.len()]);
        self.pieces
            .iter()
            .zip(ends)
            .map(|((column, start), end)| (*column, &self.text[*start..end]))
    }

    fn push_plain(&mut self, column: usize, text: &str) {
        if !self.last_is_plain {
            self.pieces.push((column, self.text.len()));
        }
        self.last_is_plain = true;
        self.text.push_str(text);
    }

    fn push_grapheme(&mut self, column: usize, text: &str) {
        self.pieces.push((column, self.text.len()));
        self.last_is_plain = false;
        self.text.push_str(text);
    }
}

/// A place in a line, in all the ways of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Characters from the start of the text.
    pub(crate) at: usize,
    /// Graphemes from the start of the line.
    pub(crate) grapheme: usize,
    /// Cells from the start of the line.
    pub(crate) column: usize,
}

/// What to look for in a line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    At(usize),
    Grapheme(usize),
    /// Inside a wide grapheme or a tab the nearer side is taken, the left one when in doubt.
    Column(usize),
}

/// Finds a place in a line; what lies behind its end is the end.
pub(crate) fn find(text: &Text, line: usize, target: Target, tab_width: usize) -> Place {
    let mut steps = Steps::new(text, line, tab_width);
    while let Some(step) = steps.next() {
        let (offset, extent) = match target {
            Target::At(at) => (at.saturating_sub(step.from.at), step.chars),
            Target::Grapheme(at) => (at.saturating_sub(step.from.grapheme), step.graphemes()),
            Target::Column(at) => (at.saturating_sub(step.from.column), step.width()),
        };
        if offset >= extent {
            continue;
        }
        let Place { at, grapheme, column } = step.from;
        return match (&step.look, target) {
            (Look::Plain(_), _) => {
                Place { at: at + offset, grapheme: grapheme + offset, column: column + offset }
            }
            (_, Target::Column(_)) if offset * 2 > extent => steps.place,
            (_, _) => step.from,
        };
    }
    steps.place
}

pub(crate) fn visible(
    text: &Text,
    line: usize,
    columns: Range<usize>,
    tab_width: usize,
) -> VisibleLine {
    let mut visible = VisibleLine { start_column: columns.start, ..VisibleLine::default() };
    for step in Steps::new(text, line, tab_width) {
        let (start, end) = (step.from.column, step.from.column + step.width());
        if start >= columns.end {
            break;
        }
        let inside = start.max(columns.start)..end.min(columns.end);
        let (at, width) = (inside.start, inside.len());
        if inside.is_empty() {
            continue;
        }
        match step.look {
            Look::Plain(plain) => visible.push_plain(at, &plain[at - start..inside.end - start]),
            Look::Symbol(symbol) => visible.push_grapheme(at, symbol.encode_utf8(&mut [0; 4])),
            Look::Grapheme(ref text, whole) if width == whole => visible.push_grapheme(at, text),
            // A tab, or half of something wide.
            Look::Blank(_) | Look::Grapheme(..) => visible.push_plain(at, &" ".repeat(width)),
        }
    }
    visible
}

/// A stretch of plain text or one grapheme.
#[derive(Debug)]
struct Step<'a> {
    from: Place,
    chars: usize,
    look: Look<'a>,
}

#[derive(Debug)]
enum Look<'a> {
    /// Printable ASCII: as many characters, graphemes and cells as bytes.
    Plain(&'a str),
    Blank(usize),
    Symbol(char),
    Grapheme(Cow<'a, str>, usize),
}

impl Step<'_> {
    fn graphemes(&self) -> usize {
        match &self.look {
            Look::Plain(plain) => plain.len(),
            Look::Blank(_) | Look::Symbol(_) | Look::Grapheme(..) => 1,
        }
    }

    fn width(&self) -> usize {
        match &self.look {
            Look::Plain(plain) => plain.len(),
            Look::Blank(width) | Look::Grapheme(_, width) => *width,
            Look::Symbol(_) => 1,
        }
    }
}

struct Steps<'a> {
    rope: &'a Rope,
    /// What is left of the line in the chunk at hand.
    rest: &'a str,
    /// Bytes from the start of the text to `rest`, and to the end of the line.
    byte: usize,
    end_byte: usize,
    place: Place,
    tab_width: usize,
}

impl<'a> Steps<'a> {
    fn new(text: &'a Text, line: usize, tab_width: usize) -> Self {
        let rope = text.rope();
        let at = text.line_start(line);
        Self {
            rope,
            rest: "",
            byte: rope.char_to_byte(at),
            end_byte: rope.char_to_byte(text.line_end(line)),
            place: Place { at, grapheme: 0, column: 0 },
            tab_width: tab_width.max(1),
        }
    }

    /// Loads the next chunk when the one at hand is used up.
    fn load(&mut self) {
        if self.rest.is_empty() {
            let (chunk, chunk_start, ..) = self.rope.chunk_at_byte(self.byte);
            let end = chunk.len().min(self.end_byte - chunk_start);
            self.rest = &chunk[self.byte - chunk_start..end];
        }
    }

    /// Whether the line goes on behind the chunk at hand.
    fn goes_on(&self) -> bool {
        self.byte + self.rest.len() < self.end_byte
    }

    fn plain(&mut self) -> Option<Step<'a>> {
        let (plain, rest) = self.rest.split_at(plain_prefix(self.rest, self.goes_on()));
        if plain.is_empty() {
            return None;
        }
        self.byte += plain.len();
        self.rest = rest;
        Some(Step { from: self.place, chars: plain.len(), look: Look::Plain(plain) })
    }

    fn grapheme(&mut self) -> Option<Step<'a>> {
        let inside = self.rest.graphemes(true).next()?;
        let (shown, chars): (Cow<'a, str>, usize) =
            if inside.len() == self.rest.len() && self.goes_on() {
                // More of it may be in the chunks that follow.
                let chars = grapheme::next(self.rope, self.place.at) - self.place.at;
                let text = self.rope.slice(self.place.at..self.place.at + chars);
                self.byte += text.len_bytes();
                self.rest = "";
                (text.chars().take(MAX_GRAPHEME_CHARS).collect(), chars)
            } else {
                self.byte += inside.len();
                self.rest = &self.rest[inside.len()..];
                let shown = inside.char_indices().nth(MAX_GRAPHEME_CHARS);
                let end = shown.map_or(inside.len(), |(end, _)| end);
                (inside[..end].into(), inside.chars().count())
            };
        let look = match (shown.chars().next()?, shown.width()) {
            ('\t', _) => Look::Blank(self.tab_width - self.place.column % self.tab_width),
            (first, width) => match symbol(first) {
                Some(symbol) => Look::Symbol(symbol),
                None if width == 0 => Look::Symbol(PLACEHOLDER),
                None => Look::Grapheme(shown, width),
            },
        };
        Some(Step { from: self.place, chars, look })
    }
}

impl<'a> Iterator for Steps<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if self.byte >= self.end_byte {
            return None;
        }
        self.load();
        let step = self.plain().or_else(|| self.grapheme())?;
        self.place.at += step.chars;
        self.place.grapheme += step.graphemes();
        self.place.column += step.width();
        Some(step)
    }
}

/// How many leading bytes are printable ASCII with nothing combined onto them.
fn plain_prefix(text: &str, goes_on: bool) -> usize {
    const BLOCK: usize = 64;
    let bytes = text.as_bytes();
    let is_printable = |byte: u8| byte.wrapping_sub(b' ') < b'\x7f' - b' ';
    // Whole blocks without a branch per byte, which the compiler turns into vector code.
    let is_plain = |block: &&[u8; BLOCK]| {
        block.iter().fold(0, |others, byte| others | u8::from(!is_printable(*byte))) == 0
    };
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let start = blocks.iter().take_while(is_plain).count() * BLOCK;
    let len = start + bytes[start..].iter().take_while(|byte| is_printable(**byte)).count();
    // Between ASCII and whatever is ASCII too there always is a boundary.
    let alone = match bytes.get(len) {
        Some(next) => next.is_ascii(),
        None => !goes_on,
    };
    if alone { len } else { len.saturating_sub(1) }
}

/// What stands for a character that must not reach the screen as it is.
fn symbol(first: char) -> Option<char> {
    match first {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(first)),
        '\x7f' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(PLACEHOLDER)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
