//! What programs want of the person, and what is asked before text is pasted.

use super::*;
use crate::{Badge, Confirm};

fn store(text: &str) -> TerminalSignal {
    TerminalSignal::ClipboardStore { target: ClipboardTarget::Clipboard, text: text.to_owned() }
}

fn clipboard(stage: &Stage) -> Vec<&str> {
    let copied = stage.effects.iter().filter_map(|effect| match effect {
        Effect::SetClipboard(text) => Some(text.as_str()),
        _ => None,
    });
    copied.collect()
}

fn toast(stage: &Stage) -> &str {
    stage.state.toast().map_or("", |toast| &toast.text)
}

#[test]
fn a_focused_program_copies_and_that_is_said() {
    let mut stage = Stage::play("open /a, start cat");
    let program = stage.agent();
    stage.fact(Fact::Signal { program, signal: store("some text") });
    assert_eq!(clipboard(&stage), ["some text"], "copied");
    assert_eq!(toast(&stage), "cat copied 9 characters", "and said");
    let target = ClipboardTarget::Primary;
    let signal = TerminalSignal::ClipboardStore { target, text: "x".to_owned() };
    stage.fact(Fact::Signal { program, signal });
    let last = stage.effects.last();
    assert!(matches!(last, Some(Effect::SetPrimary(text)) if text == "x"), "{last:?}");
    assert_eq!(toast(&stage), "cat copied 1 character", "the selection likewise");
}

#[test]
fn another_program_gets_a_badge_and_the_clipboard_stays() {
    for away in ["open /b", "terminal sh", "unfocus"] {
        let mut stage = Stage::play(&format!("open /a, start cat, {away}"));
        let program = {
            let workspace = &stage.state.workspaces()[0];
            ProgramId::Agent(workspace.agent().expect("an agent").id())
        };
        stage.fact(Fact::Signal { program, signal: store("rm -rf ~\n") });
        assert_eq!(clipboard(&stage), [""; 0], "{away}: nothing is copied");
        assert_eq!(stage.state.badge(program), Some(Badge::WantedToCopy), "{away}: a badge");
        let workspace = &stage.state.workspaces()[0];
        assert_eq!(stage.state.workspace_badge(workspace), Some(Badge::WantedToCopy), "{away}");
        assert_eq!(toast(&stage), "", "{away}: no word of it yet");
    }
}

#[test]
fn what_it_wanted_to_copy_is_told_once_looked_at_and_copied_when_taken() {
    let mut stage = Stage::play("open /a, start cat");
    let program = stage.agent();
    stage.step("open /b");
    stage.fact(Fact::Signal { program, signal: store("text") });
    stage.step("open /a");
    assert_eq!(stage.state.badge(program), None, "seen");
    assert!(toast(&stage).starts_with("cat wanted to copy 4 characters"), "{}", toast(&stage));
    assert_eq!(clipboard(&stage), [""; 0], "and still not copied");
    stage.act(Action::TakeCopy).unwrap();
    assert_eq!(clipboard(&stage), ["text"], "taken");
    assert_eq!(stage.act(Action::TakeCopy), Err(ActionError::NothingToTake), "once");
    stage.step("open /b");
    stage.fact(Fact::Signal { program, signal: store("more") });
    stage.step("open /a");
    stage.step("open /b");
    stage.step("open /a");
    assert_eq!(stage.act(Action::TakeCopy), Err(ActionError::NothingToTake), "left behind");
}

/// A signal a thousand times a second for so many seconds: the window calls for the person once.
#[track_caller]
fn check_storm(signal: &TerminalSignal, seconds: u32) {
    let mut stage = Stage::play("open /a, terminal sh, unfocus");
    let program = ProgramId::Terminal(stage.terminal());
    stage.effects.clear();
    for _ in 0..seconds * 1000 {
        stage.fact(Fact::Signal { program, signal: signal.clone() });
        stage.now += Duration::from_millis(1);
    }
    let asked =
        |stage: &Stage| stage.effects.iter().filter(|it| matches!(it, Effect::Attention)).count();
    assert_eq!(asked(&stage), 1, "{signal:?} for {seconds} s");
    assert_eq!(stage.state.badge(program), Some(Badge::Called), "a badge");
    assert_eq!(toast(&stage), "", "and no words");
    for step in ["open /b", "focus", "unfocus"] {
        stage.step(step);
    }
    stage.now += Duration::from_secs(10);
    stage.fact(Fact::Signal { program, signal: signal.clone() });
    assert_eq!(asked(&stage), 2, "{signal:?} once more after the person has been there");
}

#[test]
fn however_often_bells_and_notifications_come_the_window_calls_once() {
    check_storm(&TerminalSignal::Bell, 3);
    let notification =
        TerminalSignal::Notification { title: None, body: "\u{1b}[31mclick here".to_owned() };
    check_storm(&notification, 11);
}

#[test]
fn who_is_looked_at_needs_no_badge() {
    let mut stage = Stage::play("open /a, start cat");
    let program = stage.agent();
    stage.fact(Fact::Signal { program, signal: TerminalSignal::Bell });
    assert_eq!(stage.state.badge(program), None, "looked at");
    stage.step("terminal sh");
    stage.now += Duration::from_secs(2);
    stage.fact(Fact::Signal { program, signal: TerminalSignal::Bell });
    assert_eq!(stage.state.badge(program), Some(Badge::Called), "hidden");
    stage.step("key ctrl-shift-1");
    assert_eq!(stage.state.badge(program), None, "seen");
}

