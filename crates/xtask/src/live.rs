//! `cargo xtask live`: our hooks with the real agents.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;

use crate::steps::{last_step, step};
use crate::test::{Selection, build, run_tests};
use crate::{cargo, packages, unexpected};

pub(crate) const HELP: &str = "\
Usage: cargo xtask live [--install]

Runs real agents in Trackside, without a network and with a home of their own, against a model that
is part of the tests, and checks what their hooks report and that their settings stay as they were.
`cargo xtask test` does the same where the agents are installed. Without them it says so.

  --install    first fetch the agents with npm into the user's cache folder, which uses the network
  -h, --help   this text
";

/// Tells the tests where the agents are.
pub(crate) const VARIABLE: &str = "TRACKSIDE_LIVE_AGENTS";

const AGENTS: &[(&str, &str)] =
    &[("claude", "@anthropic-ai/claude-code"), ("codex", "@openai/codex")];

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    match args {
        [] => {}
        [arg] if arg == "--install" => step("install", install)?,
        [arg, ..] => return Err(unexpected("live", arg)),
    }
    let folder = folder()?;
    for line in missing(&folder) {
        println!("{line}");
    }
    packages::install_missing(&[packages::TO_RUN, packages::TO_TEST]);
    step("build", build)?;
    let folder = folder.to_str().context("the cache folder's name is no text")?;
    let selection = Selection { package: Some("end-to-end"), binary: None, filters: &["live::"] };
    last_step("live", || run_tests(&selection, &[(VARIABLE, folder)]))
}

/// Where the agents are, or will be.
pub(crate) fn folder() -> anyhow::Result<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = cache.or_else(|| Some(env::home_dir()?.join(".cache")));
    Ok(cache.context("neither XDG_CACHE_HOME nor HOME is set")?.join("trackside/live-agents"))
}

/// A line for each agent that will not be tested with.
pub(crate) fn missing(folder: &std::path::Path) -> Vec<String> {
    let is_missing = |name: &str| !folder.join(name).join("node_modules/.bin").join(name).exists();
    let missing = AGENTS.iter().filter(|(name, _)| is_missing(name));
    let line = |name| {
        format!("SKIPPED: no {name} to test hooks with; `cargo xtask live --install` fetches it")
    };
    missing.map(|(name, _)| line(name)).collect()
}

fn install() -> anyhow::Result<()> {
    for (name, package) in AGENTS {
        let folder = folder()?.join(name);
        std::fs::create_dir_all(&folder)?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-fund", "--no-audit", "--prefix"]).arg(folder).arg(package);
        cargo::succeed(&mut npm)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_tested_is_said() {
        let lines = missing(std::path::Path::new("/nowhere"));
        assert_eq!(lines.len(), AGENTS.len(), "one for each: {lines:?}");
        assert!(lines[0].starts_with("SKIPPED: no claude "), "{lines:?}");
    }
}
