//! What programs may copy, and what is asked before text is pasted.

use std::fs;
use std::process::{Command, Stdio};

use crate::harness::{Instance, Setup, on_both, wait_for};

/// `rm -rf ~` and a line feed, as a program would send it to the clipboard.
const TRAP: &str = "\\033]52;c;cm0gLXJmIH4K\\007";
/// `kept`
const KEPT: &str = "\\033]52;c;a2VwdA==\\007";

#[test]
fn a_program_that_nobody_looks_at_cannot_set_the_clipboard() {
    on_both(|instance| {
        instance.open("one");
        let script = format!("printf '{KEPT}ready'; read x; printf '{TRAP}tried'; exec cat");
        instance.start_agent("one", &["sh", "-c", &script]);
        instance.wait_for_screen("one", "ready");
        instance.open("two");
        instance.start_agent("two", &["cat"]);
        let before = instance.screenshot();
        instance.ok(["agent", "send", "-w", "one", "--enter", "go"]);
        instance.wait_for_screen("one", "tried");
        let marked = wait_for(|| instance.screenshot().differs(&before).then_some(()));
        assert!(marked.is_some(), "its tile is marked");
        instance.ok(["do", "edit.paste"]);
        instance.wait_for_screen("two", "kept");
        assert!(!instance.screen("two").contains("rm"), "{}", instance.screen("two"));
    });
}

#[test]
fn a_paste_of_several_lines_is_asked_about_unless_the_program_can_tell() {
    let instance = Instance::headless();
    instance.open("one");
    // `one`, a line feed and `two`
    let copy = "\\033]52;c;b25lCnR3bw==\\007";
    instance.start_agent("one", &["sh", "-c", &format!("printf '{copy}ready'; exec cat")]);
    instance.wait_for_screen("one", "ready");
    instance.ok(["keys", "ctrl-shift-v"]);
    assert!(instance.screenshot().has_overlay(), "it asks");
    instance.ok(["keys", "esc"]);
    assert!(!instance.screen("one").contains("two"), "nothing was pasted");
    instance.ok(["keys", "ctrl-shift-v enter"]);
    // Enter ends the question: what is typed reaches the program again, and was not preceded by it.
    instance.ok(["type", "typed\n"]);
    instance.wait_for_screen("one", "typed");
    assert!(!instance.screen("one").contains("two"), "{}", instance.screen("one"));
    instance.ok(["keys", "ctrl-shift-v right enter"]);
    instance.wait_for_screen("one", "two");

    instance.open("two");
    let script = format!("printf '\\033[?2004h{copy}ready'; exec cat -v");
    instance.start_agent("two", &["sh", "-c", &script]);
    instance.wait_for_screen("two", "ready");
    instance.ok(["keys", "ctrl-shift-v"]);
    instance.wait_for_screen("two", "^[[200~one");
}

#[test]
fn what_is_selected_is_pasted_with_the_middle_button() {
    let instance = Setup::windowed().start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo picked other; exec cat"]);
    instance.wait_for_screen("one", "picked");
    let display = instance.display();
    let window = display.focus_window();
    display.xdotool(&["mousemove", "--window", &window, "--sync", "260", "60"]);
    display.xdotool(&["click", "--repeat", "2", "--delay", "50", "1"]);
    display.xdotool(&["click", "2"]);
    instance.wait_for_screen("one", "picked other\npicked");
    instance.ok(["type", " \n"]);
    instance.ok(["keys", "shift-insert"]);
    instance.wait_for_screen("one", "picked\npicked");
}

#[test]
fn text_that_is_no_utf8_is_pasted_with_its_bad_bytes_replaced() {
    let instance = Setup::windowed().start();
    let display = instance.display();
    display.focus_window();
    instance.open("one");
    instance.start_agent("one", &["cat"]);
    let file = instance.path("text");
    for (selection, keys) in [("clipboard", "ctrl-shift-v"), ("primary", "shift-insert")] {
        fs::write(&file, [selection.as_bytes(), b" \xff\xe9 end"].concat()).unwrap();
        let xclip = || {
            let mut command = Command::new("xclip");
            command.env("DISPLAY", display.name()).args(["-selection", selection]);
            command
        };
        let mut owner = xclip().arg("-quiet").arg(&file).stderr(Stdio::null()).spawn().unwrap();
        let owned = wait_for(|| {
            let output = xclip().arg("-o").output().unwrap();
            output.stdout.ends_with(b" end").then_some(())
        });
        assert!(owned.is_some(), "the {selection} has text");
        instance.ok(["keys", keys]);
        instance.wait_for_screen("one", &format!("{selection} \u{fffd}\u{fffd} end"));
        owner.kill().unwrap();
        owner.wait().unwrap();
    }
}

