//! Journals that are whole, cut short at any byte, damaged, or not journals at all.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use tempfile::TempDir;

use super::*;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("journal")
    }

    fn file(&self) -> PathBuf {
        self.path().join("1.journal")
    }

    fn read(&self) -> Journals {
        read_all(&self.path())
    }

    /// The one text that is found, and whether more followed it.
    fn text(&self) -> Option<(String, bool)> {
        let mut found = self.read().found;
        assert!(found.len() <= 1, "one journal, one text");
        let found = found.pop()?;
        Some((String::from_utf8(found.text).unwrap(), found.is_cut))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn subject() -> Subject {
    Subject { path: Some("/one/letter".into()), base: Some(Base { len: 5, hash: 77 }) }
}

fn at(line: u64) -> Place {
    Place { anchor: (line, 0), head: (line, 1) }
}

/// Each text with the length of the file that holds it.
fn write(folder: &Folder) -> Vec<(u64, &'static str)> {
    let mut journal = Journal::begin(&folder.file(), subject(), b"Dear ", at(1)).unwrap();
    let len = || fs::metadata(folder.file()).unwrap().len();
    let mut texts = vec![(len(), "Dear ")];
    for (start, removed, inserted, text) in [
        (5, 0, "reader", "Dear reader"),
        (0, 4, "My", "My reader"),
        (3, 6, "", "My "),
        (3, 0, "\u{1f600}\n", "My \u{1f600}\n"),
    ] {
        let inserted = inserted.as_bytes();
        journal.add(&Change::Splice { start, removed, inserted }, at(start)).unwrap();
        texts.push((len(), text));
    }
    journal.add(&Change::Whole(b"All anew"), at(9)).unwrap();
    texts.push((len(), "All anew"));
    journal.sync().unwrap();
    texts
}

#[test]
fn the_last_text_is_found_with_what_it_belongs_to() {
    let folder = Folder::new();
    assert!(folder.read().found.is_empty(), "no folder, no text");
    write(&folder);
    let Journals { found, set_aside, failed } = folder.read();
    let expected = Found {
        journal: folder.file(),
        subject: subject(),
        text: b"All anew".to_vec(),
        place: at(9),
        is_cut: false,
    };
    assert_eq!(found, [expected], "the last record counts");
    assert!(set_aside.is_empty() && failed.is_empty(), "{set_aside:?} {failed:?}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder.path()), mode(&folder.file())), (0o700, 0o600), "the user's alone");
}

#[test]
fn texts_without_name_or_base_are_kept_too() {
    let folder = Folder::new();
    let nameless = Subject { path: None, base: None };
    Journal::begin(&folder.file(), nameless.clone(), b"", Place::default()).unwrap();
    Journal::begin(&folder.path().join("2.journal"), nameless.clone(), b"b", at(0)).unwrap();
    let found = folder.read().found;
    assert_eq!(found.len(), 2, "those without a name are not each other's twins");
    assert!(found.iter().all(|found| found.subject == nameless), "{found:?}");
}

#[test]
fn cut_short_at_any_byte_it_gives_the_last_whole_record() {
    let folder = Folder::new();
    let texts = write(&folder);
    let whole = fs::read(folder.file()).unwrap();
    for len in 0..=whole.len() {
        fs::write(folder.file(), &whole[..len]).unwrap();
        let last = texts.iter().rev().find(|(end, _)| *end <= len as u64);
        let expected = last.map(|(end, text)| ((*text).to_owned(), *end < len as u64));
        assert_eq!(folder.text(), expected, "{len} of {} bytes", whole.len());
    }
    let without_text = folder.names().iter().filter(|name| name.contains(".bad-")).count();
    assert_eq!(without_text, texts[0].0.min(99) as usize, "what holds no text is set aside");
}

#[test]
fn a_flipped_bit_never_makes_another_text() {
    for bit in 0..8 {
        let folder = Folder::new();
        let texts = write(&folder);
        let whole = fs::read(folder.file()).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            fs::write(folder.file(), bytes).unwrap();
            let before = texts.iter().rev().find(|(end, _)| *end <= at as u64);
            let expected = before.map(|(_, text)| ((*text).to_owned(), true));
            assert_eq!(
                folder.text(),
                expected,
                "bit {bit} of byte {at}: what came before, and said"
            );
            let aside = folder.names().into_iter().filter(|name| name.contains(".bad-"));
            let aside: Vec<String> = aside.collect();
            // A length that leads past the end looks like a crash.
            assert!(aside.len() == 1 || expected.is_some(), "bit {bit} of byte {at}: it is kept");
            aside.iter().for_each(|name| fs::remove_file(folder.path().join(name)).unwrap());
        }
    }
}

#[test]
fn noise_behind_a_journal_is_no_text() {
    let folder = Folder::new();
    let texts = write(&folder);
    let whole = fs::read(folder.file()).unwrap();
    let (_, last) = texts[texts.len() - 1];
    let outside = format::record(&format::change(
        &Change::Splice { start: 3, removed: u64::MAX, inserted: b"x" },
        Place::default(),
    ));
    for noise in [vec![0; 4096], vec![0xff; 4096], outside, format::record(b""), b"x".to_vec()] {
        fs::write(folder.file(), [&whole[..], &noise].concat()).unwrap();
        assert_eq!(folder.text(), Some((last.to_owned(), true)), "before {:?}", &noise[..1]);
    }
}

#[track_caller]
fn check_set_aside(what: &str, make: impl Fn(&Path)) {
    let folder = Folder::new();
    fs::create_dir(folder.path()).unwrap();
    make(&folder.file());
    let Journals { found, set_aside, failed } = folder.read();
    assert!(found.is_empty() && failed.is_empty(), "{what}: {found:?} {failed:?}");
    assert_eq!(set_aside, [folder.path().join("1.journal.bad-1")], "{what}: set aside");
    assert!(set_aside[0].symlink_metadata().is_ok(), "{what}: and kept");
}

#[test]
fn what_is_no_journal_is_set_aside() {
    check_set_aside("empty", |path| fs::write(path, "").unwrap());
    check_set_aside("noise", |path| fs::write(path, [7; 10_000]).unwrap());
    check_set_aside("huge", |path| File::create(path).unwrap().set_len(2 << 30).unwrap());
    check_set_aside("a folder", |path| fs::create_dir(path).unwrap());
    check_set_aside("a link", |path| symlink("/etc/passwd", path).unwrap());
    check_set_aside("a FIFO", |path| {
        rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RUSR).unwrap();
    });
    check_set_aside("from the future", |path| {
        let mut bytes = format::beginning(&subject(), b"text", Place::default());
        bytes[7] = 2;
        fs::write(path, bytes).unwrap();
    });
    check_set_aside("a text that belongs to no file there can be", |path| {
        let subject = Subject { path: Some("here".into()), base: None };
        fs::write(path, format::beginning(&subject, b"text", Place::default())).unwrap();
    });
}

