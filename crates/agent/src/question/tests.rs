//! Dialogs of real agents, as they stand on the screen.

use config::Config;
use terminal::{GridSize, TerminalBuffer, TerminalOptions};

use super::*;

fn read_screen(agent: &str, screen: &str) -> Reading {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 70, rows: 12 }, TerminalOptions::default());
    terminal.feed(screen.replace('\n', "\r\n").as_bytes());
    let mut look = ScreenLook::default();
    assert!(terminal.look(&mut look), "a look");
    read(&look, &Config::default().rules(agent, agent))
}

/// The reason and the text of what is asked, and the keys that answer it.
#[track_caller]
fn check_of(agent: &str, screen: &str, expected: &str) {
    let found = read_screen(agent, screen).question.map_or_else(
        || "nothing".to_owned(),
        |question| {
            let keys: String = question.choices.iter().map(|choice| choice.key).collect();
            let keys = if keys.is_empty() { keys } else { format!(" [{keys}]") };
            format!("{}: {}{keys}", question.reason.name(), question.text)
        },
    );
    assert_eq!(found, expected, "on {screen:?} of {agent}");
}

/// The same for a program of which nothing is known.
#[track_caller]
fn check(screen: &str, expected: &str) {
    check_of("any", screen, expected);
}

#[test]
fn menus_of_agents_are_read_with_their_answers() {
    check(
        "│ Bash command\n│   touch x\n│ Do you want to proceed?\n│ ❯ 1. Yes\n│   2. No",
        "permission: Do you want to proceed? [12]",
    );
    check_of(
        "codex",
        "Would you like to run the following command?\n› 1. Yes, proceed (y)\n  2. No (esc)",
        "permission: Would you like to run the following command? [12]",
    );
    let dialog = "△ Permission required\n  Allow once  Allow always  Reject   enter confirm";
    for agent in ["opencode", "any"] {
        check_of(agent, dialog, "permission: △ Permission required");
    }
    check_of("gemini", "│ Apply this change?\n│ ● 1. Allow once\n│   2. No", {
        "permission: Apply this change? [12]"
    });
    check_of("claude", "Choose the text style that looks best\n❯ 1. Dark\n  2. Light", {
        "first_run: Choose the text style that looks best [12]"
    });
    check("Do you trust the files in this folder?\n● 1. Trust folder\n  2. Don't trust", {
        "first_run: Do you trust the files in this folder? [12]"
    });
}

#[test]
fn line_prompts_are_read_up_to_the_cursor() {
    check(
        "続行しますか Proceed? [y/N] later\u{1b}[5D",
        "confirmation: 続行しますか Proceed? [y/N]",
    );
    check_of("aider", "Create new file? (Y)es/(N)o [Yes]: ", {
        "confirmation: Create new file? (Y)es/(N)o [Yes]:"
    });
    check("[sudo] password for dev: ", "password: [sudo] password for dev:");
    check("Are you sure (yes/no/[fingerprint])? ", {
        "confirmation: Are you sure (yes/no/[fingerprint])?"
    });
    check("(1/2) Stage this hunk [y,n,q,a,d,e,?]? ", {
        "confirmation: (1/2) Stage this hunk [y,n,q,a,d,e,?]?"
    });
}

#[test]
fn ordinary_output_asks_nothing() {
    check("", "nothing");
    check("Compiling api v0.1.0\n   Finished in 3 s\n", "nothing");
    check("1. first\n2. second\n", "nothing");
}

#[test]
fn prompts_of_shells_and_repls_are_known() {
    for prompt in ["dev@demo:$ ", ">>> ", "... ", "sqlite> ", "(gdb) x> ", "❯ "] {
        assert!(read_screen("any", prompt).prompt.is_some(), "{prompt:?}");
    }
    for line in ["", "building 40%\n", "done\n", "Downloading"] {
        assert!(read_screen("any", line).prompt.is_none(), "{line:?}");
    }
}

#[test]
fn a_line_is_empty_that_has_nothing_before_the_cursor() {
    for line in ["", "> sleep 9\n", "> sleep 9\n  "] {
        assert!(read_screen("any", line).is_line_empty, "{line:?}");
    }
    for line in ["> ", "name: ", "a\nb"] {
        assert!(!read_screen("any", line).is_line_empty, "{line:?}");
    }
}
