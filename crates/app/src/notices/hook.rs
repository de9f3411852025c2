//! `[notify] command`: the user's own program, run for each agent that begins to wait.
//!
//! Without a shell, without input, and not for long. What the agent says reaches it in its
//! environment alone.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, PipeWriter};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::time::Duration;

use base::{LogErr as _, Worker};
use pty::{Callers, Capture};
use workspace::{Fact, Waiting};

use crate::news::NewsSender;

/// How long one may run; then it is killed with all it has started.
const LIMIT: Duration = Duration::from_secs(30);
/// More than this is not printed by who has nothing to say; nobody reads it.
const MAX_BYTES: usize = 1024 * 1024;
/// How many may run at once; who waits meanwhile is left out.
const AT_ONCE: usize = 4;

/// What is to be run.
pub(super) struct Hook {
    /// Program and arguments.
    pub command: Vec<String>,
    pub env: Vec<(OsString, OsString)>,
    pub cwd: PathBuf,
}

/// Those that run. Dropping it ends them.
#[derive(Debug, Default)]
pub(super) struct Hooks {
    running: Vec<Worker<PipeWriter>>,
    callers: Callers,
}

impl Hooks {
    /// Runs it on a thread of its own. That it cannot be run is shown.
    pub(super) fn run(&mut self, hook: Hook, news: NewsSender) {
        self.running.retain(|worker| !worker.is_finished());
        if self.running.len() >= AT_ONCE {
            tracing::warn!("{AT_ONCE} programs of [notify] command still run; no other is started");
            return;
        }
        let started = start(hook, self.callers.clone(), news);
        self.running.extend(started.log_err("starting a thread"));
    }

    /// Those that run, and may call us as the person may who has set them up.
    pub(super) fn callers(&self) -> &Callers {
        &self.callers
    }
}

fn start(hook: Hook, callers: Callers, news: NewsSender) -> io::Result<Worker<PipeWriter>> {
    let (stopped, stop) = io::pipe()?;
    let Hook { command, env, cwd } = hook;
    let name = command.first().cloned().unwrap_or_default();
    let argv = command.into_iter().map(OsString::from).collect();
    let capture = Capture { argv, env, cwd, limit: LIMIT, max_bytes: MAX_BYTES };
    Worker::spawn("notify-command", stop, move || {
        if let Err(err) = capture.run_among(&callers, stopped.as_fd()) {
            let words = format!("[notify] command: cannot run {name}: {err}");
            tracing::warn!("{words}");
            news.fact(Fact::Notice(words));
        }
    })
}

/// What its environment says, beside which workspace it is about.
pub(super) fn facts(about: &Waiting) -> BTreeMap<String, String> {
    let Waiting { workspace: _, name, root, agent, status, reason, text } = about;
    let facts = [
        ("TRACKSIDE_WORKSPACE", name.clone()),
        ("TRACKSIDE_ROOT", root.to_string_lossy().into_owned()),
        ("TRACKSIDE_AGENT", agent.clone()),
        ("TRACKSIDE_STATE", status.name().to_owned()),
        ("TRACKSIDE_REASON", reason.name().to_owned()),
        ("TRACKSIDE_TEXT", text.clone().unwrap_or_default()),
    ];
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
