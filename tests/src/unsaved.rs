//! Unsaved text: written down while it is typed, and back after whatever has happened.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::harness::{Instance, timed, wait_for};

/// What was typed so long before a crash must not be lost.
const MAY_BE_LOST: Duration = Duration::from_secs(1);

impl Instance {
    fn journals(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path("state/trackside/journal")).into_iter().flatten();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut journals: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|it| it == "journal")).collect();
        journals.sort();
        journals
    }

    /// Writes a file, types behind its end, and waits until that is in its journal.
    fn type_unsaved(&self, name: &str, text: &str, typed: &str) {
        fs::write(self.path(name), text).unwrap();
        self.ok(["open", name]);
        self.ok(["keys", "ctrl-end"]);
        self.ok(["type", typed]);
        let is_kept = || self.journals().iter().any(|path| contains(path, typed));
        wait_for(|| is_kept().then_some(())).expect("it is written down");
    }

    fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        self.wait_for_end();
    }

    fn modified(&self, workspace: &str) -> bool {
        let workspace = self.workspace(workspace);
        workspace["tabs"].as_array().unwrap().iter().any(|tab| tab["modified"] == true)
    }
}

fn contains(path: &std::path::Path, text: &str) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn steady_typing_loses_at_most_a_second_when_killed() {
    let mut instance = Instance::headless();
    fs::write(instance.path("one/letter"), "").unwrap();
    instance.ok(["open", "one/letter"]);
    let mut typed = String::new();
    // What was there, and when, counted from the first key.
    let mut acknowledged: Vec<(Duration, usize)> = Vec::new();
    let mut since_start = Duration::ZERO;
    while since_start < Duration::from_millis(3_300) {
        let word = format!("{} ", acknowledged.len());
        let ((), took) = timed(|| drop(instance.ok(["type", &word])));
        typed.push_str(&word);
        since_start += took;
        acknowledged.push((since_start, typed.len()));
    }
    instance.kill();
    instance.start_again();
    instance.ok(["do", "file.save"]);
    let kept = fs::read_to_string(instance.path("one/letter")).unwrap();
    assert!(typed.starts_with(&kept), "nothing else than what was typed: {kept:?}");
    let safe = since_start - MAY_BE_LOST;
    let least = acknowledged.iter().rev().find(|(at, _)| *at <= safe).expect("typed for longer").1;
    let (n_kept, n_typed) = (kept.len(), typed.len());
    assert!(
        n_kept >= least,
        "{n_kept} of {n_typed} bytes, {least} of which are older than a second"
    );
}

#[test]
fn text_comes_back_modified_with_cursor_and_undo() {
    let mut instance = Instance::headless();
    instance.type_unsaved("one/letter", "Dear ", "reader");
    instance.kill();
    instance.start_again();
    assert!(instance.modified("one"), "it is not saved");
    assert_eq!(fs::read_to_string(instance.path("one/letter")).unwrap(), "Dear ", "nobody saved");
    assert_eq!(instance.screen("one").trim(), "Dear reader", "it is shown");
    instance.ok(["type", "!"]);
    instance.ok(["do", "edit.undo"]);
    instance.ok(["do", "edit.undo"]);
    assert!(!instance.modified("one"), "undone to what the disk holds");
    instance.ok(["do", "edit.redo"]);
    instance.ok(["do", "edit.redo"]);
    instance.ok(["do", "file.save"]);
    assert_eq!(fs::read_to_string(instance.path("one/letter")).unwrap(), "Dear reader!", "saved");
    wait_for(|| instance.journals().is_empty().then_some(()))
        .expect("what is saved has no journal");
}

#[test]
fn a_file_changed_meanwhile_is_not_overwritten() {
    let mut instance = Instance::headless();
    instance.type_unsaved("one/letter", "Dear ", "reader");
    instance.kill();
    fs::write(instance.path("one/letter"), "Theirs").unwrap();
    instance.start_again();
    assert_eq!(instance.screen("one").trim(), "Dear reader", "what was typed is there");
    assert!(instance.screenshot().has_overlay(), "a question is asked");
    instance.ok(["keys", "escape"]);
    let (code, line) = instance.refused(["do", "file.save"]);
    assert_eq!((code, line.contains("changed on disk")), (1, true), "{line}");
    assert_eq!(fs::read_to_string(instance.path("one/letter")).unwrap(), "Theirs", "untouched");
    instance.ok(["do", "file.reload"]);
    assert_eq!(instance.screen("one").trim(), "Theirs", "theirs was taken");
    wait_for(|| instance.journals().is_empty().then_some(())).expect("nothing is unsaved");
}

#[test]
fn text_whose_folder_is_gone_comes_back_too() {
    let mut instance = Instance::headless();
    instance.type_unsaved("one/letter", "Dear ", "reader");
    instance.kill();
    fs::remove_dir_all(instance.path("one")).unwrap();
    instance.start_again();
    let status = instance.status();
    let tabs = status["workspaces"][0]["tabs"].as_array().expect("a workspace").clone();
    assert_eq!(
        (&tabs[0]["title"], &tabs[0]["modified"]),
        (&"letter".into(), &true.into()),
        "{status}"
    );
    let screen = wait_for(|| {
        let screen = String::from_utf8(instance.cli(["screen"]).stdout).unwrap();
        screen.contains("Dear reader").then_some(())
    });
    assert!(screen.is_some(), "with its text");
}

