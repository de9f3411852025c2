//! Looking through all that agents have printed, in all their launches: what is asked, and what was found.
//!
//! The list is a picker whose text is the question. Each change asks anew, and what was found for an
//! earlier question stays on show until there is something better.

use std::path::PathBuf;

use crate::{Action, Effect, Overlay, PickItem, PickerKind, State};

/// Shorter questions fit nearly every line.
const MIN_QUERY: usize = 2;
/// More rows than anybody reads.
const MAX_HITS: usize = 500;
/// Characters of a line that are shown.
const SHOWN: usize = 52;

/// A line that an agent has printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptHit {
    /// The workspace whose agent it was, in words.
    pub name: String,
    /// The folder of the launch's transcript.
    pub folder: PathBuf,
    pub launch: String,
    /// From 1, in the launch's text.
    pub line: u32,
    pub text: String,
}

/// What was asked last, and what has come of it.
#[derive(Debug, Default)]
pub(crate) struct Transcripts {
    asked: Option<String>,
    /// Counts the questions.
    search: u64,
    is_running: bool,
    /// The question that the hits are of.
    found_by: u64,
    hits: Vec<TranscriptHit>,
}

impl State {
    /// Asks anew if the question has changed, and no longer if it is gone.
    pub(crate) fn settle_transcripts(&mut self) -> Vec<Effect> {
        let wanted = match &self.overlay {
            Some(Overlay::Picker(picker)) if picker.kind == PickerKind::Transcripts => {
                Some(picker.input.text().trim())
            }
            _ => None,
        };
        let wanted = wanted.filter(|query| query.chars().count() >= MIN_QUERY).map(str::to_owned);
        if wanted == self.transcripts.asked {
            return Vec::new();
        }
        self.transcripts.search += 1;
        self.transcripts.asked.clone_from(&wanted);
        self.transcripts.is_running = wanted.is_some();
        let search = self.transcripts.search;
        let Some(query) = wanted else {
            self.transcripts.hits = Vec::new();
            return vec![Effect::StopTranscriptSearch];
        };
        let folders = self.workspaces.iter().map(|it| (it.root.clone(), it.name.clone())).collect();
        vec![Effect::SearchTranscripts { search, query, folders }]
    }

    /// A part of what was looked for, in the order of the list.
    pub(crate) fn transcripts_found(
        &mut self,
        search: u64,
        hits: Vec<TranscriptHit>,
        is_all: bool,
    ) {
        let transcripts = &mut self.transcripts;
        if search != transcripts.search || transcripts.asked.is_none() {
            return;
        }
        if transcripts.found_by != search && (is_all || !hits.is_empty()) {
            transcripts.found_by = search;
            transcripts.hits.clear();
        }
        transcripts.hits.extend(hits);
        transcripts.hits.truncate(MAX_HITS);
        transcripts.is_running = !is_all;
    }

    /// The rows of the list.
    pub(crate) fn transcript_items(&self) -> Vec<PickItem> {
        let query = self.transcripts.asked.as_deref().unwrap_or_default();
        self.transcripts.hits.iter().map(|hit| item(hit, query)).collect()
    }

    /// What is said below the question while nothing is listed.
    pub fn transcripts_note(&self) -> &'static str {
        match (&self.transcripts.asked, self.transcripts.is_running) {
            (None, _) => "Text that an agent has printed, in any folder and launch",
            (Some(_), true) => "Looking…",
            (Some(_), false) => "No agent has printed that",
        }
    }
}

fn item(hit: &TranscriptHit, query: &str) -> PickItem {
    PickItem {
        title: around(&hit.text, query),
        note: format!("{} · launch {}", hit.name, hit.launch),
        keys: None,
        is_dim: false,
        action: Action::ShowTranscript(hit.clone()),
    }
}

/// As much of the line as is shown, with what was looked for in it.
fn around(text: &str, query: &str) -> String {
    let text = text.trim();
    let at = text.to_lowercase().find(&query.to_lowercase());
    let before =
        at.map_or(0, |at| text.char_indices().take_while(|(index, _)| *index < at).count());
    let first = before.saturating_sub(SHOWN / 3);
    let shown: String = text.chars().skip(first).take(SHOWN).collect();
    let is_whole = first + SHOWN >= text.chars().count();
    format!("{}{shown}{}", if first > 0 { "…" } else { "" }, if is_whole { "" } else { "…" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, query: &str, shown: &str) {
        assert_eq!(around(text, query), shown, "{query} in {text}");
    }

    #[test]
    fn long_lines_are_shown_around_what_was_looked_for() {
        check("  short  ", "or", "short");
        let long = format!("{}Needle{}", "a".repeat(100), "b".repeat(100));
        check(&long, "needle", &format!("…{}Needle{}…", "a".repeat(17), "b".repeat(29)));
        check(&"x".repeat(80), "nowhere", &format!("{}…", "x".repeat(52)));
    }
}
