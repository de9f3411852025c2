//! Wrong usage, unusable folders and unreadable files: a clear line, and nothing lost.

use std::fs;
use std::path::Path;

use crate::command::{check_line, refusal, run_to_end, trackside};
use crate::harness::{Instance, Setup, set_mode};

#[test]
fn a_path_that_cannot_be_opened_keeps_the_program_from_starting() {
    let setup = Setup::headless();
    fs::write(setup.path("file"), "text").unwrap();
    for path in ["no/such/folder", "file/below", "one/no/such.txt"] {
        let output = run_to_end(setup.command().arg(path));
        check_line(&output, &[path]);
    }
}

#[test]
fn a_command_with_a_slip_in_it_is_no_file() {
    let setup = Setup::headless();
    for args in [&["agnet", "list"][..], &["statsu"], &["agnet", "list", "--json"]] {
        let (code, line) = refusal(&run_to_end(setup.command().args(args)));
        assert!(code == 2 && line.contains("did you mean `trackside "), "{args:?}: {line}");
    }
    let instance = Instance::headless();
    fs::write(instance.path("agnet"), "text").unwrap();
    instance.ok(["agnet"]);
    assert!(instance.status().to_string().contains("agnet"), "a file of that name is opened");
}

#[test]
fn a_folder_that_cannot_be_opened_is_refused_and_changes_nothing() {
    let instance = Instance::headless();
    instance.open("one");
    let before = instance.status();
    fs::write(instance.path("file"), "text").unwrap();
    for path in ["no/such/folder", "file/", "file/below"] {
        check_line(&instance.cli(["open", path]), &[path.trim_end_matches('/')]);
    }
    assert_eq!(instance.status()["workspaces"], before["workspaces"], "nothing was opened");
}

#[test]
fn an_unreadable_folder_is_refused() {
    let instance = Instance::headless();
    set_mode(&instance.path("two"), 0o000);
    if fs::read_dir(instance.path("two")).is_ok() {
        // Nothing is unreadable to root.
        return;
    }
    check_line(&instance.cli(["open", "two"]), &["two", "ermission"]);
    set_mode(&instance.path("two"), 0o700);
}

