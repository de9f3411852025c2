//! What a program's title says of it.

use std::time::Instant;

use rules::{Rules, TitleSays};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TitleSign {
    pub(crate) says: TitleSays,
    pub(crate) since: Instant,
    /// None where a sign of work is gone.
    pub(crate) rule: Option<String>,
}

impl TitleSign {
    /// What is known after a new title. One that says nothing changes nothing, except that a sign of
    /// work which was there and is gone says as much as one of waiting.
    pub(super) fn after(
        before: Option<Self>,
        title: &str,
        rules: &Rules,
        now: Instant,
    ) -> Option<Self> {
        let was_working = before.as_ref().is_some_and(|sign| sign.says.is_work());
        let (says, rule) = match rules.title(title) {
            Some(hit) => (hit.says, Some(hit.id.to_owned())),
            None if was_working => (TitleSays::Waiting(None), None),
            None => return before,
        };
        let since = before.filter(|sign| sign.says == says && !says.is_work());
        let since = since.map_or(now, |sign| sign.since);
        Some(Self { says, since, rule })
    }
}
