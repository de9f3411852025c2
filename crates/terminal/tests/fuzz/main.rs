//! A terminal under hostile output while its user resizes, scrolls and selects.
//!
//! Everything follows from a seed, so a failure can be had again. `TRACKSIDE_FUZZ_SEED` chooses
//! another seed, `TRACKSIDE_FUZZ_SECONDS` how long to go on; `cargo xtask test` asks for a minute.

mod grammar;
mod replies;

use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use terminal::{
    Attributes, CellPoint, Fed, GridSize, Scroll, SearchQuery, SelectionKind, Side, Snapshot,
    SnapshotRow, TerminalBuffer, TerminalOptions, TerminalSignal, TopRight,
};

use crate::grammar::Dice;

const SEED: u64 = 20_260_314;
const SECONDS: u64 = 5;
/// The longest one operation may take, in CPU time of its thread.
const LONGEST: Duration = Duration::from_millis(250);
const N_STEPS: usize = 60;
/// How long to try to make a failing case smaller.
const MINIMISING: Duration = Duration::from_secs(20);

#[derive(Clone)]
enum Step {
    Feed(Vec<u8>),
    Resize(GridSize),
    Scroll(Scroll),
    Select(SelectionKind, CellPoint, CellPoint),
    ClearSelection,
    /// For a text or, if it is one, a regular expression.
    Search(&'static str),
    Prompt,
    Clear,
    Reset,
    Restart,
    EndSync,
    Look,
}

/// What went wrong, and after how many steps.
struct Fault {
    n_steps: usize,
    what: String,
}

#[test]
fn no_output_breaks_a_terminal() {
    let seed = number("TRACKSIDE_FUZZ_SEED").unwrap_or(SEED);
    let seconds = number("TRACKSIDE_FUZZ_SECONDS").unwrap_or(SECONDS);
    let end = now() + Duration::from_secs(seconds);
    let mut n_cases = 0;
    let mut slowest = Duration::ZERO;
    while now() < end {
        let case_seed = seed.wrapping_add(n_cases);
        let steps = steps(&mut Dice(case_seed.wrapping_mul(0x2545_f491_4f6c_dd1d)));
        match run(&steps) {
            Ok(longest) => slowest = slowest.max(longest),
            Err(fault) => {
                let (steps, fault) = minimise(steps, fault);
                let steps = tell(&steps);
                panic!("TRACKSIDE_FUZZ_SEED={case_seed} breaks it: {}\n{steps}", fault.what);
            }
        }
        n_cases += 1;
    }
    println!("{n_cases} cases from seed {seed}, the slowest step took {slowest:?} of CPU");
    assert!(n_cases > 0, "there was time for a case");
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().expect("the variable holds a number"))
}

#[expect(clippy::disallowed_methods, reason = "how long to go on is a matter of real time")]
fn now() -> Instant {
    Instant::now()
}

fn steps(dice: &mut Dice) -> Vec<Step> {
    let mut steps = vec![Step::Resize(size(dice))];
    for _ in 0..N_STEPS {
        match dice.below(19) {
            0 => steps.push(Step::Resize(size(dice))),
            1 => steps.push(Step::Scroll(scroll(dice))),
            2 => steps.push(selection(dice)),
            3 => steps.push(Step::EndSync),
            4 if dice.below(4) == 0 => steps.push(Step::Restart),
            4 => steps.push(Step::Look),
            5 => steps.push(Step::ClearSelection),
            6 => steps.push(Step::Search(dice.of(&PATTERNS))),
            7 => steps.push(Step::Prompt),
            8 if dice.below(4) == 0 => steps.push(Step::Clear),
            8 => steps.push(Step::Reset),
            _ => feeds(dice, &mut steps),
        }
    }
    steps
}

/// Some output, cut anywhere.
fn feeds(dice: &mut Dice, steps: &mut Vec<Step>) {
    let mut bytes = Vec::new();
    for _ in 0..1 + dice.below(12) {
        grammar::piece(dice, &mut bytes);
    }
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let longest = dice.of(&[1, 7, 64, 4096, 65536]);
        let (now, later) = rest.split_at(rest.len().min(1 + dice.below(longest)));
        steps.push(Step::Feed(now.to_vec()));
        rest = later;
    }
}

fn size(dice: &mut Dice) -> GridSize {
    let columns = dice.of(&[0, 1, 2, 3, 5, 20, 79, 80, 81, 120, 200, 1000, 65535]);
    let rows = dice.of(&[0, 1, 2, 3, 5, 10, 24, 25, 60, 500, 65535]);
    // Both at once is a screen that nobody has, and slow to check cell by cell.
    let rows = if columns > 200 { rows.min(60) } else { rows };
    GridSize { columns, rows }
}

