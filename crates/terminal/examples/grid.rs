//! Prints what a terminal shows after the bytes of a file: `grid COLUMNSxROWS FILE`.
//!
//! For making and checking what `tests/data/reference` expects.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool speaks here")]

#[path = "../tests/reference/describe.rs"]
mod describe;

use std::fs;
use std::process::ExitCode;

use terminal::{GridSize, Snapshot, TerminalBuffer, TerminalOptions};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let shown = match &args[..] {
        [size, file] => show(size, file),
        _ => Err("usage: grid COLUMNSxROWS FILE".to_owned()),
    };
    match shown {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(err) => {
            eprintln!("grid: {err}");
            ExitCode::FAILURE
        }
    }
}

fn show(size: &str, file: &str) -> Result<String, String> {
    let numbers = size.split_once('x').ok_or("a size is such as 80x24")?;
    let number = |text: &str| text.parse::<u16>().map_err(|err| format!("{text}: {err}"));
    let size = GridSize { columns: number(numbers.0)?, rows: number(numbers.1)? };
    let bytes = fs::read(file).map_err(|err| format!("{file}: {err}"))?;
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    terminal.feed(&bytes);
    terminal.end_sync();
    let mut snapshot = Snapshot::default();
    // A first snapshot always differs.
    let _changed = terminal.snapshot_into(&mut snapshot);
    Ok(describe::describe(&snapshot))
}
