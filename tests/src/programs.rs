//! Real programs in the terminal, and what a person does around them.

use std::fs;

use crate::harness::{Instance, Setup, on_both, wait_for};

#[test]
fn vim_edits_a_file() {
    on_both(|instance| {
        instance.open("one");
        instance.start_agent("one", &["vim", "-u", "NONE", "note.txt"]);
        instance.wait_for_screen("one", "note.txt");
        instance.ok(["type", "ihello from vim"]);
        instance.wait_for_screen("one", "hello from vim");
        instance.ok(["keys", "escape"]);
        instance.ok(["type", ":wq\n"]);
        instance.wait("one", "completed");
        let text = fs::read_to_string(instance.path("one/note.txt")).unwrap();
        assert_eq!(text, "hello from vim\n", "as typed");
    });
}

#[test]
fn less_scrolls_and_leaves_the_screen_as_it_was() {
    let instance = Instance::headless();
    instance.open("one");
    let lines: String = (1..=500).map(|number| format!("line {number}\n")).collect();
    fs::write(instance.path("one/long"), lines).unwrap();
    instance.start_agent("one", &["sh", "-c", "echo before; less long; echo after; cat"]);
    instance.wait_for_screen("one", "line 1\n");
    instance.ok(["keys", "shift-g"]);
    instance.wait_for_screen("one", "line 500");
    instance.ok(["type", "q"]);
    instance.wait_for_screen("one", "before\nafter");
}

#[test]
fn git_asks_and_is_answered() {
    let instance = Instance::headless();
    instance.open("one");
    let script = "git init -q . && echo a > f && git add f && \
                  git -c user.name=n -c user.email=e@x commit -qm one && echo b >> f && git add -p";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait_for_screen("one", "Stage this hunk");
    instance.ok(["agent", "send", "--enter", "y"]);
    instance.wait("one", "completed");
}

#[test]
fn what_is_selected_with_the_mouse_can_be_copied_and_pasted() {
    let instance = Setup::windowed().start();
    let window = instance.display().focus_window();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo copied-word; cat"]);
    instance.wait_for_screen("one", "copied-word");
    // A double click on the first row of the terminal.
    let click = ["mousemove", "--window", &window, "--sync", "262", "60", "click", "--repeat", "2"];
    instance.display().xdotool(&[&click[..], &["--delay", "60", "1"]].concat());
    instance.display().xdotool(&["key", "ctrl+shift+c"]);
    instance.display().xdotool(&["key", "ctrl+shift+v"]);
    instance.display().xdotool(&["key", "Return"]);
    let pasted = wait_for(|| {
        let n_words = instance.screen("one").matches("copied").count();
        (n_words >= 3).then_some(())
    });
    assert!(pasted.is_some(), "typed and echoed: {}", instance.screen("one"));
}

#[test]
fn drawing_goes_on_when_the_graphics_device_is_lost() {
    on_both(|instance| {
        instance.open("one");
        instance.start_agent("one", &["sh", "-c", "echo still here; cat"]);
        instance.wait_for_screen("one", "still here");
        for _round in 0..3 {
            instance.ok(["do", "debug.lose_device"]);
            let picture = instance.screenshot();
            assert!(picture.width > 100, "a picture of {}x{}", picture.width, picture.height);
        }
        instance.ok(["agent", "send", "--enter", "typed after it"]);
        instance.wait_for_screen("one", "typed after it\ntyped after it");
    });
}

#[test]
fn the_text_grows_and_the_program_is_told() {
    let instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "while read x; do stty size; done"]);
    instance.ok(["agent", "send", "--enter", "x"]);
    let columns = || {
        let screen = instance.screen("one");
        let size = screen.lines().rfind(|line| line.split(' ').count() == 2)?.to_owned();
        size.split(' ').nth(1)?.parse::<u32>().ok()
    };
    let before = wait_for(columns).expect("a size");
    for _step in 0..6 {
        instance.ok(["keys", "ctrl-="]);
    }
    let smaller = wait_for(|| {
        instance.ok(["agent", "send", "--enter", "x"]);
        columns().filter(|now| *now < before)
    });
    assert!(smaller.is_some(), "fewer columns than {before}");
}
