//! Files: opened, typed into, undone and saved byte for byte.

use std::ffi::OsStr;
use std::fs;
use std::process::{Child, Stdio};

use crate::command::trackside;
use crate::harness::{Instance, on_both, wait_for};

impl Instance {
    /// Writes a file and opens it, with `:LINE:COLUMN` if given.
    fn open_file(&self, name: &str, bytes: &[u8], place: &str) {
        fs::write(self.path(name), bytes).unwrap();
        self.ok(["open", &format!("{name}{place}")]);
    }

    fn keys(&self, keys: &str) {
        self.ok(["keys", keys]);
    }

    #[track_caller]
    fn save(&self) {
        self.ok(["do", "file.save"]);
    }

    /// The file's tab in the workspace `one`, as `status --json` has it.
    fn tab(&self, title: &str) -> Option<serde_json::Value> {
        let workspace = self.workspace("one");
        workspace["tabs"].as_array()?.iter().find(|tab| tab["title"] == title).cloned()
    }

    #[track_caller]
    fn check_disk(&self, name: &str, expected: &[u8]) {
        let found = fs::read(self.path(name)).unwrap();
        let (found, expected) = (found.escape_ascii(), expected.escape_ascii());
        assert_eq!(found.to_string(), expected.to_string(), "{name} on disk");
    }
}

#[test]
fn typed_text_is_saved_byte_for_byte_and_the_rest_kept() {
    on_both(|instance| {
        for (name, before, place, typed, after) in [
            ("one/plain", "ab\ncd\n", ":2:2", "X", "ab\ncXd\n"),
            ("one/empty", "", "", "X", "X"),
            ("one/no-newline", "ab", ":1:3", "\u{e9}\u{1f600}", "ab\u{e9}\u{1f600}"),
            ("one/crlf", "ab\r\ncd\r\n", ":2:3", "X", "ab\r\ncdX\r\n"),
            ("one/bom", "\u{feff}ab\n", ":1:1", "X", "\u{feff}Xab\n"),
            ("one/mixed", "a\r\nb\nc\r\n", ":3:1", "X", "a\r\nb\nXc\r\n"),
            ("one/tabs", "\t\tx \n\n\n", ":1:4", "X", "\t\txX \n\n\n"),
            ("one/odd", "a\u{2028}b\u{c}c\rd\n", ":1:1", "X", "Xa\u{2028}b\u{c}c\rd\n"),
            (
                "one/marks",
                "e\u{301}\u{1f469}\u{200d}\u{1f680}z\n",
                ":1:3",
                "X",
                "e\u{301}\u{1f469}\u{200d}\u{1f680}Xz\n",
            ),
        ] {
            instance.open_file(name, before.as_bytes(), place);
            instance.ok(["type", typed]);
            instance.check_disk(name, before.as_bytes());
            instance.save();
            instance.check_disk(name, after.as_bytes());
        }
    });
}

#[test]
fn a_new_line_ends_as_the_others_of_its_file() {
    let instance = Instance::headless();
    for (name, before, after) in
        [("one/unix", "ab\n", "a\nb\n"), ("one/dos", "ab\r\ncd\r\n", "a\r\nb\r\ncd\r\n")]
    {
        instance.open_file(name, before.as_bytes(), ":1:2");
        instance.keys("enter");
        instance.save();
        instance.check_disk(name, after.as_bytes());
    }
}

#[test]
fn opening_and_saving_changes_no_byte() {
    let instance = Instance::headless();
    let text = "\u{feff}a\r\nb\n\tc \r\n\r\n\u{e4}";
    instance.open_file("one/file", text.as_bytes(), "");
    instance.save();
    instance.check_disk("one/file", text.as_bytes());
}

#[test]
fn undo_and_redo_go_step_by_step_and_know_what_is_saved() {
    on_both(|instance| {
        instance.open_file("one/file", b"start\n", ":1:6");
        let modified = || instance.tab("file").unwrap()["modified"] == true;
        assert!(!modified(), "just opened");
        instance.ok(["type", " one"]);
        instance.ok(["type", " two"]);
        assert!(modified(), "typed into");
        for (action, after) in [
            ("edit.undo", "start one\n"),
            ("edit.undo", "start\n"),
            ("edit.redo", "start one\n"),
            ("edit.redo", "start one two\n"),
            ("edit.undo", "start one\n"),
        ] {
            instance.ok(["do", action]);
            instance.save();
            instance.check_disk("one/file", after.as_bytes());
            assert!(!modified(), "just saved");
        }
        instance.keys("ctrl-z");
        assert!(modified(), "other than what is saved");
        instance.keys("ctrl-shift-z");
        assert!(!modified(), "what is saved again");
    });
}

