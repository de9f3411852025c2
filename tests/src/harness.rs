//! Starting an instance of the program and asking it things.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{refusal, trackside};
use crate::display::Display;

/// How long anything may take before a test gives up; a busy machine is slow, not wrong.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running program with folders of its own.
pub(crate) struct Instance {
    pub dir: TempDir,
    process: Option<Child>,
    display: Option<Display>,
}

/// What is to be started, before it is.
pub(crate) struct Setup {
    dir: TempDir,
    display: Option<Display>,
    args: Vec<String>,
    env: Vec<(String, String)>,
    removed_env: Vec<String>,
}

impl Setup {
    pub(crate) fn headless() -> Self {
        Self::sized("1200x800")
    }

    pub(crate) fn windowed() -> Self {
        Self::new(Some(Display::start()), &[])
    }

    pub(crate) fn sized(size: &str) -> Self {
        Self::new(None, &["--headless", "--size", size])
    }

    /// Everything in a folder whose name is longer than a socket's address may be.
    pub(crate) fn far_down() -> Self {
        Self::below(&"far".repeat(50), None, &["--headless"])
    }

    fn new(display: Option<Display>, args: &[&str]) -> Self {
        Self::below("ts", display, args)
    }

    fn below(prefix: &str, display: Option<Display>, args: &[&str]) -> Self {
        let dir = tempfile::Builder::new().prefix(prefix).tempdir().unwrap();
        for folder in ["home", "state", "config", "run", "one", "two"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        set_mode(&dir.path().join("run"), 0o700);
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Self { dir, display, args, env: Vec::new(), removed_env: Vec::new() }
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn config(self, text: &str) -> Self {
        let folder = self.path("config/trackside");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
        self
    }

    pub(crate) fn arg(mut self, arg: &str) -> Self {
        self.args.push(arg.to_owned());
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.removed_env.push(name.to_owned());
        self
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = trackside(self.dir.path());
        for name in &self.removed_env {
            command.env_remove(name);
        }
        if let Some(display) = &self.display {
            command.env("DISPLAY", display.name());
        }
        command.args(&self.args).envs(self.env.iter().cloned());
        command
    }

    /// Starts the program and waits until it answers.
    pub(crate) fn start(self) -> Instance {
        self.start_through(|program| program)
    }

    /// Starts another program, which becomes ours in the end.
    pub(crate) fn start_through(self, wrap: impl FnOnce(Command) -> Command) -> Instance {
        let log = fs::File::create(self.path("stderr")).unwrap();
        let mut command = wrap(self.command());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let process = command.spawn().unwrap();
        let Self { dir, display, .. } = self;
        let mut instance = Instance { dir, process: Some(process), display };
        instance.wait_until_it_answers();
        instance
    }
}

impl Instance {
    pub(crate) fn headless() -> Self {
        Setup::headless().start()
    }

    fn wait_until_it_answers(&mut self) {
        let gone = |process: &mut Option<Child>| {
            process.as_mut().is_some_and(|it| it.try_wait().unwrap().is_some())
        };
        let answers = wait_for(|| {
            let up = self.cli(["status"]).status.success();
            (up || gone(&mut self.process)).then_some(up)
        });
        assert_eq!(answers, Some(true), "it did not start: {}", self.stderr());
    }

    pub(crate) fn stderr(&self) -> String {
        fs::read_to_string(self.path("stderr")).unwrap_or_default()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn has_window(&self) -> bool {
        self.display.is_some()
    }

    pub(crate) fn display(&self) -> &Display {
        self.display.as_ref().expect("a windowed instance")
    }

    /// Where it listens, as it wrote down for its clients.
    pub(crate) fn socket(&self) -> PathBuf {
        let record = fs::read_to_string(self.path("state/trackside/instance.lock")).unwrap();
        PathBuf::from(record.lines().nth(1).expect("a path"))
    }

    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.process.as_ref().expect("running").id()).unwrap()
    }

    /// Runs a client command to its end.
    pub(crate) fn cli<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Output {
        trackside(self.dir.path()).args(args).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs a client command that must work; gives what it printed.
    #[track_caller]
    pub(crate) fn ok<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> String {
        let args: Vec<S> = args.into_iter().collect();
        let names: Vec<_> = args.iter().map(|arg| arg.as_ref().to_owned()).collect();
        let output = self.cli(&args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{names:?} failed: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a client command that must be refused; gives its exit code and its one line.
    #[track_caller]
    pub(crate) fn refused<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(
        &self,
        args: I,
    ) -> (i32, String) {
        refusal(&self.cli(args))
    }

    pub(crate) fn open(&self, name: &str) {
        self.ok([OsStr::new("open"), self.path(name).as_os_str()]);
    }

    pub(crate) fn status(&self) -> Value {
        serde_json::from_str(&self.ok(["status", "--json"])).unwrap()
    }

    /// The workspace of that name, as `status --json` has it.
    pub(crate) fn workspace(&self, name: &str) -> Value {
        let status = self.status();
        let workspaces = status["workspaces"].as_array().expect("a list");
        workspaces.iter().find(|it| it["name"] == name).cloned().unwrap_or_default()
    }

    pub(crate) fn start_agent(&self, workspace: &str, command: &[&str]) {
        let start = ["agent", "start", "-w", workspace, "--"];
        self.ok(start.iter().chain(command));
    }

    #[track_caller]
    pub(crate) fn wait(&self, workspace: &str, state: &str) {
        self.ok(["wait", "-w", workspace, "--state", state, "--timeout", "60s"]);
    }

    pub(crate) fn screen(&self, workspace: &str) -> String {
        self.ok(["screen", "-w", workspace])
    }

    #[track_caller]
    pub(crate) fn wait_for_screen(&self, workspace: &str, text: &str) {
        // Refused until there is an agent: one may still be about to start.
        let look = || self.cli(["screen", "-w", workspace]);
        let shows = |it: &Output| String::from_utf8_lossy(&it.stdout).contains(text);
        let found = wait_for(|| shows(&look()).then_some(()));
        assert!(found.is_some(), "no {text:?} on the screen: {:?}", look());
    }

    pub(crate) fn stats(&self) -> Value {
        serde_json::from_str(&self.ok(["stats", "--json"])).unwrap()
    }

    /// Ends the program as a person would, and waits for its process.
    pub(crate) fn quit(&mut self) -> String {
        self.quit_with(&["quit", "--stop-agents"])
    }

    /// The same, leaving agents and terminals to themselves.
    pub(crate) fn leave(&mut self) -> String {
        self.quit_with(&["quit"])
    }

    fn quit_with(&mut self, command: &[&str]) -> String {
        let said = self.ok(command);
        let mut process = self.process.take().expect("running");
        let ended = wait_for(|| process.try_wait().unwrap());
        assert!(ended.is_some_and(|it| it.success()), "it did not end well: {}", self.stderr());
        said
    }

    /// Starts an ended program once more, headless, with the same folders.
    pub(crate) fn start_again(&mut self) {
        self.start_again_with(&[]);
    }

    pub(crate) fn start_again_with(&mut self, args: &[&str]) {
        assert!(self.process.is_none(), "it has ended");
        let mut command = trackside(self.dir.path());
        command.arg("--headless").args(args).stdin(Stdio::null()).stdout(Stdio::null());
        let log = fs::File::create(self.path("stderr")).unwrap();
        self.process = Some(command.stderr(log).spawn().unwrap());
        self.wait_until_it_answers();
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        let ended = self.process.as_mut().is_none_or(|it| it.try_wait().unwrap().is_some());
        if ended {
            self.process = None;
        }
        ended
    }

    /// Starts an ended program once more, as it is told to, and waits for nothing.
    pub(crate) fn begin_again(&mut self, change: impl FnOnce(&mut Command) -> &mut Command) {
        assert!(self.process.is_none(), "it has ended");
        let mut command = trackside(self.dir.path());
        let log = fs::File::create(self.path("stderr")).unwrap();
        self.process = Some(change(&mut command).stderr(log).spawn().unwrap());
    }

    /// Ends the program as a crash would: it has no time for anything.
    pub(crate) fn crash(&mut self) {
        let mut process = self.process.take().expect("running");
        process.kill().unwrap();
        process.wait().unwrap();
    }

    pub(crate) fn workspaces(&self) -> Vec<Value> {
        let status: Value = serde_json::from_str(&self.ok(["status", "--json"])).unwrap();
        status["workspaces"].as_array().unwrap().clone()
    }

    /// Waits for the process to end by itself.
    pub(crate) fn wait_for_end(&mut self) -> std::process::ExitStatus {
        let mut process = self.process.take().expect("running");
        wait_for(|| process.try_wait().unwrap()).expect("it ends")
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.end_process();
        // By then it has nothing left to do, unless its app was killed.
        self.end_host();
    }
}

impl Instance {
    fn end_process(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        // In order first, so that agents are stopped; by force only if that does not help.
        let pid = Pid::from_raw(i32::try_from(process.id()).expect("a pid"));
        // It may have ended by itself.
        kill(pid, Signal::SIGTERM).unwrap_or_default();
        let ended = wait_for(|| process.try_wait().ok().flatten());
        if ended.is_none() {
            drop(process.kill());
            drop(process.wait());
        }
    }
}

/// Looks again and again, without sleeping blindly, until there is something or patience ends.
pub(crate) fn wait_for<T>(look: impl FnMut() -> Option<T>) -> Option<T> {
    wait_at_most(PATIENCE, look)
}

#[expect(clippy::disallowed_methods, reason = "the tests' one clock, and their one pause")]
pub(crate) fn wait_at_most<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + limit;
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        if Instant::now() > end {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[expect(clippy::disallowed_methods, reason = "how long something took is what is tested")]
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = run();
    (result, start.elapsed())
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs a script against a headless instance and against a window.
pub(crate) fn on_both(script: impl Fn(&mut Instance)) {
    for setup in [Setup::headless(), Setup::windowed()] {
        let mut instance = setup.start();
        script(&mut instance);
        instance.quit();
    }
}
