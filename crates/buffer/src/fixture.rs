//! Documents written as text for tests: `<|>` is the cursor, `<^>` the other end of a selection.

use crate::{Document, Selection};

pub(crate) fn parse(marked: &str) -> Document {
    let text = marked.replace("<|>", "").replace("<^>", "");
    let offset = |mark: &str, other: &str| {
        marked.split_once(mark).map(|(before, _)| before.replace(other, "").chars().count())
    };
    let head = offset("<|>", "<^>").unwrap_or_default();
    let anchor = offset("<^>", "<|>").unwrap_or(head);
    let mut document = Document::from_bytes(text.into_bytes()).expect("tests are text");
    document.selection = Selection { anchor, head };
    document
}

pub(crate) fn show(document: &Document) -> String {
    let Selection { anchor, head } = document.selection();
    let mut shown: Vec<String> =
        document.text.slice(0..document.text.len()).chars().map(String::from).collect();
    shown.push(String::new());
    shown[head].insert_str(0, "<|>");
    if anchor != head {
        shown[anchor].insert_str(0, "<^>");
    }
    shown.concat()
}

/// Does `act` to the document `before` and expects `after`.
#[track_caller]
pub(crate) fn check<T>(before: &str, act: impl FnOnce(&mut Document) -> T, after: &str) {
    let mut document = parse(before);
    act(&mut document);
    assert_eq!(show(&document), after, "starting from {before:?}");
}
