//! What was open is open again: after the end, after a crash, and whatever is left of it.

use std::fs;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::harness::{Instance, Setup, set_mode, timed, wait_for};
use crate::system::{is_alive, let_pass};

/// From damaged files to a window.
const STARTED_WITHIN: Duration = Duration::from_secs(3);

impl Instance {
    fn session_file(&self) -> std::path::PathBuf {
        self.path("state/trackside/session.json")
    }

    /// Waits until what is written of the session has that in it.
    #[track_caller]
    pub(crate) fn wait_until_kept(&self, text: &str) {
        let kept = || fs::read_to_string(self.session_file()).unwrap_or_default();
        let found = wait_for(|| kept().contains(text).then_some(()));
        assert!(found.is_some(), "no {text:?} in {}", kept());
    }

    /// Ends the program in order, or kills it as nothing else can; starts it again in the same size.
    fn end_and_start_again(&mut self, crashes: bool) {
        if crashes {
            self.kill_all();
        } else {
            self.quit();
        }
        self.start_again_with(&["--size", "1200x800"]);
    }

    /// What is open, without the numbers that are given out anew.
    fn picture(&self) -> String {
        let status = self.status();
        let workspaces = status["workspaces"].as_array().unwrap().iter().map(|workspace| {
            let tabs = workspace["tabs"].as_array().unwrap();
            let first = tabs.iter().filter_map(|tab| tab["pane"].as_u64()).min().unwrap_or(0);
            let tab = |tab: &Value| {
                let is_active = tab["id"] == workspace["active_tab"];
                let pane = tab["pane"].as_u64().map_or(0, |pane| pane - first);
                let mark = if is_active { "*" } else { "" };
                format!("{mark}{}@{pane}", tab["title"].as_str().unwrap())
            };
            let tabs: Vec<String> = tabs.iter().map(tab).collect();
            let mark = if workspace["active"] == true { "*" } else { "" };
            format!("{mark}{} [{}]", workspace["name"].as_str().unwrap(), tabs.join(" "))
        });
        workspaces.collect::<Vec<_>>().join(", ")
    }
}

fn lines() -> String {
    (1..500).map(|line| format!("line {line}\n")).collect()
}

/// Two workspaces in another order than they were opened in, one with two panes.
fn arrange(instance: &Instance) {
    fs::write(instance.path("one/long"), lines()).unwrap();
    fs::write(instance.path("one/other"), "other\n").unwrap();
    instance.open("two");
    instance.open("one");
    instance.ok(["do", "workspace.move_up"]);
    instance.ok(["open", "one/other"]);
    instance.ok(["do", "pane.split_right"]);
    instance.ok(["open", "one/long:300:3"]);
    instance.ok(["keys", "shift-right shift-right"]);
    instance.ok(["do", "pane.grow"]);
}

#[test]
fn what_was_open_is_open_again_as_it_was() {
    for crashes in [false, true] {
        let mut instance = Instance::headless();
        arrange(&instance);
        instance.ok(["terminal", "new", "--cwd", instance.path("home").to_str().unwrap()]);
        instance.ok(["do", "tab.previous"]);
        let before = (instance.picture(), instance.screen("one"), instance.screenshot());
        if crashes {
            // The last of it is written a second after it was done.
            let_pass(Duration::from_secs(2));
        }
        instance.end_and_start_again(crashes);
        wait_for(|| (instance.screen("one") == before.1).then_some(())).expect("the same lines");
        assert_eq!(instance.picture(), before.0, "after a crash: {crashes}");
        // Typing replaces what is selected, at the cursor that was left.
        instance.ok(["type", "X"]);
        instance.ok(["do", "file.save"]);
        let text = fs::read_to_string(instance.path("one/long")).unwrap();
        assert!(text.contains("\nliX 300\n"), "the selection: {:?}", &text[2_900..3_000]);
        instance.ok(["do", "tab.next"]);
        let home = instance.path("home").canonicalize().unwrap();
        instance.ok(["terminal", "send", "--enter", "pwd -P > where"]);
        let told =
            wait_for(|| fs::read_to_string(home.join("where")).ok().filter(|it| !it.is_empty()));
        assert_eq!(told.expect("a shell").trim(), home.to_str().unwrap(), "a shell where one was");
    }
}