/// A picture of noise: it takes as many bytes as it has.
fn noise(width: u32, height: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let mut pixel = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let pixels: Vec<u8> = (0..width * height).map(|_| pixel()).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Pastes a picture into a terminal; gives what the terminal shows of it, and what was kept.
#[track_caller]
fn check_image(width: u32, height: u32) {
    let instance = Setup::windowed().start();
    let display = instance.display();
    display.focus_window();
    instance.open("one");
    instance.start_agent("one", &["cat"]);
    let (picture, file) = (noise(width, height), instance.path("picture.png"));
    fs::write(&file, &picture).unwrap();
    let xclip = || {
        let mut command = Command::new("xclip");
        command.env("DISPLAY", display.name()).args(["-selection", "clipboard"]);
        command
    };
    let mut owner = xclip()
        .args(["-quiet", "-t", "image/png"])
        .arg(&file)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let targets = wait_for(|| {
        let output = xclip().args(["-o", "-t", "TARGETS"]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).contains("image/png").then_some(())
    });
    instance.ok(["keys", "ctrl-shift-v"]);
    let folder = instance.path("cache/trackside/pasted");
    let kept = wait_for(|| {
        let entry = fs::read_dir(&folder).ok()?.next()?.ok()?;
        let kept = fs::read(entry.path()).ok()?;
        (kept == picture).then(|| entry.file_name().into_string().unwrap())
    });
    owner.kill().unwrap();
    owner.wait().unwrap();
    assert!(targets.is_some(), "the clipboard has a picture");
    let kept = kept.expect("the picture is kept as it is");
    let typed = wait_for(|| instance.screen("one").replace('\n', "").contains(&kept).then_some(()));
    assert!(typed.is_some(), "its path is typed: {}", instance.screen("one"));
}

#[test]
fn a_pasted_image_is_kept_and_its_path_typed() {
    check_image(8, 8);
}

#[test]
fn a_large_image_comes_in_pieces() {
    check_image(2000, 1500);
}

#[test]
fn a_selection_is_dragged_beyond_what_is_in_view_and_extended_by_clicks() {
    let instance = Setup::windowed().start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "seq 1 400; exec cat"]);
    instance.wait_for_screen("one", "400");
    let display = instance.display();
    let window = display.focus_window();
    // From the middle of the terminal up to the tabs, and held there.
    display.xdotool(&["mousemove", "--window", &window, "--sync", "300", "300", "mousedown", "1"]);
    display.xdotool(&["mousemove", "--window", &window, "--sync", "300", "20"]);
    instance.wait_for_screen("one", "\n200\n");
    display.xdotool(&["mouseup", "1"]);
    let selected = instance.selected();
    assert!(selected.lines().count() > 150, "{} lines", selected.lines().count());
    // And back to fewer with Shift, from where it began.
    let place = ["mousemove", "--window", &window, "--sync", "300", "500"];
    display.xdotool(&[&place[..], &["keydown", "shift", "click", "1", "keyup", "shift"]].concat());
    let fewer = wait_for(|| Some(instance.selected()).filter(|text| *text != selected));
    let fewer = fewer.filter(|text| !text.is_empty()).expect("another end of the same selection");
    // And so with the right button.
    display.xdotool(&["mousemove", "--window", &window, "--sync", "300", "400", "click", "3"]);
    let other = wait_for(|| Some(instance.selected()).filter(|text| *text != fewer));
    assert!(other.is_some_and(|text| !text.is_empty()), "again another end");
}

impl Instance {
    /// What is selected, as other programs see it.
    fn selected(&self) -> String {
        let mut xclip = Command::new("xclip");
        xclip.args(["-o", "-selection", "primary", "-display", self.display().name()]);
        let output = xclip.stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
