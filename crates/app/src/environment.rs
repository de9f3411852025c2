//! The environment programs find in our terminals.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Our own environment without what other terminals left in it, and with what we are; `extra` has
/// the last word.
pub(crate) fn for_program(
    socket: &Path,
    workspace: &str,
    extra: BTreeMap<String, String>,
) -> Vec<(OsString, OsString)> {
    let inherited = std::env::vars_os().filter(|(name, _)| !is_another_terminals(name));
    let own = [
        ("TERM", OsString::from("xterm-256color")),
        ("COLORTERM", OsString::from("truecolor")),
        ("TERM_PROGRAM", OsString::from("trackside")),
        ("TERM_PROGRAM_VERSION", OsString::from(env!("CARGO_PKG_VERSION"))),
        ("TRACKSIDE_SOCKET", socket.as_os_str().to_owned()),
        ("TRACKSIDE_WORKSPACE", OsString::from(workspace)),
    ];
    let own = own.into_iter().map(|(name, value)| (OsString::from(name), value));
    let extra = extra.into_iter().map(|(name, value)| (name.into(), value.into()));
    let merged: BTreeMap<_, _> = inherited.chain(own).chain(extra).collect();
    merged.into_iter().collect()
}

/// Variables by which programs would take us for the terminal we were started from.
fn is_another_terminals(name: &OsStr) -> bool {
    const PREFIXES: [&str; 9] = [
        "TERM_PROGRAM",
        "ALACRITTY_",
        "KITTY_",
        "WEZTERM_",
        "GHOSTTY_",
        "ITERM_",
        "TRACKSIDE_",
        "KONSOLE_",
        "TMUX",
    ];
    const NAMES: [&str; 8] = [
        "VTE_VERSION",
        "STY",
        "WINDOWID",
        "XDG_ACTIVATION_TOKEN",
        "DESKTOP_STARTUP_ID",
        "LINES",
        "COLUMNS",
        "TERMCAP",
    ];
    let Some(name) = name.to_str() else { return false };
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
