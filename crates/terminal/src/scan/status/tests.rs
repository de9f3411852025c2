//! Reports as programs send them, and as they should not.

use super::*;

#[track_caller]
fn check(body: &str, expected: &str) {
    let told = match parse(body.as_bytes()) {
        Some(status) => tell(&status),
        None => "dropped".to_owned(),
    };
    assert_eq!(told, expected, "{body:?}");
}

fn tell(status: &ProgramStatus) -> String {
    let ProgramStatus { state, id, app, title, message, progress } = status;
    let mut told = format!("{state:?}");
    let texts = [("id", id), ("app", app), ("title", title), ("message", message)];
    for (name, text) in texts {
        if let Some(text) = text {
            told.push_str(&format!(" {name}={text}"));
        }
    }
    if let Some(progress) = progress {
        told.push_str(&format!(" {progress}%"));
    }
    told
}

#[test]
fn recorded_reports_are_read() {
    check("state=working:app=codex", "Working app=codex");
    check("state=idle:app=claude-code", "Idle app=claude-code");
    check("state=done:app=codex", "Done app=codex");
    check("state=clear", "Cleared");
    check("state=blocked:app=codex:kind=permission", "Blocked(Permission) app=codex");
    check(
        "state=blocked:app=claude-code:kind=permission:msg=dHJ1c3QgdGhpcyBmb2xkZXI=",
        "Blocked(Permission) app=claude-code message=trust this folder",
    );
    check(
        "state=blocked:app=claude-code:kind=question:msg=YW5zd2VyOiBXaGljaCBkYXRhYmFzZT8gKFNRTGl0ZSDCtyBQb3N0Z3JlU1FMKQ==",
        "Blocked(Question) app=claude-code message=answer: Which database? (SQLite · PostgreSQL)",
    );
}

#[test]
fn keys_are_read_by_the_rules_of_the_protocol() {
    check("state=error", "Error");
    check("state=blocked", "Blocked(Other)");
    check("state=blocked:kind=auth", "Blocked(Auth)");
    check("state=blocked:kind=other", "Blocked(Other)");
    check("state=idle:kind=auth", "Idle");
    check(" state = working : bogus : Foo=1 : progress= 7 :x=a b", "Working 7%");
    check("state=idle:state=done", "Done");
    check("state=working:progress=101", "Working");
    check("state=working:progress=+5", "Working");
    check("state=done:progress=5", "Done");
    check("state=working:id=a/b.c:title=aGk", "Working id=a/b.c title=hi");
    check("state=clear:id=a", "Cleared id=a");
    check("state=idle:app=", "Idle");
    check("state=idle:app=a b", "Idle");
    check("state=idle:msg=", "Idle");
}

#[test]
fn what_means_no_record_is_dropped_whole() {
    for body in [
        "",
        "state",
        "app=codex",
        "state=sleeping",
        "state=idle:id=",
        "state=idle:id=a//b",
        "state=idle:id=a b",
        "state=idle:id=1/2/3/4/5/6/7/8/9",
    ] {
        check(body, "dropped");
    }
    check(&format!("state=idle:id={}", "a".repeat(33)), "dropped");
    check(&format!("state=idle:id={}", vec!["a".repeat(32); 4].join("/")), "dropped");
}

#[test]
fn what_is_wrong_beside_the_state_costs_nothing_but_itself() {
    check("state=blocked:msg=Y", "Blocked(Other)");
    check("state=blocked:msg=%%%", "Blocked(Other)");
    check("state=idle:averyveryverylongkey=1", "Idle");
    check(&format!("state=idle:app={}", "a".repeat(33)), "Idle");
    check(&format!("state=idle:x={}", "a".repeat(4096)), "Idle");
}

#[test]
fn texts_are_made_safe_and_short() {
    check("state=idle:msg=YeKArmLigItj", "Idle message=abc");
    check("state=idle:msg=4oCu", "Idle");
    check("state=idle:msg=Cg", "Idle");
    for times in [100, 684, 4000] {
        let long = format!("state=idle:title={0}:msg={0}", "YWFh".repeat(times));
        let text = "a".repeat(256);
        check(&long, &format!("Idle title={text} message={text}"));
    }
}

#[test]
fn texts_of_several_lines_and_of_broken_characters_are_texts() {
    let message = |base64: &str, expected: &str| {
        check(
            &format!("state=blocked:msg={base64}"),
            &format!("Blocked(Other) message={expected}"),
        );
    };
    // With line breaks, a tab, an escape, a bell and a NUL, and bytes that are no text.
    message("YXBwcm92ZSBCYXNoOgptYWtlIGNsZWFuCm1ha2U=", "approve Bash: make clean make");
    message("YQliDQpj", "a b c");
    message("YRtbMzFtYgcAYw==", "a [31mb c");
    message("Yf8gYg==", "a\u{fffd} b");
}

#[test]
fn only_a_question_mark_alone_asks() {
    for (body, expected) in [
        ("?", true),
        (" ? ", true),
        ("?:states=idle", true),
        ("??", false),
        ("state=?", false),
        ("", false),
    ] {
        assert_eq!(is_query(body.as_bytes()), expected, "{body:?}");
    }
}
