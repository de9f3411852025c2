//! The session as it is written, there and back, by hand.
//!
//! What is read may be anything that has the right form: numbers are cut to what makes sense, and what
//! makes none is left out.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use agent::{AgentState, Exit, Reason};
use buffer::Position;
use store::{
    Session, SessionAgent, SessionAxis, SessionDoing, SessionEnd, SessionPanes, SessionTab,
    SessionWorkspace,
};
use workspace::{
    Axis, KeptAgent, KeptDoing, KeptEnd, KeptPanes, KeptSession, KeptTab, KeptView, KeptWorkspace,
};

/// No line, column or count is larger.
const MOST: u64 = 1 << 30;

/// One moment by both clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    now: Instant,
    /// Since 1970.
    wall: Duration,
    /// Nothing is older, whatever a clock says that was set meanwhile.
    oldest: Duration,
}

impl Times {
    pub(crate) fn new(now: Instant) -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { now, wall, oldest: Duration::MAX }
    }

    /// For what has happened since the machine was started, which nothing of that predates.
    pub(crate) fn of_this_boot(now: Instant) -> Self {
        let times = Self::new(now);
        uptime().map_or(times, |oldest| Self { oldest, ..times })
    }

    pub(crate) fn now(self) -> Instant {
        self.now
    }

    /// So long before a moment that is given in milliseconds since 1970.
    pub(crate) fn ago(self, span: Duration, ms: u64) -> Instant {
        self.at(Duration::from_millis(ms).saturating_sub(span))
    }

    /// In milliseconds since 1970.
    pub(crate) fn wall_ms(self, at: Instant) -> u64 {
        let wall = self.wall.saturating_sub(self.now.saturating_duration_since(at));
        u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)
    }

    fn wall_of(self, at: Instant) -> u64 {
        self.wall.saturating_sub(self.now.saturating_duration_since(at)).as_secs()
    }

    /// Now, if that lies ahead: somebody has set the clock back.
    fn at_wall(self, seconds: u64) -> Instant {
        self.at(Duration::from_secs(seconds))
    }

    pub(crate) fn at_wall_ms(self, ms: u64) -> Instant {
        self.at(Duration::from_millis(ms))
    }

    fn at(self, wall: Duration) -> Instant {
        let age = self.wall.saturating_sub(wall).min(self.oldest);
        self.now.checked_sub(age).unwrap_or(self.now)
    }
}

/// How long the machine has run, sleep included.
fn uptime() -> Option<Duration> {
    let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
    let seconds = uptime.split_whitespace().next()?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Which start of the machine this is, as far as it tells.
pub(crate) fn boot_id() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned())
}

/// What has no name in text is left out.
pub(crate) fn to_store(session: &KeptSession, times: Times) -> Session {
    let workspaces = session.workspaces.iter();
    let active = session.active.and_then(|place| session.workspaces.get(place));
    let stored: Vec<SessionWorkspace> =
        workspaces.filter_map(|workspace| workspace_to_store(workspace, times)).collect();
    let active = active.and_then(|active| {
        stored.iter().position(|workspace| Path::new(&workspace.root) == active.root)
    });
    let written = u64::try_from(times.wall.as_millis()).unwrap_or(u64::MAX);
    Session { boot: boot_id(), written, active, workspaces: stored }
}

fn workspace_to_store(workspace: &KeptWorkspace, times: Times) -> Option<SessionWorkspace> {
    Some(SessionWorkspace {
        root: text(&workspace.root)?,
        name: workspace.name.clone(),
        agent: workspace.agent.as_ref().map(|agent| SessionAgent {
            name: agent.name.clone(),
            command: agent.command.clone(),
            by_name: agent.by_name,
            launches: agent.launches,
            session_id: agent.session.clone(),
            end: end_to_store(agent.end),
            since: times.wall_of(agent.since),
            mark: agent.mark.clone(),
            doing: agent.doing.as_ref().map(|doing| doing_to_store(doing, times)),
        }),
        focused: workspace.focused,
        panes: panes_to_store(&workspace.panes),
    })
}

