//! Who is told of outside of the window, from agents' states to effects.

use agent::{Reason, Reported};
use config::NotifyConfig;

use super::*;
use crate::NotifyEffect;

impl Stage {
    fn with(config: NotifyConfig, script: &str) -> Self {
        let mut stage = Self::new();
        stage.state = State::new(Config { notify: config, ..Config::default() });
        script.split(", ").for_each(|step| stage.step(step));
        stage.effects.clear();
        stage
    }

    fn agent_of(&self, workspace: &str) -> ProgramId {
        let workspace = self.state.find_workspace(workspace).expect("a workspace");
        ProgramId::Agent(workspace.agent().expect("an agent").id())
    }

    /// The agent of that workspace says what it does.
    fn report(&mut self, workspace: &str, report: Reported) {
        let ProgramId::Agent(agent) = self.agent_of(workspace) else { panic!("an agent") };
        let text = Some("Run <rm>\u{1b}[31m?".to_owned());
        self.fact(Fact::Reported {
            agent,
            report,
            by: agent::ReportedBy::Script,
            text,
            sequence: None,
            session: None,
        });
    }

    fn waits(&mut self, workspace: &str, reason: Reason) {
        self.report(workspace, Reported::NeedsInput(reason));
    }

    /// What was asked for outside since the last time, in a few words.
    fn told(&mut self) -> String {
        let words = |effect: Effect| match effect {
            Effect::Attention => Some("flag".to_owned()),
            Effect::NoAttention => Some("unflag".to_owned()),
            Effect::FocusWindow => Some("focus".to_owned()),
            Effect::Notify(NotifyEffect::Show(notice)) => {
                Some(format!("show {:?} {:?}", notice.title, notice.body))
            }
            Effect::Notify(NotifyEffect::Correct(notice)) => {
                Some(format!("correct {:?}", notice.title))
            }
            Effect::Notify(NotifyEffect::Withdraw) => Some("withdraw".to_owned()),
            Effect::Notify(NotifyEffect::Run { command, about }) => {
                Some(format!("run {} for {}", command.join(" "), about.name))
            }
            _ => None,
        };
        self.effects.drain(..).filter_map(words).collect::<Vec<_>>().join(", ")
    }
}

fn two_agents(config: NotifyConfig) -> Stage {
    Stage::with(config, "open /api, start claude, open /web, start codex, unfocus")
}

#[test]
fn a_question_that_many_ask_is_told_with_what_it_is_about() {
    let asks = "Bash command\r\n  rm -rf build\r\nDo you want to proceed?\r\n❯ 1. Yes\r\n  2. No";
    let mut stage = Stage::with(NotifyConfig::default(), "open /api, start claude, unfocus");
    for step in [&format!("prints {asks}"), "after 3", "after 3"] {
        stage.step(step);
    }
    let told = stage.told();
    assert!(told.contains("rm -rf build · Do you want to proceed?"), "{told}");
}

#[test]
fn an_agent_that_begins_to_wait_unseen_is_told_of_and_taken_back() {
    let mut stage = two_agents(NotifyConfig::default());
    stage.waits("api", Reason::Permission);
    assert_eq!(stage.told(), "", "not at once");
    stage.step("after 1");
    assert_eq!(stage.told(), "flag, show \"api: claude asks for permission\" \"Run <rm> [31m?\"");
    stage.step("after 20");
    assert_eq!(stage.told(), "", "once");
    stage.waits("web", Reason::TurnDone);
    stage.step("after 1");
    assert_eq!(stage.told(), "flag, show \"2 agents need you\" \"api, web\"");
    stage.report("api", Reported::Running);
    assert_eq!(stage.told(), "correct \"web: codex is done, your turn\"");
    stage.step("focus");
    assert_eq!(stage.told(), "withdraw, unflag");
}

#[test]
fn silence_alone_is_not_told_of() {
    let mut stage = two_agents(NotifyConfig::default());
    stage.step("after 6");
    assert_eq!(stage.state.n_waiting(), 2, "both went quiet");
    assert_eq!(stage.told(), "", "which may mean anything");
    assert_eq!(stage.state.notice_due(), None, "and nobody is woken for it");
}

#[test]
fn whoever_works_in_the_window_is_not_told() {
    let mut stage = two_agents(NotifyConfig::default());
    stage.step("focus");
    stage.waits("api", Reason::Permission);
    stage.step("after 3");
    stage.step("unfocus");
    stage.step("after 30");
    assert_eq!(stage.told(), "", "the rail has shown it");
    assert_eq!(stage.state.n_waiting(), 2, "and the title counts it");
}

#[test]
fn the_chatter_of_parts_of_a_working_agent_is_not_told_of() {
    let mut stage = two_agents(NotifyConfig::default());
    let program = stage.agent_of("api");
    for second in 0..60 {
        stage.report("api", Reported::Running);
        let title = format!("sub-agent {second} finished");
        for signal in [
            TerminalSignal::Notification { title: None, body: title.clone() },
            TerminalSignal::Bell,
            TerminalSignal::Title(title),
        ] {
            stage.fact(Fact::Signal { program, signal });
        }
        stage.step("after 1");
        let running = stage.state.find_workspace("api").map(crate::Workspace::status);
        assert_eq!(running, Some(WorkspaceStatus::Running), "it works all the while");
    }
    assert_eq!(stage.told(), "flag", "its bell flags the window, and nothing is said");
}

