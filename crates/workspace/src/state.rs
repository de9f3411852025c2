//! The application state itself, and questions about it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agent::{AgentHandle, AgentId, AgentIds};
use config::{Config, ThemeChoice};
use terminal::{GridSize, Modes, ScrollbackBudget, TerminalOptions};

use crate::attention::Attention;
use crate::focus::FocusPlace;
use crate::held_keys::HeldKeys;
use crate::id::Mint;
use crate::keymap::Chord;
use crate::{
    BufferId, Context, Find, Keymap, OpenFile, Overlay, Pane, PlainTerminal, Preedit, ProgramId,
    Rooms, TabId, TerminalId, Workspace, WorkspaceId,
};

/// Terminals without an agent that may be open at once; each has a screen, a PTY and threads.
pub const MAX_TERMINALS: usize = 64;
/// How long a toast stays.
const TOAST_TIME: Duration = Duration::from_secs(6);
/// Steps and bounds of the panes' text size, in logical pixels.
pub(crate) const ZOOM: std::ops::RangeInclusive<f32> = 8.0..=40.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Dark,
    Light,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToastKind {
    Notice,
    Error,
}

/// A line that shows itself for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    pub text: String,
    pub kind: ToastKind,
    pub until: Instant,
}

#[derive(Debug)]
pub struct State {
    pub(crate) workspaces: Vec<Workspace>,
    pub(crate) active: Option<WorkspaceId>,
    pub(crate) files: BTreeMap<BufferId, OpenFile>,
    /// Each is shown by exactly one tab.
    pub(crate) terminals: BTreeMap<TerminalId, PlainTerminal>,
    /// Where agents say that they are.
    pub(crate) agent_directories: BTreeMap<AgentId, PathBuf>,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) toast: Option<Toast>,
    pub(crate) find: Option<Find>,
    /// Of programs that nobody looks at.
    pub(crate) attention: BTreeMap<ProgramId, Attention>,
    /// Terminals into which text is pasted without a question.
    pub(crate) pastes_unasked: BTreeSet<ProgramId>,
    /// How many searches were asked for.
    pub(crate) searches: u64,
    /// Chords pressed so far of a longer sequence.
    pub(crate) pending_keys: Vec<Chord>,
    /// What is being composed where the focus is.
    pub(crate) preedit: Option<Preedit>,
    pub(crate) held_keys: HeldKeys,
    pub(crate) focus: FocusPlace,
    pub(crate) keymap: Keymap,
    pub(crate) config: Config,
    /// The last complaint about the configuration; gone once it is right again.
    pub(crate) config_error: Option<String>,
    pub(crate) installed: BTreeMap<String, bool>,
    pub(crate) recent: Vec<PathBuf>,
    pub(crate) theme_override: Option<Theme>,
    pub(crate) system_theme: Theme,
    pub(crate) zoomed_size: Option<f32>,
    pub(crate) compact_rail: bool,
    pub(crate) focused: bool,
    pub(crate) rooms: Rooms,
    /// What this machine calls itself.
    pub(crate) host: String,
    /// Shared by the scrollback of all terminals.
    pub(crate) scrollback: ScrollbackBudget,
    pub(crate) quitting: bool,
    pub(crate) workspace_ids: Mint,
    pub(crate) tab_ids: Mint,
    pub(crate) buffer_ids: Mint,
    pub(crate) terminal_ids: Mint,
    pub(crate) pane_ids: Mint,
    pub(crate) split_ids: Mint,
    pub(crate) agent_ids: AgentIds,
}

impl State {
    pub fn new(config: Config) -> Self {
        Self {
            workspaces: Vec::new(),
            active: None,
            files: BTreeMap::new(),
            terminals: BTreeMap::new(),
            agent_directories: BTreeMap::new(),
            overlay: None,
            toast: None,
            find: None,
            attention: BTreeMap::new(),
            pastes_unasked: BTreeSet::new(),
            searches: 0,
            pending_keys: Vec::new(),
            preedit: None,
            held_keys: HeldKeys::default(),
            focus: FocusPlace::default(),
            keymap: Keymap::new(&config.keys).unwrap_or_default(),
            config,
            config_error: None,
            installed: BTreeMap::new(),
            recent: Vec::new(),
            theme_override: None,
            system_theme: Theme::Dark,
            zoomed_size: None,
            compact_rail: false,
            focused: true,
            rooms: Rooms::from(Pane {
                terminal: GridSize { columns: 80, rows: 24 },
                file_rows: 24,
                file_columns: 80,
            }),
            host: String::new(),
            scrollback: ScrollbackBudget::default(),
            quitting: false,
            workspace_ids: Mint::default(),
            tab_ids: Mint::default(),
            buffer_ids: Mint::default(),
            terminal_ids: Mint::default(),
            pane_ids: Mint::default(),
            split_ids: Mint::default(),
            agent_ids: AgentIds::default(),
        }
    }

