//! The states an agent can be in, and the words others know them by.

use std::fmt;
use std::time::Instant;

use rules::Reason;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentState {
    /// Spawned, nothing seen yet.
    Starting,
    Running,
    /// Alive and waiting for the user since then.
    NeedsInput {
        since: Instant,
        reason: Reason,
    },
    /// Waiting for too long. `since` is when the waiting began, so that the time shown goes on
    /// counting; [`AgentStateMachine::since`](crate::AgentStateMachine::since) says when it went
    /// stale.
    Stale {
        since: Instant,
    },
    /// The process is gone. Final until the agent is started again.
    Exited {
        exit: Exit,
    },
    /// Was alive when Trackside or the machine went down and could not be kept, or crashed so often
    /// that it is not started again.
    Stopped,
}

impl AgentState {
    /// The word for it in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::NeedsInput { .. } => "needs_input",
            Self::Stale { .. } => "stale",
            Self::Exited { .. } => "exited",
            Self::Stopped => "stopped",
        }
    }

    /// Whether there is, or is about to be, a process.
    pub fn is_alive(self) -> bool {
        match self {
            Self::Starting | Self::Running | Self::NeedsInput { .. } | Self::Stale { .. } => true,
            Self::Exited { .. } | Self::Stopped => false,
        }
    }

    /// How it ended, if it has.
    pub fn exit(self) -> Option<Exit> {
        match self {
            Self::Exited { exit } => Some(exit),
            Self::Starting
            | Self::Running
            | Self::NeedsInput { .. }
            | Self::Stale { .. }
            | Self::Stopped => None,
        }
    }
}

/// A change of state, for whoever wants to tell the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    pub from: AgentState,
    pub to: AgentState,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

impl Exit {
    /// As a shell would say it: 128 + n for death by signal n.
    pub fn code(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => signal.saturating_add(128),
        }
    }

    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }

    /// `SIGTERM` and the like; `None` for an ordinary exit and for signals without a name.
    pub fn signal_name(self) -> Option<&'static str> {
        let Self::Signal(signal) = self else { return None };
        let index = usize::try_from(signal).ok()?.checked_sub(1)?;
        SIGNAL_NAMES.get(index).copied()
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.signal_name()) {
            (Self::Code(code), _) => write!(f, "exit {code}"),
            (Self::Signal(_), Some(name)) => f.write_str(name),
            (Self::Signal(signal), None) => write!(f, "signal {signal}"),
        }
    }
}

/// Signals 1 to 31 as Linux numbers them on x86 and ARM.
const SIGNAL_NAMES: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(exit: Exit, expected: &str) {
        let name = exit.signal_name().unwrap_or("-");
        assert_eq!(format!("{exit} | {} | {name}", exit.code()), expected, "text | code | signal");
    }

    #[test]
    fn exit_codes_and_signals_are_told_apart() {
        check(Exit::Code(0), "exit 0 | 0 | -");
        check(Exit::Code(3), "exit 3 | 3 | -");
        check(Exit::Code(143), "exit 143 | 143 | -");
        check(Exit::Signal(15), "SIGTERM | 143 | SIGTERM");
        check(Exit::Signal(9), "SIGKILL | 137 | SIGKILL");
        check(Exit::Signal(11), "SIGSEGV | 139 | SIGSEGV");
        check(Exit::Signal(1), "SIGHUP | 129 | SIGHUP");
        check(Exit::Signal(31), "SIGSYS | 159 | SIGSYS");
    }

    #[test]
    fn odd_signals_have_a_code_but_no_name() {
        check(Exit::Signal(0), "signal 0 | 128 | -");
        check(Exit::Signal(-1), "signal -1 | 127 | -");
        check(Exit::Signal(40), "signal 40 | 168 | -");
        check(Exit::Signal(i32::MAX), "signal 2147483647 | 2147483647 | -");
    }

    #[test]
    fn only_code_zero_is_success() {
        assert!(Exit::Code(0).is_success(), "code 0");
        assert!(!Exit::Code(1).is_success(), "code 1");
        assert!(!Exit::Signal(0).is_success(), "a signal");
    }
}
