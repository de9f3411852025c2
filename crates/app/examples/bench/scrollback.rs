//! What long output costs in memory, once it has scrolled away.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, ensure};
use terminal::{GridSize, SearchQuery, Snapshot, TerminalBuffer, TerminalOptions};

use crate::clock;
use crate::instance::{Home, Surface, command};
use crate::peers::text;
use crate::streams::{self, COLUMNS, ROWS};
use crate::table::{Row, Unit, mebibytes, milliseconds};

const GROWTH_GOAL: f64 = 512.0;
const SEARCH_GOAL: f64 = 100.0;
const N_SEARCHES: usize = 9;
const N_TERMINALS: usize = 50;
const N_LINES: usize = 10_000;
const N_MANY_LINES: usize = 100_000;

const CONFIG: &str = "[terminal]\nscrollback_lines = 10000\n[limits]\nmax_agents = 100\n";

pub(crate) fn measure() -> Result<Vec<Row>> {
    let mut rows = fifty_terminals()?;
    rows.extend(many_lines()?);
    Ok(rows)
}

/// The real program with many terminals, all of which have printed a lot.
fn fifty_terminals() -> Result<Vec<Row>> {
    let mut instance = Home::with_config(CONFIG)?.start(Surface::Headless)?;
    let log = instance.folder().join("log");
    fs::write(&log, log_lines(N_LINES)?)?;
    let print = format!("cat '{}'; exec cat", text(&log)?);
    let before = instance.stats()?;
    for index in 0..N_TERMINALS {
        instance.start_agent(&format!("agent-{index}"), command(&["sh", "-c", &print]))?;
    }
    let n_bytes = fs::metadata(&log)?.len();
    let after = clock::wait_for("all output", Duration::from_millis(100), || {
        let stats = instance.stats()?;
        let n_done = stats.terminals.iter().filter(|it| it.bytes_parsed >= n_bytes).count();
        Ok((n_done == N_TERMINALS).then_some(stats))
    })?;
    instance.quit()?;
    let growth = mebibytes(after.memory.resident_bytes) - mebibytes(before.memory.resident_bytes);
    let name = "memory: 50 terminals fed 10,000 lines each, growth";
    let terminals = format!("{:.1} MiB", mebibytes(after.memory.terminals_bytes));
    Ok(vec![
        Row::at_most(name, growth, GROWTH_GOAL, Unit::Mebibytes),
        Row::note("memory: the same by the terminals' own count", terminals),
    ])
}

/// One terminal whose user wants to keep very much.
fn many_lines() -> Result<Vec<Row>> {
    let lines = log_lines(N_MANY_LINES)?;
    let terminal = TerminalBuffer::new(
        GridSize { columns: COLUMNS, rows: ROWS },
        TerminalOptions { scrollback_lines: N_MANY_LINES, ..TerminalOptions::default() },
    );
    terminal.feed(&lines);
    let mut snapshot = Snapshot::default();
    // A first snapshot always differs.
    let _changed = terminal.snapshot_into(&mut snapshot);
    let kept =
        format!("{:.1} MiB, {} lines", mebibytes(terminal.memory() as u64), snapshot.history);
    Ok(vec![Row::note("memory: 100,000 lines of scrollback", kept), missing_word(&terminal)?])
}

/// Looks through everything for what is not there: the longest that a search takes.
fn missing_word(terminal: &TerminalBuffer) -> Result<Row> {
    let query = SearchQuery { pattern: "absentee".to_owned(), ..SearchQuery::default() };
    let pattern = query.compile().map_err(|err| anyhow::anyhow!("{}", err.0))?;
    let mut times = Vec::new();
    for _ in 0..N_SEARCHES {
        let search = || terminal.contents().search(&pattern, &AtomicBool::new(false));
        let (found, time) = clock::timed(search);
        ensure!(found.matches.is_empty() && !found.is_partial, "the word is not in the log");
        times.push(time);
    }
    let name = "search: a missing word in 100,000 lines, median";
    let time = milliseconds(clock::percentile(&mut times, 50));
    Ok(Row::at_most(name, time, SEARCH_GOAL, Unit::Milliseconds))
}

/// So many lines of a log.
fn log_lines(n_lines: usize) -> Result<Vec<u8>> {
    let dir = tempfile::tempdir()?;
    let log = streams::write_all(dir.path(), n_lines * 200)?.swap_remove(0);
    let bytes = fs::read(log.path)?;
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let end = ends.map(|(at, _)| at + 1).nth(n_lines - 1).unwrap_or(bytes.len());
    Ok(bytes[..end].to_vec())
}
