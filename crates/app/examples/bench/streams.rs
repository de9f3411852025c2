//! What programs print, made up: four kinds of output, the same bytes at every run.
//!
//! None of them asks the terminal anything, so nothing comes back that a shell could trip over.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

/// How much of a stream is made before it repeats itself.
const UNIQUE: usize = 4_000_000;
pub(crate) const COLUMNS: u16 = 200;
pub(crate) const ROWS: u16 = 60;

/// One kind of output, and what writes its next piece.
struct Kind {
    name: &'static str,
    piece: fn(&mut Dice, usize, &mut String),
}

const KINDS: [Kind; 4] = [
    Kind { name: "ascii log", piece: log_line },
    Kind { name: "dense unicode", piece: dense_line },
    Kind { name: "tui redraws", piece: editor_redraw },
    Kind { name: "agent", piece: agent_redraw },
];

/// A stream on disk.
#[derive(Debug, Clone)]
pub(crate) struct Stream {
    pub(crate) name: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) n_bytes: usize,
}

/// Writes each kind of output, some `n_bytes` long, into `folder`.
pub(crate) fn write_all(folder: &Path, n_bytes: usize) -> Result<Vec<Stream>> {
    KINDS.iter().map(|kind| write(kind, folder, n_bytes)).collect()
}

fn write(kind: &Kind, folder: &Path, n_bytes: usize) -> Result<Stream> {
    let mut dice = Dice(0x7261_636b);
    let mut unique = String::new();
    let mut index = 0;
    while unique.len() < UNIQUE.min(n_bytes) {
        (kind.piece)(&mut dice, index, &mut unique);
        index += 1;
    }
    let whole = unique.repeat(n_bytes.div_ceil(unique.len()));
    let path = folder.join(kind.name.replace(' ', "-"));
    fs::write(&path, &whole)?;
    Ok(Stream { name: kind.name, path, n_bytes: whole.len() })
}

const WORDS: [&str; 20] = [
    "request", "worker", "commit", "parse", "buffer", "flush", "token", "stream", "render",
    "session", "cache", "retry", "queue", "socket", "frame", "vertex", "glyph", "merge", "upload",
    "timeout",
];

fn log_line(dice: &mut Dice, index: usize, out: &mut String) {
    let level = dice.of(&["INFO ", "DEBUG", "WARN ", "ERROR"]);
    let (minute, second) = (index / 60_000 % 60, index / 1000 % 60);
    let place = (dice.of(&WORDS), dice.of(&WORDS));
    let (first, last) = place;
    put(out, format_args!("2026-03-14T09:{minute:02}:{second:02}.{:03}Z ", index % 1000));
    put(out, format_args!("{level} server::{first}::{last}:"));
    words(dice, 4, 18, out);
    put(out, format_args!(" id={:08x}\r\n", dice.below(u32::MAX)));
}

/// A colour of its own for every few characters, half of them not ASCII.
fn dense_line(dice: &mut Dice, _index: usize, out: &mut String) {
    const CLUSTERS: [&str; 20] = [
        "日本語",
        "中文字",
        "한국어",
        "é",
        "ü",
        "ñ",
        "─",
        "│",
        "┌",
        "█",
        "▓",
        "→",
        "✓",
        "λ",
        "Ω",
        "🚀",
        "🔥",
        "ж",
        "abc",
        "let",
    ];
    for _ in 0..40 {
        let [r, g, b, red, green, blue] = [(); 6].map(|()| dice.below(256));
        put(out, format_args!("\x1b[38;2;{r};{g};{b};48;2;{red};{green};{blue}m"));
        out.push_str(dice.of(&CLUSTERS));
    }
    out.push_str("\x1b[0m\r\n");
}

