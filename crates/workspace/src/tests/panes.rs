//! Splits.

use terminal::{ClipboardTarget, GridSize};

use super::*;
use crate::{Axis, PaneAction, PaneNode, SplitId, TabAction};

/// Shells have different names on different machines.
#[track_caller]
fn check_panes(script: &str, picture: &str) {
    let mut stage = Stage::new();
    stage.state.config.terminal.shell = Some(PathBuf::from("/bin/sh"));
    for step in script.split(", ") {
        stage.step(step);
    }
    assert_eq!(stage.picture(), picture, "after {script}");
}

fn pane(action: PaneAction) -> Action {
    Action::Pane(action)
}

#[test]
fn a_file_is_shown_in_both_halves_and_a_terminal_gets_a_new_one_beside_it() {
    check_panes("open /a, file /a/f, key ctrl-\\", "*a idle [F] >[F]");
    check_panes("open /a, file /a/f, key ctrl-k ctrl-\\", "*a idle [F] >[F]");
    check_panes("open /a, start cat, key ctrl-shift-5", "*a running [AGENT] >[SH]");
    check_panes("open /a, start cat, file /a/f, key ctrl-\\", "*a running [agent F] >[F]");
    check_panes("open /a, terminal, key ctrl-shift-d", "*a idle [SH] >[SH]");
    check_refused("open /a", pane(PaneAction::Split(Axis::Row)), "nothing to split");
}

#[test]
fn a_new_terminal_starts_where_the_one_beside_it_is() {
    let mut stage = Stage::play("open /a, terminal");
    let program = ProgramId::Terminal(stage.terminal());
    stage.step("key ctrl-shift-5");
    let like = stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::Spawn { start_in, .. } => Some(start_in.like),
        _ => None,
    });
    assert_eq!(like, Some(Some(program)), "{:?}", stage.effects);
}

#[test]
fn the_focus_goes_in_directions() {
    // f | g over h, the focus in h.
    let three = "open /a, file /a/f, key ctrl-\\, file /a/g, key ctrl-k ctrl-\\, file /a/h";
    check_panes(three, "*a idle [F] [f G] >[g H]");
    check_panes(&format!("{three}, key ctrl-k ctrl-up"), "*a idle [F] >[f G] [g H]");
    check_panes(&format!("{three}, key ctrl-k ctrl-left"), "*a idle >[F] [f G] [g H]");
    let left = format!("{three}, key ctrl-k ctrl-left, key ctrl-k ctrl-right");
    check_panes(&left, "*a idle [F] [f G] >[g H]");
    let mut stage = Stage::play(three);
    let right = PaneAction::FocusToward(crate::Direction::Right);
    assert_eq!(stage.act(pane(right)), Err(ActionError::NoSuchPane), "nothing further right");
    check_panes("open /a, terminal, key ctrl-shift-5, key ctrl-shift-left", "*a idle >[SH] [SH]");
}

#[test]
fn the_last_tab_takes_its_pane_with_it() {
    let two = "open /a, file /a/f, key ctrl-\\";
    check_panes(&format!("{two}, key ctrl-w"), "*a idle [F]");
    check_panes(&format!("{two}, key ctrl-w ctrl-w"), "*a idle []");
    check_panes(&format!("{two}, file /a/g, key ctrl-w"), "*a idle [F] >[F]");
    check_panes("open /a, terminal, key ctrl-shift-5, exits 0", "*a idle [SH]");
}

#[test]
fn a_file_in_two_panes_is_one_text() {
    let mut stage = Stage::play("open /a, file /a/f, key ctrl-\\, type x, key ctrl-w");
    assert!(stage.state.overlay().is_none(), "it is still open beside");
    assert_eq!(stage.picture(), "*a idle [F]", "closed unasked");
    assert!(stage.state.active_file().unwrap().1.is_modified(), "with what was typed");
    stage.step("key ctrl-w");
    assert!(matches!(stage.state.overlay(), Some(Overlay::Confirm(_))), "the last one asks");
}

#[test]
fn the_agents_tab_stays_first_in_its_pane() {
    let split = "open /a, file /a/f, key ctrl-\\, start cat";
    check_panes(split, "*a running >[AGENT f] [F]");
    let mut stage = Stage::play(split);
    let moved = stage.act(Action::Tab(TabAction::MoveToNextPane));
    assert_eq!(moved, Err(ActionError::AgentStays), "not moved");
    stage.act(pane(PaneAction::Close)).unwrap();
    assert_eq!(stage.picture(), "*a running [agent F f]", "but joined, it comes first again");
}

#[test]
fn tabs_move_on_and_panes_are_joined() {
    let mut stage = Stage::play("open /a, file /a/f, key ctrl-\\, file /a/g");
    stage.act(Action::Tab(TabAction::MoveToNextPane)).unwrap();
    assert_eq!(stage.picture(), "*a idle >[f G] [F]", "round to the first");
    stage.act(pane(PaneAction::Close)).unwrap();
    assert_eq!(stage.picture(), "*a idle [F f g]", "nothing is lost");
    assert_eq!(stage.act(pane(PaneAction::Close)), Err(ActionError::NoSuchPane), "the only one");
    let moved = stage.act(Action::Tab(TabAction::MoveToNextPane));
    assert_eq!(moved, Err(ActionError::NoSuchPane), "nowhere to go");
}