#[test]
fn a_file_that_is_no_text_is_refused_and_stays_as_it_is() {
    let instance = Instance::headless();
    let file = |name: &str, bytes: &[u8]| {
        let path = instance.path("one").join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let unchanged = [
        (file("program", b"ELF\0\x01\x02"), "not a text file"),
        (file("utf16", b"\xff\xfea\0b\0"), "not a text file"),
        (file("latin1", b"caf\xe9\n"), "offset 3"),
        (file("cut", "\u{20ac}".as_bytes()[..2].as_ref()), "UTF-8"),
    ];
    for (path, says) in &unchanged {
        let before = fs::read(path).unwrap();
        check_line(&instance.cli(["open".as_ref(), path.as_os_str()]), &[says]);
        // The tab may stay to show the reason, but it must not become a way to write there.
        instance.cli(["type", "text"]);
        for action in ["file.save", "file.overwrite"] {
            let (code, line) = instance.refused(["do", action]);
            assert_eq!((code, line.contains("still being read")), (1, false), "{action}: {line}");
        }
        assert_eq!(fs::read(path).unwrap(), before, "{} is untouched", path.display());
        instance.cli(["do", "tab.close"]);
    }
    let tabs = &instance.workspace("one")["tabs"];
    assert!(tabs.as_array().is_none_or(Vec::is_empty), "they close without a question: {tabs}");
}

#[test]
fn what_is_not_a_regular_file_is_refused_without_waiting() {
    let instance = Instance::headless();
    let pipe = instance.path("one/pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let socket = instance.path("one/socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [pipe.as_path(), &socket, Path::new("/dev/zero"), Path::new("/dev/tty")] {
        let mut command = trackside(instance.dir.path());
        check_line(&run_to_end(command.arg("open").arg(path)), &[path.to_str().unwrap()]);
    }
    instance.status();
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let instance = Instance::headless();
    let path = instance.path("one/huge");
    fs::File::create(&path).unwrap().set_len(64 << 30).unwrap();
    let before = resident_bytes(&instance);
    check_line(&instance.cli(["open".as_ref(), path.as_os_str()]), &["huge", "limit"]);
    let grown = resident_bytes(&instance).saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes more");
}

fn resident_bytes(instance: &Instance) -> u64 {
    instance.stats()["memory"]["resident_bytes"].as_u64().unwrap()
}

#[test]
fn no_display_is_told_in_one_line() {
    let setup = Setup::headless();
    check_line(&run_to_end(&trackside(setup.dir())), &["display", "--headless"]);
    check_line(&run_to_end(trackside(setup.dir()).env("DISPLAY", ":54321")), &["display"]);
    check_line(
        &run_to_end(trackside(setup.dir()).env("WAYLAND_DISPLAY", "nobody-0")),
        &["display"],
    );
}

#[test]
fn no_graphics_adapter_at_all_is_told_in_one_line() {
    let setup = Setup::headless()
        .env("VK_ICD_FILENAMES", "/dev/null")
        .env("VK_DRIVER_FILES", "/dev/null")
        .env("LIBGL_DRIVERS_PATH", "/nonexistent")
        .env("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent");
    check_line(&run_to_end(&setup.command()), &["graphics"]);
}

#[test]
fn windows_of_any_size_are_drawn() {
    for (size, width, height) in [("1x1", 1, 1), ("8000x8000", 8000, 8000), ("16x2000", 16, 2000)] {
        let instance = Setup::sized(size).start();
        instance.open("one");
        instance.start_agent("one", &["sh", "-c", "echo hi; stty size; cat"]);
        let picture = instance.screenshot();
        assert_eq!((picture.width, picture.height), (width, height), "all of it");
        instance.ok(["keys", "ctrl-shift-p"]);
        instance.screenshot();
        instance.ok(["keys", "escape"]);
        instance.ok(["agent", "stop"]);
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let instance = Instance::headless();
    instance.open("one");
    let wrong = [
        &["--bogus"][..],
        &["--headless", "--size", "0x0"],
        &["--headless", "--size", "wide"],
        &["--headless", "--scale", "NaN"],
        &["status", "--bogus"],
        &["open"],
        &["agent"],
        &["agent", "send"],
        &["agent", "dance"],
        &["wait"],
        &["wait", "--state", "asleep"],
        &["wait", "--state", "idle", "--timeout", "soon"],
        &["do"],
        &["do", "no.such.action"],
        &["do", "file.open", "{"],
        &["do", "file.open", "[]"],
        &["do", "file.open", r#"{"path":3}"#],
        &["do", "file.open", r#"{"no_such_argument":3}"#],
        &["keys"],
        &["keys", "hyper-x"],
        &["keys", "ctrl-"],
        &["type"],
        &["config", "dance"],
    ];
    let otherwise: Vec<_> = wrong
        .iter()
        .map(|args| (args, run_to_end(trackside(instance.dir.path()).args(*args))))
        .filter(|(_, output)| output.status.code() != Some(2) || output.stderr.is_empty())
        .map(|(args, output)| format!("{args:?}: {:?}", output.status.code()))
        .collect();
    assert!(otherwise.is_empty(), "not refused as wrong usage: {otherwise:#?}");
}

#[test]
fn the_fault_is_told_once() {
    let instance = Instance::headless();
    instance.open("one");
    let (_, line) = instance.refused(["do", "file.open", r#"{"path":3}"#]);
    assert_eq!(line.matches("must be a string").count(), 1, "{line}");
}

#[test]
fn commands_without_an_instance_exit_with_3() {
    let setup = Setup::headless();
    for args in [
        &["status"][..],
        &["status", "--json"],
        &["open", "one"],
        &["agent", "start", "--", "cat"],
        &["agent", "stop"],
        &["wait", "--state", "idle"],
        &["screen"],
        &["screenshot", "x.png"],
        &["do", "file.save"],
        &["keys", "f1"],
        &["type", "x"],
        &["events"],
        &["stats"],
        &["quit"],
    ] {
        let (code, line) = refusal(&run_to_end(trackside(setup.dir()).args(args)));
        assert_eq!(code, 3, "{args:?}: {line}");
    }
}

#[test]
fn a_wait_that_takes_too_long_exits_with_4() {
    let instance = Instance::headless();
    instance.open("one");
    let (code, line) = instance.refused(["wait", "--state", "running", "--timeout", "50ms"]);
    assert_eq!(code, 4, "{line}");
    instance.ok(["wait", "--state", "idle", "--timeout", "50ms"]);
}

#[test]
fn what_is_not_there_is_named() {
    let instance = Instance::headless();
    let (code, line) = instance.refused(["agent", "start", "--", "cat"]);
    assert_eq!(code, 1, "there is no workspace yet: {line}");
    instance.open("one");
    for args in [
        &["screen", "-w", "nowhere"][..],
        &["agent", "start", "-w", "nowhere", "--", "cat"],
        &["agent", "stop", "-w", "nowhere"],
        &["wait", "-w", "nowhere", "--state", "idle"],
    ] {
        let (code, line) = instance.refused(args);
        assert_eq!((code, line.contains("`nowhere`")), (1, true), "{args:?}: {line}");
    }
    for args in [
        &["screen", "--tab", "99"][..],
        &["agent", "stop"],
        &["agent", "restart"],
        &["agent", "send", "hello"],
        &["do", "file.save"],
        &["do", "workspace.activate", r#"{"number":9}"#],
        &["screenshot", "no/such/folder/x.png"],
    ] {
        let (code, line) = instance.refused(args);
        assert_eq!(code, 1, "{args:?}: {line}");
    }
}
