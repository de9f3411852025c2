//! Actions and facts in, state and effects out.

mod asking;
mod crashing;
mod find;
mod input;
mod launching;
mod leaving;
mod left_behind;
mod notices;
mod panes;
mod plain;
mod queue;
mod rail;
mod restoring;
mod saving;
mod tile_menu;
mod transcripts;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agent::Exit;
use buffer::Document;
use config::{Config, ReducedMotion};
use terminal::{ClipboardTarget, TerminalSignal};

use crate::{
    ACTIONS, Action, ActionError, AgentAction, AgentsThen, AppAction, Args, Conflict, Effect, Fact,
    FileAction, Launch, Leaving, Overlay, PlainAction, ProgramId, State, TabContent, TerminalId,
    UnsavedThen, WorkspaceAction, WorkspaceStatus, default_bindings, find_action,
};

/// Ends the program, unless text is unsaved.
fn leave(agents: AgentsThen) -> Action {
    Action::App(AppAction::Leave(Leaving { unsaved: UnsavedThen::Refuse, agents }))
}

/// A state driven by a script of words, such as `"open a, start cat, key ctrl-tab"`.
struct Stage {
    state: State,
    now: Instant,
    effects: Vec<Effect>,
}

impl Stage {
    #[expect(clippy::disallowed_methods, reason = "a moment to count from")]
    fn new() -> Self {
        Self { state: State::new(Config::default()), now: Instant::now(), effects: Vec::new() }
    }

    #[track_caller]
    fn play(script: &str) -> Self {
        let mut stage = Self::new();
        for step in script.split(", ") {
            stage.step(step);
        }
        stage
    }

    #[track_caller]
    fn start(&mut self, program: &str, outlives_us: bool) {
        let launch = Launch::Command(vec![program.to_owned()]);
        self.act(Action::Agent(AgentAction::Start { workspace: None, launch })).unwrap();
        let (program, cwd) = (self.agent(), PathBuf::new());
        self.fact(Fact::Spawned { program, pid: 7, cwd, outlives_us });
    }

    #[track_caller]
    fn step(&mut self, step: &str) {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        match verb {
            "open" => {
                self.act(Action::Workspace(WorkspaceAction::Open(PathBuf::from(rest)))).unwrap();
            }
            "file" => {
                let path = PathBuf::from(rest);
                self.act(Action::File(FileAction::Open { path, at: None })).unwrap();
                self.load("text\n");
            }
            "start" => self.start(rest, false),
            // One that the host holds.
            "hosted" => self.start(rest, true),
            "terminal" => {
                let command = (!rest.is_empty()).then(|| vec![rest.to_owned()]);
                let new = PlainAction::New { workspace: None, cwd: None, command };
                self.act(Action::Plain(new)).unwrap();
                let program = ProgramId::Terminal(self.terminal());
                self.fact(Fact::Spawned {
                    program,
                    pid: 8,
                    cwd: PathBuf::from("/started"),
                    outlives_us: false,
                });
            }
            "runs" => {
                let name = (!rest.is_empty()).then(|| rest.to_owned());
                self.fact(Fact::Running { terminal: self.terminal(), name });
            }
            "prints" => {
                let terminal = self.state.focused_terminal().expect("a terminal on show");
                drop(terminal.buffer().feed(rest.as_bytes()));
                self.fact(Fact::Output);
            }
            "exits" => {
                let exit = Exit::Code(rest.parse().unwrap());
                let shown = self.state.focused_terminal().map(|terminal| terminal.program());
                let program = shown.unwrap_or_else(|| self.agent());
                self.fact(Fact::Exited { program, exit });
            }
            "killed" => {
                let program = ProgramId::Terminal(self.terminal());
                self.fact(Fact::Exited { program, exit: Exit::Signal(9) });
            }
            "after" => {
                self.now += Duration::from_secs_f64(rest.parse().unwrap());
                self.fact(Fact::Deadline);
            }
            "key" => {
                for key in State::parse_keys(rest).unwrap() {
                    self.act(Action::Key(key)).unwrap();
                }
            }
            "type" => self.act(Action::Text(rest.to_owned())).unwrap(),
            "focus" => self.fact(Fact::WindowFocused(true)),
            "unfocus" => self.fact(Fact::WindowFocused(false)),
            _ => panic!("unknown step {step}"),
        }
    }

