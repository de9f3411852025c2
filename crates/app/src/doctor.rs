//! What works here, for people and for bug reports.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use config::ReducedMotion;
use serde_json::{Value, json};
use workspace::{Availability, State};

use crate::app::App;
use crate::availability;
use crate::graphics::Graphics;
use crate::places::Places;

impl App {
    /// What the running instance uses.
    pub(crate) fn doctor(&self) -> Value {
        json!({
            "pid": std::process::id(),
            "version": env!("CARGO_PKG_VERSION"),
            "window": self.state.has_window(),
            "gpu": self.graphics.as_ref().map(Graphics::describe),
            "clipboard": if self.clipboard.is_system() { "the desktop's" } else { "our own" },
            "motion": motion(&self.state),
            "config_error": self.state.config_error(),
            "path": self.search_path.get().map(|path| path.to_string_lossy()),
        })
    }
}

/// Whether things move, and who has decided that.
fn motion(state: &State) -> &'static str {
    match (state.config().reduced_motion, state.reduces_motion()) {
        (ReducedMotion::Auto, true) => "reduced (asked for by the system)",
        (ReducedMotion::Auto, false) => "full (the system has not asked for less)",
        (ReducedMotion::Always | ReducedMotion::Never, true) => "reduced (set in config.toml)",
        (ReducedMotion::Always | ReducedMotion::Never, false) => "full (set in config.toml)",
    }
}

/// Where the running instance looks for programs, or else where we would.
pub(crate) fn search_path(running: Option<&Value>) -> Option<OsString> {
    let its_own = running.and_then(|it| it["path"].as_str()).map(OsString::from);
    its_own.or_else(|| std::env::var_os("PATH"))
}

/// Looks around without an instance; each line is what and how.
pub(crate) fn look_around(places: &Places, running: Option<&Value>) -> Vec<(&'static str, String)> {
    let gpu = running.and_then(|it| it["gpu"].as_str()).map(ToOwned::to_owned);
    let gpu = gpu.unwrap_or_else(|| match Graphics::offscreen((1, 1), Arc::new(|| {})) {
        Ok(graphics) => graphics.describe(),
        Err(err) => format!("none: {err:#}"),
    });
    let (config, complaint) = match config::load(&places.config_file) {
        Ok(config) => (config, "fine".to_owned()),
        Err(err) => (config::Config::default(), err.to_string()),
    };
    let search = search_path(running);
    let installed =
        availability::of_agents(config.agents.keys(), &config, search.as_deref(), Path::new("/"));
    let names = |wanted: bool| {
        let names: Vec<&str> = installed
            .iter()
            .filter(|(_, it)| (**it == Availability::Found) == wanted)
            .map(|(name, _)| name.as_str())
            .collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let display = ["WAYLAND_DISPLAY", "DISPLAY"]
        .into_iter()
        .find_map(|name| Some(format!("{name}={}", std::env::var(name).ok()?)));
    let known = |key: &str| {
        let told = running.and_then(|it| it[key].as_str());
        told.unwrap_or("known once an instance runs").to_owned()
    };
    let instance = match running {
        Some(it) => format!("running, process {}", it["pid"]),
        None => "not running".to_owned(),
    };
    vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("graphics", gpu),
        ("display", display.unwrap_or_else(|| "none; use --headless".to_owned())),
        ("fonts", "bundled: JetBrains Mono, Iosevka Charon Mono, Inter".to_owned()),
        ("agents found", names(true)),
        ("not installed", names(false)),
        ("config", format!("{} ({complaint})", places.config_file.display())),
        ("state", places.state_dir.display().to_string()),
        ("socket", places.running_socket().display().to_string()),
        ("instance", instance),
        ("clipboard", known("clipboard")),
        ("motion", known("motion")),
    ]
}
