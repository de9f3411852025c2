//! Files in a temporary folder, loaded and saved; what goes wrong is in `faults`.

mod faults;

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use buffer::DiskStamp;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use tempfile::TempDir;

use super::*;

/// Longer than any test takes.
const PATIENCE: Duration = Duration::from_secs(30);

struct Folder {
    root: TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn backups(&self) -> PathBuf {
        self.path("state/backups")
    }

    fn load(&self, name: &str) -> Result<Loaded, LoadError> {
        load(&self.path(name), 1024)
    }

    /// Reads the stamp of a file as the editor would know it.
    fn stamp(&self, name: &str) -> Option<DiskStamp> {
        load(&self.path(name), MAX_FILE_LEN).unwrap().stamp
    }

    fn save(
        &self,
        name: &str,
        bytes: &[u8],
        expected: Option<DiskStamp>,
    ) -> Result<DiskStamp, SaveError> {
        let request =
            SaveRequest { path: self.path(name), bytes: bytes.into(), expected, force: false };
        save(&request, &self.backups())
    }

    /// The error without the folder's name in it.
    fn line<T: std::fmt::Debug, E: std::error::Error>(&self, result: Result<T, E>) -> String {
        let folder = format!("{}/", self.root.path().display());
        result.expect_err("this is refused").to_string().replace(&folder, "")
    }

    /// Nothing but the files that were put there is left.
    #[track_caller]
    fn check_clean(&self) {
        let leftovers = |folder: &Path, mark: &str| -> Vec<String> {
            let entries = fs::read_dir(folder).into_iter().flatten();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.filter(|name| name.contains(mark)).collect()
        };
        assert_eq!(leftovers(self.root.path(), ".trackside-"), [""; 0], "temporary files");
        assert_eq!(leftovers(&self.backups(), ""), [""; 0], "backups");
    }
}

#[test]
fn a_file_is_loaded_with_its_stamp() {
    let folder = Folder::new();
    folder.write("a.txt", "ab\r\nc");
    let Loaded { document, stamp } = folder.load("a.txt").unwrap();
    assert_eq!(document.to_bytes(), b"ab\r\nc", "the content");
    assert_eq!(stamp.unwrap().len, 5, "the length");
    assert!(!document.is_modified(), "nothing was edited");
}

#[test]
fn a_missing_file_is_a_new_document_if_its_folder_exists() {
    let folder = Folder::new();
    let Loaded { document, stamp } = folder.load("new.txt").unwrap();
    assert_eq!((document.len_bytes(), stamp), (0, None), "empty and not on disk");
    symlink("nowhere.txt", folder.path("dangling")).unwrap();
    assert_eq!(folder.load("dangling").unwrap().stamp, None, "what the link names is new");
    let line = folder.line(folder.load("no/new.txt"));
    assert_eq!(line, "cannot open no/new.txt: there is no folder no; create it first", "or not");
}

#[test]
fn what_is_not_a_regular_file_is_refused_at_once() {
    let folder = Folder::new();
    fs::create_dir(folder.path("dir")).unwrap();
    mkfifo(&folder.path("pipe"), Mode::S_IRWXU).unwrap();
    symlink("pipe", folder.path("to-pipe")).unwrap();
    let _socket = UnixListener::bind(folder.path("socket")).unwrap();
    symlink("/dev/zero", folder.path("zero")).unwrap();
    for (name, kind) in [
        ("dir", "a folder"),
        ("pipe", "a pipe"),
        ("to-pipe", "a pipe"),
        ("socket", "a socket"),
        ("zero", "a device"),
    ] {
        let line = folder.line(folder.load(name));
        assert_eq!(line, format!("cannot open {name}: it is {kind}, not a text file"), "loading");
        let line = folder.line(folder.save(name, b"x", None));
        let expected = format!("cannot save {name}: it is {kind}; move it away");
        assert_eq!(line, expected, "saving");
    }
    symlink("/proc/self/status", folder.path("proc")).unwrap();
    let line = folder.line(folder.load("proc"));
    assert_eq!(
        line, "cannot open proc: the system makes it up as it is read; copy it first",
        "proc"
    );
}

