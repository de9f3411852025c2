//! One PTY and its child: open, spawn, read, write, resize, signal, wait.
//!
//! A [`PtySession`] owns three threads (two if another process watches the program): one reads the terminal into a [`ByteSink`], one writes a
//! bounded queue to it, one watches the program and ends it with everything it started. Nothing
//! here knows what the bytes mean, and nothing here reads the clock: every wait is on a descriptor.
//!
//! Invariants:
//! - No call on a session blocks, but for dropping it, which takes at most about a second.
//! - The program's end is learned from the kernel, never from the end of its output.
//! - A signal goes to a group whose leader is not reaped yet, or through a pidfd whose start time
//!   was checked; never to a bare number.
//! - Nothing is ever typed into a program on our own account, not even at the end.

mod capture;
mod child;
mod children;
mod descendants;
mod error;
mod family;
mod foreground;
mod launch;
mod mailbox;
mod orphan;
mod processes;
mod reader;
mod sample;
mod session;
mod sys;
mod terminal;
mod watch;
mod writer;

pub use capture::{Callers, Capture};
pub use child::{PtyChild, PtyTerminal};
pub use children::{Ended, become_subreaper};
pub use descendants::kill_descendants;
pub use error::{SpawnError, WriteRefused};
pub use family::MARK as SESSION_VARIABLE;
pub use foreground::Foreground;
pub use launch::{SpawnRequest, find_program};
pub use mailbox::Mailbox;
pub use orphan::{Orphan, OrphanState, await_exit, boot_id, is_running, own_identity};
pub use reader::{ByteSink, ByteSource, Reader};
pub use sample::{PtySample, PtySampler, SampledProcess};
pub use session::{Adopted, PtyResizer, PtySession, RemoteChild};
pub use sys::{lead_a_session_without_terminal, poll, raise_descriptor_limit, window_size};
pub use terminal::PtySize;
pub use writer::{PasteNews, PtyWriter};

#[cfg(test)]
mod tests;
