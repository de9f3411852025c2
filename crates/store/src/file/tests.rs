//! Files that are right, damaged, hostile or held by another.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde::Deserialize;
use tempfile::TempDir;

use super::*;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    words: Vec<String>,
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("sample.json")
    }

    fn add(&self, word: &str) -> Result<Loaded<Sample>, StoreError> {
        change(&self.file(), |sample: &mut Sample| sample.words.push(word.to_owned()))
    }

    fn words(&self) -> Vec<String> {
        load::<Sample>(&self.file()).unwrap().value.words
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn what_was_written_is_read_again_by_the_user_alone() {
    let folder = Folder::new();
    assert_eq!(folder.words(), [""; 0], "nothing yet");
    folder.add("a").unwrap();
    folder.add("b").unwrap();
    assert_eq!(folder.words(), ["a", "b"], "both changes");
    let mode = fs::metadata(folder.file()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "for the user alone");
    assert_eq!(folder.names(), ["sample.json", "sample.lock"], "nothing else is left");
}

#[test]
fn a_rest_of_a_run_that_was_cut_short_is_no_obstacle() {
    let folder = Folder::new();
    fs::write(folder.file().with_extension("new"), "half").unwrap();
    folder.add("a").unwrap();
    assert_eq!(folder.words(), ["a"], "written all the same");
}

#[test]
fn a_missing_folder_is_made() {
    let folder = Folder::new();
    let file = folder.0.path().join("state/trackside/sample.json");
    change(&file, |sample: &mut Sample| sample.words.push("a".to_owned())).unwrap();
    let mode = fs::metadata(file.parent().unwrap()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "for the user alone");
}

/// Something else is in the file's place: it is set aside, and all goes on.
#[track_caller]
fn check_set_aside(what: &str, make: impl Fn(&Path)) {
    let folder = Folder::new();
    for n in 1..=2 {
        make(&folder.file());
        let loaded = load::<Sample>(&folder.file()).unwrap();
        assert_eq!(loaded.value, Sample::default(), "{what}: counts as empty");
        let bad = loaded.set_aside.expect(what);
        assert!(bad.ends_with(format!("sample.json.bad-{n}")), "{what}: {}", bad.display());
        assert!(bad.symlink_metadata().is_ok(), "{what}: it is kept");
    }
    make(&folder.file());
    folder.add("a").unwrap();
    assert_eq!(folder.words(), ["a"], "{what}: what is written from now on is kept");
}

#[test]
fn what_cannot_be_understood_is_set_aside() {
    let write = |bytes: &'static [u8]| move |path: &Path| fs::write(path, bytes).unwrap();
    check_set_aside("empty", write(b""));
    check_set_aside("half", write(b"{\"version\":1,\"words\":[\"a\""));
    check_set_aside("zeros", write(&[0; 4096]));
    check_set_aside("not text", write(b"\xff\xfe"));
    check_set_aside("from the future", write(b"{\"version\":2,\"words\":[]}"));
    check_set_aside("no version", write(b"{\"words\":[]}"));
    check_set_aside("other things", write(b"{\"version\":1,\"words\":[],\"more\":1}"));
    check_set_aside("a wrong type", write(b"{\"version\":1,\"words\":{}}"));
    check_set_aside("too long", |path| File::create(path).unwrap().set_len(5 << 20).unwrap());
    let nested = |path: &Path| fs::write(path, "[".repeat(1_000_000)).unwrap();
    check_set_aside("deeply nested", nested);
}

#[test]
fn what_is_no_file_is_set_aside_unopened() {
    check_set_aside("a folder", |path| fs::create_dir(path).unwrap());
    check_set_aside("a link", |path| symlink("/etc/passwd", path).unwrap());
    check_set_aside("a link to itself", |path| symlink(path, path).unwrap());
    check_set_aside("a FIFO", |path| {
        rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RUSR).unwrap();
    });
}

#[test]
fn bad_files_do_not_pile_up_without_end() {
    let folder = Folder::new();
    for _ in 0..MAX_BAD + 5 {
        fs::write(folder.file(), "x").unwrap();
        load::<Sample>(&folder.file()).unwrap();
    }
    assert_eq!(folder.names().len(), MAX_BAD as usize, "so many are kept");
}

#[test]
fn a_link_in_place_of_the_lock_or_the_new_file_is_not_followed() {
    let folder = Folder::new();
    let victim = folder.0.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    symlink(&victim, folder.file().with_extension("new")).unwrap();
    folder.add("a").unwrap();
    fs::remove_file(folder.file().with_extension("lock")).unwrap();
    symlink(&victim, folder.file().with_extension("lock")).unwrap();
    let refusal = folder.add("b").unwrap_err();
    assert!(matches!(refusal, StoreError::Write { .. }), "{refusal}");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious", "untouched");
    assert_eq!(folder.words(), ["a"], "the old one is still there");
}

#[test]
fn who_finds_it_locked_does_not_wait() {
    let folder = Folder::new();
    folder.add("a").unwrap();
    let held = File::open(folder.file().with_extension("lock")).unwrap();
    held.lock().unwrap();
    let refusal = folder.add("b").unwrap_err();
    assert!(matches!(refusal, StoreError::Locked { .. }), "{refusal}");
    assert_eq!(folder.words(), ["a"], "reading needs no lock");
    drop(held);
    folder.add("c").unwrap();
    assert_eq!(folder.words(), ["a", "c"], "free again");
}

#[test]
fn changes_made_at_once_do_not_undo_each_other() {
    let folder = Folder::new();
    let add = |n: usize| {
        while let Err(refusal) = folder.add(&n.to_string()) {
            assert!(matches!(refusal, StoreError::Locked { .. }), "{refusal}");
            std::thread::yield_now();
        }
    };
    std::thread::scope(|scope| {
        for n in 0..8 {
            scope.spawn(move || add(n));
        }
    });
    let mut words = folder.words();
    words.sort();
    assert_eq!(words, ["0", "1", "2", "3", "4", "5", "6", "7"], "none is lost");
}
