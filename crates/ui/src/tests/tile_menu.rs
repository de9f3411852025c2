//! The menu of a tile.

use insta::assert_snapshot;
use scene::{Point, Rect, Size};
use workspace::{Action, MenuAction, TileVerb, WorkspaceId};

use super::fixture::{Stage, layers_at, words};
use crate::{Frame, Hit, hit, tile_at};

/// Opens the menu of the workspace at a place counted from 0, where the mouse is.
fn open_menu(stage: &mut Stage, place: usize, at: (u16, u16)) -> WorkspaceId {
    let workspace = stage.state.workspaces()[place].id();
    stage.act(Action::Menu(MenuAction::Open { workspace: Some(workspace), at: Some(at) }));
    workspace
}

/// The panel of the open menu, and what can be chosen in it.
#[track_caller]
fn menu_of(frame: &Frame) -> (Rect, Vec<(TileVerb, Rect)>) {
    let panel = frame.hits.iter().find(|region| region.hit == Hit::OverlayBody).expect("a menu");
    let entries = frame.hits.iter().filter_map(|region| match region.hit {
        Hit::Entry(_, verb) => Some((verb, region.rect)),
        _ => None,
    });
    (panel.rect, entries.collect())
}

#[test]
fn a_menu_lists_what_can_be_done_with_keys_and_reasons() {
    let mut stage = Stage::play("open api, agent sh, open web, go 1, menu, keys down");
    let frame = stage.frame();
    assert_snapshot!(layers_at(&frame, 228.0, 44.0), @r#"
    quad 229,79 266x1 #262b34
    ring 249,62 r4 border 1.5 #3fb950
    text 263,44 13px "api" #d7dce5 semibold
    "#);
    assert_snapshot!(layers_at(&frame, 229.0, 85.0), @r#"
    quad 229,179 266x1 #262b34
    quad 229,218 266x1 #262b34
    quad 233,85 258x30 r5 #264063
    quad 385,150 96x20 r4 #1b1f26 border 1 #262b34
    quad 336,189 145x20 r4 #1b1f26 border 1 #262b34
    text 243,85 13px "Stop agent" #d7dce5
    text 243,115 13px "This is wrong…" #d7dce5
    text 385,150 11px mono centre of 96 "Ctrl+Shift+`" #8b94a5
    text 243,145 13px "New terminal" #d7dce5
    text 336,189 11px mono centre of 145 "Ctrl+Alt+Shift+Down" #8b94a5
    text 243,184 13px "Move down" #d7dce5
    text 243,223 13px "Close workspace" #8b94a5
    text 370,223 13px right of 111 "its agent runs" #8b94a5
    "#);
}

#[test]
fn a_menu_belongs_to_a_tile_that_is_marked() {
    let mut stage = Stage::play("open api, open web");
    let before = stage.frame();
    open_menu(&mut stage, 0, (100, 70));
    let frame = stage.frame();
    let marked = |frame: &Frame| layers_at(frame, 0.0, 44.0).matches("border 1 #6ea8fe").count();
    assert_eq!((marked(&before), marked(&frame)), (0, 1), "only while it is open");
    let (panel, entries) = menu_of(&frame);
    assert_eq!((panel.x, panel.y), (101.0, 71.0), "at the mouse");
    assert!(
        entries.iter().all(|(_, rect)| !rect.contains(Point::new(100.0, 70.0))),
        "not under it"
    );
}

#[test]
fn what_can_be_chosen_can_be_clicked_and_nothing_below_it() {
    let mut stage = Stage::play("open api, agent sh, open web");
    let api = open_menu(&mut stage, 0, (100, 70));
    let frame = stage.frame();
    let (panel, entries) = menu_of(&frame);
    let verbs: Vec<TileVerb> = entries.iter().map(|(verb, _)| *verb).collect();
    let expected =
        [TileVerb::StopAgent, TileVerb::SayItIsWrong, TileVerb::NewTerminal, TileVerb::MoveDown];
    assert_eq!(verbs, expected, "not closing, as its agent runs");
    for (verb, rect) in entries {
        let region = hit(&frame, rect.center()).expect("a region");
        assert_eq!(region.hit, Hit::Entry(api, verb), "at {rect}");
        assert_eq!(rect.intersection(&panel), rect, "inside of the menu");
    }
    let web = stage.state.workspaces()[1].id();
    let beside = Point::new(50.0, 124.0);
    assert_eq!(hit(&frame, beside).map(|it| &it.hit), Some(&Hit::OutsideOverlay), "covered");
    assert_eq!(tile_at(&frame, beside), Some(web), "but there");
    assert_eq!(tile_at(&frame, Point::new(600.0, 300.0)), None, "no tile");
}

#[test]
fn a_menu_keeps_inside_the_window_and_opens_upwards_near_its_bottom() {
    #[track_caller]
    fn check(at: (u16, u16), size: (f32, f32), expected: (f32, f32)) {
        let mut stage = Stage::play("open a, agent sh, open b, open c");
        stage.size = Size::new(size.0, size.1);
        open_menu(&mut stage, 0, at);
        let (panel, _) = menu_of(&stage.frame());
        let window = Rect::new(0.0, 0.0, size.0, size.1);
        assert_eq!(panel.intersection(&window), panel, "{panel} in {window}");
        assert_eq!((panel.x, panel.y), expected, "at {at:?} in {window}");
    }
    check((100, 70), (1000.0, 600.0), (101.0, 71.0));
    check((100, 590), (1000.0, 600.0), (101.0, 375.0));
    check((995, 70), (1000.0, 600.0), (751.0, 71.0));
    check((40, 50), (300.0, 200.0), (41.0, 8.0));
    check((5, 5), (20.0, 20.0), (8.0, 8.0));
}

#[test]
fn in_a_low_window_what_is_selected_is_in_view() {
    let mut stage = Stage::play("open a, agent sh, exit 1, open b, go 1, menu");
    stage.size = Size::new(600.0, 150.0);
    for (keys, verb) in [("keys home", TileVerb::RestartAgent), ("keys end", TileVerb::Close)] {
        stage.step(keys);
        let frame = stage.frame();
        let (panel, entries) = menu_of(&frame);
        let (_, rect) = entries.iter().find(|(it, _)| *it == verb).expect("in view");
        assert!(rect.height > 29.0 && rect.bottom() <= panel.bottom(), "{rect} in {panel}");
    }
}

#[test]
fn long_names_and_reasons_are_cut_and_cleaned() {
    let long = "a-folder-with-a-very-long-name-that-fits-nowhere\u{202e}".repeat(3);
    let mut stage = Stage::play(&format!("open {long}, file {long}.rs x, type y"));
    let before = words(&stage.frame());
    stage.step("menu");
    let said = words(&stage.frame()).split_off(before.len());
    assert!(said[0].starts_with("a-folder") && said[0].ends_with('…'), "{said:?}");
    assert!(!said.concat().contains('\u{202e}'), "{said:?}");
    let why = said.iter().find(|it| it.starts_with("unsaved: ")).expect("why it stays open");
    assert!(why.ends_with('…'), "{why}");
}

#[test]
fn a_menu_follows_the_agent_and_takes_the_card_away() {
    let mut stage = Stage::play("open api, agent sh");
    let api = open_menu(&mut stage, 0, (100, 70));
    assert!(words(&stage.frame()).contains(&"Stop agent".to_owned()), "while it runs");
    stage.step("exit 0");
    let said = words(&stage.frame());
    assert!(!said.contains(&"Stop agent".to_owned()), "no longer: {said:?}");
    assert!(said.contains(&"Restart agent".to_owned()), "but this: {said:?}");
    stage.rail.card = Some(api);
    assert_eq!(words(&stage.frame()), said, "no card beside it");
}
