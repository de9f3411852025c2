//! The child thread as the session sees it: what it is given, and the orders it takes.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use base::Worker;

use crate::children::{Ended, Leader};
use crate::family::Family;
use crate::mailbox::Mailbox;
use crate::reader::Drainer;
use crate::sys::Timer;
use crate::watch::Watch;

pub(crate) type OnExit = Box<dyn FnOnce(Ended) + Send>;
pub(crate) type OnStopped = Box<dyn FnOnce() + Send>;

/// How the session talks to its thread.
pub(crate) struct ChildThread {
    orders: Arc<Mailbox<Order>>,
    _thread: Worker<CloseOnDrop>,
}

/// What the thread needs of the system, taken before there is a program to be killed if it fails.
pub(crate) struct Provisions {
    pub(crate) orders: Arc<Mailbox<Order>>,
    pub(crate) stage_timer: Timer,
    pub(crate) drain_timer: Timer,
}

/// The program, and what belongs to it.
pub(crate) struct Child {
    pub(crate) leader: Leader,
    pub(crate) family: Family,
    /// Held open while the leader lives, so that a program that closes its terminal, or opens it
    /// again, is no end of input.
    pub(crate) tty: OwnedFd,
    pub(crate) drainer: Drainer,
    pub(crate) on_exit: OnExit,
}

pub(crate) enum Order {
    Stop {
        grace: Duration,
        on_stopped: OnStopped,
    },
    /// The reader has fed what there was when the leader ended.
    Drained,
    /// The session is dropped.
    Close,
}

struct CloseOnDrop(Arc<Mailbox<Order>>);

impl Provisions {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            orders: Arc::new(Mailbox::new()?),
            stage_timer: Timer::new()?,
            drain_timer: Timer::new()?,
        })
    }
}

impl ChildThread {
    /// Starts to watch. If there can be no thread, the child is killed.
    pub(crate) fn spawn(name: String, provisions: Provisions, child: Child) -> io::Result<Self> {
        let orders = Arc::clone(&provisions.orders);
        let stop = CloseOnDrop(Arc::clone(&orders));
        let watch = Watch::new(provisions, child);
        Ok(Self { orders, _thread: Worker::spawn(name, stop, move || watch.run())? })
    }

    pub(crate) fn stop(&self, grace: Duration, on_stopped: OnStopped) {
        self.orders.post(Order::Stop { grace, on_stopped });
    }
}

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.post(Order::Close);
    }
}
