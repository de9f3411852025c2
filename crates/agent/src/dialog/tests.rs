//! Dialogs of real programs: what they are about, and how each answer is given.

use config::Config;
use terminal::{GridSize, TerminalBuffer, TerminalOptions};

use super::*;

#[track_caller]
fn read_screen(screen: &str) -> Dialog {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 70, rows: 16 }, TerminalOptions::default());
    terminal.feed(screen.replace('\n', "\r\n").as_bytes());
    let mut look = ScreenLook::default();
    assert!(terminal.look(&mut look), "a look");
    read(&look, &Config::default().rules("any", "any")).expect("a question")
}

/// What a question is about, and its answers as `key label (what is sent)`.
#[track_caller]
fn check(screen: &str, about: &str, answers: &str) {
    let dialog = read_screen(screen);
    assert_eq!(dialog.about.join(" | "), about, "what it is about: {screen}");
    let answer = |it: &Answer| {
        let default = if it.is_default { "*" } else { "" };
        let given = match &it.given {
            Given::Typed(text) => text.escape_debug().to_string(),
            Given::Selected { arrow, presses } => format!("{presses} {arrow:?}"),
        };
        format!("{} {} ({given}){default}", it.key, it.label)
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
        "1 Yes (1)*, 2 No, and say why (2)",
    );
}

#[test]
fn a_command_between_dashes_or_in_a_frame_of_its_own_is_what_it_is_about() {
    check(
        "before\n────\n Bash command\n╌╌╌╌\n touch x\n╌╌╌╌\nDo you want to proceed?\n1. Yes\n2. No",
        "Bash command | touch x",
        "1 Yes (1), 2 No (2)",
    );
    check(
        "before\n╭──────╮\n│ ? Shell │\n│ ╭──╮ │\n│ │ touch x │ │\n│ ╰──╯ │\n│ Do you want to proceed? │\n\
         │ ● 1. Yes │\n│   2. No │\n╰──────╯",
        "? Shell | touch x",
        "1 Yes (1)*, 2 No (2)",
    );
}

#[test]
fn what_stands_before_the_choices_is_what_it_is_about() {
    check(
        "• I will do that\n\nWould you like to run the following command?\n\n  $ touch x\n\n\
         › 1. Yes, proceed (y)\n  2. No (esc)",
        "$ touch x",
        "1 Yes, proceed (y) (1)*, 2 No (esc) (2)",
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
    check("(2/3) Stage this hunk [y,n,j,J,K,/,?]? ", "", {
        "y Yes (y\\r), n No (n\\r), j j (j\\r), J J (J\\r), K K (K\\r), / / (/\\r), ? ? (?\\r)"
    });
    check("(1/2) Stage this hunk [y,n,q,a,d,e,?]? ", "", {
        "y Yes (y\\r), n No (n\\r), q q (q\\r), a a (a\\r), d d (d\\r), e e (e\\r), ? ? (?\\r)"
    });
}

#[test]
fn what_no_answer_can_be_told_of_has_none() {
    check("[sudo] password for dev: ", "", "");
    check("△ Permission required\n  Allow once  Allow always  Reject", "", "");
    let keys = "Enter to confirm";
    check(&format!("Do you want to proceed?\n❯ Yes\n  Yes\n  No\n{keys}"), "", "");
    check(&format!("Do you want to proceed?\n❯ Yes (y)\n  Yep (y)\n{keys}"), "", "");
}

#[test]
fn an_option_without_a_number_is_gone_to() {
    let keys = "Enter to confirm · Esc to cancel";
    check(&format!("Do you want to proceed?\n  make it\n❯ Yes\n  No\n  Ask\n{keys}"), "", {
        "1 make it (1 ArrowUp), 2 Yes (0 ArrowDown)*, 3 No (1 ArrowDown), 4 Ask (2 ArrowDown)"
    });
    check(
        "△ Permission required\n  touch x\n   Once  \x1b[7m Always \x1b[0m  Not\n enter confirm",
        "touch x",
        "1 Once (1 ArrowLeft), 2 Always (0 ArrowRight)*, 3 Not (1 ArrowRight)",
    );
}

#[test]
fn the_letter_of_an_option_answers() {
    check("Do you want to proceed?\n❯ Yes (y)\n  No, and say why (n)\nEnter to confirm", "", {
        "y Yes (y) (y)*, n No, and say why (n) (n)"
    });
}

#[test]
fn a_question_above_the_options_is_found_from_the_keys_below() {
    check(
        "────\n ☐ Database\n\nWhich one?\n\n❯ 1. This\n  2. That\n\nEnter to select",
        "☐ Database",
        "1 This (1)*, 2 That (2)",
    );
}

#[test]
fn that_a_program_has_moved_is_seen() {
    let read =
        |screen: &str| read_screen(&format!("Permission required\n{screen}\nEnter to confirm"));
    let before = read("❯ Yes\n  No");
    assert!(before.has_selected(0, &before), "where it was");
    assert!(before.has_selected(1, &read("  Yes\n❯ No")), "where it went");
    for other in ["❯ Yes\n  No", "  Yes\n❯ Not", "  Yes\n❯ No\n  Never", "rm x\n\n  Yes\n❯ No"]
    {
        assert!(!before.has_selected(1, &read(other)), "not in {other}");
    }
}

#[test]
fn long_dialogs_keep_what_is_nearest_to_the_question() {
    let rows: Vec<String> = (0..11).map(|row| format!("row {row}")).collect();
    let screen = format!("────\n{}\nDo you want to proceed?\n1. Yes\n2. No", rows.join("\n"));
    check(
        &screen,
        "… | row 4 | row 5 | row 6 | row 7 | row 8 | row 9 | row 10",
        "1 Yes (1), 2 No (2)",
    );
}
