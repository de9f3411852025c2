//! The rules that come with us, in the form in which users write theirs.

use std::path::Path;
use std::sync::LazyLock;

use super::read::{self, RuleFile};
use super::{RuleEntry, RuleOrigin};

const COMMON: &str = include_str!("../../rules/common.toml");

/// The kinds of agents that have rules of their own.
const FILES: [(&str, &str); 5] = [
    ("aider", include_str!("../../rules/aider.toml")),
    ("claude", include_str!("../../rules/claude.toml")),
    ("codex", include_str!("../../rules/codex.toml")),
    ("gemini", include_str!("../../rules/gemini.toml")),
    ("opencode", include_str!("../../rules/opencode.toml")),
];

/// Their names.
pub const KINDS: [&str; FILES.len()] = [FILES[0].0, FILES[1].0, FILES[2].0, FILES[3].0, FILES[4].0];

/// Compiled once. Copies of a rule share that.
static RULES: LazyLock<Vec<(RuleOrigin, RuleFile)>> = LazyLock::new(|| {
    let kinds = FILES.into_iter().map(|(kind, text)| (RuleOrigin::Kind(kind), text));
    let files = kinds.chain([(RuleOrigin::Common, COMMON)]);
    files.map(|(origin, text)| (origin, parse(text))).collect()
});

/// A test reads all of them; what could not be read would only be missing.
fn parse(text: &str) -> RuleFile {
    read::parse_unchecked(text, Path::new("built-in rules")).unwrap_or_default()
}

/// Those of the first name that is a kind's, and then those for everybody. A shell or a wrapper may
/// run any agent, so where no name is a kind's those of all kinds hold.
pub(super) fn of<'a>(
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> impl Iterator<Item = (RuleOrigin, RuleEntry)> {
    let kind = names.find(|name| KINDS.contains(name));
    let is_meant = move |origin: RuleOrigin| match origin {
        RuleOrigin::Kind(it) => kind.is_none_or(|kind| kind == it),
        RuleOrigin::Common => true,
        RuleOrigin::User | RuleOrigin::Project | RuleOrigin::File => false,
    };
    let files = RULES.iter().filter(move |(origin, _)| is_meant(*origin));
    files.flat_map(|(origin, file)| file.entries.iter().map(|entry| (*origin, entry.clone())))
}

/// Whether any of them has that id.
pub(super) fn has(id: &str) -> bool {
    RULES.iter().any(|(_, file)| file.entries.iter().any(|entry| entry.id() == id))
}

#[cfg(test)]
pub(super) fn all() -> &'static [(RuleOrigin, RuleFile)] {
    &RULES
}
