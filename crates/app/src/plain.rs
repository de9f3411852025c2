//! What runs in terminals without an agent: looked up when it matters, never polled.
//!
//! It matters for a tab's title some time after output, and for sure before anything is closed.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use workspace::{Action, Fact, PlainAction, PlainKind, ProgramId, TerminalId};

use crate::app::App;

/// From output to a look at who printed it: a shell's child becomes another program soon after it
/// was forked, and a flood is looked at a few times a second.
const LOOK_AFTER: Duration = Duration::from_millis(150);

impl App {
    /// Refuses a terminal that cannot work before anything is made for it.
    ///
    /// # Errors
    /// The folder or the program is not there.
    pub(crate) fn open_terminal(&mut self, new: PlainAction, now: Instant) -> Result<()> {
        if let PlainAction::New { cwd: Some(cwd), .. } = &new
            && !cwd.is_dir()
        {
            bail!("{}: no such folder", cwd.display());
        }
        self.update(Action::Plain(new), now)
    }

    /// Finds out what runs in every plain terminal, and whether closing would end it.
    pub(crate) fn look_at_terminals(&mut self, now: Instant) {
        let terminals: Vec<TerminalId> = self.state.plain_terminals().map(|it| it.id()).collect();
        let in_front: Vec<(TerminalId, Option<String>)> =
            terminals.into_iter().map(|terminal| (terminal, self.running_in(terminal))).collect();
        // One look for all of them: it goes through every process there is.
        let at_prompt = in_front.iter().filter(|(_, name)| name.is_none());
        let at_prompt: Vec<ProgramId> = at_prompt.map(|(id, _)| ProgramId::Terminal(*id)).collect();
        let mut others = self.sessions.others(&at_prompt);
        for (terminal, name) in in_front {
            let name = name.or_else(|| others.remove(&ProgramId::Terminal(terminal)));
            self.observe(Fact::Running { terminal, name }, now);
        }
    }

    /// Notes what an ended shell has left in the background, before its end is made known.
    pub(crate) fn look_at_rest_of(&mut self, terminal: TerminalId, now: Instant) {
        let program = ProgramId::Terminal(terminal);
        let name = self.sessions.others(&[program]).remove(&program);
        self.observe(Fact::Running { terminal, name }, now);
    }

    /// Something was printed: titles may be out of date soon.
    pub(crate) fn plan_look(&mut self, now: Instant) {
        if self.state.plain_terminals().next().is_some() {
            self.look_due.get_or_insert(now + LOOK_AFTER);
        }
    }

    /// Brings the titles of tabs and the badges of tiles up to date, if that is due.
    pub(crate) fn look_if_due(&mut self, now: Instant) {
        if self.look_due.take_if(|at| *at <= now).is_none() {
            return;
        }
        let alive = self.state.plain_terminals().filter(|it| it.is_alive());
        let running: Vec<TerminalId> = alive.map(|it| it.id()).collect();
        for terminal in running {
            let name = self.running_in(terminal);
            let known = self.state.plain_terminal(terminal).and_then(|it| it.running());
            if known != name.as_deref() {
                self.observe(Fact::Running { terminal, name }, now);
            }
        }
    }

    /// The program in front, unless it is a shell at its prompt.
    fn running_in(&self, terminal: TerminalId) -> Option<String> {
        let plain = self.state.plain_terminal(terminal).filter(|it| it.is_alive())?;
        let front = self.sessions.foreground(ProgramId::Terminal(terminal))?;
        (plain.kind() == PlainKind::Command || !front.is_leader).then_some(front.name)
    }
}
