//! A terminal without an agent: the person's own shell, or one command.
//!
//! It has no states to be inferred and no place on the rail. What runs in it is told from outside.

use std::path::{Path, PathBuf};

use agent::Exit;
use terminal::TerminalBuffer;

use crate::{TerminalId, WorkspaceId};

#[derive(Debug)]
pub struct PlainTerminal {
    id: TerminalId,
    workspace: WorkspaceId,
    argv: Vec<String>,
    kind: PlainKind,
    buffer: TerminalBuffer,
    life: Life,
    launches: u32,
    /// The person has typed into it since its launch.
    pub(crate) is_used: bool,
    /// Where its program says that it is.
    pub(crate) directory: Option<PathBuf>,
    /// Where it was started.
    started_in: Option<PathBuf>,
    /// What runs in it, apart from a shell at its prompt.
    pub(crate) running: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainKind {
    /// The person's shell: done with when they leave it.
    Shell,
    /// One command: what it printed is kept.
    Command,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Life {
    /// It was open in an earlier run, in that folder, and is started once it is looked at.
    Waiting {
        folder: Option<PathBuf>,
    },
    Running {
        pid: Option<u32>,
    },
    Ended(Exit),
    Failed(String),
}

impl PlainTerminal {
    pub(crate) fn new(
        id: TerminalId,
        workspace: WorkspaceId,
        (argv, kind): (Vec<String>, PlainKind),
        buffer: TerminalBuffer,
    ) -> Self {
        Self {
            id,
            workspace,
            argv,
            kind,
            buffer,
            life: Life::Running { pid: None },
            launches: 1,
            is_used: false,
            directory: None,
            started_in: None,
            running: None,
        }
    }

    pub fn id(&self) -> TerminalId {
        self.id
    }

    /// The workspace whose tab shows it.
    pub fn workspace(&self) -> WorkspaceId {
        self.workspace
    }

    pub fn command(&self) -> &[String] {
        &self.argv
    }

    pub fn kind(&self) -> PlainKind {
        self.kind
    }

    pub fn buffer(&self) -> &TerminalBuffer {
        &self.buffer
    }

    pub fn is_alive(&self) -> bool {
        matches!(self.life, Life::Running { .. } | Life::Waiting { .. })
    }

    /// Whether its program is only started once it is looked at.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self.life, Life::Waiting { .. })
    }

    /// Of the living process, once it is spawned.
    pub fn pid(&self) -> Option<u32> {
        match self.life {
            Life::Running { pid } => pid,
            Life::Waiting { .. } | Life::Ended(_) | Life::Failed(_) => None,
        }
    }

    pub fn exit(&self) -> Option<Exit> {
        match self.life {
            Life::Ended(exit) => Some(exit),
            Life::Waiting { .. } | Life::Running { .. } | Life::Failed(_) => None,
        }
    }

    /// Why it could not be started, for the person.
    pub fn failure(&self) -> Option<&str> {
        match &self.life {
            Life::Failed(why) => Some(why),
            Life::Waiting { .. } | Life::Running { .. } | Life::Ended(_) => None,
        }
    }

    /// What would be ended with it, as far as that was looked at: the program in front, or else
    /// something in the background.
    pub fn running(&self) -> Option<&str> {
        self.running.as_deref()
    }

    /// The last directory it was known to be in.
    pub fn directory(&self) -> Option<&Path> {
        match &self.life {
            Life::Waiting { folder } => folder.as_deref(),
            _ => self.directory.as_deref().or(self.started_in.as_deref()),
        }
    }

    /// Where its program says that it is.
    pub fn told_directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// What its program calls itself, or else what runs in it, or else the program's name.
    pub fn title(&self) -> String {
        let own = self.buffer.title().filter(|title| !title.trim().is_empty());
        own.or_else(|| self.running.clone().filter(|_| self.is_alive())).unwrap_or_else(|| {
            let program = self.argv.first().map_or("terminal", String::as_str);
            let name = program.rsplit('/').next().unwrap_or(program);
            name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
        })
    }

    /// As one of an earlier run, to be started in that folder.
    #[must_use]
    pub(crate) fn waiting_in(self, folder: Option<PathBuf>) -> Self {
        Self { life: Life::Waiting { folder }, ..self }
    }

    /// Notes that it is started now, and says where; `None` if it does not wait for that.
    pub(crate) fn start_waiting(&mut self) -> Option<Option<PathBuf>> {
        let Life::Waiting { folder } = &mut self.life else { return None };
        let folder = folder.take();
        // Until it is known better.
        self.started_in.clone_from(&folder);
        self.life = Life::Running { pid: None };
        Some(folder)
    }

    pub(crate) fn spawned(&mut self, pid: u32, started_in: PathBuf) {
        self.life = Life::Running { pid: Some(pid) };
        self.started_in = Some(started_in);
    }

    /// It runs on since an earlier run of ours, with all that it has printed.
    pub(crate) fn rejoined(&mut self, buffer: TerminalBuffer, directory: Option<PathBuf>) {
        self.buffer = buffer;
        self.directory = directory.or(self.directory.take());
    }

    pub(crate) fn failed(&mut self, why: String) {
        self.life = Life::Failed(why);
    }

    pub(crate) fn exited(&mut self, exit: Exit) {
        self.life = Life::Ended(exit);
    }

    /// Begins another launch below what was printed.
    pub(crate) fn restart(&mut self) {
        self.launches += 1;
        self.life = Life::Running { pid: None };
        self.running = None;
        self.is_used = false;
        self.buffer.start_session(&format!("── restarted · launch {} ──", self.launches));
    }
}
