//! Serving the control socket: from calls to actions, and answers once the effect is there.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent::AgentId;
use anyhow::{Result, anyhow};
use control::{AgentChoice, Call, ErrorKind};
use render::Image;
use serde_json::{Value, json};
use workspace::{
    Action, ActionError, AgentAction, AppAction, Arg, Args, BufferId, Launch, OpenFile, State,
    TabContent, Workspace, WorkspaceId,
};

use crate::app::{App, Life};
use crate::events::Listener;
use crate::sessions::SessionId;
use crate::socket::{Incoming, Peer, ReplySender, peer};
use crate::status;

/// What an answer waits for.
#[derive(Debug)]
enum Until {
    /// These files are no longer being read or written.
    FilesSettled(Vec<BufferId>),
    SessionGone(AgentId, Option<SessionId>),
    InState {
        workspace: WorkspaceId,
        word: String,
    },
    FileClosed(BufferId),
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
enum Answer {
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
            let message = "this program was started by an agent, which may not drive Trackside";
            reply.fail(ErrorKind::Denied, message);
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

    /// A descendant of ours that was not started by the person: an agent or something it started.
    fn is_from_an_agent(&self, peer: &Peer) -> bool {
        let Some(pid) = peer.pid else { return true };
        let own = i32::try_from(std::process::id()).unwrap_or(0);
        // Inside an agent's terminal ourselves, the mark says nothing: our user has it too.
        let is_nested = std::env::var_os(pty::SESSION_VARIABLE).is_some();
        let marked = peer::environ_has(pid, pty::SESSION_VARIABLE).unwrap_or(true);
        let descends = peer::ancestors(pid).is_none_or(|ancestors| ancestors.contains(&own));
        descends || (marked && !is_nested)
    }

    fn answer(&mut self, call: Call, now: Instant) -> Result<Answer> {
        match call {
            Call::Ping => Ok(Answer::Now(json!({ "pid": std::process::id() }))),
            Call::Status => {
                Ok(Answer::Now(serde_json::to_value(status::status(&self.state, now))?))
            }
            Call::Stats => Ok(Answer::Now(serde_json::to_value(self.stats(now))?)),
            Call::Doctor => Ok(Answer::Now(self.doctor())),
            Call::Actions => Ok(Answer::Now(actions())),
            Call::Do { action, args } => {
                let action = State::named_action(&action, args_of(args)?)?;
                let stops = matches!(action, Action::Agent(AgentAction::Stop { .. }));
                let agent = self.state.active_workspace().and_then(Workspace::agent);
                let agent = agent.map(agent::AgentHandle::id);
                self.act(action, now)?;
                match agent {
                    _ if self.state.is_quitting() => {
                        Ok(Answer::Later(Until::Ended, json!({}), None))
                    }
                    Some(agent) if stops => Ok(self.once_gone(agent)),
                    _ => Ok(self.once_settled()),
                }
            }
            Call::Open { path, line, column, wait } => {
                let at = line.map(|line| (line, column.unwrap_or(1)));
                self.open_path(&path, at, now)?;
                match self.state.active_file() {
                    Some((buffer, _)) if wait && !path.is_dir() => {
                        Ok(Answer::Later(Until::FileClosed(buffer), json!({}), None))
                    }
                    _ => Ok(self.once_settled()),
                }
            }
            Call::AgentStart { workspace, agent } => {
                let workspace = self.workspace_id(workspace.as_deref())?;
                let launch = match agent {
                    AgentChoice::Name(name) => Launch::Named(name),
                    AgentChoice::Command(argv) => Launch::Command(argv),
                };
                self.act(
                    Action::Agent(AgentAction::Start { workspace: Some(workspace), launch }),
                    now,
                )?;
                self.started(workspace)
            }
            Call::AgentRestart { workspace } => {
                let workspace = self.workspace_id(workspace.as_deref())?;
                self.act(Action::Agent(AgentAction::Restart { workspace: Some(workspace) }), now)?;
                self.started(workspace)
            }
            Call::AgentStop { workspace } => {
                let workspace = self.workspace_id(workspace.as_deref())?;
                self.act(Action::Agent(AgentAction::Stop { workspace: Some(workspace) }), now)?;
                let agent = self.state.workspace(workspace).and_then(Workspace::agent);
                Ok(self.once_gone(agent.ok_or(ActionError::NoWorkspace)?.id()))
            }
            Call::AgentSend { workspace, text, enter } => {
                let workspace = Some(self.workspace_id(workspace.as_deref())?);
                let bytes = format!("{text}{}", if enter { "\r" } else { "" }).into_bytes();
                self.write_refused = false;
                self.act(Action::Agent(AgentAction::Send { workspace, bytes }), now)?;
                if self.write_refused {
                    return Err(anyhow!("the agent does not read its input; nothing was sent"));
                }
                Ok(Answer::Now(json!({})))
            }
            Call::Wait { workspace, state, timeout_ms } => {
                let workspace = self.workspace_id(workspace.as_deref())?;
                if !control::WAIT_STATES.contains(&state.as_str()) {
                    let known = control::WAIT_STATES.join(", ");
                    return Err(
                        WrongUsage(format!("unknown state `{state}`; known are {known}")).into()
                    );
                }
                let limit = timeout_ms.map(Duration::from_millis);
                let until = Until::InState { workspace, word: state };
                Ok(Answer::Later(until, json!({}), limit))
            }
            Call::Screen { workspace, tab } => {
                let workspace = self.workspace_id(workspace.as_deref())?;
                self.screen(workspace, tab).map(Answer::Now)
            }
            Call::Screenshot { path } => Ok(Answer::Picture(path, self.picture(now)?)),
            Call::Keys { keys } => {
                for key in State::parse_keys(&keys)? {
                    self.act(Action::Key(key), now)?;
                    self.fit_pane(now);
                }
                Ok(self.once_settled())
            }
            Call::Type { text } => {
                self.act(Action::Text(text), now)?;
                Ok(self.once_settled())
            }
            Call::Events => Ok(Answer::Listen),
            // While there is no host, agents cannot go on without us: they are stopped either way.
            Call::Quit { stop_agents: _ } => {
                let stopped = self.state.live_agents();
                self.act(Action::App(AppAction::QuitAndStop), now)?;
                Ok(Answer::Later(Until::Ended, json!({ "stopped_agents": stopped }), None))
            }
        }
    }

