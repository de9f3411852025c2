//! The list of those that wait, and answering from it.

mod menus;
mod writing;

use super::*;
use crate::CardChoice;

const ASKS: &str = "prints \x1b[2J\x1b[HDo you want to proceed?\r\n1. Yes\r\n2. No\r\n";

impl Stage {
    /// The rows of the open list, the selected one with its answers, the chosen one of those in brackets.
    fn queue(&self) -> String {
        let Some(Overlay::Queue(queue)) = self.state.overlay() else { return "closed".to_owned() };
        let row = |id: &crate::WorkspaceId| {
            let workspace = self.state.workspace(*id).expect("it is open");
            let name = workspace.name().to_owned();
            if queue.selected() != Some(*id) {
                return name;
            }
            if let Some(draft) = queue.draft().filter(|_| queue.is_writing()) {
                let note = draft.note().map(|note| format!(" ({note})")).unwrap_or_default();
                return format!("*{name}: “{}”{note}", draft.input().text());
            }
            let card = queue.card().expect("it is selected");
            let labels = card.choices().map(|choice| match choice {
                CardChoice::Answer(answer) => answer.label.clone(),
                CardChoice::Write => "Reply".to_owned(),
                CardChoice::Open => "Open".to_owned(),
            });
            let mark = |(at, label)| if at == card.selected { format!("[{label}]") } else { label };
            let labels: Vec<String> = labels.enumerate().map(mark).collect();
            format!("*{name}: {}", labels.join(" "))
        };
        queue.order().iter().map(row).collect::<Vec<_>>().join(", ")
    }

    /// What agents were sent since this was last asked, as `workspace<text`.
    fn sent(&mut self) -> String {
        let effects = std::mem::take(&mut self.effects);
        let sent = effects.into_iter().filter_map(|effect| {
            let (program, bytes) = match effect {
                Effect::WritePty { program, bytes } => (program, bytes),
                Effect::PastePty { program, paste } => (program, paste.flatten().collect()),
                _ => return None,
            };
            let of = |it: &&crate::Workspace| {
                it.agent().is_some_and(|it| ProgramId::Agent(it.id()) == program)
            };
            let workspace = self.state.workspaces().iter().find(of).expect("its workspace");
            Some(format!("{}<{}", workspace.name(), String::from_utf8_lossy(&bytes)))
        });
        sent.collect::<Vec<_>>().join(", ").escape_debug().to_string()
    }

    /// What a program writes that need not be on show.
    fn feed(&mut self, name: &str, text: &str) {
        let workspace = self.state.workspaces().iter().find(|it| it.name() == name);
        let agent = workspace.and_then(|it| it.agent()).expect("an agent");
        drop(agent.terminal().feed(text.as_bytes()));
        self.fact(Fact::Output);
    }

    #[track_caller]
    fn steps(&mut self, steps: &str) {
        for step in steps.split(", ").filter(|step| !step.is_empty()) {
            self.step(step);
        }
    }

    fn said(&self) -> &str {
        self.state.toast().map_or("", |toast| toast.text.as_str())
    }
}

/// Two that ask, `b` longer than `a`, one that is merely quiet, and one that works.
fn stage() -> Stage {
    let mut stage = Stage::new();
    let asks = |name| [name, "start sh", ASKS, "after 3"];
    let quiet = ["open quiet", "start sh", "prints hi", "after 8"];
    let works = ["open works", "start sh", "prints x"];
    let steps = asks("open b").into_iter().chain(asks("open a")).chain(quiet).chain(works);
    for step in steps {
        stage.step(step);
    }
    stage
}

#[track_caller]
fn check(keys: &str, queue: &str, sent: &str) {
    let mut stage = stage();
    stage.steps(keys);
    assert_eq!(stage.queue(), queue, "the list after {keys}");
    assert_eq!(stage.sent(), sent, "what was sent by {keys}");
}

#[test]
fn who_asks_comes_before_who_is_done_and_who_waits_longest_first() {
    check("", "closed", "");
    check("key ctrl-shift-l", "*b: [Yes] No Open, a, quiet", "");
}

#[test]
fn rows_and_answers_are_chosen_with_the_arrows() {
    check("key ctrl-shift-l, key down", "b, *a: [Yes] No Open, quiet", "");
    check("key ctrl-shift-l, key down down down", "*b: [Yes] No Open, a, quiet", "");
    check("key ctrl-shift-l, key up", "b, a, *quiet: [Open]", "");
    check("key ctrl-shift-l, key right", "*b: Yes [No] Open, a, quiet", "");
    check("key ctrl-shift-l, key left", "*b: Yes No [Open], a, quiet", "");
    check("key ctrl-shift-l, key escape", "closed", "");
}

#[test]
fn an_answer_is_sent_and_the_next_one_is_shown() {
    check("key ctrl-shift-l, after 1, key enter", "*a: [Yes] No Open, quiet", "b<1");
    check("key ctrl-shift-l, after 1, key right enter", "*a: [Yes] No Open, quiet", "b<2");
    check("key ctrl-shift-l, after 1, key 2", "*a: [Yes] No Open, quiet", "b<2");
    check("key ctrl-shift-l, after 1, key 7", "*b: [Yes] No Open, a, quiet", "");
    check("key ctrl-shift-l, after 1, key 1, after 1, key 2", "*quiet: [Open]", "b<1, a<2");
}

