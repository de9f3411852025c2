//! Opening again what was open when the program last ran.
//!
//! Nothing is started but shells, and nothing is read, before it is looked at: a session of a hundred
//! files costs what the tabs on show cost. Agents are never started.

use std::path::{Path, PathBuf};
use std::time::Instant;

use agent::{AgentHandle, Past, Timeouts};
use buffer::{Document, Extend, Motion};
use terminal::TerminalBuffer;

use crate::kept::{
    KeptAgent, KeptEnd, KeptPanes, KeptSession, KeptTab, KeptText, KeptView, KeptWorkspace,
};
use crate::outliving::{Outliving, RunningProgram};
use crate::{
    BufferId, Effect, LoadState, MAX_TERMINALS, OpenFile, PaneId, PaneNode, PaneTree, PlainKind,
    PlainTerminal, ProgramId, Split, SplitId, StartIn, State, Tab, TabContent, TabGroup, TabId,
    TerminalId, Workspace, WorkspaceId,
};

/// Why what had been alive is not any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WentDown {
    /// We ended, or were killed.
    Trackside,
    Machine,
}

impl State {
    /// Opens what is not open yet, behind what is.
    pub(crate) fn restore(
        &mut self,
        session: KeptSession,
        texts: Vec<KeptText>,
        running: Vec<RunningProgram>,
        down: WentDown,
        now: Instant,
    ) -> Vec<Effect> {
        let KeptSession { workspaces, active, as_of } = session;
        let mut outliving = Outliving::new(running, as_of);
        let active = active.and_then(|place| workspaces.get(place)).map(|it| it.root.clone());
        let mut effects = Vec::new();
        for kept in workspaces {
            if self.workspaces.iter().any(|workspace| workspace.root == kept.root) {
                continue;
            }
            let root = kept.root.clone();
            let id = self.restore_workspace(kept, down, &mut outliving, now);
            effects.push(Effect::ReadBranch { workspace: id, root });
        }
        self.place_the_rest(&mut outliving, now);
        effects.append(&mut outliving.effects);
        if self.active.is_none() {
            let shown = self.workspaces.iter().find(|it| Some(&it.root) == active.as_ref());
            self.active = shown.or_else(|| self.workspaces.first()).map(|it| it.id);
        }
        self.rail.follows_active = true;
        texts.into_iter().for_each(|text| self.restore_text(text));
        self.renew_rules();
        self.has_unshown = true;
        effects.extend(self.fit_visible_terminals(now));
        effects
    }

    fn restore_workspace(
        &mut self,
        kept: KeptWorkspace,
        down: WentDown,
        outliving: &mut Outliving,
        now: Instant,
    ) -> WorkspaceId {
        let KeptWorkspace { root, name, agent, panes, focused } = kept;
        let id = WorkspaceId::mint(&mut self.workspace_ids);
        let is_free = self.workspaces.iter().all(|workspace| workspace.name != name);
        let name = if is_free { name } else { self.free_name(&root) };
        let pane = PaneId::mint(&mut self.pane_ids);
        let mut workspace = Workspace::new(id, root, name, pane);
        let mark = agent.as_ref().and_then(|agent| agent.mark.as_deref());
        let running = outliving.take_agent(&workspace.root, mark);
        let has_agent = agent.is_some() || running.is_some();
        let mut growing = Growing { workspace: id, has_agent, panes: Vec::new(), outliving };
        if let Some(node) = self.restore_panes(panes, &mut growing) {
            let focused = growing.panes.get(focused).copied().flatten();
            workspace.panes = PaneTree::of(node, focused);
        }
        if let Some(running) = running {
            self.rejoin_agent(&mut workspace, running, agent, outliving, now);
            let tab_ids = &mut self.tab_ids;
            workspace.ensure_agent_tab(|| TabId::mint(tab_ids));
        // Without its tab it would have no place.
        } else if let Some(agent) = agent.filter(|_| workspace.tab_of(TabContent::Agent).is_some())
        {
            workspace.agent_by_name = agent.by_name;
            workspace.agent = Some(self.restore_agent(agent, down, now));
        }
        self.workspaces.push(workspace);
        id
    }

