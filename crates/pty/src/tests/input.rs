//! What goes into a terminal: typing, resizing, and what must never be typed.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::writer::{ANSWER_LIMIT, PASTE_LIMIT, QUEUE_LIMIT};
use crate::{PasteNews, WriteRefused};

#[track_caller]
fn type_half_a_command(fixture: &Fixture) {
    fixture.session.write(b"PS1=; echo rea''dy\n".to_vec()).unwrap();
    fixture.wait_for("ready");
    fixture.session.write(b"touch ran".to_vec()).unwrap();
    fixture.wait_for("touch ran");
}

#[test]
fn a_half_typed_command_does_not_run_when_its_session_is_stopped() {
    for shell in [["sh", "-i"], ["bash", "--norc"]] {
        let fixture = Fixture::start("half", &shell);
        type_half_a_command(&fixture);
        fixture.stop();
        assert!(!fixture.path("ran").exists(), "{shell:?} ran it");
    }
}

#[test]
fn a_half_typed_command_does_not_run_when_its_session_is_dropped() {
    for shell in [["sh", "-i"], ["bash", "--norc"]] {
        let fixture = Fixture::start("half", &shell);
        type_half_a_command(&fixture);
        let Fixture { session, folder, .. } = fixture;
        drop(session);
        assert!(!folder.path().join("ran").exists(), "{shell:?} ran it");
    }
}

#[test]
fn a_long_paste_arrives_whole() {
    let fixture = Fixture::sh("paste", "stty raw -echo; echo ready; head -c 3000000 | cksum");
    fixture.wait_for("ready");
    for chunk in [1, 999_999, 2_000_000] {
        fixture.session.write(vec![b'x'; chunk]).unwrap();
    }
    assert_eq!(fixture.exit(), Ended::Code(0), "it got all it waited for");
    // What `head -c 3000000 /dev/zero | tr '\0' x | cksum` prints.
    fixture.wait_for("4215545058 3000000");
}

/// As many chunks of `x`, counted as they are asked for.
fn chunks(count: usize, asked: &Arc<AtomicUsize>) -> impl Iterator<Item = Vec<u8>> + use<> {
    let asked = Arc::clone(asked);
    (0..count).map(move |_| {
        asked.fetch_add(1, Ordering::Relaxed);
        vec![b'x'; CHUNK]
    })
}

const CHUNK: usize = 65_536;

#[test]
fn a_paste_larger_than_the_queue_arrives_whole_and_what_is_typed_meanwhile_behind_it() {
    let script = "stty raw -echo; echo ready; head -c 52428800 | cksum; head -c 5";
    let fixture = Fixture::sh("large", script);
    fixture.wait_for("ready");
    let asked = Arc::default();
    fixture.session.paste(800 * CHUNK, b"", chunks(800, &asked), |_| {}).unwrap();
    fixture.session.write(b"after".to_vec()).unwrap();
    let ended = fixture.exits.recv_timeout(Duration::from_secs(60)).expect("it should end");
    assert_eq!(ended, Ended::Code(0), "it got all it waited for");
    // What `head -c 52428800 /dev/zero | tr '\0' x | cksum` prints.
    fixture.wait_for("3011990716 52428800");
    fixture.wait_for("after");
}

#[test]
fn a_slow_reader_is_waited_for_without_making_more_than_it_takes() {
    let script = "stty raw -echo; echo ready; read -r go < go; head -c 131072 | cksum; echo done";
    let fixture = Fixture::sh("slow", &format!("mkfifo go; {script}"));
    fixture.wait_for("ready");
    let asked = Arc::default();
    fixture.session.paste(PASTE_LIMIT, b"", chunks(2, &asked), |_| {}).unwrap();
    let again = fixture.session.paste(1, b"", std::iter::empty(), |_| {});
    assert_eq!(again, Err(WriteRefused { queued: PASTE_LIMIT }), "only so much may wait");
    fixture.session.write(b"typing still works".to_vec()).unwrap();
    assert_idle("slow");
    assert_eq!(asked.load(Ordering::Relaxed), 1, "the second chunk is not made before its time");
    fs::write(fixture.path("go"), "\n").unwrap();
    fixture.wait_for("done");
    assert_eq!(asked.load(Ordering::Relaxed), 2, "all of it was made");
}

#[test]
fn a_paste_ends_with_its_program_also_while_others_hold_the_terminal() {
    let script = "stty raw -echo; sleep 100 & echo ready; head -c 10 >/dev/null";
    let fixture = Fixture::sh("cancelled", script);
    fixture.wait_for("ready");
    let asked = Arc::default();
    fixture.session.paste(PASTE_LIMIT, b"", chunks(4_096, &asked), |_| {}).unwrap();
    assert_eq!(fixture.exit(), Ended::Code(0), "it had enough");
    eventually("room for another paste", || {
        fixture.session.paste(PASTE_LIMIT, b"", std::iter::empty(), |_| {}).is_ok()
    });
    assert!(asked.load(Ordering::Relaxed) < 4_096, "the rest was never made");
}

