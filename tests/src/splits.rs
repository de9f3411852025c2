//! Several panes in one window: each with its own terminal, size and focus.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::harness::{Instance, Setup, on_both, timed, wait_for};

impl Instance {
    /// How many columns the shell in a tab was told that it has.
    #[track_caller]
    fn columns(&self, tab: &str) -> u32 {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let mark = format!("size{}:", ASKED.fetch_add(1, Ordering::Relaxed));
        let ask = format!("echo {mark} $(stty size)");
        self.ok(["terminal", "send", "--tab", tab, "--enter", &ask]);
        let columns = wait_for(|| {
            let text = self.ok(["terminal", "text", "--tab", tab]);
            let size = text.lines().find_map(|line| line.strip_prefix(&mark))?.to_owned();
            size.split(' ').next_back()?.parse().ok()
        });
        columns.expect("a size")
    }

    /// Sizes are told with a little delay while they change.
    #[track_caller]
    fn wait_for_columns(&self, tab: &str, wanted: impl Fn(u32) -> bool) -> u32 {
        let columns = wait_for(|| Some(self.columns(tab)).filter(|columns| wanted(*columns)));
        columns.unwrap_or_else(|| panic!("{} columns", self.columns(tab)))
    }

    fn active_tab(&self) -> String {
        self.workspace("one")["active_tab"].to_string()
    }

    #[track_caller]
    fn wait_for_text_in(&self, tab: &str, text: &str) {
        let look = || self.ok(["screen", "--tab", tab]);
        let found = wait_for(|| look().contains(text).then_some(()));
        assert!(found.is_some(), "no {text:?} in tab {tab}:\n{}", look());
    }
}

#[test]
fn a_split_shows_a_shell_beside_the_agent_and_keys_go_where_the_focus_is() {
    on_both(|instance| {
        instance.open("one");
        instance.start_agent("one", &["cat"]);
        let agent = instance.active_tab();
        instance.ok(["keys", "ctrl-shift-5"]);
        let shell = instance.active_tab();
        assert_ne!(shell, agent, "the new pane has the focus");
        instance.wait_for_text_in(&shell, "$");
        instance.ok(["type", "echo to the $((1+1))nd\n"]);
        instance.wait_for_text_in(&shell, "to the 2nd");
        instance.ok(["keys", "ctrl-shift-left"]);
        assert_eq!(instance.active_tab(), agent, "back to the agent");
        instance.ok(["type", "to the agent\n"]);
        instance.wait_for_text_in(&agent, "to the agent\nto the agent");
        assert!(!instance.ok(["screen", "--tab", &shell]).contains("agent"), "and nowhere else");

        instance.ok(["keys", "ctrl-shift-right"]);
        instance.ok(["type", "exit\n"]);
        let gone = wait_for(|| (instance.active_tab() == agent).then_some(()));
        assert!(gone.is_some(), "its pane goes with it: {}", instance.status());
    });
}

#[test]
fn programs_are_told_the_size_of_their_pane() {
    on_both(|instance| {
        instance.open("one");
        instance.ok(["terminal", "new"]);
        let first = instance.active_tab();
        instance.wait_for_text_in(&first, "$");
        let whole = instance.columns(&first);
        instance.ok(["do", "pane.split_right"]);
        let second = instance.active_tab();
        instance.wait_for_text_in(&second, "$");
        let left = instance.wait_for_columns(&first, |it| it.abs_diff(whole / 2) < 6);
        let right = instance.wait_for_columns(&second, |it| it.abs_diff(left) < 3);
        for _ in 0..4 {
            instance.ok(["do", "pane.grow"]);
        }
        let right = instance.wait_for_columns(&second, |it| it.abs_diff(right + whole / 5) < 4);
        instance.wait_for_columns(&first, |it| it.abs_diff(left - whole / 5) < 4);
        instance.ok(["do", "pane.close"]);
        instance.wait_for_columns(&first, |it| it == whole);
        // Its tab went to the first pane, where it is hidden: it keeps its size.
        assert_eq!(instance.columns(&second), right, "hidden terminals keep their size");
    });
}

