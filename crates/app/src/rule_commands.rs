//! `trackside agent rules`: which rules hold for an agent, and whether they can be used.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use agent::Rules;
use anyhow::{Result, bail};
use config::{Config, KnownRule, RuleEntry, RuleError, RuleFile, RuleOrigin};
use replay::{Match, Player, Recording};
use serde_json::{Value, json};
use terminal::GridSize;
use workspace::ProjectSettings;

use crate::agent_list::{self, project_to_json};
use crate::cli::RulesCommand;
use crate::commands::clean;
use crate::places::Places;
use crate::projects::{self, Reading};

/// What recordings are made of.
const SIZE: GridSize = GridSize { columns: 120, rows: 40 };

/// One rule as it is shown.
struct Row {
    agent: Option<String>,
    origin: RuleOrigin,
    what: What,
}

enum What {
    Entry(RuleEntry),
    Wrong(RuleError),
}

pub(crate) fn run(command: RulesCommand, places: &Places, out: &mut impl Write) -> Result<()> {
    match command {
        RulesCommand::List { place, agent, json } => {
            list(place.workspace, agent.as_deref(), json, places, out)
        }
        RulesCommand::Check { file, agent, recording, json } => {
            let agent = agent.as_deref();
            let user = config::load(&places.config_file)?;
            let file = file.map(|file| config::load_rules(&file)).transpose()?;
            let known = known(&user, agent)?;
            let rows = match &file {
                Some(file) => rows_of_file(file, agent),
                None => rows_of_config(&user, agent),
            };
            let rules = file.map_or(known.clone(), |file| file.before(known));
            let rules: Rules = rules.into_iter().map(|known| known.rule).collect();
            let matches = recording.map(|recording| matches(&recording, rules)).transpose()?;
            check(&rows, matches.as_deref(), json, out)
        }
    }
}

/// The rules of an agent as the user has configured it, or those that hold for every program. A
/// configuration that cannot be read is as good as none here.
pub(crate) fn rules_of(agent: Option<&str>, places: &Places) -> Result<Rules> {
    let config = config::load(&places.config_file).unwrap_or_default();
    Ok(known(&config, agent)?.into_iter().map(|known| known.rule).collect())
}

fn known(config: &Config, agent: Option<&str>) -> Result<Vec<KnownRule>> {
    Ok(match agent {
        Some(agent) => config.agent_rules(agent)?,
        None => config.known_rules("", ""),
    })
}

fn rows_of_file(file: &RuleFile, agent: Option<&str>) -> Vec<Row> {
    let row = |what| Row { agent: agent.map(str::to_owned), origin: RuleOrigin::File, what };
    let entries = file.entries.iter().cloned().map(What::Entry);
    entries.chain(file.errors.iter().cloned().map(What::Wrong)).map(row).collect()
}

fn rows_of_config(config: &Config, wanted: Option<&str>) -> Vec<Row> {
    let is_meant = |agent: &str| wanted.is_none_or(|wanted| wanted == agent);
    let agents = config.agents.iter().filter(|(name, _)| is_meant(name));
    agents
        .flat_map(|(name, agent)| {
            let row = |what| Row { agent: Some(name.clone()), origin: RuleOrigin::User, what };
            let wrong = |error: &&RuleError| error.agent.as_ref() == Some(name);
            let errors = config.rule_errors.iter().filter(wrong).cloned().map(What::Wrong);
            let entries = agent.rules.iter().map(|(_, entry)| What::Entry(entry.clone()));
            entries.chain(errors).map(row).collect::<Vec<_>>()
        })
        .collect()
}

fn list(
    workspace: Option<String>,
    agent: Option<&str>,
    as_json: bool,
    places: &Places,
    out: &mut impl Write,
) -> Result<()> {
    let user = config::load(&places.config_file)?;
    let folder = agent_list::folder(workspace, places)?;
    let Reading { settings, notice: _ } = projects::read(&folder, &user, &places.state_dir);
    let rows = known_in(&settings, &settings.held_over(&user), &user, agent)?;
    let all = known_in(&settings, &settings.over(&user), &user, agent)?;
    let is_ours = |known: &&KnownRule| known.origin == RuleOrigin::Project;
    let n_held_back = all.iter().filter(is_ours).count() - rows.iter().filter(is_ours).count();
    let rows = rows.into_iter().map(|KnownRule { origin, rule }| {
        let what = What::Entry(RuleEntry::Use(rule));
        Row { agent: agent.map(str::to_owned), origin, what }
    });
    let rows: Vec<Row> = rows.collect();
    if as_json {
        let rules: Vec<Value> = rows.iter().map(to_json).collect();
        let (folder, project) = (folder.to_string_lossy(), project_to_json(&settings));
        let list = json!({ "version": 1, "folder": folder, "project": project, "rules": rules });
        writeln!(out, "{list}")?;
        return Ok(());
    }
    for row in &rows {
        writeln!(out, "{}", clean(&line(row)))?;
    }
    if n_held_back > 0 {
        let what = if n_held_back == 1 { "One rule" } else { "Rules" };
        writeln!(out, "{what} of this folder's own would hold once you trust it: trackside trust")?;
    }
    if let Some(complaint) = settings.complaint() {
        writeln!(out, "{}", clean(&complaint))?;
    }
    Ok(())
}