#[test]
fn going_there_closes_the_list() {
    let mut stage = stage();
    for step in ["key ctrl-shift-l", "key left", "key enter"] {
        stage.step(step);
    }
    assert_eq!(stage.queue(), "closed", "it is left");
    assert_eq!(stage.state.active_workspace().expect("one").name(), "b", "for the one that asks");
    assert_eq!(stage.sent(), "", "and nothing is answered");
}

#[test]
fn a_question_that_was_not_read_is_not_answered() {
    let mut stage = stage();
    stage.step("key ctrl-shift-l");
    let enter = || State::parse_keys("enter").unwrap().remove(0);
    assert_eq!(stage.act(Action::Key(enter())), Err(ActionError::NotYetRead), "it has just come");
    for step in ["after 1", "key enter"] {
        stage.step(step);
    }
    assert_eq!(stage.act(Action::Key(enter())), Err(ActionError::NotYetRead), "so has the next");
    let mut held = enter();
    held.press.kind = terminal::KeyKind::Repeat;
    stage.step("after 1");
    stage.act(Action::Key(held)).unwrap();
    assert_eq!(stage.sent(), "b<1", "a key that is held down answers nothing");
}

#[test]
fn a_question_that_came_by_itself_takes_longer_to_read() {
    let mut stage = stage();
    for step in ["key ctrl-shift-l", "after 1"] {
        stage.step(step);
    }
    let program = ProgramId::Agent(stage.state.workspaces()[0].agent().expect("b").id());
    stage.fact(Fact::Exited { program, exit: Exit::Code(0) });
    assert_eq!(stage.queue(), "*a: [Yes] No Open, quiet", "another takes its place");
    let enter = || Action::Key(State::parse_keys("enter").unwrap().remove(0));
    stage.step("after 0.9");
    assert_eq!(stage.act(enter()), Err(ActionError::NotYetRead), "that was for the one before");
    stage.step("after 0.2");
    stage.act(enter()).unwrap();
    assert_eq!(stage.sent(), "a<1", "now it was read");
}

#[test]
fn a_confirmation_without_a_default_is_not_given_by_enter() {
    let mut stage = Stage::play("open a, start sh");
    stage.feed("a", "\x1b[2J\x1b[HDelete all? (yes/no) ");
    for step in ["after 3", "key ctrl-shift-l"] {
        stage.step(step);
    }
    assert_eq!(stage.queue(), "*a: Yes No [Open]", "it is to be looked at");
}

#[test]
fn only_the_very_question_that_was_shown_is_answered() {
    let mut stage = stage();
    for step in ["key ctrl-shift-l", "after 1"] {
        stage.step(step);
    }
    let other = b"\x1b[2J\x1b[Hrm -rf /\r\nDo you want to proceed?\r\n1. Yes\r\n2. No\r\n";
    let workspace = stage.state.workspaces().iter().find(|it| it.name() == "b").expect("b");
    drop(workspace.agent().expect("an agent").terminal().feed(other));
    let enter = State::parse_keys("enter").unwrap().remove(0);
    let refused = stage.act(Action::Key(enter));
    assert_eq!(refused, Err(ActionError::AsksSomethingElse { workspace: "b".to_owned() }));
    assert_eq!(stage.sent(), "", "nothing is sent");
    stage.fact(Fact::Output);
    let Some(Overlay::Queue(queue)) = stage.state.overlay() else { panic!("still open") };
    let dialog = queue.card().and_then(|it| it.dialog.as_ref()).expect("a question");
    assert_eq!(dialog.about, ["rm -rf /"], "what is asked now is on show");
}

#[test]
fn who_no_longer_waits_leaves_and_who_begins_to_comes_last() {
    let mut stage = stage();
    stage.step("key ctrl-shift-l");
    stage.feed("works", "\x1b[2J\x1b[HProceed? [y/N] ");
    for step in ["after 1", "after 1"] {
        stage.step(step);
    }
    assert_eq!(stage.queue(), "*b: [Yes] No Open, a, quiet, works", "last, though it asks");
    let id = stage.state.workspaces()[0].id();
    let program = ProgramId::Agent(stage.state.workspaces()[0].agent().expect("b").id());
    assert_eq!(Some(id), stage.state.waiting().first().map(|it| it.id()), "b");
    stage.fact(Fact::Exited { program, exit: Exit::Code(0) });
    assert_eq!(stage.queue(), "*a: [Yes] No Open, quiet, works", "on to the next");
}

#[test]
fn a_list_of_nobody_swallows_the_key_that_comes_too_late() {
    let mut stage = Stage::play("open a, start sh");
    for step in [ASKS, "after 3", "key ctrl-shift-l", "after 1", "key 1"] {
        stage.step(step);
    }
    assert_eq!((stage.queue().as_str(), stage.sent().as_str()), ("", "a<1"), "all are answered");
    stage.step("key 2");
    assert_eq!((stage.queue().as_str(), stage.sent().as_str()), ("closed", ""), "and closed");
}

#[test]
fn with_nobody_waiting_there_is_no_list() {
    let mut stage = Stage::play("open a");
    let open = Action::Queue(crate::QueueAction::Open);
    assert_eq!(stage.act(open), Err(ActionError::NobodyNeedsYou), "and it says so");
}
