//! The program: winit loop, headless loop, effects, sessions, control socket, command line.
//!
//! The only crate that reads the clock and touches a window. [`run`] is the whole of `main`.

mod agent_list;
mod app;
mod attach;
mod availability;
mod calls;
mod catching_up;
mod cli;
mod clipboard;
mod commands;
mod doctor;
mod drag_scroll;
mod draw;
mod effects;
mod environment;
mod events;
mod evidence_calls;
mod evidence_commands;
mod files;
mod flights;
mod git;
mod graphics;
mod headless;
mod hook_command;
mod hooking;
mod host_command;
mod ime;
mod input;
mod instance;
mod journal;
mod keeper;
mod key_names;
mod last_session;
mod left_behind;
mod links;
mod login_path;
mod menu_pointer;
mod news;
mod notices;
mod open;
mod orphans;
mod pace;
mod pane_pointer;
mod pasted;
mod pictures;
mod places;
mod plain;
mod pointer;
mod projects;
mod rail_pointer;
mod recent;
mod requests;
mod resizing;
mod restoring;
mod rule_commands;
mod said;
mod sampling;
mod search;
mod sessions;
mod signals;
mod socket;
mod startup;
mod stats;
mod status;
mod system_settings;
mod terminal_calls;
mod terminal_commands;
mod title;
mod transcript_command;
mod transcript_search;
mod transcript_text;
mod trust_commands;
mod turn;
mod view;
mod watcher;
mod wheel;
mod window;
mod wrong;

use std::fs;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use clap::Parser as _;

use crate::calls::WrongUsage;
use crate::cli::{Cli, Command, OpenArgs};
use crate::instance::InstanceLock;
use crate::open::Location;
use crate::places::Places;
use crate::startup::Startup;

/// Does what the command line asks, and says with which code to end.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(err) => {
            // An option that a command has is unknown where that was not understood.
            let words = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok());
            // Among them may be what other options take.
            let plain = words.filter(|word| !word.starts_with('-'));
            let mut plain = plain.take_while(|word| !cli::mistyped::is_command(word));
            if err.use_stderr()
                && let Some(complaint) = plain.find_map(|word| cli::mistyped::complaint(&[word]))
            {
                return fail(&WrongUsage::new(complaint).into());
            }
            // Help and usage errors print themselves, each to where it belongs.
            let code = u8::try_from(err.exit_code()).unwrap_or(2);
            return if err.print().is_ok() { ExitCode::from(code) } else { ExitCode::FAILURE };
        }
    };
    match dispatch(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) if commands::is_broken_pipe(&err) => ExitCode::SUCCESS,
        Err(err) => fail(&err),
    }
}

fn fail(err: &anyhow::Error) -> ExitCode {
    let line = commands::clean(&format!("trackside: {err:#}").replace('\n', " "));
    // With standard error gone there is nobody left to tell.
    drop(writeln!(io::stderr(), "{line}"));
    ExitCode::from(commands::exit_code(err))
}

fn dispatch(cli: Cli) -> Result<()> {
    if let Some(Command::Report { hook, .. }) = &cli.command
        && let Some(agent) = hook.hook
    {
        hook_command::run(agent, hook.launch, hook.payload.clone());
        return Ok(());
    }
    if let Some(Command::Host { socket }) = &cli.command {
        return host_command::run(&cli.places, socket);
    }
    let places = Places::find(&cli.places)?;
    match cli.command {
        Some(command) => commands::run(command, &places, &mut io::stdout().lock()),
        None => open_or_start(&cli.open, places),
    }
}

/// With an instance running the paths are opened there, else one is started.
fn open_or_start(open: &OpenArgs, places: Places) -> Result<()> {
    if let Some(complaint) = cli::mistyped::complaint(&open.paths) {
        return Err(WrongUsage::new(complaint).into());
    }
    check_paths(&open.paths)?;
    if !open.paths.is_empty()
        && !open.headless
        && commands::open_in_running(&open.paths, open.wait, &places)?.is_some()
    {
        return Ok(());
    }
    if !open.headless && !has_display() {
        bail!(
            "no display (neither WAYLAND_DISPLAY nor DISPLAY is set); try `trackside --headless`"
        );
    }
    signals::block().context("setting up signals")?;
    let lock = InstanceLock::acquire(&places.state_dir)?;
    start_log(&places);
    let locations = open.paths.iter().map(|path| absolute(path)).collect::<Result<_>>()?;
    let startup = Startup { locations, is_fresh: open.fresh, uses_host: !open.no_host };
    if open.headless {
        headless::run(places, lock, startup, open.size, open.scale)
    } else {
        window::run(places, lock, startup)
    }
}

/// A path that cannot be opened is refused before anything is started for it.
fn check_paths(paths: &[String]) -> Result<()> {
    for text in paths {
        let Location { path, .. } = Location::parse(text);
        match fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => drop(
                fs::read_dir(&path)
                    .with_context(|| format!("cannot read the folder {}", path.display()))?,
            ),
            Ok(_) => {}
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                let absolute = std::path::absolute(&path)?;
                if text.ends_with('/') || !absolute.parent().is_some_and(std::path::Path::is_dir) {
                    bail!("{}: no such file or folder", path.display());
                }
            }
            Err(err) => {
                return Err(err).with_context(|| format!("cannot open {}", path.display()));
            }
        }
    }
    Ok(())
}

fn absolute(text: &str) -> Result<Location> {
    let Location { path, at } = Location::parse(text);
    Ok(Location { path: std::path::absolute(path)?, at })
}

fn has_display() -> bool {
    ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"]
        .into_iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Logs into the state folder; the log of the run before is kept beside it.
fn start_log(places: &Places) {
    let path = places.state_dir.join("trackside.log");
    // Without the last log, or with none at all, everything else still works.
    drop(fs::rename(&path, places.state_dir.join("trackside.log.old")));
    if let Ok(file) = fs::File::create(&path) {
        let subscriber = tracing_subscriber::fmt()
            .with_writer(std::sync::Mutex::new(file))
            .with_ansi(false)
            // Complaining of a log that cannot be written ends us where nobody listens.
            .log_internal_errors(false)
            .with_max_level(tracing::Level::INFO);
        drop(subscriber.try_init());
    }
}

/// The one place where the program's loops read the clock.
#[expect(clippy::disallowed_methods, reason = "time enters here and is passed on from here")]
pub(crate) fn clock() -> Instant {
    Instant::now()
}