#[test]
fn of_two_for_one_file_the_newer_counts_and_the_older_is_kept() {
    for (older, n_aside) in [("older", 1), ("newer", 0)] {
        let folder = Folder::new();
        let second = folder.path().join("2.journal");
        Journal::begin(&second, subject(), older.as_bytes(), at(0)).unwrap();
        let journal = Journal::begin(&folder.file(), subject(), b"newer", at(0)).unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        File::options().write(true).open(&second).unwrap().set_modified(long_ago).unwrap();
        drop(journal);
        let Journals { found, set_aside, .. } = folder.read();
        let texts: Vec<&[u8]> = found.iter().map(|found| &found.text[..]).collect();
        assert_eq!(texts, [b"newer"], "the last one written");
        assert_eq!(set_aside.len(), n_aside, "beside {older}");
        assert!(!second.exists(), "it is not found again");
    }
}

#[test]
fn a_journal_knows_when_it_is_not_there_any_more() {
    let folder = Folder::new();
    let begin = || Journal::begin(&folder.file(), subject(), b"text", at(0)).unwrap();
    let journal = begin();
    assert!(journal.is_in_place() && !journal.wants_a_new_beginning(), "just begun");
    fs::remove_dir_all(folder.path()).unwrap();
    assert!(journal.wants_a_new_beginning(), "deleted with its folder");
    let mut journal = begin();
    assert_eq!(folder.text(), Some(("text".to_owned(), false)), "its folder is made anew");
    let inserted = &vec![b'x'; 40_000][..];
    for (n, is_long) in [(1, false), (2, true)] {
        journal.add(&Change::Splice { start: 0, removed: 0, inserted }, at(0)).unwrap();
        assert_eq!(journal.wants_a_new_beginning(), is_long, "after change {n}");
    }
    fs::rename(folder.file(), folder.path().join("elsewhere")).unwrap();
    fs::write(folder.file(), "another").unwrap();
    assert!(!journal.is_in_place(), "something else is in its place");
}

#[test]
fn links_in_place_of_a_new_journal_are_not_followed() {
    let folder = Folder::new();
    let victim = folder.0.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    fs::create_dir(folder.path()).unwrap();
    symlink(&victim, folder.file()).unwrap();
    symlink(&victim, folder.file().with_extension("new")).unwrap();
    Journal::begin(&folder.file(), subject(), b"text", at(0)).unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious", "untouched");
    assert_eq!(folder.text(), Some(("text".to_owned(), false)), "written all the same");
}

#[test]
fn a_free_name_is_nobody_elses() {
    let folder = Folder::new();
    assert_eq!(free_name(&folder.path()), folder.file(), "the first");
    Journal::begin(&folder.file(), subject(), b"", at(0)).unwrap();
    symlink("nowhere", folder.path().join("2.journal")).unwrap();
    assert_eq!(
        free_name(&folder.path()),
        folder.path().join("3.journal"),
        "the first that is free"
    );
    remove(&folder.file()).unwrap();
    remove(&folder.file()).unwrap();
    assert_eq!(free_name(&folder.path()), folder.file(), "free again");
}