    fn act(&mut self, action: Action) -> Result<(), ActionError> {
        let effects = self.state.update(action, self.now)?;
        for effect in effects {
            match effect {
                Effect::Act(action) => self.act(*action)?,
                effect => self.effects.push(effect),
            }
        }
        Ok(())
    }

    fn fact(&mut self, fact: Fact) {
        let effects = self.state.observe(fact, self.now);
        self.effects.extend(effects);
    }

    fn agent(&self) -> ProgramId {
        let workspace = self.state.active_workspace().expect("a workspace");
        ProgramId::Agent(workspace.agent().expect("an agent").id())
    }

    /// The plain terminal on show.
    #[track_caller]
    fn terminal(&self) -> TerminalId {
        match self.state.active_tab().expect("a tab").content {
            TabContent::Terminal(id) => id,
            TabContent::Agent | TabContent::File(_) => panic!("no terminal on show"),
        }
    }

    fn load(&mut self, text: &str) {
        let (buffer, _) = self.state.active_file().expect("a file");
        let document = Document::from_bytes(text.as_bytes().to_vec()).unwrap();
        self.fact(Fact::FileRead { buffer, result: Ok((document, None)) });
    }

    /// One line per workspace: `*name status [tabs]`, the active tab in capitals. Several panes are
    /// separated by blanks, and the focused one has a `>`.
    fn picture(&self) -> String {
        let active = self.state.active_workspace().map(|it| it.id());
        let line = |workspace: &crate::Workspace| {
            let mark = if active == Some(workspace.id()) { "*" } else { "" };
            let panes: Vec<String> = workspace
                .panes()
                .groups()
                .iter()
                .map(|group| self.pane(workspace, group))
                .collect();
            let (name, status) = (workspace.name(), workspace.status().name());
            format!("{mark}{name} {status} {}", panes.join(" "))
        };
        self.state.workspaces().iter().map(line).collect::<Vec<_>>().join("; ")
    }

    fn pane(&self, workspace: &crate::Workspace, group: &crate::TabGroup) -> String {
        let name = |tab: &crate::Tab| {
            let name = match tab.content {
                TabContent::Agent => "agent".to_owned(),
                TabContent::File(buffer) => self.state.file(buffer).unwrap().title(),
                TabContent::Terminal(id) => self.state.plain_terminal(id).unwrap().title(),
            };
            if group.active_tab() == Some(*tab) { name.to_uppercase() } else { name }
        };
        let tabs: Vec<String> = group.tabs().iter().map(name).collect();
        let panes = workspace.panes();
        let mark = if panes.is_split() && panes.focused() == group.id() { ">" } else { "" };
        format!("{mark}[{}]", tabs.join(" "))
    }
}

#[track_caller]
fn check(script: &str, picture: &str) {
    assert_eq!(Stage::play(script).picture(), picture, "after {script}");
}

#[track_caller]
fn check_refused(script: &str, action: Action, words: &str) {
    let refusal = Stage::play(script).act(action).expect_err("a refusal").to_string();
    assert!(refusal.contains(words), "{refusal}");
}

#[test]
fn folders_open_once_and_get_names_of_their_own() {
    check("open /x/api, open /y/api, open /x/web", "api idle []; api-2 idle []; *web idle []");
    check("open /x/api, open /x/web, open /x/api", "*api idle []; web idle []");
}

#[test]
fn the_agents_tab_is_always_first() {
    check("open /a, file /a/f.rs, start cat", "*a running [AGENT f.rs]");
    check("open /a, start cat, file /a/f.rs, key ctrl-tab", "*a running [AGENT f.rs]");
}

