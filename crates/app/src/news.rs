//! What other threads tell the loop, and how they wake it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use base::Waker;
use crossbeam_channel::{Receiver, Sender, unbounded};
use workspace::{BufferId, Fact, ProgramId};

use crate::files::{ExportId, FileEvent, FileJob};
use crate::restoring::Restored;
use crate::said::Said;
use crate::sessions::{Joined, SessionId};
use crate::socket::Incoming;

/// One piece of news. Output never travels here, nor what programs say beside it: see [`Said`].
#[derive(Debug)]
pub(crate) enum News {
    Fact(Fact),
    File(FileEvent<BufferId>),
    Request(Incoming),
    /// No process of the program's session is left.
    SessionGone(ProgramId, SessionId),
    /// A program that runs on since an earlier run of ours can be served.
    Joined(Box<Joined>),
    /// It cannot.
    NotJoined(ProgramId),
    /// The host was told to end, and has.
    HostEnded,
    /// The text of a launch, to be shown at that line; or why there is none.
    TranscriptText {
        line: u32,
        text: Result<PathBuf, String>,
    },
    /// What the host says, on which connection to it.
    Host(u64, host::Notice),
    /// A file was to be read or written, but too many others are.
    TooManyFiles(FileJob<BufferId>),
    /// The last minutes of an agent are in that file, or why not.
    RecordingSaved {
        id: ExportId,
        path: PathBuf,
        result: Result<(), String>,
    },
    /// What the login shell says where programs are; `None` where it says nothing.
    SearchPath(Option<OsString>),
    /// What was open last, and which text was not saved.
    Restored(Box<Restored>),
    /// Unsaved text could not be written down, or can again.
    JournalWritten(Result<(), String>),
    /// The system asks us to end.
    Terminate,
}

/// The sending side, cloned into every thread.
#[derive(Debug, Clone)]
pub(crate) struct NewsSender {
    sender: Sender<News>,
    waker: Waker,
}

impl NewsSender {
    /// After the loop has ended nobody listens, and there is nothing left to tell.
    pub(crate) fn send(&self, news: News) {
        if self.sender.send(news).is_ok() {
            self.waker.wake();
        }
    }

    pub(crate) fn fact(&self, fact: Fact) {
        self.send(News::Fact(fact));
    }
}

/// The loop's ends: news that is served at once, output that is served in slots, and output that
/// follows a key and is served at once, too.
#[derive(Debug)]
pub(crate) struct Inbox {
    pub news: Receiver<News>,
    pub facts: Waker,
    pub output: Waker,
    pub echo: Waker,
    pub said: Said,
    sender: NewsSender,
}

/// How readers tell the loop that something was printed.
#[derive(Debug, Clone)]
pub(crate) struct OutputWakers {
    pub output: Waker,
    pub echo: Waker,
    /// What travels with it.
    pub said: Said,
}

impl Inbox {
    /// `nudge` wakes the loop; it is called from any thread.
    pub(crate) fn new(nudge: impl Fn() + Send + Sync + 'static) -> Self {
        let nudge = Arc::new(nudge);
        let waker = || {
            let nudge = Arc::clone(&nudge);
            Waker::new(move || nudge())
        };
        let (sender, news) = unbounded();
        let facts = waker();
        let sender = NewsSender { sender, waker: facts.clone() };
        Self { news, facts, output: waker(), echo: waker(), said: Said::default(), sender }
    }

    pub(crate) fn output_wakers(&self) -> OutputWakers {
        let (output, echo, said) = (self.output.clone(), self.echo.clone(), self.said.clone());
        OutputWakers { output, echo, said }
    }

    pub(crate) fn sender(&self) -> NewsSender {
        self.sender.clone()
    }
}
