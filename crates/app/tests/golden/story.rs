//! A state on its way through time: folders opened, agents started, printing, ending.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use agent::Exit;
use buffer::{DiskStamp, Document};
use config::{Config, Project};
use terminal::TerminalSignal;
use ui::RailPointer;
use workspace::{
    Action, AgentAction, Availability, Axis, Direction, Effect, Fact, FileAction, FindAction,
    Launch, MenuAction, PaneAction, PlainAction, Preedit, ProgramId, ProjectSettings, Rooms, State,
    TabAction, Theme, TrustLevel, ViewAction, WorkspaceAction, WorkspaceId,
};

/// Shown as `~`.
pub(crate) const HOME: &str = "/home/sam";

pub(crate) struct Story {
    pub(crate) state: State,
    start: Instant,
    pub(crate) now: Instant,
    pub(crate) rail: RailPointer,
}

impl Story {
    #[expect(clippy::disallowed_methods, reason = "an `Instant` can be had in no other way")]
    pub(crate) fn new(rooms: Rooms, theme: Theme) -> Self {
        let start = Instant::now();
        let mut config = Config::default();
        // Whoever draws the pictures may have another one.
        config.terminal.shell = Some(PathBuf::from("/bin/zsh"));
        let mut story =
            Self { state: State::new(config), start, now: start, rail: RailPointer::default() };
        story.observe(Fact::SystemTheme { dark: theme == Theme::Dark });
        story.observe(Fact::PanesResized(rooms));
        let found = ["aider", "claude", "codex", "gemini", "opencode"];
        let look = |name: &str| match name {
            "aider" | "claude" | "codex" => Availability::Found,
            name => Availability::Missing(format!("{name} is not installed")),
        };
        let found = found.iter().map(|name| ((*name).to_owned(), look(name)));
        story.observe(Fact::AgentsFound(found.collect()));
        story
    }

    /// Goes on to that many seconds after the beginning.
    #[track_caller]
    pub(crate) fn at(&mut self, seconds: u64) {
        let end = self.start + Duration::from_secs(seconds);
        assert!(end >= self.now, "{seconds} s have passed already");
        while let Some(at) = self.state.next_deadline().filter(|at| *at <= end) {
            self.now = at;
            self.observe(Fact::Deadline);
        }
        self.now = end;
    }

    pub(crate) fn recent(&mut self, names: &[&str]) {
        self.observe(Fact::RecentFolders(names.iter().map(|name| root(name)).collect()));
    }

    #[track_caller]
    pub(crate) fn open(&mut self, name: &str, branch: &str) {
        self.act(Action::Workspace(WorkspaceAction::Open(root(name))));
        let workspace = self.workspace(name);
        self.observe(Fact::BranchRead { workspace, branch: Some(branch.to_owned()) });
    }

    /// Folders of one repository.
    #[track_caller]
    pub(crate) fn group(&mut self, names: &[&str]) {
        let first = names.first().expect("a folder");
        for name in names {
            let workspace = self.workspace(name);
            let repository = Some(root(first).join(".git"));
            self.observe(Fact::RepositoryRead { workspace, repository });
        }
    }

    /// The mouse rests on a tile.
    #[track_caller]
    pub(crate) fn rest_on(&mut self, name: &str) {
        self.rail.card = Some(self.workspace(name));
    }

    /// The menu of a tile was opened by the mouse, and then chosen in with keys.
    #[track_caller]
    pub(crate) fn menu(&mut self, name: &str, at: (u16, u16), keys: &str) {
        let workspace = Some(self.workspace(name));
        self.act(Action::Menu(MenuAction::Open { workspace, at: Some(at) }));
        self.keys(keys);
    }

    /// The mouse holds a tile before the one at a place.
    #[track_caller]
    pub(crate) fn drag(&mut self, name: &str, place: usize) {
        self.rail.dragged = Some((self.workspace(name), place));
    }