#[test]
fn the_status_follows_the_agent() {
    check("open /a, start cat, after 4.9", "*a running [AGENT]");
    check("open /a, start cat, after 5", "*a needs_input [AGENT]");
    check("open /a, start cat, prints hi, after 5, after 60", "*a stale [AGENT]");
    check("open /a, start cat, exits 0", "*a completed [AGENT]");
    check("open /a, start cat, exits 3", "*a errored [AGENT]");
    check("open /a, start cat, after 5, type x, prints x", "*a needs_input [AGENT]");
    check("open /a, start cat, after 5, key enter, prints x", "*a running [AGENT]");
}

#[test]
fn the_next_that_needs_you_is_the_one_that_waits_longest() {
    let waiting = "open /a, start cat, after 2, open /b, start cat, after 6, open /c";
    check(
        &format!("{waiting}, key ctrl-shift-j"),
        "*a needs_input [AGENT]; b needs_input [AGENT]; c idle []",
    );
    check(
        &format!("{waiting}, key ctrl-shift-j ctrl-shift-j"),
        "a needs_input [AGENT]; *b needs_input [AGENT]; c idle []",
    );
    check_refused("open /a", Action::Agent(AgentAction::NextThatNeedsInput), "no agent needs you");
}

#[test]
fn workspaces_are_reached_by_number_and_by_neighbour() {
    check("open /a, open /b, key ctrl-alt-1", "*a idle []; b idle []");
    check("open /a, open /b, key ctrl-alt-down", "*a idle []; b idle []");
    check("open /a, open /b, key ctrl-alt-up", "*a idle []; b idle []");
    check_refused(
        "open /a",
        Action::Workspace(WorkspaceAction::ActivateNumber(2)),
        "no workspace `2`",
    );
}

#[test]
fn a_living_agent_is_never_lost_by_closing_or_starting() {
    let launch = Launch::Command(vec!["cat".to_owned()]);
    let start = Action::Agent(AgentAction::Start { workspace: None, launch });
    check_refused("open /a, start cat", start, "still running");
    let close = Action::Workspace(WorkspaceAction::Close(None));
    check_refused("open /a, start cat", close, "still running");
    let restart = Action::Agent(AgentAction::Restart { workspace: None });
    check_refused("open /a, start cat", restart, "still running");

    let mut stage = Stage::play("open /a, start cat, key ctrl-shift-w");
    assert!(matches!(stage.state.overlay(), Some(Overlay::Confirm(_))), "closing its tab asks");
    stage.step("key enter");
    assert_eq!(stage.picture(), "*a running [AGENT]", "Enter keeps it running");
}

#[test]
fn stopping_is_asked_for_by_effect_and_ends_as_stopped() {
    let mut stage = Stage::play("open /a, start cat");
    stage.act(Action::Agent(AgentAction::Stop { workspace: None })).unwrap();
    assert!(matches!(stage.effects.last(), Some(Effect::Stop { .. })), "the effect");
    let program = stage.agent();
    stage.fact(Fact::Exited { program, exit: Exit::Signal(15) });
    assert_eq!(stage.picture(), "*a stopped [AGENT]", "not a failure");
}

#[test]
fn a_restart_keeps_the_agent_and_its_terminal() {
    let mut stage = Stage::play("open /a, start cat, prints before, exits 1");
    let agent = stage.agent();
    stage.act(Action::Agent(AgentAction::Restart { workspace: None })).unwrap();
    assert_eq!(stage.agent(), agent, "the same agent");
    let text = stage.state.visible_agent().unwrap().terminal().visible_text().join("\n");
    assert!(text.contains("before") && text.contains("restarted"), "{text}");
    assert_eq!(stage.state.visible_agent().unwrap().launches(), 2, "its second launch");
}

#[test]
fn the_limit_of_agents_is_a_clear_refusal() {
    let mut stage = Stage::new();
    stage.state.config.limits.max_agents = 1;
    stage.step("open /a");
    stage.step("start cat");
    stage.step("open /b");
    let launch = Launch::Command(vec!["cat".to_owned()]);
    let start = Action::Agent(AgentAction::Start { workspace: None, launch });
    let refusal = stage.act(start).expect_err("a refusal").to_string();
    assert!(refusal.contains("max_agents"), "{refusal}");
}

