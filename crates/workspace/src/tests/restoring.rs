//! What is open goes out, and comes back.

use std::path::Path;

use agent::AgentState;
use buffer::{DiskStamp, Position};

use super::*;
use crate::{
    KeptEnd, KeptSession, KeptTab, KeptText, LoadState, Outside, PaneAction, PlainTerminal,
    WentDown, WorkspaceId,
};

/// Knows of no program.
struct Nobody;

impl Outside for Nobody {
    fn folder(&self, _terminal: &PlainTerminal) -> Option<PathBuf> {
        None
    }

    fn mark(&self, _program: ProgramId) -> Option<String> {
        None
    }
}

impl Stage {
    fn kept(&self) -> KeptSession {
        self.state.kept_session(&Nobody)
    }

    /// A later run with what this one has left.
    fn restored(&self, texts: Vec<KeptText>) -> Self {
        let mut later = Self::new();
        later.now = self.now + Duration::from_secs(100);
        let session = self.kept();
        later.fact(Fact::SessionRead {
            session,
            texts,
            running: Vec::new(),
            down: WentDown::Trackside,
        });
        later
    }

    /// Gives every file that is being read this text.
    fn load_all(&mut self, text: &str, stamp: Option<DiskStamp>) {
        for effect in std::mem::take(&mut self.effects) {
            if let Effect::LoadFile { buffer, .. } = effect {
                let document = Document::from_bytes(text.as_bytes().to_vec()).unwrap();
                self.fact(Fact::FileRead { buffer, result: Ok((document, stamp)) });
            }
        }
    }

    fn loads(&self) -> Vec<String> {
        let path = |effect: &Effect| match effect {
            Effect::LoadFile { path, .. } => Some(path.display().to_string()),
            _ => None,
        };
        self.effects.iter().filter_map(path).collect()
    }

    fn spawns(&self) -> usize {
        self.effects.iter().filter(|effect| matches!(effect, Effect::Spawn { .. })).count()
    }

    #[track_caller]
    fn shown_file(&self) -> &crate::OpenFile {
        self.state.active_file().expect("a file on show").1
    }

    fn text(&self) -> String {
        String::from_utf8(self.shown_file().document().to_bytes()).unwrap()
    }
}

fn stamp(hash: u64) -> DiskStamp {
    DiskStamp { len: 5, modified: None, inode: 0, hash }
}

fn unsaved(path: &str, text: &str, base: Option<DiskStamp>) -> KeptText {
    let cursor = Position { line: 0, column: 2 };
    KeptText { path: path.into(), base, bytes: text.into(), anchor: cursor, cursor }
}

/// As it is after a restart: what was alive has stopped.
fn after_restart(mut session: KeptSession) -> KeptSession {
    for agent in session.workspaces.iter_mut().filter_map(|it| it.agent.as_mut()) {
        if agent.end == KeptEnd::Alive {
            (agent.end, agent.doing) = (KeptEnd::Stopped, None);
        }
    }
    session
}

#[track_caller]
fn check_comes_back(before: &Stage, what: &str) {
    let after = before.restored(Vec::new());
    let mut kept = after.kept();
    let expected = after_restart(before.kept());
    for (kept, expected) in kept.workspaces.iter_mut().zip(&expected.workspaces) {
        if let (Some(kept), Some(expected)) = (&mut kept.agent, &expected.agent)
            && expected.end == KeptEnd::Stopped
        {
            kept.since = expected.since;
        }
    }
    assert_eq!(kept, expected, "{what}");
    for workspace in after.state.workspaces() {
        let groups = workspace.panes().groups();
        let is_sane = |group: &&crate::TabGroup| group.active_tab().is_some();
        assert!(groups.len() == 1 || groups.iter().all(is_sane), "{what}: no pane is empty");
    }
}

#[test]
fn what_was_open_is_open_again() {
    for script in [
        "open /a",
        "open /a, open /b/a, open /c, key ctrl-alt-1",
        "open /a, file /a/x, file /a/y, key ctrl-alt-shift-up",
        "open /a, start cat, file /a/x, terminal, key ctrl-tab",
        "open /a, file /a/x, type hello, key shift-left shift-left",
        "open /a, start cat, exits 3, open /b, start cat, exits 0",
        "open /a, terminal, open /b, terminal make",
    ] {
        check_comes_back(&Stage::play(script), script);
    }
}

