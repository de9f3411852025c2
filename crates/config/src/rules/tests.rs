//! Which rules hold for whom, and what is said of those that cannot be used.

use std::path::Path;

use ::rules::{Reason, TitleSays};

use super::*;
use crate::{ConfigError, Project};

const ASK: &str = "kind = 'screen'\npattern = 'x y'\n";

fn config(text: &str) -> Config {
    crate::parse(text, Path::new("config.toml")).unwrap_or_else(|err| panic!("{text:?}: {err}"))
}

/// Exactly that is said of the rules of a config, each after the file's name, and no rule is taken.
#[track_caller]
fn refused(rules: &str, expected: &str) {
    let config = config(rules);
    let said: Vec<String> = config.rule_errors.iter().map(ToString::to_string).collect();
    assert_eq!(said.join("\n"), format!("config.toml:{expected}"), "for {rules:?}");
    assert!(config.agents["claude"].rules.is_empty(), "none is taken of {rules:?}");
}

/// Of one rule with these lines.
#[track_caller]
fn refused_rule(lines: &str, expected: &str) {
    refused(&format!("[[agents.claude.rules]]\n{lines}"), expected);
}

/// Ids and origins of what holds, in order, without the common ones that nobody touched.
#[track_caller]
fn check(text: &str, (name, program): (&str, &str), expected: &str) {
    let known = config(text).known_rules(name, program);
    let own = known.iter().filter(|it| it.origin != RuleOrigin::Common);
    let own: Vec<String> = own.map(|it| format!("{} ({})", it.rule.id(), it.origin)).collect();
    assert_eq!(own.join(", "), expected, "of {name} running {program} with {text:?}");
}

#[test]
fn the_built_in_rules_can_be_used() {
    for (origin, file) in built_in::all() {
        assert_eq!(file.errors, [], "of {origin}");
        assert!(!file.entries.is_empty(), "{origin} has rules");
        for entry in &file.entries {
            assert!(matches!(entry, RuleEntry::Use(_)), "{} is used", entry.id());
        }
    }
    let ids: Vec<&str> = built_in::all()
        .iter()
        .flat_map(|(_, file)| file.entries.iter().map(RuleEntry::id))
        .collect();
    let different: BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(different.len(), ids.len(), "each has an id of its own");
}

#[test]
fn titles_of_agents_are_known() {
    let rules = Config::default().rules("any", "any");
    let check = |titles: &[&str], says: Option<TitleSays>| {
        for title in titles {
            assert_eq!(rules.title(title).map(|hit| hit.says), says, "of {title:?}");
        }
    };
    check(
        &["◐ Claude Code", "◑ fix", "⠂ task", "⠋ api", "✦  Working… (api)"],
        Some(TitleSays::Working),
    );
    check(
        &["[ ! ] Action Required | api", "[ . ] Action Required | api", "✋  Action Required"],
        Some(TitleSays::Waiting(Some(Reason::Permission))),
    );
    check(&["✳ Claude Code", "◇  Ready (api)"], Some(TitleSays::Waiting(None)));
    check(&["", "api", "vim main.rs", "Claude Code", "* x"], None);
}

#[test]
fn notifications_that_ask_to_be_allowed_something_are_known() {
    let rules = Config::default().rules("any", "any");
    let check = |texts: &[&str], says: Option<Reason>| {
        for text in texts {
            assert_eq!(rules.notification(text).map(|hit| hit.says), says, "of {text:?}");
        }
    };
    check(
        &[
            "Agent needs your approval",
            "Claude needs your permission to use Bash",
            "Approval requested: cargo test",
            "Approval required",
            "Codex wants to edit src/main.rs",
            "Waiting for approval",
        ],
        Some(Reason::Permission),
    );
    check(&["Claude is waiting for your input", "Tests pass", "Permission denied", ""], None);
}

/// Those of one kind.
const THEME: &str = "claude.theme (built in for claude)";
const REST: &str = "claude.trust (built in for claude), claude.plan (built in for claude)";

#[test]
fn a_kind_is_a_name_or_a_program() {
    check("", ("claude", "claude"), &format!("{THEME}, {REST}"));
    check("", ("mine", "/opt/bin/claude"), &format!("{THEME}, {REST}"));
    check("", ("claude", "npx"), &format!("{THEME}, {REST}"));
    check("", ("claude", "codex"), &format!("{THEME}, {REST}"));
    let all = Config::default().known_rules("mine", "claude-x");
    let has = |kind| all.iter().any(|known| known.origin == RuleOrigin::Kind(kind));
    assert!(KINDS.into_iter().all(has), "a wrapper may run any of them");
    for kind in KINDS {
        let known = Config::default().agent_rules(kind).expect("an agent");
        assert_eq!(known[0].origin, RuleOrigin::Kind(kind), "its own come first");
    }
}

