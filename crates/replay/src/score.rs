//! How right a timeline of states is, beside what a person says.
//!
//! A wait is a span labelled `needs_input` of at least six seconds. It is found if the timeline says so
//! and keeps to it for four fifths of what is left of the wait; the latency is until then. A false alarm
//! is `needs_input` for a quarter of a second or more while it worked or started, or for a second if it
//! is a leftover from before. Typing, and the last moments of a start, count neither way.

use std::time::Duration;

use agent::Expected;
use serde_json::Value;
use terminal::GridSize;

use crate::Change;

/// In milliseconds, as all times here. Labels are as exact, and less would count a tick before a wait as
/// its first.
const TICK: u32 = 100;
const LEAST_WAIT: u32 = 6000;
const FALSE_ALARM: u32 = 250;
const LEFTOVER: u32 = 1000;
/// What is worth a note.
const LATE: u32 = 2000;
/// How long a start is given to settle.
const SETTLES: [(&str, u32); 5] =
    [("opencode", 3600), ("aider", 1100), ("claude", 1600), ("codex", 1600), ("gemini", 1600)];

/// What was right.
#[derive(Debug, Clone)]
pub struct Labels {
    /// Which agent was recorded.
    pub agent: String,
    /// What the recorded screen measured.
    pub size: GridSize,
    spans: Vec<Span>,
    duration: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Span {
    from: u32,
    to: u32,
    truth: Truth,
    why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Waits,
    Works,
    Either,
}

#[derive(Debug, Clone, Default)]
pub struct Score {
    pub waits: usize,
    pub found: usize,
    pub false_alarms: usize,
    pub flaps: usize,
    /// Of the waits that were found.
    pub latencies: Vec<Duration>,
    /// What was wrong, in words.
    pub notes: Vec<String>,
}

impl Labels {
    /// Reads a file of labels; `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let agent = value["agent"].as_str().unwrap_or_default();
        let settle = SETTLES.iter().find(|(name, _)| *name == agent).map_or(800, |(_, it)| *it);
        let raw = value["spans"].as_array()?;
        let mut spans = Vec::new();
        for (index, span) in raw.iter().enumerate() {
            let (from, to) = (milliseconds(&span["t0"])?, milliseconds(&span["t1"])?);
            let (state, why) = (span["state"].as_str()?, span["why"].as_str().unwrap_or_default());
            let truth = match state {
                "needs_input" if why == "typing" => Truth::Either,
                "needs_input" => Truth::Waits,
                "exited" => Truth::Either,
                "working" | "starting" => Truth::Works,
                _ => return None,
            };
            let next = raw.get(index + 1);
            let before_wait =
                next.is_some_and(|next| next["state"] == "needs_input" && next["why"] != "typing");
            let ends_start = (state == "starting" && before_wait) || why == "startup";
            let mut push = |from, to, truth| {
                if from < to {
                    spans.push(Span { from, to, truth, why: why.to_owned() });
                }
            };
            if truth == Truth::Works && next.is_some() && ends_start {
                let settles = if state == "starting" { settle } else { 900 };
                let until = to.saturating_sub(settles).max(from);
                push(from, until, Truth::Works);
                push(until, to, Truth::Either);
            } else {
                push(from, to, truth);
            }
        }
        let side = |index: usize| value["size"][index].as_u64().and_then(|it| it.try_into().ok());
        let size = side(0).zip(side(1)).map(|(columns, rows)| GridSize { columns, rows });
        let size = size.unwrap_or(GridSize { columns: 120, rows: 40 });
        Some(Self {
            agent: agent.to_owned(),
            size,
            spans,
            duration: milliseconds(&value["duration"])?,
        })
    }

    pub fn score(&self, timeline: &[Change]) -> Score {
        let mut score = Score::default();
        let waits: Vec<bool> =
            (0..self.duration.div_ceil(TICK)).map(|tick| waits_at(timeline, tick * TICK)).collect();
        for span in &self.spans {
            let (from, to) = (span.from.div_ceil(TICK) as usize, span.to.div_ceil(TICK) as usize);
            let ticks = &waits[from.min(waits.len())..to.min(waits.len())];
            match span.truth {
                _ if ticks.is_empty() => {}
                Truth::Waits if span.to - span.from >= LEAST_WAIT => score.wait(span, from, ticks),
                Truth::Works => score.work(span, from, ticks),
                Truth::Waits | Truth::Either => {}
            }
        }
        score
    }
}

