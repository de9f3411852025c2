//! The one place here that reads the clock and lets time pass.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// How long the program may take for anything before we give up on it.
const PATIENCE: Duration = Duration::from_secs(60);

#[expect(clippy::disallowed_methods, reason = "measuring time is the point")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = now();
    let result = run();
    (result, now() - start)
}

#[expect(clippy::disallowed_methods, reason = "how little happens meanwhile is what is measured")]
pub(crate) fn let_pass(time: Duration) {
    std::thread::sleep(time);
}

/// Looks again every so often until there is something.
pub(crate) fn wait_for<T>(
    what: &str,
    every: Duration,
    mut look: impl FnMut() -> Result<Option<T>>,
) -> Result<T> {
    let end = now() + PATIENCE;
    loop {
        if let Some(found) = look()? {
            return Ok(found);
        }
        if now() > end {
            bail!("{what}: nothing after {} s", PATIENCE.as_secs());
        }
        let_pass(every);
    }
}

/// The middle of the samples, or the one that so many percent do not exceed.
pub(crate) fn percentile(samples: &mut [Duration], percent: usize) -> Duration {
    samples.sort_unstable();
    let at = (samples.len() * percent / 100).min(samples.len().saturating_sub(1));
    samples.get(at).copied().unwrap_or_default()
}
