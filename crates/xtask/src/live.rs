//! `cargo xtask live`: the rail and our hooks with the real agents.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::steps::{last_step, step};
use crate::test::{Selection, build, run_tests};
use crate::{cargo, packages, unexpected};

pub(crate) const HELP: &str = "\
Usage: cargo xtask live [--install]

Runs real agents in Trackside, without a network and with a home of their own, against a model that
is part of the tests. Checks what the rail shows, what their hooks report and, by checksums of all
files of that home, that their settings stay as they were and nothing is left that is not left
without hooks. `cargo xtask test` does the same where the agents are installed. Without them it says so.

  --install    first fetch the agents with npm and pip into the user's cache folder, which uses the
               network; what cannot be fetched is skipped
  -h, --help   this text
";

/// Tells the tests where the agents are.
pub(crate) const VARIABLE: &str = "TRACKSIDE_LIVE_AGENTS";

/// An agent, by the name of its program, and the package that it comes in.
#[derive(Debug)]
struct Agent {
    name: &'static str,
    package: Package,
}

#[derive(Debug)]
enum Package {
    Npm(&'static str),
    /// Of Python, for an environment of its own.
    Pip(&'static str),
}

const AGENTS: &[Agent] = &[
    Agent { name: "claude", package: Package::Npm("@anthropic-ai/claude-code") },
    Agent { name: "codex", package: Package::Npm("@openai/codex") },
    Agent { name: "aider", package: Package::Pip("aider-chat") },
    Agent { name: "opencode", package: Package::Npm("opencode-ai") },
    Agent { name: "gemini", package: Package::Npm("@google/gemini-cli") },
];

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    let folder = folder()?;
    match args {
        [] => {}
        [arg] if arg == "--install" => step("install", || install(&folder))?,
        [arg, ..] => return Err(unexpected("live", arg)),
    }
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
pub(crate) fn missing(folder: &Path) -> Vec<String> {
    let missing = AGENTS.iter().filter(|agent| !agent.program(folder).exists());
    let line =
        |name| format!("SKIPPED: no {name} to test with; `cargo xtask live --install` fetches it");
    missing.map(|agent| line(agent.name)).collect()
}

/// Fetches what can be fetched: an agent may be too new for this system, or its registry out of reach.
fn install(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    for agent in AGENTS {
        for mut command in agent.installation(folder) {
            if let Err(err) = cargo::succeed(&mut command) {
                println!("SKIPPED: cannot install {}: {err:#}", agent.name);
                break;
            }
        }
    }
    Ok(())
}

impl Agent {
    fn program(&self, folder: &Path) -> PathBuf {
        let place = match self.package {
            Package::Npm(_) => "node_modules/.bin",
            Package::Pip(_) => "bin",
        };
        folder.join(self.name).join(place).join(self.name)
    }

    /// What is to be run, one after the other, to have the newest version that runs here.
    fn installation(&self, folder: &Path) -> Vec<Command> {
        let place = folder.join(self.name);
        match self.package {
            Package::Npm(package) => {
                let mut npm = Command::new("npm");
                npm.args(["install", "--no-fund", "--no-audit", "--prefix"]).arg(place);
                npm.arg(package);
                vec![npm]
            }
            Package::Pip(package) => {
                let mut environment = Command::new("python3");
                environment.args(["-m", "venv"]).arg(&place);
                let mut pip = Command::new(place.join("bin/python"));
                pip.args(["-m", "pip", "install", "--quiet", "--upgrade", package]);
                vec![environment, pip]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_tested_is_said() {
        let lines = missing(Path::new("/nowhere"));
        assert_eq!(lines.len(), AGENTS.len(), "one for each: {lines:?}");
        assert!(lines[0].starts_with("SKIPPED: no claude "), "{lines:?}");
    }

    #[test]
    fn each_is_where_its_installation_puts_it() {
        #[track_caller]
        fn check(name: &str, expected: &str) {
            let agent = AGENTS.iter().find(|agent| agent.name == name).unwrap();
            assert_eq!(agent.program(Path::new("/a")), Path::new(expected), "{agent:?}");
        }
        check("codex", "/a/codex/node_modules/.bin/codex");
        check("aider", "/a/aider/bin/aider");
    }
}
