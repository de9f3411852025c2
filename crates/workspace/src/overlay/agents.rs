//! The rows of the list of agents.

use super::{PickItem, rank, split_command};
use crate::{Action, AgentAction, Availability, KnownAgent, Launch, State, Workspace};

/// What can be started comes before what cannot; what was typed may also be a command.
pub(super) fn items(state: &State, query: &str) -> Vec<PickItem> {
    let workspace = state.active_workspace();
    let known = workspace.map_or_else(Vec::new, |workspace| state.known_agents(workspace));
    let fits = |known: &KnownAgent| {
        rank(&known.agent.name, query).or_else(|| rank(&known.agent.title, query)).is_some()
    };
    let mut agents: Vec<PickItem> = known.into_iter().filter(fits).map(item).collect();
    agents.sort_by_key(|item| item.is_dim);

    let again = workspace.and_then(|workspace| last_command(state, workspace, query));
    let typed = split_command(query);
    let typed = (!typed.is_empty()).then(|| PickItem {
        title: format!("Run “{}”", query.trim()),
        note: "any command".to_owned(),
        keys: None,
        is_dim: false,
        action: start(Launch::Command(typed)),
    });
    again.into_iter().chain(agents).chain(typed).collect()
}

/// The row of what was started here last; the first where that is not known or no longer there.
pub(crate) fn last_row(state: &State) -> usize {
    let workspace = state.active_workspace();
    let last = workspace.and_then(|workspace| state.last_choice(workspace.root()));
    let last = last.map(|launch| start(launch.clone()));
    let row = last.and_then(|last| items(state, "").iter().position(|item| item.action == last));
    row.unwrap_or(0)
}

fn item(known: KnownAgent) -> PickItem {
    let KnownAgent { agent, availability, needs_trust } = known;
    let missing = match availability {
        Some(Availability::Missing(why)) => Some(why),
        Some(Availability::Found) | None => None,
    };
    let command = agent.argv.join(" ");
    let note = match &missing {
        Some(why) => why.clone(),
        None if needs_trust => format!("asks you first · {command}"),
        None => command,
    };
    PickItem {
        title: agent.title,
        note,
        keys: None,
        is_dim: missing.is_some(),
        action: start(Launch::Named(agent.name)),
    }
}

fn last_command(state: &State, workspace: &Workspace, query: &str) -> Option<PickItem> {
    let Launch::Command(argv) = state.last_choice(workspace.root())? else { return None };
    let command = argv.join(" ");
    rank(&command, query)?;
    Some(PickItem {
        title: format!("Run “{command}”"),
        note: "as last time".to_owned(),
        keys: None,
        is_dim: false,
        action: start(Launch::Command(argv.clone())),
    })
}

fn start(launch: Launch) -> Action {
    Action::Agent(AgentAction::Start { workspace: None, launch })
}
