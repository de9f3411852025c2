//! The client half of the command line: one call to the running instance each.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use base::LogErr as _;
use control::{AgentChoice, Call, Client, ConnectError, StatusReply};
use serde_json::Value;

use crate::app::load_config;
use crate::calls::WrongUsage;
use crate::cli::{AgentCommand, Command, ConfigCommand};
use crate::evidence_commands;
use crate::open::Location;
use crate::places::Places;
use crate::{
    agent_list, attach, doctor, host_command, orphans, rule_commands, terminal_commands,
    transcript_command, trust_commands,
};

/// Runs a subcommand to its end.
///
/// # Errors
/// As the command's exit code says; [`exit_code`] finds it.
pub(crate) fn run(command: Command, places: &Places, out: &mut impl Write) -> Result<()> {
    let call = match command {
        Command::Status { json } => return status(places, json, out),
        Command::Events { json } => return events(places, json, out),
        Command::Stats { json } => return stats(places, json, out),
        Command::Doctor => return doctor(places, out),
        Command::Config(command) => return config(command, places, out),
        Command::Explain { place, json } => {
            return evidence_commands::explain(places, place.workspace, json, out);
        }
        Command::Report { place, state, reason, sequence, session, hook: _ } => {
            // Hooks, which have no state, were served before.
            let Some(state) = state else { return Ok(()) };
            return evidence_commands::report(
                places,
                place.workspace,
                (state, reason),
                (sequence, session),
            );
        }
        Command::Replay { file, json, text, size, agent } => {
            let rules = rule_commands::rules_of(agent.as_deref(), places)?;
            return if text {
                evidence_commands::print_text(&file, out)
            } else {
                evidence_commands::replay(&file, size, rules, json, out)
            };
        }
        Command::Screen { place, tab, json } => {
            let reply = call(places, Call::Screen { workspace: named(place.workspace), tab })?;
            return screen(&reply, json, out);
        }
        Command::Transcript(args) => return transcript_command::run(args, places, out),
        Command::Do { list: true, .. } => return list_actions(out),
        Command::Agent(AgentCommand::List { orphans: true, json, .. }) => {
            return orphans::list(json, places, out);
        }
        Command::Agent(AgentCommand::List { place, json, .. }) => {
            return agent_list::run(place.workspace, json, places, out);
        }
        Command::Agent(AgentCommand::KillOrphans) => return orphans::kill(places, out),
        Command::Agent(AgentCommand::Rules(command)) => {
            return rule_commands::run(command, places, out);
        }
        Command::Agent(AgentCommand::Attach { place, detach_key }) => {
            return attach::run(named(place.workspace).as_deref(), detach_key, places, out);
        }
        Command::Agent(AgentCommand::Start { place, name, command, no_attach: false }) => {
            let workspace = place.workspace.clone();
            let start = AgentCommand::Start { place, name, command, no_attach: true };
            call(places, agent_call(start))?;
            return attach::after_start(workspace, places, out);
        }
        Command::Agent(AgentCommand::Wrong { place, expected, out: file }) => {
            return evidence_commands::wrong(places, place.workspace, (expected, file), out);
        }
        Command::Trust(args) => return trust_commands::run(args, places, out),
        Command::Open { path } => open_call(&path, false)?,
        Command::Agent(command) => agent_call(command),
        Command::Terminal(command) => return terminal_commands::run(command, places, out),
        Command::Wait { place, state, timeout } => Call::Wait {
            workspace: named(place.workspace),
            state,
            timeout_ms: timeout.map(|limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)),
        },
        Command::Screenshot { file } => Call::Screenshot { path: std::path::absolute(file)? },
        Command::Do { action, args, list: false } => Call::Do {
            action: action.unwrap_or_default(),
            args: match args {
                Some(text) => serde_json::from_str(&text).map_err(|err| NoJson(err.to_string()))?,
                None => Value::Null,
            },
        },
        Command::Keys { keys } => Call::Keys { keys: keys.join(" ") },
        Command::Type { text } => Call::Type { text },
        // Was served before, as it has no instance to ask.
        Command::Host { .. } => return Ok(()),
        Command::Quit { stop_agents } => {
            let reply = match call(places, Call::Quit { stop_agents }) {
                Err(err) if stop_agents && is_alone(&err) => {
                    return host_command::end(places, out)?.ok_or(err);
                }
                reply => reply?,
            };
            wait_for_the_end(places);
            let count = |what: &str| reply[what].as_u64().unwrap_or(0);
            match count("stopped_agents") {
                0 => {}
                1 => writeln!(out, "stopped 1 agent")?,
                n => writeln!(out, "stopped {n} agents")?,
            }
            if let Some(line) = farewell(usize::try_from(count("left_agents")).unwrap_or(0)) {
                writeln!(out, "{line}")?;
            }
            return Ok(());
        }
    };
    self::call(places, call).map(drop)
}