#[test]
fn what_is_not_text_or_too_long_is_refused() {
    let folder = Folder::new();
    let check = |bytes: &[u8], reason: &str| {
        folder.write("x", bytes);
        assert_eq!(folder.line(folder.load("x")), format!("cannot open x: {reason}"), "{bytes:?}");
    };
    check(b"ab\0c", "not a text file (NUL byte at offset 2)");
    check(b"caf\xe9", "not UTF-8 (first bad byte at offset 3)");
    check(&[b'a'; 1025], "it is 1 MiB long, the limit is 0 MiB");
    folder.write("x", [b'a'; 1024]);
    assert!(folder.load("x").is_ok(), "exactly the limit is fine");
    File::create(folder.path("huge")).unwrap().set_len(3 << 30).unwrap();
    let line = folder.line(load(&folder.path("huge"), MAX_FILE_LEN));
    assert_eq!(
        line, "cannot open huge: it is 3072 MiB long, the limit is 256 MiB",
        "not even read"
    );
}

#[test]
fn a_loop_of_links_is_an_error() {
    let folder = Folder::new();
    symlink("b", folder.path("a")).unwrap();
    symlink("a", folder.path("b")).unwrap();
    assert!(folder.line(folder.load("a")).starts_with("cannot read a: too many"), "loading");
    assert!(
        folder.line(folder.save("a", b"", None)).starts_with("cannot save a: too many"),
        "saving"
    );
}

#[test]
fn what_is_saved_is_on_disk_byte_for_byte() {
    let folder = Folder::new();
    let bytes = "\u{feff}a\r\nb\rc\n\u{2028}é no newline at the end".as_bytes();
    let stamp = folder.save("a.txt", bytes, None).unwrap();
    assert_eq!(fs::read(folder.path("a.txt")).unwrap(), bytes, "a new file");
    assert_eq!(folder.stamp("a.txt"), Some(stamp), "the stamp is what loading gives");
    let stamp = folder.save("a.txt", b"", Some(stamp)).unwrap();
    assert_eq!(fs::read(folder.path("a.txt")).unwrap(), b"", "an existing one");
    let loaded = load(&folder.path("a.txt"), 0).unwrap();
    folder.save("a.txt", &loaded.document.to_bytes(), Some(stamp)).unwrap();
    folder.check_clean();
}

#[test]
fn a_new_file_gets_what_the_umask_leaves_and_an_old_one_keeps_its_mode() {
    let folder = Folder::new();
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().mode() & 0o7777;
    folder.save("saved", b"x", None).unwrap();
    File::create(folder.path("made")).unwrap();
    assert_eq!(mode("saved"), mode("made"), "as any new file");
    for wanted in [0o640, 0o755, 0o600] {
        fs::set_permissions(folder.path("made"), fs::Permissions::from_mode(wanted)).unwrap();
        folder.save("made", b"y", folder.stamp("made")).unwrap();
        assert_eq!(mode("made"), wanted, "kept");
    }
}

#[test]
fn links_are_followed_to_the_last_file_and_stay() {
    let folder = Folder::new();
    fs::create_dir(folder.path("real")).unwrap();
    folder.write("real/file", "old");
    symlink("real/file", folder.path("link1")).unwrap();
    for number in 2..=5 {
        symlink(format!("./link{}", number - 1), folder.path(&format!("link{number}"))).unwrap();
    }
    folder.save("link5", b"new", folder.stamp("link5")).unwrap();
    assert_eq!(fs::read(folder.path("real/file")).unwrap(), b"new", "the last target is written");
    assert!(folder.path("link5").is_symlink() && folder.path("link1").is_symlink(), "links stay");
    symlink("real/not-yet", folder.path("dangling")).unwrap();
    folder.save("dangling", b"made", None).unwrap();
    assert_eq!(fs::read(folder.path("real/not-yet")).unwrap(), b"made", "made where it points");
    symlink("gone/file", folder.path("lost")).unwrap();
    let line = folder.line(folder.save("lost", b"x", None));
    assert_eq!(line, "cannot save lost: there is no folder gone; create it first", "or not");
}

