//! Sessions that come back as they were, and files that are anything else.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

fn session() -> Session {
    let tab = |path: &str| SessionTab::File {
        path: path.to_owned(),
        anchor: (0, 1),
        cursor: (2, 3),
        scroll: (4, 5),
    };
    let agent = SessionAgent {
        name: "claude".to_owned(),
        command: vec!["claude".to_owned(), "--continue".to_owned()],
        by_name: true,
        launches: 3,
        session_id: Some("0c1d".to_owned()),
        end: SessionEnd::Signal(9),
        since: 1_790_000_000,
        mark: Some("m1".to_owned()),
        doing: Some(SessionDoing {
            state: "needs_input".to_owned(),
            waits_since: Some(1_790_000_001),
            reason: Some("permission".to_owned()),
            text: Some("Run it?".to_owned()),
            seen: true,
        }),
    };
    let split = SessionPanes::Split {
        axis: SessionAxis::Column,
        share: 300,
        first: Box::new(SessionPanes::Tabs {
            active: Some(1),
            tabs: vec![SessionTab::Agent, tab("/a/x")],
        }),
        second: Box::new(SessionPanes::Tabs {
            active: None,
            tabs: vec![
                SessionTab::Terminal {
                    folder: Some("/a/b".to_owned()),
                    mark: Some("m2".to_owned()),
                },
                tab("/a/\u{fffd}\n"),
            ],
        }),
    };
    let workspace = SessionWorkspace {
        root: "/a".to_owned(),
        name: "a-2".to_owned(),
        agent: Some(agent),
        focused: 1,
        panes: split,
    };
    Session {
        boot: Some("x".to_owned()),
        written: 1_790_000_002_003,
        active: Some(0),
        workspaces: vec![workspace],
    }
}

fn load(state: &Path) -> Loaded<Session> {
    Session::load(state).unwrap()
}

#[test]
fn a_session_comes_back_as_it_was_left() {
    let state = tempfile::tempdir().unwrap();
    assert_eq!(load(state.path()).value, Session::default(), "nothing yet");
    session().keep(state.path()).unwrap();
    assert_eq!(load(state.path()).value, session(), "as it was left");
    let mode = fs::metadata(path(state.path())).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "for the user alone");
}

#[test]
fn one_that_is_put_beside_is_not_restored_and_not_lost() {
    let state = tempfile::tempdir().unwrap();
    assert_eq!(Session::put_beside(state.path()).unwrap(), None, "there was none");
    session().keep(state.path()).unwrap();
    let written = fs::read(path(state.path())).unwrap();
    let before = Session::put_beside(state.path()).unwrap().expect("there was one");
    assert_eq!(fs::read(before).unwrap(), written, "it is there");
    assert_eq!(load(state.path()).value, Session::default(), "and counts no more");
}

/// Whatever is in its place counts as nothing, and is kept beside.
#[track_caller]
fn check_set_aside(state: &Path, what: &str) {
    let loaded = load(state);
    assert_eq!(loaded.value, Session::default(), "{what}: counts as empty");
    let bad = loaded.set_aside.unwrap_or_else(|| panic!("{what}: it is set aside"));
    assert!(bad.symlink_metadata().is_ok(), "{what}: and kept");
    drop(fs::remove_file(&bad));
}

#[test]
fn a_file_that_is_cut_short_anywhere_is_set_aside() {
    let state = tempfile::tempdir().unwrap();
    session().keep(state.path()).unwrap();
    let whole = fs::read(path(state.path())).unwrap();
    for len in 0..whole.len() {
        fs::write(path(state.path()), &whole[..len]).unwrap();
        check_set_aside(state.path(), &format!("{len} bytes"));
    }
}

#[test]
fn what_is_no_session_of_ours_is_set_aside() {
    let state = tempfile::tempdir().unwrap();
    session().keep(state.path()).unwrap();
    let text = fs::read_to_string(path(state.path())).unwrap();
    for (what, text) in [
        ("from the future", text.replace("\"version\": 1", "\"version\": 2")),
        ("with more in it", text.replace("\"boot\"", "\"more\": 1, \"boot\"")),
        ("with less in it", text.replace("\"workspaces\"", "\"places\"")),
        ("with a tab of another kind", text.replace("\"terminal\"", "\"diff\"")),
        ("with a share that is none", text.replace("300", "-300")),
        ("huge", format!("{text}{}", " ".repeat(5 << 20))),
        ("with panes in panes without end", {
            let split = "{\"split\":{\"axis\":\"row\",\"share\":5,\"second\":{},\"first\":";
            text.replace("\"panes\": {", &format!("\"panes\": {}", split.repeat(100_000)))
        }),
    ] {
        fs::write(path(state.path()), text).unwrap();
        check_set_aside(state.path(), what);
    }
    let victim = state.path().join("victim");
    fs::write(&victim, &text).unwrap();
    symlink(&victim, path(state.path())).unwrap();
    check_set_aside(state.path(), "a link");
    assert_eq!(fs::read_to_string(&victim).unwrap(), text, "what it leads to is untouched");
}

#[test]
fn a_flipped_bit_is_noticed_or_harmless() {
    let state = tempfile::tempdir().unwrap();
    session().keep(state.path()).unwrap();
    let whole = fs::read(path(state.path())).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(path(state.path()), bytes).unwrap();
        let loaded = load(state.path());
        let is_aside = loaded.set_aside.is_some();
        assert_eq!(is_aside, loaded.value == Session::default(), "byte {at}: all of it or nothing");
        loaded.set_aside.into_iter().for_each(|bad| fs::remove_file(bad).unwrap());
    }
}
