//! The thread that types into a terminal, and the bounded queue in front of it.
//!
//! Whoever writes never waits: what does not fit into the queue is refused whole. A paste is made
//! into bytes here, chunk by chunk as the program reads, and what is typed meanwhile waits behind it.
//! A paste can be broken off, by the person or because the program takes none any more.
//! What the program has not read when it ends, or is written after, goes nowhere, as with any
//! terminal.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use base::{LogErr as _, Worker};
use nix::poll::{PollFd, PollFlags};
use nix::sys::termios::{FlushArg, tcflush};

use crate::mailbox::Mailbox;
use crate::{WriteRefused, sys};

/// The most that may wait for a program that does not read.
pub(crate) const QUEUE_LIMIT: usize = 4 * 1024 * 1024;

/// The most answers that may wait for a program that asks and does not read.
pub(crate) const ANSWER_LIMIT: usize = 64 * 1024;

/// The most memory that pastes may hold while they wait.
pub(crate) const PASTE_LIMIT: usize = 256 * 1024 * 1024;

/// A handle to type into a session from any thread.
#[derive(Clone)]
pub struct PtyWriter(Arc<Queue>);

struct Queue {
    letters: Mailbox<Letter>,
    /// Bytes accepted and not yet written.
    queued: AtomicUsize,
    /// The same of answers.
    answers: AtomicUsize,
    /// Bytes held by pastes that are not written whole yet.
    pasted: AtomicUsize,
    /// Nobody writes any more.
    ended: AtomicBool,
}

enum Letter {
    Input(Input),
    BreakOff(BreakOff),
    /// The program has ended: drop what waits.
    Discard,
    Stop,
}

enum Input {
    Bytes(Vec<u8>, Kind),
    Paste(Paste),
}

struct Paste {
    chunks: Box<dyn Iterator<Item = Vec<u8>> + Send>,
    held: usize,
    /// What closes it where it is broken off; nothing where nothing opens it either.
    ending: &'static [u8],
    tell: Box<dyn Fn(PasteNews) + Send>,
    /// How many chunks were taken of it.
    taken: usize,
    /// It was told that it waits.
    waits: bool,
}

/// What becomes of a paste. The last news of each is one of the latter two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasteNews {
    /// The program is slower to read than we are to write.
    Waits,
    /// All of it is written, or dropped as was wished.
    Ended,
    /// The rest was dropped, because the program takes no such pastes any more.
    CutOff,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BreakOff {
    /// All pastes: the person has enough of them.
    All,
    /// Those that have an ending, which means nothing to the program any more.
    Ended,
}

/// What bytes are: of each kind only so many may wait.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Typed,
    Answer,
}

/// The thread behind a [`PtyWriter`]. Dropping it stops and joins it; what waits is discarded.
pub(crate) struct WriterThread {
    _thread: Worker<StopOnDrop>,
}

struct StopOnDrop(PtyWriter);

struct Writing {
    queue: Arc<Queue>,
    terminal: Arc<File>,
    /// What waits behind the present chunk; first of all the rest of the paste that it is of.
    waiting: VecDeque<Input>,
    chunk: Vec<u8>,
    /// How much of the present chunk is written.
    written: usize,
    /// How much of the present chunk counts as waiting, and as what: nothing if it is of a paste.
    counted: Option<(usize, Kind)>,
}