#[test]
fn whatever_is_done_what_is_open_comes_back() {
    let steps = [
        "open /a",
        "open /c/a",
        "file /a/x",
        "file /a/y",
        "file /b/z",
        "terminal",
        "start cat",
        "exits 1",
        "key ctrl-tab",
        "key ctrl-alt-1",
        "key ctrl-alt-2",
        "type words",
        "key ctrl-alt-shift-up",
        "key shift-left",
    ];
    let splits = [
        PaneAction::Split(crate::Axis::Row),
        PaneAction::Split(crate::Axis::Column),
        PaneAction::Grow,
        PaneAction::Close,
        PaneAction::FocusToward(crate::Direction::Left),
    ];
    for seed in 1_u64..120 {
        let mut stage = Stage::play("open /a, open /b");
        let mut random = seed;
        let mut done = Vec::new();
        for _ in 0..25 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1);
            let choice = usize::try_from(random >> 33).unwrap() % (steps.len() + splits.len());
            match steps.get(choice) {
                // There is nothing to end.
                Some(&"exits 1") if stage.state.focused_terminal().is_none() => {}
                Some(&"start cat") if stage.state.visible_agent().is_some() => {}
                Some(&step) if step == "start cat" => {
                    let launch = Launch::Command(vec!["cat".to_owned()]);
                    let start = AgentAction::Start { workspace: None, launch };
                    drop(stage.act(Action::Agent(start)));
                    done.push(step.to_owned());
                }
                Some(&step) => {
                    stage.step(step);
                    done.push(step.to_owned());
                }
                None => {
                    let split = splits[choice - steps.len()].clone();
                    done.push(format!("{split:?}"));
                    drop(stage.act(Action::Pane(split)));
                }
            }
        }
        check_comes_back(&stage, &done.join(", "));
    }
}

#[test]
fn names_stay_with_their_folders() {
    let stage = Stage::play("open /a, open /b/a, key ctrl-alt-shift-up");
    let names = |stage: &Stage| {
        let name = |it: &crate::Workspace| format!("{} {}", it.root().display(), it.name());
        stage.state.workspaces().iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&stage), ["/b/a a-2", "/a a"], "the second one was moved up");
    assert_eq!(names(&stage.restored(Vec::new())), names(&stage), "and keeps its name");
}

#[test]
fn only_what_is_looked_at_is_read_and_started() {
    let before =
        Stage::play("open /b, file /b/z, terminal, open /a, terminal, file /a/x, file /a/y");
    let mut stage = before.restored(Vec::new());
    assert_eq!((stage.loads(), stage.spawns()), (vec!["/a/y".to_owned()], 0), "the tab on show");
    stage.step("key ctrl-pageup");
    assert_eq!(stage.loads(), ["/a/y", "/a/x"], "the next one that is looked at");
    stage.step("key ctrl-pageup");
    assert_eq!(stage.spawns(), 1, "a shell is started when its tab is shown");
    let started_in = stage.effects.iter().find_map(|effect| match effect {
        Effect::Spawn { start_in, .. } => start_in.directory.clone(),
        _ => None,
    });
    assert_eq!(started_in.as_deref(), Some(Path::new("/started")), "where it was");
    stage.step("key ctrl-pageup");
    stage.step("key ctrl-pageup");
    assert_eq!((stage.loads().len(), stage.spawns()), (2, 1), "each once");
}

#[test]
fn a_file_comes_back_at_its_place() {
    let mut before = Stage::play("open /a, file /a/x");
    let text = "one\ntwo\nthree\nfour\n".repeat(50);
    let (buffer, _) = before.state.active_file().unwrap();
    before.state.files.get_mut(&buffer).unwrap().load = LoadState::Loading;
    before.load(&text);
    before.step("key down down shift-right shift-right");
    let scroll = crate::ViewAction::ScrollFile { buffer: None, lines: 60, columns: 1 };
    before.act(Action::View(scroll)).unwrap();
    let mut after = before.restored(Vec::new());
    after.load_all(&text, None);
    let file = after.shown_file();
    let place = (file.document().anchor(), file.document().cursor());
    let at = |column| Position { line: 2, column };
    assert_eq!(place, (at(0), at(2)), "the selection");
    assert_eq!((file.first_line(), file.first_column()), (60, 1), "the view, away from it");
    let mut shorter = before.restored(Vec::new());
    shorter.load_all("one", None);
    let file = shorter.shown_file();
    assert_eq!(
        (file.first_line(), file.document().cursor().line),
        (0, 0),
        "as far as there is text"
    );
}

