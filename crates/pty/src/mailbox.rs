//! Orders for a thread that sits in `poll`.
//!
//! Posting never blocks. The descriptor is readable while there may be letters; a wake-up with no
//! letter is possible and harmless.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use base::LogErr;
use crossbeam_channel::{Receiver, Sender};

use crate::sys;

/// Letters, and the bell that says there are some.
#[derive(Debug)]
pub struct Mailbox<T> {
    sender: Sender<T>,
    receiver: Receiver<T>,
    bell: File,
}

impl<T> Mailbox<T> {
    /// # Errors
    /// The system is out of descriptors.
    pub fn new() -> io::Result<Self> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        Ok(Self { sender, receiver, bell: sys::eventfd()? })
    }

    /// Leaves a letter, from any thread.
    pub fn post(&self, letter: T) {
        if self.sender.send(letter).is_ok() {
            // A full counter refuses, but then the bell is ringing already.
            (&self.bell).write(&1_u64.to_ne_bytes()).log_err("ringing a mailbox");
        }
    }

    /// The next letter. `None` also silences the bell, so take until then before waiting again.
    pub fn take(&self) -> Option<T> {
        if let Ok(letter) = self.receiver.try_recv() {
            return Some(letter);
        }
        // Silence first and look again: a letter posted in between then rings anew.
        if let Err(err) = (&self.bell).read(&mut [0; 8])
            && err.kind() != io::ErrorKind::WouldBlock
        {
            tracing::warn!("while silencing a mailbox: {err}");
        }
        self.receiver.try_recv().ok()
    }
}

impl<T> AsFd for Mailbox<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}
