//! A folder's own settings: nothing in them runs before the user has trusted them.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::command::{binary, trackside, wrapped};
use crate::harness::{Instance, Setup, timed};
use crate::names::write_project;

/// A stranger's `fake`, which leaves a mark, and a `polite` one that the user has, too.
const STRANGER: &str =
    "[agents.fake]\nstart = ['sh', '-c', 'echo stranger; touch mark; exec cat']\n";
const USER: &str = "[agents.polite]\nstart = ['sh', '-c', 'echo polite $A; exec cat']\n";

fn with_stranger() -> Instance {
    let instance = Setup::headless().config(USER).start();
    write_project(&instance.path("one"), STRANGER);
    instance.open("one");
    instance
}

#[track_caller]
fn check_untrusted(instance: &Instance, agent: &str) {
    let (code, line) = instance.refused(["agent", "start", agent]);
    assert_eq!(code, 1, "{line}");
    let root = instance.path("one").canonicalize().unwrap();
    let advice = format!("trackside trust {}", root.display());
    assert!(line.contains(&advice), "says what to do, {advice}: {line}");
    assert_eq!(instance.workspace("one")["status"], "idle", "nothing is started");
    assert!(!instance.path("one/mark").exists(), "nothing has run");
}

fn trust(instance: &Instance, args: &[&str], folder: &str) -> String {
    let folder = instance.path(folder);
    instance.ok(["trust"].iter().chain(args).map(AsRef::as_ref).chain([folder.as_os_str()]))
}

#[test]
fn what_is_not_trusted_does_not_run_and_all_else_does() {
    let instance = with_stranger();
    check_untrusted(&instance, "fake");
    instance.ok(["agent", "start", "polite"]);
    instance.wait_for_screen("one", "polite");
    instance.open("two");
    instance.ok(["agent", "start", "fake"]);
    instance.wait("two", "running");
}

#[test]
fn trust_is_given_seen_kept_and_taken_back() {
    let mut instance = with_stranger();
    let shown = "fake.start = [\"sh\", \"-c\", \"echo stranger; touch mark; exec cat\"]";
    assert_eq!(trust(&instance, &["--show"], "one").trim(), shown, "looking changes nothing");
    check_untrusted(&instance, "fake");
    let said = trust(&instance, &[], "one");
    assert!(said.starts_with(shown), "what is trusted: {said}");
    instance.ok(["agent", "start", "fake"]);
    instance.wait_for_screen("one", "stranger");

    let file = instance.path("state/trackside/trust.json");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "the user's alone");
    let root = instance.path("one").canonicalize().unwrap();
    assert_eq!(instance.ok(["trust", "--list"]).trim(), root.to_str().unwrap(), "listed");

    instance.quit();
    fs::remove_file(instance.path("one/mark")).unwrap();
    instance.start_again();
    instance.open("one");
    instance.ok(["agent", "start", "fake"]);
    instance.wait_for_screen("one", "stranger");
    instance.ok(["agent", "stop"]);
    fs::remove_file(instance.path("one/mark")).unwrap();
    instance.ok(["do", "tab.close"]);

    write_project(&instance.path("one"), &STRANGER.replace("stranger", "another"));
    assert!(instance.ok(["trust", "--list"]).contains("changed since"), "told");
    check_untrusted(&instance, "fake");
    write_project(&instance.path("one"), STRANGER);
    instance.ok(["trust".as_ref(), "--revoke".as_ref(), instance.path("one").as_os_str()]);
    check_untrusted(&instance, "fake");
    let (code, line) =
        instance.refused(["trust".as_ref(), "--revoke".as_ref(), instance.path("one").as_os_str()]);
    assert!(code == 1 && line.contains("was not trusted"), "{line}");
}

#[test]
fn a_folder_without_settings_has_nothing_to_trust() {
    let setup = Setup::headless();
    let run = |args: &[&str]| trackside(setup.dir()).args(args).output().unwrap();
    let (code, line) = crate::command::refusal(&run(&["trust", "one"]));
    assert!(code == 1 && line.contains("nothing to trust"), "{line}");
    let (code, line) = crate::command::refusal(&run(&["trust", "nowhere"]));
    assert!(code == 1 && line.contains("nowhere"), "{line}");
    write_project(&setup.path("one"), "[agents.claude]\nstale_timeout = '2m'\n");
    let output = run(&["trust", "one"]);
    assert!(output.status.success(), "needs none: {output:?}");
    assert!(!setup.path("state/trackside/trust.json").exists(), "and gets none");
    assert_eq!(run(&["trust", "--list", "one"]).status.code(), Some(2), "wrong usage");
}