fn pasted(stage: &Stage) -> usize {
    stage.effects.iter().filter(|effect| matches!(effect, Effect::PastePty { .. })).count()
}

fn question(stage: &Stage) -> Option<&Confirm> {
    match stage.state.overlay() {
        Some(Overlay::Confirm(confirm)) => Some(confirm),
        _ => None,
    }
}

/// Whether a paste after that script is asked about.
#[track_caller]
fn check_asked(prints: &str, text: &str, asked: bool) {
    let mut stage = Stage::play(&format!("open /a, terminal sh, prints {prints}"));
    stage.act(Action::InsertPasted(text.to_owned())).unwrap();
    assert_eq!(question(&stage).is_some(), asked, "{text:?} after {prints:?}");
    assert_eq!(pasted(&stage), usize::from(!asked), "pasted or asked about");
}

#[test]
fn a_paste_that_could_run_something_is_asked_about() {
    check_asked("$", "ls", false);
    check_asked("$", "a\tb", false);
    check_asked("$", "ls\n", true);
    check_asked("$", "one\ntwo", true);
    check_asked("$", "a\u{1b}[201~b", true);
    check_asked("\u{1b}[?2004h", "one\ntwo", false);
}

#[test]
fn only_a_deliberate_key_pastes_and_one_can_stop_being_asked() {
    let ask = |stage: &mut Stage| {
        stage.act(Action::InsertPasted("one\n\u{1b}two\nthree".to_owned())).unwrap();
    };
    let mut stage = Stage::play("open /a, terminal sh");
    ask(&mut stage);
    let confirm = question(&stage).expect("a question");
    assert_eq!(confirm.question, "Paste 3 lines into sh?", "how many");
    assert_eq!(confirm.preview, ["one", "^[two", "three"], "and which");
    assert!(confirm.detail.contains("→, then Enter"), "and how: {}", confirm.detail);
    for key in ["escape", "enter", "space", "y"] {
        stage.step(&format!("key {key}"));
        assert_eq!(pasted(&stage), 0, "{key} does not paste");
        if question(&stage).is_none() {
            ask(&mut stage);
        }
    }
    stage.step("key right enter");
    assert_eq!(pasted(&stage), 1, "pasted");
    ask(&mut stage);
    stage.step("key right right enter");
    assert_eq!(pasted(&stage), 2, "pasted, for the last time with a question");
    ask(&mut stage);
    assert_eq!((pasted(&stage), question(&stage)), (3, None), "at once");
    stage.step("terminal zsh");
    ask(&mut stage);
    assert!(question(&stage).is_some(), "another terminal asks");
}

#[test]
fn a_long_paste_is_shown_in_part() {
    let mut stage = Stage::play("open /a, terminal sh");
    stage.act(Action::InsertPasted(format!("{}\n", "x".repeat(500)).repeat(1000))).unwrap();
    let confirm = question(&stage).expect("a question");
    assert_eq!(confirm.preview.len(), 7, "a few lines");
    assert_eq!(confirm.preview[6], "… and 994 more", "and how many more");
    assert!(confirm.preview[0].len() <= 94, "each cut");
    assert!(confirm.preview[0].ends_with('…'), "and it says so");
}

#[test]
fn a_paste_hides_nothing_from_who_is_asked() {
    let mut stage = Stage::play("open /a, terminal sh");
    stage.act(Action::InsertPasted("a\rb\u{202e}c\x1bd\r".to_owned())).unwrap();
    let confirm = question(&stage).expect("a question");
    assert!(confirm.question.starts_with("Paste 2 lines"), "{}", confirm.question);
    assert_eq!(confirm.preview, ["a", "b\u{fffd}c^[d"], "line by line");
}

#[test]
fn what_is_selected_goes_to_the_primary_selection_and_the_clipboard_if_wanted() {
    let select = |copy_on_select: bool| {
        let mut config = Config::default();
        config.terminal.copy_on_select = copy_on_select;
        let mut stage = Stage::play("open /a, terminal sh, prints hello world");
        stage.fact(Fact::ConfigRead(Box::new(config)));
        let at = terminal::CellPoint { row: 0, column: 1 };
        let (kind, side) = (terminal::SelectionKind::Word, terminal::Side::Left);
        stage.act(Action::Terminal(crate::TerminalAction::Select { kind, at, side })).unwrap();
        stage.act(Action::SelectionMade).unwrap();
        stage
    };
    let stage = select(false);
    let last = stage.effects.last();
    assert!(matches!(last, Some(Effect::SetPrimary(text)) if text == "hello"), "{last:?}");
    assert_eq!(clipboard(&stage), [""; 0], "the clipboard is left alone");
    assert_eq!(clipboard(&select(true)), ["hello"], "unless that is wanted");
}

#[test]
fn the_path_of_a_pasted_image_is_typed_where_it_was_pasted() {
    let mut stage = Stage::play("open /a, terminal sh");
    let program = ProgramId::Terminal(stage.terminal());
    let image = || Fact::ImagePasted { program, text: "/cache/1-1.png".to_owned() };
    stage.fact(image());
    assert_eq!(pasted(&stage), 1, "typed");
    stage.step("terminal zsh");
    stage.fact(image());
    assert_eq!(pasted(&stage), 1, "not into another one");
    assert_eq!(toast(&stage), "The pasted image is in /cache/1-1.png", "but said");
}
