//! Where the user's login shell finds programs.
//!
//! A desktop starts us with a short `PATH`; what nvm, asdf or mise install is on the one that the
//! user's shell puts together from its start-up files. Those are asked once, on a thread, and what
//! is to be started meanwhile waits.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _, PipeWriter};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::{LogErr as _, Worker};
use config::{Config, LoginPath};
use pty::Capture;
use workspace::{Action, AgentAction, Effect, Fact, PlainAction};

use crate::app::App;
use crate::news::{News, NewsSender};
use crate::socket::Incoming;

/// Start-up files that take longer than this are given up on.
const LIMIT: Duration = Duration::from_secs(5);
/// Start-up files may talk, but not without end.
const MAX_BYTES: usize = 1024 * 1024;
/// The longest `PATH` that is believed.
const MAX_PATH: usize = 64 * 1024;
/// What separates the environment from what start-up files print.
const MARK: &str = "__trackside_environment__";

/// The search path of the programs we start.
#[derive(Debug)]
pub(crate) struct SearchPath {
    path: Option<OsString>,
    asking: Option<Asking>,
}

#[derive(Debug)]
struct Asking {
    /// In the order they came.
    waiting: VecDeque<Waiting>,
    _thread: Worker<PipeWriter>,
}

/// What is done once the path is known.
#[derive(Debug)]
pub(crate) enum Waiting {
    Wish(Action),
    Spawn(Effect),
    Request(Incoming),
}

impl SearchPath {
    /// Our own path for now; the login shell is asked if the configuration wants that.
    pub(crate) fn find(config: &Config, home: Option<PathBuf>, news: NewsSender) -> Self {
        let path = std::env::var_os("PATH");
        let wanted = match config.environment.login_path {
            LoginPath::Always => true,
            LoginPath::Never => false,
            LoginPath::Auto => !is_from_a_shell(),
        };
        let home = home.filter(|home| wanted && home.is_dir());
        let asking =
            home.and_then(|home| ask(config.shell(), home, news).log_err("asking a shell"));
        Self { path, asking }
    }

    pub(crate) fn get(&self) -> Option<&OsStr> {
        self.path.as_deref()
    }

    pub(crate) fn is_known(&self) -> bool {
        self.asking.is_none()
    }

    fn wait(&mut self, what: Waiting) {
        if let Some(asking) = &mut self.asking {
            asking.waiting.push_back(what);
        }
    }
}

impl App {
    /// Puts off what would start a program before it is known where programs are; gives back what
    /// need not be put off.
    pub(crate) fn put_off(&mut self, what: Waiting) -> Option<Waiting> {
        let starts = match &what {
            Waiting::Wish(action) => starts_a_program(action),
            Waiting::Spawn(_) => true,
            Waiting::Request(incoming) => incoming.request.call.may_start_a_program(),
        };
        if self.search_path.is_known() || !starts {
            return Some(what);
        }
        self.search_path.wait(what);
        None
    }

    /// Takes in what the login shell said, and starts what has waited for it.
    pub(crate) fn search_path_found(&mut self, found: Option<OsString>, now: Instant) {
        let Some(asking) = self.search_path.asking.take() else { return };
        if let Some(login) = found {
            let merged = merge(&login, self.search_path.get());
            self.search_path.path = Some(merged);
        }
        let installed = self.installed_agents();
        self.observe(Fact::AgentsFound(installed), now);
        for what in asking.waiting {
            match what {
                Waiting::Wish(action) => self.wish(action, now),
                Waiting::Spawn(effect) => self.run(vec![effect], now),
                Waiting::Request(incoming) => self.serve_request(incoming, now),
            }
        }
    }
}

fn starts_a_program(action: &Action) -> bool {
    matches!(
        action,
        Action::Agent(
            AgentAction::Start { .. } | AgentAction::Restart { .. } | AgentAction::Resume { .. }
        ) | Action::Plain(PlainAction::New { .. } | PlainAction::Restart(_))
    )
}

