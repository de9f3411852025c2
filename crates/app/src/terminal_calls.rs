//! What calls about terminals without an agent do.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::json;
use workspace::{
    Action, ActionError, PlainAction, ProgramId, TabAction, TabContent, TabId, TerminalId,
};

use crate::app::App;
use crate::requests::Answer;

impl App {
    pub(crate) fn new_terminal(
        &mut self,
        wanted: Option<&str>,
        cwd: Option<PathBuf>,
        command: Option<Vec<String>>,
        now: Instant,
    ) -> Result<Answer> {
        let workspace = Some(self.workspace_id(wanted)?);
        self.act(Action::Plain(PlainAction::New { workspace, cwd, command }), now)?;
        self.newest_terminal(now)
    }

    /// The terminal that was just opened. One whose program did not start is closed: who asked for it
    /// hears why, and may not be looking at the window.
    pub(crate) fn newest_terminal(&mut self, now: Instant) -> Result<Answer> {
        let (tab, terminal) = self.terminal_tab(None, None)?;
        let plain = self.state.plain_terminal(terminal).ok_or(ActionError::NoTerminal)?;
        let Some(failure) = plain.failure().map(ToOwned::to_owned) else {
            return Ok(Answer::Now(json!({ "tab": tab.number(), "pid": plain.pid() })));
        };
        self.act(Action::Tab(TabAction::Discard(tab)), now)?;
        bail!(failure)
    }

    pub(crate) fn send_to_terminal(
        &mut self,
        (wanted, tab): (Option<&str>, Option<u64>),
        text: String,
        now: Instant,
    ) -> Result<Answer> {
        let (_, terminal) = self.terminal_tab(wanted, tab)?;
        self.write_refused = false;
        let bytes = text.into_bytes();
        self.act(Action::Plain(PlainAction::Send { terminal, bytes }), now)?;
        if self.write_refused {
            bail!("the terminal's program does not read its input; nothing was sent");
        }
        Ok(Answer::Now(json!({})))
    }

    pub(crate) fn close_terminal(
        &mut self,
        (wanted, tab): (Option<&str>, Option<u64>),
        force: bool,
        now: Instant,
    ) -> Result<Answer> {
        let (tab, terminal) = self.terminal_tab(wanted, tab)?;
        self.look_at_terminals(now);
        let plain = self.state.plain_terminal(terminal).ok_or(ActionError::NoTerminal)?;
        if let Some(running) = plain.running().filter(|_| !force) {
            bail!("{running} is running in that terminal; end it first, or use --force");
        }
        let gone = self.once_gone(ProgramId::Terminal(terminal));
        self.act(Action::Tab(TabAction::Discard(tab)), now)?;
        Ok(gone)
    }

    /// The tab named, or the active one if it is a terminal's, or else the last that is.
    fn terminal_tab(&self, wanted: Option<&str>, tab: Option<u64>) -> Result<(TabId, TerminalId)> {
        let id = self.workspace_id(wanted)?;
        let workspace = self.state.workspace(id).ok_or(ActionError::NoWorkspace)?;
        let terminal = |tab: workspace::Tab| match tab.content {
            TabContent::Terminal(terminal) => Some((tab.id, terminal)),
            TabContent::Agent | TabContent::File(_) => None,
        };
        let mut tabs = workspace.tabs().into_iter();
        let found = match tab {
            Some(number) => {
                let name = workspace.name();
                let tab = tabs.find(|it| u64::from(it.id.number()) == number);
                let tab = tab.with_context(|| format!("there is no tab {number} in {name}"))?;
                let found = terminal(tab);
                return found.with_context(|| format!("tab {number} of {name} is no terminal"));
            }
            None => {
                let active = workspace.active_tab().and_then(terminal);
                active.or_else(|| tabs.rev().find_map(terminal))
            }
        };
        Ok(found.ok_or(ActionError::NoTerminal)?)
    }
}
