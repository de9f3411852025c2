//! What nobody wants any more is ended and forgotten, and only that.

use host::transcript::{KEPT_LAUNCHES, launches};

use super::*;

#[test]
fn what_is_discarded_ends_and_is_forgotten() {
    let fixture = Fixture::new();
    let deaf = "trap '' TERM HUP INT; (trap '' TERM HUP; echo pid $$; sleep 100) & wait";
    let (deaf, _terminal) = fixture.sh(deaf);
    fixture.tail(deaf.program, 0).pids(1);
    let (ended, _terminal) = fixture.sh("exit 3");
    fixture.gone(ended.program);
    let (kept, _terminal) = fixture.sh("sleep 100");
    // Kills also what is being stopped with all patience.
    fixture.client().stop(deaf.program, PATIENCE, || {});
    for program in [deaf.program, ended.program, 999] {
        fixture.client().discard(program);
    }
    let numbers = || -> Vec<u64> {
        fixture.client().list().unwrap().into_iter().map(|it| it.program).collect()
    };
    eventually("only one program is left", || numbers() == [kept.program]);
    assert!(!is_running(deaf.pid), "it was killed");
    assert!(is_running(kept.pid), "the other runs on");
}

#[test]
fn who_reads_what_is_forgotten_comes_to_an_end() {
    let fixture = Fixture::new();
    let (running, _terminal) = fixture.sh("seq 1 500000; sleep 100");
    let (ended, _terminal) = fixture.sh("seq 1 200000");
    let viewers = [&running, &ended]
        .map(|it| Tail::new(fixture.client().watch(it.program, 0).expect("there is a stream")));
    fixture.gone(ended.program);
    for it in [&running, &ended] {
        fixture.client().discard(it.program);
    }
    eventually("none is left", || fixture.client().list().unwrap().is_empty());
    for viewer in viewers {
        let read = viewer.all();
        assert!(read.starts_with(b"1\r\n2\r\n"), "what there was room for");
    }
    fixture.assert_serves();
}

#[test]
fn old_launches_make_room_but_not_while_they_run() {
    let fixture = Fixture::new();
    let (running, _terminal) = fixture.sh("echo still here; sleep 100");
    fixture.tail(running.program, 0).until("still here");
    for _ in 0..2 * KEPT_LAUNCHES {
        let (spawned, _terminal) = fixture.sh("echo gone");
        fixture.gone(spawned.program);
        fixture.client().discard(spawned.program);
    }
    let left = launches(&fixture.folder.path().join("transcripts/agent")).unwrap();
    let numbers: Vec<&str> =
        left.iter().map(|it| it.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(numbers, ["1", "7", "8", "9", "10", "11"], "the last five, and what runs");
    let mut tail = fixture.tail(running.program, 0);
    tail.until("still here");
}
