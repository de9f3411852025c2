//! Opening, restarting and ending terminals that have no agent.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use agent::Exit;
use terminal::TerminalBuffer;

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, AgentsThen, Choice, Confirm, Effect, MAX_TERMINALS, Overlay, PlainAction,
    PlainKind, PlainTerminal, ProgramId, StartIn, State, Tab, TabAction, TabContent, TabId,
    TerminalId, WorkspaceId,
};

impl State {
    pub(super) fn update_plain(&mut self, action: PlainAction, now: Instant) -> Outcome {
        match action {
            PlainAction::New { workspace, cwd, command } => {
                let workspace = self.workspace_or_active(workspace)?;
                let start_in = self.start_beside_focus(workspace, cwd)?;
                self.launch_terminal(workspace, start_in, command, now)
            }
            PlainAction::Restart(id) => self.restart_terminal(id),
            PlainAction::Send { terminal, bytes } => {
                let plain = self.terminals.get(&terminal).ok_or(ActionError::NoTerminal)?;
                if !plain.is_alive() {
                    return Err(ActionError::TerminalEnded);
                }
                self.with_terminal(terminal, |plain| plain.is_used = true);
                let write = Effect::WritePty { program: ProgramId::Terminal(terminal), bytes };
                Ok(self.start_if_waiting(terminal).into_iter().chain([write]).collect())
            }
        }
    }

    pub(crate) fn check_room_for_terminal(&self) -> Result<(), ActionError> {
        if self.terminals.len() >= MAX_TERMINALS {
            return Err(ActionError::TooManyTerminals { limit: MAX_TERMINALS });
        }
        Ok(())
    }

    /// A new terminal in a tab of the focused pane, which becomes the active one.
    pub(super) fn launch_terminal(
        &mut self,
        id: WorkspaceId,
        start_in: StartIn,
        command: Option<Vec<String>>,
        now: Instant,
    ) -> Outcome {
        self.check_room_for_terminal()?;
        let (argv, kind) = match command {
            Some(argv) if argv.first().is_none_or(String::is_empty) => {
                return Err(ActionError::EmptyCommand);
            }
            Some(argv) => (argv, PlainKind::Command),
            None => (vec![self.config.shell()], PlainKind::Shell),
        };
        let pane = self.workspace(id).ok_or(ActionError::NoWorkspace)?.panes.focused();
        let buffer = TerminalBuffer::new(self.rooms.of(pane).terminal, self.terminal_options());
        let terminal = TerminalId::mint(&mut self.terminal_ids);
        let plain = PlainTerminal::new(terminal, id, (argv.clone(), kind), buffer.clone());
        self.terminals.insert(terminal, plain);
        let tab = Tab { id: self.mint_tab(), content: TabContent::Terminal(terminal) };
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        workspace.panes.push(tab);
        self.active = Some(id);
        self.overlay = None;
        let spawn = Effect::Spawn {
            program: ProgramId::Terminal(terminal),
            workspace: id,
            argv,
            env: BTreeMap::new(),
            start_in,
            terminal: buffer,
            hooks: false,
        };
        Ok(std::iter::once(spawn).chain(self.fit_visible_terminals(now)).collect())
    }

    /// Where the focused terminal is, if it belongs to the workspace.
    pub(super) fn start_beside_focus(
        &self,
        id: WorkspaceId,
        cwd: Option<PathBuf>,
    ) -> Result<StartIn, ActionError> {
        let workspace = self.workspace(id).ok_or(ActionError::NoWorkspace)?;
        let or = workspace.root.clone();
        let beside = workspace.active_tab().and_then(|tab| self.terminal_in(workspace, tab));
        let like = beside.map(|terminal| terminal.program());
        let told = like.and_then(|program| self.told_directory(program));
        Ok(StartIn { directory: cwd.or(told), like, or })
    }

