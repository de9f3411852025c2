//! Programs that take the whole screen, driven by keys, in a window and without.

use std::fs;

use crate::harness::{Instance, on_both, wait_for};

/// Starts a program in the workspace `one`, which has the focus.
fn start(instance: &Instance, command: &[&str]) {
    instance.open("one");
    instance.start_agent("one", command);
}

#[test]
fn vim_searches_changes_and_writes() {
    on_both(|instance| {
        fs::write(instance.path("one/words.txt"), "alpha\nbeta\ngamma\n").unwrap();
        start(instance, &["vim", "-u", "NONE", "-i", "NONE", "words.txt"]);
        instance.wait_for_screen("one", "gamma");
        instance.type_text("/beta\n");
        instance.type_text("cwdelta");
        instance.press("escape");
        instance.wait_for_screen("one", "alpha\ndelta\ngamma");
        instance.type_text(":vsplit\n");
        instance.wait_for_screen("one", "|~");
        instance.type_text(":wqa\n");
        instance.wait("one", "completed");
        let text = fs::read_to_string(instance.path("one/words.txt")).unwrap();
        assert_eq!(text, "alpha\ndelta\ngamma\n", "as changed");
    });
}

#[test]
fn less_finds_a_word_and_shows_its_place() {
    on_both(|instance| {
        let lines: String = (1..=500).map(|number| format!("line {number}\n")).collect();
        fs::write(instance.path("one/long"), lines).unwrap();
        start(instance, &["less", "-N", "long"]);
        instance.wait_for_screen("one", "1 line 1\n");
        instance.type_text("/line 321\n");
        instance.wait_for_screen("one", "321 line 321\n");
        instance.press("shift-g");
        instance.wait_for_screen("one", "500 line 500\n");
        instance.type_text("q");
        instance.wait("one", "completed");
    });
}

#[test]
fn htop_shows_processes_and_its_setup() {
    on_both(|instance| {
        start(instance, &["htop", "-d", "100"]);
        instance.wait_for_screen("one", "F1Help");
        instance.wait_for_screen("one", "Load average");
        instance.press("f2");
        instance.wait_for_screen("one", "F10Done");
        instance.press("f10");
        instance.wait_for_screen("one", "F1Help");
        instance.type_text("q");
        instance.wait("one", "completed");
    });
}

#[test]
fn tmux_splits_its_window() {
    on_both(|instance| {
        let socket = instance.path("one/socket");
        let socket = socket.to_str().unwrap();
        start(instance, &["tmux", "-S", socket, "-f", "/dev/null", "new-session", "-s", "inside"]);
        instance.wait_for_screen("one", "[inside]");
        instance.type_text("echo left-$((20 + 3))\n");
        instance.wait_for_screen("one", "left-23");
        instance.press("ctrl-b");
        instance.type_text("%");
        instance.wait_for_screen("one", "│");
        instance.type_text("echo right-$((40 + 2))\n");
        instance.wait_for_screen("one", "right-42");
        instance.type_text("exit\n");
        // What is typed while the pane is closing would go to nobody.
        wait_for(|| (!instance.screen("one").contains('│')).then_some(())).expect("one pane");
        instance.type_text("exit\n");
        instance.wait("one", "completed");
    });
}

#[test]
fn git_stages_the_hunks_that_are_chosen() {
    on_both(|instance| {
        let script = "git init -q . && seq 30 > f && git add f && \
                      git -c user.name=n -c user.email=e@x commit -qm one && \
                      sed -i 's/^2$/two/; s/^29$/last/' f && git add -p && git diff --cached";
        start(instance, &["sh", "-c", &format!("GIT_PAGER=cat; export GIT_PAGER; {script}")]);
        instance.wait_for_screen("one", "(1/2) Stage this hunk");
        instance.type_text("n\n");
        instance.wait_for_screen("one", "(2/2) Stage this hunk");
        instance.type_text("y\n");
        instance.wait("one", "completed");
        let screen = instance.screen("one");
        let staged = screen.rsplit("index ").next().unwrap_or_default();
        assert!(staged.contains("+last") && !staged.contains("+two"), "one of both:\n{screen}");
    });
}

#[test]
fn python_is_talked_to_line_by_line() {
    on_both(|instance| {
        start(instance, &["python3", "-q"]);
        instance.wait_for_screen("one", ">>>");
        instance.type_text("print('x' * 3, 6 * 7)\n");
        instance.wait_for_screen("one", "xxx 42");
        instance.press("up");
        instance.press("enter");
        instance.wait_for_screen("one", "xxx 42\n>>> print('x' * 3, 6 * 7)\nxxx 42");
        instance.press("ctrl-d");
        instance.wait("one", "completed");
    });
}

#[test]
fn fzf_narrows_a_list_down_to_the_chosen_line() {
    on_both(|instance| {
        let script =
            "printf 'apple\\nbanana\\ncherry\\nblueberry\\n' | fzf > chosen; cat chosen; cat";
        start(instance, &["sh", "-c", script]);
        instance.wait_for_screen("one", "4/4");
        instance.type_text("b");
        instance.wait_for_screen("one", "2/4");
        instance.press("up");
        instance.press("enter");
        let chosen = || fs::read_to_string(instance.path("one/chosen")).ok();
        let chosen = wait_for(|| chosen().filter(|it| !it.is_empty()));
        let chosen = chosen.expect("a line was chosen");
        assert!(["blueberry\n", "banana\n"].contains(&chosen.as_str()), "with a b: {chosen:?}");
        instance.wait_for_screen("one", chosen.trim_end());
    });
}
