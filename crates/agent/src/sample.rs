//! What the kernel knows of a program and its terminal at one moment.

/// Looked up by whoever may; see [`AgentStateMachine::sample_at`](crate::AgentStateMachine::sample_at).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProcessSample {
    /// The kernel collects whole lines: no line editor, no full-screen program.
    pub is_canonical: bool,
    /// What is typed is shown by the kernel.
    pub echoes: bool,
    /// The group that reads the terminal.
    pub foreground: i32,
    /// The program, and everything that it started and that lives.
    pub processes: Vec<Process>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub pid: i32,
    /// Used so far, in hundredths of a second.
    pub cpu_ticks: u64,
    /// It waits for a line to be typed.
    pub reads_terminal: bool,
}

impl ProcessSample {
    pub(crate) fn reads_terminal(&self) -> bool {
        self.processes.iter().any(|process| process.reads_terminal)
    }

    pub(crate) fn cpu_ticks(&self) -> u64 {
        self.processes.iter().map(|process| process.cpu_ticks).sum()
    }
}