#[test]
fn a_file_with_other_names_stays_one_file() {
    let folder = Folder::new();
    let path = folder.write("one", "old text that is longer");
    fs::hard_link(&path, folder.path("two")).unwrap();
    let inode = fs::metadata(&path).unwrap().ino();
    let stamp = folder.save("one", b"new", folder.stamp("one")).unwrap();
    assert_eq!(fs::read(folder.path("two")).unwrap(), b"new", "seen by its other name");
    assert_eq!((stamp.inode, stamp.len), (inode, 3), "still the same file");
    folder.save("two", b"new and longer again", Some(stamp)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new and longer again", "both ways");
    folder.check_clean();
}

#[test]
fn a_file_without_permission_to_write_is_refused() {
    let folder = Folder::new();
    let path = folder.write("a", "old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let line = folder.line(folder.save("a", b"new", folder.stamp("a")));
    let expected = "cannot save a: the file is read-only; make it writable and save again";
    assert_eq!(line, expected, "even by root");
    assert_eq!(fs::read(&path).unwrap(), b"old", "untouched");
    folder.check_clean();
}

#[test]
fn a_change_on_disk_is_not_overwritten() {
    let folder = Folder::new();
    let path = folder.write("a", "old");
    let stamp = folder.stamp("a");
    let check = |expected: Option<DiskStamp>, line: &str| {
        let before = fs::read(&path).ok();
        assert_eq!(folder.line(folder.save("a", b"mine", expected)), line, "refused");
        assert_eq!(fs::read(&path).ok(), before, "untouched");
        folder.check_clean();
    };
    let changed = "a was changed on disk since it was read; reload it, or overwrite it";
    folder.write("a", "longer");
    check(stamp, changed);
    let created = "a was created by somebody else meanwhile; open it, or overwrite it";
    check(None, created);
    fs::remove_file(&path).unwrap();
    check(stamp, "a was deleted from disk; save again to create it anew");
}

#[test]
fn a_change_that_hides_behind_the_same_length_and_time_is_seen() {
    let folder = Folder::new();
    let path = folder.write("a", "old");
    let stamp = folder.stamp("a");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "new").unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let now = folder.stamp("a").unwrap();
    assert_eq!(
        (now.len, now.modified, now.inode),
        stamp.map(|s| (s.len, s.modified, s.inode)).unwrap(),
        "in disguise"
    );
    assert!(folder.line(folder.save("a", b"mine", stamp)).contains("was changed"), "still seen");
}

#[test]
fn a_file_that_was_only_touched_or_replaced_by_its_like_is_no_conflict() {
    let folder = Folder::new();
    let path = folder.write("a", "old");
    let stamp = folder.stamp("a");
    folder.write("b", "old");
    fs::rename(folder.path("b"), &path).unwrap();
    folder.save("a", b"new", stamp).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new", "saved");
}

#[test]
fn force_overwrites_and_creates_anew() {
    let folder = Folder::new();
    let path = folder.write("a", "theirs");
    let mut request =
        SaveRequest { path: path.clone(), bytes: b"mine".into(), expected: None, force: true };
    let stamp = save(&request, &folder.backups()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"mine", "overwritten");
    fs::remove_file(&path).unwrap();
    request.expected = Some(stamp);
    save(&request, &folder.backups()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"mine", "created");
}

#[test]
fn the_thread_answers_in_order_and_finishes_before_it_is_gone() {
    let folder = Folder::new();
    let (sender, events) = crossbeam_channel::unbounded();
    let on_event = move |event| sender.send(event).expect("the test listens");
    let files = Files::spawn(folder.backups(), MAX_FILE_LEN, on_event).unwrap();
    let path = folder.path("a");
    let request =
        SaveRequest { path: path.clone(), bytes: b"text".into(), expected: None, force: false };
    files.submit(FileJob::Save { token: 1, revision: 7, request }).unwrap();
    files.submit(FileJob::Load { token: 2, path: path.clone() }).unwrap();
    let first = events.recv_timeout(PATIENCE).unwrap();
    let FileEvent::Saved { token: 1, revision: 7, result: Ok(saved), .. } = first else {
        panic!("{first:?}");
    };
    let second = events.recv_timeout(PATIENCE).unwrap();
    let FileEvent::Loaded { token: 2, result: Ok(loaded), .. } = second else {
        panic!("{second:?}");
    };
    assert_eq!(loaded.stamp, Some(saved), "both know the same file");
    let request = SaveRequest {
        path: path.clone(),
        bytes: b"last".into(),
        expected: Some(saved),
        force: false,
    };
    files.submit(FileJob::Save { token: 3, revision: 8, request }).unwrap();
    drop(files);
    assert_eq!(fs::read(&path).unwrap(), b"last", "a save given before the end is done");
}

#[test]
fn too_many_jobs_are_given_back() {
    let (block, blocked) = crossbeam_channel::bounded::<()>(0);
    let on_event = move |_| assert!(blocked.recv_timeout(PATIENCE).is_err(), "nothing is sent");
    let files = Files::spawn(PathBuf::from("/nonexistent"), 1, on_event).unwrap();
    let submit = |token| files.submit(FileJob::Load { token, path: "/nonexistent/x".into() });
    let refused = (0..100).find_map(|token| submit(token).err()).expect("the queue has an end");
    assert!(refused.to_string().starts_with("too many files"), "{refused}");
    assert!(matches!(refused.0, FileJob::Load { token: 64..=65, .. }), "{:?}", refused.0);
    drop(block);
}
