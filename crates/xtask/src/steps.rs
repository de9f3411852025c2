//! Headings and times of a run that has several steps.

use std::time::{Duration, Instant};

use anyhow::Context;

/// Runs one step under a heading and says how long it took. A failure names the step.
pub(crate) fn step(title: &str, run: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    let started = now();
    last_step(title, run)?;
    println!("   {title}: ok, {}", seconds(now() - started));
    Ok(())
}

/// Like [`step`], but says nothing more when it went well, so that the last lines of the whole run
/// are those of the program that it ran.
pub(crate) fn last_step(
    title: &str,
    run: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    println!("\n── {title} ──");
    run().with_context(|| format!("{title} failed"))
}

#[expect(clippy::disallowed_methods, reason = "only shown to a person, nothing depends on it")]
fn now() -> Instant {
    Instant::now()
}

fn seconds(elapsed: Duration) -> String {
    format!("{:.1} s", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_its_step() {
        let err = step("tidy", || anyhow::bail!("2 problems")).unwrap_err();
        assert_eq!(format!("{err:#}"), "tidy failed: 2 problems");
    }

    #[test]
    fn times_are_shown_to_a_tenth() {
        assert_eq!(seconds(Duration::from_millis(12_345)), "12.3 s");
    }
}
