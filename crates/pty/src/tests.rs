//! Sessions with real programs: what each test file shares.
//!
//! Nothing sleeps: a test waits on a channel, or looks again at each tick until a deadline.

mod capture;
mod endings;
mod foreground;
mod input;
mod launching;
mod output;
mod shapes;
mod zoo;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::Worker;
use crossbeam_channel::{Receiver, Sender};
use tempfile::TempDir;

use crate::{
    ByteSink, Ended, PtySession, PtySize, PtyWriter, SpawnError, SpawnRequest, become_subreaper,
};

/// Long enough for a busy machine; what the product promises (D35, F13).
const DEADLINE: Duration = Duration::from_secs(5);

/// Time for all three steps: SIGTERM, SIGHUP at 0.5 s, SIGKILL.
const GRACE: Duration = Duration::from_millis(700);

const SIZE: PtySize = PtySize { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 };

/// A session in a folder of its own, with what it printed and how it ended.
struct Fixture {
    session: PtySession,
    output: Arc<Mutex<Vec<u8>>>,
    exits: Receiver<Ended>,
    folder: TempDir,
}

/// Keeps what it is fed.
struct Recorder {
    output: Arc<Mutex<Vec<u8>>>,
}

impl ByteSink for Recorder {
    fn feed(&mut self, bytes: &[u8]) {
        self.output.lock().unwrap().extend_from_slice(bytes);
    }

    fn timeout(&mut self) -> Option<Duration> {
        None
    }

    fn on_timeout(&mut self) {}

    fn closed(&mut self) {
        self.output.lock().unwrap().extend_from_slice(b"<closed>");
    }
}

impl Fixture {
    #[track_caller]
    fn sh(name: &str, script: &str) -> Self {
        Self::start(name, &["sh", "-c", script])
    }

    #[track_caller]
    fn start(name: &str, argv: &[&str]) -> Self {
        become_subreaper().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let output = Arc::new(Mutex::new(Vec::new()));
        let (exit, exits) = crossbeam_channel::unbounded();
        let session = PtySession::spawn(
            SpawnRequest { name: name.to_owned(), ..request(argv, folder.path()) },
            |_| Recorder { output: Arc::clone(&output) },
            report(exit),
        )
        .unwrap();
        Self { session, output, exits, folder }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.lock().unwrap()).into_owned()
    }

    #[track_caller]
    fn wait_for(&self, text: &str) {
        eventually(&format!("output {text:?}"), || self.text().contains(text));
    }

    /// The numbers on lines such as `pid 123`, once there are so many.
    #[track_caller]
    fn wait_for_pids(&self, count: usize) -> Vec<i32> {
        let pids = || -> Vec<i32> {
            let text = self.text();
            let numbers = text.lines().filter_map(|line| line.strip_prefix("pid ")?.parse().ok());
            numbers.collect()
        };
        eventually(&format!("{count} processes"), || pids().len() >= count);
        pids()
    }

    #[track_caller]
    fn exit(&self) -> Ended {
        self.exits.recv_timeout(DEADLINE).expect("the exit should be told")
    }

    #[track_caller]
    fn stop(&self) {
        let (stopped, news) = crossbeam_channel::bounded(1);
        self.session.stop(GRACE, move || stopped.send(()).unwrap());
        news.recv_timeout(DEADLINE).expect("the session should stop");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn request(argv: &[&str], cwd: &Path) -> SpawnRequest {
    let variable = |key: &str, value: OsString| (OsString::from(key), value);
    SpawnRequest {
        argv: argv.iter().map(OsString::from).collect(),
        cwd: cwd.to_owned(),
        env: vec![
            variable("PATH", std::env::var_os("PATH").unwrap_or_default()),
            variable("TERM", "xterm-256color".into()),
            variable("HOME", cwd.into()),
        ],
        size: SIZE,
        name: "test".to_owned(),
    }
}

fn report(exit: Sender<Ended>) -> impl FnOnce(Ended) + Send {
    move |ended| exit.send(ended).expect("the test should still listen")
}

fn spawn(request: SpawnRequest) -> Result<PtySession, SpawnError> {
    let make_sink = |_: PtyWriter| Recorder { output: Arc::default() };
    PtySession::spawn(request, make_sink, |_| {})
}

#[track_caller]
fn eventually(what: &str, condition: impl Fn() -> bool) {
    let ticks = crossbeam_channel::tick(Duration::from_millis(10));
    for _ in 0..500 {
        if condition() {
            return;
        }
        ticks.recv().unwrap();
    }
    panic!("{what} did not come");
}

/// Fails if `act` takes longer.
#[track_caller]
fn within(limit: Duration, act: impl FnOnce() + Send + 'static) {
    let (done, news) = crossbeam_channel::bounded(1);
    let _thread = Worker::spawn("within", (), move || {
        act();
        done.send(()).expect("the test should still wait");
    })
    .unwrap();
    news.recv_timeout(limit).expect("it should be done by now");
}

/// Whether there is such a process, be it a zombie.
fn exists(pid: i32) -> bool {
    fs::exists(format!("/proc/{pid}")).unwrap()
}

/// How long the threads of this session have run, in nanoseconds.
fn cpu_time(name: &str) -> u64 {
    let threads = ["pty-read:", "pty-write:", "child:"].map(|role| {
        // The kernel keeps 15 bytes of a name.
        format!("{role}{name}").chars().take(15).collect::<String>()
    });
    let time_of = |task: &Path| -> Option<u64> {
        let name = fs::read_to_string(task.join("comm")).ok()?;
        let statistics = fs::read_to_string(task.join("schedstat")).ok()?;
        let is_ours = threads.iter().any(|thread| thread == name.trim_end());
        statistics.split(' ').next()?.parse().ok().filter(|_| is_ours)
    };
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let times: Vec<u64> = tasks.filter_map(|task| time_of(&task.ok()?.path())).collect();
    assert_eq!(times.len(), 3, "all three threads of {name} should be found");
    times.iter().sum()
}

#[track_caller]
fn assert_idle(name: &str) {
    let before = cpu_time(name);
    let never = crossbeam_channel::never::<()>();
    never.recv_timeout(Duration::from_millis(300)).unwrap_err();
    let spent = Duration::from_nanos(cpu_time(name) - before);
    assert!(spent < Duration::from_millis(6), "{name} was busy for {spent:?} of 300 ms");
}
