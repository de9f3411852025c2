//! The default config as a file to start from.

use crate::value::duration_text;
use crate::{AgentConfig, Config, NotifyConfig, REASONS};

/// A config file in which every setting stands at its default, switched off by a `#`.
///
/// Taking the `#` from all of those lines changes nothing; it shows the names and values there are.
pub fn default_text() -> String {
    let Config {
        theme,
        font_size,
        text_rendering,
        reduced_motion,
        agents,
        limits,
        terminal,
        environment,
        notify,
        recording,
        attach,
        ..
    } = Config::default();
    let agents: Vec<String> = agents.iter().map(|(name, agent)| agent_text(name, agent)).collect();
    format!(
        r##"# Settings of Trackside. Changes apply as soon as the file is saved.
# A line that begins with `#` and no space shows a default: remove the `#` to change it.

# auto | dark | light
#theme = "{theme}"
# Size of code and terminal text, 6 to 72.
#font_size = {font_size:?}
# auto | lcd | grayscale: how the edges of letters are smoothed. lcd is sharper on screens whose
# pixels are red, green and blue stripes; auto is lcd where the system's fonts are set up for it.
#text_rendering = "{text_rendering}"
# Nothing pulses, slides or fades. "auto": where your desktop asks for that | true | false
#reduced_motion = {reduced_motion}

#[terminal]
# Lines kept above the screen, 0 to 200000.
#scrollback_lines = {scrollback_lines}
# Program to run; your $SHELL when absent.
# shell = "/bin/bash"
# What Shift+Enter sends to programs that do not ask for keys to be told apart:
# enter, as terminals do, or newline, a line feed that many agents take for a new line.
#shift_enter = "{shift_enter}"
# Also copy to the clipboard what is selected with the mouse; the middle button pastes it in any case.
#copy_on_select = {copy_on_select}
# Keep the scrollback when a program clears it, as some agents do all the time.
#keep_history = {keep_history}
# The least contrast of text with its ground, 1 to 21; 4.5 is easy to read, 1 changes nothing.
#minimum_contrast = {minimum_contrast:?}

#[environment]
# Look for programs also where your login shell finds them (nvm, asdf, mise): it is run once at the
# start. auto: only when Trackside was not started from a shell | always | never
#login_path = "{login_path}"

#[notify]
# Tell on the desktop that an agent waits, while the window is not the one you work in.
#desktop = {desktop}
# The desktop plays it: true for its usual sound | a name of its sound theme | "/path/of/a/file"
#sound = false
# Also run a program, without a shell, for each agent that begins to wait. TRACKSIDE_WORKSPACE, _ROOT,
# _AGENT, _STATE, _REASON and _TEXT say which and for what.
#command = {command:?}
# What is told of. There is also "silence", a guess from a quiet program, and "gave_up".
#reasons = {reasons:?}
# Do not disturb: nothing of this is done. `notify.toggle_dnd` switches it for the time being.
#dnd = {dnd}
# Also when started with --headless.
#headless = {headless}
# The least time between two notifications about the same agent.
#min_interval = "{min_interval}"

#[recording]
# Keep the last minutes of each agent in memory, so that "Agent: This is wrong" can save them.
#keep = {keep}

#[attach]
# What leaves `trackside agent attach`: Ctrl with a letter or one of \ ] ^ _. The agent goes on.
#detach_key = {detach_key:?}

#[limits]
# Agents alive at once, 1 to 1000.
#max_agents = {max_agents}
# Tasks running at once, 0 to 1000; 0 holds the queue.
#slots = {slots}
# From SIGTERM to SIGKILL: for one agent, and for all of them on quitting.
#stop_grace = "{stop_grace}"
#shutdown_timeout = "{shutdown_timeout}"

# Chord to action; `trackside do --list` names the actions.
#[keys]
# "ctrl-shift-k" = "agent.stop"

# One table for each agent; a name of your own needs a `start`.
# $TRACKSIDE_PROMPT, $TRACKSIDE_WORKTREE and the like are replaced in arguments. `hooks`: ask
# claude, codex and aider by an argument of the launch (--settings, -c notify, --notifications-command) to
# tell us their state. Nothing is written to their settings; what you set yourself stays, and is not added to.
# The same tables in a folder's .trackside/config.toml hold for that folder, once you trust it.
#
# Programs are told who we are: TERM_PROGRAM=trackside. Some agents send notifications, or use all
# keys, only in terminals they know by name. `env` can give one agent another name to go by; that is
# a statement about us which is not true, so it is yours to make:
#   env = {{ "TERM_PROGRAM" = "ghostty" }}
#
# Rules read titles and screens. Yours are tried before those that come with Trackside; one with the id
# of another replaces it, `enabled = false` switches it off. `trackside agent rules list` shows all.
#   [[agents.claude.rules]]
#   id = "my.deploy"
#   kind = "screen"
#   reason = "permission"
#   pattern = 'Deploy to (staging|production)\?'
{agents}"##,
        theme = theme.name(),
        text_rendering = text_rendering.name(),
        reduced_motion = reduced_motion.toml(),
        login_path = environment.login_path.name(),
        desktop = notify.desktop,
        command = notify.command,
        reasons = usual_reasons(&notify),
        dnd = notify.dnd,
        headless = notify.headless,
        min_interval = duration_text(notify.min_interval),
        keep = recording.keep,
        detach_key = attach.detach_key.to_string(),
        scrollback_lines = terminal.scrollback_lines,
        shift_enter = terminal.shift_enter.name(),
        copy_on_select = terminal.copy_on_select,
        keep_history = terminal.keep_history,
        minimum_contrast = terminal.minimum_contrast,
        max_agents = limits.max_agents,
        slots = limits.slots,
        stop_grace = duration_text(limits.stop_grace),
        shutdown_timeout = duration_text(limits.shutdown_timeout),
        agents = agents.join("\n"),
    )
}

/// In the order in which they are documented.
fn usual_reasons(notify: &NotifyConfig) -> Vec<&'static str> {
    REASONS.into_iter().filter(|name| notify.reasons.contains(name)).collect()
}

fn agent_text(name: &str, agent: &AgentConfig) -> String {
    let command = |key: &str, words: &[String]| match words {
        [] => String::new(),
        _ => format!("#{key} = {words:?}\n"),
    };
    let variables = agent.env.iter().map(|(name, value)| format!(" {name:?} = {value:?}"));
    [
        format!("#[agents.{name}]\n"),
        agent.display_name.as_ref().map_or(String::new(), |it| format!("#display_name = {it:?}\n")),
        command("start", &agent.start),
        command("resume", &agent.resume),
        command("run", &agent.run),
        format!("#needs_input_timeout = \"{}\"\n", duration_text(agent.needs_input_timeout)),
        format!("#stale_timeout = \"{}\"\n", duration_text(agent.stale_timeout)),
        format!("#restart = \"{}\"\n", agent.restart.name()),
        format!("#hooks = {}\n", agent.hooks),
        format!("#env = {{{} }}\n", variables.collect::<Vec<_>>().join(",")),
    ]
    .concat()
}
