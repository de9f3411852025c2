//! Writing to those that wait in one's own words.

use terminal::{ProgramState, ProgramStatus};

use super::*;

impl Stage {
    fn status(&mut self, name: &str, state: ProgramState) {
        let workspace = self.state.workspaces().iter().find(|it| it.name() == name);
        let agent = workspace.and_then(|it| it.agent()).expect("an agent").id();
        let status = ProgramStatus {
            state,
            id: None,
            app: None,
            title: None,
            message: None,
            progress: None,
        };
        let signal = TerminalSignal::Status(status);
        self.fact(Fact::Signal { program: ProgramId::Agent(agent), signal });
    }
}

/// `a` and `b` have done their turns; `a` wants pastes in brackets. The list is open.
fn stage() -> Stage {
    let mut stage = Stage::new();
    for name in ["a", "b"] {
        stage.steps(&format!("open {name}, start sh, prints hi"));
        stage.status(name, ProgramState::Done);
        stage.step("after 3");
    }
    stage.feed("a", "\x1b[?2004h");
    stage.steps("open here, key ctrl-shift-l, after 1");
    stage
}

#[track_caller]
fn check(steps: &str, queue: &str, sent: &str) {
    let mut stage = stage();
    stage.steps(steps);
    assert_eq!(stage.queue(), queue, "the list after {steps}");
    assert_eq!(stage.sent(), sent, "what was sent by {steps}");
}

#[test]
fn a_text_is_sent_and_handed_in_a_moment_later() {
    check("", "*a: [Reply] Open, b", "");
    check("key r", "*a: “”, b", "");
    check("key enter", "*a: “”, b", "");
    check("key r, type fix it, key x backspace", "*a: “fix it”, b", "");
    let pasted = "a<\\u{1b}[200~fix it\\u{1b}[201~";
    check("key r, type fix it, after 1, key enter", "*b: [Reply] Open", pasted);
    let then = format!("{pasted}, a<\\r");
    check("key r, type fix it, after 1, key enter, after 0.2", "*b: [Reply] Open", &then);
    check("key down r, type go, after 1, key enter, after 0.2", "*a: [Reply] Open", "b<go, b<\\r");
}

#[test]
fn what_was_written_is_kept_until_it_is_sent() {
    check("key r, type one, key escape", "*a: [Reply] Open, b", "");
    check("key r, type one, key escape r", "*a: “one”, b", "");
    check("key r, type one, key escape down r, type two, key escape up r", "*a: “one”, b", "");
    check("key r, type one, key escape escape", "closed", "");
    let mut stage = stage();
    stage.steps("key r, type one");
    stage.act(Action::Overlay(crate::OverlayAction::Cancel)).unwrap();
    assert_eq!(stage.queue(), "*a: [Reply] Open, b", "a click beside it leaves the field alone");
}

#[test]
fn keys_that_answer_are_letters_in_the_field() {
    check("key r, key r 1 y space left z", "*a: “r1yz ”, b", "");
    check("key r, type x, key ctrl-shift-l ctrl-j up down tab", "*a: “x”, b", "");
    check("key r, key enter", "*a: “” (Nothing is written yet. Esc goes back.), b", "");
    check("key r, type x, after 1, key shift-enter", "*a: “x”, b", "");
}

#[test]
fn a_text_of_several_lines_is_refused_and_one_line_end_is_not_in_it() {
    let mut stage = stage();
    stage.step("key r");
    let paste = |text: &str| Action::InsertPasted(text.to_owned());
    stage.act(paste("one\n")).unwrap();
    assert_eq!(stage.queue(), "*a: “one”, b", "a line");
    stage.act(paste("two\nthree")).unwrap();
    let note = "That text has several lines; paste it into the agent's own terminal.";
    assert_eq!(stage.queue(), format!("*a: “one” ({note}), b"), "lines");
    stage.step("key ctrl-v");
    assert!(matches!(stage.effects.pop(), Some(Effect::Paste)), "the clipboard is asked for");
}

#[test]
fn who_does_not_wait_as_before_is_sent_nothing() {
    let mut stage = stage();
    stage.steps("key r, type yes, after 1");
    stage.status("a", ProgramState::Working);
    stage.step("after 0.1");
    assert_eq!(stage.queue(), "*a: “yes”, b", "it stays while something is written to it");
    stage.step("key enter");
    let note = "It does not wait any more. Your text is kept.";
    assert_eq!(stage.queue(), format!("*a: “yes” ({note}), b"), "it works");
    stage.step("after 1");
    stage.status("a", ProgramState::Done);
    stage.step("after 1");
    stage.step("key enter");
    let note = "It waits for something else now. Look at it, then press Enter again.";
    assert_eq!(stage.queue(), format!("*a: “yes” ({note}), b"), "it has gone on");
    let enter = State::parse_keys("enter").unwrap().remove(0);
    assert_eq!(stage.act(Action::Key(enter)), Err(ActionError::NotYetRead), "at once: not read");
    assert_eq!(stage.sent(), "", "nothing so far");
    stage.steps("after 1, key enter, after 0.2");
    assert_eq!(stage.sent(), "a<\\u{1b}[200~yes\\u{1b}[201~, a<\\r", "once it was read");
}

#[test]
fn a_menu_that_comes_meanwhile_gets_no_text() {
    let mut stage = stage();
    stage.steps("key r, type yes, after 1");
    stage.feed("a", "\x1b[2J\x1b[HDo you want to proceed?\r\n1. Yes\r\n2. No\r\n");
    stage.steps("after 1, key enter");
    let note = "It offers answers now. Your text is kept.";
    assert_eq!(stage.queue(), format!("*a: “yes” ({note}), b"), "said");
    assert_eq!(stage.sent(), "", "and nothing sent");
    stage.steps("key escape");
    assert_eq!(stage.queue(), "*a: [Yes] No Open, b", "its answers");
}

#[test]
fn a_menu_that_comes_between_text_and_enter_gets_no_enter() {
    let mut stage = stage();
    stage.steps("key r, type yes, after 1, key enter");
    stage.feed("a", "\x1b[2J\x1b[HDo you want to proceed?\r\n1. Yes\r\n2. No\r\n");
    stage.step("after 0.2");
    assert_eq!(stage.sent(), "a<\\u{1b}[200~yes\\u{1b}[201~", "the text alone");
    let said = "a went on meanwhile; your text is there, and was not handed in";
    assert_eq!(stage.said(), said, "and that is said");
}

#[test]
fn only_open_questions_and_turns_that_are_done_take_a_text() {
    let asks = |shows: &str| {
        let mut stage = Stage::play("open a, start sh");
        stage.step(&format!("prints {shows}"));
        stage.steps("after 8, key ctrl-shift-l, after 1, key r");
        stage.queue()
    };
    assert_eq!(asks("What is its name? "), "*a: “”", "an open question");
    assert_eq!(asks("[sudo] password for dev: "), "*a: [Open]", "a password");
    assert_eq!(asks("Proceed? [y/N] "), "*a: Yes [No] Open", "answers that are named");
    assert_eq!(asks("△ Permission required\r\n"), "*a: [Open]", "a menu that cannot be read");
    assert_eq!(asks("hi"), "*a: [Open]", "mere silence");
}
