//! Processes that outlived the tests that started them.
//!
//! A test run carries a variable of its own in its environment, and whatever it starts inherits
//! it: through new sessions, groups and parents alike, which is more than a process tree shows.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::bail;

/// How often to look again at processes that are just ending, and how long to wait in between.
const LOOKS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug, PartialEq, Eq)]
struct Leftover {
    pid: u32,
    command: String,
}

/// Fails if a process with this variable in its environment is still there after a moment, names
/// each and ends it.
pub(crate) fn expect_none(variable: &str, value: &str) -> anyhow::Result<()> {
    expect_none_after(LOOKS, &format!("{variable}={value}"))
}

fn expect_none_after(looks: u32, marker: &str) -> anyhow::Result<()> {
    let mut left = find(marker);
    for _ in 1..looks {
        if left.is_empty() {
            break;
        }
        pause();
        left = find(marker);
    }
    if left.is_empty() {
        return Ok(());
    }
    let mut list = String::new();
    for Leftover { pid, command } in &left {
        end(*pid);
        write!(list, "; {pid} `{command}`")?;
    }
    bail!("{} process(es) were left behind and have been ended{list}", left.len());
}

/// The processes whose environment holds exactly `marker`.
fn find(marker: &str) -> Vec<Leftover> {
    let proc = Path::new("/proc");
    let entries = fs::read_dir(proc).into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut left: Vec<Leftover> = pids
        .filter_map(|pid| {
            let dir = proc.join(pid.to_string());
            // Not ours to read, or gone since: either way not one of the tests' processes. One
            // that has ended and waits to be reaped has an empty environment.
            let environ = fs::read(dir.join("environ")).ok()?;
            let ours = environ.split(|byte| *byte == 0).any(|entry| entry == marker.as_bytes());
            ours.then(|| Leftover { pid, command: command_line(&dir) })
        })
        .collect();
    left.sort_by_key(|leftover| leftover.pid);
    left
}

fn command_line(dir: &Path) -> String {
    let bytes = fs::read(dir.join("cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ").trim_end().to_owned()
}

fn end(pid: u32) {
    let killed = Command::new("sh").args(["-c", &format!("kill -KILL {pid}")]).status();
    if !killed.is_ok_and(|status| status.success()) {
        eprintln!("could not end process {pid}");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the end of somebody else's child can only be polled"
)]
fn pause() {
    thread::sleep(PAUSE);
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    /// The name differs from the real one, so that a run inside `cargo xtask test` is not confused.
    const VARIABLE: &str = "XTASK_LEFTOVERS_TEST";

    fn start(value: &str) -> std::process::Child {
        Command::new("cat").env(VARIABLE, value).stdin(Stdio::piped()).spawn().unwrap()
    }

    #[test]
    fn a_process_is_found_by_its_environment_until_it_ends() {
        let value = format!("found-{}", std::process::id());
        let marker = format!("{VARIABLE}={value}");
        let mut child = start(&value);
        let left = find(&marker);
        assert_eq!(left, [Leftover { pid: child.id(), command: "cat".to_owned() }]);

        drop(child.stdin.take());
        child.wait().unwrap();
        assert_eq!(find(&marker), [], "it has ended");
        expect_none(VARIABLE, &value).unwrap();
    }

    #[test]
    fn what_is_left_is_named_and_ended() {
        let value = format!("ended-{}", std::process::id());
        let mut child = start(&value);
        let marker = format!("{VARIABLE}={value}");
        let err = expect_none_after(1, &marker).unwrap_err().to_string();
        let pid = child.id();
        let expected = format!("1 process(es) were left behind and have been ended; {pid} `cat`");
        assert_eq!(err, expected);
        assert!(!child.wait().unwrap().success(), "killed");
    }

    #[test]
    fn a_longer_value_is_another_run() {
        let value = format!("longer-{}", std::process::id());
        let mut child = start(&format!("{value}0"));
        assert_eq!(find(&format!("{VARIABLE}={value}")), []);
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
