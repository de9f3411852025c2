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

/// Answers a dialog about `ls -la` at 4 s by its first key, feeds what comes of that, each with the hundredths
/// of a second after the answer, and writes the states from then on with their times.
#[track_caller]
fn check_answered(answer: &[(u32, &str)], expected: &str) {
    const STEP: Duration = Duration::from_millis(10);
    let start = epoch();
    let terminal =
        TerminalBuffer::new(GridSize { columns: 60, rows: 16 }, TerminalOptions::default());
    let rules = Arc::new(Config::default().rules("any", "any"));
    let id = AgentIds::default().mint();
    let mut agent =
        AgentHandle::new(id, "fake", Vec::new(), terminal, Timeouts::default(), rules, start);
    agent.terminal().feed(asked_about("ls -la").as_bytes());
    let mut states = Vec::new();
    let answered = 400;
    for step in 0..answered + 300 {
        let now = start + STEP * step;
        if step == answered {
            agent.on_input(b"1", now);
        }
        for (after, text) in answer {
            if step == answered + after {
                agent.terminal().feed(text.as_bytes());
            }
        }
        agent.on_output(now);
        while let Some(at) = agent.next_deadline().filter(|at| *at < now + STEP) {
            agent.on_deadline(at);
        }
        let state = agent.reason().map_or(agent.state().name(), Reason::name);
        if step >= answered && states.last().is_none_or(|(last, _)| *last != state) {
            states.push((state, f64::from(step - answered) / 100.0));
        }
    }
    let states: Vec<String> = states.iter().map(|(state, at)| format!("{at:.1} {state}")).collect();
    assert_eq!(states.join(", "), expected, "after {answer:?}");
}

fn asked_about(command: &str) -> String {
    format!(
        "{}\r\n Bash command\r\n   {command}\r\n\r\n Do you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n",
        "─".repeat(20)
    )
}

/// Erases a dialog of that height.
const ERASE: &str = "\x1b[7A\x1b[J";

#[test]
fn the_next_dialog_is_asked_however_soon_it_comes() {
    let next = asked_about("rm -rf /");
    let at_once = format!("{ERASE}{next}");
    let runs = format!("{ERASE}● Running…\r\n");
    check_answered(&[(0, &at_once)], "0.0 running, 0.6 permission");
    check_answered(&[(0, &runs), (5, &next)], "0.0 running, 0.7 permission");
    check_answered(&[(0, &runs), (30, &next)], "0.0 running, 0.9 permission");
    check_answered(&[(2, &at_once)], "0.0 running, 0.6 permission");
    check_answered(&[(0, ERASE), (15, &next)], "0.0 running, 0.8 permission");
}

#[test]
fn the_same_dialog_is_asked_again_where_it_was_drawn_anew_and_stands_still() {
    let same = asked_about("ls -la");
    let at_once = format!("{ERASE}{same}");
    let runs = format!("{ERASE}● Running…\r\n");
    check_answered(&[(0, &at_once)], "0.0 running, 0.8 permission");
    check_answered(&[(0, "\x1b[H\x1b[2J"), (2, &same)], "0.0 running, 0.9 permission");
    check_answered(&[(0, &runs), (5, &same)], "0.0 running, 0.9 permission");
    check_answered(&[(0, &runs), (30, &same)], "0.0 running, 1.1 permission");
    let below = format!("{ERASE}{}{same}", "\r\n".repeat(12));
    check_answered(&[(0, &below)], "0.0 running, 0.8 permission");
}

#[test]
fn an_answered_dialog_that_stays_on_the_screen_is_not_asked_again() {
    check_answered(&[], "0.0 running");
    check_answered(
        &[(10, "\r\n"), (40, "\rInstalling it 10%"), (45, "\rInstalling it 10%")],
        "0.0 running",
    );
    // It is drawn a last time, and goes.
    let at_once = format!("{ERASE}{}", asked_about("ls -la"));
    check_answered(&[(0, &at_once), (50, ERASE)], "0.0 running");
    // What is printed until it goes is worked on.
    let says = |words: &str| format!("\x1b7\x1b[16;1H{words}\x1b8");
    let (first, then) = (says("so many words"), says("and even more"));
    check_answered(&[(0, &at_once), (60, &first), (120, &then), (180, ERASE)], "0.0 running");
}
