//! What tells questions apart that read the same, in dialogs of real programs.

use config::Config;
use terminal::{GridSize, ScreenLook, TerminalBuffer, TerminalOptions};

use crate::question;

/// The question and what it is about, as one line shows them.
#[track_caller]
fn check(screen: &str, expected: &str) {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 70, rows: 20 }, TerminalOptions::default());
    terminal.feed(screen.replace('\n', "\r\n").as_bytes());
    let mut look = ScreenLook::default();
    assert!(terminal.look(&mut look), "a look");
    let rules = Config::default().rules("any", "any");
    let question = question::find(&look, &rules).expect("a question");
    assert_eq!(question.line(None), expected, "on {screen}");
}

const YES_NO: &str = "Do you want to proceed?\n❯ 1. Yes\n  2. No";

#[test]
fn a_command_between_dashes_is_named_and_not_the_words_above_it() {
    check(
        &format!(
            "────\n Bash command\n Tip: choose “auto” below\n Run a command\n╌╌╌╌╌╌\n cargo test\n╌╌╌╌╌╌\n{YES_NO}"
        ),
        "cargo test · Do you want to proceed?",
    );
    check(
        &format!(
            "────\n Bash command\n╌╌╌╌╌╌\n sleep 21; echo built >\n out.txt\n╌╌╌╌╌╌\n{YES_NO}"
        ),
        "sleep 21; echo built > out.txt · Do you want to proceed?",
    );
}

#[test]
fn a_command_below_its_heading_is_named() {
    check(
        &format!("────\n Bash command\n\n   rm -rf build\n   Remove the build\n\n {YES_NO}"),
        "rm -rf build · Do you want to proceed?",
    );
}

#[test]
fn what_a_shell_would_be_told_is_named() {
    check(
        "Would you like to run the following command?\n\n  Reason: It builds\n\n  $ make all\n    install\n\n\
         › 1. Yes (y)\n  2. No (esc)",
        "make all install · Would you like to run the following command?",
    );
    check(
        "△ Permission required\n  # Shell command\n\n  $ touch x\n\n \u{1b}[41m Allow once \u{1b}[m Allow always  Reject   enter confirm",
        "touch x · △ Permission required",
    );
    check(
        "╭──────╮\n│ ? Shell touch x │\n│ ╭──╮ │\n│ │ touch x │ │\n│ ╰──╯ │\n\
         │ Allow execution of [Shell]? │\n│ ● 1. Allow once │\n│   2. No │\n╰──────╯",
        "touch x · Allow execution of [Shell]?",
    );
}

#[test]
fn a_file_is_named_once() {
    check(
        "△ Permission required\n  → Edit notes.txt\n  1 + first line\n\n \u{1b}[41m Allow once \u{1b}[m Allow always  Reject   enter confirm",
        "Edit notes.txt · △ Permission required",
    );
    check(
        "Would you like to make the following edits?\n\n  Description: Apply edits\n  Destination: src/main.rs\n\n\
         › 1. Yes (y)\n  2. No (esc)",
        "src/main.rs · Would you like to make the following edits?",
    );
    check(
        "────\n Create file\n notes.txt\n╌╌╌╌╌╌\n 1 first line\n╌╌╌╌╌╌\n Do you want to create notes.txt?\n❯ 1. Yes\n  2. No",
        "Do you want to create notes.txt?",
    );
}

#[test]
fn a_question_in_letters_is_about_the_row_above_it() {
    check(
        "cargo test\nRun shell command? (Y)es/(N)o/(D)on't ask again [Yes]: ",
        "cargo test · Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]:",
    );
}

#[test]
fn what_a_command_has_printed_is_not_what_is_asked_about() {
    check(
        "LD demo\nAdd command output to the chat? (Y)es/(N)o [Yes]: ",
        "Add command output to the chat? (Y)es/(N)o [Yes]:",
    );
}

#[test]
fn what_cannot_be_told_for_certain_is_left_out() {
    check("host web2: ok\nRemove the old release? (y/n) ", "Remove the old release? (y/n)");
    check(
        &format!("────\n Some words that are no heading at all\n and more\n {YES_NO}"),
        "Do you want to proceed?",
    );
    check("[sudo] password for dev: ", "[sudo] password for dev:");
}

#[test]
fn a_long_command_is_cut_where_that_shows() {
    let command = "x".repeat(60);
    let screen = format!("────\n╌╌╌╌╌╌\n {command}\n {command}\n{command}\n╌╌╌╌╌╌\n{YES_NO}");
    let expected = format!("{command} {}… · Do you want to proceed?", &command[..59]);
    check(&screen, &expected);
}
