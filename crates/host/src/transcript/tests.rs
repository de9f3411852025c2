//! Transcripts as they are written, and as they are found after whatever befell them.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use pty::Ended;
use tempfile::TempDir;

use super::*;

struct Fixture {
    recorder: Recorder,
    _folder: TempDir,
}

fn stamp(ms: u64) -> Stamp {
    Stamp { ms, columns: 80, rows: 24 }
}

fn private_folder() -> TempDir {
    let private = fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().permissions(private).tempdir().unwrap()
}

impl Fixture {
    fn new(limit: u64) -> Self {
        let folder = private_folder();
        let recorder = Recorder::create(folder.path(), "agent", limit).unwrap();
        Self { recorder, _folder: folder }
    }

    fn print(&mut self, bytes: &[u8], ms: u64) {
        self.recorder.append(self.recorder.end(), bytes, stamp(ms)).unwrap();
    }

    fn open(&self) -> Transcript {
        Transcript::open(self.recorder.folder()).unwrap()
    }

    fn index(&self) -> PathBuf {
        index_path(self.recorder.folder(), 0)
    }
}

/// All that is kept from that offset on.
fn read(transcript: &Transcript, mut offset: u64) -> String {
    let mut text = String::new();
    let mut chunk = [0; 1000];
    while let Some(next) = transcript.next_kept(offset) {
        if next != offset {
            text.push_str("<gap>");
        }
        let len = transcript.read_at(next, &mut chunk).unwrap();
        text.push_str(&String::from_utf8_lossy(&chunk[..len]));
        offset = next + len as u64;
    }
    text
}

#[test]
fn what_is_written_is_read_back_from_anywhere() {
    let mut fixture = Fixture::new(MIN_LIMIT);
    fixture.print(b"hello ", 1_000);
    fixture.print(b"world", 5_000);
    let transcript = fixture.open();
    assert_eq!((transcript.start(), transcript.end()), (0, 11), "all of it");
    assert_eq!(read(&transcript, 0), "hello world", "from the start");
    assert_eq!(read(&transcript, 6), "world", "from the middle");
    assert_eq!(read(&transcript, 11), "", "behind the end");
    let mut buf = [0; 5];
    assert_eq!(fixture.recorder.read_at(6, &mut buf).unwrap(), 5, "the writer reads, too");
    assert_eq!(&buf, b"world", "the same");
}

#[test]
fn a_moment_is_found_within_a_second() {
    let mut fixture = Fixture::new(MIN_LIMIT);
    for second in 10..20 {
        fixture.print(b"0123456789", second * 1_000);
    }
    let transcript = fixture.open();
    let check = |ms, expected| assert_eq!(transcript.offset_at(ms), expected, "since {ms}");
    check(0, Some(0));
    check(10_000, Some(0));
    check(12_000, Some(20));
    check(12_500, Some(20));
    check(19_000, Some(90));
    check(25_000, None);
}

#[test]
fn the_index_stays_short_however_much_is_printed() {
    let mut fixture = Fixture::new(64 * 1024 * 1024);
    // A spinner, for an hour.
    for tick in 0..36_000 {
        fixture.print(b"\x1b[1G/", tick * 100);
    }
    let len = fs::metadata(fixture.index()).unwrap().len();
    assert!(len <= 3_700 * 40, "{len} bytes");
    // A flood, in a second.
    for tick in 0..1_000 {
        fixture.print(&[b'x'; 16 * 1024], 3_600_000 + tick);
    }
    let len = fs::metadata(fixture.index()).unwrap().len();
    assert!(len <= 4_000 * 40, "{len} bytes");
}

#[test]
fn sizes_are_noted_where_they_change() {
    let mut fixture = Fixture::new(MIN_LIMIT);
    fixture.print(b"narrow", 1);
    let wide = Stamp { ms: 2, columns: 132, rows: 50 };
    fixture.recorder.append(6, b"wide", wide).unwrap();
    let transcript = fixture.open();
    assert_eq!(transcript.size_at(0), Some((80, 24)), "at first");
    assert_eq!(transcript.size_at(5), Some((80, 24)), "until");
    assert_eq!(transcript.size_at(6), Some((132, 50)), "from then on");
}

#[test]
fn a_gap_is_seen_from_both_sides() {
    let mut fixture = Fixture::new(MIN_LIMIT);
    fixture.print(b"before", 1);
    fixture.recorder.append(100, b"after", stamp(2)).unwrap();
    assert_eq!(fixture.recorder.oldest(), 100, "what a stream can begin with");
    let transcript = fixture.open();
    assert_eq!(read(&transcript, 0), "before<gap>after", "what is kept");
    let index = fs::read_to_string(index_path(fixture.recorder.folder(), 100)).unwrap();
    assert!(index.contains("\"lost\":94"), "{index}");
}

#[test]
fn the_oldest_goes_first_and_the_limit_holds() {
    let mut fixture = Fixture::new(MIN_LIMIT);
    for count in 0..100_u64 {
        fixture.print(&[b'a' + u8::try_from(count % 26).unwrap(); 10_000], count * 10);
        let sizes = fs::read_dir(fixture.recorder.folder()).unwrap();
        let size: u64 = sizes.map(|it| it.unwrap().metadata().unwrap().len()).sum();
        assert!(size <= MIN_LIMIT, "{size} bytes after {count}");
    }
    let oldest = fixture.recorder.oldest();
    assert!(oldest > 700_000 && oldest <= 1_000_000 - MIN_LIMIT / 2, "from {oldest} on");
    assert_eq!(fixture.open().start(), oldest, "the same on disk");
}

