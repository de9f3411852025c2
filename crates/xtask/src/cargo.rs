//! Calling cargo: where the checkout is, where it builds to, and what it knows of itself.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use serde_json::Value;

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    let crate_dir = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    crate_dir.ancestors().nth(2).unwrap_or(&crate_dir).to_owned()
}

/// A cargo command that works on the whole checkout.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    if let Some(dir) = ci_target_dir(|name| env::var_os(name)) {
        command.env("CARGO_TARGET_DIR", dir);
    }
    command
}

/// CI works in a new clone each time; what it builds is kept beside it for the next run.
fn ci_target_dir(var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if var("CI")? != "true" || var("CARGO_TARGET_DIR").is_some() {
        return None;
    }
    let cache = var("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|dir| dir.is_absolute())
        .or_else(|| Some(Path::new(&var("HOME")?).join(".cache")))?;
    Some(cache.join("trackside-ci-target"))
}

/// What cargo knows of our crates and of everything they use. Refuses a stale `Cargo.lock`.
pub(crate) fn metadata() -> anyhow::Result<Value> {
    let output = cargo()
        .args(["metadata", "--format-version", "1", "--locked"])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("`cargo metadata --locked` failed ({})", output.status);
    }
    serde_json::from_slice(&output.stdout).context("cannot read what cargo metadata printed")
}

/// The folder that builds go to, whoever chose it.
pub(crate) fn target_dir() -> anyhow::Result<PathBuf> {
    let metadata = metadata()?;
    let dir = metadata["target_directory"].as_str();
    Ok(dir.context("cargo metadata names no target directory")?.into())
}

/// Whether the nextest runner is installed.
pub(crate) fn has_nextest() -> bool {
    cargo()
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a command to its end and makes an error of any exit code but 0.
pub(crate) fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let shown = show(command);
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// The command as one would type it.
fn show(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![program.file_name().unwrap_or_default().to_string_lossy()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy()));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `variables` is such as `"CI=true HOME=/home/me"`.
    #[track_caller]
    fn check(variables: &str, expected: Option<&str>) {
        let var = |name: &str| {
            let mut pairs = variables.split(' ').filter_map(|pair| pair.split_once('='));
            pairs.find(|pair| pair.0 == name).map(|pair| pair.1.into())
        };
        assert_eq!(ci_target_dir(var), expected.map(PathBuf::from), "{variables}");
    }

    #[test]
    fn only_ci_builds_outside_the_checkout() {
        check("HOME=/h", None);
        check("CI=false HOME=/h", None);
        check("CI=true HOME=/h", Some("/h/.cache/trackside-ci-target"));
        check("CI=true HOME=/h XDG_CACHE_HOME=/c", Some("/c/trackside-ci-target"));
        check("CI=true HOME=/h XDG_CACHE_HOME=c", Some("/h/.cache/trackside-ci-target"));
        check("CI=true HOME=/h CARGO_TARGET_DIR=/t", None);
        check("CI=true", None);
    }

    #[test]
    fn a_failed_command_is_named_as_it_was_typed() {
        let err = succeed(Command::new("/bin/sh").args(["-c", "exit 3"])).unwrap_err();
        assert_eq!(err.to_string(), "`sh -c exit 3` failed (exit status: 3)");
    }

    #[test]
    fn the_root_holds_the_workspace() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        assert!(manifest.starts_with("[workspace]"), "the workspace's manifest");
    }
}
