//! Links in terminals: followed where that is safe, and nowhere else.

use std::fs;

use crate::display::Display;
use crate::harness::{Instance, Setup, set_mode, wait_for};

/// An instance whose desktop writes down what it is asked to open.
fn instance_with_opener(setup: Setup) -> Instance {
    let bin = setup.path("bin");
    fs::create_dir(&bin).unwrap();
    let opener = bin.join("xdg-open");
    let opened = setup.path("opened");
    let script = format!("#!/bin/sh\necho \"$# $1\" >> '{}'\n", opened.display());
    fs::write(&opener, script).unwrap();
    set_mode(&opener, 0o755);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    setup.env("PATH", &path).start()
}

impl Instance {
    /// An agent in the folder that prints this and stays.
    #[track_caller]
    fn prints(&self, text: &str) {
        self.open("one");
        self.start_agent("one", &["sh", "-c", &format!("printf '{text}\\nend'; exec cat")]);
        self.wait_for_screen("one", "end");
    }

    fn open_link(&self, row: u32) -> std::process::Output {
        self.cli(["do", "terminal.open_link", &format!("{{\"row\": {row}, \"column\": 3}}")])
    }

    /// What the desktop was asked to open, once it was.
    fn opened(&self) -> Option<String> {
        fs::read_to_string(self.path("opened")).ok().filter(|opened| opened.ends_with('\n'))
    }

    /// The title of the tab on show.
    fn active_title(&self) -> String {
        let workspace = self.workspace("one");
        let tabs = workspace["tabs"].as_array().expect("tabs").clone();
        let active = tabs.iter().find(|tab| tab["id"] == workspace["active_tab"]);
        active.expect("an active tab")["title"].as_str().unwrap_or_default().to_owned()
    }
}

#[test]
fn a_path_opens_in_the_editor_at_its_line() {
    let instance = Instance::headless();
    fs::create_dir(instance.path("one/src")).unwrap();
    fs::write(instance.path("one/src/x.rs"), "one\ntwo\nthree\n").unwrap();
    instance.prints("src/x.rs:3:2: error");
    assert!(instance.open_link(1).status.success(), "it is followed");
    let shown = wait_for(|| (instance.active_title() == "x.rs").then_some(()));
    assert!(shown.is_some(), "{}", instance.status());
    instance.ok(["type", "X"]);
    assert!(instance.screen("one").contains("tXhree"), "at its place: {}", instance.screen("one"));
}

#[test]
fn files_outside_of_open_folders_are_not_opened() {
    let instance = Instance::headless();
    std::os::unix::fs::symlink("/etc/hostname", instance.path("one/inside.txt")).unwrap();
    fs::write(instance.path("one/mine.txt"), "mine\n").unwrap();
    instance.prints(
        "/etc/hostname\\n../../etc/passwd\\ninside.txt\\nmissing.txt\\n\
         \\033]8;;file:///bin/sh\\007a file\\033]8;;\\007\\npipe.txt\\nmine.txt",
    );
    nix::unistd::mkfifo(&instance.path("one/pipe.txt"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let reasons =
        ["no folder", "no such file", "no folder", "no such file", "no folder", "not a file"];
    for (row, reason) in (1..).zip(reasons) {
        let (code, why) = crate::command::refusal(&instance.open_link(row));
        assert_eq!(code, 1, "row {row}: {why}");
        assert!(why.contains(reason), "row {row}: {why}");
        assert_eq!(instance.active_title(), "sh", "row {row} opens nothing");
    }
    let followed = instance.open_link(7);
    assert!(followed.status.success(), "one's own: {followed:?}");
    let shown = wait_for(|| (instance.active_title() == "mine.txt").then_some(()));
    assert!(shown.is_some(), "one's own file does open: {}", instance.status());
}

#[test]
fn only_web_and_mail_addresses_reach_the_desktop() {
    let instance = instance_with_opener(Setup::headless());
    let link = |target: &str| format!("\\033]8;;{target}\\007xxxxx\\033]8;;\\007\\n");
    let hostile = [
        "javascript:alert(1)",
        "vscode://file/etc/passwd",
        "ssh://-oProxyCommand=x",
        "http://a@evil",
        "http://",
    ];
    let text: String = hostile.iter().map(|target| link(target)).collect();
    instance.prints(&format!("{text}see https://example.org/a?b=c."));
    for (row, target) in (1..).zip(hostile) {
        let (code, why) = crate::command::refusal(&instance.open_link(row));
        assert_eq!(code, 1, "{target}: {why}");
    }
    let row = 1 + u32::try_from(hostile.len()).unwrap();
    let args = format!("{{\"row\": {row}, \"column\": 9}}");
    instance.ok(["do", "terminal.open_link", &args]);
    let opened = wait_for(|| instance.opened());
    assert_eq!(opened.as_deref(), Some("1 https://example.org/a?b=c\n"), "one argument, as it is");
}

#[test]
fn an_address_that_nothing_can_open_is_refused() {
    let setup = Setup::headless();
    let bin = setup.path("bin");
    fs::create_dir(&bin).unwrap();
    for program in ["sh", "cat"] {
        std::os::unix::fs::symlink(format!("/bin/{program}"), bin.join(program)).unwrap();
    }
    let instance = setup.env("PATH", &bin.display().to_string()).start();
    instance.prints("https://example.org/first");
    let (code, why) = crate::command::refusal(&instance.open_link(1));
    assert_eq!(code, 1, "{why}");
    assert!(why.contains("xdg-open could not be run"), "{why}");
}

/// Moves the pointer over the first row of the pane.
fn point_at(display: &Display, window: &str, x: u32) {
    let x = x.to_string();
    display.xdotool(&["mousemove", "--window", window, "--sync", &x, "60"]);
}

#[test]
fn ctrl_click_follows_a_link_and_a_click_does_not() {
    let instance = instance_with_opener(Setup::windowed());
    let window = instance.display().focus_window();
    instance.prints("https://example.org/first");
    let display = instance.display();
    point_at(display, &window, 290);
    display.xdotool(&["click", "1"]);
    instance.ok(["type", "typed\n"]);
    instance.wait_for_screen("one", "typed");
    assert!(!instance.path("opened").exists(), "a click alone selects");
    display.xdotool(&["keydown", "ctrl"]);
    point_at(display, &window, 295);
    display.xdotool(&["click", "1"]);
    display.xdotool(&["keyup", "ctrl"]);
    let opened = wait_for(|| instance.opened());
    assert_eq!(opened.as_deref(), Some("1 https://example.org/first\n"), "with Ctrl it opens");
}