/// A shell has put its own path into our environment. One that we were started from long ago may
/// be a desktop's: what it starts by a launcher says so.
fn is_from_a_shell() -> bool {
    let on_a_terminal =
        io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal();
    let has = |name: &str| std::env::var_os(name).is_some();
    let by_launcher = has("GIO_LAUNCHED_DESKTOP_FILE")
        || has("DESKTOP_STARTUP_ID")
        || has("XDG_ACTIVATION_TOKEN");
    on_a_terminal || (has("SHLVL") && !by_launcher)
}

fn ask(shell: String, home: PathBuf, news: NewsSender) -> io::Result<Asking> {
    let (stopped, stop) = io::pipe()?;
    // Words that every shell knows; `env -0` says the same in all of them, fish included.
    let script = format!("echo {MARK}; /usr/bin/env -0; echo {MARK}");
    let capture = Capture {
        argv: [shell.as_str(), "-l", "-i", "-c", &script].map(OsString::from).to_vec(),
        // For start-up files that ask what they may do: there is nobody to see it.
        env: std::env::vars_os()
            .filter(|(name, _)| name != "TERM")
            .chain([("TERM".into(), "dumb".into())])
            .collect(),
        cwd: home,
        limit: LIMIT,
        max_bytes: MAX_BYTES,
    };
    let thread = Worker::spawn("login-path", stop, move || {
        let printed = capture.run(stopped.as_fd()).log_err("asking a shell for its PATH");
        let path = printed.as_deref().and_then(path_in);
        if path.is_none() {
            tracing::warn!("{shell} did not tell its PATH; programs are looked for on our own");
        }
        news.send(News::SearchPath(path));
    })?;
    Ok(Asking { waiting: VecDeque::new(), _thread: thread })
}

/// The `PATH` in what the shell printed, between the marks.
fn path_in(printed: &[u8]) -> Option<OsString> {
    let mark = format!("{MARK}\n").into_bytes();
    let find = |text: &[u8]| text.windows(mark.len()).position(|window| window == mark);
    let start = find(printed)? + mark.len();
    let end = start + find(&printed[start..])?;
    let path =
        printed[start..end].split(|byte| *byte == 0).find_map(|it| it.strip_prefix(b"PATH="))?;
    let is_sane = !path.is_empty() && path.len() <= MAX_PATH;
    is_sane.then(|| OsString::from_vec(path.to_vec()))
}

/// The login shell's path, followed by what only ours has. Relative folders are left out: what they
/// mean would depend on where a program is started.
fn merge(login: &OsStr, own: Option<&OsStr>) -> OsString {
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in
        std::env::split_paths(login).chain(own.into_iter().flat_map(std::env::split_paths))
    {
        if folder.is_absolute() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let joined: Vec<&[u8]> = folders.iter().map(|folder| folder.as_os_str().as_bytes()).collect();
    OsString::from_vec(joined.join(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(printed: &str, path: Option<&str>) {
        let printed = printed.replace("MARK", MARK).replace('|', "\0");
        assert_eq!(path_in(printed.as_bytes()), path.map(OsString::from), "in {printed:?}");
    }

    #[test]
    fn the_path_is_found_among_what_start_up_files_print() {
        check("MARK\nA=1|PATH=/x:/y|B=2|MARK\n", Some("/x:/y"));
        check("Welcome!\nPATH=/no|\nMARK\nPATH=/x|MARK\nbye\n", Some("/x"));
        check("MARK\nF=() {\nPATH=/no\n}|PATH=/x|MARK\n", Some("/x"));
        check("MARK\nPATH=/x|", None);
        check("MARK\nA=1|MARK\n", None);
        check("MARK\nPATH=|MARK\n", None);
        check("", None);
    }

    #[test]
    fn the_login_shells_folders_come_first_and_ours_are_kept() {
        let merged = |login: &str, own: Option<&str>| merge(login.as_ref(), own.map(OsStr::new));
        assert_eq!(merged("/n:/b", Some("/a:/b")), "/n:/b:/a", "each once");
        assert_eq!(merged("/n:.:bin::/n", None), "/n", "nothing relative");
    }
}