impl PtyWriter {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(Arc::new(Queue {
            letters: Mailbox::new()?,
            queued: AtomicUsize::new(0),
            answers: AtomicUsize::new(0),
            pasted: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        })))
    }

    /// Queues the bytes and returns at once.
    ///
    /// # Errors
    /// The queue has no room for all of them: then none is taken.
    pub fn write(&self, bytes: Vec<u8>) -> Result<(), WriteRefused> {
        self.queue(bytes, Kind::Typed, QUEUE_LIMIT)
    }

    /// The same for what the program has asked for. Far fewer answers may wait, and they take no room
    /// from what is typed.
    ///
    /// # Errors
    /// The program does not read its answers: then none of these is taken.
    pub fn answer(&self, bytes: Vec<u8>) -> Result<(), WriteRefused> {
        self.queue(bytes, Kind::Answer, ANSWER_LIMIT)
    }

    /// Queues all that the chunks yield, and returns at once. They are asked for on the writing
    /// thread, each when the program has taken the one before, and `held` says how much memory they
    /// keep until then. `ending` closes them where they are broken off; `tell` is called on the
    /// writing thread.
    ///
    /// # Errors
    /// Too much of other pastes waits: then none of it is taken.
    pub fn paste(
        &self,
        held: usize,
        ending: &'static [u8],
        chunks: impl Iterator<Item = Vec<u8>> + Send + 'static,
        tell: impl Fn(PasteNews) + Send + 'static,
    ) -> Result<(), WriteRefused> {
        if self.0.ended.load(Ordering::Acquire) {
            return Ok(());
        }
        reserve(&self.0.pasted, held, PASTE_LIMIT)?;
        let (chunks, tell) = (Box::new(chunks), Box::new(tell));
        let paste = Paste { chunks, held, ending, tell, taken: 0, waits: false };
        self.0.letters.post(Letter::Input(Input::Paste(paste)));
        Ok(())
    }

    /// Drops what is not written yet of all pastes so far. One that has begun is closed.
    pub fn stop_pastes(&self) {
        self.0.letters.post(Letter::BreakOff(BreakOff::All));
    }

    /// Drops what is not written yet of pastes with an ending: the program does not know it any more.
    pub fn cut_pastes(&self) {
        self.0.letters.post(Letter::BreakOff(BreakOff::Ended));
    }

    fn queue(&self, bytes: Vec<u8>, kind: Kind, limit: usize) -> Result<(), WriteRefused> {
        if bytes.is_empty() || self.0.ended.load(Ordering::Acquire) {
            return Ok(());
        }
        reserve(self.0.waiting(kind), bytes.len(), limit)?;
        self.0.letters.post(Letter::Input(Input::Bytes(bytes, kind)));
        Ok(())
    }

    /// Drops what the program has not read: it has ended.
    pub(crate) fn discard(&self) {
        self.0.letters.post(Letter::Discard);
    }

    pub(crate) fn spawn(&self, name: String, terminal: Arc<File>) -> io::Result<WriterThread> {
        let queue = Arc::clone(&self.0);
        let writing = Writing {
            queue,
            terminal,
            waiting: VecDeque::new(),
            chunk: Vec::new(),
            written: 0,
            counted: None,
        };
        let stop = StopOnDrop(self.clone());
        Ok(WriterThread { _thread: Worker::spawn(name, stop, move || writing.run())? })
    }
}

impl Queue {
    fn waiting(&self, kind: Kind) -> &AtomicUsize {
        match kind {
            Kind::Typed => &self.queued,
            Kind::Answer => &self.answers,
        }
    }

    /// What waits no longer.
    fn let_go(&self, input: &Input, news: PasteNews) {
        match input {
            Input::Bytes(bytes, kind) => {
                self.waiting(*kind).fetch_sub(bytes.len(), Ordering::AcqRel);
            }
            Input::Paste(paste) => {
                self.pasted.fetch_sub(paste.held, Ordering::AcqRel);
                (paste.tell)(news);
            }
        }
    }
}

impl BreakOff {
    fn is_meant(self, paste: &Paste) -> bool {
        match self {
            Self::All => true,
            Self::Ended => !paste.ending.is_empty(),
        }
    }
}

/// What must still be written of a chunk where its paste is broken off: the rest of a character, and
/// the ending if the program knows of the beginning, which is as long.
fn rest(paste: &Paste, chunk: &[u8], written: usize, which: BreakOff) -> Vec<u8> {
    if written == 0 && paste.taken == 1 {
        return Vec::new();
    }
    let is_inside = |at: &usize| chunk.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let opened = if paste.taken == 1 { paste.ending.len() } else { 0 };
    let from = written.max(opened.min(chunk.len()));
    let to = (from..=chunk.len()).find(|at| !is_inside(at)).unwrap_or(chunk.len());
    if chunk.ends_with(paste.ending) && to + paste.ending.len() > chunk.len() {
        return chunk[written..].to_vec();
    }
    let ending = if which == BreakOff::All { paste.ending } else { &[] };
    [&chunk[written..to], ending].concat()
}

/// Counts `more` to what waits, unless that would be too much.
fn reserve(waiting: &AtomicUsize, more: usize, limit: usize) -> Result<(), WriteRefused> {
    let room = |waiting: usize| waiting.checked_add(more).filter(|&sum| sum <= limit);
    match waiting.fetch_update(Ordering::AcqRel, Ordering::Acquire, room) {
        Ok(_) => Ok(()),
        Err(queued) => Err(WriteRefused { queued }),
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.ended.store(true, Ordering::Release);
        self.0.0.letters.post(Letter::Stop);
    }
}

