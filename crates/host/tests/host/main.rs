//! A real host process, and apps that behave, misbehave and die.
//!
//! Nothing sleeps: a test waits for bytes, for news, or looks again at each tick until a deadline.
#![expect(clippy::unwrap_used, clippy::panic, reason = "all of it is a test")]

mod crashes;
mod discarding;
mod hostile;
mod places;
mod process;
mod programs;
#[path = "../../../pty/src/tests/shapes.rs"]
mod shapes;
mod streams;
mod views;

use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use control::host::{Event, Launch, ProgramStatus, SizeStatus, Spawned, Text};
use crossbeam_channel::Receiver;
use host::{Client, HostSource, Notice, Start};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tempfile::TempDir;

/// Nothing here takes that long, not on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(30);
const GRACE: Duration = Duration::from_millis(700);

/// A host on a state directory of its own, and an app.
struct Fixture {
    client: Option<Client>,
    notices: Receiver<Notice>,
    pid: i32,
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(args: &[&str]) -> Self {
        let folder = private_folder();
        let (client, notices) = connect(start(folder.path(), args));
        Self { pid: client.pid(), client: Some(client), notices, folder }
    }

    fn client(&self) -> &Client {
        self.client.as_ref().expect("the app is there")
    }

    fn start(&self) -> Start {
        start(self.folder.path(), &[])
    }

    fn sh(&self, script: &str) -> (Spawned, OwnedFd) {
        self.client().spawn(self.launch(&["sh", "-c", script])).expect("it should start")
    }

    fn launch(&self, argv: &[&str]) -> Launch {
        let text = |text: &str| Text::from(OsStr::new(text));
        let path = std::env::var_os("PATH").unwrap_or_default();
        Launch {
            label: json!({"workspace": 1}),
            argv: argv.iter().copied().map(text).collect(),
            cwd: Text::from(self.folder.path()),
            env: vec![
                (text("PATH"), Text::from(path.as_os_str())),
                (text("TERM"), text("xterm-256color")),
            ],
            size: SizeStatus { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 },
            name: "agent".to_owned(),
            transcript_limit: None,
        }
    }

    fn status(&self, program: u64) -> ProgramStatus {
        let programs = self.client().list().expect("the host should answer");
        programs.into_iter().find(|it| it.program == program).expect("the program is listed")
    }

    fn tail(&self, program: u64, offset: u64) -> Tail {
        Tail::new(self.client().open(program, offset).expect("there should be a stream"))
    }

    #[track_caller]
    fn event(&self, is_it: impl Fn(&Event) -> bool) -> Event {
        loop {
            match self.notices.recv_timeout(PATIENCE).expect("the event should come") {
                Notice::Event(event) if is_it(&event) => return event,
                Notice::Event(_) => {}
                Notice::Lost => panic!("the host has gone"),
            }
        }
    }

    #[track_caller]
    fn gone(&self, program: u64) {
        self.event(|event| *event == Event::Gone { program });
    }

    #[track_caller]
    fn assert_serves(&self) {
        self.client().list().expect("it still serves");
    }

    /// The app dies.
    fn leave(&mut self) {
        self.client = None;
    }

    /// Another app comes.
    fn come(&mut self) {
        let (client, notices) = connect(self.start());
        assert_eq!(client.pid(), self.pid, "the same host");
        (self.client, self.notices) = (Some(client), notices);
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let name = fs::read_to_string(format!("/proc/{}/comm", self.pid)).unwrap_or_default();
        if !name.starts_with("host-process") || !is_running(self.pid) {
            return;
        }
        let (ended, end) = crossbeam_channel::bounded(1);
        let client = self.client.take().or_else(|| Client::find(self.start(), |_| {}).ok()?);
        if let Some(client) = &client {
            client.quit(Duration::ZERO, move || ended.send(()).unwrap_or_default());
        }
        if client.is_none() || end.recv_timeout(PATIENCE).is_err() {
            kill(Pid::from_raw(self.pid), Signal::SIGKILL).unwrap_or_default();
        }
    }
}

/// What a program prints, as far as it was read.
struct Tail {
    stream: UnixStream,
    start: u64,
    bytes: Vec<u8>,
}

impl Tail {
    fn new(source: HostSource) -> Self {
        let start = source.start();
        let stream = source.into_stream();
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { stream, start, bytes: Vec::new() }
    }

    /// Reads once; false at the end.
    #[track_caller]
    fn read(&mut self) -> bool {
        let mut chunk = vec![0; 64 * 1024];
        match self.stream.read(&mut chunk) {
            Ok(0) => false,
            Ok(len) => {
                self.bytes.extend_from_slice(&chunk[..len]);
                true
            }
            Err(err) if err.kind() == ErrorKind::ConnectionReset => false,
            Err(err) => panic!("reading: {err}; so far: {}", self.text()),
        }
    }

    #[track_caller]
    fn until(&mut self, text: &str) -> &mut Self {
        while !self.bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
            assert!(self.read(), "no {text:?} in {}", self.text());
        }
        self
    }

    fn all(mut self) -> Vec<u8> {
        while self.read() {}
        self.bytes
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The numbers on lines such as `pid 123`, once there are so many.
    #[track_caller]
    fn pids(&mut self, count: usize) -> Vec<i32> {
        loop {
            let text = self.text();
            let whole = text.rsplit_once("\r\n").map_or("", |(whole, _)| whole);
            let lines = whole.split("\r\n");
            let pids: Vec<i32> =
                lines.filter_map(|line| line.strip_prefix("pid ")?.parse().ok()).collect();
            if pids.len() >= count {
                return pids;
            }
            assert!(self.read(), "so far: {text}");
        }
    }
}

fn start(state_dir: &Path, args: &[&str]) -> Start {
    Start {
        program: PathBuf::from(env!("CARGO_BIN_EXE_host-process")),
        args: args.iter().map(Into::into).collect(),
        state_dir: state_dir.to_owned(),
        runtime_dir: None,
    }
}

#[track_caller]
fn connect(start: Start) -> (Client, Receiver<Notice>) {
    let (told, notices) = crossbeam_channel::unbounded();
    let client = Client::start(start, move |notice| drop(told.send(notice)));
    (client.expect("there should be a host"), notices)
}

fn private_folder() -> TempDir {
    let private = fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().permissions(private).tempdir().unwrap()
}

#[track_caller]
fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let ticks = crossbeam_channel::tick(Duration::from_millis(10));
    for _ in 0..3_000 {
        if condition() {
            return;
        }
        ticks.recv().unwrap();
    }
    panic!("{what} did not come");
}

/// Nothing happens for so long that it would have.
fn a_while(duration: Duration) {
    crossbeam_channel::never::<()>().recv_timeout(duration).unwrap_err();
}

/// Whether there is such a process that has not ended.
fn is_running(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

/// A line of `/proc/PID/status`, as a number.
fn status_number(pid: i32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the line is there");
    line.trim_start_matches(':').split_whitespace().next().unwrap().parse().unwrap()
}
