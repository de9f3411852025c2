//! The program between its doors: state, sessions, files and requests, whatever drives it.
//!
//! A window and a headless loop own the very same [`App`]; they differ in where input comes from
//! and where pixels go. Nothing here blocks: what takes time runs on a thread that sends news.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use base::LogErr as _;
use workspace::{
    Action, ActionError, AgentAction, AgentsThen, AppAction, Availability, BufferId, Fact,
    FileAction, Keeping, MenuAction, PlainAction, State, TabAction, Workspace, WorkspaceAction,
};

use crate::availability;
use crate::clipboard::Clipboard;
use crate::files::{ExportId, Files, MAX_FILE_LEN};
use crate::graphics::Graphics;
use crate::instance::InstanceLock;
use crate::journal::Unsaved;
use crate::keeper::{self, Keeper};
use crate::last_session::SessionWriter;
use crate::left_behind::Looking;
use crate::links::{Hover, Opened};
use crate::login_path::{SearchPath, Waiting};
use crate::news::{Inbox, News, NewsSender};
use crate::notices::Notices;
use crate::pace::Pace;
use crate::pasted::PastedImages;
use crate::pictures::Pictures;
use crate::places::Places;
use crate::pointer::Pointer;
use crate::rail_pointer::OnRail;
use crate::recent;
use crate::requests::Requests;
use crate::restoring::Restoring;
use crate::search::Searcher;
use crate::sessions::Sessions;
use crate::signals::Signals;
use crate::socket::ControlServer;
use crate::stats::Recorder;
use crate::transcript_search::TranscriptSearch;
use crate::view::View;
use crate::watcher::ConfigWatcher;
use crate::wrong::Saver;

/// How long what was killed may take to be gone before we end all the same.
const KILL_TIME: Duration = Duration::from_secs(2);

/// What only the owner of a window can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowRequest {
    Attention,
    NoAttention,
    Focus,
    ToggleFullscreen,
    /// What the mouse pointer is to look like.
    Pointer(PointerShape),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PointerShape {
    #[default]
    Arrow,
    /// Over a line that can be moved left and right.
    MoveColumn,
    /// Over a line that can be moved up and down.
    MoveRow,
    /// Over a link that a click would follow.
    Hand,
}

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) state: State,
    pub(crate) view: View,
    pub(crate) pointer: Pointer,
    pub(crate) on_rail: OnRail,
    pub(crate) hover: Hover,
    pub(crate) opened: Opened,
    pub(crate) stats: Recorder,
    pub(crate) inbox: Inbox,
    pub(crate) sessions: Sessions,
    pub(crate) search_path: SearchPath,
    pub(crate) files: Files<BufferId>,
    pub(crate) searcher: Searcher,
    pub(crate) transcripts: TranscriptSearch,
    pub(crate) pictures: Pictures,
    pub(crate) keeper: Keeper,
    pub(crate) unsaved: Unsaved,
    pub(crate) session: SessionWriter,
    /// While the last session is looked up.
    pub(crate) restoring: Option<Restoring>,
    pub(crate) orphans: Looking,
    pub(crate) requests: Requests,
    /// Files whose reading or writing the present call has asked for.
    pub(crate) files_in_motion: Vec<BufferId>,
    /// Output that is being saved, and the last that was asked for.
    pub(crate) exports: BTreeSet<ExportId>,
    pub(crate) last_export: ExportId,
    /// Made when the first recording is saved.
    pub(crate) saver: Option<Saver>,
    pub(crate) last_recording: Option<PathBuf>,
    /// Why what was asked for last was not done, where only doing it could tell.
    pub(crate) refusal: Option<String>,
    /// A program's input queue was full.
    pub(crate) write_refused: bool,
    pub(crate) clipboard: Clipboard,
    /// Made when an image is first pasted.
    pub(crate) pasted_images: Option<PastedImages>,
    pub(crate) notices: Notices,
    pub(crate) places: Places,
    pub(crate) window_requests: Vec<WindowRequest>,
    /// Absent only until the loop has made it.
    pub(crate) graphics: Option<Graphics>,
    /// Something on show may have changed.
    pub(crate) dirty: bool,
    /// The last frame was built but not shown.
    pub(crate) redraw_anyway: bool,
    /// When to look at what runs in terminals.
    pub(crate) look_due: Option<Instant>,
    pub(crate) pace: Pace,
    pub(crate) life: Life,
    /// Agents that go on without us, once we end.
    pub(crate) left_behind: usize,
    is_terminating: bool,
    // Held for what they do while they live.
    _server: ControlServer,
    _signals: Signals,
    _watcher: Option<ConfigWatcher>,
    _lock: InstanceLock,
}

