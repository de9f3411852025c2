//! What each call of the control socket does.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use control::{AgentChoice, Call};
use serde_json::{Value, json};
use workspace::{
    Action, ActionError, AgentAction, AgentsThen, AppAction, Arg, Args, Launch, Leaving,
    PlainAction, ProgramId, State, TabContent, UnsavedThen, Workspace, WorkspaceId,
};

use crate::app::App;
use crate::evidence_calls::ReportCall;
use crate::requests::{Answer, Until};
use crate::status;

/// The call makes no sense as it is.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WrongUsage(String);

impl WrongUsage {
    pub(crate) fn new(message: String) -> Self {
        Self(message)
    }
}

impl App {
    /// Does what a call asks.
    ///
    /// # Errors
    /// A refusal, as a line for whoever called.
    pub(crate) fn answer(&mut self, call: Call, now: Instant) -> Result<Answer> {
        match call {
            Call::Ping => Ok(Answer::Now(json!({ "pid": std::process::id() }))),
            Call::Status => {
                Ok(Answer::Now(serde_json::to_value(status::status(&self.state, now))?))
            }
            Call::Stats => Ok(Answer::Now(serde_json::to_value(self.stats(now))?)),
            Call::Doctor => Ok(Answer::Now(self.doctor())),
            Call::Actions => Ok(Answer::Now(actions())),
            Call::Do { action, args } => self.do_action(&action, args, now),
            Call::Open { path, line, column, wait } => {
                let at = line.map(|line| (line, column.unwrap_or(1)));
                self.open(&path, at, wait, now)
            }
            Call::AgentStart { workspace, agent } => {
                self.start_agent(workspace.as_deref(), agent, now)
            }
            Call::AgentRestart { workspace } => {
                let workspace = Some(self.workspace_id(workspace.as_deref())?);
                self.relaunch_agent(AgentAction::Restart { workspace }, workspace, now)
            }
            Call::AgentResume { workspace } => {
                let workspace = Some(self.workspace_id(workspace.as_deref())?);
                self.relaunch_agent(AgentAction::Resume { workspace }, workspace, now)
            }
            Call::AgentStop { workspace } => self.stop_agent(workspace.as_deref(), now),
            Call::AgentSend { workspace, text, enter } => {
                let enter = if enter { "\r" } else { "" };
                self.send(workspace.as_deref(), format!("{text}{enter}"), now)
            }
            Call::AgentWrong { workspace, expected, path } => {
                self.agent_wrong(workspace.as_deref(), (expected, path), now)
            }
            Call::TerminalNew { workspace, cwd, command } => {
                self.new_terminal(workspace.as_deref(), cwd, command, now)
            }
            Call::TerminalSend { workspace, tab, text, enter } => {
                let enter = if enter { "\r" } else { "" };
                self.send_to_terminal((workspace.as_deref(), tab), format!("{text}{enter}"), now)
            }
            Call::TerminalClose { workspace, tab, force } => {
                self.close_terminal((workspace.as_deref(), tab), force, now)
            }
            Call::Wait { workspace, state, timeout_ms } => {
                self.wait(workspace.as_deref(), state, timeout_ms)
            }
            Call::Explain { workspace } => self.explain(workspace.as_deref(), now),
            Call::Report { workspace, state, reason, text, sequence, launch, session } => {
                let report = ReportCall { state, reason, text, sequence, launch, session };
                self.report(workspace.as_deref(), report, now)
            }
            Call::Screen { workspace, tab } => self.screen(workspace.as_deref(), tab),
            Call::Screenshot { path } => Ok(Answer::Picture(path, self.picture(now)?)),
            Call::Keys { keys } => self.keys(&keys, now),
            Call::Type { text } => {
                self.act(Action::Text(text), now)?;
                Ok(self.once_settled())
            }
            Call::Events => Ok(Answer::Listen),
            Call::Quit { stop_agents } => self.quit(stop_agents, now),
        }
    }

    /// Agents that cannot go on without us are stopped either way.
    fn quit(&mut self, stops_agents: bool, now: Instant) -> Result<Answer> {
        let agents = if stops_agents { AgentsThen::Stop } else { AgentsThen::GoOn };
        let left = match agents {
            AgentsThen::GoOn => self.state.agents_that_go_on(),
            AgentsThen::Stop => 0,
        };
        let stopped = self.state.live_agents() - left;
        let leaving = Leaving { unsaved: UnsavedThen::Refuse, agents };
        self.act(Action::App(AppAction::Leave(leaving)), now)?;
        let told = json!({ "stopped_agents": stopped, "left_agents": left });
        Ok(Answer::Later(Until::Ended, told, None))
    }

    fn do_action(&mut self, name: &str, args: Value, now: Instant) -> Result<Answer> {
        let action = State::named_action(name, args_of(args)?)?;
        let stops = matches!(action, Action::Agent(AgentAction::Stop { .. }));
        let opens = matches!(action, Action::Plain(PlainAction::New { .. }));
        let agent = self.state.active_workspace().and_then(Workspace::agent);
        let agent = agent.map(|agent| ProgramId::Agent(agent.id()));
        let exported = self.last_export;
        let ends = matches!(action, Action::App(AppAction::Leave(_)));
        let looks = action == Action::Agent(AgentAction::AskAboutLeftBehind);
        self.refusal = None;
        self.act(action, now)?;
        if let Some(refusal) = self.refusal.take() {
            return Err(anyhow!(refusal));
        }
        if opens {
            self.newest_terminal(now)?;
        }
        match agent {
            _ if self.last_export != exported => {
                Ok(Answer::Later(Until::Exported(self.last_export), json!({}), None))
            }
            _ if looks => Ok(Answer::Later(Until::LeftBehindKnown, json!({}), None)),
            _ if ends || self.state.is_quitting() => {
                Ok(Answer::Later(Until::Ended, json!({}), None))
            }
            Some(agent) if stops => Ok(self.once_gone(agent)),
            _ => Ok(self.once_settled()),
        }
    }

