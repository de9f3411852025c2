//! What stands together on the rail, its badges, scrolling, and where things are let go of.

use insta::assert_snapshot;
use scene::{Point, Size};
use workspace::{Action, ViewAction, WorkspaceAction};

use super::fixture::{Stage, WATCHED, layers_at};
use crate::{Hit, card_change, drop_place, hit, rail_scrolled};

const GROUPS: &str = "open web, open api, repository api, open fix, repository api, open notes";

/// What the rail says from top to bottom, apart from second lines.
fn headings_and_names(stage: &mut Stage) -> Vec<String> {
    let frame = stage.frame();
    let layers =
        frame.scene.layers.iter().filter(|layer| layer.clip.x == 0.0 && layer.clip.y == 44.0);
    let mut texts: Vec<(i32, String)> = Vec::new();
    for run in layers.flat_map(|layer| &layer.texts) {
        let is_name = run.size == 13.0 || (run.size == 11.0 && run.line_height == 24.0);
        if is_name {
            #[expect(clippy::cast_possible_truncation, reason = "whole pixels")]
            let y = run.origin.y as i32;
            texts.push((y, run.spans.iter().map(|span| span.text.as_str()).collect()));
        }
    }
    texts.sort();
    texts.into_iter().map(|(y, text)| format!("{y} {text}")).collect()
}

#[test]
fn a_group_has_a_heading_and_keeps_off_its_neighbours() {
    assert_eq!(
        headings_and_names(&mut Stage::play(GROUPS)),
        ["51 web", "106 api", "137 api", "191 fix", "253 notes"],
        "headings and names"
    );
    let alone = "open web, open api, repository api, open notes";
    assert_eq!(
        headings_and_names(&mut Stage::play(alone)),
        ["51 web", "105 api", "159 notes"],
        "one"
    );
}

#[test]
fn in_the_compact_form_a_thin_line_stands_for_the_heading() {
    let tiles = layers_at(&Stage::play(&format!("{GROUPS}, compact")).frame(), 0.0, 44.0);
    let lines: Vec<&str> = tiles.lines().filter(|line| line.contains("x1 #262b34")).collect();
    assert_eq!(lines, ["quad 12,102 36x1 #262b34", "quad 12,222 36x1 #262b34"], "{tiles}");
}

