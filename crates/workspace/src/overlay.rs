//! What lies over the panes: pickers, prompts and confirmations, all driven by the keyboard.

mod agents;

use crate::{Action, ProgramId, Queue, State, TabId, TextInput, TileMenu, table};

/// At most one overlay is open.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    Picker(Picker),
    Prompt(Prompt),
    Confirm(Confirm),
    Queue(Queue),
    Menu(TileMenu),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickerKind {
    Commands,
    Agents,
    /// Lines that agents have printed.
    Transcripts,
}

/// A list to choose from, narrowed by typing.
#[derive(Debug, Clone, PartialEq)]
pub struct Picker {
    pub kind: PickerKind,
    pub input: TextInput,
    pub selected: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptKind {
    Folder,
    File,
    /// Where to save all that a terminal has shown.
    SaveOutput(ProgramId),
}

/// A path to type.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    pub kind: PromptKind,
    pub input: TextInput,
    /// Why the last try was refused.
    pub error: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub label: String,
    pub action: Option<Action>,
}

/// A question with a few answers; the first is the one Enter gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Confirm {
    /// The tab it is about; the question is moot once that is not on show or has changed.
    pub about: Option<TabId>,
    pub question: String,
    pub detail: String,
    /// Lines of what it is about.
    pub preview: Vec<String>,
    pub choices: Vec<Choice>,
    pub selected: usize,
}

/// A row of a picker.
#[derive(Debug, Clone, PartialEq)]
pub struct PickItem {
    pub title: String,
    /// Dim words after the title.
    pub note: String,
    /// The keys that do the same, where there are any.
    pub keys: Option<String>,
    /// It cannot be done now; the note says why.
    pub is_dim: bool,
    pub action: Action,
}

impl Overlay {
    pub(crate) fn picker(kind: PickerKind) -> Self {
        Self::Picker(Picker { kind, input: TextInput::default(), selected: 0 })
    }

    /// The list of agents, with the row of the last choice selected.
    pub(crate) fn agents(state: &State) -> Self {
        let selected = agents::last_row(state);
        let kind = PickerKind::Agents;
        Self::Picker(Picker { kind, input: TextInput::default(), selected })
    }

    pub(crate) fn prompt(kind: PromptKind, text: &str) -> Self {
        Self::Prompt(Prompt { kind, input: TextInput::new(text), error: None })
    }

    pub(crate) fn is_queue(&self) -> bool {
        matches!(self, Self::Queue(_))
    }

    pub(crate) fn has_input(&self) -> bool {
        match self {
            Self::Picker(_) | Self::Prompt(_) => true,
            Self::Queue(queue) => queue.is_writing(),
            Self::Confirm(_) | Self::Menu(_) => false,
        }
    }

    pub(crate) fn input_mut(&mut self) -> Option<&mut TextInput> {
        match self {
            Self::Picker(picker) => Some(&mut picker.input),
            Self::Prompt(prompt) => Some(&mut prompt.input),
            Self::Queue(queue) => queue.input_mut(),
            Self::Confirm(_) | Self::Menu(_) => None,
        }
    }

    /// Puts text that came as a whole into the line that is being typed; whether there is one.
    pub(crate) fn insert(&mut self, text: &str) -> bool {
        if let Self::Queue(queue) = self {
            return queue.draft_mut().map(|(_, draft)| draft.insert(text)).is_some();
        }
        self.input_mut().map(|input| input.insert(text)).is_some()
    }
}

impl Picker {
    /// The rows that match what was typed, best first.
    pub fn items(&self, state: &State) -> Vec<PickItem> {
        let query = self.input.text();
        match self.kind {
            PickerKind::Commands => command_items(state, query),
            PickerKind::Agents => agents::items(state, query),
            PickerKind::Transcripts => state.transcript_items(),
        }
    }
}

/// Descriptions are searched only where no title fits: they have too many words in common.
fn command_items(state: &State, query: &str) -> Vec<PickItem> {
    let by_title = ranked_commands(state, |spec| rank(spec.title, query));
    if !by_title.is_empty() {
        return by_title;
    }
    ranked_commands(state, |spec| rank(&format!("{} {}", spec.name, spec.doc), query))
}

fn ranked_commands(
    state: &State,
    rank: impl Fn(&table::ActionSpec) -> Option<u32>,
) -> Vec<PickItem> {
    let item = |spec: &table::ActionSpec| {
        Some(PickItem {
            title: spec.title.to_owned(),
            note: String::new(),
            keys: state.keymap().keys_of(spec.name),
            is_dim: false,
            action: spec.parse(crate::Args::default()).ok()?,
        })
    };
    let mut ranked: Vec<(u32, PickItem)> =
        table::ACTIONS.iter().filter_map(|spec| Some((rank(spec)?, item(spec)?))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, item)| item).collect()
}

/// How well a query fits a title: the words of the query must each occur in it, in any order.
/// Lower is better; `None` does not fit.
fn rank(title: &str, query: &str) -> Option<u32> {
    let title = title.to_lowercase();
    let query = query.trim().to_lowercase();
    if query.is_empty() || title.starts_with(&query) {
        return Some(0);
    }
    let at_word_start = |word: &str| {
        title.match_indices(word).any(|(at, _)| {
            title[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric())
        })
    };
    let mut rank = 1;
    for word in query.split_whitespace() {
        if at_word_start(word) {
            continue;
        }
        if !title.contains(word) {
            return None;
        }
        rank = 2;
    }
    Some(rank)
}

/// Splits a command line at blanks; single and double quotes keep blanks, a backslash the next
/// character. No other shell syntax is known, as no shell will see it.
pub(crate) fn split_command(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('\\', None | Some('"')) => {
                let next = chars.next().unwrap_or('\\');
                word.get_or_insert_default().push(next);
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_split(line: &str, words: &[&str]) {
        assert_eq!(split_command(line), words, "splitting {line}");
    }

    #[test]
    fn commands_split_at_blanks_outside_of_quotes() {
        check_split("sh -c 'echo hi; read x'", &["sh", "-c", "echo hi; read x"]);
        check_split(r#"a "b c" d\ e """#, &["a", "b c", "d e", ""]);
        check_split("   ", &[]);
        check_split("open 'quote", &["open", "quote"]);
    }

    #[test]
    fn every_word_of_the_query_must_fit() {
        assert_eq!(rank("Agent: Start…", "agent"), Some(0), "a prefix is best");
        assert_eq!(rank("Agent: Start…", "start"), Some(1), "a word's start is good");
        assert_eq!(rank("Agent: Start…", "start age"), Some(1), "in any order");
        assert_eq!(rank("Agent: Start…", "tart"), Some(2), "inside a word is worse");
        assert_eq!(rank("Agent: Start…", "stop"), None, "no match");
    }
}
