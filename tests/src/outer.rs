//! A terminal that somebody sits at, with a shell in it: one of tmux, whose screen and modes can be asked.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::command::{binary, trackside};
use crate::harness::{Instance, wait_for};

/// What tmux knows of a terminal's modes, and what it should say while nothing is attached.
const MODES: &str = "#{alternate_on} #{cursor_flag} #{keypad_cursor_flag} #{keypad_flag} \
                     #{mouse_any_flag} #{mouse_sgr_flag} #{wrap_flag}";
const USUAL_MODES: &str = "0 1 0 0 0 0 1";

pub(crate) struct Outer {
    socket: PathBuf,
    /// Everything that was sent to the terminal.
    sent: PathBuf,
}

impl Outer {
    /// Of that size; its shell has the folders of the instance.
    pub(crate) fn new(instance: &Instance, name: &str, columns: u16, rows: u16) -> Self {
        let (config, socket) = (instance.path("tmux.conf"), instance.path(name));
        let settings =
            "set -g status off\nset -g default-terminal tmux-256color\nset -sg escape-time 0\n";
        fs::write(&config, settings).unwrap();
        let sent = instance.path(&format!("{name}.sent"));
        let outer = Self { socket, sent };
        let mut command = outer.command();
        for (name, value) in trackside(instance.dir.path()).get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.env("TRACKSIDE", binary()).current_dir(instance.dir.path());
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let session = ["new-session", "-d", "-x", &columns, "-y", &rows, "sh"];
        let status = command.arg("-f").arg(&config).args(session).status().unwrap();
        assert!(status.success(), "tmux should start");
        outer.tmux(&["pipe-pane", &format!("cat > {}", outer.sent.display())]);
        outer.wait_for("$");
        outer
    }

    /// The same with the agent's terminal in it.
    pub(crate) fn attached(instance: &Instance, name: &str, columns: u16, rows: u16) -> Self {
        let outer = Self::new(instance, name, columns, rows);
        outer.line("$TRACKSIDE agent attach -w one");
        outer.wait_until_attached();
        outer
    }

    pub(crate) fn wait_until_attached(&self) {
        let is_attached = || (self.ask("#{alternate_on}") == "1").then_some(());
        assert!(wait_for(is_attached).is_some(), "nothing is attached: {}", self.screen());
    }

    fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket).stdin(Stdio::null());
        command
    }

    pub(crate) fn tmux(&self, args: &[&str]) -> String {
        let Output { stdout, status, stderr } = self.command().args(args).output().unwrap();
        assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    }

    fn ask(&self, format: &str) -> String {
        self.tmux(&["display-message", "-p", format]).trim_end().to_owned()
    }

    /// Types a line and presses Enter.
    pub(crate) fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.keys(&["Enter"]);
    }

    pub(crate) fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    pub(crate) fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        let found = wait_for(|| self.screen().contains(text).then_some(()));
        assert!(found.is_some(), "no {text:?} in the terminal:\n{}", self.screen());
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    pub(crate) fn title(&self) -> String {
        self.ask("#{pane_title}")
    }

    pub(crate) fn modes(&self) -> String {
        self.ask(MODES)
    }

    /// The process in front.
    pub(crate) fn attached_pid(&self) -> i32 {
        let mut pid = self.ask("#{pane_pid}");
        loop {
            let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
            let Some(child) = children.split_whitespace().next() else { break };
            child.clone_into(&mut pid);
        }
        pid.parse().unwrap()
    }

    /// What was sent so far, as text.
    pub(crate) fn sent(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.sent).unwrap_or_default()).into_owned()
    }

    #[track_caller]
    pub(crate) fn detach(&self) {
        self.keys(&["C-\\"]);
        self.wait_for("detached from one");
    }

    /// It is as it was before anything was attached.
    #[track_caller]
    pub(crate) fn assert_usual(&self) {
        assert_eq!(self.modes(), USUAL_MODES, "{MODES}: {}", self.screen());
        self.line("stty -a | tr ';' '\\n' | grep -E 'icanon|echo'; echo answer $((6 * 7))");
        self.wait_for("answer 42");
        let screen = self.screen();
        for mode in [" icanon", " echo "] {
            assert!(screen.contains(mode) && !screen.contains(&mode.replace(' ', "-")), "{screen}");
        }
    }
}

impl Drop for Outer {
    fn drop(&mut self) {
        // It may have ended with its shell.
        drop(self.command().arg("kill-server").stderr(Stdio::null()).status());
    }
}
