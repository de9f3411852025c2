//! Ending the program: what is asked, what ends, and what goes on.

use super::*;

impl Stage {
    #[track_caller]
    fn question(&self) -> &crate::Confirm {
        let Some(Overlay::Confirm(confirm)) = self.state.overlay() else { panic!("a question") };
        confirm
    }

    /// One step of the countdown.
    #[track_caller]
    fn pass_countdown(&mut self) {
        self.now = self.state.ending_due().expect("the countdown goes on");
        assert!(self.state.next_deadline().is_some_and(|due| due <= self.now), "the loop knows");
        self.fact(Fact::Deadline);
    }

    /// What is to become of agents, if the end has begun.
    fn shutdown(&self) -> Option<AgentsThen> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Shutdown { agents, .. } => Some(*agents),
            _ => None,
        })
    }
}

#[test]
fn quitting_asks_only_where_something_would_be_ended() {
    let mut stage = Stage::play("open /a, start cat, key ctrl-shift-q");
    assert!(stage.question().detail.contains("will be stopped"), "it asks");
    stage.step("key enter");
    assert!(!stage.state.is_quitting(), "Enter stays");
    let stage = Stage::play("open /a, key ctrl-q");
    assert!(stage.state.is_quitting(), "with nothing to lose it just ends");
    let stage = Stage::play("open /a, hosted cat, key ctrl-shift-q");
    assert_eq!(stage.shutdown(), Some(AgentsThen::GoOn), "what goes on is not asked about");
    assert_eq!(stage.state.agents_that_go_on(), 1, "and counted");
    let stage = Stage::play("open /a, hosted cat, open /b, start cat, key ctrl-shift-q");
    let detail = &stage.question().detail;
    assert_eq!(
        detail, "1 agent is running and will be stopped. 1 agent goes on without the window.",
        "each is told apart"
    );
}

#[test]
fn what_goes_on_is_not_stopped_and_what_ends_is_no_failure() {
    let mut stage = Stage::play("open /a, hosted cat");
    stage.act(leave(AgentsThen::GoOn)).unwrap();
    stage.step("exits 1");
    assert_eq!(stage.picture(), "*a errored [AGENT]", "it failed by itself");
    let mut stage = Stage::play("open /a, hosted cat");
    stage.act(leave(AgentsThen::Stop)).unwrap();
    stage.step("exits 1");
    assert_eq!(stage.picture(), "*a stopped [AGENT]", "it was told to end");
}

#[test]
fn stopping_all_asks_and_then_counts_down() {
    let mut stage = Stage::play("open /a, hosted cat");
    stage.act(Action::App(AppAction::QuitAndStop)).unwrap();
    assert_eq!(stage.question().question, "Stop all agents and quit Trackside?");
    assert_eq!(stage.shutdown(), None, "not before an answer");
    stage.step("key right enter");
    assert_eq!(stage.shutdown(), Some(AgentsThen::Stop), "then it begins");
    assert!(stage.state.overlay().is_none(), "what ends at once is not talked about");
    let mut said = Vec::new();
    for _ in 0..3 {
        stage.pass_countdown();
        said.push(stage.question().detail.clone());
    }
    let left = |n: u32| format!("Still running: cat in a. What is left is killed in {n} seconds.");
    assert_eq!(said, [left(30), left(29), left(28)], "second by second");
    let mut patient = Stage::play("open /a, hosted cat");
    patient.act(leave(AgentsThen::Stop)).unwrap();
    patient.pass_countdown();
    patient.step("key enter");
    assert!(patient.state.overlay().is_none(), "Enter kills nobody");
    patient.pass_countdown();
    assert!(patient.state.overlay().is_none(), "and nobody is told again");
    stage.step("key right");
    stage.pass_countdown();
    stage.step("key enter");
    assert!(matches!(stage.effects.last(), Some(Effect::KillAll)), "or sooner");
    check_refused("open /a", Action::App(AppAction::KillNow), "nothing is about to end");
}

#[test]
fn quitting_offers_to_keep_unsaved_text() {
    let answers = |script: &str| {
        let mut stage = Stage::play(script);
        stage.act(Action::App(AppAction::Quit)).unwrap();
        let Some(Overlay::Confirm(confirm)) = stage.state.overlay() else { panic!("a question") };
        confirm.choices.iter().map(|choice| choice.label.clone()).collect::<Vec<_>>().join(", ")
    };
    let typed = "open /a, file /a/x, type hello";
    assert_eq!(answers(typed), "Keep for next time, Stay, Discard and quit", "Enter loses nothing");
    let running = format!("{typed}, start cat");
    assert_eq!(answers(&running), "Stay, Keep for next time, Discard and quit", "nor ends it");
    assert_eq!(answers("open /a, start cat"), "Stay, Stop and quit", "as ever");
}

#[test]
fn nothing_ends_before_unsaved_text_is_safe() {
    let mut stage = Stage::play("open /a, file /a/x, type hello");
    let quit = || {
        Action::App(AppAction::Leave(Leaving {
            unsaved: UnsavedThen::Keep,
            agents: AgentsThen::GoOn,
        }))
    };
    let is_ending = |stage: &Stage| {
        stage.effects.iter().any(|effect| matches!(effect, Effect::Shutdown { .. }))
    };
    stage.act(quit()).unwrap();
    assert!(matches!(stage.effects.last(), Some(Effect::KeepUnsaved)), "first it is kept");
    stage.fact(Fact::UnsavedKept(Err("the disk is full".to_owned())));
    assert!(!is_ending(&stage) && !stage.state.is_quitting(), "it could not be");
    assert!(stage.state.toast().is_some_and(|toast| toast.text.contains("full")), "and is said");
    stage.fact(Fact::UnsavedKept(Ok(())));
    assert!(!is_ending(&stage), "nobody wants to quit any more");
    stage.act(quit()).unwrap();
    stage.fact(Fact::UnsavedKept(Ok(())));
    assert!(is_ending(&stage), "now it ends");
}