impl Writing {
    fn run(mut self) {
        loop {
            while let Some(letter) = self.queue.letters.take() {
                match letter {
                    Letter::Input(input) => self.waiting.push_back(input),
                    Letter::BreakOff(which) => self.break_off(which),
                    Letter::Discard => self.discard(),
                    Letter::Stop => return,
                }
            }
            self.refill();
            match self.wait() {
                Ok(false) => {}
                Ok(true) => self.write(),
                Err(err) => {
                    tracing::warn!("while waiting to write to a terminal: {err}");
                    return;
                }
            }
        }
    }

    /// Waits for letters and, if there is something to write, for room in the terminal; whether
    /// there is.
    fn wait(&mut self) -> io::Result<bool> {
        let letters = PollFd::new(self.queue.letters.as_fd(), PollFlags::POLLIN);
        if self.chunk.is_empty() {
            sys::poll(&mut [letters], None)?;
            return Ok(false);
        }
        let mut fds = [letters, PollFd::new(self.terminal.as_fd(), PollFlags::POLLOUT)];
        if let Some(Input::Paste(paste)) = self.waiting.front_mut()
            && paste.taken > 0
            && !paste.waits
            && sys::poll(&mut fds, Some(Duration::ZERO))? == 0
        {
            paste.waits = true;
            (paste.tell)(PasteNews::Waits);
        }
        sys::poll(&mut fds, None)?;
        Ok(fds[1].any().unwrap_or(true))
    }

    fn write(&mut self) {
        match (&*self.terminal).write(&self.chunk[self.written..]) {
            Ok(n) => self.written += n,
            Err(err) if err.kind() == io::ErrorKind::WouldBlock => {}
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            // Nobody holds the terminal; the next chunk may find somebody again.
            Err(_) => self.written = self.chunk.len(),
        }
        if self.written >= self.chunk.len() {
            self.drop_chunk();
        }
    }

    /// Takes the next chunk, where there is none at present.
    fn refill(&mut self) {
        while self.chunk.is_empty() {
            match self.waiting.front_mut() {
                None => return,
                Some(Input::Bytes(bytes, kind)) => {
                    self.chunk = std::mem::take(bytes);
                    self.counted = Some((self.chunk.len(), *kind));
                    self.waiting.pop_front();
                }
                Some(Input::Paste(paste)) => match paste.chunks.next() {
                    Some(chunk) => {
                        self.chunk = chunk;
                        paste.taken += 1;
                    }
                    None => {
                        let ended = self.waiting.pop_front();
                        ended
                            .into_iter()
                            .for_each(|input| self.queue.let_go(&input, PasteNews::Ended));
                    }
                },
            }
        }
    }

    fn drop_chunk(&mut self) {
        if let Some((len, kind)) = self.counted.take() {
            self.queue.waiting(kind).fetch_sub(len, Ordering::AcqRel);
        }
        self.chunk = Vec::new();
        self.written = 0;
    }

    fn discard(&mut self) {
        self.drop_chunk();
        self.waiting.drain(..).for_each(|input| self.queue.let_go(&input, PasteNews::Ended));
    }

    /// Drops what the system holds and nobody has read: it would keep the next key from the program.
    fn flush(&self) -> io::Result<()> {
        tcflush(&*self.terminal, FlushArg::TCOFLUSH)?;
        // A part of it is on the program's side already, and is flushed only from there.
        tcflush(sys::open_peer(self.terminal.as_fd())?, FlushArg::TCIFLUSH)?;
        Ok(())
    }

    fn break_off(&mut self, which: BreakOff) {
        // Of a paste at the very front the present chunk may be the last that there is.
        self.refill();
        if let Some(Input::Paste(paste)) = self.waiting.front()
            && paste.taken > 0
            && which.is_meant(paste)
        {
            let rest = rest(paste, &self.chunk, self.written, which);
            if paste.ending.is_empty() && (paste.taken > 1 || self.written > 0) {
                self.flush().log_err("breaking off a paste");
            }
            (self.chunk, self.written) = (rest, 0);
        }
        let news = match which {
            BreakOff::All => PasteNews::Ended,
            BreakOff::Ended => PasteNews::CutOff,
        };
        let is_meant =
            |input: &Input| matches!(input, Input::Paste(paste) if which.is_meant(paste));
        let (dropped, kept) = self.waiting.drain(..).partition(is_meant);
        self.waiting = kept;
        let dropped: VecDeque<Input> = dropped;
        dropped.iter().for_each(|input| self.queue.let_go(input, news));
    }
}

impl fmt::Debug for PtyWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PtyWriter")
            .field("queued", &self.0.queued)
            .field("answers", &self.0.answers)
            .field("pasted", &self.0.pasted)
            .finish_non_exhaustive()
    }
}
