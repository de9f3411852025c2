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
fn an_error_that_aider_has_given_up_at_is_one() {
    let error = "litellm.AuthenticationError: OpenAIException - Incorrect API\nkey provided.\n\
                 The API provider is not able to authenticate you.";
    check_of("aider", &format!("{error}\n\n────────────\ndiff> "), {
        "error: litellm.AuthenticationError: OpenAIException - Incorrect API"
    });
    check_of(
        "aider",
        &format!("{error}\nRetrying in 0.2 seconds...\nDone.\n────────────\ndiff> "),
        "nothing",
    );
}

#[test]
fn a_step_of_a_form_asks_however_many_options_it_has() {
    check("◆  Project name:\n│  vite-project\n└\n", "question: ◆ Project name:");
    check(
        "◇  Project name:\n│  web\n│\n◆  Select a framework:\n│  ● Vanilla\n│  ○ Vue\n│  ○ React\n│  ○ Solid\n└\n",
        "question: ◆ Select a framework:",
    );
    check("◆  Select a framework:\n● a\n● b\n● c\n● d\n", "nothing");
    check("◇  Project name:\n│  web\n└\n", "nothing");
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

#[test]
fn what_an_agent_says_is_no_question_and_no_error() {
    let prompt = "\n\n────\n❯ \n────\n  ? for shortcuts";
    for said in [
        "● The installer now asks:\n\n  Do you want to proceed?\n  1. Yes\n  2. No\n\n● Done.",
        "● It asks:\n\n  Do you want to proceed?\n  ❯ 1. Yes\n    2. No",
        "● I added retries: when the server answers 429 too many\n  or \"quota exceeded\", it backs off.",
        "● Rate limit exceeded errors are retried now.",
        "● Fixed the server error.",
        "So much for 429 too many requests.",
        "● I wrote about it.\n  API Error: so it begins, and goes on.",
        "● API Error: 529\n\n● It was gone the second time. Done.",
        "❯ why 401 unauthorized",
        "● Sign in with Google works now.",
        "● The button\n  Sign in with Google\n  works now.",
    ] {
        check(&format!("{said}{prompt}"), "nothing");
    }
    check("● Sign in with Google works now.", "nothing");
    check("✻ API error · retrying in 4s · attempt 2/10", "nothing");
}

#[test]
fn errors_before_the_prompt_are_what_a_program_stopped_at() {
    let prompt = "\n\n────\n❯ \n────\n  ? for shortcuts";
    for (said, text) in [
        ("● API Error: 429 You exceeded your quota\n  plan and so on.", "● API Error: 429 You"),
        ("  ⎿  API Error: 401 · Please run /login", "⎿ API Error: 401"),
        ("Error: rate limit reached, try again", "Error: rate limit reached"),
        ("■ unexpected status 401 Unauthorized: no key", "■ unexpected status 401"),
        ("working\nUsage limit reached. It will reset at 3pm", "Usage limit reached."),
    ] {
        let found = read_screen("any", &format!("{said}{prompt}")).question.expect("an error");
        assert_eq!(found.reason, Reason::Error, "of {said}");
        assert!(found.text.starts_with(text), "of {said}: {}", found.text);
    }
}

#[test]
fn a_menu_with_its_pointer_is_a_question_in_whatever_words() {
    check(
        "Run cargo test?\n ❯ 1. Yes\n   2. No\n\nEsc to cancel",
        "question: Run cargo test? [12]",
    );
    check_of(
        "claude",
        "Would you like to proceed?\n\n ❯ 1. Yes, and auto-accept edits\n   2. No",
        "permission: Would you like to proceed? [12]",
    );
    check("Steps:\n 1. Build\n 2. Test", "nothing");
    check("Two of them?\n ❯ 1. Yes\n ❯ 2. No", "nothing");
    check("Done:\n ❯ 1. Build\n   2. Test\n\n❯ ", "nothing");
}

#[test]
fn a_prompt_that_ends_in_a_colon_says_what_is_waited_for() {
    check("Enter OTP code: ", "question: Enter OTP code:");
    for line in [":", "12: ", "Enter OTP code: 123", "note:\n"] {
        check(line, "nothing");
    }
    let label = read_screen("any", "Enter OTP code: ").question.expect("a label");
    assert_eq!(label.standing, Standing::Words, "it may be progress, too");
}

#[test]
fn a_default_in_brackets_belongs_to_the_question() {
    for line in ["package name: (demo) ", "Is this OK? (yes) ", "Version [0.1.0]: ", "Author [] "] {
        check(line, &format!("question: {}", line.trim()));
    }
    for line in ["(1/2) ", "[##   ] ", "see main(int argc)", "Loading (12 of 30)"] {
        check(line, "nothing");
    }
}

#[test]
fn what_a_person_types_is_no_question() {
    check("❯ what is this?", "nothing");
    check("────\n> is it so? ", "nothing");
    check("What is this? ", "question: What is this?");
}

#[test]
fn a_line_that_the_terminal_has_wrapped_is_read_whole() {
    let begin = "Do you really want to overwrite the file ".repeat(3);
    check(
        &format!("{begin}config.yml? [y/N] "),
        &format!("confirmation: {begin}config.yml? [y/N]"),
    );
    let menu = format!("{begin}config.yml?\n ❯ 1. Yes\n   2. No");
    check(&menu, &format!("question: {begin}config.yml? [12]"));
}