/// No instance runs, but a host may.
fn is_alone(err: &anyhow::Error) -> bool {
    matches!(err.downcast_ref(), Some(ConnectError::NoInstance { .. }))
}

/// What whoever ends Trackside is told of agents that it leaves running.
pub(crate) fn farewell(n_agents: usize) -> Option<String> {
    let who = match n_agents {
        0 => return None,
        1 => "1 agent goes".to_owned(),
        n => format!("{n} agents go"),
    };
    Some(format!(
        "{who} on in the background; `trackside` shows them again, `trackside quit --stop-agents` ends them"
    ))
}

/// Returns when the instance has let go of the state folder, so that another can take it.
fn wait_for_the_end(places: &Places) {
    if let Ok(lock) = File::open(places.state_dir.join(control::path::LOCK_FILE)) {
        lock.lock_shared().log_err("waiting for the instance to end");
    }
}

/// A workspace as the instance knows it: a path is meant from here, not from where that runs.
pub(crate) fn named(workspace: Option<String>) -> Option<String> {
    let workspace = workspace?;
    let is_path = workspace.contains('/') || workspace == "." || workspace == "..";
    let absolute = Path::new(&workspace).canonicalize().ok().filter(|_| is_path);
    Some(absolute.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or(workspace))
}

/// Opens paths in the running instance; `None` when there is none.
///
/// # Errors
/// The instance refused.
pub(crate) fn open_in_running(paths: &[String], wait: bool, places: &Places) -> Result<Option<()>> {
    let mut client = match Client::connect(&places.running_socket()) {
        Ok(client) => client,
        Err(ConnectError::NoInstance { .. }) => return Ok(None),
        Err(err) => return Err(err.into()),
    };
    let calls: Vec<Call> = paths.iter().map(|path| open_call(path, wait)).collect::<Result<_>>()?;
    // With several files to wait for, all are opened before the first is waited for.
    if wait {
        for path in paths {
            client.call(open_call(path, false)?)?;
        }
    }
    for call in calls {
        client.call(call)?;
    }
    Ok(Some(()))
}

pub(crate) fn call(places: &Places, call: Call) -> Result<Value> {
    Ok(Client::connect(&places.running_socket())?.call(call)?)
}

fn open_call(path: &str, wait: bool) -> Result<Call> {
    let Location { path, at } = Location::parse(path);
    let path = std::path::absolute(&path)
        .with_context(|| format!("`{}` is not a path", path.display()))?;
    let (line, column) = at.unzip();
    Ok(Call::Open { path, line, column, wait })
}

fn agent_call(command: AgentCommand) -> Call {
    match command {
        AgentCommand::Start { place, name: Some(name), .. } => {
            Call::AgentStart { workspace: named(place.workspace), agent: AgentChoice::Name(name) }
        }
        AgentCommand::Start { place, name: None, command, .. } => Call::AgentStart {
            workspace: named(place.workspace),
            agent: AgentChoice::Command(command),
        },
        AgentCommand::Stop { place } => Call::AgentStop { workspace: named(place.workspace) },
        AgentCommand::Restart { place } => Call::AgentRestart { workspace: named(place.workspace) },
        AgentCommand::Resume { place } => Call::AgentResume { workspace: named(place.workspace) },
        AgentCommand::Send { place, enter, text } => {
            Call::AgentSend { workspace: named(place.workspace), text, enter }
        }
        // Were served before.
        AgentCommand::List { .. }
        | AgentCommand::Attach { .. }
        | AgentCommand::KillOrphans
        | AgentCommand::Rules(_)
        | AgentCommand::Wrong { .. } => Call::Ping,
    }
}