#[test]
fn keys_do_in_a_file_what_they_do_everywhere() {
    on_both(|instance| {
        instance.open_file("one/file", b"one two\nthree\n", "");
        for keys in [
            "end x backspace shift-left delete",
            "ctrl-home ctrl-right",
            "ctrl-end up home",
            "tab ctrl-z",
        ] {
            instance.keys(keys);
        }
        instance.ok(["type", ">"]);
        instance.keys("ctrl-s");
        instance.check_disk("one/file", b"one tw\n>three\n");
    });
}

#[test]
fn a_place_beyond_the_end_is_the_end() {
    let instance = Instance::headless();
    instance.open_file("one/file", b"ab\ncd", ":1:99");
    instance.ok(["type", "1"]);
    instance.ok(["open", "one/file:99"]);
    instance.keys("end");
    instance.ok(["type", "2"]);
    instance.save();
    instance.check_disk("one/file", b"ab1\ncd2");
}

#[test]
fn a_name_with_colons_is_a_name_where_such_a_file_exists() {
    let instance = Instance::headless();
    instance.open_file("one/a:1", b"", "");
    instance.ok(["type", "X"]);
    instance.save();
    instance.check_disk("one/a:1", b"X");
    assert!(!instance.path("one/a").exists(), "no other file was made");
}

#[test]
fn a_missing_file_in_a_folder_that_exists_is_made_on_save() {
    on_both(|instance| {
        instance.ok(["open", "one/new.txt"]);
        assert!(!instance.path("one/new.txt").exists(), "nothing is made before it is saved");
        instance.ok(["type", "hello"]);
        instance.save();
        instance.check_disk("one/new.txt", b"hello");
        let (code, line) = instance.refused(["open", "one/no/new.txt"]);
        assert_eq!(code, 1, "{line}");
        assert!(!instance.path("one/no").exists(), "and no folder is made");
    });
}

#[test]
fn a_file_opens_in_the_workspace_that_holds_it() {
    let instance = Instance::headless();
    instance.open("one");
    instance.open("two");
    instance.open_file("one/file", b"", "");
    assert_eq!(instance.workspace("one")["active"], true, "which is shown");
    assert!(instance.tab("file").is_some(), "{}", instance.workspace("one"));
    instance.ok(["open", "one/file"]);
    let tabs = instance.workspace("one")["tabs"].as_array().unwrap().len();
    assert_eq!(tabs, 1, "a file has one tab");
    assert_eq!(instance.status()["workspaces"].as_array().unwrap().len(), 2, "none was added");
}

#[test]
fn a_file_changed_on_disk_meanwhile_is_not_overwritten_unasked() {
    on_both(|instance| {
        instance.open_file("one/file", b"ours\n", ":1:1");
        instance.ok(["type", "X"]);
        fs::write(instance.path("one/file"), "theirs, and longer\n").unwrap();
        let (code, line) = instance.refused(["do", "file.save"]);
        assert_eq!(code, 1, "{line}");
        assert!(line.contains("changed on disk"), "{line}");
        instance.check_disk("one/file", b"theirs, and longer\n");
        assert_eq!(instance.tab("file").unwrap()["modified"], true, "ours is still here");
        instance.ok(["do", "file.overwrite"]);
        instance.check_disk("one/file", b"Xours\n");
        instance.ok(["type", "Y"]);
        instance.save();
        instance.check_disk("one/file", b"XYours\n");
    });
}

#[test]
fn a_change_of_same_length_and_time_is_noticed_too() {
    let instance = Instance::headless();
    instance.open_file("one/file", b"ours", ":1:1");
    let time = fs::metadata(instance.path("one/file")).unwrap().modified().unwrap();
    instance.ok(["type", "X"]);
    fs::write(instance.path("one/file"), b"them").unwrap();
    let file = fs::File::options().write(true).open(instance.path("one/file")).unwrap();
    file.set_modified(time).unwrap();
    assert_eq!(instance.refused(["do", "file.save"]).0, 1, "the content tells");
    instance.check_disk("one/file", b"them");
}

#[test]
fn a_file_deleted_meanwhile_is_not_lost() {
    let instance = Instance::headless();
    instance.open_file("one/file", b"ours", ":1:1");
    instance.ok(["type", "X"]);
    fs::remove_file(instance.path("one/file")).unwrap();
    instance.cli(["do", "file.save"]);
    instance.ok(["do", "file.overwrite"]);
    instance.check_disk("one/file", b"Xours");
}

