//! The application state itself, and questions about it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent::{AgentHandle, AgentId, AgentIds};
use config::{Config, ReducedMotion, ThemeChoice};
use terminal::{GridSize, Modes, ScrollbackBudget, SearchQuery, TerminalOptions, TopRight};

use crate::answering::Answering;
use crate::attention::Attention;
use crate::ending::Ending;
use crate::focus::FocusPlace;
use crate::held_keys::HeldKeys;
use crate::id::Mint;
use crate::keymap::Chord;
use crate::notify::Notifier;
use crate::rail::Rail;
use crate::transcripts::Transcripts;
use crate::{
    AgentsThen, Availability, BufferId, Context, Find, Keeping, Keymap, Launch, LeftBehind,
    OpenFile, Overlay, Pane, PlainTerminal, Preedit, ProgramId, Rooms, TabId, TerminalId,
    Workspace, WorkspaceId,
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
    /// Answers that are on their way to agents.
    pub(crate) answering: BTreeMap<AgentId, Answering>,
    pub(crate) toast: Option<Toast>,
    pub(crate) find: Option<Find>,
    /// Of programs that nobody looks at.
    pub(crate) attention: BTreeMap<ProgramId, Attention>,
    /// Terminals into which text is pasted without a question.
    pub(crate) pastes_unasked: BTreeSet<ProgramId>,
    /// Programs that are being pasted into, slowly.
    pub(crate) pasting: BTreeSet<ProgramId>,
    /// How many searches were asked for.
    pub(crate) searches: u64,
    /// What the find bar held when it was last closed.
    pub(crate) last_query: SearchQuery,
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
    /// Which of the user's agents can be run.
    pub(crate) installed: BTreeMap<String, Availability>,
    /// What was started last in each folder.
    pub(crate) choices: BTreeMap<PathBuf, Launch>,
    pub(crate) recent: Vec<PathBuf>,
    pub(crate) notifier: Notifier,
    pub(crate) dnd_override: Option<bool>,
    pub(crate) theme_override: Option<Theme>,
    pub(crate) system_theme: Theme,
    pub(crate) system_reduces_motion: bool,
    pub(crate) zoomed_size: Option<f32>,
    pub(crate) rail: Rail,
    pub(crate) hides_rail: bool,
    /// The window has the focus.
    pub(crate) focused: bool,
    pub(crate) has_window: bool,
    pub(crate) rooms: Rooms,
    /// What this machine calls itself.
    pub(crate) host: String,
    /// Where the control socket is.
    pub(crate) socket: Option<String>,
    /// Shared by the scrollback of all terminals.
    pub(crate) scrollback: ScrollbackBudget,
    pub(crate) quitting: bool,
    pub(crate) transcripts: Transcripts,
    /// Since when everything ends, and when there is something new to say of that.
    pub(crate) ending: Option<Ending>,
    pub(crate) ending_due: Option<Instant>,
    /// Programs that run on without us, among others that have ended.
    pub(crate) outliving: BTreeSet<ProgramId>,
    /// To end once unsaved text is kept.
    pub(crate) keeps_to_quit: Option<AgentsThen>,
    /// What cannot be kept for the next start, and why.
    pub(crate) cannot_keep: BTreeMap<Keeping, String>,
    /// Programs that a crash left behind.
    pub(crate) left_behind: Vec<LeftBehind>,
    /// Something of an earlier run was not looked at yet.
    pub(crate) has_unshown: bool,
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
            answering: BTreeMap::new(),
            toast: None,
            find: None,
            attention: BTreeMap::new(),
            pastes_unasked: BTreeSet::new(),
            pasting: BTreeSet::new(),
            searches: 0,
            last_query: SearchQuery::default(),
            pending_keys: Vec::new(),
            preedit: None,
            held_keys: HeldKeys::default(),
            focus: FocusPlace::default(),
            keymap: Keymap::new(&config.keys).unwrap_or_default(),
            config,
            config_error: None,
            installed: BTreeMap::new(),
            choices: BTreeMap::new(),
            recent: Vec::new(),
            notifier: Notifier::default(),
            dnd_override: None,
            theme_override: None,
            system_theme: Theme::Dark,
            system_reduces_motion: false,
            zoomed_size: None,
            rail: Rail::default(),
            hides_rail: false,
            focused: true,
            has_window: true,
            rooms: Rooms::from(Pane {
                terminal: GridSize { columns: 80, rows: 24 },
                file_rows: 24,
                file_columns: 80,
                under_find_bar: TopRight::default(),
            }),
            host: String::new(),
            socket: None,
            scrollback: ScrollbackBudget::default(),
            quitting: false,
            transcripts: Transcripts::default(),
            ending: None,
            ending_due: None,
            outliving: BTreeSet::new(),
            keeps_to_quit: None,
            cannot_keep: BTreeMap::new(),
            left_behind: Vec::new(),
            has_unshown: false,
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

    /// Tells where the control socket is, as far as that can be said in text.
    #[must_use]
    pub fn listening_at(self, socket: &Path) -> Self {
        Self { socket: socket.to_str().map(ToOwned::to_owned), ..self }
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

    /// Whether the program of the user's agent is on the `PATH`, once that was looked up.
    pub fn is_installed(&self, agent: &str) -> Option<bool> {
        self.installed.get(agent).map(|availability| *availability == Availability::Found)
    }

    /// What was started last in a folder, in this run or an earlier one.
    pub fn last_choice(&self, root: &Path) -> Option<&Launch> {
        self.choices.get(root)
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

    /// Whether nothing may pulse, slide or fade.
    pub fn reduces_motion(&self) -> bool {
        match self.config.reduced_motion {
            ReducedMotion::Auto => self.system_reduces_motion,
            ReducedMotion::Always => true,
            ReducedMotion::Never => false,
        }
    }

    /// Text size of panes, in logical pixels.
    pub fn font_size(&self) -> f32 {
        self.zoomed_size.unwrap_or(self.config.font_size)
    }

    pub fn hides_rail(&self) -> bool {
        self.hides_rail
    }

    pub fn is_focused(&self) -> bool {
        self.focused
    }

    /// Why unsaved text, or what is open, cannot be kept for the next start; a line for the person.
    pub fn cannot_keep(&self) -> Option<&str> {
        self.cannot_keep.values().next().map(String::as_str)
    }

    /// What is wrong until it is put right, each in a line for the person.
    pub fn warnings(&self) -> Vec<String> {
        let kept = self.cannot_keep.values().cloned();
        let left = self.left_behind.iter().map(|it| {
            format!("{} (pid {}) in {} was left behind by a crash", it.name, it.pid, it.place)
        });
        self.config_error.clone().into_iter().chain(kept).chain(left).collect()
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
        let machines = self.agents().filter_map(AgentHandle::decides_at);
        let machines = machines.chain(self.agents().filter_map(AgentHandle::sample_at));
        let toast = self.toast.as_ref().map(|toast| toast.until);
        let dues = [self.find_due(), self.notice_due(), self.answer_due(), self.revival_due()];
        let machines = machines.chain(self.ending_due());
        machines.chain(toast).chain(dues.into_iter().flatten()).min()
    }

    /// When some screen is to be looked at again: call for [`Fact::Output`](crate::Fact::Output) then,
    /// or a little later.
    pub fn next_look(&self) -> Option<Instant> {
        self.agents().filter_map(AgentHandle::look_at).min()
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