#[test]
fn many_texts_come_back_unread_and_stay_kept() {
    let mut instance = Instance::headless();
    for name in ["one/a", "one/b", "two/c"] {
        instance.type_unsaved(name, "text ", &format!("of {name}"));
    }
    instance.wait_until_kept("/two/c");
    for _ in 0..2 {
        instance.kill();
        instance.start_again();
        assert!(instance.modified("one") && instance.modified("two"), "{}", instance.status());
        let (code, line) = instance.refused(["quit"]);
        assert_eq!((code, line.contains('a')), (1, true), "unread text counts: {line}");
    }
    for name in ["one/a", "one/b", "two/c"] {
        instance.ok(["open", name]);
        instance.ok(["do", "file.save"]);
        let saved = fs::read_to_string(instance.path(name)).unwrap();
        assert_eq!(saved, format!("text of {name}"), "each its own");
    }
    wait_for(|| instance.journals().is_empty().then_some(())).expect("all is saved");
}

#[test]
fn what_is_discarded_or_undone_does_not_come_back() {
    let mut instance = Instance::headless();
    instance.type_unsaved("one/a", "", "undone");
    instance.ok(["do", "edit.undo"]);
    wait_for(|| instance.journals().is_empty().then_some(())).expect("nothing is left to keep");
    instance.type_unsaved("one/b", "", "discarded with its tab");
    instance.cli(["do", "tab.close"]);
    instance.ok(["keys", "right enter"]);
    wait_for(|| instance.journals().is_empty().then_some(())).expect("it was given up");
    instance.type_unsaved("one/c", "", "discarded at the end");
    instance.ok(["do", "app.discard_and_quit"]);
    instance.wait_for_end();
    assert_eq!(instance.journals(), [""; 0].map(PathBuf::from), "nothing is kept");
    instance.start_again();
    assert!(!instance.modified("one"), "{}", instance.status());
}

#[test]
fn quitting_may_keep_unsaved_text_for_the_next_time() {
    let mut instance = Instance::headless();
    fs::write(instance.path("one/letter"), "Dear ").unwrap();
    instance.ok(["open", "one/letter:1:6"]);
    instance.ok(["type", "reader"]);
    instance.ok(["do", "app.quit"]);
    assert!(instance.screenshot().has_overlay(), "a question is asked");
    instance.ok(["keys", "escape"]);
    instance.ok(["do", "app.quit"]);
    // What Enter does: it may be gone before it has answered.
    instance.cli(["keys", "enter"]);
    assert!(instance.wait_for_end().success(), "it ends well");
    assert_eq!(fs::read_to_string(instance.path("one/letter")).unwrap(), "Dear ", "nobody saved");
    instance.start_again();
    assert_eq!(instance.screen("one").trim(), "Dear reader", "it is back");
}

#[test]
fn a_state_folder_that_is_deleted_is_made_anew_and_said() {
    let mut instance = Instance::headless();
    instance.type_unsaved("one/letter", "Dear ", "reader");
    let before = instance.screenshot();
    fs::remove_dir_all(instance.path("state/trackside/journal")).unwrap();
    instance.ok(["type", ", hello"]);
    let kept = wait_for(|| instance.journals().first().filter(|it| contains(it, "hello")).cloned());
    assert!(kept.is_some_and(|path| contains(&path, "Dear reader")), "all of it is written down");
    assert!(instance.screenshot().differs(&before), "and it is said");
    instance.kill();
    instance.start_again();
    assert_eq!(instance.screen("one").trim(), "Dear reader, hello", "nothing is lost");
}

#[test]
fn where_nothing_can_be_written_editing_goes_on_with_a_warning() {
    let instance = Instance::headless();
    fs::write(instance.path("one/letter"), "Dear ").unwrap();
    instance.ok(["open", "one/letter:1:6"]);
    let before = instance.screenshot();
    // For root no folder is read-only; but a file is no folder for anybody.
    let journal = instance.path("state/trackside/journal");
    fs::write(&journal, "in the way").unwrap();
    instance.ok(["type", "reader"]);
    let bar = |of: &crate::picture::Picture| {
        (0..of.width / 2).map(|x| of.pixel(x, of.height - 12)).collect::<Vec<_>>()
    };
    let warned = wait_for(|| (bar(&instance.screenshot()) != bar(&before)).then_some(()));
    assert!(warned.is_some(), "the status bar warns");
    let (code, line) = instance.refused(["do", "app.keep_and_quit"]);
    assert_eq!((code, line.contains("cannot be kept")), (1, true), "{line}");
    instance.ok(["type", "!"]);
    instance.ok(["do", "file.save"]);
    assert_eq!(
        fs::read_to_string(instance.path("one/letter")).unwrap(),
        "Dear reader!",
        "it works"
    );
    instance.ok(["type", "?"]);
    fs::remove_file(&journal).unwrap();
    let kept = wait_for(|| instance.journals().first().filter(|it| contains(it, "!?")).cloned());
    assert!(kept.is_some(), "tried again, it is written");
}

#[test]
fn only_the_user_can_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let instance = Instance::headless();
    instance.type_unsaved("one/letter", "", "secret");
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(instance.path("state/trackside/journal")), 0o700, "the folder");
    assert_eq!(mode(instance.journals().remove(0)), 0o600, "the file");
}