#[test]
fn an_agent_that_was_alive_has_stopped_and_is_not_started() {
    let before = Stage::play("open /a, start cat");
    let mut stage = before.restored(Vec::new());
    let agent = |stage: &Stage| stage.state.visible_agent().map(agent::AgentHandle::state);
    assert_eq!(agent(&stage), Some(AgentState::Stopped), "it was alive");
    assert_eq!(stage.spawns(), 0, "nothing is started by itself");
    let screen = stage.state.visible_agent().unwrap().terminal().visible_text().join("\n");
    let expected = "cat\nran here when Trackside ended\nEnter starts it again";
    assert!(screen.starts_with(expected), "{screen}");
    stage.step("key x");
    assert_eq!(stage.spawns(), 0, "nor by any key");
    stage.step("key enter");
    assert_eq!(agent(&stage).map(AgentState::name), Some("starting"), "Enter starts it");
    let spawned = stage.effects.iter().find_map(|effect| match effect {
        Effect::Spawn { argv, start_in, .. } => Some((argv.clone(), start_in.or.clone())),
        _ => None,
    });
    let expected = (vec!["cat".to_owned()], PathBuf::from("/a"));
    assert_eq!(spawned, Some(expected), "the same, in the same folder");
    let handle = stage.state.visible_agent().unwrap();
    assert_eq!((handle.launches(), handle.is_remembered()), (2, false), "its second launch");
}

#[test]
fn an_agent_goes_on_with_its_session_if_it_can() {
    let mut before = Stage::play("open /a");
    let launch = Launch::Named("claude".to_owned());
    before.act(Action::Agent(AgentAction::Start { workspace: None, launch })).unwrap();
    let resume = Action::Agent(AgentAction::Resume { workspace: None });
    let refusal = before.restored(Vec::new()).act(resume.clone()).unwrap_err();
    assert!(matches!(refusal, ActionError::NoSession { .. }), "nothing is known: {refusal}");
    let ProgramId::Agent(agent) = before.agent() else { panic!("an agent") };
    let (report, by) = (agent::Reported::Running, agent::ReportedBy::Hook);
    let session = Some("0c1d".to_owned());
    before.fact(Fact::Reported { agent, report, by, text: None, sequence: None, session });
    let refusal = before.act(resume.clone()).unwrap_err();
    assert!(matches!(refusal, ActionError::AgentAlive { .. }), "it lives: {refusal}");
    let mut stage = before.restored(Vec::new());
    let workspace = stage.state.active_workspace().unwrap();
    assert!(stage.state.can_resume(workspace), "it can");
    stage.act(resume.clone()).unwrap();
    let argv = stage.effects.iter().find_map(|effect| match effect {
        Effect::Spawn { argv, .. } => Some(argv.join(" ")),
        _ => None,
    });
    assert_eq!(argv.as_deref(), Some("claude --resume 0c1d"), "as its settings say");
    assert_eq!(stage.state.visible_agent().unwrap().session(), Some("0c1d"), "still that one");
    let mut other = Stage::play("open /a, start cat");
    let ProgramId::Agent(agent) = other.agent() else { panic!("an agent") };
    let session = Some("0c1d".to_owned());
    other.fact(Fact::Reported { agent, report, by, text: None, sequence: None, session });
    let refusal = other.restored(Vec::new()).act(resume).unwrap_err();
    assert!(matches!(refusal, ActionError::CannotResume { .. }), "cat has none: {refusal}");
}

#[test]
fn unsaved_text_comes_back_over_what_the_disk_holds() {
    let before = Stage::play("open /a, file /a/x");
    let mut stage = before.restored(vec![unsaved("/a/x", "Dear reader", Some(stamp(1)))]);
    assert_eq!(stage.state.unsaved(), ["x"], "it counts before it is read");
    stage.load_all("Dear ", Some(stamp(1)));
    assert_eq!(
        (stage.text(), stage.shown_file().is_modified()),
        ("Dear reader".into(), true),
        "it"
    );
    assert_eq!(stage.shown_file().document().cursor(), Position { line: 0, column: 2 }, "there");
    assert!(stage.state.overlay().is_none(), "nothing to ask");
    stage.step("key ctrl-z");
    assert_eq!((stage.text(), stage.shown_file().is_modified()), ("Dear ".into(), false), "undone");
}