    fn open(
        &mut self,
        path: &Path,
        at: Option<(u32, u32)>,
        wait: bool,
        now: Instant,
    ) -> Result<Answer> {
        self.open_path(path, at, now)?;
        match self.state.active_file() {
            Some((buffer, _)) if wait && !path.is_dir() => {
                Ok(Answer::Later(Until::FileClosed(buffer), json!({}), None))
            }
            _ => Ok(self.once_settled()),
        }
    }

    fn start_agent(
        &mut self,
        wanted: Option<&str>,
        agent: AgentChoice,
        now: Instant,
    ) -> Result<Answer> {
        let id = self.workspace_id(wanted)?;
        let launch = match agent {
            AgentChoice::Name(name) => Launch::Named(name),
            AgentChoice::Command(argv) => Launch::Command(argv),
        };
        self.act(Action::Agent(AgentAction::Start { workspace: Some(id), launch }), now)?;
        self.started(id)
    }

    fn relaunch_agent(
        &mut self,
        how: AgentAction,
        workspace: Option<WorkspaceId>,
        now: Instant,
    ) -> Result<Answer> {
        self.act(Action::Agent(how), now)?;
        self.started(workspace.ok_or(ActionError::NoWorkspace)?)
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

    fn stop_agent(&mut self, wanted: Option<&str>, now: Instant) -> Result<Answer> {
        let id = self.workspace_id(wanted)?;
        self.act(Action::Agent(AgentAction::Stop { workspace: Some(id) }), now)?;
        let agent = self.state.workspace(id).and_then(Workspace::agent);
        let agent = agent.ok_or(ActionError::NoWorkspace)?.id();
        Ok(self.once_gone(ProgramId::Agent(agent)))
    }

    fn send(&mut self, wanted: Option<&str>, text: String, now: Instant) -> Result<Answer> {
        let workspace = Some(self.workspace_id(wanted)?);
        self.write_refused = false;
        let bytes = text.into_bytes();
        self.act(Action::Agent(AgentAction::Send { workspace, bytes }), now)?;
        if self.write_refused {
            return Err(anyhow!("the agent does not read its input; nothing was sent"));
        }
        Ok(Answer::Now(json!({})))
    }

    fn wait(&self, wanted: Option<&str>, word: String, limit_ms: Option<u64>) -> Result<Answer> {
        let workspace = self.workspace_id(wanted)?;
        if !control::WAIT_STATES.contains(&word.as_str()) {
            let known = control::WAIT_STATES.join(", ");
            return Err(WrongUsage(format!("unknown state `{word}`; known are {known}")).into());
        }
        let limit = limit_ms.map(Duration::from_millis);
        Ok(Answer::Later(Until::InState { workspace, word }, json!({}), limit))
    }

    fn keys(&mut self, keys: &str, now: Instant) -> Result<Answer> {
        for key in State::parse_keys(keys)? {
            self.act(Action::Key(key), now)?;
            self.fit_panes(now);
        }
        Ok(self.once_settled())
    }

    fn screen(&self, wanted: Option<&str>, tab: Option<u64>) -> Result<Answer> {
        let id = self.workspace_id(wanted)?;
        let workspace = self.state.workspace(id).ok_or(ActionError::NoWorkspace)?;
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
            TabContent::Terminal(terminal) => {
                let plain = self.state.plain_terminal(terminal).ok_or(ActionError::NoSuchTab)?;
                plain.buffer().visible_text()
            }
            TabContent::File(buffer) => {
                let file = self.state.file(buffer).ok_or(ActionError::NoSuchTab)?;
                let first = file.first_line();
                let pane = workspace.panes().group_of(tab.id).map(workspace::TabGroup::id);
                let rooms = self.state.rooms();
                let rows = pane.map_or(rooms.whole, |pane| rooms.of(pane)).file_rows;
                let last = file.document().n_lines().min(first + rows);
                (first..last).map(|line| file.document().line(line).into_owned()).collect()
            }
        };
        Ok(Answer::Now(json!({ "tab": tab.id.number(), "rows": rows })))
    }

    /// Files that the call set in motion are waited for; those of others are not.
    fn once_settled(&mut self) -> Answer {
        let files = std::mem::take(&mut self.files_in_motion);
        Answer::Later(Until::FilesSettled(files), json!({}), None)
    }

    pub(crate) fn once_gone(&self, program: ProgramId) -> Answer {
        let until = Until::SessionGone(program, self.sessions.session(program));
        Answer::Later(until, json!({}), None)
    }

    pub(crate) fn workspace_id(&self, wanted: Option<&str>) -> Result<WorkspaceId, ActionError> {
        let found = match wanted {
            None => self.state.active_workspace().ok_or(ActionError::NoWorkspace)?,
            Some(wanted) => self
                .state
                .find_workspace(wanted)
                .ok_or_else(|| ActionError::UnknownWorkspace(wanted.to_owned()))?,
        };
        Ok(found.id())
    }
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
