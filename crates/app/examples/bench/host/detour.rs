//! The same program behind a terminal of our own and behind the host's: how fast it prints, and how long
//! a key takes to it and back.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use control::host::{Launch, SizeStatus, Text};
use crossbeam_channel::{Receiver, Sender, unbounded};
use host::{Client, Start};
use pty::{Adopted, ByteSink, PtySession, PtySize, SpawnRequest};

use crate::instance;
use crate::table::{Row, Unit, milliseconds};
use crate::{Effort, clock};

const SIZE: PtySize = PtySize { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 };
const ENV: [(&str, &str); 1] = [("PATH", "/usr/bin:/bin")];
const PATIENCE: Duration = Duration::from_secs(60);
const QUIET: Duration = Duration::from_millis(200);
const LINE: &str = "0123456789 the quick brown fox jumps over the lazy dog, again and again\n";

const THROUGHPUT: f64 = 0.85;
/// Milliseconds.
const ECHO: f64 = 0.2;

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let (n_bytes, n_rounds, n_keys) = match effort {
        Effort::Quick => (20_000_000, 3, 500),
        Effort::Full => (100_000_000, 5, 2_000),
    };
    let folder = tempfile::Builder::new().prefix("tsb").tempdir()?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700))?;
    let client = Client::start(start(folder.path())?, drop)?;

    let n_lines = n_bytes / LINE.len();
    let file = folder.path().join("log");
    fs::write(&file, LINE.repeat(n_lines))?;
    let file = file.to_str().context("a plain path")?;
    // Each line gets a carriage return on its way.
    let printed = (n_lines * (LINE.len() + 1)) as u64;
    let mut ratios = Vec::new();
    let mut rates = VecDeque::new();
    for _ in 0..n_rounds {
        let own = rate(Program::direct(&["cat", file])?, printed)?;
        let hosted = rate(Program::hosted(&client, &["cat", file])?, printed)?;
        ratios.push(hosted / own);
        rates.push_back((own, hosted));
    }
    ratios.sort_by(f64::total_cmp);
    let echoes = ["sh", "-c", "stty raw -echo; exec cat"];
    let own = echo(&Program::direct(&echoes)?, n_keys)?;
    let hosted = echo(&Program::hosted(&client, &echoes)?, n_keys)?;
    end(&client);

    let (fastest_own, fastest_hosted) =
        rates.iter().fold((0.0_f64, 0.0_f64), |best, it| (best.0.max(it.0), best.1.max(it.1)));
    let name =
        format!("host: `cat` through it, {fastest_hosted:.0} / {fastest_own:.0} MB a second");
    let longer = milliseconds(hosted) - milliseconds(own);
    let way = format!("host: a key and its echo, {hosted:.0?} / {own:.0?}, longer by");
    Ok(vec![
        Row::at_least(&name, ratios[ratios.len() / 2], THROUGHPUT, Unit::Times),
        Row::at_most(&way, longer, ECHO, Unit::Milliseconds),
    ])
}

fn start(state_dir: &Path) -> Result<Start> {
    Ok(Start {
        program: instance::program()?,
        args: vec!["host".into()],
        state_dir: state_dir.to_owned(),
        runtime_dir: None,
    })
}

fn end(client: &Client) {
    let (ended, end) = unbounded::<()>();
    client.quit(Duration::ZERO, move || drop(ended));
    // Closed once it has ended.
    let _closed = end.recv_timeout(PATIENCE).is_err();
}

/// Counts what it is fed, and says when something came.
struct Counter {
    count: Arc<AtomicU64>,
    fed: Sender<()>,
}

impl ByteSink for Counter {
    fn feed(&mut self, bytes: &[u8]) {
        self.count.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        // Nobody may be listening any more.
        let _unheard = self.fed.send(()).is_err();
    }

    fn timeout(&mut self) -> Option<Duration> {
        None
    }

    fn on_timeout(&mut self) {}

    fn closed(&mut self) {}
}

/// A program that runs, and what has come of it.
struct Program {
    session: PtySession,
    count: Arc<AtomicU64>,
    fed: Receiver<()>,
}

impl Program {
    fn with(begin: impl FnOnce(Counter) -> Result<PtySession>) -> Result<Self> {
        let (sender, fed) = unbounded();
        let count = Arc::<AtomicU64>::default();
        let session = begin(Counter { count: Arc::clone(&count), fed: sender })?;
        Ok(Self { session, count, fed })
    }

    fn direct(argv: &[&str]) -> Result<Self> {
        Self::with(|counter| {
            let request = SpawnRequest {
                argv: argv.iter().map(Into::into).collect(),
                cwd: "/".into(),
                env: ENV.iter().map(|(name, value)| (name.into(), value.into())).collect(),
                size: SIZE,
                name: "direct".to_owned(),
            };
            Ok(PtySession::spawn(request, |_writer| counter, drop)?)
        })
    }

    fn hosted(client: &Client, argv: &[&str]) -> Result<Self> {
        Self::with(|counter| {
            let text = |text: &str| Text::from(OsStr::new(text));
            let launch = Launch {
                label: serde_json::Value::Null,
                argv: argv.iter().copied().map(text).collect(),
                cwd: text("/"),
                env: ENV.iter().map(|(name, value)| (text(name), text(value))).collect(),
                size: SizeStatus { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 },
                name: "bench".to_owned(),
                transcript_limit: None,
            };
            let (spawned, master) = client.spawn(launch)?;
            let adopted = Adopted {
                master,
                source: client.open(spawned.program, 0)?,
                pid: spawned.pid.unsigned_abs(),
                mark: spawned.mark,
                child: client.child(spawned.program),
                name: "hosted".to_owned(),
            };
            Ok(PtySession::adopt(adopted, |_writer| counter)?)
        })
    }
}

/// Megabytes a second.
#[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
fn rate(program: Program, n_bytes: u64) -> Result<f64> {
    let start = clock::now();
    while program.count.load(Ordering::Relaxed) < n_bytes {
        program.fed.recv_timeout(PATIENCE).context("it prints no more")?;
    }
    Ok(n_bytes as f64 / 1e6 / (clock::now() - start).as_secs_f64())
}

/// The median way of a key to the program and back.
fn echo(program: &Program, n_keys: usize) -> Result<Duration> {
    while program.fed.recv_timeout(QUIET).is_ok() {}
    let mut times = Vec::with_capacity(n_keys);
    for _ in 0..n_keys {
        let start = clock::now();
        program.session.write(b"x".to_vec())?;
        program.fed.recv_timeout(PATIENCE).context("no echo")?;
        times.push(clock::now() - start);
    }
    Ok(clock::percentile(&mut times, 50))
}