#[test]
fn a_terminal_keeps_its_own_keys() {
    for keys in ["ctrl-p", "ctrl-w", "ctrl-c", "ctrl-r", "f1", "alt-1", "ctrl-s", "ctrl-b"] {
        let stage = Stage::play(&format!("open /a, start cat, key {keys}"));
        let sent = matches!(stage.effects.last(), Some(Effect::WritePty { .. }));
        assert!(sent, "{keys} goes to the program: {:?}", stage.effects.last());
        assert!(stage.state.overlay().is_none(), "{keys} opens nothing");
    }
}

#[test]
fn keys_of_a_sequence_wait_for_each_other() {
    let mut stage = Stage::play("open /a, key ctrl-k");
    assert_eq!(stage.state.pending_keys().len(), 1, "waiting for more");
    stage.step("key ctrl-o");
    assert!(matches!(stage.state.overlay(), Some(Overlay::Prompt(_))), "it asks for a folder");
    let stage = Stage::play("open /a, file /a/f, key ctrl-k x");
    assert!(!stage.state.active_file().unwrap().1.is_modified(), "a wrong second key is swallowed");
}

#[test]
fn enter_does_what_an_empty_pane_offers_first() {
    let mut stage = Stage::new();
    stage.step("key enter");
    assert!(matches!(stage.state.overlay(), Some(Overlay::Prompt(_))), "open a folder");
    let stage = Stage::play("open /a, key enter");
    assert!(matches!(stage.state.overlay(), Some(Overlay::Picker(_))), "start an agent");
}

#[test]
fn the_palette_runs_what_is_chosen() {
    let script = "open /a, key ctrl-shift-p, type compact, key enter";
    let stage = Stage::play(script);
    assert!(stage.state.rail_look().is_compact, "the one that matches");
    assert!(stage.state.overlay().is_none(), "and closes");
}

#[test]
fn nothing_new_begins_while_quitting() {
    let mut stage = Stage::play("open /a, start cat");
    stage.act(leave(AgentsThen::Stop)).unwrap();
    let launch = Launch::Command(vec!["cat".to_owned()]);
    let start = Action::Agent(AgentAction::Start { workspace: None, launch });
    assert_eq!(stage.act(start), Err(ActionError::Quitting), "no new agent");
    assert_eq!(stage.act(Action::Text("x".to_owned())), Err(ActionError::Quitting), "no text");
    stage.step("exits 1");
    assert_eq!(stage.picture(), "*a stopped [AGENT]", "its agents were stopped, not failing");
}

#[test]
fn only_what_is_looked_at_may_set_the_clipboard() {
    let store = || TerminalSignal::ClipboardStore {
        target: ClipboardTarget::Clipboard,
        text: "rm -rf ~\n".to_owned(),
    };
    let mut stage = Stage::play("open /a, start cat");
    let program = stage.agent();
    stage.fact(Fact::Signal { program, signal: store() });
    assert!(matches!(stage.effects.last(), Some(Effect::SetClipboard(_))), "on show and focused");
    stage.step("open /b");
    stage.effects.clear();
    stage.fact(Fact::Signal { program, signal: store() });
    assert!(stage.effects.is_empty(), "hidden: {:?}", stage.effects);
}

#[test]
fn what_is_too_large_for_the_clipboard_is_told_of_where_it_is_looked_at() {
    let signal = || TerminalSignal::ClipboardTooLarge(ClipboardTarget::Clipboard);
    let mut stage = Stage::play("open /a, start cat");
    let program = stage.agent();
    let told = |stage: &Stage| {
        stage.state.toast().is_some_and(|toast| toast.text.contains("too large, not copied"))
    };
    stage.fact(Fact::Signal { program, signal: signal() });
    assert!(told(&stage), "on show and focused");
    stage.step("open /b");
    stage.step("after 60");
    stage.fact(Fact::Signal { program, signal: signal() });
    assert_eq!(
        (told(&stage), stage.state.badge(program)),
        (false, Some(crate::Badge::WantedToCopy))
    );
    stage.step("key ctrl-alt-1");
    assert_eq!((told(&stage), stage.state.badge(program)), (true, None), "once it is on show");
    let take = stage.act(Action::TakeCopy);
    assert_eq!(take, Err(ActionError::NothingToTake), "there is nothing of it");
}