    fn restore_agent(&mut self, kept: KeptAgent, down: WentDown, now: Instant) -> AgentHandle {
        let KeptAgent { name, command, launches, session, end, since, .. } = kept;
        let terminal = TerminalBuffer::new(self.rooms.whole.terminal, self.terminal_options());
        // Nobody is there to be answered.
        let _fed = terminal.feed(epitaph(&command, end, down).as_bytes());
        let configured = self.config.agent_command(&name).ok();
        let timeouts = configured.map_or_else(Timeouts::default, |agent| Timeouts {
            needs_input: agent.needs_input_timeout,
            stale: agent.stale_timeout,
        });
        let was_asked = matches!(end, KeptEnd::Exited { was_asked: true, .. });
        // What was alive ended when we did, which is not known any better.
        let since = if end == KeptEnd::Alive { now } else { since };
        let past = Past { state: end.becomes(), since, launches, was_asked, session };
        let id = self.agent_ids.mint();
        let rules = std::sync::Arc::default();
        AgentHandle::new(id, name, command, terminal, timeouts, rules, now).remembering(past)
    }

    /// `None` where nothing is left of it.
    fn restore_panes(&mut self, kept: KeptPanes, growing: &mut Growing<'_>) -> Option<PaneNode> {
        let (tabs, active) = match kept {
            KeptPanes::Tabs { tabs, active } => (tabs, active),
            KeptPanes::Split { axis, share, first, second } => {
                let first = self.restore_panes(*first, growing);
                let second = self.restore_panes(*second, growing);
                return match (first, second) {
                    (Some(first), Some(second)) => {
                        let id = SplitId::mint(&mut self.split_ids);
                        let split = Split::new(id, axis, share, first, second);
                        Some(PaneNode::Split(Box::new(split)))
                    }
                    (first, second) => first.or(second),
                };
            }
        };
        let restored: Vec<Option<Tab>> =
            tabs.into_iter().map(|tab| self.restore_tab(tab, growing)).collect();
        let active = active.and_then(|place| restored.get(place).copied().flatten());
        let mut tabs: Vec<Tab> = restored.into_iter().flatten().collect();
        // The agent's comes first, whatever a file says.
        tabs.sort_by_key(|tab| tab.content != TabContent::Agent);
        let Some(first) = tabs.first() else {
            growing.panes.push(None);
            return None;
        };
        let active = active.unwrap_or(*first).id;
        let id = PaneId::mint(&mut self.pane_ids);
        growing.panes.push(Some(id));
        Some(PaneNode::Group(TabGroup { id, tabs, active: Some(active) }))
    }

    fn restore_tab(&mut self, kept: KeptTab, growing: &mut Growing<'_>) -> Option<Tab> {
        let content = match kept {
            KeptTab::Agent => {
                std::mem::take(&mut growing.has_agent).then_some(TabContent::Agent)?
            }
            KeptTab::File { path, view } => TabContent::File(self.restore_file(path, view)),
            KeptTab::Terminal { folder, mark } => {
                let running = mark.and_then(|mark| growing.outliving.take_terminal(&mark));
                let terminal = match running {
                    Some(it) => self.rejoin_terminal(growing.workspace, it, growing.outliving),
                    None => self.restore_terminal(growing.workspace, folder),
                };
                TabContent::Terminal(terminal?)
            }
        };
        Some(Tab { id: TabId::mint(&mut self.tab_ids), content })
    }

    /// A file in two panes is one file.
    fn restore_file(&mut self, path: PathBuf, view: KeptView) -> BufferId {
        if let Some(buffer) = self.buffer_of(&path) {
            return buffer;
        }
        let buffer = BufferId::mint(&mut self.buffer_ids);
        self.files.insert(buffer, OpenFile::unread(path, view));
        buffer
    }

    fn buffer_of(&self, path: &Path) -> Option<BufferId> {
        self.files.iter().find(|(_, file)| file.path == path).map(|(buffer, _)| *buffer)
    }

    /// Its program is started once it is looked at.
    fn restore_terminal(
        &mut self,
        workspace: WorkspaceId,
        folder: Option<PathBuf>,
    ) -> Option<TerminalId> {
        if self.terminals.len() >= MAX_TERMINALS {
            return None;
        }
        let id = TerminalId::mint(&mut self.terminal_ids);
        let buffer = TerminalBuffer::new(self.rooms.whole.terminal, self.terminal_options());
        let what = (vec![self.config.shell()], PlainKind::Shell);
        let plain = PlainTerminal::new(id, workspace, what, buffer).waiting_in(folder);
        self.terminals.insert(id, plain);
        Some(id)
    }

    /// Gives a text back to its file, which is opened for it if it is not.
    fn restore_text(&mut self, text: KeptText) {
        let buffer = self.buffer_of(&text.path).or_else(|| {
            let holding = self.workspace_holding(&text.path).map(|workspace| workspace.id);
            let id = holding.or(self.active)?;
            let buffer = self.restore_file(text.path.clone(), KeptView::default());
            let tab = Tab { id: self.mint_tab(), content: TabContent::File(buffer) };
            self.workspace_mut(id)?.panes.push_behind(tab);
            Some(buffer)
        });
        let file = buffer.and_then(|buffer| self.files.get_mut(&buffer));
        // What the person has opened by now is theirs; the journal stays where it is.
        if let Some(file) = file.filter(|file| file.load == LoadState::Unread) {
            let view = file.kept.get_or_insert_default();
            (view.anchor, view.cursor) = (text.anchor, text.cursor);
            file.unsaved = Some(text);
        }
    }

