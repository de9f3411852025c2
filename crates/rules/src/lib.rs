//! Rules about titles and screens: which ones speak of work, which of waiting, and for what.
//!
//! A rule is data: an id, where it looks, a pattern, what a match means. Patterns are regular
//! expressions that are matched in linear time, so that none can take for ever, and compiled ones are
//! bounded in size. Where rules are written down, and for whom they hold, is not known here.

mod reason;
mod rule;
mod set;

pub use reason::Reason;
pub use rule::{BadPattern, MAX_COMPILED, MAX_PATTERN, Rule, RuleKind, TitleSays};
pub use set::{Hit, Rules};

#[cfg(test)]
mod tests;
