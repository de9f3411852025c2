//! All labelled recordings of a folder, scored by the first word of their names.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::Rules;

use crate::{Change, Labels, Player, Recording, RecordingError, Score};

/// Recordings that were made when there were rules already, and by which those were made better, begin with
/// one of the first; those that no rule was changed for with one of the second.
const LATER: [&str; 2] = ["v-", "x-"];
const UNSEEN: [&str; 1] = ["w-"];
/// Those that were made and labelled when the rules were frozen, and by which none was changed since.
const FROZEN: [&str; 1] = ["y-"];

/// Scores by agent, and by when a recording was made.
#[derive(Debug, Default)]
pub struct Table {
    pub by_agent: BTreeMap<String, Score>,
    /// Of those by which the rules were found.
    pub first: Score,
    /// Of those that were made afterwards, and by which they were made better.
    pub later: Score,
    /// Of both: all by which rules were found or changed.
    pub seen: Score,
    /// Of those that no rule has been changed for.
    pub unseen: Score,
    /// Of those that were made when the rules were frozen, and that none has been changed for.
    pub frozen: Score,
    pub all: Score,
}

#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("cannot read {}", .path.display())]
    Read { path: std::path::PathBuf, source: io::Error },
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error("{} holds no labels", .path.display())]
    Labels { path: std::path::PathBuf },
}

impl Table {
    /// Plays all recordings that have labels, each by the rules of the agent that they name. `epoch` is
    /// any moment: time is virtual.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    pub fn of(
        folder: &Path,
        rules: impl Fn(&str) -> Arc<Rules>,
        epoch: Instant,
    ) -> Result<Self, TableError> {
        let read = |path: &Path| {
            let path = path.to_owned();
            move |source| TableError::Read { path, source }
        };
        let mut paths: Vec<_> = fs::read_dir(folder)
            .map_err(read(folder))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort();
        let mut table = Self::default();
        for path in paths {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Some(name) = name.strip_suffix(".jsonl")
                && !folder.join(format!("{name}.labels.json")).exists()
            {
                let agent = name.split('-').next().unwrap_or(name);
                table.add_saved(name, &Recording::load(&path)?, rules(agent), epoch);
                continue;
            }
            let Some(name) = name.strip_suffix(".labels.json") else { continue };
            let labels = fs::read_to_string(&path).map_err(read(&path))?;
            let labels = Labels::parse(&labels).ok_or(TableError::Labels { path: path.clone() })?;
            let recording = Recording::load(&folder.join(format!("{name}.jsonl")))?;
            let player = Player::new(labels.size, rules(&labels.agent), epoch);
            table.add(name, labels.score(&player.play(&recording, Duration::ZERO)));
        }
        Ok(table)
    }

    /// A recording that was saved because its end was wrong is right if its end is.
    fn add_saved(&mut self, name: &str, recording: &Recording, rules: Arc<Rules>, epoch: Instant) {
        let Some(expected) = recording.about.expected else { return };
        let player = Player::of(recording, rules, epoch);
        self.add(name, Score::of_end(expected, &player.play(recording, Duration::ZERO)));
    }

    fn add(&mut self, name: &str, mut score: Score) {
        for note in &mut score.notes {
            *note = format!("{name}: {note}");
        }
        let among = |prefixes: &[&str]| prefixes.iter().find_map(|it| name.strip_prefix(it));
        let (groups, rest): (&mut [&mut Score], &str) = if let Some(rest) = among(&LATER) {
            (&mut [&mut self.later, &mut self.seen], rest)
        } else if let Some(rest) = among(&UNSEEN) {
            (&mut [&mut self.unseen], rest)
        } else if let Some(rest) = among(&FROZEN) {
            (&mut [&mut self.frozen], rest)
        } else {
            (&mut [&mut self.first, &mut self.seen], name)
        };
        for group in groups.iter_mut().chain([&mut &mut self.all]) {
            group.add(score.clone());
        }
        let agent = rest.split('-').next().unwrap_or(rest);
        self.by_agent.entry(agent.to_owned()).or_default().add(score);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for note in self.by_agent.values().flat_map(|score| &score.notes) {
            writeln!(f, "{note}")?;
        }
        writeln!(f)?;
        let named = self.by_agent.iter().map(|(name, score)| (name.as_str(), score));
        let sums = [
            ("first", &self.first),
            ("later", &self.later),
            ("seen", &self.seen),
            ("unseen", &self.unseen),
            ("frozen", &self.frozen),
            ("all", &self.all),
        ];
        for (name, score) in named.chain(sums) {
            let Score { waits, flaps, .. } = score;
            let (median, late) = (score.latency(0.5), score.latency(0.95));
            writeln!(
                f,
                "{name:<10} {waits:>3} waits, recall {:.3}, precision {:.3}, \
                 median {:.2} s, p95 {:.2} s, {flaps} flaps",
                score.recall(),
                score.precision(),
                median.as_secs_f64(),
                late.as_secs_f64(),
            )?;
        }
        Ok(())
    }
}

/// A change of state as a line of JSON.
pub fn json_line(change: &Change) -> String {
    let mut line = serde_json::json!({ "t": seconds(change.at), "state": change.state });
    if let Some(reason) = change.reason {
        line["reason"] = reason.name().into();
    }
    if let Some(source) = change.source {
        line["source"] = source.name().into();
    }
    if let Some(text) = &change.text {
        line["text"] = text.as_str().into();
    }
    line.to_string()
}

pub(crate) fn seconds(at: Duration) -> f64 {
    (at.as_secs_f64() * 1000.0).round() / 1000.0
}