    /// Files that the call set in motion are waited for; those of others are not.
    fn once_settled(&mut self) -> Answer {
        let files = std::mem::take(&mut self.files_in_motion);
        Answer::Later(Until::FilesSettled(files), json!({}), None)
    }

    fn once_gone(&self, agent: AgentId) -> Answer {
        let until = Until::SessionGone(agent, self.sessions.session(agent));
        Answer::Later(until, json!({}), None)
    }

    fn workspace_id(&self, wanted: Option<&str>) -> Result<WorkspaceId, ActionError> {
        let found = match wanted {
            None => self.state.active_workspace().ok_or(ActionError::NoWorkspace)?,
            Some(wanted) => {
                let canonical = Path::new(wanted).canonicalize().ok();
                let by_path = || {
                    let path = canonical.as_ref()?;
                    self.state.workspaces().iter().find(|workspace| workspace.root() == path)
                };
                self.state
                    .find_workspace(wanted)
                    .or_else(by_path)
                    .ok_or_else(|| ActionError::UnknownWorkspace(wanted.to_owned()))?
            }
        };
        Ok(found.id())
    }

    /// The agent runs, or could not be started.
    fn started(&self, workspace: WorkspaceId) -> Result<Answer> {
        let agent = self.state.workspace(workspace).and_then(Workspace::agent);
        let agent = agent.ok_or(ActionError::NoWorkspace)?;
        match agent.failure() {
            Some(failure) => Err(anyhow!("{failure}")),
            None => Ok(Answer::Now(json!({ "pid": agent.pid() }))),
        }
    }

    fn screen(&self, workspace: WorkspaceId, tab: Option<u64>) -> Result<Value> {
        let workspace = self.state.workspace(workspace).ok_or(ActionError::NoWorkspace)?;
        let tab = match tab {
            None => workspace.active_tab(),
            Some(id) => {
                workspace.tabs().iter().copied().find(|tab| u64::from(tab.id.number()) == id)
            }
        };
        let tab = tab.ok_or(ActionError::NoSuchTab)?;
        let rows = match tab.content {
            TabContent::Agent => {
                let agent = workspace.agent().ok_or(ActionError::NoSuchTab)?;
                agent.terminal().visible_text()
            }
            TabContent::File(buffer) => {
                let file = self.state.file(buffer).ok_or(ActionError::NoSuchTab)?;
                let first = file.first_line();
                let last = file.document().n_lines().min(first + self.state.pane().file_rows);
                (first..last).map(|line| file.document().line(line).into_owned()).collect()
            }
        };
        Ok(json!({ "tab": tab.id.number(), "rows": rows }))
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
            Until::SessionGone(agent, session) => {
                session.is_none() || self.sessions.session(*agent) != *session
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

    /// A file could not be read or written: whoever waits for it hears of that.
    pub(crate) fn file_failed(&mut self, buffer: BufferId, message: &str) {
        for request in &mut self.waiting {
            if matches!(&request.until, Until::FilesSettled(files) if files.contains(&buffer)) {
                request.failure = Some(message.to_owned());
            }
        }
    }
}

/// The call makes no sense as it is.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct WrongUsage(String);

fn is_usage(err: &ActionError) -> bool {
    matches!(
        err,
        ActionError::UnknownAction(_)
            | ActionError::BadArguments { .. }
            | ActionError::BadChord(_)
            | ActionError::EmptyCommand
    )
}

fn actions() -> Value {
    let rows = workspace::ACTIONS.iter().map(|spec| {
        json!({ "name": spec.name, "title": spec.title, "doc": spec.doc, "args": spec.args })
    });
    json!({ "actions": rows.collect::<Vec<_>>() })
}

/// JSON arguments as the action table takes them.
fn args_of(value: Value) -> Result<Args> {
    let map = match value {
        Value::Null => return Ok(Args::default()),
        Value::Object(map) => map,
        _ => return Err(WrongUsage("the arguments must be a JSON object".to_owned()).into()),
    };
    let arg = |(name, value): (String, Value)| {
        let bad =
            |name: &str| WrongUsage(format!("argument `{name}` is of a kind that no action takes"));
        let arg = match value {
            Value::String(text) => Arg::Text(text),
            Value::Bool(flag) => Arg::Bool(flag),
            Value::Number(number) => Arg::Number(number.as_i64().ok_or_else(|| bad(&name))?),
            Value::Array(list) => Arg::List(
                list.into_iter()
                    .map(|item| {
                        Ok(item.as_str().map(ToOwned::to_owned).ok_or_else(|| bad(&name))?)
                    })
                    .collect::<Result<_>>()?,
            ),
            Value::Null | Value::Object(_) => return Err(bad(&name).into()),
        };
        Ok((name, arg))
    };
    Ok(Args::new(map.into_iter().map(arg).collect::<Result<Vec<_>>>()?))
}