fn doing_to_store(doing: &KeptDoing, times: Times) -> SessionDoing {
    let waits_since = match doing.state {
        AgentState::NeedsInput { since, .. } | AgentState::Stale { since } => Some(since),
        AgentState::Starting
        | AgentState::Running
        | AgentState::Exited { .. }
        | AgentState::Stopped => None,
    };
    SessionDoing {
        state: doing.state.name().to_owned(),
        waits_since: waits_since.map(|since| times.wall_of(since)),
        reason: doing.reason.map(|reason| reason.name().to_owned()),
        text: doing.text.clone(),
        seen: doing.is_seen,
    }
}

fn end_to_store(end: KeptEnd) -> SessionEnd {
    match end {
        KeptEnd::Alive => SessionEnd::Alive,
        KeptEnd::Stopped => SessionEnd::Stopped,
        KeptEnd::Exited { exit: Exit::Code(code), was_asked: false } => SessionEnd::Code(code),
        KeptEnd::Exited { exit: Exit::Code(code), was_asked: true } => SessionEnd::AskedCode(code),
        KeptEnd::Exited { exit: Exit::Signal(it), was_asked: false } => SessionEnd::Signal(it),
        KeptEnd::Exited { exit: Exit::Signal(it), was_asked: true } => SessionEnd::AskedSignal(it),
    }
}

fn panes_to_store(panes: &KeptPanes) -> SessionPanes {
    match panes {
        KeptPanes::Tabs { tabs, active } => {
            let tabs: Vec<Option<SessionTab>> = tabs.iter().map(tab_to_store).collect();
            let n_before = |place: usize| tabs.iter().take(place).flatten().count();
            let active = active.filter(|place| tabs.get(*place).is_some_and(Option::is_some));
            let active = active.map(n_before);
            SessionPanes::Tabs { active, tabs: tabs.into_iter().flatten().collect() }
        }
        KeptPanes::Split { axis, share, first, second } => SessionPanes::Split {
            axis: match axis {
                Axis::Row => SessionAxis::Row,
                Axis::Column => SessionAxis::Column,
            },
            share: *share,
            first: Box::new(panes_to_store(first)),
            second: Box::new(panes_to_store(second)),
        },
    }
}

fn tab_to_store(tab: &KeptTab) -> Option<SessionTab> {
    Some(match tab {
        KeptTab::Agent => SessionTab::Agent,
        KeptTab::File { path, view } => {
            let KeptView { anchor, cursor, scroll } = *view;
            let pair = |at: Position| (at.line as u64, at.column as u64);
            let scroll = (scroll.0 as u64, scroll.1 as u64);
            let (anchor, cursor) = (pair(anchor), pair(cursor));
            SessionTab::File { path: text(path)?, anchor, cursor, scroll }
        }
        KeptTab::Terminal { folder, mark } => {
            let folder = folder.as_deref().and_then(text);
            SessionTab::Terminal { folder, mark: mark.clone() }
        }
    })
}

fn text(path: &Path) -> Option<String> {
    path.to_str().map(ToOwned::to_owned)
}

/// What of it can be opened.
pub(crate) fn kept_session(session: Session, times: Times) -> KeptSession {
    let active = session.active.and_then(|place| session.workspaces.get(place));
    let active = active.map(|workspace| PathBuf::from(&workspace.root));
    let kept = session.workspaces.into_iter().filter(|it| Path::new(&it.root).is_absolute());
    let workspaces: Vec<KeptWorkspace> = kept.map(|it| kept_workspace(it, times)).collect();
    let active = workspaces.iter().position(|it| Some(&it.root) == active.as_ref());
    let as_of = times.at_wall_ms(session.written);
    KeptSession { workspaces, active, as_of: Some(as_of) }
}