/// The rules of `config` for an agent as it would be started in a folder, whether that is trusted or not.
fn known_in(
    settings: &ProjectSettings,
    config: &Config,
    user: &Config,
    agent: Option<&str>,
) -> Result<Vec<KnownRule>> {
    let Some(agent) = agent else { return known(config, None) };
    let command = settings.over(user).agent_command(agent)?;
    let program = command.argv.first().map_or("", String::as_str);
    Ok(config.known_rules(agent, program))
}

fn check(
    rows: &[Row],
    matches: Option<&[Match]>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<()> {
    let n_wrong = rows.iter().filter(|row| matches!(row.what, What::Wrong(_))).count();
    if as_json {
        let rules: Vec<Value> = rows.iter().map(to_json).collect();
        let matches = matches.map(|them| them.iter().map(match_json).collect::<Vec<_>>());
        let ok = n_wrong == 0;
        writeln!(out, "{}", json!({ "version": 1, "ok": ok, "rules": rules, "matches": matches }))?;
    } else {
        for row in rows {
            let verdict = match &row.what {
                What::Entry(_) => format!("{}  ok", line(row)),
                What::Wrong(error) => error.to_string(),
            };
            writeln!(out, "{}", clean(&verdict))?;
        }
        for it in matches.unwrap_or_default() {
            let (at, reason) = (it.at.as_secs_f64(), it.reason.map_or("working", |it| it.name()));
            let text = clean(it.text.as_deref().unwrap_or_default());
            writeln!(out, "{at:>9.3} {:<24} {reason:<12} {text}", it.rule)?;
        }
    }
    match n_wrong {
        0 => Ok(()),
        1 => bail!("one rule cannot be used"),
        _ => bail!("{n_wrong} rules cannot be used"),
    }
}

fn matches(recording: &Path, rules: Rules) -> Result<Vec<Match>> {
    let recording = Recording::load(recording)?;
    Ok(Player::new(SIZE, Arc::new(rules), crate::clock()).matches(&recording))
}

fn line(row: &Row) -> String {
    let agent = row.agent.as_deref().unwrap_or("any");
    let origin = row.origin.to_string();
    match &row.what {
        What::Entry(RuleEntry::Use(rule)) => {
            let kind = rule.kind();
            let says = kind.reason().map_or(kind.says(), |reason| reason.name());
            let (id, kind, pattern) = (rule.id(), kind.name(), rule.pattern());
            format!("{agent:<10} {id:<22} {kind:<7} {says:<13} {origin:<22} {pattern}")
        }
        What::Entry(RuleEntry::SwitchOff(id)) => {
            format!("{agent:<10} {id:<22} {:<7} {:<13} {origin}", "-", "off")
        }
        What::Wrong(error) => error.to_string(),
    }
}

fn to_json(row: &Row) -> Value {
    let origin = match row.origin {
        RuleOrigin::Common => "common",
        RuleOrigin::Kind(_) => "kind",
        RuleOrigin::User => "user",
        RuleOrigin::Project => "project",
        RuleOrigin::File => "file",
    };
    let (rule, error) = match &row.what {
        What::Entry(RuleEntry::Use(rule)) => (Some(rule), None),
        What::Entry(RuleEntry::SwitchOff(_)) => (None, None),
        What::Wrong(error) => (None, Some(error.to_string())),
    };
    let id = match &row.what {
        What::Entry(entry) => Some(entry.id()),
        What::Wrong(error) => error.id.as_deref(),
    };
    let kind = rule.map(config::Rule::kind);
    json!({
        "id": id,
        "agent": row.agent,
        "origin": origin,
        "kind": kind.map(|kind| kind.name()),
        "says": kind.map(|kind| kind.says()),
        "reason": kind.and_then(|kind| kind.reason()).map(|reason| reason.name()),
        "pattern": rule.map(|rule| rule.pattern()),
        "enabled": !matches!(row.what, What::Entry(RuleEntry::SwitchOff(_))),
        "error": error,
    })
}

fn match_json(it: &Match) -> Value {
    json!({
        "t": it.at.as_secs_f64(),
        "rule": it.rule,
        "reason": it.reason.map(|reason| reason.name()),
        "text": it.text,
    })
}
