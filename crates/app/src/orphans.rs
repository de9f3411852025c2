//! `trackside agent list --orphans` and `kill-orphans`: what a host that was killed has left behind.
//!
//! Needs no instance. What still has a host is not touched: starting Trackside shows it again.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use control::Call;
use host::{Orphan, Verdict};
use serde_json::{Value, json};

use crate::commands::{call, clean};
use crate::places::Places;
use crate::sessions::{Label, Labelled};

/// What is known of a program that was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub name: String,
    kind: Option<&'static str>,
    command: Vec<String>,
    /// Where it was started.
    folder: Option<PathBuf>,
}

impl Known {
    pub(crate) fn of(orphan: &Orphan) -> Self {
        Self::from_label(&orphan.label, &orphan.name)
    }

    fn from_label(label: &Value, transcripts: &str) -> Self {
        let Some(label) = Label::from_json(label) else {
            // Of another Trackside; what it has printed tells more.
            let name = transcripts.to_owned();
            return Self { name, kind: None, command: Vec::new(), folder: None };
        };
        let folder = Some(label.root);
        match label.kind {
            Labelled::Agent { name, command, .. } => {
                Self { name, kind: Some("agent"), command, folder }
            }
            Labelled::Terminal { command, .. } => {
                let program = command.first().map(Path::new).and_then(Path::file_name);
                let name = program.map(|name| name.to_string_lossy().into_owned());
                let name = name.unwrap_or_else(|| "terminal".to_owned());
                Self { name, kind: Some("terminal"), command, folder }
            }
        }
    }

    /// Where it was started, with `~` for the person's home.
    pub(crate) fn place(&self, home: Option<&Path>) -> String {
        let Some(folder) = &self.folder else { return "an unknown folder".to_owned() };
        match home.and_then(|home| folder.strip_prefix(home).ok()) {
            Some(below) if below.as_os_str().is_empty() => "~".to_owned(),
            Some(below) => format!("~/{}", below.display()),
            None => folder.display().to_string(),
        }
    }

    fn line(&self, pid: i32, places: &Places) -> String {
        format!("{:<12} pid {pid:<8} {}", self.name, self.place(places.home.as_deref()))
    }

    fn to_json(&self, pid: i32, is_held: bool) -> Value {
        json!({
            "name": self.name,
            "kind": self.kind,
            "pid": pid,
            "folder": self.folder.as_ref().map(|folder| folder.to_string_lossy()),
            "command": self.command,
            "held": is_held,
        })
    }
}

/// Lists them, changing nothing.
pub(crate) fn list(as_json: bool, places: &Places, out: &mut impl Write) -> Result<()> {
    // Of an instance that runs, what the host holds is on its rail.
    let is_shown = call(places, Call::Ping).is_ok();
    let mut programs = Vec::new();
    let mut stale = Vec::new();
    for orphan in find(places)? {
        match &orphan.verdict {
            Verdict::Hosted { .. } if is_shown => {}
            Verdict::Hosted { pid } => programs.push((Known::of(&orphan), *pid, true)),
            Verdict::Alive { pid } => programs.push((Known::of(&orphan), *pid, false)),
            Verdict::Dead => stale.push((orphan.path, "what it names has ended".to_owned())),
            Verdict::Another => stale.push((orphan.path, "it names another program".to_owned())),
            Verdict::Unreadable { why } | Verdict::Bad { why } => {
                stale.push((orphan.path.clone(), why.clone()));
            }
        }
    }
    if as_json {
        let programs = programs.iter().map(|(known, pid, held)| known.to_json(*pid, *held));
        let stale = stale.iter().map(|(path, why)| json!({ "record": path, "reason": why }));
        let (programs, stale): (Vec<_>, Vec<_>) = (programs.collect(), stale.collect());
        writeln!(out, "{}", json!({ "version": 1, "orphans": programs, "stale": stale }))?;
        return Ok(());
    }
    for (known, pid, is_held) in &programs {
        let note = if *is_held { "   held by the host: start Trackside to see it" } else { "" };
        writeln!(out, "{}{note}", clean(&known.line(*pid, places)))?;
    }
    for (path, why) in &stale {
        writeln!(out, "stale record {}: {}", clean(&path.to_string_lossy()), clean(why))?;
    }
    if programs.is_empty() {
        writeln!(out, "nothing was left behind")?;
    }
    Ok(())
}

/// Ends them with all that they started, and returns when nothing is left.
pub(crate) fn kill(places: &Places, out: &mut impl Write) -> Result<()> {
    let grace = config::load(&places.config_file).unwrap_or_default().limits.stop_grace;
    let orphans = find(places)?;
    let ended = host::end_orphans(&orphans, grace);
    let mut refusals = Vec::new();
    for (orphan, result) in &ended {
        let (known, Verdict::Alive { pid }) = (Known::of(orphan), &orphan.verdict) else {
            continue;
        };
        let what = clean(&known.line(*pid, places));
        match result {
            Ok(true) => writeln!(out, "ended {what}")?,
            Ok(false) => refusals.push(format!("{what}: it does not end")),
            Err(err) => refusals.push(format!("{what}: {err}")),
        }
    }
    for path in host::tidy(&orphans) {
        let path = path.to_string_lossy();
        writeln!(out, "not the record of a program, kept as {}", clean(&path))?;
    }
    if ended.is_empty() {
        writeln!(out, "nothing was left behind")?;
    }
    if !refusals.is_empty() {
        bail!("cannot end {}; look at it with `ps`", refusals.join(", "));
    }
    Ok(())
}

fn find(places: &Places) -> Result<Vec<Orphan>> {
    host::orphans(&places.state_dir).with_context(|| {
        let folder = places.state_dir.display();
        format!("cannot read which programs were started, below {folder}; check its permissions")
    })
}

#[cfg(test)]
mod tests {
    use workspace::PlainKind;

    use super::*;

    fn known(kind: Option<Labelled>) -> Known {
        let root = PathBuf::from("/home/me/api");
        let label = kind.map(|kind| Label { launch: 1, root, kind }.to_json()).unwrap_or_default();
        Known::from_label(&label, "agent-api-17")
    }

    #[test]
    fn programs_are_named_as_on_the_rail() {
        let command = vec!["/bin/bash".to_owned(), "-l".to_owned()];
        let (name, launches, by_name) = ("claude".to_owned(), 1, true);
        let agent = Labelled::Agent { name, command: command.clone(), by_name, launches };
        assert_eq!(known(Some(agent)).name, "claude", "an agent");
        let terminal = Labelled::Terminal { command, kind: PlainKind::Shell };
        assert_eq!(known(Some(terminal)).name, "bash", "a shell");
        let nameless = Labelled::Terminal { command: Vec::new(), kind: PlainKind::Command };
        assert_eq!(known(Some(nameless)).name, "terminal", "whatever it is");
        let unknown = known(None);
        assert_eq!(unknown.name, "agent-api-17", "by its transcripts");
        assert_eq!(unknown.place(None), "an unknown folder", "nowhere");
    }

    #[test]
    fn places_are_short_below_home() {
        let terminal = Labelled::Terminal { command: Vec::new(), kind: PlainKind::Shell };
        let known = known(Some(terminal));
        let place = |home: &str| known.place(Some(Path::new(home)));
        assert_eq!(place("/home/me"), "~/api", "below");
        assert_eq!(place("/home/me/api"), "~", "itself");
        assert_eq!(place("/home/m"), "/home/me/api", "elsewhere");
    }
}
