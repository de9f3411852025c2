//! Which links may be followed, and what is said about them.

use super::*;

/// What becomes of an address on the machine `here`.
#[track_caller]
fn check(address: &str, expected: &str) {
    let target = LinkTarget::Address(address.to_owned());
    let got = match Destination::of(&target, "here") {
        Ok(Destination::Outside(address)) => format!("outside {address}"),
        Ok(Destination::File { path, at: None }) => format!("file {path}"),
        Ok(Destination::File { path, at: Some((line, _)) }) => format!("file {path} at {line}"),
        Err(refusal) => format!("{refusal:?}"),
    };
    assert_eq!(got, expected, "{address:?}");
}

#[test]
fn web_and_mail_go_outside() {
    check("https://example.org", "outside https://example.org");
    check("HTTP://example.org:8080/a?b#c", "outside HTTP://example.org:8080/a?b#c");
    check("http://[::1]:80/", "outside http://[::1]:80/");
    check("https://bücher.example/ä", "outside https://bücher.example/ä");
    check("mailto:a@b.org?subject=x", "outside mailto:a@b.org?subject=x");
    check("mailto:a@b.org?subject=x&attach=/etc/passwd", "MailQuery");
}

#[test]
fn files_of_this_machine_may_be_opened() {
    check("file:///tmp/a%20b.rs", "file /tmp/a b.rs");
    check("file://here/tmp/a.rs#L12", "file /tmp/a.rs at 12");
    check("file://HERE/tmp/a.rs#3", "file /tmp/a.rs at 3");
    check("file://localhost/a", "file /a");
    check("file://there/a", "OtherMachine(\"there\")");
    check("file:///a%00b", "BadCharacters");
    check("file:///a%zzb", "BadCharacters");
    check("file:///a%+5b", "BadCharacters");
    check("file:///a%ffb", "BadCharacters");
    check("file:relative", "NoHost");
}

#[test]
fn other_kinds_are_never_opened() {
    check("javascript:alert(1)", "Scheme(\"javascript:\")");
    check("vscode://file/etc/passwd", "Scheme(\"vscode:\")");
    check("ssh://-oProxyCommand=touch%20/tmp/x", "Scheme(\"ssh:\")");
    check("data:text/html,x", "Scheme(\"data:\")");
    check("-oProxyCommand:x", "Scheme(\"oproxycommand:\")");
    check("no scheme", "NoHost");
}

#[test]
fn tricks_are_seen_through() {
    check("http://a@evil", "HiddenHost(\"evil\")");
    check("https://bank.example@evil:80/login", "HiddenHost(\"evil\")");
    check("http://good\\@evil", "BadCharacters");
    check("http://a\0b", "BadCharacters");
    check("http://a\u{202e}b", "BadCharacters");
    check("http://-x/", "NoHost");
    check("http:///path", "NoHost");
    check("http:evil", "NoHost");
    check("https://a b.org", "NoHost");
    check("mailto:-x@y", "NoHost");
    check("mailto:nobody", "NoHost");
    check(&format!("http://a/{}", "x".repeat(3000)), "TooLong");
}

#[track_caller]
fn check_words(address: &str, first: &str, rest: &str) {
    let words = link_words(&LinkTarget::Address(address.to_owned()));
    assert_eq!(words, (first.to_owned(), rest.to_owned()), "{address}");
}

#[test]
fn the_real_host_is_said_first() {
    check_words("http://a@evil/x", "evil", "http://a@evil/x");
    check_words("https://example.org:8/x", "example.org", "https://example.org:8/x");
    check_words("javascript:alert(1)", "javascript:alert(1)", "");
    check_words("mailto:a@b", "mailto:a@b", "");
    let path = LinkTarget::Path { path: "src/x.rs".to_owned(), line: Some(3), column: Some(7) };
    assert_eq!(link_words(&path).0, "src/x.rs:3:7", "as it stands there");
}
