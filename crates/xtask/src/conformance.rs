//! `cargo xtask conformance`: esctest2 in our terminal, and how many of its tests pass.
//!
//! Needs a checkout of esctest2 and a build that answers checksums of the screen, which no release
//! does. Nothing depends on the count but our pride.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};

use crate::sandbox::Sandbox;
use crate::{cargo, packages};

pub(crate) const HELP: &str = "\
Usage: cargo xtask conformance [ARGUMENT]...

Runs esctest2, of which ESCTEST_DIR names a checkout, in a terminal of ours without a window, and
prints its summary and what failed. Why it did is in the log, target/esctest.log. Arguments are
esctest's own, such as --include=CUP. To get it:

  git clone https://github.com/ThomasDickey/esctest2

  -h, --help   this text
";

const VARIABLE: &str = "ESCTEST_DIR";
/// Below the folder of what was built, where it outlives the run.
const LOG: &str = "esctest.log";
/// Reading the screen as current versions of xterm let it be read, and our level of the VT family.
const ARGUMENTS: &[&str] =
    &["--expected-terminal=xterm", "--xterm-checksum=334", "--max-vt-level=4", "--no-print-logs"];
/// Each asks a new process once; together they are some seconds.
const MAX_TRIES: usize = 2000;

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    let folder = env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
    let Some(folder) = folder.map(PathBuf::from) else {
        bail!("{VARIABLE} names no checkout of esctest2; see `cargo xtask conformance --help`");
    };
    let script = script(&folder)?;
    packages::install_missing(&[packages::TO_RUN]);
    let mut build = cargo::cargo();
    cargo::succeed(build.args(["build", "--package", "app", "--features", "conformance"]))?;
    let sandbox = Sandbox::new()?;
    let target = cargo::target_dir()?;
    let program = Program { path: target.join("debug/trackside"), sandbox: &sandbox };
    let log = target.join(LOG);
    // That of another run would be taken for this one's.
    if log.exists() {
        fs::remove_file(&log).with_context(|| format!("cannot remove {}", log.display()))?;
    }
    let mut instance = program.start()?;
    let ran = program.run_esctest(&script, &log, args);
    let ended = program.client(["quit"]).and_then(|()| Ok(instance.wait()?));
    ran?;
    ended?;
    let written = fs::read_to_string(&log).context("esctest wrote no log")?;
    let summary = summary(&written)?;
    failures(&written).for_each(|name| println!("{name}"));
    println!("{summary}");
    println!("The log is {}", log.display());
    Ok(())
}

fn script(folder: &Path) -> anyhow::Result<PathBuf> {
    let places = [folder.join("esctest/esctest.py"), folder.join("esctest.py")];
    let found = places.into_iter().find(|script| script.is_file());
    found.with_context(|| format!("{} holds no esctest.py", folder.display()))
}

/// Ours, in a sandbox.
struct Program<'a> {
    path: PathBuf,
    sandbox: &'a Sandbox,
}

impl Program<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        self.sandbox.enclose(&mut command);
        command.current_dir(self.sandbox.dir()).stdin(Stdio::null());
        command
    }

    /// Starts it without a window and waits until it answers.
    fn start(&self) -> anyhow::Result<Child> {
        let mut instance = self.command().args(["--headless", "--size", "1000x700"]).spawn()?;
        for _ in 0..MAX_TRIES {
            let mut ask = self.command();
            ask.arg("status").stdout(Stdio::null()).stderr(Stdio::null());
            if ask.status()?.success() {
                return Ok(instance);
            }
            if let Some(status) = instance.try_wait()? {
                bail!("the program ended with {status}");
            }
        }
        instance.kill()?;
        instance.wait()?;
        bail!("the program does not answer")
    }

    fn run_esctest(&self, script: &Path, log: &Path, args: &[OsString]) -> anyhow::Result<()> {
        let work = self.sandbox.dir().join("work");
        fs::create_dir(&work)?;
        self.client([OsStr::new("open"), work.as_os_str()])?;
        let mut start: Vec<OsString> =
            ["agent", "start", "-w", "work", "--", "python3"].map(OsString::from).to_vec();
        start.extend([
            script.as_os_str().to_owned(),
            "--logfile".into(),
            log.as_os_str().to_owned(),
        ]);
        start.extend(ARGUMENTS.iter().map(OsString::from));
        start.extend(args.iter().filter(|arg| *arg != "--").cloned());
        self.client(&start)?;
        self.client(["wait", "-w", "work", "--state", "exited", "--timeout", "60m"])
    }

    fn client<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> anyhow::Result<()> {
        cargo::succeed(self.command().args(args).stdout(Stdio::null()))
    }
}

/// The line of the log that counts.
fn summary(log: &str) -> anyhow::Result<&str> {
    let counts = |line: &&str| line.contains(" passed, ") && line.trim().starts_with("***");
    let line =
        log.lines().rfind(counts).context("esctest did not finish; its log has no summary")?;
    Ok(line.trim().trim_matches('*').trim())
}

/// The names that follow, one a line, where any test failed.
fn failures(log: &str) -> impl Iterator<Item = &str> {
    let listed = log.rsplit_once("\nFailing tests:\n").map_or("", |(_, names)| names);
    listed.lines().take_while(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_the_last_line_that_counts() {
        let log = "Run test: a\n*** TEST a FAILED:\n*** 3 tests passed, 1 known bug, 2 TESTS FAILED ***\nb\n";
        assert_eq!(summary(log).unwrap(), "3 tests passed, 1 known bug, 2 TESTS FAILED", "counts");
        assert!(summary("Run test: a\n").is_err(), "it was interrupted");
    }

    #[test]
    fn what_failed_is_listed() {
        let check = |log: &str, expected: &[&str]| {
            assert_eq!(failures(log).collect::<Vec<_>>(), expected, "of {log:?}");
        };
        check("*** 1 test passed, 2 TESTS FAILED ***\nFailing tests:\nA.b\nC.d\n", &["A.b", "C.d"]);
        check("*** 3 tests passed, 0 known bugs, 0 tests failed ***\n", &[]);
    }

    #[test]
    fn without_a_checkout_the_folder_is_named() {
        let err = script(Path::new("/nowhere")).unwrap_err();
        assert_eq!(err.to_string(), "/nowhere holds no esctest.py");
    }
}
