//! An agent's life, without a process.

mod moving;

use std::time::Duration;

use terminal::{GridSize, Scroll, TerminalOptions};

use super::*;
use crate::{AgentIds, Reported, ReportedBy};

struct Life {
    agent: AgentHandle,
    start: Instant,
}

impl Life {
    fn begin() -> Self {
        let start = epoch();
        let terminal =
            TerminalBuffer::new(GridSize { columns: 40, rows: 6 }, TerminalOptions::default());
        let command = vec!["sh".to_owned()];
        let id = AgentIds::default().mint();
        let rules = Arc::default();
        let agent =
            AgentHandle::new(id, "fake", command, terminal, Timeouts::default(), rules, start);
        Self { agent, start }
    }

    fn at(&self, seconds: u64) -> Instant {
        self.start + Duration::from_secs(seconds)
    }

    fn write(&self, text: &str) {
        self.agent.terminal().feed(text.as_bytes());
    }

    fn state(&self) -> &'static str {
        self.agent.state().name()
    }
}

/// Some instant: a handle only ever compares and adds.
#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn epoch() -> Instant {
    Instant::now()
}

#[test]
fn a_new_agent_is_starting_its_first_launch() {
    let life = Life::begin();
    let agent = &life.agent;
    assert_eq!((agent.name(), agent.command()), ("fake", &["sh".to_owned()][..]), "its names");
    assert_eq!((agent.launches(), agent.pid(), life.state()), (1, None, "starting"), "its launch");
    assert!(agent.is_alive(), "about to live");
    assert!(!agent.stop_requested() && !agent.was_stopped(), "nobody asked it to stop");
}

#[test]
fn output_in_the_terminal_is_seen_once() {
    let mut life = Life::begin();
    let now = life.at(1);
    assert_eq!(life.agent.on_output(now), None, "nothing was written");
    life.write("hi");
    assert!(life.agent.on_output(now).is_some(), "it runs");
    assert_eq!(life.state(), "running", "it runs");
    let deadline = life.agent.next_deadline();
    assert_eq!(life.agent.on_output(life.at(4)), None, "nothing more was written");
    assert_eq!(life.agent.next_deadline(), deadline, "so the silence goes on");
}

#[test]
fn what_the_user_does_to_the_view_is_no_output() {
    let mut life = Life::begin();
    life.write("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8");
    life.agent.on_output(life.at(0));
    life.agent.on_deadline(life.at(5));
    assert_eq!(life.state(), "needs_input", "it went quiet");
    life.agent.terminal().scroll(Scroll::Lines(1));
    life.agent.terminal().resize(GridSize { columns: 50, rows: 7 });
    assert_eq!(life.agent.on_output(life.at(6)), None, "scrolled and resized");
    life.agent.on_redraw(life.at(6));
    life.write("redrawn");
    assert_eq!(life.agent.on_output(life.at(6)), None, "redrawn because of it");
    life.write("y");
    assert_eq!(life.state(), "needs_input", "still waiting");
    life.agent.on_input(b"y\r", life.at(7));
    assert_eq!(life.state(), "running", "answered");
}

#[test]
fn an_exit_forgets_the_process_and_keeps_the_code() {
    let mut life = Life::begin();
    life.agent.spawned(4242);
    assert_eq!(life.agent.pid(), Some(4242), "spawned");
    life.agent.exited(Exit::Code(3), life.at(1));
    assert_eq!(life.agent.pid(), None, "gone");
    assert_eq!(life.agent.state().exit(), Some(Exit::Code(3)), "its code");
    assert!(!life.agent.was_stopped(), "by itself");
    assert_eq!(life.agent.next_deadline(), None, "nothing to wait for");
    life.write("last words");
    assert_eq!(life.agent.on_output(life.at(2)), None, "what was still in the pipe");
    assert_eq!(life.state(), "exited", "it stays so");
}

#[test]
fn a_stop_is_told_from_an_exit() {
    let mut life = Life::begin();
    life.agent.spawned(1);
    life.agent.request_stop();
    assert!(life.agent.stop_requested() && !life.agent.was_stopped(), "asked, not yet gone");
    life.agent.exited(Exit::Signal(15), life.at(1));
    assert!(life.agent.was_stopped(), "gone because it was asked");
}

#[test]
fn a_failed_start_is_an_exit_with_a_reason() {
    let mut life = Life::begin();
    life.agent.failed(127, "cannot find `nope`; is it installed?", life.at(0));
    assert_eq!(life.agent.state().exit(), Some(Exit::Code(127)), "as a shell says it");
    assert_eq!(life.agent.failure(), Some("cannot find `nope`; is it installed?"), "why");
    life.agent.restart(life.at(1)).unwrap();
    assert_eq!(life.agent.failure(), None, "forgotten at the next try");
    life.agent.failed(126, "not executable", life.at(2));
    assert_eq!(life.agent.state().exit(), Some(Exit::Code(126)), "another code");
}

