//! What a crash left behind is told, and ended only if the person says so.

use super::*;
use crate::{Confirm, Keeping, LeftBehind, LookReason, ToastKind};

fn left(names: &[&str]) -> Vec<LeftBehind> {
    let program = |(n, name): (usize, &&str)| LeftBehind {
        record: PathBuf::from(format!("/records/{n}")),
        pid: 40 + i32::try_from(n).unwrap(),
        name: (*name).to_owned(),
        place: "~/api".to_owned(),
    };
    names.iter().enumerate().map(program).collect()
}

impl Stage {
    fn left(&mut self, names: &[&str], reason: LookReason) {
        self.fact(Fact::LeftBehind { programs: left(names), reason });
    }

    fn toast(&self) -> &str {
        self.state.toast().map_or("", |toast| &toast.text)
    }

    fn asked(&self) -> Option<&Confirm> {
        match self.state.overlay() {
            Some(Overlay::Confirm(confirm)) => Some(confirm),
            _ => None,
        }
    }
}

#[test]
fn a_crash_is_told_in_passing_and_stays_in_view() {
    let mut stage = Stage::play("open /a");
    stage.left(&[], LookReason::Crash);
    assert_eq!(stage.toast(), "", "nothing to say");
    stage.fact(Fact::Notice("A file is gone".to_owned()));
    stage.left(&["claude"], LookReason::Crash);
    assert_eq!(stage.toast(), "A file is gone. claude in ~/api was left behind by a crash");
    assert!(stage.state.overlay().is_none(), "nobody is interrupted");
    stage.step("after 60");
    assert_eq!(stage.toast(), "", "in passing");
    let warnings = ["claude (pid 40) in ~/api was left behind by a crash"];
    assert_eq!(stage.state.warnings(), warnings, "as long as it lasts");
    stage.left(&["claude", "bash"], LookReason::Crash);
    assert_eq!(stage.toast(), "2 programs were left behind by a crash", "more");
}

#[test]
fn ending_is_asked_for_and_enter_ends_nothing() {
    let mut stage = Stage::play("open /a");
    stage.effects.clear();
    stage.act(Action::Agent(AgentAction::AskAboutLeftBehind)).unwrap();
    assert!(matches!(&stage.effects[..], [Effect::LookForLeftBehind]), "{:?}", stage.effects);
    stage.effects.clear();
    stage.left(&[], LookReason::Asked);
    assert_eq!(stage.toast(), "Nothing was left behind", "nobody there");

    stage.left(&["claude", "bash"], LookReason::Asked);
    let question = stage.asked().expect("a question");
    assert_eq!(question.question, "End 2 programs that a crash left behind?");
    assert_eq!(question.preview, ["claude  pid 40  ~/api", "bash  pid 41  ~/api"]);
    stage.step("key enter");
    assert!(stage.effects.is_empty() && stage.asked().is_none(), "{:?}", stage.effects);
    assert_eq!(stage.state.left_behind(), [], "it is decided");

    stage.left(&["claude", "bash"], LookReason::Asked);
    stage.step("key right");
    stage.step("key enter");
    let [Effect::EndLeftBehind { records, .. }] = &stage.effects[..] else {
        panic!("{:?}", stage.effects)
    };
    assert_eq!(records, &[PathBuf::from("/records/0"), PathBuf::from("/records/1")], "both");
    stage.left(&["bash"], LookReason::Ended(1));
    assert_eq!(stage.toast(), "Could not be ended: bash (pid 40)", "what is left");
    stage.left(&[], LookReason::Ended(2));
    assert_eq!(stage.toast(), "Ended 2 programs", "all");
    assert_eq!(stage.state.warnings(), [] as [&str; 0], "and forgotten");
}

#[test]
fn many_fit_into_a_question_and_another_question_is_left_alone() {
    let mut stage = Stage::play("open /a");
    let names = vec!["claude"; 20];
    stage.left(&names, LookReason::Asked);
    let question = stage.asked().expect("a question");
    assert_eq!(question.preview.len(), 9, "{question:?}");
    assert_eq!(question.preview[8], "and 12 more", "the rest");
    let mut stage = Stage::play("open /a");
    stage.act(Action::Workspace(WorkspaceAction::AskFolder)).unwrap();
    stage.left(&names, LookReason::Asked);
    assert!(matches!(stage.state.overlay(), Some(Overlay::Prompt(_))), "it stays");
}

#[test]
fn a_transcript_that_is_not_kept_stays_in_view_with_its_program() {
    let mut stage = Stage::play("open /a, start cat");
    let program = stage.state.workspaces()[0].agent().map(|agent| ProgramId::Agent(agent.id()));
    let what = Keeping::Transcript(program.expect("an agent"));
    stage.fact(Fact::Keeping(what, Err("it goes on, but the disk is full".to_owned())));
    let text = "cat: it goes on, but the disk is full";
    assert_eq!(
        stage.state.toast().map(|it| (it.text.as_str(), it.kind)),
        Some((text, ToastKind::Error))
    );
    stage.step("after 60");
    assert_eq!(stage.state.cannot_keep(), Some(text), "as long as it lasts");
    stage.fact(Fact::Keeping(what, Ok(())));
    assert_eq!(stage.state.cannot_keep(), None, "all is well again");
}
