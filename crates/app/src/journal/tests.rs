//! Deadlines, what is handed over, and what comes of it on the disk.

use std::fs;

use buffer::Document;
use config::Config;
use store::journal::read_all;
use tempfile::TempDir;
use workspace::{Action, EditAction, Fact, FileAction, TabAction, WorkspaceAction};

use super::*;
use crate::news::{Inbox, News};

struct Typist {
    folder: TempDir,
    inbox: Inbox,
    /// Absent once all that was handed over is to be on the disk.
    unsaved: Option<Unsaved>,
    state: State,
    start: Instant,
}

impl Typist {
    fn new() -> Self {
        let (folder, inbox) = (tempfile::tempdir().unwrap(), Inbox::new(|| {}));
        let unsaved = Unsaved::start(folder.path().join("journal"), inbox.sender()).unwrap();
        let start = crate::clock();
        let state = State::new(Config::default());
        let mut typist = Self { folder, inbox, unsaved: Some(unsaved), state, start };
        typist.act(Action::Workspace(WorkspaceAction::Open("/w".into())));
        typist.act(Action::File(FileAction::Open { path: "/w/letter".into(), at: Some((1, 6)) }));
        let (buffer, _) = typist.state.active_file().expect("a file");
        let result = Ok((Document::from_bytes(b"Dear ".to_vec()).unwrap(), None));
        drop(typist.state.observe(Fact::FileRead { buffer, result }, start));
        typist
    }

    fn at(&self, milliseconds: u64) -> Instant {
        self.start + Duration::from_millis(milliseconds)
    }

    fn act(&mut self, action: Action) {
        drop(self.state.update(action, self.start).expect("it can be done"));
    }

    fn type_text(&mut self, text: &str) {
        self.act(Action::Edit(EditAction::Insert(text.to_owned())));
    }

    fn look(&mut self, milliseconds: u64) -> Option<Duration> {
        let (now, start) = (self.at(milliseconds), self.start);
        let unsaved = self.unsaved.as_mut().expect("at work");
        unsaved.look(&self.state, now);
        unsaved.next_deadline().map(|due| due - start)
    }

    /// What is in the journals, once the thread has done all.
    fn kept(&mut self) -> Vec<String> {
        drop(self.unsaved.take());
        let found = read_all(&self.folder.path().join("journal")).found;
        found.into_iter().map(|found| String::from_utf8(found.text).unwrap()).collect()
    }
}

#[test]
fn typing_on_does_not_put_off_the_writing() {
    let mut typist = Typist::new();
    assert_eq!(typist.look(0), None, "nothing is unsaved");
    typist.type_text("r");
    let due = typist.look(100);
    assert_eq!(due, Some(Duration::from_millis(500)), "soon after the first change");
    typist.type_text("e");
    assert_eq!(typist.look(300), due, "the next one does not move that");
    assert_eq!(typist.look(500), None, "handed over");
    assert_eq!(typist.look(800), None, "nothing new, nothing to wait for");
    typist.type_text("a");
    assert_eq!(typist.look(1_000), Some(Duration::from_millis(1_400)), "the next change");
    assert_eq!(typist.kept(), ["Dear re"], "what was due");
}

#[test]
fn all_states_that_pile_up_come_to_the_last() {
    let mut typist = Typist::new();
    for n in 0..50_u64 {
        typist.type_text("x\n");
        typist.look(n * 1_000);
        typist.look(n * 1_000 + 400);
    }
    assert_eq!(typist.kept(), [format!("Dear {}", "x\n".repeat(50))], "all of it");
}

#[test]
fn what_is_undone_closed_or_given_up_leaves_nothing() {
    for how in ["undone", "closed", "given up"] {
        let mut typist = Typist::new();
        typist.type_text("x");
        typist.look(0);
        typist.look(400);
        match how {
            "undone" => typist.act(Action::Edit(EditAction::Undo)),
            "closed" => {
                let tab = typist.state.active_tab().expect("a tab").id;
                typist.act(Action::Tab(TabAction::Discard(tab)));
            }
            _ => typist.unsaved.as_mut().expect("at work").give_up(),
        }
        typist.look(500);
        typist.look(1_000);
        assert_eq!(typist.kept(), [""; 0], "{how}");
    }
}

#[test]
fn a_journal_that_was_found_is_replaced_in_its_place() {
    let mut typist = Typist::new();
    let journal = typist.folder.path().join("journal/7.journal");
    let subject = Subject { path: Some("/w/letter".into()), base: None };
    store::journal::Journal::begin(&journal, subject, b"Old", Place::default()).unwrap();
    let found = [("/w/letter".into(), journal.clone())];
    typist.unsaved.as_mut().expect("at work").found(found);
    typist.type_text("reader");
    typist.look(0);
    typist.look(400);
    assert_eq!(typist.kept(), ["Dear reader"], "one text, one journal");
    assert!(journal.exists(), "by the name it had");
}

#[test]
fn what_cannot_be_written_is_said_and_tried_again() {
    let mut typist = Typist::new();
    let in_the_way = typist.folder.path().join("journal");
    fs::write(&in_the_way, "a file").unwrap();
    typist.type_text("reader");
    typist.look(0);
    typist.look(400);
    let news = typist.inbox.news.recv().expect("news");
    assert!(matches!(news, News::JournalWritten(Err(_))), "{news:?}");
    let now = typist.at(500);
    typist.unsaved.as_mut().expect("at work").failed(now);
    let again = Duration::from_millis(500) + RETRY_AFTER;
    assert_eq!(typist.look(600), Some(again), "not at once");
    fs::remove_file(&in_the_way).unwrap();
    typist.look(5_600);
    let news = typist.inbox.news.recv().expect("news");
    assert!(matches!(news, News::JournalWritten(Ok(()))), "{news:?}");
    assert_eq!(typist.kept(), ["Dear reader"], "now it is kept");
}