#[test]
fn a_restart_keeps_the_text_above_a_separator() {
    let mut life = Life::begin();
    life.write("first life\r\n");
    life.agent.on_output(life.at(0));
    life.agent.request_stop();
    life.agent.exited(Exit::Signal(9), life.at(1));
    assert_eq!(life.agent.restart(life.at(2)), Ok(()), "it was gone");
    assert_eq!((life.agent.launches(), life.state()), (2, "starting"), "a second launch");
    assert!(!life.agent.stop_requested(), "the wish was for the first life");
    assert_eq!(life.agent.on_output(life.at(2)), None, "the separator is no output");
    life.write("second life");
    assert!(life.agent.on_output(life.at(3)).is_some(), "it runs");
    let shown = life.agent.terminal().visible_text().join("|");
    assert_eq!(
        shown.trim_end_matches('|'),
        "first life|── restarted · launch 2 ──|second life",
        "both lives"
    );
}

#[test]
fn a_living_agent_is_not_restarted() {
    let mut life = Life::begin();
    assert_eq!(life.agent.restart(life.at(1)), Err(StillAlive), "refused");
    assert_eq!(StillAlive.to_string(), "the agent is still running; stop it first", "and why");
    assert_eq!(life.agent.launches(), 1, "nothing changed");
}

#[test]
fn what_an_earlier_run_left_is_as_it_was_until_it_is_started() {
    for (state, was_stopped) in
        [(AgentState::Stopped, false), (AgentState::Exited { exit: Exit::Code(3) }, true)]
    {
        let life = Life::begin();
        let (since, now) = (life.at(0), life.at(100));
        let session = Some("s".to_owned());
        let past = Past { state, since, launches: 4, was_asked: was_stopped, session };
        let mut agent = life.agent.remembering(past);
        assert_eq!((agent.state(), agent.since(), agent.launches()), (state, since, 4), "as left");
        assert_eq!((agent.session(), agent.was_stopped()), (Some("s"), was_stopped), "as left");
        assert!(agent.is_remembered() && !agent.is_unread(), "and no news");
        assert_eq!((agent.next_deadline(), agent.sample_at()), (None, None), "nothing to wait for");
        assert_eq!(agent.on_deadline(now), None, "time changes nothing");
        agent.restart(now).unwrap();
        assert_eq!((agent.launches(), agent.state().name()), (5, "starting"), "the next launch");
        assert_eq!((agent.session(), agent.is_remembered()), (None, false), "another session");
    }
}

fn odd_rules() -> Arc<Rules> {
    let kind = rules::RuleKind::Screen(Reason::Permission);
    let rule = rules::Rule::new("odd", kind, "whence the cheese").expect("a rule");
    Arc::new([rule].into_iter().collect())
}

#[test]
fn other_rules_are_used_at_once_and_nothing_is_forgotten() {
    let mut life = Life::begin();
    life.write("whence the cheese\r\n");
    life.agent.on_output(life.at(1));
    life.agent.on_deadline(life.at(30));
    assert_eq!((life.state(), life.agent.question()), ("needs_input", None), "it is silent");
    let since = life.agent.since();
    life.agent.set_rules(odd_rules());
    assert!(life.agent.next_deadline() <= Some(life.at(30)), "to be read now");
    life.agent.on_deadline(life.at(31));
    let question = life.agent.question().expect("a question");
    assert_eq!((&*question.rule, life.agent.reason()), ("odd", Some(Reason::Permission)), "known");
    assert!(matches!(life.agent.state(), AgentState::NeedsInput { since: it, .. } if it == since));
    let due = life.agent.next_deadline();
    life.agent.set_rules(odd_rules());
    assert_eq!(life.agent.next_deadline(), due, "the same rules are no news");
}

#[test]
fn of_two_reports_of_one_reporter_the_higher_number_counts() {
    let mut life = Life::begin();
    life.write("hi");
    life.agent.on_output(life.at(0));
    let mut report = |by, says, sequence| {
        let (at, text) = (life.at(1), None);
        life.agent.on_report(Report { says, by, text, at }, Some(sequence), at);
        life.state()
    };
    let asks = Reported::NeedsInput(Reason::Permission);
    assert_eq!(report(ReportedBy::Hook, asks, 10), "needs_input", "the first");
    assert_eq!(report(ReportedBy::Hook, Reported::Running, 9), "needs_input", "a late one");
    assert_eq!(report(ReportedBy::Hook, Reported::Running, 10), "needs_input", "the same again");
    assert_eq!(report(ReportedBy::Script, Reported::Running, 1), "running", "counted apart");
    assert_eq!(report(ReportedBy::Script, asks, 1), "running", "and in the same way");
}
