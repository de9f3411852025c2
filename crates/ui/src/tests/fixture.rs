//! A state played from a script through the public doors, and frames of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent::Exit;
use buffer::{DiskStamp, Document};
use config::Config;
use scene::{CellMetrics, Layer, Point, Scene, Size};
use terminal::{ProgramState, ProgramStatus, TerminalSignal};
use workspace::{
    Action, AgentAction, Availability, Axis, Effect, Fact, FileAction, Launch, LoadState,
    MenuAction, PaneAction, PlainAction, Preedit, ProgramId, State, TabAction, ViewAction,
    WorkspaceAction,
};

use crate::{
    Activity, Frame, FrameInputs, HoveredLink, RailPointer, TerminalFrames, build, pulse, rooms,
};

pub(super) const METRICS: CellMetrics =
    CellMetrics { width: 8, height: 21, ascent: 16, font_size: 14 * 64 };
pub(super) const WATCHED: Activity =
    Activity { visible: true, focused: true, reduced_motion: false };

/// Some moment; tests only look at differences.
#[expect(clippy::disallowed_methods, reason = "an `Instant` can be had in no other way")]
pub(crate) fn start() -> Instant {
    Instant::now()
}

/// A state with its clock and a window to look at it through.
pub(super) struct Stage {
    pub(super) state: State,
    pub(super) now: Instant,
    pub(super) size: Size,
    pub(super) scale: f32,
    pub(super) pointer: Option<Point>,
    pub(super) rail: RailPointer,
}

impl Stage {
    pub(super) fn new() -> Self {
        Self {
            state: State::new(Config::default()),
            now: start(),
            size: Size::new(1000.0, 600.0),
            scale: 1.0,
            pointer: None,
            rail: RailPointer::default(),
        }
    }

    /// Plays steps separated by commas; see [`Stage::step`] for the words.
    #[track_caller]
    pub(super) fn play(script: &str) -> Self {
        let mut stage = Self::new();
        for step in script.split(", ").filter(|step| !step.is_empty()) {
            stage.step(step);
        }
        stage
    }

