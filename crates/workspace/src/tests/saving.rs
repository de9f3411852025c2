//! Files: what is never lost without a question.

use super::*;

#[test]
fn unsaved_text_is_never_dropped_unasked() {
    check_refused(
        "open /a, file /a/f.rs, type x",
        leave(AgentsThen::Stop),
        "unsaved changes in f.rs",
    );
    check_refused(
        "open /a, file /a/f.rs, type x",
        Action::Workspace(WorkspaceAction::Close(None)),
        "unsaved changes in f.rs",
    );
    let stage = Stage::play("open /a, file /a/f.rs, type x, key ctrl-w");
    assert!(matches!(stage.state.overlay(), Some(Overlay::Confirm(_))), "closing asks");
    assert_eq!(stage.picture(), "*a idle [F.RS]", "and keeps the tab until then");
}

#[test]
fn save_in_the_question_closes_the_tab_once_saved() {
    let mut stage = Stage::play("open /a, file /a/f.rs, type x, key ctrl-w enter");
    assert_eq!(stage.picture(), "*a idle [F.RS]", "still there while it is written");
    let Some(Effect::SaveFile { revision, buffer, .. }) = stage.effects.pop() else {
        panic!("a save");
    };
    let stamp = buffer::DiskStamp { len: 6, modified: None, inode: 1, hash: 1 };
    stage.fact(Fact::FileSaved { buffer, revision, stamp });
    assert_eq!(stage.picture(), "*a idle []", "gone");
}

#[test]
fn a_save_carries_the_text_and_what_was_read() {
    let mut stage = Stage::play("open /a, file /a/f.rs, type x, key ctrl-s");
    let Some(Effect::SaveFile { bytes, revision, buffer, force: false, .. }) = stage.effects.pop()
    else {
        panic!("a save");
    };
    assert_eq!(bytes, b"xtext\n", "the whole text");
    stage.step("type y");
    let stamp = buffer::DiskStamp { len: 6, modified: None, inode: 1, hash: 1 };
    stage.fact(Fact::FileSaved { buffer, revision, stamp });
    let (_, file) = stage.state.active_file().unwrap();
    assert!(file.is_modified(), "what was typed during the save is still unsaved");
}

#[test]
fn a_file_changed_on_disk_is_not_overwritten_unasked() {
    let mut stage = Stage::play("open /a, file /a/f.rs, type x, key ctrl-s");
    let (buffer, _) = stage.state.active_file().unwrap();
    let conflict = Some(Conflict::Changed);
    let message = "changed".to_owned();
    stage.fact(Fact::SaveFailed { buffer, message, conflict });
    assert!(matches!(stage.state.overlay(), Some(Overlay::Confirm(_))), "it asks");
    stage.effects.clear();
    stage.step("key enter");
    assert!(stage.effects.is_empty(), "Enter only goes on editing");
}

#[test]
fn a_question_is_about_the_file_on_show_or_not_asked() {
    let failed = |buffer| Fact::SaveFailed {
        buffer,
        message: "one was changed on disk".to_owned(),
        conflict: Some(Conflict::Changed),
    };
    let mut stage = Stage::play("open /a, file /a/one, type x, key ctrl-s");
    let (one, _) = stage.state.active_file().unwrap();
    stage.fact(failed(one));
    stage.step("file /a/two");
    assert!(stage.state.overlay().is_none(), "moot once another tab is on show");
    stage.fact(failed(one));
    assert!(stage.state.overlay().is_none(), "nor asked there");
    assert!(stage.state.toast().is_some(), "but told");
    stage.step("key ctrl-pageup");
    stage.fact(failed(one));
    stage.step("key right enter");
    let Some(Effect::LoadFile { buffer, .. }) = stage.effects.last() else { panic!("a load") };
    assert_eq!(*buffer, one, "its own file");
}

#[test]
fn taking_what_is_on_disk_can_be_undone_and_never_empties_the_text() {
    let mut stage = Stage::play("open /a, file /a/one, type x");
    let (buffer, _) = stage.state.active_file().unwrap();
    stage.act(Action::File(FileAction::Reload(None))).unwrap();
    let gone = Document::from_bytes(Vec::new()).unwrap();
    stage.fact(Fact::FileRead { buffer, result: Ok((gone, None)) });
    let text = |stage: &Stage| stage.state.file(buffer).unwrap().document().to_bytes();
    assert_eq!(text(&stage), b"xtext\n", "a deleted file leaves the text");
    let theirs = Document::from_bytes(b"theirs\n".to_vec()).unwrap();
    let stamp = buffer::DiskStamp { len: 7, modified: None, inode: 1, hash: 1 };
    stage.fact(Fact::FileRead { buffer, result: Ok((theirs, Some(stamp))) });
    assert_eq!(text(&stage), b"theirs\n", "taken");
    stage.step("key ctrl-z");
    assert_eq!(text(&stage), b"xtext\n", "and taken back");
}

#[test]
fn a_line_that_was_asked_for_has_lines_around_it() {
    let mut stage = Stage::play("open /a");
    let path = PathBuf::from("/a/long");
    stage.act(Action::File(FileAction::Open { path, at: Some((100, 1)) })).unwrap();
    stage.load(&"x\n".repeat(300));
    let (_, file) = stage.state.active_file().unwrap();
    assert_eq!(file.first_line(), 99 - 8, "a third of the 24 rows above it");
}