fn status(places: &Places, json: bool, out: &mut impl Write) -> Result<()> {
    let reply = call(places, Call::Status)?;
    if json {
        writeln!(out, "{reply}")?;
        return Ok(());
    }
    let reply: StatusReply = serde_json::from_value(reply)?;
    if reply.workspaces.is_empty() {
        writeln!(out, "no workspaces; open one with `trackside open PATH`")?;
    }
    for workspace in reply.workspaces {
        let mark = if workspace.active { '*' } else { ' ' };
        let status = workspace.status.name();
        let agent = workspace.agent.map_or_else(String::new, |agent| {
            let age = agent.since_ms / 1000;
            let end = match (agent.signal, agent.exit_code) {
                (Some(signal), _) => format!(", {signal}"),
                (None, Some(code)) => format!(", exit code {code}"),
                (None, None) => String::new(),
            };
            let why = agent.reason.map_or_else(String::new, |reason| match reason.text {
                Some(text) => format!(" ({})", clean(&text)),
                None => format!(" ({})", reason.kind.name()),
            });
            format!("{} for {age} s{why}{end}", clean(&agent.name))
        });
        let (id, name) = (workspace.id, clean(&workspace.name));
        let path = clean(&workspace.path);
        writeln!(out, "{mark} {id:<3} {name:<20} {status:<12} {agent:<28} {path}")?;
    }
    for warning in reply.warnings {
        writeln!(out, "! {}", clean(&warning))?;
    }
    Ok(())
}

/// Names come from folders and programs: nothing in them may reach the terminal as a command, nor
/// hide in it. What joins two emoji to one stays.
pub(crate) fn clean(text: &str) -> String {
    let is_trick = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    // The last character that is no addition to an emoji before it.
    let mut before = None;
    let mut rest = text.chars();
    let mut cleaned = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        let joins = c == '\u{200d}'
            && before.is_some_and(is_emoji)
            && rest.clone().next().is_some_and(is_emoji);
        cleaned.push(if is_trick(c) && !joins { '?' } else { c });
        let is_addition = matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
        if !is_addition {
            before = Some(c);
        }
    }
    cleaned
}

/// Whether a character may be part of a joined emoji; of the blocks that have such, all are taken.
fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{2194}'..='\u{21aa}' | '\u{2300}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}'
        | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

fn events(places: &Places, json: bool, out: &mut impl Write) -> Result<()> {
    let client = Client::connect(&places.running_socket())?;
    for event in client.events()? {
        let event = event?;
        if json {
            writeln!(out, "{event}")?;
        } else {
            let word = |key: &str| clean(event[key].as_str().unwrap_or_default());
            writeln!(
                out,
                "{} {} {} {}",
                word("kind"),
                word("name"),
                word("agent"),
                word("status")
            )?;
        }
        out.flush()?;
    }
    Ok(())
}

fn stats(places: &Places, json: bool, out: &mut impl Write) -> Result<()> {
    let reply = call(places, Call::Stats)?;
    if json {
        writeln!(out, "{reply}")?;
        return Ok(());
    }
    let stats: control::Stats = serde_json::from_value(reply)?;
    writeln!(out, "frames          {}", stats.frames)?;
    writeln!(out, "wake-ups        {}, {} by the clock", stats.wake_ups, stats.timer_wake_ups)?;
    for (name, timing) in
        [("frame build", stats.frame_build), ("key to present", stats.key_to_present)]
    {
        writeln!(out, "{name:<15} p50 {} us, p99 {} us", timing.p50_us, timing.p99_us)?;
    }
    writeln!(out, "memory          {} KiB", stats.memory.resident_bytes / 1024)?;
    for terminal in stats.terminals {
        let kib = terminal.memory_bytes / 1024;
        let title = clean(&terminal.title);
        writeln!(out, "terminal {title:<6} {} bytes parsed, {kib} KiB", terminal.bytes_parsed)?;
    }
    Ok(())
}