#[test]
fn saving_keeps_mode_links_and_neighbours() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let instance = Instance::headless();
    fs::write(instance.path("one/real"), "text").unwrap();
    crate::harness::set_mode(&instance.path("one/real"), 0o750);
    fs::hard_link(instance.path("one/real"), instance.path("one/hard")).unwrap();
    std::os::unix::fs::symlink("real", instance.path("one/soft")).unwrap();
    instance.ok(["open", "one/soft:1:1"]);
    instance.ok(["type", "X"]);
    instance.save();
    for name in ["one/real", "one/hard", "one/soft"] {
        instance.check_disk(name, b"Xtext");
    }
    let metadata = fs::metadata(instance.path("one/real")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o750, "the mode");
    assert_eq!(metadata.nlink(), 2, "the hard link");
    assert!(fs::symlink_metadata(instance.path("one/soft")).unwrap().is_symlink(), "the link");
    assert_eq!(fs::read_dir(instance.path("one")).unwrap().count(), 3, "nothing is left beside");
}

#[test]
fn closing_a_modified_tab_asks() {
    on_both(|instance| {
        instance.open_file("one/file", b"text", ":1:1");
        instance.ok(["type", "X"]);
        assert!(!instance.screenshot().has_overlay(), "nobody is asked yet");
        instance.cli(["do", "tab.close"]);
        assert!(instance.tab("file").is_some(), "it is still there");
        assert!(instance.screenshot().has_overlay(), "a question is shown");
        instance.keys("escape");
        assert_eq!(instance.tab("file").unwrap()["modified"], true, "and has its text");
        instance.save();
        instance.ok(["do", "tab.close"]);
        assert!(instance.tab("file").is_none(), "saved, it closes");
        instance.check_disk("one/file", b"Xtext");
    });
}

#[test]
fn quitting_with_unsaved_text_is_refused_until_it_is_discarded() {
    on_both_to_the_end(|instance| {
        instance.open_file("one/file", b"text", ":1:1");
        instance.ok(["type", "X"]);
        for args in [&["quit"][..], &["quit", "--stop-agents"]] {
            let (code, line) = instance.refused(args);
            assert_eq!((code, line.contains("file")), (1, true), "{args:?}: {line}");
        }
        assert_eq!(instance.tab("file").unwrap()["modified"], true, "nothing was lost");
        instance.ok(["do", "app.discard_and_quit"]);
        assert!(instance.wait_for_end().success(), "it ends well");
        instance.check_disk("one/file", b"text");
    });
}

/// As [`on_both`], for scripts that end the program themselves.
fn on_both_to_the_end(script: impl Fn(&mut Instance)) {
    use crate::harness::Setup;
    for setup in [Setup::headless(), Setup::windowed()] {
        script(&mut setup.start());
    }
}

#[test]
fn the_program_started_again_opens_in_the_running_one() {
    on_both(|instance| {
        fs::write(instance.path("two/file"), "ab").unwrap();
        instance.ok(["one"]);
        instance.ok(["two/file:1:2"]);
        assert_eq!(instance.workspace("one")["active"], false, "the last one is shown");
        instance.ok(["type", "X"]);
        instance.save();
        instance.check_disk("two/file", b"aXb");
        let (code, line) = instance.refused(["no/such/folder"]);
        assert_eq!(code, 1, "{line}");
    });
}

fn start_waiting(instance: &Instance, paths: &[&str]) -> Child {
    let mut command = trackside(instance.dir.path());
    command.arg("--wait").args(paths).stdin(Stdio::null()).spawn().unwrap()
}

#[test]
fn wait_returns_when_the_last_of_its_files_is_closed() {
    let instance = Instance::headless();
    instance.open("one");
    fs::write(instance.path("one/first"), "").unwrap();
    fs::write(instance.path("one/second"), "").unwrap();
    let mut waiting = start_waiting(&instance, &["one/first", "one/second"]);
    wait_for(|| instance.tab("first").and(instance.tab("second"))).expect("both are open");
    instance.ok([OsStr::new("open"), instance.path("one/first").as_os_str()]);
    instance.ok(["do", "tab.close"]);
    assert!(instance.tab("first").is_none(), "one is closed");
    instance.status();
    assert!(waiting.try_wait().unwrap().is_none(), "it waits for the other");
    instance.ok(["open", "one/second"]);
    instance.ok(["do", "tab.close"]);
    let status = wait_for(|| waiting.try_wait().unwrap()).expect("it returns");
    assert!(status.success(), "well: {status}");
}

#[test]
fn wait_returns_when_the_program_ends() {
    let mut instance = Instance::headless();
    fs::write(instance.path("one/first"), "").unwrap();
    let mut waiting = start_waiting(&instance, &["one/first"]);
    wait_for(|| instance.tab("first")).expect("it is open");
    instance.quit();
    assert!(wait_for(|| waiting.try_wait().unwrap()).is_some(), "it does not wait for ever");
}
