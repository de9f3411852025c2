//! The menu of a tile: what it offers, choosing in it, and whom it concerns.

use super::*;
use crate::{MAX_TERMINALS, MenuAction, TileVerb, WorkspaceId};

impl Stage {
    fn named(&self, name: &str) -> WorkspaceId {
        self.state.find_workspace(name).expect("such a workspace").id()
    }

    fn open_menu(&mut self, name: &str) {
        let workspace = Some(self.named(name));
        self.act(Action::Menu(MenuAction::Open { workspace, at: Some((9, 9)) })).unwrap();
    }

    /// The entries of the open menu, the selected one marked, what cannot be done with the reason.
    fn menu(&self) -> String {
        let Some(menu) = self.state.tile_menu() else { return "closed".to_owned() };
        let entries = self.state.menu_entries(menu.workspace()).into_iter().map(|entry| {
            let mark = if menu.selected() == Some(entry.verb) { "*" } else { "" };
            let why = entry.refusal.map_or_else(String::new, |why| format!(" ({why})"));
            format!("{mark}{}{why}", entry.verb.title())
        });
        entries.collect::<Vec<_>>().join(", ")
    }

    fn active(&self) -> &str {
        self.state.active_workspace().expect("one is on show").name()
    }
}

/// What the menu of `a` offers after that script.
#[track_caller]
fn check_offers(script: &str, expected: &str) {
    let mut stage = Stage::play(script);
    stage.open_menu("a");
    assert_eq!(stage.menu(), expected, "offered after {script}");
}

#[test]
fn it_offers_what_makes_sense_in_that_state() {
    check_offers("open /a", "Start agent…, New terminal, Close workspace");
    check_offers(
        "open /a, start sh",
        "Stop agent, This is wrong…, New terminal, Close workspace (its agent runs)",
    );
    check_offers(
        "open /a, start sh, exits 1",
        "Restart agent, Start agent…, This is wrong…, New terminal, Close workspace",
    );
    check_offers(
        "open /b, open /a, open /c",
        "Start agent…, New terminal, Move up, Move down, Close workspace",
    );
    check_offers("open /a, open /b", "Start agent…, New terminal, Move down, Close workspace");
}

#[test]
fn what_cannot_be_done_says_why() {
    check_offers(
        "open /a, terminal zsh, runs vim",
        "Start agent…, New terminal, Close workspace (vim runs in it)",
    );
    check_offers(
        "open /a, file /a/f, type x",
        "Start agent…, New terminal, Close workspace (unsaved: f)",
    );
    let mut stage = Stage::play("open /a, start sh");
    stage.act(Action::Agent(AgentAction::Stop { workspace: None })).unwrap();
    stage.open_menu("a");
    assert!(stage.menu().starts_with("Stop agent (it is stopping), "), "{}", stage.menu());
}

#[test]
fn limits_are_said_before_they_are_met() {
    let mut config = Config::default();
    config.limits.max_agents = 1;
    let mut stage = Stage::play("open /a, open /b, start sh");
    stage.fact(Fact::ConfigRead(Box::new(config)));
    for _terminal in 0..MAX_TERMINALS {
        stage.step("terminal zsh");
    }
    stage.open_menu("a");
    let expected = "Start agent… (1 run, the limit), New terminal (64 are open, the limit), \
                    Move down, Close workspace";
    assert_eq!(stage.menu(), expected, "both limits are met");
}

/// Keys in the menu of the workspace on show, whose agent has ended.
#[track_caller]
fn check_keys(keys: &str, selected: &str) {
    let mut stage = Stage::play("open /a, file /a/f, start sh, exits 0");
    stage.open_menu("a");
    stage.step(&format!("key {keys}"));
    let menu = stage.menu();
    let found = menu.split(", ").find_map(|entry| entry.strip_prefix('*')).unwrap_or_default();
    let found = if menu == "closed" { "closed" } else { found };
    assert_eq!(found, selected, "selected by {keys} in {menu}");
}

#[test]
fn keys_choose_among_what_can_be_done() {
    check_keys("f24", "");
    check_keys("down", "Restart agent");
    check_keys("down down", "Start agent…");
    check_keys("up", "Close workspace");
    check_keys("up down", "Restart agent");
    check_keys("down up", "Close workspace");
    check_keys("tab tab end up", "New terminal");
    check_keys("end home", "Restart agent");
    check_keys("n", "New terminal");
    check_keys("shift-c", "Close workspace");
    check_keys("s", "Start agent…");
    check_keys("s s", "Start agent…");
    check_keys("n x", "New terminal");
    check_keys("ctrl-n", "");
    check_keys("escape", "closed");
    check_keys("menu", "closed");
    check_keys("shift-f10", "closed");
    check_keys("enter", "");
    let mut stage = Stage::play("open /a, start sh");
    stage.open_menu("a");
    stage.step("key up");
    assert!(stage.menu().contains("*New terminal"), "not what cannot be done: {}", stage.menu());
}

#[test]
fn a_letter_goes_from_one_to_the_next_that_begins_with_it() {
    let mut stage = Stage::play("open /b, open /a, open /c");
    stage.open_menu("a");
    for expected in ["Move up", "Move down", "Move up"] {
        stage.step("key m");
        assert!(stage.menu().contains(&format!("*{expected}")), "{}", stage.menu());
    }
}