fn kept_workspace(workspace: SessionWorkspace, times: Times) -> KeptWorkspace {
    let SessionWorkspace { root, name, agent, focused, panes } = workspace;
    let agent = agent.filter(|agent| agent.command.first().is_some_and(|it| !it.is_empty()));
    KeptWorkspace {
        root: root.into(),
        name: shown(&name),
        agent: agent.map(|agent| KeptAgent {
            name: shown(&agent.name),
            command: agent.command,
            by_name: agent.by_name,
            launches: agent.launches.clamp(1, 1_000_000),
            session: agent.session_id.filter(|id| hooks::is_session_id(id)),
            end: kept_end(&agent.end),
            since: times.at_wall(agent.since),
            mark: agent.mark,
            doing: agent.doing.and_then(|doing| kept_doing(&doing, times)),
        }),
        panes: kept_panes(panes),
        focused,
    }
}

/// Names are drawn and printed.
fn shown(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).take(200).collect()
}

/// `None` where it makes no sense: then it is found out anew.
fn kept_doing(doing: &SessionDoing, times: Times) -> Option<KeptDoing> {
    let SessionDoing { state, waits_since, reason, text, seen } = doing;
    let reason = reason.as_ref().and_then(|word| Reason::from_name(word));
    let since = waits_since.map(|since| times.at_wall(since));
    let state = match (state.as_str(), since) {
        ("starting", _) => AgentState::Starting,
        ("running", _) => AgentState::Running,
        ("needs_input", Some(since)) => AgentState::NeedsInput { since, reason: reason? },
        ("stale", Some(since)) => AgentState::Stale { since },
        _ => return None,
    };
    let text = text.as_deref().map(shown);
    Some(KeptDoing { state, reason, text, is_seen: *seen })
}

fn kept_end(end: &SessionEnd) -> KeptEnd {
    let exited = |exit, was_asked| KeptEnd::Exited { exit, was_asked };
    match *end {
        SessionEnd::Alive => KeptEnd::Alive,
        SessionEnd::Stopped => KeptEnd::Stopped,
        SessionEnd::Code(code) => exited(Exit::Code(code), false),
        SessionEnd::AskedCode(code) => exited(Exit::Code(code), true),
        SessionEnd::Signal(signal) => exited(Exit::Signal(signal), false),
        SessionEnd::AskedSignal(signal) => exited(Exit::Signal(signal), true),
    }
}

fn kept_panes(panes: SessionPanes) -> KeptPanes {
    match panes {
        SessionPanes::Tabs { active, tabs } => {
            let mut kept =
                KeptPanes::Tabs { tabs: tabs.into_iter().map(kept_tab).collect(), active };
            kept.retain(&mut |tab| match tab {
                KeptTab::File { path, .. } => path.is_absolute(),
                KeptTab::Agent | KeptTab::Terminal { .. } => true,
            });
            kept
        }
        SessionPanes::Split { axis, share, first, second } => KeptPanes::Split {
            axis: match axis {
                SessionAxis::Row => Axis::Row,
                SessionAxis::Column => Axis::Column,
            },
            share,
            first: Box::new(kept_panes(*first)),
            second: Box::new(kept_panes(*second)),
        },
    }
}

fn kept_tab(tab: SessionTab) -> KeptTab {
    match tab {
        SessionTab::Agent => KeptTab::Agent,
        SessionTab::Terminal { folder, mark } => {
            let folder = folder.map(PathBuf::from).filter(|folder| folder.is_absolute());
            KeptTab::Terminal { folder, mark }
        }
        SessionTab::File { path, anchor, cursor, scroll } => {
            let scroll = (number(scroll.0), number(scroll.1));
            let (anchor, cursor) = (position(anchor), position(cursor));
            KeptTab::File { path: path.into(), view: KeptView { anchor, cursor, scroll } }
        }
    }
}

/// A line and column as they are written.
pub(crate) fn position((line, column): (u64, u64)) -> Position {
    Position { line: number(line), column: number(column) }
}

fn number(number: u64) -> usize {
    usize::try_from(number.min(MOST)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
