//! The door for news: it cannot be refused.

use std::time::Instant;

use agent::{AgentHandle, AgentId, Transition};
use config::Config;
use terminal::TerminalSignal;

use crate::{
    Action, Choice, Confirm, Effect, Fact, FileAction, Keymap, Overlay, State, Theme, ToastKind,
    WorkspaceStatus,
};

impl State {
    /// Takes in what has happened outside, and says what must be done about it.
    pub fn observe(&mut self, fact: Fact, now: Instant) -> Vec<Effect> {
        match fact {
            Fact::AgentSpawned { agent, pid } => self.with_agent(agent, |agent| agent.spawned(pid)),
            Fact::AgentSpawnFailed { agent, code, message } => {
                self.with_agent(agent, |agent| agent.failed_with_code(code, message, now));
            }
            Fact::AgentExited { agent, exit } => {
                self.with_agent(agent, |agent| agent.exited(exit, now));
            }
            Fact::Signal { agent, signal } => return self.on_signal(agent, signal),
            Fact::Output => return self.step_agents(|agent| agent.on_output(now)),
            Fact::Deadline => return self.on_deadline(now),
            Fact::FileRead { buffer, result } => self.file_read(buffer, result),
            Fact::FileSaved { buffer, revision, stamp } => {
                return self.file_saved(buffer, revision, stamp, now);
            }
            Fact::SaveFailed { buffer, message, changed_on_disk } => {
                self.save_failed(buffer, message, changed_on_disk, now);
            }
            Fact::BranchRead { workspace, branch } => {
                if let Some(workspace) = self.workspace_mut(workspace) {
                    workspace.branch = branch;
                }
            }
            Fact::OpenFailed { message } => self.open_failed(message, now),
            Fact::WriteRefused { agent } => {
                let name = self.agent(agent).map_or("the agent", AgentHandle::name).to_owned();
                let text = format!("{name} is not reading its input; what you typed was dropped");
                self.show_toast(text, ToastKind::Error, now);
            }
            Fact::ConfigRead(config) => self.take_config(*config),
            Fact::ConfigRefused(message) => {
                self.show_toast(message.clone(), ToastKind::Error, now);
                self.config_error = Some(message);
            }
            Fact::AgentsFound(installed) => self.installed = installed,
            Fact::PaneResized(pane) => {
                self.pane = pane;
                return self.fit_visible_terminal(now);
            }
            Fact::WindowFocused(focused) => {
                self.focused = focused;
                return self.report_focus(focused, now);
            }
            Fact::SystemTheme { dark } => {
                self.system_theme = if dark { Theme::Dark } else { Theme::Light };
            }
            Fact::RecentFolders(recent) => self.recent = recent,
            Fact::Notice(text) => self.show_toast(text, ToastKind::Notice, now),
        }
        Vec::new()
    }

    fn with_agent<T>(&mut self, id: AgentId, change: impl FnOnce(&mut AgentHandle) -> T) {
        // The agent may have been forgotten while the news was on its way.
        if let Some(agent) = self.agent_mut(id) {
            change(agent);
        }
    }

    /// Lets every agent take a step; asks for attention when one of them starts to wait unseen.
    fn step_agents(
        &mut self,
        mut step: impl FnMut(&mut AgentHandle) -> Option<Transition>,
    ) -> Vec<Effect> {
        let mut waits = false;
        for workspace in &mut self.workspaces {
            let Some(agent) = &mut workspace.agent else { continue };
            let stepped = step(agent).is_some();
            waits |= stepped && WorkspaceStatus::of(agent) == WorkspaceStatus::NeedsInput;
        }
        if waits && !self.focused { vec![Effect::Attention] } else { Vec::new() }
    }

    fn on_deadline(&mut self, now: Instant) -> Vec<Effect> {
        if self.toast.as_ref().is_some_and(|toast| toast.until <= now) {
            self.toast = None;
        }
        self.step_agents(|agent| agent.on_deadline(now))
    }

    fn on_signal(&mut self, agent: AgentId, signal: TerminalSignal) -> Vec<Effect> {
        match signal {
            TerminalSignal::Bell if !self.focused => vec![Effect::Attention],
            // Only what the person looks at may touch the clipboard: a write from elsewhere is a trap.
            TerminalSignal::ClipboardStore(text)
                if self.focused && self.visible_agent().is_some_and(|seen| seen.id() == agent) =>
            {
                vec![Effect::SetClipboard(text)]
            }
            TerminalSignal::Bell | TerminalSignal::ClipboardStore(_) | TerminalSignal::Title(_) => {
                Vec::new()
            }
        }
    }

    fn save_failed(
        &mut self,
        buffer: crate::BufferId,
        message: String,
        changed_on_disk: bool,
        now: Instant,
    ) {
        let Some(file) = self.files.get_mut(&buffer) else { return };
        file.saving = false;
        file.close_once_saved = false;
        if !changed_on_disk {
            self.show_toast(message, ToastKind::Error, now);
            return;
        }
        let choice = |label: &str, action: Option<FileAction>| Choice {
            label: label.to_owned(),
            action: action.map(Action::File),
        };
        self.overlay = Some(Overlay::Confirm(Confirm {
            question: format!("{} was changed on disk", file.title()),
            detail: "Somebody else wrote it since you opened it. Nothing was saved.".to_owned(),
            choices: vec![
                choice("Keep editing", None),
                choice("Take theirs", Some(FileAction::Reload)),
                choice("Save mine over it", Some(FileAction::Overwrite)),
            ],
            selected: 0,
        }));
    }

    fn open_failed(&mut self, message: String, now: Instant) {
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.error = Some(message),
            _ => self.show_toast(message, ToastKind::Error, now),
        }
    }

    /// A configuration whose keys make no sense is refused as a whole: the last good one stays.
    fn take_config(&mut self, config: Config) {
        match Keymap::new(&config.keys) {
            Ok(keymap) => {
                self.keymap = keymap;
                self.config = config;
                self.config_error = None;
            }
            Err(err) => self.config_error = Some(format!("config.toml: [keys]: {err}")),
        }
    }
}
