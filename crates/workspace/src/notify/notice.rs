//! What a notification says.

use agent::Reason;
use config::Sound;
use terminal::is_invisible;

use super::Waiting;
use crate::WorkspaceId;

/// Longest text of an agent in a notification.
const MAX_CHARS: usize = 200;
/// Most names in one.
const MAX_NAMES: usize = 5;

/// One notification, as plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub title: String,
    pub body: String,
    /// Where a click on it leads.
    pub workspace: WorkspaceId,
    pub sound: Sound,
}

impl Notice {
    /// `None` where nobody waits.
    pub(super) fn about(waiting: &[Waiting], sound: &Sound) -> Option<Self> {
        let first = waiting.first()?;
        let (title, body) = match waiting {
            [one] => (
                format!("{}: {} {}", one.name, one.agent, does(one.reason)),
                one.text.clone().unwrap_or_default(),
            ),
            several => (format!("{} agents need you", several.len()), names(several)),
        };
        Some(Self { title, body, workspace: first.workspace, sound: sound.clone() })
    }
}

fn does(reason: Reason) -> &'static str {
    match reason {
        Reason::TurnDone => "is done, your turn",
        Reason::Silence => "waits",
        reason => reason.words(),
    }
}

fn names(waiting: &[Waiting]) -> String {
    let names: Vec<&str> = waiting.iter().take(MAX_NAMES).map(|it| it.name.as_str()).collect();
    let more = match waiting.len().saturating_sub(MAX_NAMES) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{}{more}", names.join(", "))
}

/// A stranger's text on one line: nothing in it is obeyed, hides, or turns what stands around it.
pub(super) fn plain(text: &str) -> String {
    let line: String = text
        .chars()
        // Whatever is left out, looking at a little more than can be shown is enough.
        .take(MAX_CHARS * 4)
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests;
