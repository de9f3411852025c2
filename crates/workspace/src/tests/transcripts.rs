//! Looking through what agents have printed: what is asked when, and what is listed.

use super::*;
use crate::{PickerKind, TranscriptHit};

fn hit(line: u32) -> TranscriptHit {
    TranscriptHit {
        name: "a".to_owned(),
        folder: "/state/transcripts/agent-a-1/2".into(),
        launch: "2".to_owned(),
        line,
        text: format!("line {line}"),
    }
}

impl Stage {
    /// The questions so far, each with its number.
    fn questions(&self) -> Vec<(u64, String)> {
        let question = |effect: &Effect| match effect {
            Effect::SearchTranscripts { search, query, .. } => Some((*search, query.clone())),
            _ => None,
        };
        self.effects.iter().filter_map(question).collect()
    }

    fn listed(&self) -> Vec<String> {
        let Some(Overlay::Picker(picker)) = self.state.overlay() else { panic!("the list") };
        assert_eq!(picker.kind, PickerKind::Transcripts, "of transcripts");
        picker.items(&self.state).into_iter().map(|item| item.title).collect()
    }
}

#[test]
fn each_change_of_the_question_asks_anew_and_only_the_last_is_listed() {
    let mut stage = Stage::play("open /a");
    stage.act(Action::SearchTranscripts).unwrap();
    stage.step("type l");
    assert_eq!(stage.questions(), [], "a letter is no question");
    stage.step("type i");
    stage.step("type n");
    let questions = stage.questions();
    let words: Vec<&str> = questions.iter().map(|(_, query)| query.as_str()).collect();
    assert_eq!(words, ["li", "lin"], "as it is typed");
    let [(first, _), (second, _)] = questions[..] else { panic!("two questions") };
    let found = |search, hits, is_all| Fact::TranscriptsFound { search, hits, is_all };
    stage.fact(found(first, vec![hit(9)], true));
    assert!(stage.listed().is_empty(), "an answer to an earlier question");
    assert_eq!(stage.state.transcripts_note(), "Looking…");
    stage.fact(found(second, vec![hit(2), hit(1)], false));
    stage.fact(found(second, Vec::new(), true));
    assert_eq!(stage.listed(), ["line 2", "line 1"], "as they came");
    stage.step("key enter");
    let shown =
        |effect: &Effect| matches!(effect, Effect::ShowTranscript(shown) if *shown == hit(2));
    assert!(stage.effects.iter().any(shown), "{:?}", stage.effects);
}

#[test]
fn a_closed_list_looks_for_nothing() {
    let mut stage = Stage::play("open /a");
    stage.act(Action::SearchTranscripts).unwrap();
    stage.step("type line");
    stage.step("key escape");
    let stops = |effect: &Effect| matches!(effect, Effect::StopTranscriptSearch);
    assert!(stage.effects.iter().any(stops), "it is told to stop");
    let [(search, _)] = stage.questions()[..] else { panic!("one question") };
    stage.fact(Fact::TranscriptsFound { search, hits: vec![hit(1)], is_all: true });
    stage.act(Action::SearchTranscripts).unwrap();
    assert!(stage.listed().is_empty(), "what came too late is not listed");
}
