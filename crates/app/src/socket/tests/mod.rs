//! A real server in a temporary folder, and clients that behave and misbehave.

mod bind;
mod hostile;
mod peers;
mod replies;

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use control::{Call, Client};
use serde_json::json;
use tempfile::TempDir;

use super::{ControlServer, Incoming, ServerOptions};

/// Nothing here takes that long, not on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that answers `ping` at once and hands everything else to the test.
struct Harness {
    folder: TempDir,
    path: PathBuf,
    server: Option<ControlServer>,
    incoming: Receiver<Incoming>,
}

impl Harness {
    fn new() -> Self {
        Self::with(ServerOptions::default())
    }

    fn with(options: ServerOptions) -> Self {
        let folder = private_folder();
        let path = folder.path().join("control.sock");
        let (sender, incoming) = mpsc::channel();
        let on_request = move |incoming: Incoming| match incoming.request.call {
            Call::Ping => incoming.reply.done(json!("pong")),
            // The test may be over.
            _ => drop(sender.send(incoming)),
        };
        let server = Some(ControlServer::bind_with(&path, options, on_request).unwrap());
        Self { folder, path, server, incoming }
    }

    fn client(&self) -> Client {
        Client::connect(&self.path).unwrap()
    }

    fn raw(&self) -> Raw {
        let stream = UnixStream::connect(&self.path).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Raw { lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    fn request(&self) -> Incoming {
        self.incoming.recv_timeout(PATIENCE).expect("a request")
    }

    #[track_caller]
    fn assert_serves(&self) {
        assert_eq!(self.client().call(Call::Ping).unwrap(), json!("pong"), "still serves");
    }
}

/// A client that sends what it likes.
struct Raw {
    stream: UnixStream,
    lines: BufReader<UnixStream>,
}

impl Raw {
    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).unwrap();
    }

    /// The next line without its end; empty once the server has closed.
    fn line(&mut self) -> String {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(_) => line.trim_end().to_owned(),
            Err(err) if err.kind() == std::io::ErrorKind::ConnectionReset => String::new(),
            Err(err) => panic!("reading: {err}"),
        }
    }
}

fn private_folder() -> TempDir {
    let private = std::fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().permissions(private).tempdir().unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a test measures and gives up by the real clock")]
fn now() -> Instant {
    Instant::now()
}

#[track_caller]
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = now() + PATIENCE;
    while !holds() {
        assert!(now() < deadline, "not in time: {what}");
        thread::park_timeout(Duration::from_millis(1));
    }
}