#[test]
fn do_not_disturb_holds_all_back_but_the_count() {
    let config = NotifyConfig { dnd: true, command: vec!["x".into()], ..NotifyConfig::default() };
    let mut stage = two_agents(config);
    stage.waits("api", Reason::Permission);
    stage.step("after 3");
    let program = stage.agent_of("api");
    stage.fact(Fact::Signal { program, signal: TerminalSignal::Bell });
    assert_eq!((stage.told().as_str(), stage.state.n_waiting()), ("", 1), "counted");
    stage.act(Action::ToggleDnd).unwrap();
    assert!(!stage.state.is_dnd(), "switched off for now");
    stage.step("after 30");
    assert_eq!(stage.told(), "", "what was held back stays so");
    stage.waits("web", Reason::Permission);
    stage.step("after 2");
    assert!(stage.told().contains("run x for web"), "and what comes is told of again");
    stage.act(Action::ToggleDnd).unwrap();
    assert_eq!(stage.told(), "withdraw, unflag", "nor is anything left on show");
}

#[test]
fn who_fails_unseen_is_told_of_until_that_is_seen() {
    let mut stage = two_agents(NotifyConfig::default());
    stage.step("exits 3");
    stage.step("after 1");
    assert_eq!(stage.told(), "flag, show \"web: codex stopped at an error\" \"exit 3\"");
    assert_eq!(stage.state.n_waiting(), 0, "nobody waits for an answer");
    stage.step("after 30");
    assert_eq!(stage.told(), "", "once");
    stage.step("focus");
    assert_eq!(stage.told(), "withdraw, unflag");
    stage.step("unfocus");
    stage.step("after 30");
    assert_eq!(stage.told(), "", "it was seen");
}

#[test]
fn who_ends_well_or_is_stopped_is_not_told_of() {
    let mut stage = two_agents(NotifyConfig::default());
    stage.step("exits 0");
    stage.step("after 3");
    assert_eq!(stage.told(), "", "done");
    let mut stage = two_agents(NotifyConfig::default());
    stage.act(Action::Agent(AgentAction::Stop { workspace: None })).unwrap();
    stage.fact(Fact::Exited { program: stage.agent_of("web"), exit: Exit::Signal(15) });
    stage.step("after 3");
    assert_eq!(stage.told(), "", "as it was asked to");
    let mut unwanted = NotifyConfig::default();
    assert!(unwanted.reasons.remove("error"), "wanted by default");
    let mut stage = two_agents(unwanted);
    stage.step("exits 3");
    stage.step("after 3");
    assert_eq!(stage.told(), "", "where errors are not wanted");
}

#[test]
fn the_users_program_is_run_for_each() {
    let command = vec!["notify.sh".to_owned(), "-x".to_owned()];
    let mut stage = two_agents(NotifyConfig { desktop: false, command, ..NotifyConfig::default() });
    stage.waits("api", Reason::Error);
    stage.waits("web", Reason::Error);
    stage.step("after 1");
    assert_eq!(stage.told(), "flag, run notify.sh -x for api, run notify.sh -x for web");
}

#[test]
fn without_a_window_nobody_is_told_unless_wanted() {
    for headless in [false, true] {
        let config = NotifyConfig { headless, ..NotifyConfig::default() };
        let mut stage = Stage::with(config, "open /api, start claude");
        stage.fact(Fact::NoWindow);
        stage.waits("api", Reason::TurnDone);
        stage.step("after 2");
        let told = if headless {
            "flag, show \"api: claude is done, your turn\" \"Run <rm> [31m?\""
        } else {
            ""
        };
        assert_eq!(stage.told(), told, "headless = {headless}");
        assert_eq!(stage.state.n_waiting(), usize::from(headless), "seen where somebody may look");
    }
}

#[test]
fn a_click_goes_there_and_wants_the_window() {
    let mut stage = two_agents(NotifyConfig::default());
    let api = stage.state.workspaces()[0].id();
    stage.step("file /web/a.txt");
    stage.effects.clear();
    stage.fact(Fact::NoticeOpened(api));
    assert_eq!(stage.told(), "focus", "the window is wanted");
    assert_eq!(stage.state.active_workspace().map(crate::Workspace::name), Some("api"), "there");
    assert!(stage.state.visible_agent().is_some(), "its agent is on show");
    stage.step("exits 0");
    stage.step("key ctrl-shift-w");
    stage.fact(Fact::NoticeOpened(api));
    assert_eq!(stage.told(), "focus", "also when its agent is gone");
    assert!(stage.state.visible_agent().is_none(), "and no tab is made for it");
}

#[test]
fn who_has_finished_and_was_seen_is_not_counted() {
    let mut stage = two_agents(NotifyConfig::default());
    stage.waits("api", Reason::TurnDone);
    stage.waits("web", Reason::TurnDone);
    assert_eq!(stage.state.n_waiting(), 2, "unseen");
    stage.step("focus");
    assert_eq!(stage.state.n_waiting(), 1, "the one on show was seen");
    stage.waits("web", Reason::Question);
    assert_eq!(stage.state.n_waiting(), 2, "a question counts until it is answered");
}