    #[track_caller]
    pub(super) fn step(&mut self, step: &str) {
        let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
        let seconds = || rest.parse().map(Duration::from_secs_f64).expect("seconds");
        let number = || rest.parse().expect("a number");
        match word {
            "open" => {
                let root = PathBuf::from("/src").join(rest);
                self.act(Action::Workspace(WorkspaceAction::Open(root)));
            }
            "go" => {
                let place = rest.parse().expect("a place");
                self.act(Action::Workspace(WorkspaceAction::ActivateNumber(place)));
            }
            "branch" => {
                let workspace = self.state.active_workspace().expect("a workspace").id();
                let branch = Some(rest.to_owned());
                self.observe(Fact::BranchRead { workspace, branch });
            }
            "repository" => {
                let workspace = self.state.active_workspace().expect("a workspace").id();
                let repository = Some(PathBuf::from("/src").join(rest).join(".git"));
                self.observe(Fact::RepositoryRead { workspace, repository });
            }
            "done" => self.says(None, ProgramState::Idle),
            "part" => self.says(Some(rest.to_owned()), ProgramState::Working),
            "runs" => {
                let program = self.program();
                let ProgramId::Terminal(terminal) = program else { panic!("an agent is on show") };
                self.observe(Fact::Running { terminal, name: Some(rest.to_owned()) });
            }
            "agent" => {
                let launch = Launch::Command(vec![rest.to_owned()]);
                self.act(Action::Agent(AgentAction::Start { workspace: None, launch }));
            }
            "terminal" => {
                let command = Some(vec![rest.to_owned()]);
                let new = PlainAction::New { workspace: None, cwd: None, command };
                self.act(Action::Plain(new));
            }
            // Refused where there is no room, which is as well.
            "split" => {
                let axis = if rest == "down" { Axis::Column } else { Axis::Row };
                drop(self.state.update(Action::Pane(PaneAction::Split(axis)), self.now));
            }
            "print" => {
                let terminal = self.state.focused_terminal().expect("a terminal");
                terminal.buffer().feed(rest.replace('/', "\r\n").as_bytes());
                self.observe(Fact::Output);
            }
            "pass" => self.pass(seconds()),
            "exit" => self.exited(Exit::Code(number())),
            "signal" => self.exited(Exit::Signal(number())),
            "stop" => {
                self.act(Action::Agent(AgentAction::Stop { workspace: None }));
                self.exited(Exit::Signal(15));
            }
            "fail" => {
                let (program, message) = (self.program(), rest.to_owned());
                self.observe(Fact::SpawnFailed { program, code: 127, message });
            }
            "file" => {
                let (path, text) = rest.split_once(' ').unwrap_or((rest, ""));
                self.open_file(path, &text.replace('/', "\n"));
            }
            "loading" => drop(self.open_path(rest)),
            "unreadable" => {
                let (path, why) = rest.split_once(' ').expect("a path and a reason");
                for effect in self.open_path(path) {
                    if let Effect::LoadFile { buffer, .. } = effect {
                        self.observe(Fact::FileRead { buffer, result: Err(why.to_owned()) });
                    }
                }
            }
            "tab" => {
                let place = rest.parse().expect("a place");
                self.act(Action::Tab(TabAction::ActivateNumber(place)));
            }
            "close" => self.act(Action::Tab(TabAction::Close(None))),
            "keys" => {
                for key in State::parse_keys(rest).expect("keys") {
                    self.act(Action::Key(key));
                }
            }
            "type" => self.act(Action::Text(rest.to_owned())),
            "compose" => self.act(Action::Preedit(Preedit::new(rest, Some((0, 0))))),
            "palette" => self.act(Action::View(ViewAction::Palette)),
            "menu" => self.act(Action::Menu(MenuAction::Open { workspace: None, at: None })),
            "light" => drop(self.observe(Fact::SystemTheme { dark: false })),
            "system-motion" => {
                drop(self.observe(Fact::SystemMotion { reduced: rest == "reduced" }));
            }
            "compact" => self.act(Action::View(ViewAction::ToggleRail)),
            "hide-rail" => self.act(Action::View(ViewAction::HideRail)),
            "notice" => drop(self.observe(Fact::Notice(rest.to_owned()))),
            "bad-config" => drop(self.observe(Fact::ConfigRefused(rest.to_owned()))),
            "refused" => drop(self.observe(Fact::Refused(rest.to_owned()))),
            "recent" => {
                let recent = rest.split(' ').map(PathBuf::from).collect();
                self.observe(Fact::RecentFolders(recent));
            }
            "found" => {
                let found = rest.split(' ').map(|name| match name.strip_prefix('!') {
                    Some(missing) => {
                        let why = format!("{missing} is not installed");
                        (missing.to_owned(), Availability::Missing(why))
                    }
                    None => (name.to_owned(), Availability::Found),
                });
                self.observe(Fact::AgentsFound(found.collect::<BTreeMap<_, _>>()));
            }
            _ => panic!("no such step: {step}"),
        }
    }

    /// Whether the step makes sense now.
    pub(super) fn can(&self, step: &str) -> bool {
        let workspace = self.state.active_workspace();
        let agent = workspace.and_then(workspace::Workspace::agent);
        let has_live_agent = agent.is_some_and(agent::AgentHandle::is_alive);
        match step.split(' ').next().unwrap_or_default() {
            "agent" => workspace.is_some() && !has_live_agent,
            "repository" | "menu" => workspace.is_some(),
            "terminal" => workspace.is_some(),
            "print" => self.state.focused_terminal().is_some(),
            "exit" | "stop" | "fail" => has_live_agent,
            "file" | "loading" | "unreadable" | "go" => workspace.is_some(),
            "tab" | "close" => self.state.active_tab().is_some(),
            "keys" | "type" => {
                let file = self.state.active_file();
                let loaded = file.is_none_or(|(_, file)| *file.load_state() == LoadState::Loaded);
                loaded || self.state.overlay().is_some()
            }
            _ => true,
        }
    }

    /// Draws until the pane has the size it is told, as the program does.
    pub(super) fn frame(&mut self) -> Frame {
        let rooms = rooms(&self.state, self.size, self.scale, METRICS);
        if rooms != *self.state.rooms() {
            self.observe(Fact::PanesResized(rooms));
        }
        let mut terminals = TerminalFrames::default();
        terminals.refresh(&self.state);
        self.build(&terminals)
    }

