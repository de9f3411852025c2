//! How much our terminal costs on top of the emulator that it is built on.
//!
//! The same bytes go through both, in turns, in one thread. For each file one line of tab-separated
//! numbers: the middle CPU time of ours and of the bare emulator, in nanoseconds. Meant to be run by
//! `cargo xtask bench engine`, which makes the files and knows the goal.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool speaks here")]

use std::ffi::OsString;
use std::fs;
use std::hint::black_box;
use std::io;
use std::process::ExitCode;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::Processor;
use terminal::{GridSize, TerminalBuffer, TerminalOptions};

const USAGE: &str = "engine ROUNDS FILE... | engine ours FILE | engine bare FILE";
const SIZE: GridSize = GridSize { columns: 200, rows: 60 };
const SCROLLBACK_LINES: usize = 10_000;
/// As much as is handed over at once where output is plenty.
const CHUNK: usize = 64 * 1024;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("engine: {err}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[OsString]) -> io::Result<()> {
    let Some((first, files)) = args.split_first() else { return Err(io::Error::other(USAGE)) };
    match (first.to_str(), files) {
        // For a profiler, which counts whatever the process does.
        (Some("ours"), [file]) => feed_ours(&fs::read(file)?),
        (Some("bare"), [file]) => feed_bare(&fs::read(file)?),
        (Some(rounds), files) => {
            let n_rounds: usize = rounds.parse().map_err(io::Error::other)?;
            for file in files {
                let (ours, bare) = compare(&fs::read(file)?, n_rounds)?;
                println!("{ours}\t{bare}");
            }
        }
        (None, _) => return Err(io::Error::other(USAGE)),
    }
    Ok(())
}

fn compare(bytes: &[u8], n_rounds: usize) -> io::Result<(u64, u64)> {
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..n_rounds {
        ours.push(cpu_time_of(|| feed_ours(bytes))?);
        bare.push(cpu_time_of(|| feed_bare(bytes))?);
    }
    Ok((middle(&mut ours), middle(&mut bare)))
}

fn feed_ours(bytes: &[u8]) {
    let options =
        TerminalOptions { scrollback_lines: SCROLLBACK_LINES, ..TerminalOptions::default() };
    let terminal = TerminalBuffer::new(SIZE, options);
    for chunk in bytes.chunks(CHUNK) {
        black_box(terminal.feed(chunk));
    }
    black_box(terminal.revision());
}

fn feed_bare(bytes: &[u8]) {
    let config = Config { scrolling_history: SCROLLBACK_LINES, ..Config::default() };
    let mut term = Term::new(config, &BareSize, VoidListener);
    let mut processor: Processor = Processor::new();
    for chunk in bytes.chunks(CHUNK) {
        processor.advance(&mut term, chunk);
    }
    black_box(term.columns());
}

fn middle(times: &mut [u64]) -> u64 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// In nanoseconds of this thread, so that other work on the machine does not count.
fn cpu_time_of(run: impl FnOnce()) -> io::Result<u64> {
    let before = cpu_time()?;
    run();
    Ok(cpu_time()? - before)
}

fn cpu_time() -> io::Result<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let first = text.split_whitespace().next().and_then(|word| word.parse().ok());
    first.ok_or_else(|| io::Error::other("the system does not tell a thread's CPU time"))
}

/// [`SIZE`], as the emulator wants it.
struct BareSize;

impl Dimensions for BareSize {
    fn total_lines(&self) -> usize {
        self.screen_lines()
    }

    fn screen_lines(&self) -> usize {
        SIZE.rows.into()
    }

    fn columns(&self) -> usize {
        SIZE.columns.into()
    }
}
