//! What a transcript is made into.

use std::sync::Arc;

use agent::{AgentIds, AgentState, Earlier, Reason, Timeouts};
use terminal::TerminalOptions;

use super::*;
use crate::transcript_text::fixture::Fixture;

const SIZE: (u16, u16) = (30, 4);

/// A program that has printed, so many milliseconds ago and on a screen of that size, and the agent that it is.
struct Stage {
    now: Instant,
    times: Times,
    fixture: Fixture,
}

impl Stage {
    fn new(pieces: &[(u64, (u16, u16), &'static str)]) -> Self {
        let now = crate::clock();
        let times = Times::new(now);
        let wall = times.wall_ms(now);
        let at = |(ago, size, text): &(u64, (u16, u16), &'static str)| (wall - ago, *size, *text);
        let pieces: Vec<_> = pieces.iter().map(at).collect();
        Self { now, times, fixture: Fixture::new(&pieces) }
    }

    fn ago(&self, seconds: u64) -> Instant {
        self.now.checked_sub(Duration::from_secs(seconds)).expect("the machine runs that long")
    }

    /// An agent of which that was known so long ago.
    fn agent(&self, state: AgentState, known: u64) -> (Box<AgentHandle>, TerminalBuffer) {
        let size = GridSize { columns: SIZE.0, rows: SIZE.1 };
        let terminal = TerminalBuffer::new(size, TerminalOptions::default());
        let (id, rules) = (AgentIds::default().mint(), Arc::default());
        let earlier = Earlier {
            state,
            since: self.ago(known),
            reason: Reason::Permission,
            text: Some("Run it?".to_owned()),
            is_seen: true,
            as_of: self.ago(known),
            found: self.now,
        };
        let (command, timeouts) = (vec!["sh".to_owned()], Timeouts::default());
        let agent =
            AgentHandle::new(id, "sh", command, terminal.clone(), timeouts, rules, self.now);
        (Box::new(agent.going_on(earlier, 1, None)), terminal)
    }

    #[track_caller]
    fn catch_up(
        &self,
        (agent, terminal): (Box<AgentHandle>, TerminalBuffer),
        known: u64,
        ended: Option<(Exit, Instant)>,
    ) -> CaughtUp {
        let behind = Behind { terminal, agent: Some(agent), as_of: self.ago(known), ended };
        behind.catch_up(&self.fixture.open(), self.times)
    }
}

fn waits(stage: &Stage, ago: u64) -> AgentState {
    AgentState::NeedsInput { since: stage.ago(ago), reason: Reason::Permission }
}

#[test]
fn the_screen_is_as_it_was_and_all_of_it_is_read() {
    let text = "one\r\n\x1b]7;file:///src\x07two and more than fits\r\n$ ";
    let stage = Stage::new(&[(60_000, (10, 4), text), (50_000, SIZE, "ls")]);
    let agent = stage.agent(AgentState::Running, 60);
    let caught_up = stage.catch_up(agent, 60, None);
    let shown = caught_up.terminal.visible_text();
    assert_eq!(shown.first().map(String::as_str), Some("one"), "{shown:?}");
    assert!(shown.iter().any(|row| row == "$ ls"), "{shown:?}");
    assert_eq!(caught_up.directory.as_deref(), Some(std::path::Path::new("/src")), "where it is");
    assert_eq!(caught_up.read, stage.fixture.open().end(), "to the last byte");
    assert!(!caught_up.is_partial, "from the first on");
}

#[test]
fn who_waited_and_has_printed_nothing_since_still_waits_as_long() {
    let stage = Stage::new(&[(100_000, SIZE, "Run it? ")]);
    let agent = stage.agent(waits(&stage, 90), 80);
    let caught_up = stage.catch_up(agent, 80, None).agent.expect("the agent");
    assert_eq!(caught_up.state().name(), "stale", "by now for long");
    assert_eq!(caught_up.asked(), Some("Run it?"), "the same");
    assert!(caught_up.since() < stage.ago(20), "it did not begin just now");
}

#[test]
fn who_has_printed_since_is_looked_at_anew() {
    let lines = (0..20).map(|piece| (5000 - 250 * piece, SIZE, "yes\r\nbuilding...\r\n"));
    let pieces: Vec<_> = std::iter::once((100_000, SIZE, "Run it? ")).chain(lines).collect();
    let stage = Stage::new(&pieces);
    let agent = stage.agent(waits(&stage, 90), 80);
    let caught_up = stage.catch_up(agent, 80, None).agent.expect("the agent");
    assert_eq!(caught_up.state().name(), "running", "it has gone on");
}

#[test]
fn an_end_that_nobody_saw_is_told_with_its_time() {
    let stage = Stage::new(&[(100_000, SIZE, "bye\r\n")]);
    let agent = stage.agent(AgentState::Running, 90);
    let ended = Some((Exit::Code(7), stage.ago(40)));
    let caught_up = stage.catch_up(agent, 90, ended).agent.expect("the agent");
    assert_eq!(caught_up.state(), AgentState::Exited { exit: Exit::Code(7) }, "its code");
    assert_eq!(caught_up.since(), stage.ago(40), "its time");
}

#[test]
fn nothing_kept_is_no_failure() {
    let stage = Stage::new(&[]);
    let agent = stage.agent(AgentState::Running, 10);
    let caught_up = stage.catch_up(agent, 10, None);
    assert_eq!(caught_up.read, 0, "from the beginning");
    let (agent, terminal) = stage.agent(AgentState::Running, 10);
    let behind = Behind { terminal, agent: Some(agent), as_of: stage.ago(10), ended: None };
    let caught_up = behind.with_nothing(512);
    assert!(caught_up.read == 512 && caught_up.is_partial, "it is known to be missing");
}

#[test]
fn what_is_removed_meanwhile_is_left_out_and_the_rest_is_shown() {
    let stage = Stage::new(&[(9_000, SIZE, "gone\r\n")]);
    let folder = stage.fixture.path();
    std::fs::write(folder.join("0000000000000006.raw"), "still here").unwrap();
    let transcript = stage.fixture.open();
    std::fs::remove_file(folder.join("0000000000000000.raw")).unwrap();
    let (agent, terminal) = stage.agent(AgentState::Running, 10);
    let behind = Behind { terminal, agent: Some(agent), as_of: stage.ago(10), ended: None };
    let caught_up = behind.catch_up(&transcript, stage.times);
    let shown = caught_up.terminal.visible_text().join("\n");
    assert!(shown.contains("[6 bytes were not kept]\nstill here"), "{shown}");
    assert!(caught_up.is_partial && caught_up.read == 16, "to the end: {}", caught_up.read);
}