#[test]
fn a_program_is_told_new_sizes_at_most_twenty_times_a_second() {
    let instance = Instance::headless();
    instance.open("one");
    let count = instance.path("count");
    let script = format!(
        "import os, signal\n\
         signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])\n\
         print('ready', flush=True)\n\
         while True:\n\
        \x20   signal.sigwait([signal.SIGWINCH])\n\
        \x20   size = os.get_terminal_size(0)\n\
        \x20   open({count:?}, 'a').write(f'{{size.columns}}\\n')\n"
    );
    fs::write(&count, "").unwrap();
    instance.ok(["terminal", "new", "--", "python3", "-c", &script]);
    let watched = instance.active_tab();
    instance.wait_for_text_in(&watched, "ready");
    instance.ok(["do", "pane.split_right"]);
    let (_, took) = timed(|| {
        for _ in 0..40 {
            instance.ok(["do", "pane.grow"]);
            instance.ok(["do", "pane.shrink"]);
        }
    });
    instance.ok(["do", "pane.close"]);
    let told = || fs::read_to_string(&count).unwrap();
    let whole = told().lines().next().unwrap().parse::<u32>().unwrap() * 2;
    let last = || told().lines().last()?.parse::<u32>().ok();
    let settled = wait_for(|| last().filter(|last| last.abs_diff(whole) < 8));
    assert!(settled.is_some(), "the last size counts: {}", told());
    let n_told = u32::try_from(told().lines().count()).unwrap();
    let limit = (took + Duration::from_secs(1)).as_secs_f64() * 20.0;
    assert!(f64::from(n_told) <= limit, "{n_told} times in {took:?}");
}

#[test]
fn the_line_between_panes_is_dragged_and_a_click_moves_the_focus() {
    let instance = Setup::windowed().start();
    let window = instance.display().focus_window();
    instance.open("one");
    instance.ok(["terminal", "new"]);
    let first = instance.active_tab();
    instance.ok(["do", "pane.split_right"]);
    let second = instance.active_tab();
    instance.wait_for_text_in(&first, "$");
    instance.wait_for_text_in(&second, "$");
    let before = (instance.columns(&first), instance.columns(&second));
    let geometry = instance.display().xdotool(&["getwindowgeometry", "--shell", &window]);
    let width: u32 = geometry
        .lines()
        .find_map(|line| line.strip_prefix("WIDTH=")?.parse().ok())
        .expect("a width");
    // The rail is 224 wide; the line is in the middle of the rest.
    let middle = (224 + (width - 224 - 1) / 2).to_string();
    let quarter = (224 + (width - 224) / 4).to_string();
    let pointer = |args: &[&str]| {
        instance.display().xdotool(&[&["mousemove", "--window", &window, "--sync"], args].concat());
    };
    pointer(&[&middle, "300", "mousedown", "1"]);
    pointer(&[&quarter, "300"]);
    pointer(&[&quarter, "310", "mouseup", "1"]);
    let wider = wait_for(|| (instance.columns(&second) > before.1 + 10).then_some(()));
    assert!(wider.is_some(), "the right pane grew from {before:?}");
    instance.wait_for_columns(&first, |it| it + 10 < before.0);

    pointer(&["260", "300", "click", "1"]);
    let clicked = wait_for(|| (instance.active_tab() == first).then_some(()));
    assert!(clicked.is_some(), "a click in the left pane");
}

#[test]
fn a_file_in_two_panes_is_one_text() {
    on_both(|instance| {
        fs::write(instance.path("one/f.txt"), "text\n").unwrap();
        instance.open("one/f.txt");
        instance.ok(["keys", "ctrl-\\"]);
        instance.ok(["type", "more "]);
        let tabs = instance.workspace("one")["tabs"].clone();
        let tabs = tabs.as_array().expect("a list");
        assert_eq!(tabs.len(), 2, "one in each pane: {tabs:?}");
        assert_ne!(tabs[0]["pane"], tabs[1]["pane"], "{tabs:?}");
        for tab in tabs {
            let text = instance.ok(["screen", "--tab", &tab["id"].to_string()]);
            assert!(text.starts_with("more text"), "{text}");
            assert_eq!(tab["modified"], true, "both are marked");
        }
        instance.ok(["keys", "ctrl-s"]);
        instance.ok(["keys", "ctrl-k", "ctrl-left", "ctrl-w"]);
        assert_eq!(instance.workspace("one")["tabs"].as_array().expect("a list").len(), 1, "left");
    });
}
