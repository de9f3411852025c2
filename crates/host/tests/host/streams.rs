//! What programs print, for whoever reads it, however slowly.

use std::io::Write as _;

use host::Transcript;

use super::*;

#[test]
fn a_stream_begins_where_it_is_asked_to() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh("printf 0123456789; sleep 100");
    fixture.tail(spawned.program, 0).until("0123456789");
    fixture.tail(spawned.program, 7).until("789");
    assert_eq!(fixture.tail(spawned.program, 7).start, 7, "as asked");
    assert_eq!(fixture.tail(spawned.program, 99).start, 10, "not behind the end");
    let status = fixture.status(spawned.program);
    assert_eq!((status.total, status.oldest), (10, 0), "all is kept");
}

#[test]
fn a_stalled_app_holds_its_program_back_and_loses_nothing() {
    let fixture = Fixture::new();
    let count = 400_000;
    let (spawned, _terminal) = fixture.sh(&format!("seq 1 {count}; echo done"));
    let mut tail = fixture.tail(spawned.program, 0);
    let memory = status_number(fixture.pid, "VmRSS");
    let mut before = u64::MAX;
    eventually("a standstill", || {
        let total = fixture.status(spawned.program).total;
        std::mem::replace(&mut before, total) == total && total > 0
    });
    a_while(Duration::from_millis(100));
    let total = fixture.status(spawned.program).total;
    assert!(total < 1024 * 1024, "the program waits after {total} bytes");
    assert!(fixture.status(spawned.program).ended.is_none(), "and has not ended");
    let grown = status_number(fixture.pid, "VmRSS").saturating_sub(memory);
    assert!(grown < 1024, "{grown} KiB more");
    tail.until("done");
    let expected: String = (1..=count).map(|n| format!("{n}\r\n")).collect();
    assert!(tail.text() == expected + "done\r\n", "every byte, once");
}

#[test]
fn who_only_watches_holds_nobody_up_and_is_sent_away() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh("seq 1 2000000; echo done; sleep 100");
    let viewer = Tail::new(fixture.client().watch(spawned.program, 0).unwrap());
    let mut tail = fixture.tail(spawned.program, 0);
    while !tail.bytes.ends_with(b"done\r\n") {
        assert!(tail.read(), "it prints on");
    }
    let seen = viewer.all();
    assert!(seen.len() < tail.bytes.len(), "sent away after {} bytes", seen.len());
    assert!(tail.bytes.starts_with(&seen), "and until then all was right");
    let viewer = Tail::new(fixture.client().watch(spawned.program, 5).unwrap());
    assert_eq!(viewer.start, 5, "it may come again");
}

#[test]
fn without_an_app_all_goes_into_the_transcript() {
    let mut fixture = Fixture::new();
    let (keeper, _terminal) = fixture.sh("sleep 100");
    let go = fixture.folder.path().join("go");
    nix::unistd::mkfifo(&go, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (spawned, terminal) = fixture.sh("read -r x < go; seq 1 100000; exit 9");
    drop(terminal);
    fixture.leave();
    fs::write(&go, "\n").unwrap();
    eventually("its end", || !is_running(spawned.pid));
    fixture.come();
    eventually("the news", || fixture.status(spawned.program).is_gone);
    let status = fixture.status(spawned.program);
    let end = status.ended.expect("it has ended");
    assert_eq!((end.code, end.total), (Some(9), status.total), "its code");
    assert!(end.at_ms >= status.started_ms, "and when");
    let expected: String = (1..=100_000).map(|n| format!("{n}\r\n")).collect();
    assert!(fixture.tail(spawned.program, 0).all() == expected.as_bytes(), "every byte");
    assert!(!fixture.status(keeper.program).is_gone, "the other is still there");
}

#[test]
fn transcripts_keep_to_their_limit() {
    let fixture = Fixture::with(&["--limit", "300000"]);
    let (spawned, _terminal) = fixture.sh("seq 1 300000; echo done");
    fixture.gone(spawned.program);
    let status = fixture.status(spawned.program);
    let folder = PathBuf::from(status.transcript.clone().unwrap());
    let sizes = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().metadata().unwrap().len());
    let size: u64 = sizes.sum();
    assert!(size <= 300_000, "{size} bytes are kept");
    let kept = status.total - status.oldest;
    assert!(kept >= 150_000, "{kept} bytes of output are among them");
    let expected: String = (1..=300_000).map(|n| format!("{n}\r\n")).collect();
    let expected = expected + "done\r\n";
    let tail = fixture.tail(spawned.program, 0);
    assert_eq!(tail.start, status.oldest, "the oldest that is kept");
    let start = usize::try_from(tail.start).unwrap();
    assert!(tail.all() == expected.as_bytes()[start..], "and all from there on");
    let transcript = Transcript::open(&folder).unwrap();
    assert_eq!((transcript.start(), transcript.end()), (status.oldest, status.total), "on disk");
}

#[test]
fn a_line_without_end_costs_neither_memory_nor_disk() {
    let fixture = Fixture::with(&["--limit", "8000000"]);
    let mebibytes = 200;
    let script = format!("stty -opost; head -c {mebibytes}M /dev/zero | tr '\\0' x; exit 3");
    let (spawned, _terminal) = fixture.sh(&script);
    let mut tail = fixture.tail(spawned.program, 0);
    let mut n_bytes = 0;
    let mut n_asked = 0;
    while tail.read() {
        assert!(tail.bytes.iter().all(|byte| *byte == b'x'), "as it was printed");
        n_bytes += tail.bytes.len();
        tail.bytes.clear();
        if n_bytes / (20 << 20) > n_asked {
            n_asked += 1;
            fixture.assert_serves();
        }
    }
    assert_eq!(n_bytes, mebibytes << 20, "all of it");
    fixture.gone(spawned.program);
    let status = fixture.status(spawned.program);
    assert_eq!(status.ended.expect("it has ended").code, Some(3), "its code");
    let memory = status_number(fixture.pid, "VmHWM");
    assert!(memory < 12 * 1024, "{memory} KiB at most");
    let folder = PathBuf::from(status.transcript.unwrap());
    let sizes = fs::read_dir(folder).unwrap().map(|it| it.unwrap().metadata().unwrap().len());
    let size: u64 = sizes.sum();
    assert!((4_000_000..=8_000_000).contains(&size), "{size} bytes are kept");
}

