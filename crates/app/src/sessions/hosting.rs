//! Having the host start programs, so that they outlive us.
//!
//! It is started when the first program is. Where there can be none, programs are our own, and the
//! person is told once what that means.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use control::host::{EndStatus, Launch, SizeStatus, Text};
use host::{Client, ClientError, HostSource, Start};
use pty::{Adopted, SpawnRequest};
use terminal::GridSize;

use super::label::{Label, Labelled};
use super::rejoining::Finder;
use crate::news::{News, NewsSender};

/// Bytes of transcript that a terminal without an agent is given.
const TERMINAL_LIMIT: u64 = 8 * 1024 * 1024;

/// The host and the way to it.
#[derive(Debug)]
pub(super) struct Hosting {
    start: Start,
    news: NewsSender,
    client: Option<Arc<Client>>,
    /// The connection that it is.
    present: u64,
    /// Programs that ended before they were served.
    early_ends: BTreeMap<u64, EndStatus>,
    /// Counts the hosts that we have talked to: what one says is of no other.
    connections: u64,
    /// The last one's process.
    pid: Option<i32>,
    has_complained: bool,
    /// It was told to end, and has not.
    is_ending: bool,
}

/// A program of the host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hosted {
    /// Of which host.
    pub connection: u64,
    /// The host's number for it.
    pub program: u64,
    /// How much it had printed before we began to read.
    pub from: u64,
    /// Its end is known, though perhaps not all that it printed has been read.
    pub has_ended: bool,
    /// Others may show it, so that the host decides on its size.
    pub has_views: bool,
}

impl Hosting {
    pub(super) fn new(start: Start, news: NewsSender) -> Self {
        Self {
            start,
            news,
            client: None,
            present: 0,
            early_ends: BTreeMap::new(),
            connections: 0,
            pid: None,
            has_complained: false,
            is_ending: false,
        }
    }

    pub(super) fn pid(&self) -> Option<i32> {
        self.pid
    }

    /// Has the host start a program; waits some milliseconds for it.
    ///
    /// # Errors
    /// The program cannot be started, or there is no host.
    pub(super) fn begin(
        &mut self,
        request: &SpawnRequest,
        label: &Label,
    ) -> Result<(Hosted, Adopted<HostSource>), ClientError> {
        let launch = to_launch(request, label);
        match self.try_to_begin(launch.clone(), request) {
            // One that has gone since is replaced.
            Err(ClientError::Gone) => {
                self.client = None;
                self.try_to_begin(launch, request)
            }
            begun => begun,
        }
    }

    fn try_to_begin(
        &mut self,
        launch: Launch,
        request: &SpawnRequest,
    ) -> Result<(Hosted, Adopted<HostSource>), ClientError> {
        let client = Arc::clone(self.connect()?);
        let (connection, has_views) = (self.present, client.has_views());
        let (spawned, master) = client.spawn(launch)?;
        let program = spawned.program;
        let source = client.open(program, 0).inspect_err(|_| client.discard(program))?;
        let child = client.child(program);
        let hosted =
            Hosted { connection, program, from: source.start(), has_ended: false, has_views };
        let (pid, mark) = (spawned.pid.unsigned_abs(), spawned.mark);
        Ok((hosted, Adopted { master, source, pid, mark, child, name: request.name.clone() }))
    }

