//! Serving the control socket: who may ask, and answers once the effect is there.
//!
//! What each call does is in [`crate::calls`].

use std::path::PathBuf;
use std::time::{Duration, Instant};

use control::{Call, ErrorKind};
use render::Image;
use serde_json::Value;
use workspace::{ActionError, BufferId, OpenFile, ProgramId, WorkspaceId};

use crate::app::{App, Life};
use crate::calls::WrongUsage;
use crate::events::Listener;
use crate::evidence_calls::ReportCall;
use crate::files::ExportId;
use crate::sessions::SessionId;
use crate::socket::{Incoming, Peer, ReplySender, peer};
use crate::status;

const DENIED: &str = "this program was started by an agent, which may not drive Trackside; it may only \
                      report about itself";

/// What an answer waits for.
#[derive(Debug)]
pub(crate) enum Until {
    /// These files are no longer being read or written.
    FilesSettled(Vec<BufferId>),
    /// A terminal's output is saved.
    Exported(ExportId),
    SessionGone(ProgramId, Option<SessionId>),
    InState {
        workspace: WorkspaceId,
        word: String,
    },
    FileClosed(BufferId),
    /// It is known what a crash left behind, or has ended it.
    LeftBehindKnown,
    Ended,
}

#[derive(Debug)]
struct Waiting {
    until: Until,
    reply: ReplySender,
    answer: Value,
    deadline: Option<Instant>,
    failure: Option<String>,
}

/// Clients that wait for something, and those that listen to events.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    waiting: Vec<Waiting>,
    pub(crate) listeners: Vec<Listener>,
}

/// An answer now, or once something has happened.
pub(crate) enum Answer {
    Now(Value),
    Later(Until, Value, Option<Duration>),
    /// Once it is written, on a thread that may take its time.
    Picture(PathBuf, Image),
    Listen,
}

impl App {
    pub(crate) fn serve_request(&mut self, incoming: Incoming, now: Instant) {
        let Incoming { request, peer, reply } = incoming;
        if self.is_from_an_agent(&peer) && request.call != Call::Ping {
            match request.call {
                Call::Report {
                    workspace: None,
                    state,
                    reason,
                    text,
                    sequence,
                    launch,
                    session,
                } => {
                    let report = ReportCall { state, reason, text, sequence, launch, session };
                    self.serve_own_report(&peer, report, reply, now);
                }
                _ => reply.fail(ErrorKind::Denied, DENIED),
            }
            return;
        }
        self.files_in_motion.clear();
        match self.answer(request.call, now) {
            Ok(Answer::Now(answer)) => reply.done(answer),
            Ok(Answer::Later(until, answer, limit)) => {
                let deadline = limit.map(|limit| now + limit);
                let failure = None;
                self.requests.waiting.push(Waiting { until, reply, answer, deadline, failure });
            }
            Ok(Answer::Picture(path, image)) => self.pictures.write(path, image, reply),
            Ok(Answer::Listen) => {
                self.requests.listeners.push(Listener::new(reply));
            }
            Err(err) => {
                let usage = err.is::<WrongUsage>()
                    || err.downcast_ref::<ActionError>().is_some_and(is_usage);
                let kind = if usage { ErrorKind::Usage } else { ErrorKind::Failed };
                reply.fail(kind, format!("{err:#}"));
            }
        }
    }

    /// Takes what a program reports of the agent that started it, and of no other.
    fn serve_own_report(
        &mut self,
        peer: &Peer,
        report: ReportCall,
        reply: ReplySender,
        now: Instant,
    ) {
        // It must both descend from the agent and carry the mark of this very launch: what an earlier
        // launch left behind, or another agent, does not.
        let agent = peer.pid.and_then(|pid| {
            let is_marked =
                |mark: &str| peer::environ_is(pid, pty::SESSION_VARIABLE, mark).unwrap_or(false);
            self.sessions.agent_of(&with_itself(pid, peer::ancestors(pid)?), is_marked)
        });
        match agent {
            Some(agent) => match self.take_report(agent, report, now) {
                Ok(()) => reply.done(Value::Object(serde_json::Map::new())),
                Err(other) => reply.fail(ErrorKind::Denied, other.to_string()),
            },
            None => reply.fail(ErrorKind::Denied, DENIED),
        }
    }

