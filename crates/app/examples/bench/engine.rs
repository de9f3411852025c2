//! Our terminal without a window against the bare emulator that it is built on.
//!
//! The `engine` example of the `terminal` crate runs both, since only that crate may name the
//! emulator; here are its input and the goal.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::peers::text;
use crate::streams::{self, Stream};
use crate::table::{Row, Unit};
use crate::throughput::rate;
use crate::{Effort, evidence};

const GOAL: f64 = 0.85;

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let (n_bytes, n_rounds) = match effort {
        Effort::Quick => (10_000_000, "3"),
        Effort::Full => (50_000_000, "5"),
    };
    let dir = tempfile::tempdir()?;
    let streams = streams::write_all(dir.path(), n_bytes)?;
    let mut command = Command::new(program()?);
    command.arg(n_rounds).args(streams.iter().map(|stream| &stream.path));
    let output = command.output().context("starting the engine example")?;
    ensure!(output.status.success(), "engine: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout)?;
    streams.iter().zip(lines.lines()).map(|(stream, line)| compare(stream, line)).collect()
}

fn compare(stream: &Stream, line: &str) -> Result<Row> {
    let (ours, bare) = line.split_once('\t').context("two times")?;
    let ours = Duration::from_nanos(ours.parse()?);
    let bare = Duration::from_nanos(bare.parse()?);
    let (ours, bare) = (rate(stream.n_bytes, ours), rate(stream.n_bytes, bare));
    let name = format!("engine, {}: {ours:.0} / {bare:.0} MB a CPU second", stream.name);
    Ok(Row::at_least(&name, ours / bare, GOAL, Unit::Times))
}

/// Instructions for a byte, which no other program on the machine can change.
pub(crate) fn count_instructions(_effort: Effort) -> Result<Vec<Row>> {
    let dir = tempfile::tempdir()?;
    let nothing = dir.path().join("nothing");
    std::fs::write(&nothing, b"")?;
    let start = [instructions("ours", &nothing)?, instructions("bare", &nothing)?];
    let streams = streams::write_all(dir.path(), 2_000_000)?;
    let mut rows = Vec::new();
    for stream in &streams {
        #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
        let a_byte =
            |all: u64, start: u64| all.saturating_sub(start) as f64 / stream.n_bytes as f64;
        let ours = a_byte(instructions("ours", &stream.path)?, start[0]);
        let bare = a_byte(instructions("bare", &stream.path)?, start[1]);
        let name = format!("engine, {}: {ours:.0} / {bare:.0} instructions a byte", stream.name);
        rows.push(Row::at_least(&name, bare / ours, GOAL, Unit::Times));
    }
    rows.extend(evidence::count_instructions()?);
    Ok(rows)
}

/// All that a process executes that feeds one file to one of both.
fn instructions(which: &str, file: &Path) -> Result<u64> {
    instructions_of(&program()?, &[which, &text(file)?])
}

/// All that a program executes with these arguments.
pub(crate) fn instructions_of(program: &Path, args: &[&str]) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(args)
        .output()
        .context("starting valgrind; is it installed?")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind: {said}");
    let count = said.lines().find_map(|line| line.split_once("Collected :")).context("a count")?;
    Ok(count.1.trim().parse()?)
}

/// Built beside this program.
fn program() -> Result<PathBuf> {
    let this = std::env::current_exe()?;
    let program = this.with_file_name("engine");
    ensure!(program.exists(), "{} is missing; use `cargo xtask bench`", program.display());
    Ok(program)
}
