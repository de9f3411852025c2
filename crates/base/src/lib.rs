//! The few batteries std lacks.
//!
//! Nothing here knows what Trackside is: a waker that merges nudges into one bit, a thread that is
//! named and joined, a soft assertion, and a way to log an error that is dropped on purpose.

mod log_err;
mod never;
mod waker;
mod worker;

pub use log_err::LogErr;
pub use waker::Waker;
pub use worker::Worker;

#[doc(hidden)]
pub use never::report;
