//! Dialogs on screens that move.

use config::Config;

use super::*;

/// Draws `screen`, then `frame` of every tenth of a second, and writes the states that the agent goes
/// through from the moment at which the screen is drawn.
#[track_caller]
fn check(screen: &str, frame: impl Fn(u32) -> String, expected: &str) {
    const TENTH: Duration = Duration::from_millis(100);
    let start = epoch();
    let terminal =
        TerminalBuffer::new(GridSize { columns: 60, rows: 16 }, TerminalOptions::default());
    let rules = Arc::new(Config::default().rules("any", "any"));
    let id = AgentIds::default().mint();
    let mut agent =
        AgentHandle::new(id, "fake", Vec::new(), terminal, Timeouts::default(), rules, start);
    let mut states = Vec::new();
    for tenth in 0..80 {
        let now = start + TENTH * tenth;
        let text = match tenth {
            0..30 => format!("\r{} Working", spinner(tenth)),
            30 => format!("\x1b[2J\x1b[H{}", screen.replace('\n', "\r\n")),
            _ => frame(tenth),
        };
        agent.terminal().feed(text.as_bytes());
        agent.on_output(now);
        while let Some(at) = agent.next_deadline().filter(|at| *at < now + TENTH) {
            agent.on_deadline(at);
        }
        let reason = agent.reason().map_or("", Reason::name);
        let state = format!("{} {reason}", agent.state().name()).trim_end().to_owned();
        if tenth >= 30 && states.last() != Some(&state) {
            states.push(state);
        }
    }
    assert_eq!(states.join(" > "), expected, "on {screen:?}");
}

fn spinner(tenth: u32) -> char {
    ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦'][usize::try_from(tenth).unwrap() % 7]
}

/// A spinner in that row, from 1. The cursor goes back to where it was.
fn spins_in(row: u32) -> impl Fn(u32) -> String {
    move |tenth| format!("\x1b7\x1b[{row};1H{} busy\x1b8", spinner(tenth))
}

const MENU: &str = "\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n";

#[test]
fn a_dialog_is_asked_whatever_moves_above_it() {
    check(MENU, spins_in(1), "running > needs_input permission");
    check("\n\n Run cargo test?\n ❯ 1. Yes\n   2. No\n", spins_in(1), {
        "running > needs_input question"
    });
    check("\n\nOverwrite it? [y/N] ", spins_in(1), "running > needs_input confirmation");
    check("\n\nDone. And now? ", spins_in(1), "running");
}

#[test]
fn a_countdown_in_a_dialog_is_a_part_of_it() {
    let countdown = |tenth: u32| match tenth % 10 {
        0 => format!("\rauto-deny in {}s \x1b[K", 13 - tenth / 10),
        _ => String::new(),
    };
    check(MENU, countdown, "running > needs_input permission");
}

#[test]
fn a_quoted_dialog_is_none_while_the_agent_works() {
    check(MENU, spins_in(8), "running");
    check(&format!("{MENU}\n● So it asks.\n"), spins_in(1), "running");
    check(&format!("{MENU}\n────\n❯ \n────\n"), spins_in(1), "running");
    check("\n\n Do you want to proceed?\n 1. Yes\n 2. No\n", spins_in(1), "running");
}

#[test]
fn a_dialog_that_is_gone_is_no_longer_asked() {
    let goes = |tenth: u32| match tenth {
        55 => "\x1b[3;1H\x1b[J".to_owned(),
        _ => spins_in(1)(tenth),
    };
    check(MENU, goes, "running > needs_input permission > running");
}
