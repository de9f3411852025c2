//! The world that tests run in: a home of their own, and nothing of the user's.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;

/// Marks every process of one test run; see [`crate::leftovers`].
pub(crate) const RUN_VARIABLE: &str = "TRACKSIDE_TEST_RUN";

/// Folders that stand in for the user's, by the variable that names each.
const FOLDERS: &[(&str, &str)] = &[
    ("HOME", "home"),
    ("TMPDIR", "tmp"),
    ("XDG_CACHE_HOME", "cache"),
    ("XDG_CONFIG_HOME", "config"),
    ("XDG_DATA_HOME", "data"),
    ("XDG_RUNTIME_DIR", "run"),
    ("XDG_STATE_HOME", "state"),
];

/// The same for every machine. Snapshots are compared, never written.
const SETTINGS: &[(&str, &str)] = &[
    ("CI", "true"),
    ("INSTA_UPDATE", "no"),
    ("LC_ALL", "C.UTF-8"),
    ("RUST_BACKTRACE", "1"),
    ("TRACKSIDE_REQUIRE_GPU", "1"),
    ("TZ", "UTC"),
];

/// The user's session: tests open displays of their own.
const HIDDEN: &[&str] =
    &["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XAUTHORITY"];

/// A temporary folder tree, removed when dropped.
#[derive(Debug)]
pub(crate) struct Sandbox {
    dir: PathBuf,
    run: String,
}

impl Sandbox {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH)?.subsec_nanos();
        let run = format!("{}-{nanos}", std::process::id());
        // Short, since sockets live below it and their paths may have 107 bytes.
        let dir = env::temp_dir().join(format!("ts-{run}"));
        let sandbox = Self { dir, run };
        for path in FOLDERS.iter().map(|(_, name)| sandbox.dir.join(name)) {
            let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&path);
            made.with_context(|| format!("cannot make {}", path.display()))?;
        }
        Ok(sandbox)
    }

    /// What tells this run's processes from all others.
    pub(crate) fn run_id(&self) -> &str {
        &self.run
    }

    /// A folder that nobody else uses.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Puts a command, and with it the tests that it starts, into the sandbox.
    pub(crate) fn enclose(&self, command: &mut Command) {
        let inherited = env::vars_os().map(|(name, _)| name);
        for name in inherited.filter(|name| is_of_a_running_trackside(name)) {
            command.env_remove(name);
        }
        for name in HIDDEN {
            command.env_remove(name);
        }
        // The toolchain still lives in the real home.
        if let Some(home) = env::home_dir() {
            for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
                command.env(name, env::var_os(name).unwrap_or_else(|| home.join(folder).into()));
            }
        }
        command.envs(FOLDERS.iter().map(|(name, folder)| (name, self.dir.join(folder))));
        command.envs(SETTINGS.iter().copied());
        command.env(RUN_VARIABLE, &self.run);
    }
}

/// The tests may be started from a terminal inside Trackside, which must not be driven by them.
fn is_of_a_running_trackside(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"TRACKSIDE_")
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if let Err(err) = fs::remove_dir_all(&self.dir) {
            eprintln!("cannot remove {}: {err}", self.dir.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_inside_sees_its_own_home_and_no_display() {
        let sandbox = Sandbox::new().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", r#"echo "$HOME|$XDG_STATE_HOME|$DISPLAY|$INSTA_UPDATE""#]);
        command.env("DISPLAY", ":7");
        sandbox.enclose(&mut command);
        let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let dir = sandbox.dir.display();
        assert_eq!(shown, format!("{dir}/home|{dir}/state||no\n"));
    }

    #[test]
    fn nothing_is_left_of_it() {
        let sandbox = Sandbox::new().unwrap();
        let dir = sandbox.dir.clone();
        fs::write(dir.join("home/file"), "text").unwrap();
        drop(sandbox);
        assert!(!dir.exists(), "removed with all it held");
    }

    #[test]
    fn the_sockets_below_it_have_short_paths() {
        let sandbox = Sandbox::new().unwrap();
        let socket = sandbox.dir.join("run/trackside/0123456789abcdef.sock");
        assert!(socket.as_os_str().len() <= 107, "{} is too long", socket.display());
    }
}
