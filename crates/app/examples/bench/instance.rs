//! The real program with folders of its own, asked over its socket.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use control::{AgentChoice, Call, Client, Stats};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use crate::clock;

/// Agents named `quiet` are stale almost at once.
const CONFIG: &str = "\
[agents.quiet]
start = [\"cat\"]
needs_input_timeout = \"200ms\"
stale_timeout = \"300ms\"
";

/// Where one instance lives; removed when dropped.
#[derive(Debug)]
pub(crate) struct Home {
    dir: TempDir,
}

/// How the program shows itself.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Surface<'a> {
    Headless,
    /// On this X display.
    Window(&'a str),
}

/// A running program; ended when dropped.
#[derive(Debug)]
pub(crate) struct Instance {
    client: Client,
    process: Process,
    /// Taken by whoever has ended it.
    home: Option<Home>,
}

/// A child that does not outlive us.
#[derive(Debug)]
pub(crate) struct Process(pub(crate) Child);

impl Home {
    pub(crate) fn new() -> Result<Self> {
        Self::with_config(CONFIG)
    }

    pub(crate) fn with_config(config: &str) -> Result<Self> {
        // Short, since a socket lives below it.
        let dir = tempfile::Builder::new().prefix("tsb").tempdir()?;
        for folder in ["home", "state", "config/trackside", "run", "cache"] {
            fs::create_dir_all(dir.path().join(folder))?;
        }
        fs::set_permissions(dir.path().join("run"), fs::Permissions::from_mode(0o700))?;
        fs::write(dir.path().join("config/trackside/config.toml"), config)?;
        Ok(Self { dir })
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The program, with nothing of the user's.
    pub(crate) fn command(&self, program: &Path, surface: Surface<'_>) -> Command {
        let mut command = Command::new(program);
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "TRACKSIDE_STATE_DIR"] {
            command.env_remove(name);
        }
        match surface {
            Surface::Headless => {}
            Surface::Window(display) => drop(command.env("DISPLAY", display)),
        }
        let dir = self.dir.path();
        command
            .env("HOME", dir.join("home"))
            .env("XDG_STATE_HOME", dir.join("state"))
            .env("XDG_CONFIG_HOME", dir.join("config"))
            .env("XDG_CACHE_HOME", dir.join("cache"))
            .env("XDG_RUNTIME_DIR", dir.join("run"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir(dir);
        command
    }

    /// Starts the program in here and waits for its first frame.
    pub(crate) fn start(self, surface: Surface<'_>) -> Result<Instance> {
        let mut command = self.command(&program()?, surface);
        match surface {
            Surface::Headless => drop(command.arg("--headless")),
            Surface::Window(_) => {}
        }
        let mut process = Process(command.spawn().context("starting the program")?);
        let state = self.dir.path().join("state/trackside");
        let run = self.dir.path().join("run");
        // Often, since the time to the first frame is measured through this.
        let every = Duration::from_micros(500);
        let client = clock::wait_for("the program's socket", every, || {
            if let Some(status) = process.0.try_wait()? {
                bail!("the program ended with {status}");
            }
            Ok(Client::connect(&control::path::find_socket(&state, Some(&run))).ok())
        })?;
        let mut instance = Instance { client, process, home: Some(self) };
        clock::wait_for("the first frame", Duration::ZERO, || {
            Ok((instance.stats()?.frames > 0).then_some(()))
        })?;
        Ok(instance)
    }
}

impl Instance {
    pub(crate) fn headless() -> Result<Self> {
        Home::new()?.start(Surface::Headless)
    }

    pub(crate) fn call(&mut self, call: Call) -> Result<serde_json::Value> {
        let name = call.name();
        self.client.call(call).with_context(|| format!("calling {name}"))
    }

    pub(crate) fn stats(&mut self) -> Result<Stats> {
        Ok(serde_json::from_value(self.call(Call::Stats)?)?)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.0.id()
    }

    pub(crate) fn folder(&self) -> &Path {
        self.home.as_ref().map_or(Path::new("/"), Home::path)
    }

    /// Opens a folder of that name and starts an agent in it.
    pub(crate) fn start_agent(&mut self, folder: &str, agent: AgentChoice) -> Result<()> {
        let path = self.folder().join(folder);
        fs::create_dir_all(&path)?;
        self.call(Call::Open { path, line: None, column: None, wait: false })?;
        self.call(Call::AgentStart { workspace: Some(folder.to_owned()), agent })?;
        Ok(())
    }

    pub(crate) fn wait(&mut self, folder: &str, state: &str) -> Result<()> {
        self.call(Call::Wait {
            workspace: Some(folder.to_owned()),
            state: state.to_owned(),
            timeout_ms: Some(30_000),
        })?;
        Ok(())
    }

    /// Ends the program and its agents, and gives back where it lived.
    pub(crate) fn quit(mut self) -> Result<Home> {
        self.call(Call::Quit { stop_agents: true })?;
        let every = Duration::from_millis(10);
        let status =
            clock::wait_for("the program's end", every, || Ok(self.process.0.try_wait()?))?;
        ensure!(status.success(), "the program ended with {status}");
        self.home.take().context("it has ended before")
    }

    /// Kills the program, not its agents.
    pub(crate) fn kill(mut self) -> Result<Home> {
        self.process.0.kill()?;
        self.process.0.wait()?;
        self.home.take().context("it has ended before")
    }

    /// The process that holds its terminals.
    pub(crate) fn host_pid(&self) -> Result<u32> {
        let record = self.folder().join("state/trackside/host.lock");
        let text = fs::read_to_string(record).context("there is no host")?;
        let pid = text.lines().next().and_then(|line| line.trim().parse().ok());
        pid.context("the host does not say who it is")
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // What it runs would go on without it.
        if self.home.is_some() {
            let _gone = self.client.call(Call::Quit { stop_agents: true }).is_err();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        // In order first, so that it ends what it has started itself.
        if let Ok(pid) = i32::try_from(self.0.id()) {
            // One that is gone already is what we want.
            let _gone = kill(Pid::from_raw(pid), Signal::SIGTERM).is_err();
        }
        let every = Duration::from_millis(10);
        let ended = clock::wait_for("a child's end", every, || Ok(self.0.try_wait()?));
        if ended.is_err() {
            drop(self.0.kill());
            drop(self.0.wait());
        }
    }
}

pub(crate) fn command(words: &[&str]) -> AgentChoice {
    AgentChoice::Command(words.iter().map(|word| (*word).to_owned()).collect())
}

/// The program built beside this: `target/release/examples/bench` -> `target/release/trackside`.
pub(crate) fn program() -> Result<PathBuf> {
    let this = std::env::current_exe()?;
    let folder = this.ancestors().nth(2).context("this program is in no folder")?;
    let program = folder.join("trackside");
    ensure!(program.exists(), "{} is missing; use `cargo xtask bench`", program.display());
    Ok(program)
}