/// Chooses `fake` in the list, which leads to the question.
fn choose(instance: &Instance) {
    instance.ok(["keys", "ctrl-shift-a"]);
    instance.ok(["type", "fake"]);
    instance.ok(["keys", "enter"]);
}

#[test]
fn the_window_asks_once_and_no_is_the_default() {
    for setup in [Setup::headless(), Setup::windowed()] {
        let instance = setup.start();
        write_project(&instance.path("one"), STRANGER);
        instance.open("one");
        choose(&instance);
        instance.ok(["keys", "enter"]);
        check_untrusted(&instance, "fake");
        choose(&instance);
        instance.ok(["keys", "escape"]);
        check_untrusted(&instance, "fake");
        choose(&instance);
        instance.ok(["keys", "right", "right", "enter"]);
        instance.wait_for_screen("one", "stranger");
        instance.ok(["agent", "stop"]);
        fs::remove_file(instance.path("one/mark")).unwrap();
        choose(&instance);
        instance.wait("one", "running");

        instance.ok(["agent", "stop"]);
        write_project(&instance.path("one"), &STRANGER.replace("stranger", "another"));
        choose(&instance);
        instance.ok(["keys", "enter"]);
        assert!(!instance.screen("one").contains("another"), "what is new is asked about again");
        choose(&instance);
        instance.ok(["keys", "right", "enter"]);
        let tabs = instance.workspace("one")["tabs"].to_string();
        assert!(tabs.contains(".trackside/config.toml"), "it can be read first: {tabs}");
    }
}

#[test]
fn an_agent_cannot_trust_a_folder() {
    let instance = with_stranger();
    let (binary, folder) = (binary(), instance.path("one"));
    let command = [binary.to_str().unwrap(), "trust", folder.to_str().unwrap()];
    instance.open("two");
    instance.start_agent("two", &command);
    instance.wait("two", "errored");
    instance.wait_for_screen("two", "may not drive");
    instance.open("one");
    check_untrusted(&instance, "fake");
    assert_eq!(instance.ok(["trust", "--list"]), "", "nothing is trusted");
}

/// Whatever is in place of the settings: no hang, no crash, and commands still run.
#[track_caller]
fn check_hostile(says: &str, make: impl FnOnce(&Path, &Path)) {
    let instance = Setup::headless().config(USER).start();
    let root = instance.path("one");
    write_project(&root, "");
    let file = root.join(".trackside/config.toml");
    fs::remove_file(&file).unwrap();
    make(&root, &file);
    let ((), took) = timed(|| instance.open("one"));
    assert!(took < Duration::from_secs(20), "{says}: opening took {took:?}");
    let (code, line) = instance.refused(["agent", "start", "polite"]);
    assert_eq!(code, 1, "{line}");
    assert!(line.contains("config.toml") && line.contains(says), "{says}: {line}");
    assert!(line.len() < 1_000, "one line, not {} bytes", line.len());
    instance.ok(["agent", "list"]);
    instance.start_agent("one", &["true"]);
    instance.wait("one", "completed");
    instance.open("two");
    instance.ok(["agent", "start", "polite"]);
    instance.wait_for_screen("two", "polite");
}

