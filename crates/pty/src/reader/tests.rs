//! The reader on a socket, as a host will use it.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use crossbeam_channel::{Receiver, Sender};

use super::*;

const DEADLINE: Duration = Duration::from_secs(5);

impl ByteSource for UnixStream {
    fn fd(&self) -> BorrowedFd<'_> {
        self.as_fd()
    }

    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        Read::read(self, buf)
    }
}

/// Reports each call as a word.
struct Diary {
    calls: Sender<String>,
    timeouts: Vec<Duration>,
}

impl ByteSink for Diary {
    fn feed(&mut self, bytes: &[u8]) {
        self.calls.send(String::from_utf8_lossy(bytes).into_owned()).unwrap();
    }

    fn timeout(&mut self) -> Option<Duration> {
        self.timeouts.last().copied()
    }

    fn on_timeout(&mut self) {
        self.timeouts.pop();
        self.calls.send("timeout".to_owned()).unwrap();
    }

    fn closed(&mut self) {
        self.calls.send("closed".to_owned()).unwrap();
    }
}

fn start(timeouts: &[Duration]) -> (UnixStream, Reader, Receiver<String>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let (calls, diary) = crossbeam_channel::unbounded();
    let sink = Diary { calls, timeouts: timeouts.to_vec() };
    (ours, Reader::spawn("reader", theirs, sink).unwrap(), diary)
}

#[test]
fn bytes_are_fed_and_the_end_is_told_once() {
    let (mut stream, _reader, diary) = start(&[]);
    stream.write_all(b"hello").unwrap();
    assert_eq!(diary.recv_timeout(DEADLINE).unwrap(), "hello", "the bytes");
    drop(stream);
    assert_eq!(diary.recv_timeout(DEADLINE).unwrap(), "closed", "the end");
    assert!(diary.recv_timeout(DEADLINE).is_err(), "the thread has ended and dropped its sink");
}

#[test]
fn a_timeout_comes_without_bytes_and_also_when_it_is_overdue() {
    let (_stream, _reader, diary) = start(&[Duration::from_millis(1), Duration::ZERO]);
    assert_eq!(diary.recv_timeout(DEADLINE).unwrap(), "timeout", "the overdue one");
    assert_eq!(diary.recv_timeout(DEADLINE).unwrap(), "timeout", "the awaited one");
    assert!(diary.is_empty(), "no more was wanted");
}

#[test]
fn a_reader_that_waits_is_stopped_by_dropping_it() {
    let (_stream, reader, diary) = start(&[]);
    drop(reader);
    assert!(diary.recv_timeout(DEADLINE).is_err(), "the sink is gone, and was not told of an end");
}

#[test]
fn draining_is_answered_after_what_was_there() {
    let (mut stream, reader, diary) = start(&[]);
    stream.write_all(&vec![b'x'; 100_000]).unwrap();
    let (drained, news) = crossbeam_channel::bounded(1);
    reader.drainer().drain(move || drained.send(()).unwrap());
    news.recv_timeout(DEADLINE).expect("the stream is open but has nothing more");
    let chunks: Vec<String> = diary.try_iter().collect();
    assert_eq!(chunks.iter().map(String::len).sum::<usize>(), 100_000, "all was fed before");
    assert!(chunks.iter().all(|chunk| chunk.len() <= CHUNK), "in chunks of bounded size");
}

#[test]
fn draining_is_answered_when_the_source_ends_right_after() {
    for _ in 0..200 {
        let (stream, reader, _diary) = start(&[]);
        let (drained, news) = crossbeam_channel::bounded(1);
        reader.drainer().drain(move || drained.send(()).unwrap());
        drop(stream);
        news.recv_timeout(DEADLINE).expect("it was asked in time");
    }
}

#[test]
fn so_many_bytes_are_told_once_they_are_fed_or_cannot_come_any_more() {
    let (mut stream, reader, diary) = start(&[]);
    let (told, news) = crossbeam_channel::unbounded();
    for wanted in [7, 5, 0, 99] {
        let told = told.clone();
        reader.drainer().reach(wanted, move || told.send(wanted).unwrap());
    }
    assert_eq!(news.recv_timeout(DEADLINE).unwrap(), 0, "nothing is there at once");
    stream.write_all(b"hello").unwrap();
    assert_eq!(diary.recv_timeout(DEADLINE).unwrap(), "hello", "fed before");
    assert_eq!(news.recv_timeout(DEADLINE).unwrap(), 5, "not more than asked for");
    drop(stream);
    let rest = [(); 2].map(|()| news.recv_timeout(DEADLINE).unwrap());
    assert_eq!(rest, [7, 99], "at the end, all are told");
    assert_eq!(diary.recv_timeout(DEADLINE).unwrap(), "closed", "after the sink");
    reader.drainer().reach(1_000, move || told.send(1_000).unwrap());
    assert_eq!(news.recv_timeout(DEADLINE).unwrap(), 1_000, "and whoever asks later");
}