#[test]
fn an_exit_is_written_down_once_and_for_all() {
    let mut fixture = Fixture::new(MIN_LIMIT);
    assert_eq!(fixture.open().exit(), None, "not yet");
    fixture.print(b"bye", 1);
    fixture.recorder.note_exit(Ended::Signal(9), stamp(7));
    let expected = Exit { code: None, signal: Some(9), at_ms: 7, total: 3 };
    assert_eq!(fixture.open().exit(), Some(expected), "how, when and where");
    fixture.print(b" from the background", 8);
    assert_eq!(fixture.open().exit(), Some(expected), "still");
    let mut silent = Fixture::new(MIN_LIMIT);
    silent.recorder.note_exit(Ended::Code(1), stamp(7));
    assert_eq!(silent.open().exit().unwrap().code, Some(1), "of one that printed nothing");
}

/// Spoils the files of "one\ntwo\n" printed at seconds 1 and 5, and reads what can be read.
#[track_caller]
fn check_spoiled(spoil: impl FnOnce(&Path), text: &str, is_index_whole: bool) {
    let mut fixture = Fixture::new(MIN_LIMIT);
    fixture.print(b"one\n", 1_000);
    fixture.print(b"two\n", 5_000);
    spoil(fixture.recorder.folder());
    let transcript = fixture.open();
    assert_eq!(read(&transcript, 0), text, "the bytes");
    assert_eq!(transcript.bad_lines() == 0, is_index_whole, "the index");
}

#[test]
fn spoiled_files_cost_no_more_than_they_held() {
    let whole = "one\ntwo\n";
    let index = |folder: &Path| index_path(folder, 0);
    let raw = |folder: &Path| raw_path(folder, 0);
    check_spoiled(|_| {}, whole, true);
    check_spoiled(|it| fs::remove_file(index(it)).unwrap(), whole, false);
    check_spoiled(|it| fs::write(index(it), "").unwrap(), whole, true);
    check_spoiled(
        |it| fs::write(index(it), "{\"at\":0,\"ms\":1}\n{\"at\":4,\"m").unwrap(),
        whole,
        false,
    );
    check_spoiled(|it| fs::write(index(it), "\0\0garbage\n[1]\nnull\n").unwrap(), whole, false);
    check_spoiled(|it| fs::write(index(it), "{\"at\":99,\"ms\":1}\n").unwrap(), whole, false);
    check_spoiled(|it| fs::write(index(it), "{\"at\":-1,\"ms\":1e99}\n").unwrap(), whole, false);
    check_spoiled(|it| fs::write(raw(it), "on").unwrap(), "on", false);
    check_spoiled(|it| fs::remove_file(raw(it)).unwrap(), "", true);
    let replace = |it: &Path| {
        fs::remove_file(raw(it)).unwrap();
        symlink("/etc/passwd", raw(it)).unwrap();
    };
    check_spoiled(replace, "", true);
    let strangers = |it: &Path| {
        fs::write(it.join("note.txt"), "hello").unwrap();
        fs::write(it.join("xyz.raw"), "hello").unwrap();
        fs::write(raw_path(it, u64::MAX), "").unwrap();
        fs::create_dir(raw_path(it, 77)).unwrap();
    };
    check_spoiled(strangers, whole, false);
}

#[test]
fn launches_are_counted_on_and_nothing_is_overwritten() {
    let folder = private_folder();
    let create = || Recorder::create(folder.path(), "agent", 0).unwrap().folder().to_owned();
    let named = folder.path().join("transcripts/agent");
    assert_eq!(create(), named.join("1"), "the first");
    fs::create_dir(named.join("7")).unwrap();
    fs::write(named.join("8"), "a file").unwrap();
    fs::create_dir(named.join("other")).unwrap();
    assert_eq!(create(), named.join("9"), "behind all others");
    let found = launches(&named).unwrap();
    assert_eq!(found, [named.join("1"), named.join("7"), named.join("9")], "in order");
}

#[test]
fn a_place_that_is_not_ours_is_refused() {
    let check = |prepare: &dyn Fn(&Path), name: &str| {
        let folder = private_folder();
        prepare(folder.path());
        assert!(Recorder::create(folder.path(), name, 0).is_err(), "{name:?} should be refused");
    };
    for name in ["", ".", "..", "a/b", "/a", ".a", "a\nb"] {
        check(&|_| {}, name);
    }
    check(&|it| symlink("/tmp", it.join("transcripts")).unwrap(), "agent");
    check(&|it| fs::write(it.join("transcripts"), "").unwrap(), "agent");
    let open = |it: &Path| {
        fs::create_dir(it.join("transcripts")).unwrap();
        let everybody = fs::Permissions::from_mode(0o777);
        fs::set_permissions(it.join("transcripts"), everybody).unwrap();
    };
    check(&open, "agent");
}

#[test]
fn a_folder_that_vanishes_costs_what_it_held_and_no_more() {
    let mut fixture = Fixture::new(MIN_LIMIT);
    fixture.print(b"before", 1);
    fs::remove_dir_all(fixture.recorder.folder()).unwrap();
    for _ in 0..20 {
        fixture.print(&[b'x'; 10_000], 2);
    }
    let transcript = fixture.open();
    assert!(transcript.start() > 0 && transcript.end() == 200_006, "it goes on in a new one");
}
