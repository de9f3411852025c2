//! Agents by name: what they are given, what is refused, what is remembered.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::{Instance, Setup, set_mode};

/// Says its arguments and what it finds in its environment, then waits.
const TELLING: &str = r#"
[agents.telling]
display_name = "Telling agent"
start = ["sh", "-c", 'for it; do echo "<$it>"; done; env | grep ^TRACKSIDE_[PWS]; exec cat', "sh", "--x=$TRACKSIDE_WORKTREE/y", "$TRACKSIDE_WORKSPACE$TRACKSIDE_WORKSPACE_", "$HOME `id` $(id)"]
env = { TRACKSIDE_SLUG = "mine" }
"#;

#[test]
fn tokens_are_replaced_without_a_shell_and_exported() {
    let instance = Setup::headless().config(TELLING).start();
    instance.open("one");
    instance.ok(["agent", "start", "telling"]);
    let root = instance.path("one").canonicalize().unwrap();
    let root = root.to_str().unwrap();
    let socket = instance.socket();
    for line in [
        &format!("<--x={root}/y>"),
        "<oneone_>",
        "<$HOME `id` $(id)>",
        &format!("TRACKSIDE_PROJECT_ROOT={root}"),
        &format!("TRACKSIDE_WORKTREE={root}"),
        "TRACKSIDE_WORKSPACE=one",
        &format!("TRACKSIDE_SOCKET={}", socket.display()),
        "TRACKSIDE_SLUG=mine",
    ] {
        instance.wait_for_screen("one", line);
    }
}

/// The launch is one clear line, and leaves nothing behind.
#[track_caller]
fn check_refused(instance: &Instance, agent: &str, says: &str) {
    let (code, line) = instance.refused(["agent", "start", agent]);
    assert_eq!(code, 1, "{agent}: {line}");
    assert!(line.contains(says), "{agent} should say {says:?}: {line}");
    let workspace = instance.workspace("one");
    assert_eq!(workspace["agent"], Value::Null, "{agent}: no agent");
    assert_eq!(workspace["tabs"], Value::Array(Vec::new()), "{agent}: no tab");
}

#[test]
fn what_cannot_be_started_leaves_nothing_behind() {
    let setup = Setup::headless();
    let (folder, plain) = (setup.path("two"), setup.path("plain"));
    fs::write(&plain, "").unwrap();
    set_mode(&plain, 0o644);
    let config = format!(
        "[agents.prompt]\nstart = ['sh', '-c', 'x$TRACKSIDE_PROMPT']\n\
         [agents.folder]\nstart = ['{}']\n[agents.plain]\nstart = ['{}']\n\
         [agents.absent]\nstart = ['no-such-program']\n\
         [agents.mine]\nstart = ['$TRACKSIDE_WORKTREE/none']\n",
        folder.display(),
        plain.display(),
    );
    let instance = setup.config(&config).start();
    instance.open("one");
    check_refused(&instance, "prompt", "$TRACKSIDE_PROMPT has no value");
    check_refused(&instance, "folder", "is a folder, not a program");
    check_refused(&instance, "plain", "is not executable");
    check_refused(&instance, "absent", "no-such-program was not found");
    check_refused(&instance, "mine", "one/none was not found");
    check_refused(&instance, "nobody", "no agent is called `nobody`; known agents: absent, ");
    let doctor = instance.ok(["doctor"]);
    assert!(doctor.contains("(fine)"), "nothing of it is a mistake in the file: {doctor}");
}

#[test]
fn an_unknown_token_is_a_mistake_in_the_file() {
    let instance =
        Setup::headless().config("[agents.x]\nstart = ['sh', 'a$TRACKSIDE_NO']\n").start();
    instance.open("one");
    let (code, line) = instance.refused(["config", "check"]);
    assert_eq!(code, 1, "{line}");
    assert!(line.contains("config.toml:2:") && line.contains("`$TRACKSIDE_NO`"), "{line}");
    instance.ok(["agent", "start", "fake"]);
}

fn listed(instance: &Instance) -> Value {
    serde_json::from_str(&instance.ok(["agent", "list", "--json"])).unwrap()
}

fn agent<'a>(list: &'a Value, name: &str) -> &'a Value {
    let agents = list["agents"].as_array().expect("a list");
    agents.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no {name} in {list}"))
}

#[test]
fn the_list_of_agents_says_where_each_comes_from() {
    let instance = Setup::headless().config(TELLING).start();
    instance.open("one");
    let list = listed(&instance);
    let root = instance.path("one").canonicalize().unwrap();
    assert_eq!(list["folder"], root.to_str().unwrap(), "the active workspace: {list}");
    assert_eq!(list["project"], Value::Null, "nothing of its own");
    let fake = agent(&list, "fake");
    assert_eq!((&fake["installed"], &fake["source"]), (&true.into(), &"built_in".into()), "{fake}");
    assert!(fake["path"].as_str().is_some_and(|path| path.ends_with("/sh")), "{fake}");
    let telling = agent(&list, "telling");
    assert_eq!(telling["display_name"], "Telling agent", "{telling}");
    assert_eq!(
        (&telling["source"], &telling["trusted"]),
        (&"user".into(), &Value::Null),
        "{telling}"
    );
    let claude = agent(&list, "claude");
    assert_eq!((&claude["installed"], &claude["path"]), (&false.into(), &Value::Null), "{claude}");
    assert!(claude["reason"].as_str().is_some_and(|it| it.contains("not found")), "{claude}");

    write_project(&instance.path("one"), "[agents.fake]\nstart = ['./run']\n");
    let fake = agent(&listed(&instance), "fake").clone();
    assert_eq!((&fake["source"], &fake["trusted"]), (&"project".into(), &false.into()), "{fake}");
    let text = instance.ok(["agent", "list"]);
    assert!(text.contains("from this folder, not trusted"), "in words: {text}");
    instance.ok(["trust".as_ref(), instance.path("one").as_os_str()]);
    let fake = agent(&listed(&instance), "fake").clone();
    assert_eq!(fake["trusted"], true, "{fake}");
}

pub(crate) fn write_project(root: &Path, text: &str) {
    fs::create_dir_all(root.join(".trackside")).unwrap();
    fs::write(root.join(".trackside/config.toml"), text).unwrap();
}

#[test]
fn the_last_choice_of_a_folder_outlives_the_program() {
    let config =
        "[agents.aaa]\nstart = ['echo', 'first']\n[agents.zzz]\nstart = ['echo', 'last']\n";
    let mut instance = Setup::headless().config(config).start();
    instance.open("one");
    instance.ok(["agent", "start", "zzz"]);
    instance.wait("one", "completed");
    instance.open("two");
    instance.ok(["agent", "start", "--", "echo", "by command"]);
    instance.wait("two", "completed");
    instance.quit();
    instance.start_again();
    for (folder, says) in [("one", "last"), ("two", "by command")] {
        instance.open(folder);
        instance.ok(["keys", "ctrl-shift-a", "enter"]);
        instance.wait_for_screen(folder, says);
        instance.wait(folder, "completed");
    }
    let choices = instance.path("state/trackside/choices.json");
    fs::write(&choices, "{").unwrap();
    instance.quit();
    instance.start_again();
    instance.open("one");
    instance.ok(["keys", "ctrl-shift-a", "enter"]);
    instance.wait_for_screen("one", "first");
    assert!(instance.path("state/trackside/choices.json.bad-1").exists(), "set aside, not lost");
}