pub(crate) fn screen(reply: &Value, json: bool, out: &mut impl Write) -> Result<()> {
    if json {
        writeln!(out, "{reply}")?;
        return Ok(());
    }
    for row in reply["rows"].as_array().into_iter().flatten() {
        writeln!(out, "{}", clean(row.as_str().unwrap_or_default()))?;
    }
    Ok(())
}

fn list_actions(out: &mut impl Write) -> Result<()> {
    for spec in workspace::ACTIONS {
        let args = if spec.args.is_empty() { String::new() } else { format!(" ({})", spec.args) };
        writeln!(out, "{:<26} {}{args}", spec.name, spec.doc)?;
    }
    Ok(())
}

fn doctor(places: &Places, out: &mut impl Write) -> Result<()> {
    let running = call(places, Call::Doctor).ok();
    for (what, how) in doctor::look_around(places, running.as_ref()) {
        writeln!(out, "{what:<14} {how}")?;
    }
    Ok(())
}

fn config(command: ConfigCommand, places: &Places, out: &mut impl Write) -> Result<()> {
    let file: &Path = &places.config_file;
    match command {
        ConfigCommand::Path => writeln!(out, "{}", file.display())?,
        ConfigCommand::Default => write!(out, "{}", config::default_text())?,
        ConfigCommand::Check => {
            let config = load_config(file).map_err(anyhow::Error::msg)?;
            if let Some(complaint) = config.rule_complaint() {
                bail!("{complaint}");
            }
            writeln!(out, "{}: fine", file.display())?;
        }
    }
    Ok(())
}

#[derive(Debug, thiserror::Error)]
#[error("the arguments are not JSON: {0}")]
struct NoJson(String);

/// 0 done, 1 failed, 2 wrong usage, 3 no instance, 4 timed out.
pub(crate) fn exit_code(err: &anyhow::Error) -> u8 {
    let from_connect = err.downcast_ref::<ConnectError>().map(|it| it.exit_code());
    let from_call = err.downcast_ref::<control::CallError>().map(|it| it.exit_code());
    let from_usage = (err.is::<NoJson>() || err.is::<WrongUsage>()).then_some(2);
    from_connect.or(from_call).or(from_usage).unwrap_or(1)
}

/// A pipe that nobody reads any more is not a failure.
pub(crate) fn is_broken_pipe(err: &anyhow::Error) -> bool {
    err.downcast_ref::<io::Error>().is_some_and(|err| err.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(clean(text), expected, "{}", text.escape_unicode());
    }

    #[test]
    fn emoji_stay_joined() {
        for joined in [
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{2764}\u{fe0f}\u{200d}\u{1f525}",
            "\u{1f44d}\u{1f3fd} \u{1f9d1}\u{1f3fd}\u{200d}\u{2695}\u{fe0f}",
            "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "\u{1f642}\u{200d}\u{2194}\u{fe0f}",
            "\u{1f408}\u{200d}\u{2b1b}",
        ] {
            check(joined, joined);
        }
    }

    #[test]
    fn what_hides_or_commands_is_replaced() {
        check("a\u{1b}[31mb\n", "a?[31mb?");
        check("a\u{200d}b\u{200b}\u{202e}\u{2066}", "a?b???");
        check("\u{200d}\u{1f525}\u{200d}", "?\u{1f525}?");
        check("\u{1f525}\u{200d}\u{200d}\u{1f525}", "\u{1f525}??\u{1f525}");
        check("\u{1f525}\u{200d}x", "\u{1f525}?x");
    }
}