const PATTERNS: [&str; 8] = ["", "a", "plain", "日", "\u{301}", "(.*)*x", r"\w+\s", "^.*$"];

fn scroll(dice: &mut Dice) -> Scroll {
    let lines = dice.of(&[i32::MIN, -50, -1, 0, 1, 3, 50, 10_000, i32::MAX]);
    dice.of(&[Scroll::Lines(lines), Scroll::PageUp, Scroll::PageDown, Scroll::Top, Scroll::Bottom])
}

fn selection(dice: &mut Dice) -> Step {
    const COORDINATES: [u16; 10] = [0, 1, 2, 5, 19, 23, 59, 79, 199, 65535];
    let kinds =
        [SelectionKind::Cell, SelectionKind::Word, SelectionKind::Line, SelectionKind::Block];
    let mut point = || CellPoint { row: dice.of(&COORDINATES), column: dice.of(&COORDINATES) };
    let (from, to) = (point(), point());
    Step::Select(dice.of(&kinds), from, to)
}

/// Plays a case on a new terminal. Gives how long the slowest step took, or what went wrong.
fn run(steps: &[Step]) -> Result<Duration, Fault> {
    let options = TerminalOptions { scrollback_lines: 300, ..TerminalOptions::default() };
    let terminal = TerminalBuffer::new(GridSize::default(), options);
    let mut kept = Snapshot::default();
    let mut slowest = Duration::ZERO;
    for (index, step) in steps.iter().enumerate() {
        let before = cpu_time();
        let played = catch_unwind(AssertUnwindSafe(|| play(&terminal, step, &mut kept)));
        let took = cpu_time().saturating_sub(before);
        slowest = slowest.max(took);
        let what = match played {
            Err(_) => Some("it panicked".to_owned()),
            Ok(_) if terminal.crashed() => Some("it panicked inside".to_owned()),
            Ok(_) if took > LONGEST => Some(format!("it took {took:?}")),
            Ok(fed) => replies::fault(&fed.replies)
                .or_else(|| fed.signals.iter().find_map(signal_fault))
                .or_else(|| snapshot_fault(&kept)),
        };
        if let Some(what) = what {
            return Err(Fault { n_steps: index + 1, what });
        }
    }
    Ok(slowest)
}

/// One step, and what everybody does after it.
fn play(terminal: &TerminalBuffer, step: &Step, kept: &mut Snapshot) -> Fed {
    let mut fed = Fed::default();
    match step {
        Step::Feed(bytes) => fed = terminal.feed(bytes),
        Step::Resize(size) => terminal.resize(*size),
        Step::Scroll(scroll) => terminal.scroll(*scroll),
        Step::Select(kind, from, to) => {
            terminal.select(*kind, *from, Side::Left);
            terminal.extend_selection(*to, Side::Right);
            drop(terminal.selection_text());
        }
        Step::ClearSelection => terminal.clear_selection(),
        Step::Search(pattern) => search(terminal, pattern),
        Step::Prompt => drop((terminal.go_to_prompt(true), terminal.go_to_prompt(false))),
        Step::Clear => terminal.clear(),
        Step::Reset => terminal.reset(),
        Step::Restart => terminal.start_session("── again ──"),
        Step::EndSync => fed = terminal.end_sync(),
        Step::Look => {
            let rows = terminal.visible_text();
            assert_eq!(rows.len(), usize::from(terminal.size().rows), "rows of the view");
            assert!(terminal.memory() < 64 << 20, "a small terminal stays small");
            drop((terminal.modes(), terminal.title(), terminal.selection_text()));
            for column in [0, 1, 79, 65535] {
                drop(terminal.link_at(CellPoint { row: column, column }));
            }
        }
    }
    let _changed = terminal.snapshot_into(kept);
    fed
}

/// Finds, shows and visits matches, as the search bar does.
fn search(terminal: &TerminalBuffer, pattern: &str) {
    for is_regex in [false, true] {
        let query = SearchQuery { pattern: pattern.to_owned(), is_regex, case_sensitive: is_regex };
        let pattern = query.compile().expect("patterns that are right");
        let matches = terminal.contents().search(&pattern, &AtomicBool::new(false));
        let n_matches = matches.matches.len();
        terminal.highlight(matches, None);
        let near = terminal.match_near_view(is_regex);
        assert!(near.is_none_or(|index| index < n_matches), "a match that was found");
        let covered = TopRight { rows: 3, column: 7 };
        terminal.go_to_match(near.unwrap_or(n_matches), covered);
    }
}

