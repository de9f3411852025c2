//! The environment programs find in our terminals.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Our own environment without what other terminals left in it, and with what we are; `extra` has
/// the last word.
pub(crate) fn for_program(
    socket: &Path,
    workspace: &str,
    path: Option<OsString>,
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
    let own = own.into_iter().chain(path.map(|path| ("PATH", path)));
    let own = own.map(|(name, value)| (OsString::from(name), value));
    let extra = extra.into_iter().map(|(name, value)| (name.into(), value.into()));
    let merged: BTreeMap<_, _> = inherited.chain(own).chain(extra).collect();
    merged.into_iter().collect()
}

/// Variables by which programs would take us for what we were started from.
fn is_another_terminals(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

const PREFIXES: [&str; 15] = [
    "TERM_PROGRAM",
    "ALACRITTY_",
    "KITTY_",
    "WEZTERM_",
    "GHOSTTY_",
    "ITERM_",
    "LC_TERMINAL",
    "TRACKSIDE_",
    "KONSOLE_",
    "GNOME_TERMINAL_",
    "TILIX_",
    "ZELLIJ",
    "XTERM_",
    "WT_",
    "VSCODE_",
];

const NAMES: [&str; 32] = [
    "VTE_VERSION",
    // Not all of TMUX_*: TMUX_TMPDIR is where the person's own servers are.
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "WINDOWID",
    "XDG_ACTIVATION_TOKEN",
    "DESKTOP_STARTUP_ID",
    "LINES",
    "COLUMNS",
    "TERMCAP",
    // Where another terminal keeps its own description, and perhaps another one by our name.
    "TERMINFO",
    "TERMINFO_DIRS",
    "TERMINAL_EMULATOR",
    "TERM_SESSION_ID",
    "TERM_FEATURES",
    "COLORFGBG",
    "ZED_TERM",
    "INSIDE_EMACS",
    "TERMINATOR_UUID",
    // Of an editor that we were started in: programs would talk to it, or look for its files.
    "NVIM",
    "NVIM_LISTEN_ADDRESS",
    "VIM",
    "VIMRUNTIME",
    "MYVIMRC",
    // Of an agent that we were started by: another one would take itself for a part of it. What
    // configures agents has names that begin like these, and stays.
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SSE_PORT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "GEMINI_CLI",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], is_removed: bool) {
        for name in names {
            assert_eq!(is_another_terminals(name.as_ref()), is_removed, "{name}");
        }
    }

    #[test]
    fn what_tells_of_another_terminal_is_removed() {
        check(&["TERM_PROGRAM", "TERM_PROGRAM_VERSION", "ALACRITTY_WINDOW_ID", "KITTY_PID"], true);
        check(&["WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR", "ITERM_SESSION_ID", "LC_TERMINAL"], true);
        check(&["VTE_VERSION", "TMUX", "TMUX_PANE", "STY", "WINDOWID", "COLORFGBG"], true);
        check(&["NVIM", "NVIM_LISTEN_ADDRESS", "VIM", "VIMRUNTIME", "MYVIMRC"], true);
        check(&["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "GEMINI_CLI"], true);
        check(&["TERMINATOR_UUID"], true);
        check(&["TERMCAP", "TERMINFO", "TERMINFO_DIRS"], true);
        check(&["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "TRACKSIDE_SESSION"], true);
    }

    #[test]
    fn what_is_the_persons_own_stays() {
        check(&["HOME", "PATH", "LANG", "LC_ALL", "EDITOR", "NO_COLOR", "FORCE_COLOR"], false);
        check(&["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_BEDROCK", "ANTHROPIC_API_KEY"], false);
        check(&["CODEX_HOME", "GEMINI_API_KEY", "OPENAI_API_KEY", "NVIM_APPNAME"], false);
        check(&["TMUX_TMPDIR", "SSH_AUTH_SOCK", "DISPLAY", "WAYLAND_DISPLAY", "LS_COLORS"], false);
    }

    #[test]
    fn what_an_agents_configuration_says_has_the_last_word() {
        let extra = [("TERM_PROGRAM".to_owned(), "ghostty".to_owned())].into();
        let env = for_program(Path::new("/s"), "api", Some("/bin".into()), extra);
        let get =
            |name: &str| env.iter().find(|(it, _)| it == name).map(|(_, value)| value.clone());
        assert_eq!(get("TERM_PROGRAM"), Some("ghostty".into()), "as configured");
        assert_eq!(get("TERM"), Some("xterm-256color".into()), "ours");
        assert_eq!(get("PATH"), Some("/bin".into()), "the one that was found");
    }
}