#[test]
fn what_is_done_is_loud_until_seen_and_then_calm() {
    let marks = |script: &str| layers_at(&Stage::play(script).frame(), 0.0, 44.0);
    // Below a palette nobody looks at a terminal.
    let unread = "open a, agent x, print hi, palette, done, pass 1, compact";
    assert_snapshot!(marks(unread), @r"
    quad 6,44 48x52 r8 #1b1f26 border 1 #262b34
    quad 6,52 3x36 r1.5 #f2c744
    ring 30,70 r10 border 2 #f2c744
    disc 39,61 r3 #6ea8fe
    line 26,70.25 28.75,73 w1.75 #f2c744
    line 28.75,73 34,67.25 w1.75 #f2c744
    ");
    assert_snapshot!(marks(&format!("{unread}, keys esc")), @r"
    quad 6,44 48x52 r8 #1b1f26 border 1 #262b34
    quad 6,52 3x36 r1.5 #8b94a5
    ring 30,70 r9 border 1.25 #8b94a5
    line 26,70.25 28.75,73 w1.75 #8b94a5
    line 28.75,73 34,67.25 w1.75 #8b94a5
    ");
    let stale = format!("{unread}, pass 100, keys esc");
    assert!(!marks(&stale).contains("#f0883e"), "also after a while: {}", marks(&stale));
}

#[test]
fn what_ended_unseen_has_a_dot_and_what_runs_meanwhile_a_ring() {
    let marks = |script: &str| layers_at(&Stage::play(script).frame(), 0.0, 44.0);
    let seen = marks("open a, agent sh, exit 0, open b, compact");
    assert!(!seen.contains("#6ea8fe"), "seen: {seen}");
    let unseen = marks("open a, agent sh, palette, exit 0, compact");
    assert!(unseen.contains("disc 39,61 r3 #6ea8fe"), "unseen: {unseen}");
    let stopped = marks("open a, agent sh, palette, stop, compact");
    assert!(!stopped.contains("#6ea8fe"), "no news to who stopped it: {stopped}");
    let busy = marks("open a, terminal sh, runs npm, compact");
    assert!(busy.contains("ring 39,79 r4 border 2 #3fb950"), "a ring: {busy}");
    let quiet = marks("open a, terminal sh, compact");
    assert!(!quiet.contains("ring 39,79"), "none: {quiet}");
    let parts = marks("open a, agent x, part one, done, pass 1, compact");
    assert!(parts.contains("ring 39,79 r4 border 2 #3fb950"), "a part works: {parts}");
}

#[test]
fn a_tile_is_let_go_of_before_the_next_middle() {
    let stage = Stage::play("open a, open b, open c");
    let check = |y: f32, expected: usize| {
        let place = drop_place(&stage.state, stage.size, Point::new(50.0, y));
        assert_eq!(place, expected, "at {y}");
    };
    check(-5.0, 0);
    check(69.0, 0);
    check(71.0, 1);
    check(123.0, 1);
    check(125.0, 2);
    check(9_000.0, 3);
}

#[test]
fn a_line_shows_where_a_dragged_tile_would_land() {
    #[track_caller]
    fn check(script: &str, tile: usize, place: usize, expected: Option<&str>) {
        let mut stage = Stage::play(script);
        stage.rail.dragged = Some((stage.state.workspaces()[tile].id(), place));
        let tiles = layers_at(&stage.frame(), 0.0, 44.0);
        let line = tiles.lines().find(|line| line.ends_with("x2 #6ea8fe"));
        assert_eq!(line, expected, "tile {tile} before {place}: {tiles}");
    }
    check("open a, open b, open c", 0, 1, None);
    check("open a, open b, open c", 0, 2, Some("quad 8,150 208x2 #6ea8fe"));
    check("open a, open b, open c", 0, 3, Some("quad 8,204 208x2 #6ea8fe"));
    check("open a, open b, open c", 2, 0, Some("quad 8,44 208x2 #6ea8fe"));
    check(GROUPS, 3, 1, Some("quad 8,104 208x2 #6ea8fe"));
    check(GROUPS, 1, 3, Some("quad 8,236 208x2 #6ea8fe"));
}

#[test]
fn thirty_tiles_scroll_and_the_active_one_comes_back_into_view() {
    let mut stage = Stage::new();
    for place in 1..=30 {
        stage.step(&format!("open w{place}"));
    }
    let scroll = |stage: &mut Stage, pixels: f32| {
        let to = rail_scrolled(&stage.state, stage.size, pixels);
        stage.act(Action::View(ViewAction::ScrollRail(to)));
        to
    };
    let shows = |stage: &mut Stage, name: &str| {
        headings_and_names(stage).iter().any(|line| line.ends_with(&format!(" {name}")))
    };
    assert!(shows(&mut stage, "w30") && !shows(&mut stage, "w1"), "the last, which is active");
    assert_eq!(scroll(&mut stage, -9_000.0), 0, "up to the top");
    assert!(shows(&mut stage, "w1") && !shows(&mut stage, "w30"), "the first");
    let end = scroll(&mut stage, 9_000.0);
    assert_eq!(f32::from(end), 30.0 * 54.0 - 2.0 + 8.0 - 556.0, "down to the end, and no farther");
    assert!(shows(&mut stage, "w30"), "the last");
    scroll(&mut stage, -9_000.0);
    stage.act(Action::Workspace(WorkspaceAction::Next));
    assert!(shows(&mut stage, "w1"), "the next of the last is the first");
    stage.act(Action::Workspace(WorkspaceAction::Previous));
    assert!(shows(&mut stage, "w30"), "who goes somewhere sees it");
}

#[test]
fn the_edge_of_the_rail_can_be_taken_hold_of() {
    let mut stage = Stage::play("open api");
    let frame = stage.frame();
    for x in [221.0, 223.5, 226.0] {
        assert_eq!(
            hit(&frame, Point::new(x, 300.0)).map(|it| &it.hit),
            Some(&Hit::RailEdge),
            "{x}"
        );
    }
    stage.act(Action::View(ViewAction::DragRail(300)));
    let frame = stage.frame();
    assert_eq!(
        hit(&frame, Point::new(299.5, 300.0)).map(|it| &it.hit),
        Some(&Hit::RailEdge),
        "moved"
    );
    stage.size = Size::new(570.0, 600.0);
    let frame = stage.frame();
    let edge = hit(&frame, Point::new(284.0, 300.0)).map(|it| &it.hit);
    assert_eq!(edge, Some(&Hit::RailEdge), "no more than half of the window");
}

#[test]
fn an_open_card_changes_once_a_second_and_a_closed_one_never() {
    let stage = Stage::play("open a, agent sh, pass 6.1");
    let card = Some(stage.state.workspaces()[0].id());
    let wait = |card| {
        card_change(&stage.state, card, stage.now, WATCHED).map(|at| (at - stage.now).as_millis())
    };
    assert_eq!(wait(card), Some(900), "with its age");
    assert_eq!(wait(None), None, "closed");
}