impl Score {
    pub fn add(&mut self, other: Self) {
        self.waits += other.waits;
        self.found += other.found;
        self.false_alarms += other.false_alarms;
        self.flaps += other.flaps;
        self.latencies.extend(other.latencies);
        self.notes.extend(other.notes);
    }

    /// Whether a timeline ends as it should.
    pub(crate) fn of_end(expected: Expected, timeline: &[Change]) -> Self {
        let end = timeline.last().map_or("nothing", |change| change.state);
        let waits = matches!(end, "needs_input" | "stale");
        let mut score = Self::default();
        match (expected.is_wait(), waits) {
            (true, found) => (score.waits, score.found) = (1, usize::from(found)),
            (false, true) => score.false_alarms = 1,
            (false, false) => {}
        }
        if end != expected.name() {
            score.notes.push(format!("ends as {end}, should be {}", expected.name()));
        }
        score
    }

    pub fn recall(&self) -> f64 {
        ratio(self.found, self.waits)
    }

    pub fn precision(&self) -> f64 {
        ratio(self.found, self.found + self.false_alarms)
    }

    /// The latency that so large a part of the waits do not exceed.
    pub fn latency(&self, part: f64) -> Duration {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a short list"
        )]
        let index = (part * sorted.len() as f64) as usize;
        sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    fn wait(&mut self, span: &Span, first: usize, ticks: &[bool]) {
        self.waits += 1;
        let mut hits = 0;
        let mut found = None;
        for (index, waits) in ticks.iter().enumerate().rev() {
            hits += usize::from(*waits);
            if *waits && 5 * hits >= 4 * (ticks.len() - index) {
                found = Some(index);
            }
        }
        let Some(found) = found else {
            let at = seconds(span.from);
            self.notes.push(format!("missed {} at {at:.1} s", span.why));
            return;
        };
        self.found += 1;
        let at = u32::try_from(first + found).unwrap_or(u32::MAX) * TICK;
        let latency = at.saturating_sub(span.from);
        self.latencies.push(Duration::from_millis(u64::from(latency)));
        if latency > LATE {
            self.notes.push(format!(
                "late by {:.1} s: {} at {:.1} s",
                seconds(latency),
                span.why,
                seconds(span.from)
            ));
        }
        let flaps = ticks[found..].windows(2).filter(|pair| pair[0] && !pair[1]).count();
        if flaps > 0 {
            self.notes.push(format!(
                "{flaps} flaps in {} at {:.1} s",
                span.why,
                seconds(span.from)
            ));
        }
        self.flaps += flaps;
    }

    fn work(&mut self, span: &Span, first: usize, ticks: &[bool]) {
        let time = |tick: usize| u32::try_from(first + tick).unwrap_or(u32::MAX / TICK) * TICK;
        let mut index = 0;
        while index < ticks.len() {
            let length = ticks[index..].iter().take_while(|waits| **waits).count();
            let lasted = time(index + length).min(span.to).saturating_sub(time(index));
            let allowed = if index <= 1 { LEFTOVER } else { FALSE_ALARM };
            if length > 0 && lasted >= allowed {
                self.false_alarms += 1;
                let (at, lasted) = (seconds(time(index)), seconds(lasted));
                self.notes.push(format!("false for {lasted:.1} s at {at:.1} s ({})", span.why));
            }
            index += length.max(1);
        }
    }
}

fn waits_at(timeline: &[Change], milliseconds: u32) -> bool {
    let at = Duration::from_millis(u64::from(milliseconds));
    let state = timeline.iter().rev().find(|change| change.at <= at);
    state.is_some_and(|change| matches!(change.state, "needs_input" | "stale"))
}

fn milliseconds(value: &Value) -> Option<u32> {
    let seconds = value.as_f64().filter(|it| (0.0..1e6).contains(it))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    Some((seconds * 1000.0).round() as u32)
}

fn seconds(milliseconds: u32) -> f64 {
    f64::from(milliseconds) / 1000.0
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests;