    /// A descendant of ours that was not started by the person: an agent or something it started.
    fn is_from_an_agent(&self, peer: &Peer) -> bool {
        let Some(pid) = peer.pid else { return true };
        // What the host started descends from it, and perhaps not from us.
        let own = i32::try_from(std::process::id()).unwrap_or(0);
        let ours = [Some(own), self.sessions.host_pid()];
        // Nor need we ever have talked to it: it may be of an earlier run.
        let is_hosts = |family: &[i32]| host::host_among(&self.places.state_dir, family).is_some();
        // Inside an agent's terminal ourselves, the mark says nothing: our user has it too.
        let is_nested = std::env::var_os(pty::SESSION_VARIABLE).is_some();
        let marked = peer::environ_has(pid, pty::SESSION_VARIABLE).unwrap_or(true);
        let ancestors = peer::ancestors(pid);
        let is_ours = |pid: &i32| ours.contains(&Some(*pid));
        let descends = ancestors
            .as_ref()
            .is_none_or(|ancestors| ancestors.iter().any(is_ours) || is_hosts(ancestors));
        if !descends && (!marked || is_nested) {
            return false;
        }
        // What the person runs in a terminal of their own is theirs, and so is what they have set up to
        // be run for who waits. It must both descend from it and carry its mark: what an agent started
        // does not descend from it.
        let is_marked =
            |mark: &str| peer::environ_is(pid, pty::SESSION_VARIABLE, mark).unwrap_or(false);
        let family = with_itself(pid, ancestors.unwrap_or_default());
        !self.sessions.is_in_plain_terminal(&family, is_marked)
            && !self.notices.is_from_command(&family, is_marked)
    }

    /// Answers those whose wish has come true, or cannot any more.
    pub(crate) fn settle_requests(&mut self, now: Instant) {
        let waiting = std::mem::take(&mut self.requests.waiting);
        for mut request in waiting {
            if !request.reply.is_open() {
                continue;
            }
            if let Some(failure) = request.failure.take() {
                request.reply.fail(ErrorKind::Failed, failure);
                continue;
            }
            match self.has_come_true(&request.until) {
                Ok(true) => request.reply.done(request.answer),
                Err(why) => request.reply.fail(ErrorKind::Failed, why),
                Ok(false) if request.deadline.is_some_and(|at| at <= now) => {
                    let message = self.still(&request.until);
                    request.reply.fail(ErrorKind::Timeout, message);
                }
                Ok(false) => self.requests.waiting.push(request),
            }
        }
    }

    /// A terminal's output was saved or not: whoever waits for it hears of that.
    pub(crate) fn export_ended(&mut self, id: ExportId, result: Result<(), &str>) {
        self.exports.remove(&id);
        let Err(message) = result else { return };
        for request in &mut self.requests.waiting {
            if matches!(request.until, Until::Exported(wanted) if wanted == id) {
                request.failure = Some(message.to_owned());
            }
        }
    }

    /// What there is instead of what was waited for.
    fn still(&self, until: &Until) -> String {
        let workspace = match until {
            Until::InState { workspace, .. } => self.state.workspace(*workspace),
            _ => None,
        };
        workspace.map_or_else(
            || "timed out".to_owned(),
            |it| format!("timed out; {} is {}", it.name(), it.status().name()),
        )
    }

    /// An error where it never will.
    fn has_come_true(&self, until: &Until) -> Result<bool, &'static str> {
        Ok(match until {
            Until::FilesSettled(files) => {
                let in_motion = |file: &OpenFile| {
                    file.is_saving() || *file.load_state() == workspace::LoadState::Loading
                };
                !files.iter().filter_map(|id| self.state.file(*id)).any(in_motion)
            }
            Until::Exported(id) => !self.exports.contains(id),
            Until::LeftBehindKnown => !self.orphans.is_busy(),
            Until::SessionGone(program, session) => {
                session.is_none() || self.sessions.session(*program) != *session
            }
            Until::InState { workspace, word } => {
                let workspace =
                    self.state.workspace(*workspace).ok_or("the workspace was closed")?;
                status::is_in(workspace, word)
            }
            Until::FileClosed(buffer) => self.state.file(*buffer).is_none(),
            Until::Ended => self.life == Life::Ended,
        })
    }
}

impl Requests {
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.waiting.iter().filter_map(|request| request.deadline).min()
    }

    /// We do not end, as was asked for.
    pub(crate) fn end_failed(&mut self, message: &str) {
        for request in &mut self.waiting {
            if matches!(request.until, Until::Ended) {
                request.failure = Some(message.to_owned());
            }
        }
    }

    /// A file could not be read or written: whoever waits for it hears of that.
    pub(crate) fn file_failed(&mut self, buffer: BufferId, message: &str) {
        for request in &mut self.waiting {
            if matches!(&request.until, Until::FilesSettled(files) if files.contains(&buffer)) {
                request.failure = Some(message.to_owned());
            }
        }
    }
}

/// The process a terminal was opened for may itself be the one that asks.
fn with_itself(pid: i32, ancestors: Vec<i32>) -> Vec<i32> {
    std::iter::once(pid).chain(ancestors).collect()
}

fn is_usage(err: &ActionError) -> bool {
    matches!(
        err,
        ActionError::UnknownAction(_)
            | ActionError::BadArguments { .. }
            | ActionError::BadChord(_)
            | ActionError::EmptyCommand
    )
}
