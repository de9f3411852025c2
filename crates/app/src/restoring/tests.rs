//! What is made of a state folder, whatever is in it.

use store::journal::{Journal, Place, Subject};
use tempfile::TempDir;
use workspace::KeptView;

use super::*;
use crate::files;

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        for folder in ["one", "two", "state"] {
            fs::create_dir(home.path(folder)).unwrap();
        }
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn places(&self) -> Places {
        Places {
            state_dir: self.path("state"),
            config_file: self.path("config.toml"),
            runtime_dir: None,
            cache_dir: self.path("cache"),
            home: None,
        }
    }

    fn read(&self) -> Restored {
        read(&self.places(), crate::clock())
    }

    /// A session of folders, each with these files.
    fn keep(&self, folders: &[&str], files: &[&str]) {
        let tab = |name: &&str| KeptTab::File { path: self.path(name), view: KeptView::default() };
        let workspace = |folder: &&str| KeptWorkspace {
            root: self.path(folder),
            name: (*folder).to_owned(),
            agent: None,
            panes: KeptPanes::Tabs { tabs: files.iter().map(tab).collect(), active: Some(0) },
            focused: 0,
        };
        let workspaces = folders.iter().map(workspace).collect();
        let session = KeptSession { workspaces, active: Some(0), as_of: None };
        let times = Times::new(crate::clock());
        crate::last_session::to_store(&session, times).keep(&self.path("state")).unwrap();
    }

    fn journal(&self, number: u64, name: &str, text: &[u8]) -> PathBuf {
        let journal = self.path(&format!("state/journal/{number}.journal"));
        let subject = Subject { path: Some(self.path(name)), base: None };
        Journal::begin(&journal, subject, text, Place::default()).unwrap();
        journal
    }
}

fn shown(restored: &Restored) -> String {
    let workspaces = restored.session.workspaces.iter().map(|workspace| {
        let tabs = workspace.panes.tabs().into_iter().map(|tab| match tab {
            KeptTab::File { path, .. } => path.file_name().unwrap().to_string_lossy().into_owned(),
            KeptTab::Agent => "agent".to_owned(),
            KeptTab::Terminal { .. } => "terminal".to_owned(),
        });
        format!("{}: {}", workspace.name, tabs.collect::<Vec<_>>().join(" "))
    });
    workspaces.collect::<Vec<_>>().join(", ")
}

#[test]
fn nothing_to_restore_is_nothing_to_say() {
    let restored = Home::new().read();
    assert_eq!((shown(&restored), restored.notices), (String::new(), vec![]), "a first start");
}

#[test]
fn what_is_gone_is_left_out_and_said() {
    let home = Home::new();
    fs::write(home.path("one/here"), "").unwrap();
    home.keep(&["one", "lost", "two"], &["one/here", "one/gone", "here/below", "one/here/below"]);
    home.journal(1, "one/gone", b"its text");
    let restored = home.read();
    assert_eq!(shown(&restored), "one: here gone, two: here gone", "the text keeps its tab");
    let said = restored.notices.join("|");
    assert!(said.contains("lost") && said.contains("4 more"), "all that is gone: {said}");
    assert_eq!(restored.session.active, Some(0), "the one on show still is");
}

#[test]
fn text_without_a_window_gets_one() {
    let home = Home::new();
    home.journal(1, "gone/deep/letter", b"Dear");
    let restored = home.read();
    let root = &restored.session.workspaces[0].root;
    assert_eq!(*root, home.0.path(), "the nearest folder that is there");
    assert_eq!(restored.session.active, Some(0), "and on show");
    assert_eq!(restored.texts[0].bytes, b"Dear", "with its text");
}

#[test]
fn damage_is_said_with_the_place_it_is_kept_in() {
    let home = Home::new();
    fs::write(home.path("state/session.json"), "{").unwrap();
    home.journal(1, "one/a", b"a");
    let bad = home.journal(2, "one/b", b"b");
    fs::write(&bad, "noise").unwrap();
    let cut = home.journal(3, "one/c", b"c");
    let bytes = fs::read(&cut).unwrap();
    fs::write(&cut, [&bytes[..], b"\x07"].concat()).unwrap();
    home.journal(4, "one/d", b"not \xff text");
    let restored = home.read();
    let texts: Vec<_> = restored.texts.iter().map(|text| &text.bytes[..]).collect();
    assert_eq!(texts, [b"a", b"c"], "what can be read");
    let said = restored.notices.join("|");
    for part in ["session.json.bad-1", "2.journal.bad-1", "to c may be missing", "4.journal"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(home.path("state/journal/4.journal").exists(), "what is no text stays");
}

#[test]
fn another_start_of_the_machine_is_noticed() {
    let home = Home::new();
    home.keep(&["one"], &[]);
    assert_eq!(home.read().went_down, Some(WentDown::Trackside), "the same start");
    let file = home.path("state/session.json");
    let boot = boot_id().expect("Linux has one");
    let text = fs::read_to_string(&file).unwrap().replace(&boot, "another");
    fs::write(&file, text).unwrap();
    assert_eq!(home.read().went_down, Some(WentDown::Machine), "another");
}

#[test]
fn hashes_in_journals_are_those_of_files() {
    let home = Home::new();
    fs::write(home.path("one/letter"), "Dear reader").unwrap();
    let loaded = files::load(&home.path("one/letter"), 100).unwrap();
    let stamp = loaded.stamp.unwrap();
    let base = Some(Base { len: stamp.len, hash: stamp.hash });
    let journal = home.path("state/journal/1.journal");
    let subject = Subject { path: Some(home.path("one/letter")), base };
    Journal::begin(&journal, subject, b"Dear", Place::default()).unwrap();
    let base = home.read().texts[0].base.expect("there was a file");
    assert!(base.same_content(&stamp), "it is known again");
}
