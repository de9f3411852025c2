//! Which rules matched while a recording was played.

use std::time::{Duration, Instant};

use agent::{AgentHandle, Reason, Says, Source};

use super::Player;
use crate::Recording;

/// A rule that matched, and had not just before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Since the beginning.
    pub at: Duration,
    pub rule: String,
    /// What is waited for; absent where the rule says that the program works.
    pub reason: Option<Reason>,
    /// What matched: a line of the screen, or the title.
    pub text: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Matches {
    all: Vec<Match>,
    /// Those that still do.
    present: Vec<Match>,
}

impl Player {
    /// Plays a recording, and says which rules matched where.
    pub fn matches(mut self, recording: &Recording) -> Vec<Match> {
        self.matches = Some(Matches::default());
        self.run(recording, Duration::ZERO);
        self.matches.unwrap_or_default().all
    }
}

impl Matches {
    pub(super) fn note(&mut self, agent: &AgentHandle, epoch: Instant, at: Duration) {
        if !agent.is_alive() {
            return;
        }
        let present = present(agent, epoch, at);
        let is_same = |a: &Match, b: &Match| (&a.rule, &a.text) == (&b.rule, &b.text);
        let is_new = |it: &&Match| !self.present.iter().any(|before| is_same(before, it));
        let new: Vec<Match> = present.iter().filter(is_new).cloned().collect();
        self.all.extend(new);
        self.present = present;
    }
}

fn present(agent: &AgentHandle, epoch: Instant, at: Duration) -> Vec<Match> {
    let of_claims = agent.claims(epoch + at).into_iter().filter_map(|claim| {
        let reason = match claim.says {
            Says::Waiting(reason) => Some(reason),
            Says::Working => None,
        };
        // A spinner is a new title ten times a second.
        let title = || agent.terminal().title().filter(|_| reason.is_some());
        let text = if claim.source == Source::Title { title() } else { claim.text };
        Some(Match { at, rule: claim.rule?, reason, text })
    });
    let of_screen = agent.question().map(|question| Match {
        at,
        rule: question.rule.clone(),
        reason: Some(question.reason),
        text: Some(question.text.clone()),
    });
    let mut present: Vec<Match> = of_claims.collect();
    present.extend(of_screen.filter(|it| present.iter().all(|claim| claim.rule != it.rule)));
    present
}