fn signal_fault(signal: &TerminalSignal) -> Option<String> {
    let TerminalSignal::Title(title) = signal else { return None };
    let is_unsafe = title.chars().count() > 256 || title.chars().any(char::is_control);
    is_unsafe.then(|| format!("a title that is not safe to show: {title:?}"))
}

fn snapshot_fault(snapshot: &Snapshot) -> Option<String> {
    let GridSize { columns, rows } = snapshot.size;
    if snapshot.rows.len() != usize::from(rows) {
        return Some(format!("{} rows instead of {rows}", snapshot.rows.len()));
    }
    if snapshot.cursor.is_some_and(|cursor| cursor.at.row >= rows || cursor.at.column >= columns) {
        return Some(format!("the cursor is outside: {:?}", snapshot.cursor));
    }
    if snapshot.display_offset > snapshot.history {
        return Some(format!("scrolled {} of {}", snapshot.display_offset, snapshot.history));
    }
    let mut faults = snapshot.rows.iter().enumerate();
    faults.find_map(|(index, row)| Some(format!("row {index}: {}", row_fault(row, columns)?)))
}

fn row_fault(row: &SnapshotRow, columns: u16) -> Option<String> {
    if row.cells.len() != usize::from(columns) {
        return Some(format!("{} cells instead of {columns}", row.cells.len()));
    }
    if row.selected.as_ref().is_some_and(|span| span.start >= span.end || span.end > columns) {
        return Some(format!("{:?} is selected", row.selected));
    }
    let mut needs_spacer = false;
    for (column, cell) in row.cells.iter().enumerate() {
        let is_spacer = cell.attributes.contains(Attributes::WIDE_SPACER);
        if is_spacer != needs_spacer {
            return Some(format!("column {column}: half of a wide character is missing"));
        }
        needs_spacer = cell.attributes.contains(Attributes::WIDE);
        if cell.glyph.is_control() {
            return Some(format!("column {column}: {:?} is no glyph", cell.glyph));
        }
    }
    needs_spacer.then(|| "the last wide character has no second half".to_owned())
}

/// CPU time of this thread, so that a busy machine does not look like a slow terminal.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// Leaves out steps, then parts of what is fed, for as long as it still goes wrong.
fn minimise(mut steps: Vec<Step>, mut fault: Fault) -> (Vec<Step>, Fault) {
    steps.truncate(fault.n_steps);
    let end = now() + MINIMISING;
    let mut size = steps.len() / 2;
    while size > 0 && now() < end {
        let mut start = 0;
        while start < steps.len() && now() < end {
            let mut fewer = steps.clone();
            fewer.drain(start..(start + size).min(steps.len()));
            match run(&fewer) {
                Err(still) => {
                    fewer.truncate(still.n_steps);
                    (steps, fault) = (fewer, still);
                }
                Ok(_) => start += size,
            }
        }
        size /= 2;
    }
    for index in 0..steps.len() {
        shorten(&mut steps, index, &mut fault, end);
    }
    (steps, fault)
}

fn shorten(steps: &mut [Step], index: usize, fault: &mut Fault, end: Instant) {
    let Step::Feed(bytes) = &steps[index] else { return };
    let mut bytes = bytes.clone();
    let mut size = bytes.len().div_ceil(2);
    while size > 0 && now() < end {
        let mut start = 0;
        while start < bytes.len() && now() < end {
            let mut fewer = bytes.clone();
            fewer.drain(start..(start + size).min(bytes.len()));
            let before = std::mem::replace(&mut steps[index], Step::Feed(fewer.clone()));
            match run(steps) {
                Err(still) => (bytes, *fault) = (fewer, still),
                Ok(_) => {
                    steps[index] = before;
                    start += size;
                }
            }
        }
        size /= 2;
    }
}

/// The steps as one would write them down.
fn tell(steps: &[Step]) -> String {
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        let line = match step {
            Step::Feed(bytes) => format!("feed b\"{}\"", bytes.escape_ascii()),
            Step::Resize(size) => format!("resize {}x{}", size.columns, size.rows),
            Step::Scroll(scroll) => format!("scroll {scroll:?}"),
            Step::Select(kind, from, to) => format!("select {kind:?} {from:?} {to:?}"),
            Step::ClearSelection => "clear the selection".to_owned(),
            Step::Search(pattern) => format!("search {pattern:?}"),
            Step::Prompt => "go to the prompts".to_owned(),
            Step::Clear => "clear".to_owned(),
            Step::Reset => "reset".to_owned(),
            Step::Restart => "start a session".to_owned(),
            Step::EndSync => "end the synchronized update".to_owned(),
            Step::Look => "look".to_owned(),
        };
        writeln!(text, "{index:4} {line}").expect("writing to a string");
    }
    text
}
