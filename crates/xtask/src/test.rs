//! `cargo xtask test`: everything that must hold before a change lands, in one command.
//!
//! The order is from cheap to dear, and the first failure ends the run. The tests come last, so
//! that their summary closes the output.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;

use crate::sandbox::{RUN_VARIABLE, Sandbox};
use crate::steps::{last_step, step};
use crate::{cargo, leftovers, live, packages, tidy, unexpected};

pub(crate) const HELP: &str = "\
Usage: cargo xtask test [FILTER]...

Exactly what CI runs. Installs the system packages that the tests need and that are missing, then:
format check, clippy, tidy, build, documentation, and all unit, snapshot, golden and end-to-end
tests, with nextest where it is installed. The terminal is fuzzed for a minute. The first failure
ends it.

Tests run with a temporary home, without your display, and must leave no process behind.
With CI=true and no CARGO_TARGET_DIR, builds are kept in the user's cache folder.

  FILTER       run only tests whose name contains one of these, and skip the other checks
  -h, --help   this text
";

/// Hostile output for the terminal; plain `cargo test` does with a few seconds of it.
const FUZZING: (&str, &str) = ("TRACKSIDE_FUZZ_SECONDS", "60");

/// Which tests to run.
#[derive(Debug)]
pub(crate) struct Selection<'a> {
    /// All when absent.
    pub(crate) package: Option<&'a str>,
    /// One binary of integration tests; all tests when absent.
    pub(crate) binary: Option<&'a str>,
    /// Parts of test names; all when empty.
    pub(crate) filters: &'a [&'a str],
}

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    let filters = parse(args)?;
    packages::install_missing(&[packages::TO_RUN, packages::TO_TEST]);
    let everything = filters.is_empty();
    if everything {
        step("format", || cargo::succeed(cargo::cargo().args(["fmt", "--all", "--check"])))?;
        step("clippy", clippy)?;
        step("tidy", tidy::check)?;
    }
    step("build", build)?;
    if everything {
        step("documentation", documentation)?;
    }
    let selection = Selection { package: None, binary: None, filters: &filters };
    let agents = live::folder()?;
    for line in live::missing(&agents).into_iter().filter(|_| everything) {
        println!("{line}");
    }
    let agents = agents.to_str().unwrap_or_default();
    last_step("tests", || run_tests(&selection, &[FUZZING, (live::VARIABLE, agents)]))
}

fn parse(args: &[OsString]) -> anyhow::Result<Vec<&str>> {
    args.iter()
        .map(|arg| match arg.to_str() {
            Some(filter) if !filter.starts_with('-') => Ok(filter),
            _ => Err(unexpected("test", arg)),
        })
        .collect()
}

fn clippy() -> anyhow::Result<()> {
    let mut command = cargo::cargo();
    command.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    cargo::succeed(&mut command)
}

/// Builds the program and the tests at once. Building the program alone would choose other
/// features of shared dependencies and compile the whole GPU stack a second time.
pub(crate) fn build() -> anyhow::Result<()> {
    cargo::succeed(cargo::cargo().args(["build", "--workspace", "--bins", "--tests"]))
}

fn documentation() -> anyhow::Result<()> {
    let mut command = cargo::cargo();
    command.args(["doc", "--no-deps", "--workspace", "--document-private-items"]);
    cargo::succeed(command.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Runs tests in a sandbox and makes sure that no process outlives them. The program must have
/// been built.
pub(crate) fn run_tests(
    selection: &Selection<'_>,
    environment: &[(&str, &str)],
) -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let mut command = cargo::cargo();
    command.args(runner_arguments(cargo::has_nextest(), selection));
    sandbox.enclose(&mut command);
    command.env("TRACKSIDE_BIN", program()?).envs(environment.iter().copied());
    let tested = cargo::succeed(&mut command);
    let cleaned = leftovers::expect_none(RUN_VARIABLE, sandbox.run_id());
    match (tested, cleaned) {
        (Err(tested), Err(cleaned)) => Err(tested).with_context(|| format!("{cleaned}")),
        (tested, cleaned) => tested.and(cleaned),
    }
}

/// The binary that end-to-end tests start.
fn program() -> anyhow::Result<PathBuf> {
    Ok(cargo::target_dir()?.join("debug/trackside"))
}

fn runner_arguments<'a>(nextest: bool, selection: &Selection<'a>) -> Vec<&'a str> {
    let mut arguments =
        if nextest { vec!["nextest", "run"] } else { vec!["test", "--no-fail-fast"] };
    match selection.package {
        Some(package) => arguments.extend(["--package", package]),
        None => arguments.push("--workspace"),
    }
    if let Some(binary) = selection.binary {
        arguments.extend(["--test", binary]);
    }
    if !nextest && !selection.filters.is_empty() {
        arguments.push("--");
    }
    arguments.extend(selection.filters);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(nextest: bool, selection: &Selection<'_>, expected: &str) {
        assert_eq!(runner_arguments(nextest, selection).join(" "), expected);
    }

    #[test]
    fn both_runners_get_the_same_selection() {
        let all = Selection { package: None, binary: None, filters: &[] };
        check(true, &all, "nextest run --workspace");
        check(false, &all, "test --no-fail-fast --workspace");
        let some = Selection { package: Some("ui"), filters: &["rail", "tab"], ..all };
        check(true, &some, "nextest run --package ui rail tab");
        check(false, &some, "test --no-fail-fast --package ui -- rail tab");
        let one = Selection { package: Some("app"), binary: Some("golden"), ..all };
        check(true, &one, "nextest run --package app --test golden");
        check(false, &one, "test --no-fail-fast --package app --test golden");
    }

    #[test]
    fn a_flag_is_not_a_filter() {
        let err = parse(&["--nocapture".into()]).unwrap_err();
        assert_eq!(err.to_string(), "unexpected `--nocapture`; see `cargo xtask test --help`");
    }
}
