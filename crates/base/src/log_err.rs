//! Dropping an error on purpose, with a trace of it.

use std::fmt::Display;

/// For results whose failure changes nothing for the caller, but should be found in the log.
pub trait LogErr<T> {
    /// Logs the error with what was being done, and gives back the value if there was one.
    fn log_err(self, doing: &str) -> Option<T>;
}

impl<T, E: Display> LogErr<T> for Result<T, E> {
    fn log_err(self, doing: &str) -> Option<T> {
        match self {
            Ok(value) => Some(value),
            Err(err) => {
                tracing::warn!("while {doing}: {err}");
                None
            }
        }
    }
}
