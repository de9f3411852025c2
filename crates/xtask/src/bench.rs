//! `cargo xtask bench`: the table of speed and memory, from an optimised build.
//!
//! What is measured lives with the program, in the `bench` example of the `app` crate, and in the
//! `engine` example of the `terminal` crate, which alone may name the emulator.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::{cargo, packages};

pub(crate) const HELP: &str = "\
Usage: cargo xtask bench [--install-peers] [ARGUMENT]...

Builds the benchmarks with optimisation and runs them; the arguments are theirs. Each figure is
printed beside its limit, as a ratio wherever the machine's own speed would otherwise decide.
`cargo xtask bench -- --help` shows what they take.

  --install-peers   first build alacritty into the user's cache folder, to compare with
  -h, --help        this text

Without alacritty, on the PATH or installed so, nothing is compared with it, and the table says so.
";

const INSTALL: &str = "--install-peers";

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    packages::install_missing(&[packages::TO_RUN, packages::TO_BENCH]);
    if args.iter().any(|arg| arg == INSTALL) {
        install_peers()?;
    }
    // In one go: apart, they would choose other features of what they share and build it twice.
    let mut build = cargo::cargo();
    build.args(["build", "--release", "--package", "app", "--package", "terminal", "--bins"]);
    cargo::succeed(build.args(["--example", "bench", "--example", "engine"]))?;
    let mut bench = Command::new(cargo::target_dir()?.join("release/examples/bench"));
    bench.args(own(args)).current_dir(cargo::root());
    cargo::succeed(&mut bench)
}

/// The arguments that are not for us.
fn own(args: &[OsString]) -> impl Iterator<Item = &OsString> {
    args.iter().filter(|arg| *arg != INSTALL && *arg != "--")
}

/// Builds the programs that we are compared with, unless they are there.
fn install_peers() -> anyhow::Result<()> {
    let folder =
        peers(|name| env::var_os(name)).context("neither HOME nor XDG_CACHE_HOME is set")?;
    let mut install = cargo::cargo();
    install.args(["install", "--locked", "alacritty", "--root"]).arg(folder);
    cargo::succeed(&mut install)
}

/// Where the benchmarks look for them.
fn peers(var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let cache = var("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(Path::new(&var("HOME")?).join(".cache")))?;
    Some(cache.join("trackside-peers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_arguments_is_passed_on() {
        let args = ["--", "--install-peers", "--quick", "idle"].map(OsString::from);
        let passed: Vec<_> = own(&args).collect();
        assert_eq!(passed, ["--quick", "idle"], "without ours");
    }

    #[test]
    fn peers_are_kept_in_the_cache() {
        let home = |name: &str| (name == "HOME").then(|| OsString::from("/h"));
        assert_eq!(peers(home), Some("/h/.cache/trackside-peers".into()), "the usual place");
        let both = |name: &str| Some(OsString::from(if name == "HOME" { "/h" } else { "/c" }));
        assert_eq!(peers(both), Some("/c/trackside-peers".into()), "a chosen one");
    }
}
