use std::path::PathBuf;

use super::*;
use crate::WorkspaceStatus;
use crate::id::Mint;

fn waiting(names: &str, reason: Reason, text: Option<&str>) -> Vec<Waiting> {
    let mut ids = Mint::default();
    let one = |name: &str| Waiting {
        workspace: WorkspaceId::mint(&mut ids),
        name: name.to_owned(),
        root: PathBuf::from("/src"),
        agent: "claude".to_owned(),
        status: WorkspaceStatus::NeedsInput,
        reason,
        text: text.map(ToOwned::to_owned),
    };
    names.split_whitespace().map(one).collect()
}

#[track_caller]
fn check(waiting: &[Waiting], title: &str, body: &str) {
    let notice = Notice::about(waiting, &Sound::None).expect("somebody waits");
    assert_eq!((notice.title.as_str(), notice.body.as_str()), (title, body));
    assert_eq!(notice.workspace, waiting[0].workspace, "a click leads to the first");
}

#[test]
fn one_is_told_of_in_its_own_words() {
    let one = |reason, text| waiting("api", reason, text);
    check(
        &one(Reason::Permission, Some("Run cargo test?")),
        "api: claude asks for permission",
        "Run cargo test?",
    );
    check(&one(Reason::TurnDone, None), "api: claude is done, your turn", "");
    check(&one(Reason::Silence, None), "api: claude waits", "");
}

#[test]
fn several_are_named() {
    let several = |names: &str| waiting(names, Reason::Error, None);
    check(&several("api web"), "2 agents need you", "api, web");
    check(&several("a b c d e"), "5 agents need you", "a, b, c, d, e");
    check(&several("a b c d e f g"), "7 agents need you", "a, b, c, d, e and 2 more");
    assert_eq!(Notice::about(&[], &Sound::None), None, "nobody");
}

#[test]
fn a_strangers_text_is_one_short_harmless_line() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(plain(text), expected, "for {text:?}");
    }
    check("Run it?", "Run it?");
    check("two\r\nlines\tand \u{1b}[31mred\u{7}", "two lines and [31mred");
    check("safe\u{202e}exe.txt\u{200b}", "safeexe.txt");
    check("a\0b\u{9b}c", "a b c");
    check(" \n ", "");
    check(&"ä".repeat(200), &"ä".repeat(200));
    check(&"ä".repeat(100_000), &format!("{}…", "ä".repeat(200)));
}
