//! The state as the command line sees it: from core types to the wire, by hand.

use std::time::Instant;

use agent::{AgentHandle, AgentState, Reason};
use control::{
    AgentStatus, ReasonKind, ReasonStatus, StateWord, StatusReply, StatusWord, TabKind, TabStatus,
    TerminalStatus,
};
use workspace::{PlainTerminal, State, Tab, TabContent, Workspace, WorkspaceStatus};

pub(crate) fn status(state: &State, now: Instant) -> StatusReply {
    let workspaces = state.workspaces().iter().map(|workspace| of(state, workspace, now)).collect();
    StatusReply { version: control::VERSION, workspaces, warnings: state.warnings() }
}

fn of(state: &State, workspace: &Workspace, now: Instant) -> control::WorkspaceStatus {
    let active = state.active_workspace().map(Workspace::id);
    control::WorkspaceStatus {
        id: workspace.id().number().into(),
        name: workspace.name().to_owned(),
        path: workspace.root().to_string_lossy().into_owned(),
        active: active == Some(workspace.id()),
        status: status_word(workspace.status()),
        branch: workspace.branch().map(ToOwned::to_owned),
        agent: workspace.agent().map(|agent| agent_status(agent, now)),
        tabs: workspace.tabs().iter().map(|tab| tab_status(state, workspace, *tab)).collect(),
        active_tab: workspace.active_tab().map(|tab| tab.id.number().into()),
    }
}

pub(crate) fn agent_status(agent: &AgentHandle, now: Instant) -> AgentStatus {
    let since = now.saturating_duration_since(agent.since());
    let exit = match agent.state() {
        AgentState::Exited { exit } => Some(exit),
        _ => None,
    };
    AgentStatus {
        name: agent.name().to_owned(),
        command: agent.command().to_vec(),
        pid: agent.pid().filter(|_| agent.is_alive()),
        state: state_word(agent.state()),
        since_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        reason: reason(agent),
        exit_code: exit.map(|exit| exit.code()),
        signal: exit.and_then(|exit| exit.signal_name().map(ToOwned::to_owned)),
        launches: agent.launches(),
    }
}

fn tab_status(state: &State, workspace: &Workspace, tab: Tab) -> TabStatus {
    let id = tab.id.number().into();
    let panes = workspace.panes();
    let pane = panes.group_of(tab.id).filter(|_| panes.is_split());
    let pane = pane.map(|group| group.id().number().into());
    match tab.content {
        TabContent::Agent => TabStatus {
            id,
            kind: TabKind::Agent,
            path: None,
            title: workspace.agent().map_or("agent", AgentHandle::name).to_owned(),
            modified: None,
            pinned: Some(true),
            pane,
            terminal: None,
        },
        TabContent::Terminal(terminal) => {
            let plain = state.plain_terminal(terminal);
            TabStatus {
                id,
                kind: TabKind::Terminal,
                path: None,
                title: plain.map_or_else(String::new, PlainTerminal::title),
                modified: None,
                pinned: None,
                pane,
                terminal: plain.map(terminal_status),
            }
        }
        TabContent::File(buffer) => {
            let file = state.file(buffer);
            TabStatus {
                id,
                kind: TabKind::File,
                path: file.map(|file| file.path().to_string_lossy().into_owned()),
                title: file.map_or_else(String::new, workspace::OpenFile::title),
                modified: Some(file.is_some_and(workspace::OpenFile::is_modified)),
                pinned: None,
                pane,
                terminal: None,
            }
        }
    }
}

fn terminal_status(plain: &PlainTerminal) -> TerminalStatus {
    TerminalStatus {
        command: plain.command().to_vec(),
        pid: plain.pid(),
        running: plain.running().map(ToOwned::to_owned),
        exit_code: plain.exit().map(agent::Exit::code),
        signal: plain.exit().and_then(|exit| exit.signal_name().map(ToOwned::to_owned)),
        failure: plain.failure().map(ToOwned::to_owned),
    }
}

pub(crate) fn reason(agent: &AgentHandle) -> Option<ReasonStatus> {
    let kind = match agent.state() {
        AgentState::NeedsInput { .. } | AgentState::Stale { .. } => {
            reason_kind(agent.reason().unwrap_or(Reason::Silence))
        }
        AgentState::Exited { .. } if agent.failure().is_some() => ReasonKind::Error,
        AgentState::Stopped if agent.gave_up().is_some() => ReasonKind::GaveUp,
        _ => return None,
    };
    let ended = agent.gave_up().map(|exit| format!("crashed again and again, at last with {exit}"));
    let text = agent.failure().or_else(|| agent.asked()).map(ToOwned::to_owned);
    let about = agent.question().and_then(|question| question.subject.clone());
    Some(ReasonStatus { kind, text: ended.or(text), about })
}

pub(crate) fn status_word(status: WorkspaceStatus) -> StatusWord {
    match status {
        WorkspaceStatus::NeedsInput => StatusWord::NeedsInput,
        WorkspaceStatus::Stale => StatusWord::Stale,
        WorkspaceStatus::Errored => StatusWord::Errored,
        WorkspaceStatus::Completed => StatusWord::Completed,
        WorkspaceStatus::Stopped => StatusWord::Stopped,
        WorkspaceStatus::Running => StatusWord::Running,
        WorkspaceStatus::Idle => StatusWord::Idle,
    }
}

pub(crate) fn state_word(state: AgentState) -> StateWord {
    match state {
        AgentState::Starting => StateWord::Starting,
        AgentState::Running => StateWord::Running,
        AgentState::NeedsInput { .. } => StateWord::NeedsInput,
        AgentState::Stale { .. } => StateWord::Stale,
        AgentState::Exited { .. } => StateWord::Exited,
        AgentState::Stopped => StateWord::Stopped,
    }
}

pub(crate) fn reason_kind(reason: Reason) -> ReasonKind {
    match reason {
        Reason::Permission => ReasonKind::Permission,
        Reason::Question => ReasonKind::Question,
        Reason::Confirmation => ReasonKind::Confirmation,
        Reason::Password => ReasonKind::Password,
        Reason::FirstRun => ReasonKind::FirstRun,
        Reason::Error => ReasonKind::Error,
        Reason::TurnDone => ReasonKind::TurnDone,
        Reason::Silence => ReasonKind::Silence,
        Reason::GaveUp => ReasonKind::GaveUp,
    }
}

/// Whether a workspace is in the state that `wait` was given, a word of either kind.
pub(crate) fn is_in(workspace: &Workspace, word: &str) -> bool {
    let state = workspace.agent().map(|agent| state_word(agent.state()).name());
    status_word(workspace.status()).name() == word || state == Some(word)
}