#[test]
fn hostile_settings_neither_hang_nor_crash() {
    check_hostile("not a regular file", |_, file| fs::create_dir(file).unwrap());
    check_hostile("symbolic link", |_, file| symlink("/dev/zero", file).unwrap());
    check_hostile("symbolic link", |root, file| {
        fs::write(root.join("../stray.toml"), STRANGER).unwrap();
        symlink(root.join("../stray.toml"), file).unwrap();
    });
    check_hostile("not a regular file", |_, file| {
        nix::unistd::mkfifo(file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    });
    check_hostile("longer than", |_, file| {
        fs::File::create(file).unwrap().set_len(1 << 32).unwrap();
    });
    check_hostile("UTF-8", |_, file| fs::write(file, b"\xff").unwrap());
}

#[test]
fn mistakes_stop_only_the_agents_they_may_be_about() {
    let check =
        |text: &str, says: &str| check_hostile(says, |_, file| fs::write(file, text).unwrap());
    check(
        "[agents.polite]\nstart = []\n",
        "config.toml:2:9: agents.polite.start: an empty command",
    );
    check("[agents.polite]\nstart = 'sh'\n", "config.toml:2:9: agents.polite.start: invalid type");
    check("[agents.polite]\nstrat = ['sh']\n", "config.toml:2:1: unknown field `strat`");
    check("[agents.polite]\nenv = { 'A=B' = '1' }\n", "config.toml:2:7: agents.polite.env");
    check("[agents.polite]\nstart = ['x', '$TRACKSIDE_X']\n", "unknown token `$TRACKSIDE_X`");
    check(
        "# polite\n[environment]\nlogin_path = 'never'\n",
        "config.toml:2:2: environment: only your own",
    );
    check(&format!("polite = {}", "[".repeat(100_000)), "config.toml:1:");

    let instance = Setup::headless().config(USER).start();
    write_project(&instance.path("one"), "[agents.fake]\nstart = [\n[keys]");
    instance.open("one");
    instance.ok(["agent", "start", "polite"]);
    instance.wait_for_screen("one", "polite");
}

#[test]
fn a_damaged_list_of_trusted_folders_is_set_aside() {
    let instance = with_stranger();
    trust(&instance, &[], "one");
    let file = instance.path("state/trackside/trust.json");
    for damaged in ["", "{\"version\":1,\"folders\":[", "{\"version\":9,\"folders\":{}}"] {
        fs::write(&file, damaged).unwrap();
        check_untrusted(&instance, "fake");
        assert!(!file.exists(), "{damaged:?} is set aside");
    }
    for n in 1..=3 {
        assert!(instance.path(&format!("state/trackside/trust.json.bad-{n}")).exists(), "{n}");
    }
    trust(&instance, &[], "one");
    instance.ok(["agent", "start", "fake"]);
    instance.wait_for_screen("one", "stranger");
}

/// Opening, listing and refusing run nothing of a folder's, and nothing it names.
#[test]
fn looking_at_an_untrusted_folder_runs_nothing() {
    let setup = Setup::headless();
    let tracer = std::process::Command::new("strace").arg("-V").stdout(Stdio::null()).status();
    if !tracer.is_ok_and(|status| status.success()) {
        println!("SKIPPED: strace is not installed");
        return;
    }
    let log = setup.path("execs");
    let trace = ["strace", "-f", "-qq", "-e", "trace=execve", "-o", log.to_str().unwrap()];
    write_project(
        &setup.path("one"),
        "[agents.claude]\nstart = ['touch', 'mark']\nenv = { LD_PRELOAD = './evil.so' }\n\
         [agents.sh]\nstart = ['./evil']\nrun = ['./evil']\nresume = ['./evil']\n",
    );
    fs::write(setup.path("one/evil"), "#!/bin/sh\ntouch mark\n").unwrap();
    crate::harness::set_mode(&setup.path("one/evil"), 0o755);
    let mut instance = setup.start_through(|program| wrapped(&program, &trace));
    instance.open("one");
    for agent in ["claude", "sh"] {
        instance.refused(["agent", "start", agent]);
    }
    instance.ok(["keys", "ctrl-shift-a", "enter", "enter", "escape"]);
    instance.ok(["agent", "list"]);
    instance.quit();
    let execs = fs::read_to_string(&log).unwrap();
    let strangers: Vec<&str> = execs
        .lines()
        .filter(|line| line.contains("execve(") && !line.contains("ENOENT"))
        .filter(|line| !line.contains("/trackside\"") && !line.contains("/git\""))
        .collect();
    assert!(execs.contains("/trackside\""), "the tracer has seen us: {execs}");
    assert_eq!(strangers, [""; 0], "nothing but ourselves");
    assert!(!instance.path("one/mark").exists(), "nothing has run");
}

/// D49: what is checked out may say something else than what was looked at.
#[test]
fn another_branch_with_other_settings_is_asked_about() {
    let instance = Setup::headless().config(USER).start();
    let root = instance.path("one");
    write_project(&root, STRANGER);
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        let identity = ["-c", "user.name=n", "-c", "user.email=e@x"];
        command.arg("-C").arg(&root).args(identity).args(args).stdout(Stdio::null());
        assert!(command.stderr(Stdio::null()).status().unwrap().success(), "git {args:?}");
    };
    let commit = || {
        git(&["add", "."]);
        git(&["commit", "-qm", "settings"]);
    };
    git(&["init", "-q", "-b", "main", "."]);
    commit();
    git(&["checkout", "-qb", "other"]);
    write_project(&root, &STRANGER.replace("stranger", "another"));
    commit();
    git(&["checkout", "-q", "main"]);
    instance.open("one");
    trust(&instance, &[], "one");
    git(&["checkout", "-q", "other"]);
    check_untrusted(&instance, "fake");
    git(&["checkout", "-q", "main"]);
    instance.ok(["agent", "start", "fake"]);
    instance.wait_for_screen("one", "stranger");
}
