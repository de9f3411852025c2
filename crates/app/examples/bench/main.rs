//! Speed and memory as one table: what was measured, the goal, and whether it is met.
//!
//! `cargo xtask bench` builds the program with optimisation and runs this. Where the machine's own
//! speed would decide, a figure is a ratio of two taken in the same run. Everything that needs the
//! real program starts it with folders of its own and ends it again.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool speaks here")]

mod agents;
mod clock;
mod display;
mod engine;
mod evidence;
mod flood;
mod frames;
mod host;
mod idle;
mod inner;
mod instance;
mod latency;
mod memory;
mod peers;
mod process;
mod recordings;
mod scrollback;
mod start;
mod streams;
mod table;
mod throughput;
mod waiting;
mod x11;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::table::Row;

const HELP: &str = "\
Usage: cargo xtask bench [--quick] [NAME]...

Prints speed and memory beside their goals. A missed goal is said, but is no failure: other
programs on this machine may be to blame, so run it again before you believe it.

  NAME         only these: frames, start, memory, flood, idle, and

               agents         a hundred of them, at work and waiting, and what watching them costs
               host           the process that holds the terminals, and coming back to it
               terminal       output of four kinds in our window and in alacritty's
               latency        from a key to changed pixels, in both, idle and under a flood
               engine         our terminal against the bare emulator it is built on
               instructions   the same, counted by valgrind; only when named

  --quick      shorter rounds, for a first impression
  -h, --help   this text
";

/// Passed by [`start`] to a copy of this program: open a device, say so, end.
const GPU_ONLY: &str = "--gpu-only";

/// How long to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effort {
    Quick,
    Full,
}

/// A group of rows, and what measures them.
type Group = (&'static str, fn(Effort) -> Result<Vec<Row>>);

const GROUPS: [Group; 11] = [
    ("frames", frames::measure),
    ("start", start::measure),
    ("memory", memory::measure),
    ("flood", flood::measure),
    ("idle", idle::measure),
    ("agents", agents::measure),
    ("host", host::measure),
    ("engine", engine::measure),
    ("terminal", throughput::measure),
    ("latency", latency::measure),
    (INSTRUCTIONS, engine::count_instructions),
];

/// Takes minutes and says nothing to users, so it has to be asked for.
const INSTRUCTIONS: &str = "instructions";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["-h" | "--help", ..] => {
            print!("{HELP}");
            Ok(())
        }
        [GPU_ONLY] => start::open_device(),
        [inner::OBEY, socket] => inner::obey(socket),
        [inner::FLOOD, file] => inner::flood(file),
        [recordings::PLAY, file, start] => recordings::play(file, start),
        [evidence::FEED, watched, pace] => evidence::feed(watched, pace),
        _ => run(&words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("bench: {err:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Result<()> {
    let (flags, wanted): (Vec<&str>, Vec<&str>) = args.iter().partition(|arg| **arg == "--quick");
    let effort = if flags.is_empty() { Effort::Full } else { Effort::Quick };
    let names = GROUPS.map(|(name, _)| name);
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(name)) {
        bail!("unexpected `{unknown}`; there are --quick, {}", names.join(", "));
    }
    let mut rows = Vec::new();
    for (name, measure) in GROUPS {
        if wanted.contains(&name) || (wanted.is_empty() && name != INSTRUCTIONS) {
            eprintln!("measuring {name} ...");
            rows.extend(measure(effort)?);
        }
    }
    print!("{}", table::render(&rows));
    Ok(())
}