/// A paste in brackets that the program has begun to read, and what is told of it.
fn begin_paste(fixture: &Fixture, ending: &'static [u8]) -> Receiver<PasteNews> {
    fixture.wait_for("ready");
    let (tell, told) = crossbeam_channel::unbounded();
    let text = [b"<<".to_vec(), "é\n".repeat(CHUNK).into_bytes(), b">>".to_vec()].concat();
    let chunks: Vec<Vec<u8>> = text.chunks(CHUNK).map(<[u8]>::to_vec).collect();
    let tell = move |news| tell.send(news).unwrap_or(());
    fixture.session.paste(text.len(), ending, chunks.into_iter(), tell).unwrap();
    assert_eq!(told.recv_timeout(DEADLINE), Ok(PasteNews::Waits), "it is not read");
    told
}

#[test]
fn a_paste_that_is_stopped_is_closed_once_and_what_is_typed_then_comes_next() {
    let script = "mkfifo go; stty raw -echo; echo ready; read -r go < go; cat";
    let fixture = Fixture::sh("stopped", script);
    let told = begin_paste(&fixture, b">>");
    fixture.session.stop_pastes();
    fixture.session.stop_pastes();
    assert_eq!(told.recv_timeout(DEADLINE), Ok(PasteNews::Ended), "as was wished");
    fixture.session.write(b"typed".to_vec()).unwrap();
    fs::write(fixture.path("go"), "\n").unwrap();
    fixture.wait_for(">>typed");
    let output = String::from_utf8(fixture.output.lock().unwrap().clone()).expect("characters");
    assert_eq!(output.matches(">>").count(), 1, "closed once");
    assert!(output.len() < 100_000, "most of it was never written: {}", output.len());
    fixture.stop();
}

#[test]
fn ctrl_c_after_a_stopped_paste_reaches_a_program_that_does_not_read() {
    let fixture = Fixture::sh("unread", "echo ready; exec sleep 100");
    let told = begin_paste(&fixture, b"");
    fixture.session.stop_pastes();
    fixture.session.write(b"\x03".to_vec()).unwrap();
    assert_eq!(told.recv_timeout(DEADLINE), Ok(PasteNews::Ended), "as was wished");
    assert_eq!(fixture.exit(), Ended::Signal(2), "at once");
}

#[test]
fn brackets_that_mean_nothing_any_more_cut_their_paste_and_no_other() {
    let script = "mkfifo go; stty raw -echo; echo ready; read -r go < go; cat";
    let fixture = Fixture::sh("cut", script);
    let told = begin_paste(&fixture, b">>");
    fixture.session.paste(5, b"", std::iter::once(b"plain".to_vec()), |_| {}).unwrap();
    fixture.session.writer().cut_pastes();
    assert_eq!(told.recv_timeout(DEADLINE), Ok(PasteNews::CutOff), "and that is told");
    fs::write(fixture.path("go"), "\n").unwrap();
    fixture.wait_for("plain");
    let output = String::from_utf8(fixture.output.lock().unwrap().clone()).expect("characters");
    assert!(!output.contains(">>"), "nobody knows what that would be");
    fixture.stop();
}

#[test]
fn a_program_that_does_not_read_gets_no_more_than_the_queue_holds() {
    let fixture = Fixture::sh("deaf", "stty raw -echo; echo ready; sleep 100");
    fixture.wait_for("ready");
    let write = |len| fixture.session.write(vec![b'x'; len]);
    assert_eq!(write(QUEUE_LIMIT + 1), Err(WriteRefused { queued: 0 }), "never so much at once");
    assert_eq!(write(QUEUE_LIMIT), Ok(()), "the queue is empty");
    let Err(WriteRefused { queued }) = write(QUEUE_LIMIT) else { panic!("the queue is full") };
    assert_eq!(queued, QUEUE_LIMIT, "what waits");
    assert_idle("deaf");
    let writer = fixture.session.writer();
    within(Duration::from_secs(1), || drop(fixture));
    assert_eq!(writer.write(vec![b'x'; QUEUE_LIMIT]), Ok(()), "to nobody, anything can be said");
}

#[test]
fn few_answers_wait_for_a_program_that_does_not_read_them() {
    let fixture = Fixture::sh("unheard", "stty raw -echo; echo ready; sleep 100");
    fixture.wait_for("ready");
    let writer = fixture.session.writer();
    let answer = |len| writer.answer(vec![b'x'; len]);
    assert_eq!(answer(ANSWER_LIMIT + 1), Err(WriteRefused { queued: 0 }), "never so many at once");
    assert_eq!(answer(ANSWER_LIMIT), Ok(()), "the first are kept");
    assert_eq!(answer(1), Err(WriteRefused { queued: ANSWER_LIMIT }), "and no more");
    assert_eq!(writer.write(vec![b'x'; QUEUE_LIMIT]), Ok(()), "there is room for what is typed");
}

#[test]
fn a_new_size_is_seen_by_the_program() {
    let script = "trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.02; done";
    let fixture = Fixture::sh("resize", script);
    fixture.wait_for("24 80");
    fixture.session.resizer().resize(PtySize { columns: 132, rows: 50, ..SIZE }).unwrap();
    fixture.wait_for("50 132");
}