#[test]
fn news_of_what_is_gone_is_ignored() {
    let mut stage = Stage::play("open /a, start cat, exits 0, key ctrl-shift-w");
    assert_eq!(stage.picture(), "*a idle []", "closing the tab of an ended agent forgets it");
    let mut other = Stage::play("open /a, start cat");
    let program = other.agent();
    stage.fact(Fact::Exited { program, exit: Exit::Code(1) });
    other.step("exits 0");
    assert_eq!(stage.picture(), "*a idle []", "nothing happened");
}

#[test]
fn statuses_sort_by_urgency() {
    use WorkspaceStatus::{Completed, Errored, Idle, NeedsInput, Running, Stale, Stopped};
    let mut statuses = [Idle, Running, Stopped, Completed, Errored, Stale, NeedsInput];
    statuses.sort_unstable();
    assert_eq!(statuses[0], NeedsInput, "first in the queue");
    assert_eq!(statuses[6], Idle, "last");
}

#[test]
fn every_action_has_one_name_and_every_key_an_action() {
    for (index, spec) in ACTIONS.iter().enumerate() {
        let first = ACTIONS.iter().position(|other| other.name == spec.name);
        assert_eq!(first, Some(index), "{} is there twice", spec.name);
        assert!(!spec.title.is_empty() && spec.doc.ends_with('.'), "{} is documented", spec.name);
    }
    for binding in default_bindings() {
        let spec = find_action(&binding.action);
        let spec = spec.unwrap_or_else(|| panic!("{} is no action", binding.action));
        assert_eq!(spec.is_plain(), binding.number.is_none(), "{} needs a number", spec.name);
    }
}

#[test]
fn arguments_that_do_not_fit_are_named() {
    let refusal = |name: &str, args: Args| State::named_action(name, args).unwrap_err().to_string();
    let text = |name: &str| Args::new([(name.to_owned(), crate::Arg::Text("x".to_owned()))]);
    assert!(refusal("no.such", Args::default()).contains("unknown action `no.such`"), "the name");
    assert!(refusal("tab.activate", Args::default()).contains("`number` is missing"), "missing");
    assert!(refusal("tab.activate", text("number")).contains("must be a whole number"), "kind");
    assert!(refusal("tab.next", text("extra")).contains("unknown argument `extra`"), "left over");
}

#[test]
fn a_config_that_makes_no_sense_leaves_the_last_good_one() {
    let mut stage = Stage::new();
    let mut config = Config { font_size: 20.0, ..Config::default() };
    config.keys.insert("ctrl-nonsense".to_owned(), "tab.next".to_owned());
    stage.fact(Fact::ConfigRead(Box::new(config)));
    assert_eq!(stage.state.font_size(), Config::default().font_size, "kept");
    assert!(stage.state.config_error().is_some_and(|it| it.contains("ctrl-nonsense")), "told");
}

#[test]
fn the_system_decides_about_motion_unless_the_user_does() {
    #[track_caller]
    fn check(reduced_motion: ReducedMotion, system: Option<bool>, expected: bool) {
        let mut stage = Stage::new();
        let config = Config { reduced_motion, ..Config::default() };
        stage.fact(Fact::ConfigRead(Box::new(config)));
        system.into_iter().for_each(|reduced| stage.fact(Fact::SystemMotion { reduced }));
        assert_eq!(stage.state.reduces_motion(), expected, "{reduced_motion:?}, {system:?}");
    }
    check(ReducedMotion::Auto, None, false);
    check(ReducedMotion::Auto, Some(false), false);
    check(ReducedMotion::Auto, Some(true), true);
    check(ReducedMotion::Always, Some(false), true);
    check(ReducedMotion::Always, None, true);
    check(ReducedMotion::Never, Some(true), false);
}
