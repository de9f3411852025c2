//! What a rule may be, and which one wins.

use std::time::{Duration, Instant};

use super::*;

fn rule(id: &str, kind: RuleKind, pattern: &str) -> Rule {
    Rule::new(id, kind, pattern).unwrap_or_else(|err| panic!("{pattern:?}: {err}"))
}

#[track_caller]
fn check_bad(pattern: &str, expected: &str) {
    let bad = Rule::new("mine", RuleKind::Prompt, pattern).unwrap_err().to_string();
    assert_eq!(bad, expected, "of {pattern:?}");
}

#[test]
fn a_bad_pattern_is_refused() {
    check_bad("", "an empty pattern matches everything");
    check_bad("a*", "it matches an empty text, and so everything");
    check_bad("(", "unclosed group");
    check_bad("(?=a)", "look-around, including look-ahead and look-behind, is not supported");
    check_bad("a{1000}{1000}", "it takes more than 256 KiB when compiled; repeat fewer things");
    check_bad(r"[\w\s]{500}", "it takes more than 256 KiB when compiled; repeat fewer things");
    check_bad(&"x".repeat(1025), "it is longer than 1024 bytes");
}

#[test]
fn the_first_rule_of_a_kind_wins() {
    let rules: Rules = [
        rule("title", RuleKind::Title(TitleSays::Waiting(None)), "^x"),
        rule("screen", RuleKind::Screen(Reason::Permission), "may I"),
        rule("work", RuleKind::Title(TitleSays::Working), "^x"),
        rule("later", RuleKind::Screen(Reason::Question), "I"),
        rule("line", RuleKind::Line(Reason::Password), "key:$"),
        rule("prompt", RuleKind::Prompt, r">\z"),
        rule("call", RuleKind::Notification(Reason::Permission), "approve|I"),
    ]
    .into_iter()
    .collect();
    let title = rules.title("x").map(|hit| (hit.id, hit.says));
    assert_eq!(title, Some(("title", TitleSays::Waiting(None))), "waiting stands before work");
    let hit = Hit { id: "screen", says: Reason::Permission, start: 3, end: 8 };
    assert_eq!(rules.screen("so\nmay I?").next(), Some(hit), "with its place");
    assert_eq!(rules.screen("I").next().map(|hit| hit.id), Some("later"), "the next one");
    let all = rules.screen("may I, may I\nI\nmay I").map(|hit| (hit.id, hit.start));
    let places = [("screen", 0), ("screen", 15), ("later", 4), ("later", 13), ("later", 19)];
    assert_eq!(all.collect::<Vec<_>>(), places, "one a row, rule by rule");
    assert_eq!(rules.line("key:").map(|hit| hit.says), Some(Reason::Password), "a line");
    assert_eq!((rules.line("x"), rules.screen("key:").next()), (None, None), "each for its kind");
    let call = rules.notification("approve it").map(|hit| (hit.id, hit.says));
    assert_eq!(call, Some(("call", Reason::Permission)), "a notification");
    assert!(rules.prompt("a>").is_some() && rules.prompt("a> b").is_none(), "a prompt");
}

#[test]
fn no_pattern_takes_for_ever() {
    let hostile = [
        "(a*)*b",
        "(x+x+)+y",
        "(a|a)*c",
        "(.*)(.*)(.*)(.*)(.*)z",
        "(a?){60}a{60}d",
        r"(\w+\s?)+!$",
    ];
    let rules: Rules =
        hostile.iter().map(|it| rule("hostile", RuleKind::Screen(Reason::Error), it)).collect();
    // As much as the lower part of the largest screen holds.
    let text = format!("{}{}", "a".repeat(12_000), "x".repeat(12_000));
    let took = took(|| assert_eq!(rules.screen(&text).next(), None, "and says so"));
    // A program that goes back on its steps takes longer than anybody lives.
    assert!(took < Duration::from_secs(20), "it took {took:?}");
}

#[test]
fn the_largest_pattern_on_a_long_screen_ends_soon() {
    let pattern = r"([a-y]|[b-x]|c{3}){90}z";
    let rules: Rules =
        [rule("large", RuleKind::Screen(Reason::Error), pattern)].into_iter().collect();
    let took = took(|| assert_eq!(rules.screen(&"cabd".repeat(6_000)).next(), None, "and says so"));
    assert!(took < Duration::from_secs(20), "it took {took:?}");
}

#[expect(clippy::disallowed_methods, reason = "how long something takes is what is asked")]
fn took(run: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    run();
    begin.elapsed()
}
