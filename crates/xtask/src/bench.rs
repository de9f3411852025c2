//! `cargo xtask bench`: the table of speed and memory, from an optimised build.
//!
//! What is measured lives with the program, in the `bench` example of the `app` crate.

use std::ffi::OsString;

use crate::{cargo, packages};

pub(crate) const HELP: &str = "\
Usage: cargo xtask bench [ARGUMENT]...

Builds the benchmarks with optimisation and runs them; the arguments are theirs. Each figure is
printed beside its limit, as a ratio wherever the machine's own speed would otherwise decide.
`cargo xtask bench -- --help` shows what they take.

  -h, --help   this text
";

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    packages::install_missing(&[packages::TO_RUN]);
    // The program itself is what some figures are about, and an example does not build it.
    cargo::succeed(cargo::cargo().args(["build", "--release", "--package", "app"]))?;
    let own = args.strip_prefix(&["--".into()]).unwrap_or(args);
    let mut command = cargo::cargo();
    command.args(["run", "--release", "--package", "app", "--example", "bench", "--"]).args(own);
    cargo::succeed(&mut command)
}