    #[track_caller]
    pub(crate) fn go(&mut self, name: &str) {
        let id = self.workspace(name);
        self.act(Action::Workspace(WorkspaceAction::Activate(id)));
    }

    #[track_caller]
    pub(crate) fn start(&mut self, name: &str, agent: &str) {
        let workspace = Some(self.workspace(name));
        let launch = Launch::Named(agent.to_owned());
        self.act(Action::Agent(AgentAction::Start { workspace, launch }));
    }

    /// Starts an agent that has printed something already.
    #[track_caller]
    pub(crate) fn start_with(&mut self, name: &str, agent: &str, bytes: &str) {
        self.start(name, agent);
        self.print(name, bytes);
    }

    #[track_caller]
    pub(crate) fn print(&mut self, name: &str, bytes: &str) {
        let workspace = self.state.find_workspace(name).expect("a workspace");
        workspace.agent().expect("an agent").terminal().feed(bytes.as_bytes());
        self.observe(Fact::Output);
    }

    #[track_caller]
    pub(crate) fn exit(&mut self, name: &str, exit: Exit) {
        let workspace = self.state.find_workspace(name).expect("a workspace");
        let program = ProgramId::Agent(workspace.agent().expect("an agent").id());
        self.observe(Fact::Exited { program, exit });
    }

    #[track_caller]
    pub(crate) fn stop(&mut self, name: &str) {
        let workspace = Some(self.workspace(name));
        self.act(Action::Agent(AgentAction::Stop { workspace }));
        self.exit(name, Exit::Signal(15));
    }

    #[track_caller]
    pub(crate) fn open_file(&mut self, path: &str, text: &str) {
        let folder = self.state.active_workspace().expect("a workspace").root();
        let open = FileAction::Open { path: folder.join(path), at: None };
        for effect in self.act(Action::File(open)) {
            if let Effect::LoadFile { buffer, .. } = effect {
                let document = Document::from_bytes(text.as_bytes().to_vec()).expect("text");
                let stamp = DiskStamp { len: 0, modified: None, inode: 0, hash: 0 };
                self.observe(Fact::FileRead { buffer, result: Ok((document, Some(stamp))) });
            }
        }
    }

    #[track_caller]
    pub(crate) fn keys(&mut self, keys: &str) {
        for key in State::parse_keys(keys).expect("keys") {
            self.act(Action::Key(key));
        }
    }

    #[track_caller]
    pub(crate) fn type_text(&mut self, text: &str) {
        self.act(Action::Text(text.to_owned()));
    }

    #[track_caller]
    pub(crate) fn compose(&mut self, text: &str, cursor: (usize, usize)) {
        self.act(Action::Preedit(Preedit::new(text, Some(cursor))));
    }

    /// Opens the find bar and types into it; what a thread does otherwise is done at once.
    #[track_caller]
    pub(crate) fn find(&mut self, text: &str) {
        self.act(Action::Find(FindAction::Open));
        for effect in self.act(Action::Text(text.to_owned())) {
            if let Effect::Search { search, terminal, query, .. } = effect {
                let stop = AtomicBool::new(false);
                let result = query.compile();
                let result = result.map(|pattern| terminal.contents().search(&pattern, &stop));
                self.observe(Fact::Searched { search, result });
            }
        }
    }

    #[track_caller]
    pub(crate) fn signal(&mut self, name: &str, signal: TerminalSignal) {
        let workspace = self.state.find_workspace(name).expect("a workspace");
        let program = ProgramId::Agent(workspace.agent().expect("an agent").id());
        self.observe(Fact::Signal { program, signal });
    }

    #[track_caller]
    pub(crate) fn paste(&mut self, text: &str) {
        self.act(Action::InsertPasted(text.to_owned()));
    }

