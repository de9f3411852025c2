//! `cargo xtask signals`: how right the rail is on recordings of real agents.

use std::ffi::OsString;

use crate::{cargo, unexpected};

pub(crate) const HELP: &str = "\
Usage: cargo xtask signals

Plays all recordings of tests/data/signals in virtual time and prints, by agent, how many of the
waits were found, how many alarms were false, how soon and how steadily. `first` are the recordings
by which the rules were found, `later` those by which they were made better, `seen` both of these,
`unseen` those that no rule was changed for, and `frozen` those that were made and labelled later, when
the rules were frozen, and that none was changed for. The tests hold these figures; they may only get
better.

  -h, --help   this text
";

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    if let Some(arg) = args.first() {
        return Err(unexpected("signals", arg));
    }
    let mut command = cargo::cargo();
    command.args(["run", "--quiet", "--package", "replay", "--example", "signals", "--"]);
    cargo::succeed(command.arg("tests/data/signals"))
}