    pub(super) fn build(&self, terminals: &TerminalFrames) -> Frame {
        self.build_with(terminals, None)
    }

    pub(super) fn build_with(
        &self,
        terminals: &TerminalFrames,
        link: Option<HoveredLink<'_>>,
    ) -> Frame {
        let inputs = FrameInputs {
            size: self.size,
            scale: self.scale,
            metrics: METRICS,
            now: self.now,
            cursor_on: true,
            pulse: pulse(&self.state, self.now, WATCHED),
            pointer: self.pointer,
            terminals,
            link,
            rail: self.rail,
            renderer: "",
            home: Some(Path::new("/home/me")),
        };
        build(&self.state, &inputs)
    }

    pub(super) fn observe(&mut self, fact: Fact) -> Vec<Effect> {
        let effects = self.state.observe(fact, self.now);
        resize(&effects);
        effects
    }

    #[track_caller]
    pub(super) fn act(&mut self, action: Action) {
        resize(&self.state.update(action, self.now).expect("an action that is not refused"));
    }

    fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(at) = self.state.next_deadline().filter(|at| *at <= end) {
            self.now = at;
            self.observe(Fact::Deadline);
        }
        self.now = end;
    }

    /// What runs in the terminal on show, or else the agent.
    fn program(&self) -> ProgramId {
        let shown = self.state.focused_terminal().map(|terminal| terminal.program());
        let workspace = self.state.active_workspace().expect("a workspace");
        let agent = || ProgramId::Agent(workspace.agent().expect("an agent").id());
        shown.unwrap_or_else(agent)
    }

    fn exited(&mut self, exit: Exit) {
        let program = self.program();
        self.observe(Fact::Exited { program, exit });
    }

    /// The agent of the active workspace says it of itself, or of a part.
    fn says(&mut self, id: Option<String>, state: ProgramState) {
        let workspace = self.state.active_workspace().expect("a workspace");
        let program = ProgramId::Agent(workspace.agent().expect("an agent").id());
        let status =
            ProgramStatus { state, id, app: None, title: None, message: None, progress: None };
        self.observe(Fact::Signal { program, signal: TerminalSignal::Status(status) });
    }

    fn open_path(&mut self, path: &str) -> Vec<Effect> {
        let root = self.state.active_workspace().expect("a workspace").root().to_owned();
        let open = FileAction::Open { path: root.join(path), at: None };
        self.state.update(Action::File(open), self.now).expect("a path to open")
    }

    fn open_file(&mut self, path: &str, text: &str) {
        for effect in self.open_path(path) {
            if let Effect::LoadFile { buffer, .. } = effect {
                let document = Document::from_bytes(text.as_bytes().to_vec()).expect("text");
                let stamp = DiskStamp { len: 0, modified: None, inode: 0, hash: 0 };
                let result = Ok((document, Some(stamp)));
                self.observe(Fact::FileRead { buffer, result });
            }
        }
    }
}

/// The layers whose clips begin at that place, as text.
#[track_caller]
pub(super) fn layers_at(frame: &Frame, x: f32, y: f32) -> String {
    let starts_here = |layer: &&Layer| layer.clip.x == x && layer.clip.y == y;
    let layers = frame.scene.layers.iter().filter(starts_here).cloned().collect();
    let text = Scene { layers, ..frame.scene.clone() }.to_string();
    let lines = text.lines().skip(1).filter(|line| !line.starts_with("layer"));
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

/// All text of a frame in the order it is drawn, one run a line.
pub(super) fn words(frame: &Frame) -> Vec<String> {
    let texts = frame.scene.layers.iter().flat_map(|layer| &layer.texts);
    texts.map(|run| run.spans.iter().map(|span| span.text.as_str()).collect()).collect()
}

/// What a thread does otherwise is done at once.
fn resize(effects: &[Effect]) {
    for effect in effects {
        if let Effect::Resize { terminal, .. } = effect {
            terminal.take_size();
        }
    }
}
