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
