//! The small process that owns PTYs and transcripts, so that agents outlive the window.
//!
//! [`run()`] is that process: no emulator, no settings, one thread beside those that watch programs.
//! [`Client`] is the app's half: it finds or starts the host, asks it to start programs, and gets
//! their terminals' descriptors and what they print. [`Transcript`] reads what was printed without
//! any host, and [`orphans()`] finds what is left of one that died.
//!
//! Invariants:
//! - Every byte that a program prints is written to its transcript before an app gets it.
//! - An app reads from an offset on, in order and without a gap, as often as it likes; the host holds
//!   no queue for it, and no more memory however much is printed.
//! - Nobody but this user is answered, and nobody who is slow, silent or hostile delays others.
//! - With nothing to do the host does nothing: it has no timer.

mod aside;
mod client;
mod connection;
mod descriptor;
mod failure;
mod holder;
mod host;
mod orphans;
mod program;
mod records;
mod requests;
mod run;
mod start;
pub mod transcript;
mod views;

pub use client::{Client, ClientError, HostSource, Notice};
pub use holder::host_among;
pub use orphans::{Orphan, Verdict, end_orphans, orphans, tidy};
pub use run::{Options, RunError, run};
pub use start::{Start, StartError};
pub use transcript::Transcript;