/// How far the program is from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    Going,
    /// Waiting for the last programs to be gone, but not for ever.
    Ending {
        until: Instant,
    },
    Ended,
}

impl App {
    /// Takes the state folder, opens the socket and reads the configuration.
    ///
    /// # Errors
    /// Another instance has the state folder, or it cannot be used.
    pub(crate) fn start(
        places: Places,
        lock: InstanceLock,
        view: View,
        clipboard: Clipboard,
        nudge: impl Fn() + Send + Sync + 'static,
        now: Instant,
    ) -> Result<Self> {
        let inbox = Inbox::new(nudge);
        let news = inbox.sender();
        let socket = places.own_socket()?;
        let server = {
            let news = news.clone();
            let on_request = move |incoming| news.send(News::Request(incoming));
            ControlServer::bind(&socket, on_request)?
        };
        lock.record_socket(&socket).log_err("writing down where the socket is");
        pty::become_subreaper().log_err("asking for orphaned processes");
        let (config, complaint) = read_config(&places.config_file);
        let search_path = SearchPath::find(&config, places.home.clone(), news.clone());
        let state = State::new(config).on_host(crate::places::host_name()).listening_at(&socket);
        let sessions = Sessions::new(news.clone(), inbox.output_wakers(), socket)
            .context("starting a thread")?;
        let files = {
            let news = news.clone();
            let on_event = move |event| news.send(News::File(event));
            Files::spawn(places.backup_dir(), MAX_FILE_LEN, on_event)
                .context("starting a thread")?
        };
        let signals = Signals::listen(news.clone()).context("listening for signals")?;
        let keeper = Keeper::start(places.state_dir.clone(), news.clone());
        let keeper = keeper.context("starting a thread")?;
        let unsaved = Unsaved::start(places.journal_dir(), news.clone());
        let unsaved = unsaved.context("starting a thread")?;
        let mut app = Self {
            search_path,
            state,
            view,
            pointer: Pointer::default(),
            on_rail: OnRail::default(),
            hover: Hover::default(),
            opened: Opened::default(),
            stats: Recorder::new(now),
            sessions,
            files,
            transcripts: TranscriptSearch::start(&places, news.clone())
                .context("starting a thread")?,
            searcher: Searcher::start(news.clone()).context("starting a thread")?,
            pictures: Pictures::start().context("starting a thread")?,
            keeper,
            unsaved,
            session: SessionWriter::default(),
            restoring: None,
            orphans: Looking::default(),
            requests: Requests::default(),
            files_in_motion: Vec::new(),
            exports: BTreeSet::new(),
            last_export: ExportId::default(),
            saver: None,
            last_recording: None,
            refusal: None,
            write_refused: false,
            clipboard,
            pasted_images: None,
            notices: Notices::default(),
            window_requests: Vec::new(),
            graphics: None,
            dirty: true,
            redraw_anyway: false,
            look_due: None,
            pace: Pace::default(),
            life: Life::Going,
            left_behind: 0,
            is_terminating: false,
            _server: server,
            _signals: signals,
            _watcher: watch_config(&places.config_file, news),
            _lock: lock,
            inbox,
            places,
        };
        app.tell_what_is_known(complaint, now);
        Ok(app)
    }

