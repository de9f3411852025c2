//! What the detour through the host costs: throughput and the way of a key, beside the direct path.
//!
//! `cargo run --release -p host --example measure -- path/to/host-process [MEGABYTES]`
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "it is a tool for developers")]
#![expect(clippy::disallowed_methods, reason = "it measures by the real clock")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use control::host::{Launch, SizeStatus, Text};
use crossbeam_channel::{Receiver, Sender, unbounded};
use host::{Client, Start};
use pty::{Adopted, ByteSink, PtySession, PtySize, SpawnRequest};

const SIZE: PtySize = PtySize { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 };
const KEYS: usize = 2_000;

/// Counts what it is fed, and says when something came.
#[derive(Clone)]
struct Counter {
    count: Arc<AtomicU64>,
    fed: Sender<()>,
}

impl ByteSink for Counter {
    fn feed(&mut self, bytes: &[u8]) {
        self.count.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.fed.send(()).unwrap_or_default();
    }

    fn timeout(&mut self) -> Option<Duration> {
        None
    }

    fn on_timeout(&mut self) {}

    fn closed(&mut self) {}
}

fn counter() -> (Counter, Receiver<()>) {
    let (fed, news) = unbounded();
    (Counter { count: Arc::default(), fed }, news)
}

fn direct(argv: &[&str]) -> (PtySession, Arc<AtomicU64>, Receiver<()>) {
    let (counter, news) = counter();
    let request = SpawnRequest {
        argv: argv.iter().map(Into::into).collect(),
        cwd: "/".into(),
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        size: SIZE,
        name: "direct".to_owned(),
    };
    let session = PtySession::spawn(request, |_| counter.clone(), |_| {}).unwrap();
    (session, counter.count, news)
}

fn hosted(client: &Client, argv: &[&str]) -> (PtySession, Arc<AtomicU64>, Receiver<()>) {
    let (counter, news) = counter();
    let text = |text: &str| Text::from(OsStr::new(text));
    let launch = Launch {
        label: serde_json::Value::Null,
        argv: argv.iter().copied().map(text).collect(),
        cwd: text("/"),
        env: vec![(text("PATH"), text("/usr/bin:/bin"))],
        size: SizeStatus { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 },
        name: "measure".to_owned(),
        transcript_limit: None,
    };
    let (spawned, master) = client.spawn(launch).unwrap();
    let adopted = Adopted {
        master,
        source: client.open(spawned.program, 0).unwrap(),
        pid: spawned.pid.unsigned_abs(),
        mark: spawned.mark,
        child: client.child(spawned.program),
        name: "hosted".to_owned(),
    };
    let session = PtySession::adopt(adopted, |_| counter.clone()).unwrap();
    (session, counter.count, news)
}

fn throughput(
    start: impl FnOnce() -> (PtySession, Arc<AtomicU64>, Receiver<()>),
    bytes: u64,
) -> f64 {
    let before = Instant::now();
    let (_session, count, news) = start();
    while count.load(Ordering::Relaxed) < bytes {
        news.recv_timeout(Duration::from_secs(60)).unwrap();
    }
    bytes as f64 / 1e6 / before.elapsed().as_secs_f64()
}

/// The median and the 95th percentile of the way of a key to the program and back.
fn echo((session, _count, news): (PtySession, Arc<AtomicU64>, Receiver<()>)) -> [Duration; 2] {
    let quiet = Duration::from_millis(200);
    while news.recv_timeout(quiet).is_ok() {}
    let mut times: Vec<Duration> = (0..KEYS)
        .map(|_| {
            let before = Instant::now();
            session.write(b"x".to_vec()).unwrap();
            news.recv_timeout(Duration::from_secs(5)).unwrap();
            before.elapsed()
        })
        .collect();
    times.sort();
    [times[KEYS / 2], times[KEYS * 95 / 100]]
}

fn main() {
    let mut args = std::env::args_os().skip(1);
    let program = args.next().expect("the path of host-process");
    let megabytes = args.next().map_or(100, |it| it.to_str().unwrap().parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let start = Start {
        program: program.into(),
        args: Vec::new(),
        state_dir: folder.path().to_owned(),
        runtime_dir: None,
    };
    let client = Client::start(start, |_| {}).unwrap();
    let file = folder.path().join("big");
    let line = "0123456789 the quick brown fox jumps over the lazy dog, again and again and on\n";
    fs::write(&file, line.repeat(megabytes * 1_000_000 / line.len())).unwrap();
    // Each line gets a carriage return on its way.
    let lines = (megabytes * 1_000_000 / line.len()) as u64;
    let bytes = lines * (line.len() as u64 + 1);
    let cat = |file: &Path| ["cat".to_owned(), file.to_str().unwrap().to_owned()];
    let argv = cat(&file);
    let argv: Vec<&str> = argv.iter().map(String::as_str).collect();
    for _ in 0..3 {
        let direct = throughput(|| direct(&argv), bytes);
        let hosted = throughput(|| hosted(&client, &argv), bytes);
        println!("cat: direct {direct:.0} MB/s, hosted {hosted:.0} MB/s, {:.2}", hosted / direct);
    }
    let raw = ["sh", "-c", "stty raw -echo; exec cat"];
    for _ in 0..3 {
        let [direct, direct_late] = echo(direct(&raw));
        let [hosted, hosted_late] = echo(hosted(&client, &raw));
        println!("echo: direct {direct:?} ({direct_late:?}), hosted {hosted:?} ({hosted_late:?})");
    }
    let (ended, end) = unbounded();
    client.quit(Duration::ZERO, move || ended.send(()).unwrap_or_default());
    end.recv_timeout(Duration::from_secs(10)).unwrap_or_default();
}