#[test]
fn going_to_something_goes_to_its_pane() {
    let split = "open /a, start cat, file /a/f, key ctrl-\\, file /a/g";
    check_panes(split, "*a running [agent F] >[f G]");
    // The copy in the focused pane is preferred.
    check_panes(&format!("{split}, file /a/f"), "*a running [agent F] >[F g]");
    check_panes(&format!("{split}, after 5, key ctrl-shift-j"), "*a needs_input >[AGENT f] [f G]");
    check_panes(&format!("{split}, key ctrl-tab"), "*a running [agent F] >[F g]");
}

fn share(stage: &Stage) -> (SplitId, u16) {
    match stage.state.active_workspace().unwrap().panes().root() {
        PaneNode::Split(split) => (split.id(), split.share()),
        PaneNode::Group(_) => panic!("no split"),
    }
}

#[test]
fn shares_are_set_within_bounds() {
    let mut stage = Stage::play("open /a, file /a/f, key ctrl-\\");
    let (split, half) = share(&stage);
    assert_eq!(half, 500, "halves");
    for (action, expected) in [
        (PaneAction::Grow, 450),
        (PaneAction::Shrink, 500),
        (PaneAction::SetShare { split, share: 700 }, 700),
        (PaneAction::SetShare { split, share: 0 }, 100),
        (PaneAction::SetShare { split, share: 60_000 }, 900),
    ] {
        stage.act(pane(action.clone())).unwrap();
        assert_eq!(share(&stage).1, expected, "after {action:?}");
    }
}

#[test]
fn each_visible_terminal_has_the_size_of_its_pane_and_hidden_ones_keep_theirs() {
    let mut stage = Stage::play("open /a, terminal, key ctrl-shift-5");
    let panes: Vec<_> = {
        let workspace = stage.state.active_workspace().unwrap();
        workspace.panes().groups().iter().map(|group| group.id()).collect()
    };
    let mut rooms = stage.state.rooms().clone();
    let sized = |columns| crate::Pane {
        terminal: GridSize { columns, rows: 20 },
        file_rows: 20,
        file_columns: 10,
        under_find_bar: terminal::TopRight::default(),
    };
    rooms.panes = [(panes[0], sized(30)), (panes[1], sized(50))].into();
    stage.effects.clear();
    stage.fact(Fact::PanesResized(rooms.clone()));
    let columns = |stage: &Stage| -> Vec<u16> {
        stage.state.plain_terminals().map(|it| it.buffer().size().columns).collect()
    };
    assert_eq!(columns(&stage), [30, 50], "each its own");
    assert_eq!(stage.effects.len(), 2, "and both are told: {:?}", stage.effects);
    stage.step("terminal");
    rooms.panes.insert(panes[1], sized(60));
    stage.fact(Fact::PanesResized(rooms));
    assert_eq!(columns(&stage), [30, 50, 60], "the second is hidden behind the third");
}

#[test]
fn tiny_panes_are_not_split() {
    let mut stage = Stage::play("open /a, file /a/f");
    let results: Vec<bool> =
        (0..8).map(|_| stage.act(pane(PaneAction::Split(Axis::Row))).is_ok()).collect();
    assert_eq!(
        results.iter().filter(|ok| **ok).count(),
        2,
        "80 columns make four of 20: {results:?}"
    );
    let refusal = stage.act(pane(PaneAction::Split(Axis::Row))).unwrap_err().to_string();
    assert!(refusal.contains("too small"), "{refusal}");
}

#[test]
fn only_the_focused_pane_may_set_the_clipboard() {
    let mut stage = Stage::play("open /a, start cat, key ctrl-shift-5");
    let program = stage.agent();
    let (target, text) = (ClipboardTarget::Clipboard, "x".to_owned());
    let signal = TerminalSignal::ClipboardStore { target, text };
    stage.effects.clear();
    stage.fact(Fact::Signal { program, signal });
    assert!(stage.effects.is_empty(), "in view, but not in use: {:?}", stage.effects);
}

#[test]
fn a_program_is_told_when_only_its_pane_loses_the_focus() {
    let mut stage = Stage::play("open /a, terminal, prints \x1b[?1004h, key ctrl-shift-5");
    let reports = |stage: &Stage, wanted: &[u8]| {
        let is_it = |effect: &&Effect| matches!(effect, Effect::WritePty { bytes, .. } if bytes.as_slice() == wanted);
        stage.effects.iter().filter(is_it).count()
    };
    assert_eq!(reports(&stage, b"\x1b[O"), 1, "{:?}", stage.effects);
    stage.step("key ctrl-shift-left");
    assert_eq!(reports(&stage, b"\x1b[I"), 1, "{:?}", stage.effects);
}