#[test]
fn transcripts_are_for_the_user_alone_and_each_launch_has_its_own() {
    let fixture = Fixture::new();
    let folders = [0, 1].map(|_| {
        let (spawned, _terminal) = fixture.sh("echo hello");
        fixture.gone(spawned.program);
        PathBuf::from(spawned.transcript.unwrap())
    });
    let named = fixture.folder.path().join("transcripts/agent");
    assert_eq!(folders, [named.join("1"), named.join("2")], "in order");
    assert_eq!(host::transcript::launches(&named).unwrap(), folders, "as they are found");
    let mode = |path: &Path| fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&named), 0o700, "the folder");
    assert_eq!(mode(&folders[0]), 0o700, "of a launch");
    for entry in fs::read_dir(&folders[0]).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600, "each file");
    }
}

#[test]
fn a_transcript_that_cannot_be_written_costs_nobody_a_byte_who_is_attached() {
    let fixture = Fixture::new();
    let (spawned, terminal) = fixture.sh("while read -r line; do $line; done");
    let (program, folder) = (spawned.program, PathBuf::from(spawned.transcript.unwrap()));
    let mut terminal = fs::File::from(terminal);
    let mut tail = fixture.tail(program, 0);
    terminal.write_all(b"stty -echo\necho one\n").unwrap();
    tail.until("one\r\n");
    // No file of this process may grow any more, as on a full disk.
    limit_file_size(fixture.pid, 1);
    terminal.write_all(b"seq 1 100000\n").unwrap();
    tail.until("\r\n100000\r\n");
    let failed = fixture.event(|event| matches!(event, Event::TranscriptFailed { .. }));
    let Event::TranscriptFailed { error, .. } = failed else { unreachable!() };
    assert!(error.contains("transcript"), "{error}");
    assert!(fixture.status(program).transcript_error.is_some(), "listed so");
    limit_file_size(fixture.pid, nix::libc::RLIM_INFINITY);
    terminal.write_all(b"echo two\n").unwrap();
    tail.until("two\r\n");
    let recovered = fixture.event(|event| matches!(event, Event::TranscriptRecovered { .. }));
    let Event::TranscriptRecovered { lost, .. } = recovered else { unreachable!() };
    assert!(lost > 100_000, "{lost} bytes are not in it");
    let numbers: String = (1..=100_000).map(|n| format!("{n}\r\n")).collect();
    assert!(tail.text().contains(&(numbers + "two\r\n")), "the app has every byte");
    let transcript = Transcript::open(&folder).unwrap();
    let gap = transcript.next_kept(lost).unwrap();
    assert!(gap > lost && transcript.end() == fixture.status(program).total, "it goes on later");
    assert_eq!(fixture.tail(program, 0).start, gap, "a stream has no gap");
}

#[test]
fn a_file_that_somebody_cuts_short_costs_what_it_held() {
    let fixture = Fixture::new();
    let (spawned, terminal) =
        fixture.sh("stty -echo; echo ready; while read -r line; do echo $line; done");
    let mut terminal = fs::File::from(terminal);
    let mut before = fixture.tail(spawned.program, 0);
    before.until("ready\r\n");
    terminal.write_all(b"one\ntwo\n").unwrap();
    before.until("two\r\n");
    let raw = PathBuf::from(spawned.transcript.unwrap()).join("0000000000000000.raw");
    fs::File::options().write(true).open(raw).unwrap().set_len(0).unwrap();
    let total = fixture.status(spawned.program).total;
    let mut tail = fixture.tail(spawned.program, 0);
    assert_eq!(tail.start, total, "what was in it is gone");
    terminal.write_all(b"three\n").unwrap();
    tail.until("three\r\n");
    assert!(tail.text().ends_with("three\r\n") && !tail.text().contains("one"), "it goes on");
}

/// Of another process, which its user may do.
fn limit_file_size(pid: i32, size: u64) {
    let status = std::process::Command::new("prlimit")
        .arg(format!("--pid={pid}"))
        .arg(match size {
            nix::libc::RLIM_INFINITY => "--fsize=unlimited:unlimited".to_owned(),
            _ => format!("--fsize={size}:unlimited"),
        })
        .status();
    assert!(status.unwrap().success(), "prlimit should work");
}

#[test]
fn a_transcript_that_cannot_be_begun_is_told_and_its_program_runs() {
    let fixture = Fixture::new();
    fs::write(fixture.folder.path().join("transcripts"), "a file").unwrap();
    let (spawned, _terminal) = fixture.sh("seq 1 100000; echo done");
    assert_eq!(spawned.transcript, None, "there is none");
    let failed = fixture.event(|event| matches!(event, Event::TranscriptFailed { .. }));
    assert!(
        matches!(failed, Event::TranscriptFailed { program, .. } if program == spawned.program)
    );
    let mut tail = fixture.tail(spawned.program, 0);
    tail.until("done\r\n");
    let expected: String = (1..=100_000).map(|n| format!("{n}\r\n")).collect();
    let text = tail.text();
    assert!((expected + "done\r\n").ends_with(&text), "no gap since the app came");
}
