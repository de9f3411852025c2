//! What is left of many signals in one feed.

use super::*;

fn fed(signals: impl IntoIterator<Item = TerminalSignal>) -> Vec<TerminalSignal> {
    let mut fed = Fed::default();
    signals.into_iter().for_each(|signal| fed.signal(signal));
    fed.signals
}

fn store(target: ClipboardTarget, text: &str) -> TerminalSignal {
    TerminalSignal::ClipboardStore { target, text: text.to_owned() }
}

fn note(number: usize) -> TerminalSignal {
    TerminalSignal::Notification { title: None, body: number.to_string() }
}

#[test]
fn the_last_of_a_kind_wins() {
    let title = |text: &str| TerminalSignal::Title(text.to_owned());
    let signals = fed([title("a"), TerminalSignal::Bell, title("b"), TerminalSignal::Bell]);
    assert_eq!(signals, [title("b"), TerminalSignal::Bell], "in the order of the last ones");
}

#[test]
fn the_two_clipboards_are_two() {
    use ClipboardTarget::{Clipboard, Primary};
    let signals = fed([store(Clipboard, "a"), store(Primary, "b"), store(Clipboard, "c")]);
    assert_eq!(signals, [store(Primary, "b"), store(Clipboard, "c")], "one of each");
    let too_long = store(Clipboard, &"x".repeat(MAX_CLIPBOARD + 1));
    let told = TerminalSignal::ClipboardTooLarge(Clipboard);
    assert_eq!(fed([store(Clipboard, "a"), too_long]), [store(Clipboard, "a"), told], "too long");
}

#[test]
fn the_newest_few_of_a_story_are_kept_in_order() {
    let signals = fed((0..100).map(note));
    assert_eq!(signals, (68..100).map(note).collect::<Vec<_>>(), "the last 32");
    let marks =
        [PromptMark::Start, PromptMark::Input, PromptMark::Output].map(TerminalSignal::Prompt);
    assert_eq!(fed(marks.clone()), marks, "prompts tell where things begin and end");
}

#[test]
fn replies_are_bounded() {
    let mut fed = Fed::default();
    for _ in 0..100_000 {
        fed.reply("\x1b[0n");
    }
    assert_eq!(fed.replies.len(), MAX_REPLIES, "whole replies up to the limit");
}
