//! One agent of a workspace: its terminal, its state, and what it was started with.
//!
//! The process itself is elsewhere; a handle that is fed bytes and told what happened is all that a
//! test needs.

use std::error::Error;
use std::fmt;
use std::time::Instant;

use terminal::TerminalBuffer;

use crate::{AgentId, AgentState, AgentStateMachine, Exit, Timeouts, Transition};

#[derive(Debug)]
pub struct AgentHandle {
    id: AgentId,
    name: String,
    command: Vec<String>,
    terminal: TerminalBuffer,
    machine: AgentStateMachine,
    pid: Option<u32>,
    launches: u32,
    stop_requested: bool,
    failure: Option<String>,
    /// How much of the terminal's output the machine has been told about.
    seen_output: u64,
}

/// A restart was asked for while the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StillAlive;

impl AgentHandle {
    /// A first launch begins now.
    pub fn new(
        id: AgentId,
        name: impl Into<String>,
        command: Vec<String>,
        terminal: TerminalBuffer,
        timeouts: Timeouts,
        now: Instant,
    ) -> Self {
        Self {
            id,
            name: name.into(),
            command,
            seen_output: terminal.output_revision(),
            terminal,
            machine: AgentStateMachine::new(timeouts, now),
            pid: None,
            launches: 1,
            stop_requested: false,
            failure: None,
        }
    }

    pub fn id(&self) -> AgentId {
        self.id
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn command(&self) -> &[String] {
        &self.command
    }

    pub fn terminal(&self) -> &TerminalBuffer {
        &self.terminal
    }

    pub fn state(&self) -> AgentState {
        self.machine.state()
    }

    /// When the present state was entered.
    pub fn since(&self) -> Instant {
        self.machine.since()
    }

    pub fn is_alive(&self) -> bool {
        self.state().is_alive()
    }

    /// How often it was started, this time included.
    pub fn launches(&self) -> u32 {
        self.launches
    }

    /// The living process, once it is spawned.
    pub fn pid(&self) -> Option<u32> {
        self.pid
    }

    pub fn spawned(&mut self, pid: u32) {
        self.pid = Some(pid);
    }

    /// The program could not be started; `code` is what a shell would have ended with: 127 not
    /// found, 126 not executable.
    pub fn failed(
        &mut self,
        code: i32,
        message: impl Into<String>,
        now: Instant,
    ) -> Option<Transition> {
        self.failure = Some(message.into());
        self.exited(Exit::Code(code), now)
    }

    /// Why it could not be started, for the user.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Looks whether the program has written something since the last call. Selecting, scrolling
    /// and resizing its terminal do not count.
    pub fn on_output(&mut self, now: Instant) -> Option<Transition> {
        let output = self.terminal.output_revision();
        if output == self.seen_output {
            return None;
        }
        self.seen_output = output;
        self.machine.on_output(now)
    }

    /// `bytes` were written to the program in the user's name.
    pub fn on_input(&mut self, bytes: &[u8], now: Instant) -> Option<Transition> {
        self.machine.on_input(bytes, now)
    }

    /// We resized the program or reported focus to it.
    pub fn on_redraw(&mut self, now: Instant) -> Option<Transition> {
        self.machine.on_redraw(now)
    }

    pub fn on_deadline(&mut self, now: Instant) -> Option<Transition> {
        self.machine.on_deadline(now)
    }

    pub fn next_deadline(&self) -> Option<Instant> {
        self.machine.next_deadline()
    }

    /// The process is gone.
    pub fn exited(&mut self, exit: Exit, now: Instant) -> Option<Transition> {
        self.pid = None;
        self.machine.on_exit(exit, now)
    }

    /// Notes that the user wants it to end; ending it is somebody else's job.
    pub fn request_stop(&mut self) {
        self.stop_requested = true;
    }

    pub fn stop_requested(&self) -> bool {
        self.stop_requested
    }

    /// Whether it ended because the user asked.
    pub fn was_stopped(&self) -> bool {
        self.stop_requested && !self.is_alive()
    }

    /// Begins another launch in the same terminal, below a separator. All text is kept.
    ///
    /// # Errors
    /// [`StillAlive`] while there is a process; nothing is changed then.
    pub fn restart(&mut self, now: Instant) -> Result<(), StillAlive> {
        if self.is_alive() {
            return Err(StillAlive);
        }
        self.launches += 1;
        self.pid = None;
        self.stop_requested = false;
        self.failure = None;
        self.terminal.start_session(&format!("── restarted · launch {} ──", self.launches));
        self.seen_output = self.terminal.output_revision();
        self.machine.restart(now);
        Ok(())
    }
}

impl fmt::Display for StillAlive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the agent is still running; stop it first")
    }
}

impl Error for StillAlive {}

#[cfg(test)]
mod tests;
