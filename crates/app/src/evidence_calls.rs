//! The calls about what is known of an agent: why its state is what it is, and reports of those who
//! know.

use std::time::Instant;

use agent::{AgentHandle, Claim, Reason, Reported, ReportedBy, Says};
use anyhow::{Result, anyhow};
use control::{ClaimStatus, ClaimWord, Explanation, ReasonKind, ReportedState};
use serde_json::json;
use workspace::{ActionError, Fact, ProgramId, Workspace};

use crate::app::App;
use crate::requests::Answer;
use crate::status;

/// Characters of a report that are kept.
const MAX_TEXT: usize = 200;

/// What somebody reports of an agent.
#[derive(Debug)]
pub(crate) struct ReportCall {
    pub state: ReportedState,
    pub reason: Option<ReasonKind>,
    pub text: Option<String>,
    pub sequence: Option<u64>,
    /// Which launch it is about; only hooks say.
    pub launch: Option<u64>,
    /// What the agent calls its own session.
    pub session: Option<String>,
}

/// It is not the agent's present launch that is reported about.
#[derive(Debug, thiserror::Error)]
#[error("the report is about another launch, which this agent is not")]
pub(crate) struct AnotherLaunch;

impl App {
    pub(crate) fn explain(&self, wanted: Option<&str>, now: Instant) -> Result<Answer> {
        let workspace = self.workspace_id(wanted)?;
        let workspace = self.state.workspace(workspace).ok_or(ActionError::NoWorkspace)?;
        let agent = workspace
            .agent()
            .ok_or_else(|| anyhow!("{} has no agent to explain", workspace.name()))?;
        Ok(Answer::Now(serde_json::to_value(explanation(workspace, agent, now))?))
    }

    /// Takes a report about the agent of a workspace.
    pub(crate) fn report(
        &mut self,
        wanted: Option<&str>,
        report: ReportCall,
        now: Instant,
    ) -> Result<Answer> {
        let workspace = self.workspace_id(wanted)?;
        let workspace = self.state.workspace(workspace).ok_or(ActionError::NoWorkspace)?;
        let agent = workspace.agent().filter(|agent| agent.is_alive());
        let agent = agent.ok_or_else(|| anyhow!("no agent runs in {}", workspace.name()))?;
        let agent = agent.id();
        self.take_report(agent, report, now)?;
        Ok(Answer::Now(json!({})))
    }

    /// # Errors
    /// It says that it is about another launch than the present one.
    pub(crate) fn take_report(
        &mut self,
        agent: agent::AgentId,
        report: ReportCall,
        now: Instant,
    ) -> Result<(), AnotherLaunch> {
        let ReportCall { state, reason, text, sequence, launch, session } = report;
        let by = match launch {
            Some(launch) if !self.sessions.is_launch(agent, launch) => return Err(AnotherLaunch),
            Some(_) => ReportedBy::Hook,
            None => ReportedBy::Script,
        };
        let report = match state {
            ReportedState::Running => Reported::Running,
            ReportedState::NeedsInput => {
                Reported::NeedsInput(reason.map_or(Reason::Question, core_reason))
            }
            ReportedState::Completed => Reported::Completed,
            ReportedState::Errored => Reported::Errored,
            ReportedState::Cleared => Reported::Cleared,
        };
        let text = text.map(|text| shown(&text)).filter(|text| !text.is_empty());
        self.sessions.flights.of(ProgramId::Agent(agent)).reported(report, by, text.clone());
        // It becomes an argument of a command some day.
        let session = session.filter(|id| hooks::is_session_id(id));
        self.observe(Fact::Reported { agent, report, by, text, sequence, session }, now);
        Ok(())
    }
}

fn explanation(workspace: &Workspace, agent: &AgentHandle, now: Instant) -> Explanation {
    let mut claims = if agent.is_alive() { agent.claims(now) } else { Vec::new() };
    let winner = (!claims.is_empty()).then(|| claims.remove(0));
    let rule = winner.as_ref().and_then(|claim| claim.rule.clone());
    let age = now.saturating_duration_since(agent.since());
    Explanation {
        workspace: workspace.name().to_owned(),
        agent: agent.name().to_owned(),
        state: status::state_word(agent.state()),
        since_ms: u64::try_from(age.as_millis()).unwrap_or(u64::MAX),
        reason: status::reason(agent),
        winner: winner.map(|claim| claim_status(claim, now)),
        losers: claims.into_iter().map(|claim| claim_status(claim, now)).collect(),
        rule: rule.or_else(|| agent.question().map(|question| question.rule.clone())),
        choices: agent.question().map_or_else(Vec::new, |question| {
            let choices = question.choices.iter();
            choices.map(|choice| format!("{} {}", choice.key, choice.label)).collect()
        }),
    }
}

fn claim_status(claim: Claim, now: Instant) -> ClaimStatus {
    let age = now.saturating_duration_since(claim.since);
    let (says, reason) = match claim.says {
        Says::Working => (ClaimWord::Working, None),
        Says::Waiting(reason) => (ClaimWord::Waiting, Some(status::reason_kind(reason))),
    };
    ClaimStatus {
        source: claim.source.name().to_owned(),
        says,
        reason,
        text: claim.text,
        rule: claim.rule,
        age_ms: u64::try_from(age.as_millis()).unwrap_or(u64::MAX),
    }
}

/// Fit for a tile and for a terminal.
fn shown(text: &str) -> String {
    let is_shown = |c: &char| !c.is_control() && !terminal::is_invisible(*c);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().filter(is_shown).take(MAX_TEXT).collect()
}

fn core_reason(reason: ReasonKind) -> Reason {
    match reason {
        ReasonKind::Permission => Reason::Permission,
        ReasonKind::Question => Reason::Question,
        ReasonKind::Confirmation => Reason::Confirmation,
        ReasonKind::Password => Reason::Password,
        ReasonKind::FirstRun => Reason::FirstRun,
        ReasonKind::Error => Reason::Error,
        ReasonKind::TurnDone => Reason::TurnDone,
        ReasonKind::Silence => Reason::Silence,
        ReasonKind::GaveUp => Reason::GaveUp,
    }
}