#[test]
fn the_window_shows_again_what_it_showed() {
    let mut instance = Instance::headless();
    arrange(&instance);
    let before = instance.screenshot();
    instance.end_and_start_again(false);
    let same = wait_for(|| (!instance.screenshot().differs(&before)).then_some(()));
    assert!(same.is_some(), "to the pixel");
}

#[test]
fn paths_on_the_command_line_come_on_top_of_it() {
    let mut instance = Instance::headless();
    instance.open("one");
    instance.quit();
    fs::write(instance.path("two/file"), "").unwrap();
    instance.start_again_with(&["two/file"]);
    assert_eq!(instance.picture(), "one [], *two [*file@0]", "both, and the new one on show");
    instance.quit();
    instance.start_again_with(&["one"]);
    assert_eq!(instance.picture(), "*one [], two [*file@0]", "what is open is gone to");
}

#[test]
fn a_fresh_start_keeps_the_last_session_beside() {
    let mut instance = Instance::headless();
    fs::write(instance.path("one/letter"), "Dear ").unwrap();
    instance.ok(["open", "one/letter:1:6"]);
    instance.ok(["type", "reader"]);
    instance.ok(["do", "app.keep_and_quit"]);
    instance.wait_for_end();
    let written = fs::read(instance.session_file()).unwrap();
    instance.start_again_with(&["--fresh"]);
    assert_eq!(instance.picture(), "", "nothing is open");
    let beside = instance.path("state/trackside/session.json.before");
    assert_eq!(fs::read(beside).unwrap(), written, "it is kept");
    instance.open("two");
    instance.quit();
    instance.start_again();
    assert_eq!(instance.picture(), "*two [*letter@0]", "unsaved text is not forgotten by it");
}

#[test]
fn an_agent_that_was_alive_is_stopped_and_starts_when_asked() {
    for crashes in [false, true] {
        let mut instance = Instance::headless();
        instance.open("one");
        instance.start_agent("one", &["sh", "-c", "echo here I am >> log; cat log; exec cat"]);
        instance.wait_for_screen("one", "here I am");
        let pid = instance.agent_pid("one");
        instance.wait_until_kept("\"alive\"");
        instance.end_and_start_again(crashes);
        wait_for(|| (!is_alive(pid)).then_some(())).expect("it ended with us");
        let workspace = instance.workspace("one");
        assert_eq!(workspace["status"], "stopped", "{workspace}");
        assert_eq!(workspace["agent"]["state"], "stopped", "{workspace}");
        let screen = instance.screen("one").replace('\n', "");
        assert!(screen.contains("ran here"), "what ran: {screen}");
        let_pass(Duration::from_millis(300));
        let started = || fs::read_to_string(instance.path("one/log")).unwrap().lines().count();
        assert_eq!(started(), 1, "it is not started by itself");
        if crashes {
            instance.ok(["keys", "enter"]);
        } else {
            instance.ok(["agent", "restart"]);
        }
        instance.wait_for_screen("one", "here I am\nhere I am");
        assert_eq!(instance.workspace("one")["agent"]["launches"], 2, "its second launch");
    }
}

#[test]
fn how_an_agent_had_ended_is_remembered() {
    let mut instance = Instance::headless();
    for (folder, script) in [("one", "exit 0"), ("two", "exit 3")] {
        instance.open(folder);
        instance.start_agent(folder, &["sh", "-c", script]);
    }
    instance.wait("one", "completed");
    instance.wait("two", "errored");
    instance.quit();
    instance.start_again();
    assert_eq!(instance.workspace("one")["status"], "completed", "ended well");
    let two = instance.workspace("two");
    assert_eq!(
        (&two["status"], &two["agent"]["exit_code"]),
        (&"errored".into(), &3.into()),
        "{two}"
    );
}

#[test]
fn a_machine_that_went_down_is_told_from_a_crash() {
    let mut instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", &["cat"]);
    instance.wait_until_kept("\"alive\"");
    instance.kill_all();
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let kept = fs::read_to_string(instance.session_file()).unwrap();
    fs::write(instance.session_file(), kept.replace(boot.trim(), "another start")).unwrap();
    instance.start_again();
    assert_eq!(instance.workspace("one")["status"], "stopped", "it is not alive");
    let screen = instance.screen("one");
    assert!(screen.contains("when the machine went down"), "{screen}");
}