    /// What the first frame should already know.
    fn tell_what_is_known(&mut self, complaint: Option<String>, now: Instant) {
        let installed = self.installed_agents();
        let recent = recent::load(&self.places.state_dir);
        let choices = keeper::choices(&self.places.state_dir);
        let look = keeper::rail_look(&self.places.state_dir);
        let facts = [Fact::AgentsFound(installed), Fact::RecentFolders(recent), choices, look]
            .into_iter()
            .chain(complaint.map(Fact::ConfigRefused));
        for fact in facts {
            self.observe(fact, now);
        }
    }

    /// Which of the user's agents can be run.
    pub(crate) fn installed_agents(&self) -> BTreeMap<String, Availability> {
        let config = self.state.config();
        let search = self.search_path.get();
        availability::of_agents(config.agents.keys(), config, search, Path::new("/"))
    }

    /// Does what is wished, or shows why not, or asks whether it may be done.
    pub(crate) fn wish(&mut self, action: Action, now: Instant) {
        let Some(Waiting::Wish(action)) = self.put_off(Waiting::Wish(action)) else { return };
        let active = self.state.active_workspace().map(Workspace::id);
        let start = match &action {
            Action::Agent(AgentAction::Start { workspace, launch }) => {
                workspace.or(active).map(|workspace| (workspace, launch.clone()))
            }
            _ => None,
        };
        let Err(refusal) = self.act(action, now) else { return };
        let wants_trust = matches!(refusal.downcast_ref(), Some(ActionError::Untrusted { .. }));
        self.observe(
            match start.filter(|_| wants_trust) {
                Some((workspace, launch)) => Fact::TrustWanted { workspace, launch },
                None => Fact::Refused(format!("{refusal:#}")),
            },
            now,
        );
    }

    /// Does what is wished, with the checks that only the outside can make.
    ///
    /// # Errors
    /// A refusal, as a line for the person.
    pub(crate) fn act(&mut self, action: Action, now: Instant) -> Result<()> {
        self.dirty = true;
        match action {
            Action::Workspace(WorkspaceAction::Open(path)) => self.open_folder(&path, now),
            Action::File(FileAction::Open { path, at }) => self.open_path(&path, at, now),
            Action::Agent(AgentAction::Start { workspace, launch }) => {
                self.check_launch(workspace, &launch, now)?;
                self.update(Action::Agent(AgentAction::Start { workspace, launch }), now)
            }
            // What the list offers is what the folder says now, and what is installed now.
            Action::Agent(AgentAction::Ask) => {
                let installed = self.installed_agents();
                self.observe(Fact::AgentsFound(installed), now);
                if let Some(id) = self.state.active_workspace().map(Workspace::id) {
                    self.look_at_project(id, now);
                }
                self.update(action, now)
            }
            // Of an agent of an earlier run no more than its command is known; the rest is in the settings.
            Action::Agent(
                AgentAction::Restart { workspace } | AgentAction::Resume { workspace },
            ) => {
                let active = self.state.active_workspace().map(Workspace::id);
                if let Some(id) = workspace.or(active) {
                    self.look_at_project(id, now);
                }
                self.update(action, now)
            }
            Action::Plain(new @ PlainAction::New { .. }) => self.open_terminal(new, now),
            // Whether something would be ended by it is known only now.
            Action::Tab(TabAction::Close(_))
            | Action::Workspace(WorkspaceAction::Close(_))
            | Action::App(AppAction::Quit)
            | Action::Menu(MenuAction::Open { .. }) => {
                self.look_at_terminals(now);
                self.update(action, now)
            }
            action => self.update(action, now),
        }
    }

    /// The state's own door, with its effects run.
    pub(crate) fn update(&mut self, action: Action, now: Instant) -> Result<()> {
        let effects = self.state.update(action, now)?;
        self.sessions.flights.watch(self.state.watched_agent());
        self.session.touch(now);
        self.dirty = true;
        self.run(effects, now);
        Ok(())
    }

