//! Palette, prompts, questions and toasts.

use insta::assert_snapshot;
use scene::Point;
use workspace::{Action, AgentAction, FindAction};

use super::fixture::{Stage, layers_at, words};
use crate::{Hit, hit};

#[test]
fn the_palette_lists_what_fits_with_its_keys() {
    let frame = Stage::play("open api, palette, type agent").frame();
    assert_snapshot!(layers_at(&frame, 333.0, 136.0), @r#"
    quad 333,136 558x34 #264063
    quad 780,143 96x20 r4 #1b1f26 border 1 #262b34
    quad 780,177 96x20 r4 #1b1f26 border 1 #262b34
    quad 780,211 96x20 r4 #1b1f26 border 1 #262b34
    text 780,143 11px mono centre of 96 "Ctrl+Shift+A" #8b94a5
    text 348,136 13px "Agent: Start…" #d7dce5
    text 780,177 11px mono centre of 96 "Ctrl+Shift+J" #8b94a5
    text 348,170 13px "Agent: Next that needs you" #d7dce5
    text 780,211 11px mono centre of 96 "Ctrl+Shift+L" #8b94a5
    text 348,204 13px "Agent: Who needs you" #d7dce5
    text 348,238 13px "Agent: Stop" #d7dce5
    text 348,272 13px "Agent: Restart" #d7dce5
    text 348,306 13px "Agent: Resume" #d7dce5
    text 348,340 13px "Agent: This is wrong…" #d7dce5
    text 348,374 13px "Agent: Search what agents have printed…" #d7dce5
    text 348,408 13px "Agents: End what a crash left behind" #d7dce5
    text 348,442 13px "Quit and stop all agents" #d7dce5
    "#);
}

#[test]
fn the_caret_stands_behind_what_was_typed() {
    let mut stage = Stage::play("open api, palette");
    let empty = stage.frame().text_cursor.expect("a caret");
    stage.step("type agent");
    let typed = stage.frame().text_cursor.expect("a caret");
    let width = crate::measure::text_width("agent", 15.0, scene::Weight::Regular);
    assert_eq!(typed.x - empty.x, width, "by the width of the text");
    stage.step(&format!("type {}", "long ".repeat(100)));
    let scrolled = stage.frame().text_cursor.expect("a caret");
    assert!(scrolled.right() <= 332.0 + 560.0 - 16.0, "inside the panel: {scrolled}");
}

#[test]
fn a_long_list_scrolls_with_its_selection() {
    let mut stage = Stage::play("open api, palette, keys up");
    let said = words(&stage.frame());
    assert!(said.contains(&"Quit, discarding unsaved changes".to_owned()), "the last: {said:?}");
    assert!(!said.contains(&"Agent: Start…".to_owned()), "not the first");
    stage.step("keys down");
    assert!(words(&stage.frame()).contains(&"Agent: Start…".to_owned()), "the first again");
}

#[test]
fn with_an_overlay_open_what_lies_below_cannot_be_clicked() {
    let mut stage = Stage::play("open api, agent sh, palette");
    let frame = stage.frame();
    let at = |x: f32, y: f32| hit(&frame, Point::new(x, y)).expect("a region").hit.clone();
    assert_eq!(at(100.0, 60.0), Hit::OutsideOverlay, "a tile");
    assert_eq!(at(400.0, 100.0), Hit::OverlayBody, "the input");
    assert_eq!(at(400.0, 140.0), Hit::Row(0), "the first row");
    assert_eq!(at(400.0, 140.0 + 34.0), Hit::Row(1), "the second row");
}

#[test]
fn an_agent_that_cannot_be_started_is_dim_and_says_why() {
    let mut stage = Stage::play("open api, found codex !aider");
    stage.state.update(Action::Agent(AgentAction::Ask), stage.now).unwrap();
    let frame = stage.frame();
    let palette = layers_at(&frame, 333.0, 136.0);
    let line = |word: &str| palette.lines().find(|it| it.contains(word)).expect(word).to_owned();
    assert!(line("\"Codex\"").contains("#d7dce5"), "bright: {}", line("\"Codex\""));
    assert!(line("\"Aider\"").contains("#8b94a5"), "dim: {}", line("\"Aider\""));
    assert!(words(&frame).contains(&"aider is not installed".to_owned()), "and why");
}

#[test]
fn a_prompt_says_why_it_was_refused() {
    let said =
        words(&Stage::play("keys ctrl-k ctrl-o, type /x, refused /x: no such folder").frame());
    assert!(said.contains(&"Open folder".to_owned()), "what it is for: {said:?}");
    assert!(said.contains(&"/x: no such folder".to_owned()), "why not: {said:?}");
}

#[test]
fn a_question_has_its_answers_as_buttons() {
    let mut stage = Stage::play("open api, file a.txt x, type y, close");
    let frame = stage.frame();
    assert_snapshot!(layers_at(&frame, 332.0, 88.0), @r#"
    quad 348,168 55x32 r6 #6ea8fe border 1 #6ea8fe
    quad 411,168 72x32 r6 #1b1f26 border 1 #262b34
    quad 491,168 68x32 r6 #1b1f26 border 1 #262b34
    text 348,104 14px "Save a.txt before closing it?" #d7dce5 semibold
    text 348,126 13px "Its changes are only in this window." #8b94a5
    text 352,168 13px centre of 47 "Save" #0e1014 medium
    text 415,168 13px centre of 64 "Discard" #d7dce5 medium
    text 495,168 13px centre of 60 "Cancel" #d7dce5 medium
    "#);
    let n_buttons = frame.hits.iter().filter(|it| matches!(it.hit, Hit::Row(_))).count();
    assert_eq!(n_buttons, 3, "save, discard, cancel");
}

#[test]
fn a_toast_shows_itself_for_a_while() {
    let mut stage = Stage::play("open api, notice the branch was read");
    assert!(words(&stage.frame()).contains(&"the branch was read".to_owned()), "at first");
    stage.step("pass 7");
    assert!(!words(&stage.frame()).contains(&"the branch was read".to_owned()), "later");
}

/// Whether what a click there does is what the region does, and not the toast.
#[track_caller]
fn check_free(frame: &crate::Frame, wanted: impl Fn(&Hit) -> bool, what: &str) {
    let region = frame.hits.iter().find(|region| wanted(&region.hit)).expect(what);
    let rect = region.rect;
    for x in [rect.x + 1.0, rect.center().x, rect.right() - 1.0] {
        let found = hit(frame, Point::new(x, rect.center().y)).expect("a region");
        assert_eq!(found.hit, region.hit, "{what} at {x}");
    }
}

#[test]
fn a_toast_covers_neither_the_mark_of_new_output_nor_the_find_bar() {
    let long = "a notice that goes on and on, ".repeat(8);
    let mut stage = Stage::play("open api, terminal sh");
    stage.step(&format!("print {}", "x/".repeat(80)));
    stage.frame();
    stage.step("keys shift-pageup");
    stage.step("print more/");
    stage.step(&format!("notice {}", long.trim_end_matches(", ")));
    let is_mark = |hit: &Hit| matches!(hit, Hit::Do(Action::TerminalIn(_, _)));
    check_free(&stage.frame(), is_mark, "the mark");
    stage.step("keys ctrl-shift-f");
    let frame = stage.frame();
    check_free(&frame, is_mark, "the mark");
    let is_close = |hit: &Hit| *hit == Hit::Do(Action::Find(FindAction::Close));
    check_free(&frame, is_close, "the find bar");
    stage.step("keys esc");
    stage.step("palette");
    let frame = stage.frame();
    let toast = frame.hits.iter().rfind(|region| region.hit == Hit::StatusBar).expect("a toast");
    let panel = frame.hits.iter().find(|region| region.hit == Hit::OverlayBody).expect("a panel");
    assert!(toast.rect.y > panel.rect.y + 40.0, "what is typed stays free: {}", toast.rect);
}
