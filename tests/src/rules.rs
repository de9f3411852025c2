//! Rules of the user's own: checked, listed, tried, and used for agents that ask in odd words.

use std::fs;

use serde_json::Value;

use crate::command::{refusal, trackside};
use crate::harness::{Instance, Setup, wait_for};

const ODD: &str = "[agents.odd]\nstart = ['sh', '-c', 'stty raw -echo; printf \"Whence the cheese\\r\\n\"; \
                   head -c 1 >/dev/null; sleep 60']\n";
const RULE: &str = "[[agents.odd.rules]]\nid = 'odd.cheese'\nkind = 'screen'\nreason = 'permission'\n\
                    pattern = 'Whence the \\w+'\n";
const BAD: &str = "[[agents.odd.rules]]\nid = 'odd.bad'\nkind = 'screen'\npattern = '('\n";

/// What a command prints without an instance, and its exit code.
fn run(setup: &Setup, args: &[&str]) -> (i32, String) {
    let output = trackside(setup.dir()).args(args).output().expect("it runs");
    let code = output.status.code().expect("an exit code");
    (code, String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn rules_are_checked_without_an_instance() {
    let good = Setup::headless().config(&format!("{ODD}{RULE}"));
    let (code, text) = run(&good, &["agent", "rules", "check"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("odd.cheese") && text.trim_end().ends_with("ok"), "{text}");

    let bad = Setup::headless().config(&format!("{ODD}{RULE}{BAD}"));
    let (code, text) = run(&bad, &["agent", "rules", "check", "--agent", "odd"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("config.toml:11:11: agents.odd.rules `odd.bad`: pattern: "), "{text}");
    let (code, text) = run(&bad, &["agent", "rules", "check", "--json"]);
    let reply: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((code, &reply["ok"]), (1, &Value::Bool(false)), "{reply}");
    assert_eq!(reply["rules"][0]["id"], "odd.cheese", "{reply}");
    assert!(
        reply["rules"][1]["error"].as_str().is_some_and(|it| it.contains("odd.bad")),
        "{reply}"
    );
    let output = trackside(bad.dir()).args(["config", "check"]).output().expect("it runs");
    let (code, message) = refusal(&output);
    assert!(code == 1 && message.contains("`odd.bad`"), "{message}");
}

#[test]
fn a_folders_own_rules_are_listed_once_they_hold() {
    let setup = Setup::headless().config("");
    let folder = setup.path("there");
    fs::create_dir_all(folder.join(".trackside")).expect("a folder");
    fs::write(folder.join(".trackside/config.toml"), format!("{ODD}{RULE}")).expect("settings");
    let folder = folder.to_str().expect("text");
    let list = ["agent", "rules", "list", "-w", folder, "--agent", "odd"];
    let (code, text) = run(&setup, &list);
    assert!(code == 0 && !text.contains("odd.cheese"), "not yet: {text}");
    assert!(text.contains("line.yes_no") && text.contains("once you trust it"), "{text}");

    let (code, text) = run(&setup, &["trust", folder]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(&setup, &list);
    let first = text.lines().next().expect("a line");
    assert!(code == 0 && first.contains("odd.cheese") && first.contains("this folder"), "{text}");
    let (_, text) = run(&setup, &[&list[..], &["--json"]].concat());
    let reply: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(reply["project"]["trusted"], true, "{reply}");
    assert_eq!(reply["rules"][0]["origin"], "project", "{reply}");
}

#[test]
fn a_file_of_rules_is_checked_and_tried_on_a_recording() {
    let setup = Setup::headless().config("");
    let (rules, recording) = (setup.path("mine.toml"), setup.path("cat.jsonl"));
    fs::write(&rules, RULE.replace("agents.odd.rules", "rules")).expect("a file");
    let lines = [
        r#"{"t":0.0,"dir":"proc","fg":1,"lf":[1,1,1],"ps":[[1,0,"cat","S",0,0,0,1,1]]}"#,
        r#"{"t":0.1,"dir":"out","b64":"V2hlbmNlIHRoZSBjaGVlc2UNCg=="}"#,
        r#"{"t":0.9,"dir":"proc","fg":1,"lf":[1,1,1],"same":1}"#,
        r#"{"t":4.0,"dir":"ev","ev":"exit","code":0}"#,
    ];
    fs::write(&recording, lines.join("\n")).expect("a recording");
    let (rules, recording) = (rules.to_str().unwrap(), recording.to_str().unwrap());
    let (code, text) =
        run(&setup, &["agent", "rules", "check", rules, "--try", recording, "--json"]);
    let reply: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((code, &reply["rules"][0]["origin"]), (0, &"file".into()), "{reply}");
    assert_eq!(reply["matches"][0]["rule"], "odd.cheese", "{reply}");
    assert_eq!(reply["matches"][0]["text"], "Whence the cheese", "{reply}");
    fs::write(setup.path("config/trackside/config.toml"), format!("{ODD}{RULE}"))
        .expect("a config");
    let (_, with) = run(&setup, &["replay", recording, "--agent", "odd", "--json"]);
    let (_, without) = run(&setup, &["replay", recording, "--json"]);
    assert!(with.contains("permission") && !without.contains("permission"), "{with}\n{without}");
}

#[test]
fn what_holds_is_listed_with_its_origin() {
    let setup = Setup::headless()
        .config("[[agents.claude.rules]]\nid = 'line.question'\nenabled = false\n");
    let (code, text) = run(&setup, &["agent", "rules", "list", "--agent", "claude", "--json"]);
    let reply: Value = serde_json::from_str(&text).expect("JSON");
    let has =
        |id: &str| reply["rules"].as_array().is_some_and(|all| all.iter().any(|it| it["id"] == id));
    assert_eq!((code, &reply["rules"][0]["origin"]), (0, &"kind".into()), "{reply}");
    assert!(has("screen.permission") && !has("line.question"), "{reply}");
    let (code, text) = run(&setup, &["agent", "rules", "list"]);
    assert!(
        code == 0 && text.contains("line.question") && text.contains("claude."),
        "of all kinds: {text}"
    );
    assert_eq!(run(&setup, &["agent", "rules", "list", "--agent", "nobody"]).0, 1, "unknown");
}

#[test]
fn an_odd_question_is_known_once_there_is_a_rule_for_it() {
    // A bad rule beside it keeps nobody from starting.
    let instance = Setup::headless().config(&format!("{ODD}{BAD}")).start();
    fs::create_dir_all(instance.path("one")).expect("a folder");
    instance.open("one");
    instance.ok(["agent", "start", "odd"]);
    instance.wait("one", "needs_input");
    let agent = || instance.workspace("one")["agent"].clone();
    assert_ne!(agent()["reason"]["kind"], "permission", "nobody knows those words");
    write(&instance, &format!("{ODD}{RULE}"));
    let known = wait_for(|| Some(agent()).filter(|it| it["reason"]["kind"] == "permission"));
    assert_eq!(
        known.unwrap_or_else(agent)["reason"]["text"],
        "Whence the cheese",
        "of a running one"
    );
    let explanation: Value =
        serde_json::from_str(&instance.ok(["explain", "-w", "one", "--json"])).expect("JSON");
    assert_eq!(explanation["rule"], "odd.cheese", "{explanation}");
}

fn write(instance: &Instance, text: &str) {
    fs::write(instance.path("config/trackside/config.toml"), text).expect("a config");
}