    /// Tells what this machine calls itself.
    #[must_use]
    pub fn on_host(self, host: String) -> Self {
        Self { host, ..self }
    }

    pub fn overlay(&self) -> Option<&Overlay> {
        self.overlay.as_ref()
    }

    pub fn toast(&self) -> Option<&Toast> {
        self.toast.as_ref()
    }

    /// The bar with which one finds text in a terminal, while it is open.
    pub fn find(&self) -> Option<&Find> {
        self.find.as_ref()
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn config_error(&self) -> Option<&str> {
        self.config_error.as_deref()
    }

    pub fn keymap(&self) -> &Keymap {
        &self.keymap
    }

    /// The chords of an unfinished sequence, for the status bar.
    pub fn pending_keys(&self) -> &[Chord] {
        &self.pending_keys
    }

    /// What an input method is composing where the focus is.
    pub fn preedit(&self) -> Option<&Preedit> {
        self.preedit.as_ref()
    }

    /// Whether the agent's program is on the `PATH`, once that was looked up.
    pub fn is_installed(&self, agent: &str) -> Option<bool> {
        self.installed.get(agent).copied()
    }

    pub fn recent_folders(&self) -> &[PathBuf] {
        &self.recent
    }

    pub fn theme(&self) -> Theme {
        self.theme_override.unwrap_or(match self.config.theme {
            ThemeChoice::Auto => self.system_theme,
            ThemeChoice::Dark => Theme::Dark,
            ThemeChoice::Light => Theme::Light,
        })
    }

    /// Text size of panes, in logical pixels.
    pub fn font_size(&self) -> f32 {
        self.zoomed_size.unwrap_or(self.config.font_size)
    }

    pub fn has_compact_rail(&self) -> bool {
        self.compact_rail
    }

    pub fn is_focused(&self) -> bool {
        self.focused
    }

    pub fn is_quitting(&self) -> bool {
        self.quitting
    }

    /// How much fits into each pane.
    pub fn rooms(&self) -> &Rooms {
        &self.rooms
    }

    /// How much fits into the focused pane.
    pub(crate) fn focused_room(&self) -> Pane {
        let focused = self.active_workspace().map(|workspace| workspace.panes.focused());
        focused.map_or(self.rooms.whole, |pane| self.rooms.of(pane))
    }

    /// Titles of the files whose text is only here.
    pub fn unsaved(&self) -> Vec<String> {
        self.files.values().filter(|file| file.is_modified()).map(OpenFile::title).collect()
    }

    /// When time alone can next change the state.
    pub fn next_deadline(&self) -> Option<Instant> {
        let machines = self.agents().filter_map(AgentHandle::next_deadline);
        let toast = self.toast.as_ref().map(|toast| toast.until);
        machines.chain(toast).chain(self.find_due()).min()
    }

    /// Whether bindings of that context hold where the focus is.
    pub(crate) fn in_context(&self, context: Context) -> bool {
        let terminal = self.focused_terminal().is_some();
        match context {
            Context::Anywhere => true,
            Context::OutsideTerminals => !terminal,
            Context::Terminal => terminal,
            Context::Scrollback => self
                .focused_terminal()
                .is_some_and(|view| !view.buffer().modes().contains(Modes::ALT_SCREEN)),
            Context::Editor => self.active_file().is_some(),
        }
    }

    pub(crate) fn mint_tab(&mut self) -> TabId {
        TabId::mint(&mut self.tab_ids)
    }

    pub(crate) fn show_toast(&mut self, text: impl Into<String>, kind: ToastKind, now: Instant) {
        self.toast = Some(Toast { text: text.into(), kind, until: now + TOAST_TIME });
    }

    /// How terminals that are started now keep what they show.
    pub(crate) fn terminal_options(&self) -> TerminalOptions {
        TerminalOptions {
            scrollback_lines: self.config.terminal.scrollback_lines,
            keeps_history: self.config.terminal.keep_history,
            budget: self.scrollback.clone(),
            host: self.host.clone(),
            ..TerminalOptions::default()
        }
    }
}