    /// Reads the files and starts the shells that were restored and are on show now.
    pub(crate) fn settle_unshown(&mut self) -> Vec<Effect> {
        if !self.has_unshown || self.quitting {
            return Vec::new();
        }
        let groups = self.active_workspace().map(|workspace| workspace.panes.groups());
        let shown = groups.into_iter().flatten().filter_map(TabGroup::active_tab);
        let shown: Vec<TabContent> = shown.map(|tab| tab.content).collect();
        let mut effects = Vec::new();
        for content in shown {
            match content {
                TabContent::File(buffer) => effects.extend(self.read_if_unread(buffer)),
                TabContent::Terminal(terminal) => effects.extend(self.start_if_waiting(terminal)),
                TabContent::Agent => {}
            }
        }
        let is_unread = |file: &OpenFile| file.load == LoadState::Unread;
        self.has_unshown = self.files.values().any(is_unread)
            || self.terminals.values().any(PlainTerminal::is_waiting);
        effects
    }

    fn read_if_unread(&mut self, buffer: BufferId) -> Option<Effect> {
        let file = self.files.get_mut(&buffer)?;
        if file.load != LoadState::Unread {
            return None;
        }
        file.load = LoadState::Loading;
        Some(Effect::LoadFile { buffer, path: file.path.clone() })
    }

    /// Starts the shell of a restored terminal, if that has not been done.
    pub(crate) fn start_if_waiting(&mut self, id: TerminalId) -> Option<Effect> {
        let plain = self.terminals.get_mut(&id)?;
        let directory = plain.start_waiting()?;
        let (workspace, argv) = (plain.workspace(), plain.command().to_vec());
        let terminal = plain.buffer().clone();
        let or = self.workspace(workspace)?.root.clone();
        Some(Effect::Spawn {
            program: ProgramId::Terminal(id),
            workspace,
            argv,
            env: std::collections::BTreeMap::new(),
            start_in: StartIn { directory, like: None, or },
            terminal,
            hooks: false,
        })
    }
}

/// A workspace that is being put together.
struct Growing<'a> {
    workspace: WorkspaceId,
    /// Its agent has no tab yet.
    has_agent: bool,
    /// The panes as they were kept; those of which nothing is left are `None`.
    panes: Vec<Option<PaneId>>,
    outliving: &'a mut Outliving,
}

/// What ran and how it is started again, in the place of what it had printed. In short lines, as the pane may
/// turn out narrow.
fn epitaph(command: &[String], end: KeptEnd, down: WentDown) -> String {
    let command = command.join(" ");
    let command: String = command.chars().filter(|c| !c.is_control()).take(200).collect();
    let ended = match (end, down) {
        (KeptEnd::Alive, WentDown::Trackside) => "ran here when Trackside ended",
        (KeptEnd::Alive, WentDown::Machine) => "ran here when the machine went down",
        (KeptEnd::Stopped, _) => "ran here in an earlier run of Trackside",
        (KeptEnd::Exited { .. }, _) => "ended in an earlier run of Trackside",
    };
    format!("{command}\r\n\x1b[2m{ended}\r\nEnter starts it again\x1b[m\r\n")
}

/// Puts a text that was not saved over what the disk holds, as one step that can be undone. Says whether
/// the disk still holds what it was made from.
pub(crate) fn put_over(file: &mut OpenFile, text: KeptText) -> bool {
    let is_same = match (&file.stamp, &text.base) {
        (None, None) => true,
        (Some(disk), Some(base)) => disk.same_content(base),
        (None, Some(_)) | (Some(_), None) => false,
    };
    if !is_same {
        // A save finds out that it is another file, and asks.
        file.stamp = text.base;
    }
    if let Err(err) = file.document.replace_text(text.bytes) {
        // It was text when it was written down.
        tracing::error!("unsaved text of {}: {err}", file.path.display());
    }
    is_same
}

/// Goes where the person was.
pub(crate) fn go_back(file: &mut OpenFile, kept: KeptView) {
    let document: &mut Document = &mut file.document;
    document.move_cursor(Motion::To(kept.anchor), Extend::Move);
    document.move_cursor(Motion::To(kept.cursor), Extend::Select);
    let last = document.n_lines().saturating_sub(1);
    file.scroll = (kept.scroll.0.min(last), kept.scroll.1);
}
