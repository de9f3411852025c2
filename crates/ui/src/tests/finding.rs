//! The find bar, and what a pane says about lines out of view.

use std::sync::atomic::AtomicBool;

use insta::assert_snapshot;
use terminal::{CellPoint, Scroll};
use workspace::{Action, Effect, Fact, FindAction, TerminalAction};

use super::fixture::{Stage, layers_at, words};
use crate::{Hit, TerminalFrame, cell_at, hit};

impl Stage {
    /// Opens the bar and types into it; the search is done at once.
    #[track_caller]
    fn find(&mut self, text: &str, switches: &[FindAction]) {
        self.act(Action::Find(FindAction::Open));
        for switch in switches {
            self.act(Action::Find(*switch));
        }
        let effects = self.state.update(Action::Text(text.to_owned()), self.now).expect("typing");
        for effect in effects {
            let Effect::Search { search, terminal, query, .. } = effect else { continue };
            let stop = AtomicBool::new(false);
            let result = query.compile().map(|pattern| terminal.contents().search(&pattern, &stop));
            self.observe(Fact::Searched { search, result });
        }
    }
}

#[test]
fn the_bar_is_at_the_top_right_and_counts() {
    let mut stage = Stage::play("open api, terminal sh, print one/two/one");
    stage.find("one", &[]);
    let frame = stage.frame();
    assert_snapshot!(layers_at(&frame, 524.0, 46.0), @r#"
    line 961.5,62.5 968.5,69.5 w1.25 #8b94a5
    line 961.5,69.5 968.5,62.5 w1.25 #8b94a5
    line 931,64 935,68 w1.5 #8b94a5
    line 935,68 939,64 w1.5 #8b94a5
    line 901,68 905,64 w1.5 #8b94a5
    line 905,64 909,68 w1.5 #8b94a5
    text 862,53 12px mono centre of 26 ".*" #8b94a5
    text 832,53 12px mono centre of 26 "Aa" #8b94a5
    text 785,46 12px right of 31 "1 of 2" #8b94a5
    "#);
    let close = hit(&frame, scene::Point::new(965.0, 66.0)).expect("a button");
    assert_eq!(close.hit, Hit::Do(Action::Find(FindAction::Close)), "at its end");
    let body = hit(&frame, scene::Point::new(540.0, 66.0)).expect("the bar");
    assert_eq!(body.hit, Hit::Do(Action::Find(FindAction::TakeKeys)), "a click takes the keys");
    let caret = frame.text_cursor.expect("a caret");
    assert!(caret.y < 90.0, "text is typed into the bar: {caret}");
}

/// Looks for `needle` in a window of that width and so many lines after it; says in which row of the
/// view it is, whether the bar lies over it, and what the bar counts.
#[track_caller]
fn check_visible(width: f32, line: &str, n_after: usize, expected: &str) {
    let mut stage = Stage::play("open api, terminal sh");
    stage.size = scene::Size::new(width, 600.0);
    stage.frame();
    stage.step(&format!("print {}{line}/{}", "hay/".repeat(30), "hay/".repeat(n_after)));
    stage.find("needle", &[]);
    let frame = stage.frame();
    let text = stage.state.focused_terminal().expect("a terminal").buffer().visible_text();
    let row = text.iter().position(|row| row == line).expect("in view");
    let cells = frame.hits.iter().find(|it| matches!(it.hit, Hit::Terminal(_))).expect("cells");
    let start = line.find("needle").expect("there");
    let at = |column: usize| {
        let (x, y) = (crate::layout::length(column, 8.0), crate::layout::length(row, 21.0));
        scene::Point::new(cells.rect.x + 14.0 + x + 4.0, cells.rect.y + 12.0 + y + 1.0)
    };
    let is_free =
        |column| matches!(hit(&frame, at(column)).expect("something").hit, Hit::Terminal(_));
    let seen = if (start..start + 6).all(is_free) { "visible" } else { "covered" };
    let said = words(&frame);
    let count = said.iter().find(|it| *it == "1 of 1").map_or("no count", String::as_str);
    assert_eq!(format!("row {row} {seen}, {count}"), expected, "{line} at {width}");
}

#[test]
fn going_to_a_match_leaves_it_visible() {
    let right = format!("{}needle", "-".repeat(80));
    check_visible(1000.0, &right, 10, "row 12 visible, 1 of 1");
    check_visible(1000.0, &right, 22, "row 2 visible, 1 of 1");
    check_visible(1000.0, "needle", 22, "row 0 visible, 1 of 1");
    // Narrower, the bar is over the whole width and has two rows.
    check_visible(560.0, "needle", 22, "row 4 visible, 1 of 1");
    check_visible(400.0, "needle", 21, "row 4 visible, 1 of 1");
    check_visible(260.0, "needle", 20, "row 4 visible, 1 of 1");
}

#[test]
fn the_bar_gives_way_where_there_is_nothing_to_scroll() {
    let mut stage = Stage::play("open api, terminal sh, print needle/two");
    stage.size = scene::Size::new(400.0, 600.0);
    stage.find("two", &[]);
    let y = |stage: &mut Stage| stage.frame().text_cursor.expect("a caret").y;
    assert!(y(&mut stage) > 400.0, "at the bottom, as both lines are at the top");
    stage.step("print /three/four/five/six/seven/needle");
    stage.step("keys ctrl-a");
    stage.find("needle", &[]);
    assert!(y(&mut stage) < 100.0, "at the top");
    stage.step("keys enter");
    assert!(y(&mut stage) > 400.0, "out of the way");
    stage.step("keys enter");
    assert!(y(&mut stage) < 100.0, "and back");
}

#[test]
fn what_is_selected_in_the_bar_has_a_ground() {
    let mut stage = Stage::play("open api, terminal sh, print one/two/one");
    let ground = crate::theme::palette(workspace::Theme::Dark).selection;
    let selected = |stage: &mut Stage| -> Vec<f32> {
        let frame = stage.frame();
        let quads = frame.scene.layers.iter().flat_map(|layer| &layer.quads);
        quads.filter(|quad| quad.color == ground).map(|quad| quad.rect.width).collect()
    };
    stage.find("one", &[]);
    assert_eq!(selected(&mut stage), [0.0; 0], "nothing is");
    stage.step("keys ctrl-a");
    assert!(matches!(selected(&mut stage)[..], [width] if width > 20.0), "three letters");
    stage.step("keys shift-left");
    assert!(matches!(selected(&mut stage)[..], [width] if (8.0..20.0).contains(&width)), "two");
}

#[test]
fn a_bad_pattern_says_why_in_the_bar() {
    let mut stage = Stage::play("open api, terminal sh, print one");
    stage.find("(", &[FindAction::ToggleRegex]);
    let frame = stage.frame();
    let said = words(&frame);
    assert!(said.iter().any(|it| it == "unclosed group"), "{said:?}");
}

#[test]
fn matches_have_grounds_and_the_current_one_another() {
    let mut stage = Stage::play("open api, terminal sh, print one/two/one");
    stage.find("one", &[]);
    let terminal = stage.state.focused_terminal().expect("a terminal");
    let mut frame = TerminalFrame::default();
    frame.refresh(terminal.buffer(), workspace::Theme::Dark, crate::CursorLook::Hidden);
    let grounds: Vec<String> =
        frame.rows(true).iter().take(3).map(|row| row.cells[0].background.to_string()).collect();
    assert_eq!(grounds, ["#5c4a12", "#00000000", "#f2c744"], "the newest is gone to first");
}

#[test]
fn new_output_below_is_marked_until_one_goes_there() {
    let mut stage = Stage::play("open api, terminal sh");
    let lines = "x/".repeat(80);
    stage.step(&format!("print {lines}"));
    let mut frames = crate::TerminalFrames::default();
    let mut says = |stage: &mut Stage| {
        frames.refresh(&stage.state);
        let text = words(&stage.build(&frames)).join("\n");
        ["new output", "scrolled"].into_iter().find(|it| text.contains(it)).unwrap_or("nothing")
    };
    assert_eq!(says(&mut stage), "nothing", "at the bottom");
    stage.act(Action::Terminal(TerminalAction::Scroll(Scroll::PageUp)));
    assert_eq!(says(&mut stage), "scrolled", "nothing new yet");
    stage.step("print more/");
    assert_eq!(says(&mut stage), "new output", "something new");
    stage.act(Action::Terminal(TerminalAction::Scroll(Scroll::Bottom)));
    assert_eq!(says(&mut stage), "nothing", "seen");
}

#[test]
fn lines_that_were_dropped_are_told_of_above_the_first_row() {
    let mut stage = Stage::play("open api, terminal sh");
    for _ in 0..30 {
        stage.step(&format!("print {}", "line/".repeat(1000)));
    }
    assert!(!words(&stage.frame()).join(" ").contains("dropped"), "not at the bottom");
    stage.act(Action::Terminal(TerminalAction::Scroll(Scroll::Top)));
    let frame = stage.frame();
    let text = words(&frame).join("\n");
    assert!(text.contains("older lines were dropped (limit: 10000 lines, 16 MiB)"), "{text}");
    let wanted = |region: &&crate::HitRegion| matches!(region.hit, Hit::Terminal(_));
    let region = frame.hits.iter().find(wanted).expect("the terminal");
    let point = scene::Point::new(region.rect.x + 15.0, region.rect.y + 13.0);
    let (at, _) = cell_at(region, super::fixture::METRICS, 1.0, point);
    assert_eq!(at, CellPoint { row: 0, column: 0 }, "cells are where they are drawn");
    assert!(region.rect.y > 38.0, "below the line");
}

#[test]
fn a_hovered_link_says_where_it_leads_and_is_underlined_when_a_click_would_follow_it() {
    let mut stage = Stage::play("open api, terminal sh");
    stage.frame();
    let terminal = stage.state.focused_terminal().expect("a terminal");
    terminal.buffer().feed(b"see \x1b]8;;http://bank@evil/x\x1b\\the bank\x1b]8;;\x1b\\");
    let program = terminal.program();
    let link = terminal.buffer().link_at(CellPoint { row: 0, column: 6 }).expect("a link");
    let mut frames = crate::TerminalFrames::default();
    frames.refresh(&stage.state);
    let frame = |is_active: bool| {
        let link = Some(crate::HoveredLink { program, link: &link, is_active });
        stage.build_with(&frames, link)
    };
    let said = words(&frame(false));
    assert!(said.contains(&"evil   http://bank@evil/x".to_owned()), "{said:?}");
    let line = scene::Rect::new(270.0, 69.0, 64.0, 1.0);
    let has_line = |frame: &crate::Frame| {
        let quads = frame.scene.layers.iter().flat_map(|layer| &layer.quads);
        quads.into_iter().any(|quad| quad.rect == line)
    };
    assert!(!has_line(&frame(false)), "pointing at it changes nothing");
    assert!(has_line(&frame(true)), "with Ctrl it is underlined");
}
