//! What an agent tells through its hook.
//!
//! It is a stranger's text: bounded, and nothing in it is obeyed. What is not understood says nothing.

use serde_json::Value;

use crate::Agent;

/// Bytes of a payload that are looked at; a longer one says nothing.
pub const MAX_PAYLOAD: usize = 256 * 1024;
/// Characters of what is asked or said that are passed on.
const MAX_TEXT: usize = 200;

/// What the agent as a whole does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Works,
    /// It asks the user, perhaps in these words.
    Asks(Asks, Option<String>),
    /// Its turn is over, with these last words.
    Done(Option<String>),
    /// Its session is over; what it told before no longer holds.
    Over,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    Permission,
    Question,
}

/// What an agent says by a call of its hook; `None` where that says nothing of the whole.
pub fn event(agent: Agent, payload: &[u8]) -> Option<Event> {
    if payload.len() > MAX_PAYLOAD {
        return None;
    }
    let told = || serde_json::from_slice::<Value>(payload).ok();
    match agent {
        Agent::Claude => claude(&told()?),
        Agent::Codex => codex(&told()?),
        // It calls when it waits, whatever for, and tells nothing.
        Agent::Aider => Some(Event::Done(None)),
    }
}

/// What the agent calls the session that its hook is about.
pub fn session_id(agent: Agent, payload: &[u8]) -> Option<String> {
    if payload.len() > MAX_PAYLOAD {
        return None;
    }
    let key = match agent {
        Agent::Claude => "session_id",
        Agent::Codex => "thread-id",
        Agent::Aider => return None,
    };
    let told: Value = serde_json::from_slice(payload).ok()?;
    told[key].as_str().filter(|id| is_session_id(id)).map(ToOwned::to_owned)
}

/// Whether it can be one: it becomes an argument, and must not be taken for anything but a name.
pub fn is_session_id(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    text.len() <= 128
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(is_plain)
}

fn claude(told: &Value) -> Option<Event> {
    let name = told["hook_event_name"].as_str()?;
    let tool = told["tool_name"].as_str().unwrap_or_default();
    // A helper of the agent's that asks does so on the same screen. What else it does is its own.
    let is_helper = told["agent_id"].as_str().is_some();
    match name {
        "PermissionRequest" => Some(request(tool, &told["tool_input"])),
        "Notification" => match told["notification_type"].as_str()? {
            // What it asks was told before, in better words.
            "permission_prompt" => Some(Event::Asks(Asks::Permission, None)),
            "elicitation_dialog" => Some(Event::Asks(Asks::Question, line(&told["message"]))),
            "idle_prompt" => Some(Event::Done(None)),
            _ => None,
        },
        _ if is_helper => None,
        "PreToolUse" if is_question(tool) => Some(request(tool, &told["tool_input"])),
        "UserPromptSubmit" | "PreToolUse" | "PostToolUse" => Some(Event::Works),
        "Stop" => Some(Event::Done(last_line(&told["last_assistant_message"]))),
        "SessionEnd" => Some(Event::Over),
        _ => None,
    }
}

fn is_question(tool: &str) -> bool {
    tool == "AskUserQuestion"
}

fn request(tool: &str, input: &Value) -> Event {
    if is_question(tool) {
        return Event::Asks(Asks::Question, line(&input["questions"][0]["question"]));
    }
    let tool = shown(tool);
    let about = ["command", "file_path", "notebook_path", "url", "pattern", "query", "skill"];
    let about = about.iter().find_map(|key| line(&input[*key]));
    let text = match about {
        Some(about) => format!("{tool}: {about}"),
        None => tool,
    };
    let text = Some(cut(&text)).filter(|text| !text.is_empty());
    Event::Asks(Asks::Permission, text)
}

/// Its turns are told when they end. Those of threads beside the user's look the same; that the
/// screen moves on tells them apart.
fn codex(told: &Value) -> Option<Event> {
    let is_end = told["type"] == "agent-turn-complete";
    is_end.then(|| Event::Done(last_line(&told["last-assistant-message"])))
}

/// A text in one line.
fn line(value: &Value) -> Option<String> {
    Some(shown(value.as_str()?)).filter(|text| !text.is_empty())
}

fn last_line(value: &Value) -> Option<String> {
    let mut lines = value.as_str()?.lines().rev().map(shown);
    lines.find(|line| !line.is_empty())
}

/// Without what a terminal would obey, and short.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(MAX_TEXT).collect();
    cut(&words.join(" ").chars().filter(|c| !c.is_control()).collect::<String>())
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests;
