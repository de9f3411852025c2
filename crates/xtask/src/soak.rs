//! `cargo xtask soak`: killing the window again and again, longer than `cargo xtask test` takes the time for.

use std::ffi::OsString;

use crate::steps::{last_step, step};
use crate::test::{Selection, build, run_tests};
use crate::{packages, unexpected};

pub(crate) const HELP: &str = "\
Usage: cargo xtask soak [CRASHES] [SEED]

Kills the program with SIGKILL at random moments while ten agents print numbered lines, and checks
that no agent ends and that no line is lost or there twice, in transcripts and on screens.
`cargo xtask test` does the same 10 times.

  CRASHES      how often; 100 if absent
  SEED         a number; the same one gives the same moments
  -h, --help   this text
";

/// Read by the test.
const CRASHES: &str = "TRACKSIDE_CRASHES";
const SEED: &str = "TRACKSIDE_CRASH_SEED";

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    let environment = parse(args)?;
    packages::install_missing(&[packages::TO_RUN, packages::TO_TEST]);
    step("build", build)?;
    let selection =
        Selection { package: Some("end-to-end"), binary: None, filters: &["surviving::"] };
    last_step("soak", || run_tests(&selection, &environment))
}

fn parse(args: &[OsString]) -> anyhow::Result<Vec<(&str, &str)>> {
    let mut values = Vec::new();
    for arg in args {
        match arg.to_str() {
            Some(text) if values.len() < 2 && text.parse::<u32>().is_ok() => values.push(text),
            Some(_) | None => return Err(unexpected("soak", arg)),
        }
    }
    if values.is_empty() {
        values.push("100");
    }
    Ok([CRASHES, SEED].into_iter().zip(values).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &[&str], expected: Result<&[(&str, &str)], &str>) {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let parsed = parse(&args).map_err(|err| err.to_string());
        assert_eq!(parsed, expected.map(<[_]>::to_vec).map_err(str::to_owned), "{args:?}");
    }

    #[test]
    fn how_often_and_when_can_be_said() {
        check(&[], Ok(&[(CRASHES, "100")]));
        check(&["7"], Ok(&[(CRASHES, "7")]));
        check(&["7", "42"], Ok(&[(CRASHES, "7"), (SEED, "42")]));
    }

    #[test]
    fn the_odd_argument_is_named() {
        check(&["often"], Err("unexpected `often`; see `cargo xtask soak --help`"));
        check(&["1", "2", "3"], Err("unexpected `3`; see `cargo xtask soak --help`"));
    }
}