#[test]
fn it_concerns_its_own_workspace_and_leaves_the_one_on_show() {
    let mut stage = Stage::play("open /a, start sh, open /b, start sh, open /c");
    let agent = |stage: &Stage, name| {
        let workspace = stage.state.workspace(stage.named(name)).expect("it is open");
        ProgramId::Agent(workspace.agent().expect("an agent").id())
    };
    stage.open_menu("a");
    stage.step("key home enter");
    assert_eq!(stage.menu(), "closed", "done");
    let stopped = agent(&stage, "a");
    let stops =
        |effect: &Effect| matches!(effect, Effect::Stop { program, .. } if *program == stopped);
    assert_eq!(stage.effects.iter().filter(|it| stops(it)).count(), 1, "it is told to stop");
    assert_eq!(stage.active(), "c", "what was on show is on show");

    stage.fact(Fact::Exited { program: stopped, exit: Exit::Signal(15) });
    stage.open_menu("a");
    stage.step("key r enter");
    let program = stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::Spawn { program, .. } => Some(*program),
        _ => None,
    });
    assert_eq!((program, stage.active()), (Some(stopped), "c"), "restarted");

    stage.open_menu("b");
    stage.step("key m enter");
    let names: Vec<_> = stage.state.workspaces().iter().map(crate::Workspace::name).collect();
    assert_eq!((&names[..], stage.active()), (&["b", "a", "c"][..], "c"), "moved up");
    stage.open_menu("b");
    stage.step("key t enter");
    let Some(Overlay::Confirm(question)) = stage.state.overlay() else { panic!("a question") };
    assert_eq!(question.question, "sh of b is shown as starting. What is right?", "which one");
    assert_eq!(stage.active(), "c", "still");
}

#[test]
fn a_tile_that_is_closed_or_worked_in_is_the_right_one() {
    let mut stage = Stage::play("open /a, open /b");
    stage.open_menu("a");
    stage.step("key c enter");
    assert!(stage.state.find_workspace("a").is_none(), "closed");
    assert_eq!(stage.active(), "b", "and no other");
    stage.step("open /c");
    stage.open_menu("b");
    stage.step("key n enter");
    assert_eq!((stage.active(), stage.state.plain_terminals().count()), ("b", 1), "gone to");
    stage.step("open /d");
    stage.open_menu("c");
    stage.step("key s enter");
    assert!(matches!(stage.state.overlay(), Some(Overlay::Picker(_))), "which agent?");
    assert_eq!(stage.active(), "c", "where it will be on show");
}

#[test]
fn what_its_agent_becomes_changes_it_and_nothing_is_done_by_mistake() {
    let mut stage = Stage::play("open /a, start sh");
    stage.open_menu("a");
    stage.step("key down");
    assert!(stage.menu().starts_with("*Stop agent, "), "{}", stage.menu());
    stage.fact(Fact::Exited { program: stage.agent(), exit: Exit::Code(0) });
    assert!(stage.menu().starts_with("Restart agent, "), "not selected: {}", stage.menu());
    let effects = stage.effects.len();
    stage.step("key enter");
    let (workspace, verb) = (stage.named("a"), TileVerb::StopAgent);
    stage.act(Action::Menu(MenuAction::Run { workspace, verb })).unwrap();
    assert_eq!(stage.effects.len(), effects, "what was drawn before is not done");
    assert_ne!(stage.menu(), "closed", "and something else can be chosen");
}

#[test]
fn a_key_that_is_held_since_before_chooses_nothing() {
    let mut stage = Stage::play("open /a, start sh");
    stage.open_menu("a");
    stage.step("key down");
    let mut held = State::parse_keys("enter").unwrap().remove(0);
    held.press.kind = terminal::KeyKind::Repeat;
    stage.act(Action::Key(held)).unwrap();
    assert!(stage.menu().starts_with("*Stop agent"), "{}", stage.menu());
}

#[test]
fn it_closes_with_its_workspace() {
    let mut stage = Stage::play("open /a, open /b");
    stage.open_menu("a");
    stage.act(Action::Workspace(WorkspaceAction::Close(Some(stage.named("b"))))).unwrap();
    assert_ne!(stage.menu(), "closed", "that was another one");
    stage.act(Action::Workspace(WorkspaceAction::Close(Some(stage.named("a"))))).unwrap();
    assert_eq!(stage.menu(), "closed", "nothing left to offer");
    let open = MenuAction::Open { workspace: None, at: None };
    assert_eq!(stage.act(Action::Menu(open)), Err(ActionError::NoWorkspace), "nor to open");
}

#[test]
fn keys_open_it_unless_a_terminal_has_the_focus() {
    #[track_caller]
    fn check(script: &str, is_open: bool) {
        let stage = Stage::play(script);
        assert_eq!(stage.state.tile_menu().is_some(), is_open, "after {script}");
    }
    check("open /a, key shift-f10", true);
    check("open /a, file /a/f, key menu", true);
    check("open /a, start sh, key shift-f10", false);
    check("open /a, terminal zsh, key menu", false);
    check("open /a, start sh, key ctrl-shift-p, type menu of, key enter", true);
}

#[test]
fn keys_are_named_where_they_do_the_same() {
    let stage = Stage::play("open /a, open /b");
    let keys = |name: &str| {
        let entries = stage.state.menu_entries(stage.named(name));
        entries.into_iter().filter_map(|entry| entry.keys).collect::<Vec<_>>()
    };
    assert_eq!(keys("a"), [""; 0], "they act on what is on show");
    assert_eq!(keys("b"), ["Ctrl+Shift+A", "Ctrl+Shift+`", "Ctrl+Alt+Shift+Up"], "which this is");
}
