//! The list of those that wait.

use scene::{Point, Size};
use workspace::{Action, QueueAction};

use super::fixture::{Stage, words};
use crate::{Hit, hit};

const ASKS: &str = "print touch x/Do you want to proceed?/1. Yes/2. No";

/// Two that ask; the list is open.
fn stage() -> Stage {
    let mut stage = Stage::new();
    for name in ["api", "web"] {
        for step in [&format!("open {name}"), "agent sh", ASKS, "pass 3"] {
            stage.step(step);
        }
    }
    stage.step("keys ctrl-shift-l");
    stage
}

/// Where something that is clicked does that.
fn place(stage: &mut Stage, action: &Action) -> Option<Point> {
    let frame = stage.frame();
    let is_it = |hit: &Hit| matches!(hit, Hit::Do(it) if it == action);
    let found = frame.hits.iter().find(|region| is_it(&region.hit)).map(|it| it.rect.center())?;
    // What lies on top is what is clicked.
    hit(&frame, found).filter(|region| is_it(&region.hit)).map(|_| found)
}

#[test]
fn what_is_asked_is_said_with_what_it_is_about_and_its_answers() {
    let said = words(&stage().frame());
    for expected in ["Needs you", "Do you want to proceed?", "touch x", "1 Yes", "2 No", "Open"] {
        assert!(said.iter().any(|it| it == expected), "{expected:?} in {said:?}");
    }
    assert!(said.iter().any(|it| it == "1 of 2 waiting"), "how many: {said:?}");
    assert!(said.iter().any(|it| it.starts_with("Enter answers")), "which keys: {said:?}");
}

#[test]
fn rows_and_tiles_of_questions_that_read_the_same_say_what_each_is_about() {
    let mut stage = Stage::new();
    for (name, command) in [("api", "cargo test"), ("web", "rm -rf build")] {
        let asks =
            format!("print Bash command/  {command}/Do you want to proceed?/❯ 1. Yes/  2. No");
        for step in [&format!("open {name}"), "agent sh", &asks, "pass 3"] {
            stage.step(step);
        }
    }
    let tiles = words(&stage.frame());
    stage.step("keys ctrl-shift-l");
    let rows = words(&stage.frame());
    for command in ["cargo test", "rm -rf build"] {
        let begins = format!("{command} · ");
        assert!(tiles.iter().any(|it| it.starts_with(&begins)), "{command:?} in {tiles:?}");
        let row = format!("{command} · Do you want to proceed?");
        assert!(rows.contains(&row), "{row:?} in {rows:?}");
    }
}

#[test]
fn a_text_is_written_in_a_field_of_its_row() {
    let mut stage = Stage::play("open api, agent sh, done, pass 3, keys ctrl-shift-l");
    let said = words(&stage.frame());
    assert!(said.iter().any(|it| it == "r Reply"), "it can be had: {said:?}");
    assert!(said.iter().any(|it| it.starts_with("R writes to it")), "and by which key: {said:?}");
    assert_eq!(stage.frame().text_cursor, None, "nothing is typed yet");
    stage.step("keys r");
    assert!(words(&stage.frame()).iter().any(|it| it == "Write to api"), "the empty field");
    let empty = stage.frame().text_cursor.expect("a caret, beside which an input method composes");
    for step in ["type fix the test", "compose ほ"] {
        stage.step(step);
    }
    let said = words(&stage.frame());
    assert!(said.iter().any(|it| it == "fix the testほ"), "what is written and composed: {said:?}");
    assert!(stage.frame().text_cursor.expect("a caret").x > empty.x, "it goes along");
    for step in ["pass 1", "keys enter"] {
        stage.step(step);
    }
    let said = words(&stage.frame());
    assert!(!said.iter().any(|it| it.starts_with("fix the")), "it is sent: {said:?}");
}

#[test]
fn why_nothing_can_be_written_is_said() {
    let mut stage = Stage::play("open api, agent sh, print Password: , pass 3, keys ctrl-shift-l");
    let said = words(&stage.frame());
    assert!(said.iter().any(|it| it.starts_with("A password is typed in its own")), "{said:?}");
    assert!(!said.iter().any(|it| it.contains("Reply")), "{said:?}");
}

#[test]
fn answers_and_rows_can_be_clicked() {
    let mut stage = stage();
    let [api, web] = [0, 1].map(|at| stage.state.workspaces()[at].id());
    for choice in 0..3 {
        let choose = Action::Queue(QueueAction::Choose { workspace: api, choice });
        assert!(place(&mut stage, &choose).is_some(), "the answer {choice}");
    }
    let none = Action::Queue(QueueAction::Choose { workspace: web, choice: 0 });
    assert_eq!(place(&mut stage, &none), None, "only the selected one shows its answers");
    assert!(place(&mut stage, &Action::Queue(QueueAction::Select(web))).is_some(), "its row");
}

#[test]
fn the_list_stays_inside_of_any_window() {
    let mut stage = stage();
    for (width, height) in [(1600.0, 1000.0), (700.0, 400.0), (320.0, 200.0), (120.0, 60.0)] {
        stage.size = Size::new(width, height);
        let frame = stage.frame();
        for region in frame.hits.iter().filter(|it| matches!(it.hit, Hit::Do(Action::Queue(_)))) {
            let rect = region.rect;
            assert!(rect.x >= 0.0 && rect.right() <= width, "{rect} in {width}x{height}");
        }
    }
}

#[test]
fn the_selected_one_is_in_view_however_many_wait() {
    let mut stage = Stage::new();
    for number in 0..20 {
        for step in [&format!("open w{number:02}"), "agent sh", ASKS, "pass 2"] {
            stage.step(step);
        }
    }
    stage.step("keys ctrl-shift-l up");
    let last = stage.state.workspaces()[19].id();
    let choose = Action::Queue(QueueAction::Choose { workspace: last, choice: 0 });
    let shown = place(&mut stage, &choose).expect("its answer can be clicked");
    assert!(shown.y < 600.0, "in the window: {shown:?}");
}
