//! What becomes of agents that crash and are to be started again.

use std::path::{Path, PathBuf};

use agent::{AgentState, Exit, Reason};

use super::{Stage, leave};
use crate::{
    Action, AgentAction, AgentsThen, Effect, Fact, FileAction, Launch, NotifyEffect, TabContent,
    WorkspaceAction,
};

const IT: &str = "[agents.it]\nstart = ['it', '--new']\nresume = ['it', '$TRACKSIDE_SESSION_ID']\n\
                  restart = 'on-crash'\n";

fn stage() -> Stage {
    let mut stage = Stage::play("open /a");
    let config = config::parse(IT, Path::new("config.toml")).unwrap();
    stage.fact(Fact::ConfigRead(Box::new(config)));
    let launch = Launch::Named("it".to_owned());
    stage.act(Action::Agent(AgentAction::Start { workspace: None, launch })).unwrap();
    stage
}

fn crash(stage: &mut Stage) {
    ends(stage, Exit::Signal(11));
}

fn ends(stage: &mut Stage, exit: Exit) {
    let program = stage.agent();
    stage.fact(Fact::Exited { program, exit });
}

fn commands(stage: &Stage) -> Vec<String> {
    let started = |effect: &Effect| match effect {
        Effect::Spawn { argv, .. } => Some(argv.join(" ")),
        _ => None,
    };
    stage.effects.iter().filter_map(started).collect()
}

fn state(stage: &Stage) -> AgentState {
    stage.state.active_workspace().unwrap().agent().unwrap().state()
}

/// Nothing is started any more, however long one waits.
#[track_caller]
fn stays_down(stage: &mut Stage) {
    let before = commands(stage).len();
    stage.step("after 100");
    assert_eq!(commands(stage).len(), before, "nothing is started");
    assert!(!state(stage).is_alive(), "it is down");
}

#[test]
fn a_crash_is_followed_by_a_pause_and_another_launch() {
    let mut stage = stage();
    crash(&mut stage);
    let workspace = stage.state.active_workspace().unwrap();
    assert_eq!(workspace.next_revival(), Some(1), "the first is due");
    stage.step("after 0.9");
    assert_eq!(commands(&stage), ["it --new"], "too early");
    stage.step("after 0.2");
    assert_eq!(commands(&stage), ["it --new", "it --new"], "once more");
    assert_eq!(state(&stage), AgentState::Starting, "it starts");
    assert_eq!(stage.state.active_workspace().unwrap().next_revival(), None, "nothing is due");
}

#[test]
fn the_fourth_crash_is_the_last() {
    let mut stage = stage();
    for _ in 0..3 {
        crash(&mut stage);
        stage.step("after 20");
        assert_eq!(state(&stage), AgentState::Starting, "it is tried again");
    }
    crash(&mut stage);
    assert_eq!(state(&stage), AgentState::Stopped, "it is given up");
    let agent = stage.state.active_workspace().unwrap().agent().unwrap();
    assert_eq!(agent.reason(), Some(Reason::GaveUp), "for that reason");
    assert_eq!(agent.gave_up(), Some(Exit::Signal(11)), "and this is how it ended");
    stays_down(&mut stage);
    stage.act(Action::Agent(AgentAction::Restart { workspace: None })).unwrap();
    let agent = stage.state.active_workspace().unwrap().agent().unwrap();
    assert_eq!((agent.reason(), agent.gave_up()), (None, None), "a new life");
    crash(&mut stage);
    assert_eq!(stage.state.active_workspace().unwrap().next_revival(), Some(1), "counted anew");
}

#[test]
fn it_goes_on_with_its_session_where_that_is_known() {
    let mut stage = stage();
    let agent = stage.state.visible_agent().unwrap().id();
    stage.state.workspaces[0].agent.as_mut().unwrap().set_session("s7".to_owned());
    for _ in 0..2 {
        crash(&mut stage);
        stage.step("after 5");
    }
    assert_eq!(commands(&stage), ["it --new", "it s7", "it s7"], "the same context each time");
    assert_eq!(stage.state.visible_agent().unwrap().id(), agent, "the same agent");
}

#[test]
fn what_was_wished_for_is_no_crash() {
    for exit in [Exit::Code(0), Exit::Code(130), Exit::Signal(2)] {
        let mut stage = stage();
        ends(&mut stage, exit);
        stays_down(&mut stage);
    }
    let mut stage = stage();
    stage.act(Action::Agent(AgentAction::Stop { workspace: None })).unwrap();
    crash(&mut stage);
    stays_down(&mut stage);
}

#[test]
fn a_program_that_cannot_be_started_is_not_tried_again() {
    let mut stage = stage();
    let program = stage.agent();
    stage.fact(Fact::SpawnFailed { program, code: 127, message: "no such program".to_owned() });
    stays_down(&mut stage);
}

#[test]
fn stopping_closing_and_quitting_end_the_wait_for_it() {
    let mut stopped = stage();
    crash(&mut stopped);
    stopped.act(Action::Agent(AgentAction::Stop { workspace: None })).unwrap();
    stays_down(&mut stopped);

    let mut quit = stage();
    crash(&mut quit);
    quit.act(leave(AgentsThen::GoOn)).unwrap();
    assert_eq!(quit.state.revival_due(), None, "nothing keeps the loop awake");
    stays_down(&mut quit);

    let mut closed = stage();
    crash(&mut closed);
    let id = closed.state.active_workspace().unwrap().id();
    closed.act(Action::Workspace(WorkspaceAction::Close(Some(id)))).unwrap();
    assert_eq!(closed.state.revival_due(), None, "it went with its workspace");
}

#[test]
fn nothing_is_taken_from_before_the_persons_eyes() {
    let mut stage = stage();
    let open = FileAction::Open { path: PathBuf::from("/a/file"), at: None };
    stage.act(Action::File(open)).unwrap();
    crash(&mut stage);
    stage.step("after 2");
    assert_eq!(commands(&stage).len(), 2, "it was started again");
    let shown = stage.state.active_tab().unwrap().content;
    assert!(matches!(shown, TabContent::File(_)), "behind the file: {shown:?}");
}

#[test]
fn the_limit_holds_for_it_too() {
    let mut stage = stage();
    stage.state.config.limits.max_agents = 1;
    crash(&mut stage);
    stage.step("open /b");
    stage.step("start cat");
    stage.step("after 2");
    assert_eq!(commands(&stage), ["it --new", "cat"], "there is no room for it");
    let toast = stage.state.toast().expect("it is said").text.clone();
    assert!(toast.contains("a was not started again") && toast.contains("max_agents"), "{toast}");
    assert_eq!(stage.state.revival_due(), None, "and not tried for ever");
}

#[test]
fn whoever_is_elsewhere_is_told_that_it_was_given_up() {
    let mut stage = stage();
    let config = format!("{IT}[notify]\nreasons = ['gave_up']\n");
    let config = config::parse(&config, Path::new("config.toml")).unwrap();
    stage.fact(Fact::ConfigRead(Box::new(config)));
    stage.step("unfocus");
    for _ in 0..4 {
        crash(&mut stage);
        stage.step("after 20");
    }
    let told = |it: &Effect| matches!(it, Effect::Notify(NotifyEffect::Show(_)));
    assert!(stage.effects.iter().any(told), "{:?}", stage.effects.last());
    assert!(stage.state.waiting().is_empty(), "though there is nothing to answer");
}
