//! Running out of descriptors is one clear line, wherever it happens, and leaves nothing behind.
//!
//! A binary of its own, as the limit holds for the whole process.

use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use pty::{ByteSink, PtySession, PtySize, SpawnError, SpawnRequest};

struct Ignore;

impl ByteSink for Ignore {
    fn feed(&mut self, _bytes: &[u8]) {}

    fn timeout(&mut self) -> Option<Duration> {
        None
    }

    fn on_timeout(&mut self) {}

    fn closed(&mut self) {}
}

fn spawn() -> Result<PtySession, SpawnError> {
    let request = SpawnRequest {
        argv: vec![OsString::from("/bin/cat")],
        cwd: "/".into(),
        env: Vec::new(),
        size: PtySize { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 },
        name: "limit".to_owned(),
    };
    PtySession::spawn(request, |_| Ignore, |_| {})
}

fn count(folder: &str) -> usize {
    fs::read_dir(folder).expect("/proc should be there").count()
}

fn children() -> String {
    let tasks = fs::read_dir("/proc/self/task").expect("/proc should be there");
    let read = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).ok();
    tasks.filter_map(|task| read(task.ok()?)).collect()
}

/// A thread that was joined is listed for a moment longer, until the kernel has put it away.
fn threads(expected: usize) -> usize {
    let look = || count("/proc/self/task");
    for _ in 0..100_000 {
        if look() == expected {
            return expected;
        }
        std::thread::yield_now();
    }
    look()
}

#[test]
fn running_out_of_descriptors_is_a_clear_refusal_that_leaves_nothing_behind() {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    // Less the one that counts.
    let before = count("/proc/self/fd") - 1;
    let n_threads = count("/proc/self/task");
    let mut refusals = 0;
    for room in 0..32 {
        let limit = u64::try_from(before + room).unwrap();
        setrlimit(Resource::RLIMIT_NOFILE, limit, hard).unwrap();
        let outcome = spawn();
        setrlimit(Resource::RLIMIT_NOFILE, soft, hard).unwrap();
        match outcome {
            Ok(session) => drop(session),
            Err(err) => {
                refusals += 1;
                let message = err.to_string();
                assert!(message.contains("Too many open files (os error 24)"), "{message}");
            }
        }
        assert_eq!(count("/proc/self/fd") - 1, before, "descriptors, with room for {room}");
        assert_eq!(threads(n_threads), n_threads, "threads, with room for {room}");
        assert_eq!(children(), "", "no process is left, with room for {room}");
    }
    assert!((5..30).contains(&refusals), "the limit was met at many steps: {refusals}");
    let expected = "no terminal could be opened: Too many open files (os error 24); close some \
                    agents or terminals, or raise the limit of open files";
    setrlimit(Resource::RLIMIT_NOFILE, before.try_into().unwrap(), hard).unwrap();
    let message = spawn().map(drop).unwrap_err().to_string();
    setrlimit(Resource::RLIMIT_NOFILE, soft, hard).unwrap();
    assert_eq!(message, expected, "the line a person reads");

    for _ in 0..30 {
        drop(spawn().unwrap());
    }
    assert_eq!(count("/proc/self/fd") - 1, before, "descriptors after 30 sessions");
    assert_eq!(threads(n_threads), n_threads, "threads after 30 sessions");
}
