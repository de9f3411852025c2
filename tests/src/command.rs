//! The program as a command: with folders of its own, run to its end, or refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The binary, with all its folders below `dir`.
pub(crate) fn trackside(dir: &Path) -> Command {
    let mut command = Command::new(binary());
    for name in [
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "WAYLAND_SOCKET",
        "TRACKSIDE_STATE_DIR",
        "DBUS_SESSION_BUS_ADDRESS",
    ] {
        command.env_remove(name);
    }
    command
        .env("HOME", dir.join("home"))
        .env("XDG_STATE_HOME", dir.join("state"))
        .env("XDG_CONFIG_HOME", dir.join("config"))
        .env("XDG_RUNTIME_DIR", dir.join("run"))
        .env("XDG_CACHE_HOME", dir.join("cache"))
        .env("SHELL", "/bin/sh")
        // As from a shell: the login shell's own files are not asked.
        .env("SHLVL", "1")
        .env_remove("GIO_LAUNCHED_DESKTOP_FILE")
        .env_remove("DESKTOP_STARTUP_ID")
        .env_remove("XDG_ACTIVATION_TOKEN")
        .env("PS1", "$ ")
        .current_dir(dir);
    command
}

/// Runs a program that should end by itself, but is ended if it does not.
pub(crate) fn run_to_end(command: &Command) -> Output {
    let mut timeout = wrapped(command, &["timeout", "--kill-after=5", "30"]);
    timeout.stdin(Stdio::null()).output().unwrap()
}

/// The same command, run by another program that is given it as arguments.
pub(crate) fn wrapped(command: &Command, by: &[&str]) -> Command {
    let mut wrapped = Command::new(by[0]);
    wrapped.args(&by[1..]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    wrapped.current_dir(command.get_current_dir().expect("always set"));
    wrapped
}

pub(crate) fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("TRACKSIDE_BIN") {
        return PathBuf::from(path);
    }
    // target/debug/deps/end_to_end-1234 -> target/debug/trackside
    let this = std::env::current_exe().expect("a path");
    let binary = this.ancestors().nth(2).expect("a folder").join("trackside");
    assert!(binary.exists(), "build it first: cargo build -p app");
    binary
}

/// Exit code and the one line of a refused command.
#[track_caller]
pub(crate) fn refusal(output: &Output) -> (i32, String) {
    let line = String::from_utf8(output.stderr.clone()).unwrap();
    let code = output.status.code().expect("an exit code");
    assert_ne!(code, 0, "it should have been refused");
    assert_eq!(line.lines().count(), 1, "one clear line: {line}");
    assert!(!line.contains("panicked"), "{line}");
    (code, line)
}

/// Exit code 1 and one line that says these things.
#[track_caller]
pub(crate) fn check_line(output: &Output, says: &[&str]) {
    let (code, line) = refusal(output);
    assert_eq!(code, 1, "{line}");
    for word in says {
        assert!(line.contains(word), "should say {word:?}: {line}");
    }
    assert!(!line.contains(".rs:"), "nothing about our source: {line}");
}