/// An editor: pages, single lines that scroll in, a moved cursor, a status line.
fn editor_redraw(dice: &mut Dice, index: usize, out: &mut String) {
    let text_rows = u32::from(ROWS) - 2;
    out.push_str("\x1b[?25l");
    match index % 7 {
        0 => {
            for row in 1..=text_rows {
                put(out, format_args!("\x1b[{row};1H"));
                source_line(dice, index * 40 + row as usize, out);
            }
        }
        1 | 2 | 4 => {
            let n_lines = 1 + dice.below(5);
            put(out, format_args!("\x1b[1;{text_rows}r\x1b[{n_lines}S"));
            for row in text_rows + 1 - n_lines..=text_rows {
                put(out, format_args!("\x1b[{row};1H"));
                source_line(dice, index * 40 + row as usize, out);
            }
            out.push_str("\x1b[r");
        }
        3 => {
            let row = 1 + dice.below(text_rows);
            put(out, format_args!("\x1b[1;{text_rows}r\x1b[{row};1H\x1b[L"));
            source_line(dice, index, out);
            out.push_str("\x1b[r");
        }
        _ => {
            let row = 1 + dice.below(text_rows);
            put(out, format_args!("\x1b[{row};9H\x1b[4@\x1b[35mself\x1b[m\x1b[{row};20H\x1b[2P"));
        }
    }
    let (row, column) = (1 + dice.below(text_rows), 1 + dice.below(100));
    put(out, format_args!("\x1b[{};1H\x1b[7m src/lib.rs", text_rows + 1));
    put(out, format_args!("{:>180} \x1b[m\x1b[K", format!("{row},{column}")));
    put(out, format_args!("\x1b[{row};{column}H\x1b[?25h"));
}

fn source_line(dice: &mut Dice, number: usize, out: &mut String) {
    put(out, format_args!("\x1b[38;5;130m{:>6} \x1b[m", number % 10_000));
    for _ in 0..dice.below(4) {
        out.push_str("    ");
    }
    for _ in 0..2 + dice.below(9) {
        let word = dice.of(&WORDS);
        match dice.below(6) {
            0 => put(out, format_args!("\x1b[38;5;81mlet\x1b[m {word} = ")),
            1 => put(out, format_args!("\x1b[38;2;255;160;160m\"{word}\"\x1b[m, ")),
            2 => put(out, format_args!("{word}.\x1b[36m{word}\x1b[m() ")),
            _ => put(out, format_args!("{word} ")),
        }
    }
    out.push_str("\x1b[K");
}

/// An agent's dialogue below a transcript that grows: taken back line by line and written anew
/// within a synchronized update.
fn agent_redraw(dice: &mut Dice, index: usize, out: &mut String) {
    const N_LINES: usize = 13;
    const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
    out.push_str("\x1b[?2026h");
    if index > 0 {
        out.push_str(&"\x1b[2K\x1b[1A".repeat(N_LINES));
        out.push_str("\x1b[2K\x1b[G");
    }
    if index.is_multiple_of(5) {
        let [a, b, c] = [(); 3].map(|()| dice.of(&WORDS));
        put(out, format_args!("\x1b[32m+{index:5}\x1b[39m    let {a} = {b}({c});\r\n"));
    }
    let spinner = SPINNER[index % SPINNER.len()];
    put(
        out,
        format_args!("\x1b[38;5;174m{spinner}\x1b[39m \x1b[38;2;215;119;87mWorking…\x1b[39m "),
    );
    put(out, format_args!("\x1b[2m({}s · ↑ {}k tokens)\x1b[22m\r\n", index / 10, index % 90));
    for line in 0..N_LINES - 5 {
        let color = 100 + (index + line) % 100;
        put(out, format_args!("  \x1b[38;5;{color}m⎿\x1b[39m \x1b[1m{}\x1b[22m", dice.of(&WORDS)));
        words(dice, 5, 14, out);
        out.push_str("\r\n");
    }
    let (edge, blank) = ("─".repeat(116), " ".repeat(112));
    let frame = "\x1b[38;2;136;136;136m";
    put(out, format_args!("{frame}╭{edge}╮\x1b[39m\r\n"));
    put(out, format_args!("{frame}│\x1b[39m > \x1b[7m \x1b[27m{blank}{frame}│\x1b[39m\r\n"));
    put(out, format_args!("{frame}╰{edge}╯\x1b[39m\r\n"));
    out.push_str("  \x1b[2m? for shortcuts\x1b[22m\r\n\x1b[?2026l");
}

fn words(dice: &mut Dice, least: u32, most: u32, out: &mut String) {
    for _ in 0..least + dice.below(most - least + 1) {
        out.push(' ');
        out.push_str(dice.of(&WORDS));
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _written = out.write_fmt(text).is_ok();
}

/// Numbers that look random and are the same every time (`SplitMix64`).
#[derive(Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Less than `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let high = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or(0);
        high % limit
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let n_choices = u32::try_from(choices.len()).unwrap_or(1);
        choices.get(self.below(n_choices) as usize).copied().unwrap_or_default()
    }
}
