//! A program's call for the person: a notification, or the bell.

use std::time::Instant;

use rules::Rules;

use crate::Reason;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) at: Instant,
    pub(crate) text: Option<String>,
    pub(crate) reason: Reason,
    /// The rule that knows what it calls for.
    pub(crate) rule: Option<String>,
}

impl Call {
    /// Who calls is done, unless a rule knows better.
    pub(super) fn saying(text: Option<String>, rules: &Rules, at: Instant) -> Self {
        let hit = text.as_deref().and_then(|text| rules.notification(text));
        let reason = hit.map_or(Reason::TurnDone, |hit| hit.says);
        let rule = hit.map(|hit| hit.id.to_owned());
        Self { at, text, reason, rule }
    }

    /// A bell after a notification that asks for something calls for the same.
    pub(super) fn ringing(before: Option<Self>, at: Instant) -> Self {
        let asks = before.filter(|call| call.rule.is_some());
        let done = Self { at, text: None, reason: Reason::TurnDone, rule: None };
        asks.map_or(done, |call| Self { at, ..call })
    }
}
