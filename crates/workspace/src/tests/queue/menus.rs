//! Menus without numbers: arrows first, and Enter only once the right option is selected.

use super::*;

const OPTIONS: [&str; 3] = ["Once", "Always", "Reject"];

/// What is asked about something, with that option selected.
fn asks(about: &str, selected: usize) -> String {
    let option = |(at, label): (usize, &str)| match at == selected {
        true => format!(" \x1b[7m {label} \x1b[0m"),
        false => format!("  {label} "),
    };
    let options: String = OPTIONS.into_iter().enumerate().map(option).collect();
    format!("\x1b[2J\x1b[H△ Permission required\r\n  {about}\r\n\r\n  {options}  enter confirm\r\n")
}

/// `a` asks that with the first option selected, `b` something with numbers; the list is open.
fn stage() -> Stage {
    let mut stage = Stage::play("open a, start sh");
    stage.step(&format!("prints {}", asks("touch x", 0)));
    for step in ["after 3", "open b", "start sh", ASKS, "after 3", "key ctrl-shift-l", "after 1"] {
        stage.step(step);
    }
    stage
}

/// What `a` is sent by the keys, what it then shows and is sent for that, and what the person is told.
#[track_caller]
fn check(keys: &str, sent: &str, shows: &str, then: &str, said: &str) {
    let mut stage = stage();
    stage.step(&format!("key {keys}"));
    assert_eq!(stage.sent(), sent, "by {keys}");
    stage.feed("a", shows);
    stage.step("after 0.2");
    assert_eq!(stage.sent(), then, "once it shows {shows:?}");
    assert_eq!(stage.said(), said, "what is told");
}

#[test]
fn the_selected_option_is_taken_with_enter_alone() {
    let mut stage = stage();
    assert_eq!(stage.queue(), "*a: [Once] Always Reject Open, b", "its options");
    stage.step("key enter");
    assert_eq!(stage.sent(), "a<\\r", "it is selected there");
    assert_eq!(stage.queue(), "*b: [Yes] No Open", "and on to the next");
    assert_eq!(stage.said(), "a: Once", "what was answered");
}

#[test]
fn another_option_is_taken_once_it_is_seen_to_be_selected() {
    check("2", "a<\\u{1b}[C", &asks("touch x", 1), "a<\\r", "a: Always");
    check("right right enter", "a<\\u{1b}[C\\u{1b}[C", &asks("touch x", 2), "a<\\r", "a: Reject");
    let mut stage = stage();
    stage.step("key 2");
    assert_eq!(stage.queue(), "*b: [Yes] No Open", "meanwhile the next one is on show");
    stage.step("after 0.7");
    stage.step("key 1");
    assert_eq!(stage.sent(), "a<\\u{1b}[C, b<1", "and can be answered");
    assert_eq!(stage.queue(), "", "nobody is left");
}

#[test]
fn whatever_else_is_shown_gets_no_enter() {
    let none = |shows: &str, said: &str| check("3", "a<\\u{1b}[C\\u{1b}[C", shows, "", said);
    none(&asks("touch x", 0), "");
    none(&asks("touch x", 1), "");
    none(&asks("rm -rf /", 2), "");
    none("\x1b[2J\x1b[H", "");
    none("\x1b[2J\x1b[HDo you want to proceed?\r\n1. Yes\r\n2. No\r\n", {
        "a asks something else now; nothing was chosen"
    });
}

#[test]
fn what_does_not_get_there_in_time_is_given_up_and_listed_again() {
    let mut stage = stage();
    stage.steps("key 3, after 1");
    stage.feed("a", &asks("touch x", 1));
    stage.step("after 1.1");
    assert_eq!(stage.said(), "a did not select that; nothing was chosen", "too late");
    stage.feed("a", &asks("touch x", 2));
    assert_eq!(stage.sent(), "a<\\u{1b}[C\\u{1b}[C", "no Enter comes later");
    assert_eq!(stage.queue(), "*b: [Yes] No Open, a", "it waits again");
    assert_eq!(stage.state.answer_due(), None, "and nobody is woken for it");
}

#[test]
fn arrows_are_sent_as_the_program_wants_them() {
    let mut stage = stage();
    stage.feed("a", "\x1b[?1h");
    stage.step("key 2");
    assert_eq!(stage.sent(), "a<\\u{1b}OC", "application cursor keys");
}

#[test]
fn a_selection_that_moved_meanwhile_is_another_question() {
    let mut stage = stage();
    let workspace = stage.state.workspaces().iter().find(|it| it.name() == "a").expect("a");
    drop(workspace.agent().expect("an agent").terminal().feed(asks("touch x", 1).as_bytes()));
    let enter = State::parse_keys("enter").unwrap().remove(0);
    let refused = stage.act(Action::Key(enter));
    assert_eq!(refused, Err(ActionError::AsksSomethingElse { workspace: "a".to_owned() }));
    assert_eq!(stage.sent(), "", "nothing is sent");
}

#[test]
fn an_agent_that_ends_on_the_way_is_forgotten() {
    let mut stage = stage();
    stage.step("key 2");
    let program = ProgramId::Agent(stage.state.workspaces()[0].agent().expect("a").id());
    stage.fact(Fact::Exited { program, exit: Exit::Code(0) });
    stage.step("after 3");
    assert_eq!((stage.sent().as_str(), stage.said()), ("a<\\u{1b}[C", ""), "no Enter, no word");
}

#[test]
fn options_below_each_other_are_gone_to_up_and_down() {
    let mut stage = Stage::play("open a, start sh");
    let asks = |first: &str, second: &str| {
        format!(
            "\x1b[2J\x1b[HDo you want to proceed?\r\n{first} No\r\n{second} Yes\r\nEnter to confirm\r\n"
        )
    };
    stage.step(&format!("prints {}", asks("❯", " ")));
    stage.steps("after 3, key ctrl-shift-l, after 1, key 2");
    stage.feed("a", &asks(" ", "❯"));
    assert_eq!(stage.sent(), "a<\\u{1b}[B, a<\\r", "one down, and Enter");
}

#[test]
fn an_answer_that_wants_a_text_takes_one_there() {
    let mut stage = Stage::play("open a, start sh");
    let asks = "Which one?\r\n❯ 1. This\r\n  2. Type something.\r\nEnter to select\r\n";
    stage.step(&format!("prints {asks}"));
    stage.steps("after 3, open b, key ctrl-shift-l, after 1, key 2");
    assert_eq!(
        (stage.sent().as_str(), stage.queue().as_str()),
        ("a<2", "closed"),
        "chosen, and left"
    );
    assert_eq!(stage.state.active_workspace().expect("one").name(), "a", "for where it is typed");
}