    pub(super) fn restart_terminal(&mut self, id: TerminalId) -> Outcome {
        let plain = self.terminals.get_mut(&id).ok_or(ActionError::NoTerminal)?;
        if plain.is_alive() {
            return NO_EFFECTS;
        }
        let directory = plain.directory().map(ToOwned::to_owned);
        plain.restart();
        let (workspace, argv) = (plain.workspace(), plain.command().to_vec());
        let terminal = plain.buffer().clone();
        let root = self.workspace(workspace).map_or_else(PathBuf::new, |it| it.root.clone());
        Ok(vec![Effect::Spawn {
            program: ProgramId::Terminal(id),
            workspace,
            argv,
            env: BTreeMap::new(),
            start_in: StartIn { directory, like: None, or: root },
            terminal,
            hooks: false,
        }])
    }

    /// A terminal in which something runs is only closed after a question.
    pub(super) fn close_terminal_tab(
        &mut self,
        tab: TabId,
        id: TerminalId,
        now: Instant,
    ) -> Outcome {
        let running = self.terminals.get(&id).and_then(PlainTerminal::running);
        let Some(running) = running else { return Ok(self.drop_tab(tab, now)) };
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: Some(tab),
            question: format!("Close the terminal in which {running} runs?"),
            detail: "Closing ends it, and all else that was started there.".to_owned(),
            choices: vec![
                Choice { label: "Keep it".to_owned(), action: None },
                Choice {
                    label: "End and close".to_owned(),
                    action: Some(Action::Tab(TabAction::Discard(tab))),
                },
            ],
            preview: Vec::new(),
            selected: 0,
        }));
        self.activate_tab(tab, now)
    }

    /// Takes the terminal out of the state. Its program is ended, politely if it lives.
    pub(super) fn forget_terminal(&mut self, id: TerminalId) -> Option<Effect> {
        let plain = self.terminals.remove(&id)?;
        let program = ProgramId::Terminal(id);
        // One that has ended may have left something in the background.
        if plain.is_alive() || plain.running().is_some() {
            return Some(Effect::Stop { program, grace: self.config.limits.stop_grace });
        }
        Some(Effect::Forget { program })
    }

    /// A shell that was left is done with, whatever its last command came to. One that was killed, or
    /// failed before anybody typed, leaves its last words on show, and so does a command.
    pub(crate) fn terminal_exited(
        &mut self,
        id: TerminalId,
        exit: Exit,
        now: Instant,
    ) -> Vec<Effect> {
        let Some(plain) = self.terminals.get_mut(&id) else { return Vec::new() };
        plain.exited(exit);
        let is_left = match exit {
            Exit::Code(code) => code == 0 || plain.is_used,
            Exit::Signal(_) => false,
        };
        let is_done = plain.kind() == PlainKind::Shell
            && is_left
            && plain.running().is_none()
            && !self.quitting;
        let content = TabContent::Terminal(id);
        let tab = self.workspaces.iter().find_map(|workspace| workspace.tab_of(content));
        let closed = tab.filter(|_| is_done);
        let effects = closed.map_or_else(Vec::new, |tab| self.drop_tab(tab, now));
        self.drop_moot_question(tab);
        effects
    }

    pub(crate) fn program_moved(&mut self, program: ProgramId, path: PathBuf) {
        if !path.is_absolute() {
            return;
        }
        match program {
            ProgramId::Agent(id) if self.agent(id).is_some() => {
                self.agent_directories.insert(id, path);
            }
            ProgramId::Agent(_) => {}
            ProgramId::Terminal(id) => self.with_terminal(id, |plain| plain.directory = Some(path)),
        }
    }

    /// Programs in plain terminals that leaving would end, as far as that was looked at.
    pub(super) fn running_in_terminals(&self, agents: AgentsThen) -> Vec<String> {
        let ends = |plain: &&PlainTerminal| {
            let program = ProgramId::Terminal(plain.id());
            agents == AgentsThen::Stop || !self.outliving.contains(&program)
        };
        let running = self.terminals.values().filter(ends).filter_map(PlainTerminal::running);
        running.map(ToOwned::to_owned).collect()
    }
}