#[test]
fn an_agent_goes_on_with_the_session_it_reported() {
    let setup = Setup::headless().config(
        "[agents.teller]\nstart = ['sh', '-c', 'echo new; exec cat']\n\
         resume = ['sh', '-c', 'echo again $0; exec cat', '$TRACKSIDE_SESSION_ID']\n",
    );
    let mut instance = setup.start();
    instance.open("one");
    instance.ok(["agent", "start", "teller"]);
    instance.ok(["report", "running", "--session", "0c1d-7"]);
    instance.wait_until_kept("0c1d-7");
    instance.end_and_start_again(true);
    instance.ok(["agent", "resume"]);
    instance.wait_for_screen("one", "again 0c1d-7");
    let (code, line) = instance.refused(["agent", "resume"]);
    assert_eq!((code, line.contains("still running")), (1, true), "{line}");
}

#[test]
fn what_is_gone_is_left_out() {
    let mut instance = Instance::headless();
    for name in ["one/stays", "one/goes", "two/with-it"] {
        fs::write(instance.path(name), "").unwrap();
        instance.ok(["open", name]);
    }
    instance.quit();
    fs::remove_file(instance.path("one/goes")).unwrap();
    fs::remove_dir_all(instance.path("two")).unwrap();
    instance.start_again();
    assert_eq!(instance.picture(), "*one [*stays@0]", "the rest is open");
}

#[test]
fn twenty_workspaces_of_five_files_are_there_at_once() {
    let mut instance = Instance::headless();
    for folder in 0..20 {
        let folder = format!("many/folder-{folder}");
        fs::create_dir_all(instance.path(&folder)).unwrap();
        for file in 0..5 {
            let file = format!("{folder}/{file}.txt");
            fs::write(instance.path(&file), lines()).unwrap();
            instance.ok(["open", &folder]);
            instance.ok(["open", &file]);
        }
    }
    instance.quit();
    let ((), took) = timed(|| instance.start_again());
    let status = instance.status();
    let workspaces = status["workspaces"].as_array().unwrap();
    assert_eq!(workspaces.len(), 20, "all of them");
    assert!(
        workspaces.iter().all(|it| it["tabs"].as_array().unwrap().len() == 5),
        "with all files"
    );
    assert!(instance.screen("folder-19").contains("line 1"), "the one on show is read");
    assert!(took < STARTED_WITHIN, "it took {took:?}");
}

/// Damages a file in many ways.
fn damaged(bytes: &[u8], way: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match way {
        0 => bytes.clear(),
        1 => bytes.truncate(bytes.len() / 2),
        2 => bytes.truncate(bytes.len().saturating_sub(1)),
        3 => bytes.fill(0),
        4 => bytes.extend([0xff; 5000]),
        5 => bytes = b"{\"version\":9,\"workspaces\":[]}".to_vec(),
        6 => bytes = vec![b'['; 3_000_000],
        _ => {
            for at in (way..bytes.len()).step_by(way * 3) {
                bytes[at] ^= 1 << (way % 8);
            }
        }
    }
    bytes
}

#[test]
fn whatever_is_left_of_the_last_run_the_program_starts_soon() {
    let mut instance = Instance::headless();
    arrange(&instance);
    instance.ok(["type", "unsaved"]);
    instance.ok(["do", "app.keep_and_quit"]);
    instance.wait_for_end();
    let (state, good) = (instance.path("state/trackside"), instance.path("good"));
    let copy = |from: &std::path::Path, to: &std::path::Path| {
        fs::create_dir_all(to.join("journal")).unwrap();
        for name in ["session.json", "journal/1.journal"] {
            fs::copy(from.join(name), to.join(name)).unwrap();
        }
    };
    copy(&state, &good);
    for way in 0..40 {
        fs::remove_dir_all(&state).unwrap();
        fs::create_dir(&state).unwrap();
        set_mode(&state, 0o700);
        copy(&good, &state);
        let names = ["session.json", "journal/1.journal"];
        for name in names.iter().skip(way % 2).take(1 + way % 3) {
            let file = state.join(name);
            fs::write(&file, damaged(&fs::read(&file).unwrap(), way / 2)).unwrap();
        }
        let ((), took) = timed(|| instance.start_again());
        assert!(took < STARTED_WITHIN, "way {way}: it took {took:?}");
        assert!(instance.status()["workspaces"].is_array(), "way {way}: it works");
        instance.signal(Signal::SIGKILL);
        instance.wait_for_end();
    }
}