#[test]
fn own_rules_come_first_replace_and_switch_off() {
    let one = format!("[[agents.claude.rules]]\nid = 'a'\n{ASK}");
    check(&one, ("claude", "claude"), &format!("a (your config), {THEME}, {REST}"));
    check(&one, ("mine", "claude"), &format!("a (your config), {THEME}, {REST}"));
    check(
        &one,
        ("codex", "codex"),
        "codex.approval (built in for codex), codex.edit (built in for codex)",
    );
    let replaced = format!("[[agents.claude.rules]]\nid = 'claude.theme'\n{ASK}");
    check(&replaced, ("claude", "claude"), &format!("claude.theme (your config), {REST}"));
    let off = "[[agents.claude.rules]]\nid = 'claude.theme'\nenabled = false";
    check(off, ("claude", "claude"), REST);
    let both =
        format!("[agents.mine]\nstart = ['claude']\n[[agents.mine.rules]]\nid = 'b'\n{ASK}{one}");
    let all = format!("b (your config), a (your config), {THEME}, {REST}");
    check(&both, ("mine", "claude"), &all);
    let common = config("[[agents.claude.rules]]\nid = 'line.question'\nenabled = false");
    let has =
        |name| common.known_rules(name, name).iter().any(|it| it.rule.id() == "line.question");
    assert!(!has("claude") && has("codex"), "switched off for one agent");
    let shelved = format!("[[agents.claude.rules]]\nid = 'new'\nenabled = false\n{ASK}");
    check(&shelved, ("claude", "claude"), &format!("{THEME}, {REST}"));
}

#[test]
fn a_project_comes_before_the_user() {
    let user = config(&format!(
        "[[agents.claude.rules]]\nid = 'a'\n{ASK}[[agents.claude.rules]]\nid = 'b'\n{ASK}"
    ));
    let text = format!(
        "[[agents.claude.rules]]\nid = 'c'\n{ASK}[[agents.claude.rules]]\nid = 'b'\nenabled = false\n\
         [[agents.claude.rules]]\nid = 'bad'"
    );
    let project = Project::parse(&text, Path::new("file"), &user).expect("a project");
    let known = project.over(&user).known_rules("claude", "claude");
    let ids: Vec<&str> = known.iter().take(3).map(|it| it.rule.id()).collect();
    assert_eq!(ids[..3], ["c", "a", "claude.theme"], "with one of the user's switched off");
    let shown: Vec<String> = project.settings().iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["claude.rules.c = screen question \"x y\"", "claude.rules.b = off"],
        "asked"
    );
    let complaint = project.rule_complaint().expect("and the bad one is told");
    assert!(complaint.starts_with("file:8:1: agents.claude.rules `bad`: missing"), "{complaint}");
}

#[test]
fn a_rule_that_cannot_be_read_is_told_with_its_place() {
    refused_rule("id = 'a'\nkind = 'screen'\npatern = 'x'", {
        "4:1: agents.claude.rules `a`: unknown field `patern`, expected one of `id`, `kind`, `says`, \
         `reason`, `pattern`, `enabled`; did you mean `pattern`?"
    });
    refused_rule("id = 'a'\nkind = 'screen'\npattern = 7", {
        "4:11: agents.claude.rules `a`: pattern: invalid type: integer `7`, expected a string"
    });
    refused_rule("id = 'a'\nkind = 'scren'\npattern = 'x'", {
        "3:8: agents.claude.rules `a`: kind: invalid value: string \"scren\", expected \"title\", \
         \"line\", \"screen\", \"prompt\" or \"notification\""
    });
    refused_rule("id = 'a'\nkind = 'line'\nreason = 'boredom'\npattern = 'x'", {
        "4:10: agents.claude.rules `a`: reason: invalid value: string \"boredom\", expected \
         \"permission\", \"question\", \"confirmation\", \"password\", \"first_run\", \"error\" or \
         \"turn_done\""
    });
    refused_rule("kind = 'screen'\npattern = 'x'", {
        "1:1: agents.claude.rules: missing field `id`"
    });
    refused_rule("id = 'a b'\nkind = 'screen'\npattern = 'x'", {
        "2:6: agents.claude.rules `a b`: id: invalid value: string \"a b\", expected 1 to 64 letters, \
         digits, `-`, `_` or `.`, such as \"my.ask\""
    });
}

#[test]
fn a_rule_that_makes_no_sense_is_told() {
    refused_rule("id = 'a'\nkind = 'screen'", {
        "1:1: agents.claude.rules `a`: missing field `pattern`, expected a regular expression such as \
         '\\?$'"
    });
    refused_rule("id = 'a'\npattern = 'x'", {
        "1:1: agents.claude.rules `a`: missing field `kind`, expected \"title\", \"line\", \"screen\", \
         \"prompt\" or \"notification\""
    });
    refused_rule("id = 'a'\nkind = 'line'\nsays = 'working'\npattern = 'x'", {
        "1:1: agents.claude.rules `a`: says: only a title can say \"working\""
    });
    refused_rule("id = 'a'\nkind = 'title'\nsays = 'working'\nreason = 'error'\npattern = 'x'", {
        "1:1: agents.claude.rules `a`: reason: who works waits for nothing; leave it out, or say \
         \"waiting\""
    });
    refused_rule("id = 'a'\nkind = 'prompt'\nreason = 'error'\npattern = 'x'", {
        "1:1: agents.claude.rules `a`: reason: a prompt waits for whatever comes next; leave it out"
    });
    refused_rule("id = 'claude.them'\nenabled = false", {
        "1:1: agents.claude.rules `claude.them`: id: there is no rule of that id to switch off"
    });
    refused("[agents.claude]\nrules = 'x'", {
        "2:9: agents.claude.rules: expected tables, each under [[agents.claude.rules]]"
    });
    refused("[agents.claude]\nrules = ['x']", {
        "2:10: agents.claude.rules: invalid type: string \"x\", expected a table with `id`, `kind` and \
         `pattern`"
    });
}

