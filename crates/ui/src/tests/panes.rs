//! Tab bar, terminal and file panes, welcome.

use insta::assert_snapshot;
use scene::{Point, Rect};
use workspace::{Action, AgentAction, PlainAction, WorkspaceAction};

use super::fixture::{METRICS, Stage, layers_at, words};
use crate::{Frame, Hit, cell_at, hit, position_at};

fn region(frame: &Frame, wanted: impl Fn(&Hit) -> bool) -> &crate::HitRegion {
    frame.hits.iter().find(|region| wanted(&region.hit)).expect("a region")
}

#[test]
fn the_agent_is_pinned_first_and_files_follow() {
    let script =
        "open api, agent claude, print hi, file src/limit.rs fn, file lib.rs x, type y, tab 1";
    let frame = Stage::play(script).frame();
    assert_snapshot!(layers_at(&frame, 224.0, 0.0), @r#"
    quad 224,0 776x38 #0e1014
    quad 224,37 776x1 #262b34
    quad 224,0 133x38 #14171c
    quad 224,0 134x2 #6ea8fe
    quad 357,0 1x38 #262b34
    disc 244,19 r4 #3fb950
    quad 447,0 1x38 #262b34
    quad 526,0 1x38 #262b34
    disc 507,19 r3.5 #6ea8fe
    line 425,16 431,22 w1.25 #8b94a5
    line 425,22 431,16 w1.25 #8b94a5
    text 258,0 13px "claude" #d7dce5 medium
    text 308,0 11px right of 36 "pinned" #5a6272
    text 372,0 13px "limit.rs" #8b94a5 medium
    text 462,0 13px "lib.rs" #8b94a5 medium
    "#);
}

#[test]
fn many_tabs_shrink_and_the_active_one_stays_in_view() {
    let mut stage = Stage::play("open api, agent claude");
    for number in 0..40 {
        stage.step(&format!("file a-rather-long-name-{number}.rs x"));
    }
    let frame = stage.frame();
    let active = stage.state.active_tab().expect("a tab").id;
    let tab = region(&frame, |hit| *hit == Hit::Tab(active)).rect;
    assert_eq!(tab.width, 96.0, "as narrow as tabs get");
    let pinned = stage.state.active_workspace().expect("a workspace").tabs()[0].id;
    let pinned = region(&frame, |hit| *hit == Hit::Tab(pinned)).rect;
    assert_eq!(pinned.x, 224.0, "the agent's tab is still there: {pinned}");
    assert!(tab.right() <= 1000.0 - 38.0, "left of the plus: {tab}");
    let plus = hit(&frame, Point::new(990.0, 10.0)).expect("the plus");
    let new = PlainAction::New { workspace: None, cwd: None, command: None };
    assert_eq!(plus.hit, Hit::Do(Action::Plain(new)), "over what is cut off");
}

#[test]
fn a_terminals_tab_shows_a_prompt_and_its_title() {
    let frame = Stage::play("open api, terminal zsh, print \u{1b}]2;make check\u{7}").frame();
    assert_snapshot!(layers_at(&frame, 224.0, 0.0), @r#"
    quad 224,0 776x38 #0e1014
    quad 224,37 776x1 #262b34
    quad 224,0 143x38 #14171c
    quad 224,0 144x2 #6ea8fe
    quad 367,0 1x38 #262b34
    line 238.5,15 242.5,19 w1.25 #d7dce5
    line 242.5,19 238.5,23 w1.25 #d7dce5
    line 244,23 249,23 w1.25 #d7dce5
    line 345,16 351,22 w1.25 #8b94a5
    line 345,22 351,16 w1.25 #8b94a5
    text 258,0 13px "make check" #d7dce5 medium
    "#);
}

#[test]
fn an_ended_terminal_says_how_and_what_next() {
    let stage = &mut Stage::play("open api, terminal make, print oops, exit 2");
    let frame = stage.frame();
    let said = words(&frame);
    let words = "exited 2 · Enter restarts, Ctrl+Shift+W closes";
    assert!(said.contains(&words.to_owned()), "{said:?}");
    let restart =
        region(&frame, |hit| matches!(hit, Hit::Do(Action::Plain(PlainAction::Restart(_)))));
    assert_eq!(hit(&frame, restart.rect.center()), Some(restart), "the button is on top");
}

#[test]
fn the_cross_of_a_tab_closes_it() {
    let mut stage = Stage::play("open api, file a.txt x");
    let frame = stage.frame();
    let tab = stage.state.active_tab().expect("a tab").id;
    let cross = region(&frame, |hit| *hit == Hit::CloseTab(tab)).rect.center();
    assert_eq!(hit(&frame, cross).expect("the cross").hit, Hit::CloseTab(tab), "above the tab");
}

#[test]
fn a_terminal_shows_its_cells_and_its_cursor() {
    let mut stage = Stage::play("open api, agent sh, print one/two");
    let frame = stage.frame();
    assert_snapshot!(layers_at(&frame, 224.0, 38.0).lines().take(5).collect::<Vec<_>>().join("\n"), @r#"
    quad 224,38 776x535 #14171c
    grid 238,50 rows 24
    |one
    |two
    |
    "#);
    let cursor = Rect::new(224.0 + 14.0 + 3.0 * 8.0, 38.0 + 12.0 + 21.0, 8.0, 21.0);
    assert_eq!(frame.text_cursor, Some(cursor), "behind what was printed");
}

#[test]
fn a_ground_of_the_programs_own_reaches_the_edges_of_the_pane() {
    for (printed, ground) in [("\x1b]11;#203040\x07", "#203040"), ("\x1b]111\x07", "#14171c")] {
        let mut stage = Stage::play(&format!("open api, agent sh, print {printed}"));
        let pane = layers_at(&stage.frame(), 224.0, 38.0);
        let expected = format!("quad 224,38 776x535 {ground}");
        assert!(pane.starts_with(&expected), "after {printed:?}: {pane}");
    }
}

/// The grids of a frame but the terminal's own, as `x,y text`, and where the input method belongs.
fn composed(frame: &Frame) -> (Vec<String>, Option<Rect>) {
    let grids = frame.scene.layers.iter().flat_map(|layer| &layer.grids);
    let own = grids.filter(|grid| grid.id == u64::MAX);
    let line = |grid: &scene::CellGrid| {
        let text: String = grid.rows[0].cells.iter().map(|cell| cell.glyph).collect();
        format!("{},{} {text}", grid.origin.x, grid.origin.y)
    };
    (own.map(line).collect(), frame.text_cursor)
}

#[test]
fn what_is_composed_lies_at_the_cursor_of_a_terminal() {
    let frame = Stage::play("open api, agent sh, print one/two, compose にほ").frame();
    let start = Rect::new(224.0 + 14.0 + 3.0 * 8.0, 38.0 + 12.0 + 21.0, 16.0, 21.0);
    let lines = vec!["262,71 に ほ ".to_owned()];
    assert_eq!(composed(&frame), (lines, Some(start)), "behind what was printed");
    let frame = Stage::play("open api, agent sh, print \x1b[?25l, compose x").frame();
    let (lines, start) = composed(&frame);
    assert_eq!(lines, ["238,533 x"], "in the last row where the cursor is hidden");
    assert_eq!(start.map(|start| start.y), Some(533.0), "and the input method with it");
    let frame = Stage::play("open api, agent sh, exit 0, compose x").frame();
    assert_eq!(composed(&frame).0, Vec::<String>::new(), "nobody to type to");
}

#[test]
fn what_is_composed_lies_at_the_caret_of_a_file() {
    let frame = Stage::play("open api, file a.txt ab/cd, keys down end, compose に").frame();
    let caret = Stage::play("open api, file a.txt ab/cd, keys down end").frame().text_cursor;
    let caret = caret.expect("a caret");
    let (lines, start) = composed(&frame);
    assert_eq!(lines, [format!("{},{} に ", caret.x, caret.y)], "from the caret on");
    let start = start.expect("a place for the input method");
    assert_eq!((start.x, start.y), (caret.x, caret.y), "at its start");
}

#[test]
fn what_is_composed_in_an_overlay_stands_in_its_line() {
    let frame = Stage::play("open api, palette, type a, compose に").frame();
    let before = Stage::play("open api, palette, type a").frame();
    assert!(words(&frame).contains(&"aに".to_owned()), "beside what was typed");
    assert_eq!(frame.text_cursor, before.text_cursor, "the input method stays at its start");
    assert_eq!(composed(&frame).0, Vec::<String>::new(), "and nothing is in the pane");
}

#[test]
fn clicks_find_cells_and_drags_outside_find_the_nearest() {
    let mut stage = Stage::play("open api, agent sh");
    let frame = stage.frame();
    let pane = region(&frame, |hit| matches!(hit, Hit::Terminal(_)));
    let check = |x: f32, y: f32, expected: &str| {
        let (at, side) = cell_at(pane, METRICS, 1.0, Point::new(x, y));
        assert_eq!(format!("{},{} {side:?}", at.row, at.column), expected, "at {x},{y}");
    };
    check(238.0, 50.0, "0,0 Left");
    check(245.0, 50.0, "0,0 Right");
    check(246.0, 71.0, "1,1 Left");
    check(-50.0, -50.0, "0,0 Left");
    check(5000.0, 5000.0, "23,92 Right");
}

#[test]
fn an_ended_agent_says_so_and_offers_to_restart() {
    let mut stage = Stage::play("open api, agent sh, print hi, exit 3");
    let frame = stage.frame();
    let workspace = Some(stage.state.workspaces()[0].id());
    let restart = Hit::Do(Action::Agent(AgentAction::Restart { workspace }));
    let button = region(&frame, |hit| *hit == restart).rect.center();
    assert_eq!(hit(&frame, button).expect("a button").hit, restart, "the button is on top");
    assert!(words(&frame).contains(&"exited 3".to_owned()), "how it ended");
}

#[test]
fn the_banner_of_an_ended_agent_does_not_hide_its_last_line() {
    let mut stage = Stage::play("open api, agent sh");
    stage.frame();
    for line in 0..50 {
        stage.step(&format!("print line {line}/"));
    }
    stage.step("print last");
    stage.step("exit 0");
    let frame = stage.frame();
    let grids: Vec<_> = frame.scene.layers.iter().flat_map(|layer| &layer.grids).collect();
    let bottom = grids[0].origin.y + 24.0 * 21.0;
    assert!(bottom <= 573.0 - 40.0, "the last row ends at {bottom}, the banner begins at 533");
    let pane = region(&frame, |hit| matches!(hit, Hit::Terminal(_)));
    let (at, _) = cell_at(pane, METRICS, 1.0, Point::new(240.0, bottom - 1.0));
    assert_eq!(at.row, 23, "clicks follow the moved rows");
}

#[test]
fn a_program_that_never_began_says_why_in_the_pane() {
    let said = words(&Stage::play("open api, agent nope, fail nope: not found").frame());
    assert!(said.contains(&"nope did not start".to_owned()), "a heading: {said:?}");
    let why = said.iter().filter(|text| *text == "nope: not found").count();
    assert_eq!(why, 2, "in the pane and on the tile: {said:?}");
}

#[test]
fn a_scrolled_terminal_says_how_far() {
    let mut stage = Stage::play("open api, agent sh");
    stage.frame();
    for line in 0..80 {
        stage.step(&format!("print line {line}/"));
    }
    stage.step("keys shift-pageup");
    let said = words(&stage.frame());
    let pill = said.iter().find(|text| text.starts_with("scrolled")).expect("a pill");
    assert_eq!(pill, "scrolled: 24 lines below · Shift+End", "a page");
}

#[test]
fn a_file_shows_its_path_numbers_and_text() {
    let frame =
        Stage::play("open api, file src/limit.rs fn main() {/\tlet é = 1;/}, keys down").frame();
    assert_snapshot!(layers_at(&frame, 224.0, 38.0), @r#"
    quad 224,38 776x535 #14171c
    quad 224,67 776x1 #262b34
    text 238,38 12px "src" #8b94a5 "  ›  " #5a6272 "limit.rs" #d7dce5 medium
    "#);
    assert_snapshot!(layers_at(&frame, 224.0, 68.0), @r#"
    quad 224,97 776x21 #1b1f26
    text 224,76 14px mono right of 30 "1" #5a6272
    text 224,97 14px mono right of 30 "2" #8b94a5
    text 224,118 14px mono right of 30 "3" #5a6272
    "#);
    assert_snapshot!(layers_at(&frame, 268.0, 68.0), @r#"
    text 272,76 14px mono "fn main() {" #d7dce5
    text 272,97 14px mono "    let" #d7dce5
    text 336,97 14px mono "é" #d7dce5
    text 344,97 14px mono " = 1;" #d7dce5
    text 272,118 14px mono "}" #d7dce5
    quad 271,97 2x21 #6ea8fe
    "#);
    assert_eq!(frame.text_cursor.map(|caret| caret.y), Some(38.0 + 30.0 + 8.0 + 21.0), "line two");
}

#[test]
fn clicks_find_places_in_a_file() {
    let mut stage = Stage::play("open api, file a.txt ab/\tcd");
    let frame = stage.frame();
    let pane = region(&frame, |hit| matches!(hit, Hit::File(..)));
    let text = 224.0 + 14.0 + 16.0 + 18.0;
    let check = |x: f32, y: f32, expected: (usize, usize)| {
        let at = position_at(&stage.state, pane, METRICS, 1.0, Point::new(x, y)).expect("a place");
        assert_eq!((at.line, at.column), expected, "at {x},{y}");
    };
    check(text, 77.0, (0, 0));
    check(text + 3.0, 77.0, (0, 0));
    check(text + 5.0, 77.0, (0, 1));
    check(text + 500.0, 77.0, (0, 2));
    check(text + 4.0 * 8.0, 98.0, (1, 1));
    check(text, 5000.0, (1, 0));
    check(-100.0, -100.0, (0, 0));
}

#[test]
fn files_that_load_or_failed_say_so() {
    let said = words(&Stage::play("open api, loading a.txt").frame());
    assert!(said.contains(&"Loading…".to_owned()), "{said:?}");
    let said = words(&Stage::play("open api, unreadable a.bin a.bin is not text").frame());
    assert!(said.contains(&"a.bin is not text".to_owned()), "{said:?}");
}

#[test]
fn a_huge_line_costs_no_more_than_what_is_seen_of_it() {
    let mut stage = Stage::play("open api");
    let line = "x".repeat(4 << 20);
    stage.step(&format!("file big.txt {line}"));
    let frame = stage.frame();
    let longest = words(&frame).iter().map(String::len).max().unwrap_or(0);
    assert!(longest < 200, "the longest run has {longest} characters");
}

#[test]
fn a_first_start_says_what_to_do() {
    let mut stage =
        Stage::play("recent /home/me/src/api /srv/web, found claude codex !gemini !opencode shell");
    let frame = stage.frame();
    assert_snapshot!(words(&frame).join("\n"), @r#"
    Trackside
    Open a folder, start an agent in it, and watch the rail: yellow means it needs you.
    Ctrl+K Ctrl+O
    Open folder…
    Ctrl+Shift+A
    Start an agent in the open folder
    Ctrl+Shift+P
    All commands
    RECENT
    ~/src/api
    api
    /srv/web
    web
    AGENTS FOUND
    gemini and opencode are not installed
    claude, codex
    No workspaces yet
    Ready
    "#);
    let open = Hit::Do(Action::Workspace(WorkspaceAction::Open("/srv/web".into())));
    assert!(
        region(&frame, |hit| *hit == open).rect.height == 40.0,
        "recent folders open by a click"
    );
}

#[test]
fn an_empty_workspace_says_what_to_do() {
    assert_snapshot!(words(&Stage::play("open api").frame()).join("\n"), @r#"
    api
    /src/api
    Ctrl+Shift+A
    Start an agent…
    Ctrl+P
    Open a file…
    Ctrl+Shift+P
    All commands
    All quiet
    api
    no agent
    1
    no agent
    "#);
}
