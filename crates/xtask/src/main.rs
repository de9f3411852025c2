//! Automation for the repository: one verb per module, each with its own `--help`.
//!
//! Everything here starts other programs and reads files of the checkout; none of it is part of
//! Trackside itself, and no crate of ours is linked in, so it builds in seconds on a fresh clone.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool speaks here")]

mod bench;
mod cargo;
mod conformance;
mod golden;
mod leftovers;
mod live;
mod packages;
mod run;
mod sandbox;
mod signals;
mod soak;
mod steps;
mod test;
mod tidy;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::process::ExitCode;

/// One thing `cargo xtask` can do.
struct Verb {
    name: &'static str,
    summary: &'static str,
    help: &'static str,
    run: fn(&[OsString]) -> anyhow::Result<()>,
}

/// In the order of the overview.
const VERBS: &[Verb] = &[
    Verb { name: "run", summary: "build and open Trackside", help: run::HELP, run: run::run },
    Verb { name: "test", summary: "everything CI checks", help: test::HELP, run: test::run },
    Verb { name: "tidy", summary: "the rules of the house", help: tidy::HELP, run: tidy::run },
    Verb {
        name: "golden",
        summary: "compare or accept pictures",
        help: golden::HELP,
        run: golden::run,
    },
    Verb {
        name: "signals",
        summary: "how right the rail is",
        help: signals::HELP,
        run: signals::run,
    },
    Verb { name: "live", summary: "hooks with real agents", help: live::HELP, run: live::run },
    Verb { name: "soak", summary: "kill it a hundred times", help: soak::HELP, run: soak::run },
    Verb { name: "bench", summary: "speed and memory", help: bench::HELP, run: bench::run },
    Verb {
        name: "conformance",
        summary: "esctest2 in our terminal",
        help: conformance::HELP,
        run: conformance::run,
    },
];

/// Wrong arguments: told apart from a failed run by exit code 2.
#[derive(Debug)]
struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

fn main() -> ExitCode {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("error: {err:#}");
            ExitCode::from(if err.is::<Usage>() { 2 } else { 1 })
        }
    }
}

fn dispatch(args: &[OsString]) -> anyhow::Result<()> {
    let Some((name, rest)) = args.split_first() else {
        print!("{}", overview());
        return Ok(());
    };
    if is_help(name) || name == "help" {
        print!("{}", overview());
        return Ok(());
    }
    let Some(verb) = VERBS.iter().find(|verb| name == verb.name) else {
        let known: Vec<&str> = VERBS.iter().map(|verb| verb.name).collect();
        let name = name.display();
        return Err(Usage(format!("no verb `{name}`; there are {}", known.join(", "))).into());
    };
    if rest.iter().take_while(|arg| *arg != "--").any(|arg| is_help(arg)) {
        print!("{}", verb.help);
        return Ok(());
    }
    (verb.run)(rest)
}

fn is_help(arg: &OsStr) -> bool {
    arg == "--help" || arg == "-h"
}

fn overview() -> String {
    let mut text = "Usage: cargo xtask VERB [ARGUMENTS]\n\n".to_owned();
    for verb in VERBS {
        text.push_str(&format!("  {:<11} {}\n", verb.name, verb.summary));
    }
    text.push_str("\n`cargo xtask VERB --help` says more.\n");
    text
}

/// The error for an argument that a verb does not know.
fn unexpected(verb: &str, arg: &OsStr) -> anyhow::Error {
    let arg = arg.display();
    Usage(format!("unexpected `{arg}`; see `cargo xtask {verb} --help`")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_verb_is_a_usage_error_that_names_the_known_ones() {
        let err = dispatch(&["fly".into()]).unwrap_err();
        assert!(err.is::<Usage>(), "not a failure but a mistake");
        assert_eq!(
            err.to_string(),
            "no verb `fly`; there are run, test, tidy, golden, signals, live, soak, bench, conformance"
        );
    }

    #[test]
    fn every_verb_has_a_help_text_that_starts_with_its_usage() {
        for verb in VERBS {
            let usage = format!("Usage: cargo xtask {}", verb.name);
            assert!(verb.help.starts_with(&usage), "help of {}", verb.name);
            assert!(verb.help.ends_with('\n'), "help of {} ends its line", verb.name);
        }
    }
}
