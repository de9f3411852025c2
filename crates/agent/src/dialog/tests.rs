//! Dialogs of real programs: what they are about, and how each answer is given.

use config::Config;
use terminal::{GridSize, TerminalBuffer, TerminalOptions};

use super::*;

/// What a question is about, and its answers as `key label (what is sent)`.
#[track_caller]
fn check(screen: &str, about: &str, answers: &str) {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 70, rows: 16 }, TerminalOptions::default());
    terminal.feed(screen.replace('\n', "\r\n").as_bytes());
    let mut look = ScreenLook::default();
    assert!(terminal.look(&mut look), "a look");
    let dialog = read(&look, &Config::default().rules("any", "any")).expect("a question");
    assert_eq!(dialog.about.join(" | "), about, "what it is about: {screen}");
    let answer = |it: &Answer| {
        let default = if it.is_default { "*" } else { "" };
        format!("{} {} ({}){default}", it.key, it.label, it.sends.escape_debug())
    };
    let given: Vec<String> = dialog.answers.iter().map(answer).collect();
    assert_eq!(given.join(", "), answers, "answers to: {screen}");
}

#[test]
fn a_framed_dialog_is_read_up_to_its_edge() {
    check(
        "earlier\n╭────────╮\n│ Bash command\n│\n│   touch x\n│   Make a file\n│\n\
         │ Do you want to proceed?\n│ ❯ 1. Yes\n│   2. No, and say why\n╰────────╯",
        "Bash command | touch x | Make a file",
        "1 Yes (1), 2 No, and say why (2)",
    );
}

#[test]
fn what_stands_before_the_choices_is_what_it_is_about() {
    check(
        "• I will do that\n\nWould you like to run the following command?\n\n  $ touch x\n\n\
         › 1. Yes, proceed (y)\n  2. No (esc)",
        "$ touch x",
        "1 Yes, proceed (y) (1), 2 No (esc) (2)",
    );
}

#[test]
fn a_question_without_an_edge_is_about_the_lines_right_above() {
    check(
        "long ago\n\nmkdir out\ntouch out/x\nRun shell commands? (Y)es/(N)o/(D)on't ask again [Yes]: ",
        "mkdir out | touch out/x",
        "y Yes (y\\r), n No (n\\r), d Don't ask again (d\\r)",
    );
}

#[test]
fn answers_in_brackets_are_typed_as_words() {
    check("Proceed? [y/N] ", "", "y Yes (y\\r), n No (n\\r)*");
    check("Proceed? [Y/n] ", "", "y Yes (y\\r)*, n No (n\\r)");
    check("Are you sure (yes/no/[fingerprint])? ", "", "y Yes (yes\\r), n No (no\\r)");
    check("(1/2) Stage this hunk [y,n,q,a,d,e,?]? ", "", {
        "y Yes (y\\r), n No (n\\r), q q (q\\r), a a (a\\r), d d (d\\r), e e (e\\r), ? ? (?\\r)"
    });
}

#[test]
fn what_no_answer_can_be_told_of_has_none() {
    check("[sudo] password for dev: ", "", "");
    check("△ Permission required\n  Allow once  Allow always  Reject", "", "");
}

#[test]
fn long_dialogs_keep_what_is_nearest_to_the_question() {
    let rows: Vec<String> = (0..11).map(|row| format!("row {row}")).collect();
    let screen = format!("────\n{}\nDo you want to proceed?\n1. Yes\n2. No", rows.join("\n"));
    check(
        &screen,
        "row 3 | row 4 | row 5 | row 6 | row 7 | row 8 | row 9 | row 10",
        "1 Yes (1), 2 No (2)",
    );
}
