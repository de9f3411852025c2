//! Resting, dragging and letting go, without a window.

use config::Config;
use workspace::State;

use super::*;

/// Two workspaces to point at.
fn tiles(now: Instant) -> [WorkspaceId; 2] {
    let mut state = State::new(Config::default());
    ["/a", "/b"].map(|root| {
        let open = WorkspaceAction::Open(root.into());
        state.update(Action::Workspace(open), now).expect("a folder is opened");
        state.active_workspace().expect("it is on show").id()
    })
}

/// Plays what the mouse does, as `"0 a, 500 tick"` with times in milliseconds; the card that is open
/// then, and when one will be.
#[track_caller]
fn check_card(script: &str, open: &str, opens_at: Option<u128>) {
    let start = crate::clock();
    let [a, b] = tiles(start);
    let mut on_rail = OnRail::default();
    for step in script.split(", ") {
        let (time, event) = step.split_once(' ').expect("a time and an event");
        let now = start + Duration::from_millis(time.parse().expect("milliseconds"));
        on_rail.open_if_due(now);
        match event {
            "a" => on_rail.enter(Some(a), now),
            "b" => on_rail.enter(Some(b), now),
            "away" => on_rail.enter(None, now),
            "key" => on_rail.close_card(),
            "tick" => {}
            other => panic!("unknown event {other}"),
        }
    }
    let name = |id| if id == a { "a" } else { "b" };
    assert_eq!(on_rail.shown().card.map_or("", name), open, "open after {script}");
    let wait = on_rail.opens_at().map(|at| (at - start).as_millis());
    assert_eq!(wait, opens_at, "opens after {script}");
}

#[test]
fn a_card_opens_once_the_mouse_rests_and_closes_when_it_leaves() {
    check_card("0 a", "", Some(450));
    check_card("0 a, 449 tick", "", Some(450));
    check_card("0 a, 450 tick", "a", None);
    check_card("0 a, 200 a, 450 tick", "a", None);
    check_card("0 a, 450 away", "", None);
    check_card("0 a, 200 away, 900 tick", "", None);
    check_card("0 a, 200 b", "", Some(650));
    check_card("0 a, 500 tick, 600 b", "b", None);
    check_card("0 a, 500 tick, 600 away, 700 b", "", Some(1150));
}

#[test]
fn a_key_closes_the_card_until_another_tile_is_entered() {
    check_card("0 a, 500 key", "", None);
    check_card("0 a, 100 key, 900 a", "", None);
    check_card("0 a, 500 key, 600 b", "", Some(1050));
    check_card("0 a, 500 key, 600 away, 700 a", "", Some(1150));
}

#[test]
fn a_small_movement_is_a_click_and_a_larger_one_a_move() {
    let now = crate::clock();
    let [workspace, _] = tiles(now);
    let activate = Action::Workspace(WorkspaceAction::Activate(workspace));
    let move_to = |place| Action::Workspace(WorkspaceAction::MoveTo { workspace, place });
    let check = |moves: &[(f32, usize)], expected: &Action| {
        let from = Point::new(50.0, 100.0);
        let drag = Some(RailDrag::Tile { workspace, from, place: None });
        let mut on_rail = OnRail { drag, ..OnRail::default() };
        for (y, place) in moves {
            assert!(on_rail.drag_tile(Point::new(50.0, *y), *place), "it is held");
        }
        assert_eq!(on_rail.let_go().as_ref(), Some(expected), "after {moves:?}");
        assert_eq!(on_rail.let_go(), None, "let go of once");
    };
    check(&[], &activate);
    check(&[(104.0, 1)], &activate);
    check(&[(105.0, 1)], &move_to(1));
    check(&[(160.0, 2), (101.0, 0)], &move_to(0));
}

#[test]
fn only_a_tile_that_was_moved_can_be_put_back() {
    let [workspace, _] = tiles(crate::clock());
    let from = Point::new(50.0, 100.0);
    let held = |drag| OnRail { drag: Some(drag), ..OnRail::default() };
    assert!(!held(RailDrag::Edge).cancel(), "the edge is where it is");
    assert!(!held(RailDrag::Tile { workspace, from, place: None }).cancel(), "not moved");
    let mut moved = held(RailDrag::Tile { workspace, from, place: Some(1) });
    assert!(moved.cancel(), "moved");
    assert_eq!(moved.let_go(), None, "and nothing comes of it");
}
