//! What is believed of a report.
//!
//! A script's is believed until it is taken back. A hook's is not, since agents call their hooks at
//! some steps only: not when they are interrupted, and not for a dialog that waits while another of
//! their tools goes on. What it says must not be contradicted by what is seen later.

use std::time::Duration;

use super::{notification, screen, title};
use crate::claim::{Claim, Says, Source};
use crate::clock::Clock;
use crate::evidence::Evidence;
use crate::{Reason, Report, Reported, ReportedBy};

/// A hook that speaks of work hides a dialog for so long at most.
const MOMENT: Duration = Duration::from_secs(1);
/// Agents that work show it. After so long without a sign the hook that would have told of the end
/// is lost.
const WORK_LASTS: Duration = Duration::from_secs(10);
/// An end is believed after so long; what moves on meanwhile takes it back, as it does later.
const DONE_HOLDS: Duration = Duration::from_millis(500);

pub(super) fn report(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let report = evidence.report.as_ref()?;
    let is_hook = report.by == ReportedBy::Hook;
    let says = match report.says {
        Reported::Running if is_hook && !still_works(evidence, report, clock) => return None,
        Reported::Completed if is_hook && !clock.passed(report.at, DONE_HOLDS) => return None,
        Reported::Running => Says::Working,
        Reported::NeedsInput(reason) => Says::Waiting(reason),
        Reported::Completed => Says::Waiting(Reason::TurnDone),
        Reported::Errored => Says::Waiting(Reason::Error),
        Reported::Cleared => return None,
    };
    Some(Claim::new(Source::Report, says, report.at).saying(report.text.as_deref()))
}

/// Whether nothing that came later speaks against work.
fn still_works(evidence: &Evidence, report: &Report, clock: &mut Clock) -> bool {
    let is_later = |claim: Claim| claim.says != Says::Working && claim.since > report.at;
    let is_called = title(evidence, clock).is_some_and(is_later)
        || notification(evidence, clock).is_some_and(is_later);
    let is_asked = clock.passed(report.at, MOMENT) && screen(evidence, clock).is_some();
    let last_sign = evidence.last_sign().max(report.at);
    !is_called && !is_asked && clock.within(last_sign, WORK_LASTS)
}