    /// The folder has settings of its own, which nobody has trusted.
    #[track_caller]
    pub(crate) fn project(&mut self, name: &str, text: &str) {
        let workspace = self.workspace(name);
        let file = root(name).join(config::PROJECT_FILE);
        let project = Project::parse(text, &file, self.state.config()).expect("settings");
        let (project, trust) = (Box::new(project), TrustLevel::None);
        let project = ProjectSettings::Read { project, fingerprint: String::new(), trust };
        self.observe(Fact::ProjectRead { workspace, project, availability: BTreeMap::new() });
    }

    /// That agent was started in the folder in an earlier run.
    pub(crate) fn chose(&mut self, name: &str, agent: &str) {
        let launch = Launch::Named(agent.to_owned());
        self.observe(Fact::ChoicesRead([(root(name), launch)].into()));
    }

    #[track_caller]
    pub(crate) fn wants_trust(&mut self, name: &str, agent: &str) {
        let (workspace, launch) = (self.workspace(name), Launch::Named(agent.to_owned()));
        self.observe(Fact::TrustWanted { workspace, launch });
    }

    #[track_caller]
    pub(crate) fn view(&mut self, action: ViewAction) {
        self.act(Action::View(action));
    }

    /// Halves the focused pane.
    #[track_caller]
    pub(crate) fn split(&mut self, axis: Axis) {
        self.act(Action::Pane(PaneAction::Split(axis)));
    }

    /// Goes to the pane at the left.
    #[track_caller]
    pub(crate) fn go_left(&mut self) {
        self.act(Action::Pane(PaneAction::FocusToward(Direction::Left)));
    }

    #[track_caller]
    pub(crate) fn go_right(&mut self) {
        self.act(Action::Pane(PaneAction::FocusToward(Direction::Right)));
    }

    /// Goes to a tab of the focused pane by its place.
    #[track_caller]
    pub(crate) fn tab(&mut self, place: usize) {
        self.act(Action::Tab(TabAction::ActivateNumber(place)));
    }

    /// Opens a plain terminal in the focused pane; it has printed something already.
    #[track_caller]
    pub(crate) fn terminal(&mut self, program: &str, bytes: &str) {
        let command = Some(vec![program.to_owned()]);
        self.act(Action::Plain(PlainAction::New { workspace: None, cwd: None, command }));
        let terminal = self.state.focused_terminal().expect("a terminal");
        terminal.buffer().feed(bytes.as_bytes());
        self.observe(Fact::Output);
    }

    /// In the terminal on show.
    #[track_caller]
    pub(crate) fn runs(&mut self, name: &str) {
        let program = self.state.focused_terminal().expect("a terminal").program();
        let ProgramId::Terminal(terminal) = program else { panic!("an agent is on show") };
        self.observe(Fact::Running { terminal, name: Some(name.to_owned()) });
    }

    pub(crate) fn fit(&mut self, rooms: Rooms) {
        self.observe(Fact::PanesResized(rooms));
    }

    #[track_caller]
    fn workspace(&self, name: &str) -> WorkspaceId {
        self.state.find_workspace(name).expect("a workspace").id()
    }

    #[track_caller]
    fn act(&mut self, action: Action) -> Vec<Effect> {
        let effects = self.state.update(action, self.now).expect("an action that is not refused");
        resize(&effects);
        let (again, effects): (Vec<_>, Vec<_>) =
            effects.into_iter().partition(|effect| matches!(effect, Effect::Act(_)));
        for effect in again {
            if let Effect::Act(action) = effect {
                self.act(*action);
            }
        }
        effects
    }

    fn observe(&mut self, fact: Fact) {
        resize(&self.state.observe(fact, self.now));
    }
}

/// What a thread does otherwise is done at once.
fn resize(effects: &[Effect]) {
    for effect in effects {
        if let Effect::Resize { terminal, .. } = effect {
            terminal.take_size();
        }
    }
}

fn root(name: &str) -> PathBuf {
    PathBuf::from(HOME).join("src").join(name)
}
