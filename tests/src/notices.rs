//! How the person hears of waiting agents while they work elsewhere.

use std::fs;
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::desktop::{Asked, Desktop};
use crate::harness::{Instance, Setup, timed, wait_for};
use crate::system::is_alive;

/// Asks `<b>Run</b> "a & b"?`, in the words for that, once there is a file `go`; an `a` answers it.
const ASKS_WHEN_TOLD: &str = r#"
    stty raw -echo; printf listening; until [ -e go ]; do sleep 0.05; done
    printf '\033]7501;state=blocked:kind=permission:msg=PGI+UnVuPC9iPiAiYSAmIGIiPw==\033\\'
    until [ "$(dd bs=1 count=1 2>/dev/null)" = a ]; do :; done
    printf '\033]7501;state=working\033\\'; sleep 60"#;
/// The same at once, for where there is no window.
const ASKS: &str = r"
    printf '\033]7501;state=blocked:kind=permission:msg=PGI+UnVuPC9iPiAiYSAmIGIiPw==\033\\'; sleep 60";

const QUESTION: &str = "<b>Run</b> \"a & b\"?";
const ESCAPED: &str = "&lt;b&gt;Run&lt;/b&gt; \"a &amp; b\"?";

fn on_desktop(setup: Setup) -> (Setup, Desktop) {
    let desktop = Desktop::start(setup.dir());
    let setup = setup.env("DBUS_SESSION_BUS_ADDRESS", desktop.address());
    (setup, desktop)
}

/// A window that an agent asks behind, and its id.
fn asked_behind(config: &str) -> (Instance, String, Desktop) {
    let (setup, desktop) = on_desktop(Setup::windowed().config(config));
    let instance = setup.start();
    let window = instance.display().focus_window();
    instance.open("two");
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", ASKS_WHEN_TOLD]);
    instance.wait_for_screen("one", "listening");
    // The window has been told that it lost the focus when this ends, and so before the agent asks.
    instance.display().xdotool(&["windowminimize", "--sync", &window]);
    fs::write(instance.path("one/go"), "").unwrap();
    (instance, window, desktop)
}

impl Instance {
    #[track_caller]
    fn wait_for_title(&self, window: &str, title: &str) {
        let read = || self.display().xdotool(&["getwindowname", window]).trim().to_owned();
        wait_for(|| (read() == title).then_some(())).unwrap_or_else(|| {
            panic!("{title:?} is expected, and there is {:?}", read());
        });
    }

    fn is_urgent(&self, window: &str) -> bool {
        let mut xprop = Command::new("xprop");
        xprop.env("DISPLAY", self.display().name()).args(["-id", window, "WM_HINTS"]);
        String::from_utf8_lossy(&xprop.output().unwrap().stdout).contains("urgency hint")
    }

    /// What is asked of the desktop next; where nothing is, says why that may be.
    #[track_caller]
    fn asks(&self, desktop: &mut Desktop) -> Asked {
        desktop.serve().unwrap_or_else(|| {
            let log = fs::read_to_string(self.path("state/trackside/trackside.log"));
            panic!("nothing is asked of the desktop: {}\n{log:?}", self.status());
        })
    }

    fn wait_for_file(&self, name: &str) -> String {
        let read = || fs::read_to_string(self.path(name)).ok();
        wait_for(read).unwrap_or_else(|| panic!("no {name}: {}", self.stderr()))
    }
}

#[test]
fn an_agent_that_asks_behind_the_window_is_told_of_and_taken_back_when_answered() {
    let (instance, window, mut desktop) = asked_behind("[notify]\nsound = \"bell\"\n");
    let asked = instance.asks(&mut desktop);
    let Asked::Notify { id, replaces: 0, title, body, hints } = asked else {
        panic!("a new notification is expected: {asked:?}");
    };
    assert_eq!(title, "one: sh asks for permission", "who it is");
    assert_eq!(body, ESCAPED, "what it asks, and no markup");
    assert!(hints.contains("sound-name") && hints.contains("bell"), "its sound: {hints:?}");
    assert!(hints.contains("default"), "it can be clicked: {hints:?}");
    instance.wait_for_title(&window, "(1) one — Trackside");
    wait_for(|| instance.is_urgent(&window).then_some(())).expect("the task bar is told");
    instance.ok(["agent", "send", "-w", "one", "a"]);
    assert_eq!(instance.asks(&mut desktop), Asked::Close { id }, "answered");
    instance.wait_for_title(&window, "one — Trackside");
    wait_for(|| (!instance.is_urgent(&window)).then_some(())).expect("and no longer");
}

#[test]
fn a_click_on_a_notification_brings_its_agent_and_the_window() {
    let (instance, window, mut desktop) = asked_behind("");
    instance.ok(["do", "workspace.next"]);
    let Asked::Notify { id, hints, .. } = instance.asks(&mut desktop) else {
        panic!("a notification is expected")
    };
    assert!(hints.contains("suppress-sound"), "silent unless wanted: {hints:?}");
    let there = wait_for(|| {
        // Who has just shown it may not listen for clicks yet.
        desktop.click(id);
        (instance.workspace("one")["active"] == true).then_some(())
    });
    there.expect("the agent's workspace");
    let active = || instance.display().xdotool(&["getactivewindow"]).trim().to_owned();
    wait_for(|| (active() == window).then_some(())).expect("the window has the focus");
    wait_for(|| (!instance.is_urgent(&window)).then_some(())).expect("and calls no longer");
}

