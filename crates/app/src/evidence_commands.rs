//! The client half of `explain`, `report` and `replay`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agent::{Expected, Rules};
use anyhow::{Result, anyhow};
use control::{Call, ClaimStatus, ClaimWord, Explanation, ReasonKind, ReportedState};
use replay::{Player, Recording};
use rustix::time::{ClockId, clock_gettime};
use terminal::GridSize;

use crate::commands::{self, clean};
use crate::places::Places;

pub(crate) fn explain(
    places: &Places,
    workspace: Option<String>,
    json: bool,
    out: &mut impl Write,
) -> Result<()> {
    let reply = commands::call(places, Call::Explain { workspace: commands::named(workspace) })?;
    if json {
        writeln!(out, "{reply}")?;
        return Ok(());
    }
    let explanation: Explanation = serde_json::from_value(reply)?;
    let (agent, state) = (clean(&explanation.agent), explanation.state.name());
    let why = explanation.reason.map_or_else(String::new, |reason| {
        let text = reason.text.map_or_else(String::new, |text| format!(": {}", clean(&text)));
        format!(" ({}{text})", reason.kind.name())
    });
    let age = seconds(explanation.since_ms);
    writeln!(out, "{}: {agent} is {state} for {age}{why}", clean(&explanation.workspace))?;
    match &explanation.winner {
        Some(winner) => writeln!(out, "because  {}", line(winner))?,
        None => writeln!(out, "nothing speaks for anything yet")?,
    }
    for loser in &explanation.losers {
        writeln!(out, "not      {}", line(loser))?;
    }
    if let Some(rule) = explanation.rule {
        writeln!(out, "rule     {}", clean(&rule))?;
    }
    for choice in explanation.choices {
        writeln!(out, "choice   {}", clean(&choice))?;
    }
    Ok(())
}

fn line(claim: &ClaimStatus) -> String {
    let says = match (claim.says, claim.reason) {
        (ClaimWord::Working, _) => "working".to_owned(),
        (ClaimWord::Waiting, Some(reason)) => format!("waiting ({})", reason.name()),
        (ClaimWord::Waiting, None) => "waiting".to_owned(),
    };
    let text = claim.text.as_deref().map_or_else(String::new, |text| format!("  {}", clean(text)));
    format!("{:<14} {says:<22} {:>9} ago{text}", clean(&claim.source), seconds(claim.age_ms))
}

fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

pub(crate) fn report(
    places: &Places,
    workspace: Option<String>,
    (state, reason): (ReportedState, Option<String>),
    (sequence, session): (Option<u64>, Option<String>),
) -> Result<()> {
    let kind = reason.as_deref().and_then(kind);
    // What is no word of ours is what the agent asks.
    let text = reason.filter(|_| kind.is_none());
    let sequence = sequence.or_else(now);
    let workspace = commands::named(workspace);
    let launch = None;
    let report = Call::Report { workspace, state, reason: kind, text, sequence, launch, session };
    commands::call(places, report).map(drop)
}

fn kind(word: &str) -> Option<ReasonKind> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok()
}

/// Programs that report one after the other are numbered by the time at which they do: nanoseconds
/// since the machine was started, which nobody sets back.
pub(crate) fn now() -> Option<u64> {
    let now = clock_gettime(ClockId::Boottime);
    let since = Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?);
    u64::try_from(since.as_nanos()).ok()
}

/// Saves the last minutes of an agent, and says where and what to do with them.
pub(crate) fn wrong(
    places: &Places,
    workspace: Option<String>,
    (expected, file): (Option<String>, Option<PathBuf>),
    out: &mut impl Write,
) -> Result<()> {
    let path = file.map(std::path::absolute).transpose()?;
    let workspace = commands::named(workspace);
    let reply = commands::call(places, Call::AgentWrong { workspace, expected, path })?;
    let path = clean(reply["path"].as_str().unwrap_or_default());
    writeln!(out, "{path}")?;
    writeln!(
        out,
        "names, keys, tokens and what you typed are replaced, as far as they are recognised"
    )?;
    writeln!(out, "read it before you share it: trackside replay --text {path}")?;
    Ok(())
}

/// What a person should look at before a recording is shared.
pub(crate) fn print_text(file: &Path, out: &mut impl Write) -> Result<()> {
    let mut lines = 0;
    for line in Recording::load(file)?.to_text().lines().filter(|line| !line.trim().is_empty()) {
        writeln!(out, "{}", clean(line))?;
        lines += 1;
    }
    if lines == 0 {
        writeln!(out, "nothing was printed or typed in it")?;
    }
    Ok(())
}

pub(crate) fn replay(
    file: &Path,
    size: Option<(u32, u32)>,
    rules: Rules,
    json: bool,
    out: &mut impl Write,
) -> Result<()> {
    let narrow =
        |side: u32| u16::try_from(side).map_err(|_large| anyhow!("a screen is not that large"));
    let mut recording = Recording::load(file)?;
    if let Some((columns, rows)) = size {
        recording.about.size = Some(GridSize { columns: narrow(columns)?, rows: narrow(rows)? });
    }
    let player = Player::of(&recording, Arc::new(rules), crate::clock());
    let changes = player.play(&recording, Duration::ZERO);
    for change in &changes {
        if json {
            writeln!(out, "{}", replay::json_line(change))?;
        } else {
            let reason = change.reason.map_or("", |reason| reason.name());
            let text = clean(change.text.as_deref().unwrap_or_default());
            let at = change.at.as_secs_f64();
            writeln!(out, "{at:>9.3} {:<12} {reason:<12} {text}", change.state)?;
        }
    }
    let (ends, about) = (changes.last().map_or("nothing", |change| change.state), &recording.about);
    if let (Some(expected), false) = (about.expected.map(Expected::name), json) {
        let shown = about.shown.as_deref().map_or_else(String::new, |shown| {
            format!(" (shown when it was saved: {})", clean(shown))
        });
        let verdict = if ends == expected { "as it should" } else { "wrong" };
        writeln!(out, "ends as {ends}, expected {expected}: {verdict}{shown}")?;
    }
    Ok(())
}
