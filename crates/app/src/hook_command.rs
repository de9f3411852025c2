//! What agents call at their steps: `trackside report --hook`.
//!
//! An agent must not notice it. It says nothing, never fails, and is over soon whatever has become of
//! the instance: what a hook prints, and how it exits, may be an order to the agent.

use std::env;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use control::{Call, Client, ReasonKind, ReportedState};
use crossbeam_channel::bounded;
use hooks::{Agent, Asks, Event, MAX_PAYLOAD};

use crate::evidence_commands;

/// After which the agent is kept no longer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reports what the agent tells about a launch, if that can be done in a moment.
pub(crate) fn run(agent: Agent, launch: Option<u64>, payload: Option<String>) {
    let sequence = evidence_commands::now();
    let (done, ended) = bounded::<()>(1);
    let work = move || {
        report(agent, payload, (launch, sequence));
        drop(done);
    };
    // Nobody joins it: input that never ends, or an instance that hangs, would keep the agent.
    let thread = std::thread::Builder::new().name("hook".to_owned()).spawn(work);
    if thread.is_ok() {
        // Either it is done, which closes the channel, or it has taken too long.
        ended.recv_timeout(PATIENCE).unwrap_or_default();
    }
}

/// `None` where there is nothing to tell, or nobody to tell it to.
fn report(
    agent: Agent,
    payload: Option<String>,
    (launch, sequence): (Option<u64>, Option<u64>),
) -> Option<()> {
    let payload = match agent {
        Agent::Claude => read_payload(io::stdin().lock()).ok()?,
        Agent::Codex => payload?.into_bytes(),
        Agent::Aider => Vec::new(),
    };
    let (state, reason, text) = reported(hooks::event(agent, &payload)?);
    let session = hooks::session_id(agent, &payload);
    // The instance that started the agent, and no other.
    let socket = env::var_os("TRACKSIDE_SOCKET")?;
    let workspace = None;
    let report = Call::Report { workspace, state, reason, text, sequence, launch, session };
    Client::connect(Path::new(&socket)).ok()?.call(report).ok().map(drop)
}

/// No more than is looked at is kept; the rest is read all the same, so that the agent can write it.
fn read_payload(mut input: impl Read) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(MAX_PAYLOAD).unwrap_or(u64::MAX).saturating_add(1);
    let mut payload = Vec::new();
    input.by_ref().take(limit).read_to_end(&mut payload)?;
    io::copy(&mut input, &mut io::sink())?;
    Ok(payload)
}

fn reported(event: Event) -> (ReportedState, Option<ReasonKind>, Option<String>) {
    match event {
        Event::Works => (ReportedState::Running, None, None),
        Event::Asks(Asks::Permission, text) => {
            (ReportedState::NeedsInput, Some(ReasonKind::Permission), text)
        }
        Event::Asks(Asks::Question, text) => {
            (ReportedState::NeedsInput, Some(ReasonKind::Question), text)
        }
        Event::Done(text) => (ReportedState::Completed, None, text),
        Event::Over => (ReportedState::Cleared, None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_payload_is_read_to_its_end_but_not_kept() {
        let mut input = io::repeat(b'x').take(3 << 20);
        let payload = read_payload(&mut input).unwrap();
        assert_eq!(payload.len(), MAX_PAYLOAD + 1, "enough to know that it is too long");
        assert_eq!(input.limit(), 0, "nothing is left for whoever writes it to wait for");
        assert_eq!(hooks::event(Agent::Claude, &payload), None, "and it says nothing");
    }
}
