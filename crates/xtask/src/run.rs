//! `cargo xtask run`: from a fresh clone to an open window.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::{cargo, packages, unexpected};

pub(crate) const HELP: &str = "\
Usage: cargo xtask run [--headless] [FOLDER]...

Installs the system packages that Trackside needs and that are missing (Debian and Ubuntu, through
apt-get; elsewhere it names them), builds the release binary and opens a window on the folders.
Where there is no display, it runs without a window and says how to look at it.

  --headless   no window even where there is a display
  -h, --help   this text
";

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    headless: bool,
    folders: Vec<OsString>,
}

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    let options = parse(args)?;
    for folder in &options.folders {
        // Better said now than after some minutes of building.
        if !Path::new(folder).is_dir() {
            bail!("{} is not a folder", folder.display());
        }
    }
    packages::install_missing(&[packages::TO_RUN]);
    cargo::succeed(cargo::cargo().args(["build", "--release", "--package", "app"]))?;

    let program = cargo::target_dir()?.join("release/trackside");
    let mut command = Command::new(&program);
    let display = has_display();
    if options.headless || !display {
        if !display {
            println!("no display here (neither DISPLAY nor WAYLAND_DISPLAY is set): no window");
        }
        println!("{}", how_to_look(&program));
        command.arg("--headless");
        // Mesa looks for a Wayland display otherwise, and complains that there is none.
        command.env("NODEVICE_SELECT", "1");
    }
    let error = command.args(&options.folders).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}

fn parse(args: &[OsString]) -> anyhow::Result<Options> {
    let mut options = Options::default();
    let mut only_folders = false;
    for arg in args {
        match arg.to_str() {
            Some("--") if !only_folders => only_folders = true,
            Some("--headless") if !only_folders => options.headless = true,
            Some(flag) if !only_folders && flag.starts_with('-') => {
                return Err(unexpected("run", arg));
            }
            _ => options.folders.push(arg.clone()),
        }
    }
    Ok(options)
}

fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn how_to_look(program: &Path) -> String {
    let here = env::current_dir().ok();
    let program = here.and_then(|here| program.strip_prefix(here).ok()).unwrap_or(program);
    let program = program.display();
    format!(
        "running headless; from another terminal:
  {program} status                 what the agents are doing
  {program} screenshot shot.png    what the window would show
  {program} quit                   end it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Usage;

    #[track_caller]
    fn check(args: &[&str], headless: bool, folders: &[&str]) {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let folders = folders.iter().map(OsString::from).collect();
        assert_eq!(parse(&args).unwrap(), Options { headless, folders }, "{args:?}");
    }

    #[test]
    fn folders_and_the_flag_come_in_any_order() {
        check(&[], false, &[]);
        check(&["a", "--headless", "b"], true, &["a", "b"]);
        check(&["--", "--headless"], false, &["--headless"]);
    }

    #[test]
    fn an_unknown_flag_is_a_usage_error() {
        assert!(parse(&["--fast".into()]).unwrap_err().is::<Usage>(), "not taken for a folder");
    }

    #[test]
    fn a_missing_folder_is_refused_before_anything_is_built() {
        let err = run(&["no/such/folder".into()]).unwrap_err();
        assert_eq!(err.to_string(), "no/such/folder is not a folder");
    }
}