    fn connect(&mut self) -> Result<&Arc<Client>, ClientError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => {
                self.connections += 1;
                let (news, connection) = (self.news.clone(), self.connections);
                let tell = move |notice| news.send(News::Host(connection, notice));
                let client = Client::start(self.start.clone(), tell)?;
                self.pid = Some(client.pid());
                self.present = connection;
                Arc::new(client)
            }
        };
        Ok(self.client.insert(client))
    }

    /// Kills what is left of it, and has it forgotten.
    pub(super) fn discard(&self, hosted: Hosted) {
        if let Some(client) = self.client.as_ref().filter(|_| self.is_present(hosted.connection)) {
            client.discard(hosted.program);
        }
    }

    /// Lets the host know how much room there is for a program; `None`: it is not on show.
    pub(super) fn view(&self, hosted: Hosted, room: Option<GridSize>) {
        let size = room.map(|GridSize { columns, rows }| SizeStatus {
            columns,
            rows,
            pixel_width: 0,
            pixel_height: 0,
        });
        if let Some(client) = self.client.as_ref().filter(|_| self.is_present(hosted.connection)) {
            client.view(hosted.program, size);
        }
    }

    /// For a look at a host that runs already, aside.
    pub(super) fn finder(&mut self) -> Finder {
        self.connections += 1;
        let (start, news) = (self.start.clone(), self.news.clone());
        Finder { start, news, connection: self.connections }
    }

    /// Goes on with a connection that was made aside, unless there is one by now: there is one host only.
    pub(super) fn take_client(&mut self, client: Client, connection: u64) -> (Arc<Client>, u64) {
        if self.client.is_none() {
            (self.present, self.pid) = (connection, Some(client.pid()));
        }
        let client = self.client.get_or_insert_with(|| Arc::new(client));
        (Arc::clone(client), self.present)
    }

    /// A program has ended that is not served, or not yet.
    pub(super) fn ended_early(&mut self, program: u64, end: EndStatus) {
        self.early_ends.insert(program, end);
    }

    /// How that program ended before it was served, if it has.
    pub(super) fn early_end(&mut self, program: u64) -> Option<EndStatus> {
        self.early_ends.remove(&program)
    }

    /// Ends the host with all that it holds, if there is one, and runs `on_ended` then.
    pub(super) fn end(&mut self, grace: Duration, on_ended: impl FnOnce() + Send + 'static) {
        if let Some(client) = &self.client {
            self.is_ending = true;
            client.quit(grace, on_ended);
        }
    }

    pub(super) fn ended(&mut self) {
        self.is_ending = false;
    }

    pub(super) fn is_ending(&self) -> bool {
        self.is_ending
    }

    /// The host of that connection has gone.
    pub(super) fn lost(&mut self, connection: u64) {
        if self.is_present(connection) {
            self.client = None;
            self.is_ending = false;
            // Another host counts its programs anew.
            self.early_ends.clear();
        }
    }

    /// Whether that is the host we talk to, and it is still there.
    pub(super) fn is_connected(&self, connection: u64) -> bool {
        self.client.is_some() && self.is_present(connection)
    }

    fn is_present(&self, connection: u64) -> bool {
        self.present == connection
    }

    /// What to tell the person of a host that is not to be had, if that was not said before.
    pub(super) fn complaint(&mut self, err: &ClientError) -> Option<String> {
        tracing::warn!("no host: {err}");
        let is_new = !std::mem::replace(&mut self.has_complained, true);
        is_new.then(|| format!("Programs end with Trackside, as there is no host: {err}"))
    }

    /// Whether there was something to complain of until now.
    pub(super) fn is_content_again(&mut self) -> bool {
        std::mem::take(&mut self.has_complained)
    }
}

fn to_launch(request: &SpawnRequest, label: &Label) -> Launch {
    let text = |text: &OsStr| Text::from(text);
    let size = request.size;
    Launch {
        label: label.to_json(),
        argv: request.argv.iter().map(|word| text(word)).collect(),
        cwd: Text::from(request.cwd.as_path()),
        env: request.env.iter().map(|(name, value)| (text(name), text(value))).collect(),
        size: SizeStatus {
            columns: size.columns,
            rows: size.rows,
            pixel_width: size.pixel_width,
            pixel_height: size.pixel_height,
        },
        name: label.transcripts(),
        transcript_limit: match label.kind {
            Labelled::Agent { .. } => None,
            Labelled::Terminal { .. } => Some(TERMINAL_LIMIT),
        },
    }
}

/// How it ended. The host says one of the two.
pub(super) fn exit_of(end: EndStatus) -> agent::Exit {
    match end.signal {
        Some(signal) => agent::Exit::Signal(signal),
        None => agent::Exit::Code(end.code.unwrap_or(-1)),
    }
}