#[test]
fn a_bad_pattern_is_told() {
    let pattern = |pattern: &str| format!("id = 'a'\nkind = 'screen'\npattern = '{pattern}'");
    let said = |why: &str| format!("4:11: agents.claude.rules `a`: pattern: {why}");
    refused_rule(&pattern(""), &said("an empty pattern matches everything"));
    refused_rule(&pattern("x*"), &said("it matches an empty text, and so everything"));
    refused_rule(&pattern("(x"), &said("unclosed group"));
    refused_rule(&pattern(&"x".repeat(1025)), &said("it is longer than 1024 bytes"));
    let large = said("it takes more than 256 KiB when compiled; repeat fewer things");
    refused_rule(&pattern("x{1000}{1000}"), &large);
}

fn many(n_rules: usize, agent: &str, pattern: &str) -> String {
    let rule = |n| {
        format!(
            "[[agents.{agent}.rules]]\nid = '{agent}{n}'\nkind = 'line'\npattern = '{pattern}'\n"
        )
    };
    (0..n_rules).map(rule).collect()
}

/// What is taken of claude's rules, and what is said of the first that is not.
#[track_caller]
fn check_bound(text: &str, taken: usize, says: &str) {
    let config = config(text);
    assert_eq!(config.agents["claude"].rules.len(), taken, "so many are taken");
    let error = config.rule_errors.first().map_or_else(String::new, ToString::to_string);
    assert!(error.contains(says), "{error}");
}

#[test]
fn rules_are_bounded_in_number_and_size() {
    check_bound(&many(64, "claude", "x"), 64, "");
    check_bound(&many(90, "claude", "x"), 64, "`claude64`: more than 64 rules");
    let all: String = ["aider", "codex", "gemini", "opencode", "claude"]
        .map(|agent| many(60, agent, "x"))
        .concat();
    // By name: what is left for the last of them is less than 60.
    let config = config(&all);
    assert_eq!(config.agents.values().map(|it| it.rules.len()).sum::<usize>(), 256, "in one file");
    let error = config.rule_errors.first().map_or_else(String::new, ToString::to_string);
    assert!(error.contains("more than 256 rules"), "{error}");
    let large = many(64, "claude", r"\w\w\w");
    let taken = self::config(&large).agents["claude"].rules.len();
    assert!((2..64).contains(&taken), "{taken} of the large ones");
    check_bound(&large, taken, "the rules of this file take more than 4 MiB when compiled");
}

#[test]
fn two_rules_of_one_id_are_one_too_many() {
    let text =
        format!("[[agents.claude.rules]]\nid = 'a'\n{ASK}[[agents.claude.rules]]\nid = 'a'\n{ASK}");
    check_bound(
        &text,
        1,
        "config.toml:5:1: agents.claude.rules `a`: id: another rule of this list has it",
    );
}

#[test]
fn a_bad_rule_costs_nothing_else() {
    let text = format!(
        "font_size = 20\n[agents.mine]\nstart = ['m']\n[[agents.mine.rules]]\nid = 'bad'\n\
         [[agents.mine.rules]]\nid = 'good'\n{ASK}"
    );
    let config = config(&text);
    assert_eq!((config.font_size, &config.agents["mine"].start[0][..]), (20.0, "m"), "the rest");
    let rules = &config.agents["mine"].rules;
    assert_eq!(rules.iter().map(|(_, it)| it.id()).collect::<Vec<_>>(), ["good"], "and the next");
    assert_eq!(config.rule_errors[0].id.as_deref(), Some("bad"), "named");
}

#[test]
fn a_file_of_rules_is_read() {
    let parse = |text: &str| parse_rules(text, Path::new("mine.toml"));
    let file = parse(&format!("[[rules]]\nid = 'a'\n{ASK}[[rules]]\nid = 'b'")).expect("a file");
    assert_eq!(file.entries.iter().map(RuleEntry::id).collect::<Vec<_>>(), ["a"], "the good one");
    let said = "mine.toml:5:1: rules `b`: missing field `kind`";
    assert!(file.errors[0].message.starts_with(said), "{}", file.errors[0]);
    let first = &file.before(Config::default().known_rules("any", "any"))[0];
    assert_eq!((first.origin, first.rule.id()), (RuleOrigin::File, "a"), "before all others");
    let err = parse("[[rule]]\nid = 'a'").map_err(|err: ConfigError| err.to_string());
    assert_eq!(
        err,
        Err("mine.toml:1:3: unknown field `rule`, expected `[[rules]]`".to_owned()),
        "a slip"
    );
}
