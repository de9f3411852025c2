//! Asking an agent at its launch to report what it does, by arguments alone.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use hooks::{Agent, OwnSettings, Place, Reporter};
use nix::libc;

/// Of a file of the user's; a larger one is taken to say anything.
const MAX_BYTES: u64 = 256 * 1024;

/// What is asked to report: our program as it was found when we started, since an update may put
/// another in its place while we run.
#[derive(Debug)]
pub(crate) struct Hooking {
    program: Option<String>,
}

/// The launch that is about to be.
#[derive(Debug)]
pub(crate) struct Launching<'a> {
    pub launch: u64,
    pub env: &'a [(OsString, OsString)],
    pub cwd: &'a Path,
}

impl Hooking {
    pub(crate) fn new() -> Self {
        // A path that is no text cannot be an argument here; agents are then watched from outside.
        let program = std::env::current_exe().ok();
        Self { program: program.and_then(|path| path.into_os_string().into_string().ok()) }
    }

    /// The command with hooks, where its program takes them.
    pub(crate) fn add(&self, argv: Vec<String>, launching: &Launching<'_>) -> Vec<String> {
        let agent = argv.first().and_then(|program| Agent::of_program(program));
        let (Some(agent), Some(program)) = (agent, &self.program) else { return argv };
        let reporter = Reporter { program, launch: launching.launch };
        hooks::arguments(&argv, reporter, &launching.own_settings(agent)).unwrap_or(argv)
    }
}

impl Launching<'_> {
    /// What the user has set up for the agent that our arguments would replace.
    fn own_settings(&self, agent: Agent) -> OwnSettings {
        let mut own = OwnSettings::default();
        for (name, _) in self.env {
            own.read_variable(&name.to_string_lossy());
        }
        for path in OwnSettings::places(agent).iter().flat_map(|place| self.paths(*place)) {
            match read(&path) {
                Ok(Some(text)) => own.read(agent, &text),
                Ok(None) => {}
                Err(err) => {
                    tracing::info!("no hooks for {}: {}: {err}", agent.name(), path.display());
                    own.cannot_be_read(agent);
                }
            }
        }
        own
    }

    fn paths(&self, place: Place) -> Vec<PathBuf> {
        let home = || self.variable("HOME").map(PathBuf::from);
        match place {
            Place::Home(name) => home().map(|home| home.join(name)).into_iter().collect(),
            Place::CodexHome(name) => {
                let configured = self.variable("CODEX_HOME").map(PathBuf::from);
                let folder = configured.or_else(|| Some(home()?.join(".codex")));
                folder.map(|folder| folder.join(name)).into_iter().collect()
            }
            Place::Folder(name) => self.cwd.ancestors().map(|folder| folder.join(name)).collect(),
            Place::System(path) => vec![PathBuf::from(path)],
        }
    }

    fn variable(&self, wanted: &str) -> Option<&OsStr> {
        let value = self.env.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        value.map(OsString::as_os_str).filter(|value| !value.is_empty())
    }
}

/// `None` where there is no such file. A stranger's folder may hold anything by that name: what is
/// no ordinary file is not waited for.
fn read(path: &Path) -> io::Result<Option<String>> {
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(err)
            if matches!(err.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(None);
        }
        Err(err) => return Err(err),
    };
    read_whole(file).map(Some)
}

fn read_whole(file: File) -> io::Result<String> {
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not an ordinary file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|len| len > MAX_BYTES) {
        return Err(io::Error::other("too large"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;