#[test]
fn do_not_disturb_holds_back_all_but_the_count() {
    let (instance, window, mut desktop) = asked_behind("[notify]\ndnd = true\n");
    instance.wait_for_title(&window, "(1) one — Trackside");
    instance.ok(["do", "notify.toggle_dnd"]);
    instance.start_agent("two", &["sh", "-c", ASKS]);
    let Asked::Notify { title, .. } = instance.asks(&mut desktop) else {
        panic!("a notification is expected")
    };
    assert_eq!(title, "two: sh asks for permission", "the first that is told of");
    instance.wait_for_title(&window, "(2) two — Trackside");
}

#[test]
fn the_users_program_hears_what_an_agent_asks() {
    let command = "[notify]\nheadless = true\ndesktop = false\n\
         command = [\"sh\", \"-c\", 'env | grep ^TRACKSIDE_ > ../told.new; cat >> ../told.new; \
         echo \"$1\" >> ../told.new; mv ../told.new ../told', \"sh\", \"$(false) $TRACKSIDE_TEXT\"]\n";
    let instance = Setup::headless().config(command).start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", ASKS]);
    let told = instance.wait_for_file("told");
    for line in [
        "TRACKSIDE_WORKSPACE=one",
        &format!("TRACKSIDE_ROOT={}", instance.path("one").display()),
        "TRACKSIDE_AGENT=sh",
        "TRACKSIDE_STATE=needs_input",
        "TRACKSIDE_REASON=permission",
        &format!("TRACKSIDE_TEXT={QUESTION}"),
        "$(false) $TRACKSIDE_TEXT",
    ] {
        assert!(told.lines().any(|it| it == line), "{line:?} in {told}");
    }
}

#[test]
fn a_users_program_that_does_not_end_does_not_outlive_us() {
    let command = "[notify]\nheadless = true\ndesktop = false\n\
         command = [\"sh\", \"-c\", 'echo $$ > ../pid.new; mv ../pid.new ../pid; exec sleep 600']\n";
    let mut instance = Setup::headless().config(command).start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", ASKS]);
    let pid: i32 = instance.wait_for_file("pid").trim().parse().expect("a pid");
    assert!(is_alive(pid), "it runs");
    instance.ok(["agent", "stop", "-w", "one"]);
    instance.quit();
    assert!(!is_alive(pid), "it was ended");
}

#[test]
fn a_desktop_that_does_not_answer_holds_nothing_up() {
    let (setup, mut desktop) = on_desktop(Setup::headless().config("[notify]\nheadless = true\n"));
    let mut instance = setup.start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", ASKS]);
    assert!(matches!(desktop.hear(), Some(Asked::Notify { .. })), "it is being told");
    instance.signal(Signal::SIGTERM);
    let (status, took) = timed(|| instance.wait_for_end());
    assert!(status.success(), "{status}");
    assert!(took < Duration::from_secs(4), "its end took {took:?}");
}

#[test]
fn the_users_program_may_call_us_and_what_an_agent_starts_may_not() {
    let trackside = crate::command::binary();
    let call =
        format!("{} status > ../called.new 2>&1; mv ../called.new ../called", trackside.display());
    let config = format!(
        "[notify]\nheadless = true\ndesktop = false\nreasons = [\"permission\", \"error\"]\n\
         command = [\"sh\", \"-c\", '{call}']\n"
    );
    let instance = Setup::headless().config(&config).start();
    instance.open("one");
    let refused = format!("{} status > ../refused 2>&1; {ASKS}", trackside.display());
    instance.start_agent("one", &["sh", "-c", &refused]);
    let called = instance.wait_for_file("called");
    assert!(called.contains("one") && called.contains("needs_input"), "{called}");
    let refused = instance.wait_for_file("refused");
    assert!(refused.contains("may not drive Trackside"), "{refused}");
}

#[test]
fn an_agent_that_fails_unseen_is_told_of() {
    let config = "[notify]\nheadless = true\ndesktop = false\ncommand = [\"sh\", \"-c\", \
         'env | grep ^TRACKSIDE_ > ../told.new; mv ../told.new ../told']\n";
    let instance = Setup::headless().config(config).start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "sleep 1; exit 7"]);
    instance.open("two");
    let told = instance.wait_for_file("told");
    for line in ["TRACKSIDE_STATE=errored", "TRACKSIDE_REASON=error", "TRACKSIDE_TEXT=exit 7"] {
        assert!(told.lines().any(|it| it == line), "{line:?} in {told}");
    }
}

#[test]
fn without_a_message_bus_all_goes_on() {
    let setup = Setup::headless().config("[notify]\nheadless = true\n");
    let nowhere = format!("unix:path={}", setup.path("nowhere").display());
    let mut instance = setup.env("DBUS_SESSION_BUS_ADDRESS", &nowhere).start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", ASKS]);
    let log = || fs::read_to_string(instance.path("state/trackside/trackside.log")).ok();
    let complaint =
        wait_for(|| log().filter(|log| log.contains("no notifications on the desktop")));
    complaint.expect("a line in the log");
    instance.wait("one", "needs_input");
    instance.ok(["agent", "stop", "-w", "one"]);
    instance.quit();
}