    /// Takes in news that changes what is on show.
    pub(crate) fn observe(&mut self, fact: Fact, now: Instant) {
        match &fact {
            Fact::Refused(refusal) => self.refusal = Some(refusal.clone()),
            Fact::Keeping(Keeping::Session, Err(_)) => self.session.failed(),
            Fact::UnsavedKept(Err(why)) => self.requests.end_failed(why),
            Fact::LeftBehind { .. } => self.orphans.answered(),
            _ => {}
        }
        let effects = self.state.observe(fact, now);
        self.session.touch(now);
        self.sessions.flights.keep(self.state.config().recording.keep);
        self.sessions.flights.watch(self.state.watched_agent());
        self.dirty = true;
        self.run(effects, now);
    }

    /// Keeps unsaved text and stops what cannot run on without us: the program is made to end. Being
    /// made twice, it ends at once.
    pub(crate) fn terminate(&mut self, now: Instant) {
        if self.is_terminating {
            self.life = Life::Ended;
            return;
        }
        self.is_terminating = true;
        self.keep_unsaved_text(now);
        self.observe(Fact::Terminating, now);
        // Shorter than the usual grace: who sent the signal may follow it up with SIGKILL.
        let grace = self.state.config().limits.stop_grace.min(Duration::from_secs(2));
        self.life = Life::Going;
        self.end(AgentsThen::GoOn, grace, now);
    }

    /// Hands over what is not written down yet. It is written before the threads that do it are joined,
    /// which is when we are dropped.
    pub(crate) fn keep_unsaved_text(&mut self, now: Instant) {
        self.unsaved.write(&self.state);
        self.close_session(now);
    }

    pub(crate) fn end(&mut self, agents: AgentsThen, grace: Duration, now: Instant) {
        if self.life != Life::Going {
            return;
        }
        if agents == AgentsThen::GoOn {
            self.left_behind = self.state.agents_that_go_on();
            self.take_leave(self.left_behind);
            self.sessions.let_go();
        }
        self.sessions.stop_all(grace);
        if agents == AgentsThen::Stop {
            self.sessions.end_host(grace);
        }
        let until = now + grace + KILL_TIME;
        self.life = if self.sessions.is_empty() { Life::Ended } else { Life::Ending { until } };
    }
}

fn read_config(file: &Path) -> (config::Config, Option<String>) {
    match load_config(file) {
        Ok(config) => {
            let complaint = config.rule_complaint();
            (config, complaint)
        }
        Err(complaint) => (config::Config::default(), Some(complaint)),
    }
}

/// Reads the configuration and checks what only we can: that its keys name keys and actions.
///
/// # Errors
/// One line that names the file and the mistake.
pub(crate) fn load_config(file: &Path) -> Result<config::Config, String> {
    let config = config::load(file).map_err(|err| err.to_string())?;
    for binding in &config.keys {
        if let Err(err) = workspace::Keymap::new([binding]) {
            let (keys, _) = binding;
            let line = line_of(file, keys).map_or_else(String::new, |line| format!("{line}: "));
            return Err(format!("{}:{line}[keys] `{keys}`: {err}", file.display()));
        }
    }
    Ok(config)
}

/// The line, from 1, on which a key of the file stands.
fn line_of(file: &Path, key: &str) -> Option<usize> {
    let text = std::fs::read_to_string(file).ok()?;
    let names_it = |line: &str| {
        line.trim_start()
            .trim_start_matches(['"', '\''])
            .strip_prefix(key)
            .is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with('='))
    };
    Some(text.lines().position(names_it)? + 1)
}

/// A configuration that cannot be watched is read at the start only.
fn watch_config(file: &Path, news: NewsSender) -> Option<ConfigWatcher> {
    let folder: PathBuf = file.parent()?.to_owned();
    std::fs::create_dir_all(&folder).log_err("making the configuration folder")?;
    ConfigWatcher::start(file.to_owned(), news).log_err("watching the configuration")
}
