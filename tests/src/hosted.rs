//! An instance whose programs the host holds, started, killed and started again.

use std::path::PathBuf;
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{Instance, Setup, wait_for};
use crate::system::is_alive;

pub(crate) fn hosted() -> Instance {
    hosted_setup().start()
}

pub(crate) fn hosted_setup() -> Setup {
    Setup::headless()
}

impl Instance {
    /// Starts it once more, in the size of the first time, and waits until it answers.
    pub(crate) fn start_hosted_again(&mut self) {
        self.start_again_with(&["--size", "1200x800"]);
    }

    /// Starts it once more without waiting for anything.
    pub(crate) fn begin_hosted_again(&mut self) {
        let args = ["--headless", "--size", "1200x800"];
        self.begin_again(|command| command.args(args).stdin(Stdio::null()).stdout(Stdio::null()));
    }

    /// Where its host listens, or would.
    pub(crate) fn host_socket(&self) -> PathBuf {
        self.socket().with_extension("host.sock")
    }

    /// What the status bar warns of; `null` if all is well.
    pub(crate) fn warnings(&self) -> String {
        self.status()["warnings"].to_string()
    }

    #[track_caller]
    pub(crate) fn wait_for_warning(&self, text: &str) {
        let warned = wait_for(|| self.warnings().contains(text).then_some(()));
        assert!(warned.is_some(), "no {text:?} in {}", self.warnings());
    }

    #[track_caller]
    pub(crate) fn wait_for_no_warning(&self) {
        let is_well = wait_for(|| (self.warnings() == "null").then_some(()));
        assert!(is_well.is_some(), "still {}", self.warnings());
    }

    /// As nothing but a fault of ours or the kernel would end the host.
    #[track_caller]
    pub(crate) fn kill_host(&self) {
        let host = self.host_pid().expect("a host");
        kill(Pid::from_raw(host), Signal::SIGKILL).unwrap();
        wait_for(|| (!is_alive(host)).then_some(())).expect("it is killed");
    }
}