/// A text of an earlier run, made from `base`, over what the disk holds now.
#[track_caller]
fn check_conflict(base: Option<DiskStamp>, disk: Option<DiskStamp>, question: Option<&str>) {
    let before = Stage::play("open /a, file /a/x");
    let mut stage = before.restored(vec![unsaved("/a/x", "ours", base)]);
    stage.load_all(if disk.is_some() { "theirs" } else { "" }, disk);
    assert_eq!(stage.text(), "ours", "what was typed is here");
    let asked = stage.state.overlay().map(|overlay| match overlay {
        Overlay::Confirm(confirm) => confirm.question.clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!(asked.as_deref(), question, "from {base:?} over {disk:?}");
    stage.act(Action::File(FileAction::Save)).unwrap();
    let expected = stage.effects.iter().find_map(|effect| match effect {
        Effect::SaveFile { expected, .. } => Some(*expected),
        _ => None,
    });
    let safe = if question.is_some() { base } else { disk };
    assert_eq!(expected, Some(safe), "a save overwrites only what was seen");
}

#[test]
fn what_others_made_of_the_file_meanwhile_is_not_overwritten() {
    check_conflict(Some(stamp(1)), Some(stamp(1)), None);
    check_conflict(None, None, None);
    check_conflict(Some(stamp(1)), Some(stamp(2)), Some("x was changed on disk"));
    check_conflict(None, Some(stamp(2)), Some("x was changed on disk"));
    check_conflict(Some(stamp(1)), None, Some("x was deleted on disk"));
}

#[test]
fn text_comes_back_also_where_the_file_cannot_be_read() {
    let before = Stage::play("open /a, file /a/x");
    let mut stage = before.restored(vec![unsaved("/a/x", "ours", Some(stamp(1)))]);
    let (buffer, _) = stage.state.active_file().unwrap();
    stage.fact(Fact::FileRead { buffer, result: Err("cannot read x".to_owned()) });
    assert_eq!(stage.text(), "ours", "it is here");
    assert!(stage.state.toast().is_some_and(|toast| toast.text == "cannot read x"), "and why");
}

#[test]
fn text_of_a_file_that_was_not_open_gets_a_tab() {
    let before = Stage::play("open /b, open /a, file /a/x");
    let texts = vec![unsaved("/b/y", "b", None), unsaved("/elsewhere", "e", None)];
    let stage = before.restored(texts);
    assert_eq!(stage.state.unsaved(), ["y", "elsewhere"], "both are open");
    let tabs: Vec<usize> = stage.state.workspaces().iter().map(|it| it.tabs().len()).collect();
    assert_eq!(tabs, [1, 2], "one in its folder, the other in the workspace on show");
    assert_eq!(stage.shown_file().title(), "x", "nothing else comes into view");
}

#[test]
fn what_is_open_already_is_left_alone() {
    let before = Stage::play("open /a, file /a/x, open /b, file /b/y");
    let mut stage = Stage::play("open /b");
    let session = before.kept();
    let texts = vec![unsaved("/a/x", "ours", None)];
    stage.fact(Fact::SessionRead { session, texts, running: Vec::new(), down: WentDown::Machine });
    let roots: Vec<_> = stage.state.workspaces().iter().map(|it| it.root().to_owned()).collect();
    assert_eq!(roots, [Path::new("/b"), Path::new("/a")], "each once");
    let active = stage.state.active_workspace().map(crate::Workspace::id);
    assert_eq!(active.map(WorkspaceId::number), Some(1), "the one on show stays");
}

#[test]
fn a_session_that_contradicts_itself_makes_a_sound_window() {
    let before = Stage::play("open /a, start cat, file /a/x");
    let mut session = before.kept();
    session.active = Some(7);
    let workspace = &mut session.workspaces[0];
    workspace.focused = 9;
    let file = KeptTab::File { path: "/a/x".into(), view: crate::KeptView::default() };
    let tabs = vec![file.clone(), KeptTab::Agent, KeptTab::Agent, file];
    let tabs = |active| Box::new(crate::KeptPanes::Tabs { tabs: tabs.clone(), active });
    let none = Box::new(crate::KeptPanes::Tabs { tabs: Vec::new(), active: Some(3) });
    let split = |first, second| {
        let (axis, share) = (crate::Axis::Row, 60_000);
        Box::new(crate::KeptPanes::Split { axis, share, first, second })
    };
    workspace.panes = *split(split(tabs(Some(99)), none.clone()), split(none.clone(), none));
    let mut stage = Stage::new();
    stage.fact(Fact::SessionRead {
        session,
        texts: Vec::new(),
        running: Vec::new(),
        down: WentDown::Trackside,
    });
    let workspace = stage.state.active_workspace().expect("one is on show");
    assert!(!workspace.panes().is_split(), "nothing is left of the empty panes");
    let contents: Vec<_> = workspace.tabs().iter().map(|tab| tab.content).collect();
    assert_eq!(contents[0], TabContent::Agent, "the agent's tab is the first, and the only one");
    assert_eq!(contents.len(), 3, "{contents:?}");
    assert_eq!(contents[1], contents[2], "a file in two tabs is one file");
}

#[test]
fn what_cannot_be_kept_stays_in_view_until_it_can() {
    let mut stage = Stage::play("open /a");
    let keeping = |result: Result<(), &str>| {
        Fact::Keeping(crate::Keeping::UnsavedText, result.map_err(ToOwned::to_owned))
    };
    stage.fact(keeping(Err("disk full")));
    stage.step("after 60");
    assert_eq!(stage.state.cannot_keep(), Some("disk full"), "as long as it lasts");
    stage.fact(keeping(Err("disk still full")));
    assert!(stage.state.toast().is_none(), "said aloud once");
    stage.fact(keeping(Ok(())));
    assert_eq!(stage.state.cannot_keep(), None, "all is well again");
}
