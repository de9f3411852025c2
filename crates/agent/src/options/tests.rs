//! Menus as programs draw them, and what only looks like one.

use terminal::{GridSize, TerminalBuffer, TerminalOptions};

use super::*;

/// The options found around the row that holds `found`, the selected one in brackets. `{` and `}` switch
/// a background on and off, `<` and `>` dim letters.
#[track_caller]
fn check(screen: &str, found: &str, expected: &str) {
    let size = GridSize { columns: 70, rows: 20 };
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    let styles = [
        ("\n", "\r\n"),
        ("{", "\x1b[30;43m"),
        ("}", "\x1b[0m"),
        ("<", "\x1b[2m"),
        (">", "\x1b[0m"),
    ];
    let bytes = styles.iter().fold(screen.to_owned(), |text, (from, to)| text.replace(from, to));
    drop(terminal.feed(bytes.as_bytes()));
    let mut look = ScreenLook::default();
    assert!(terminal.look(&mut look), "a look");
    let rows = look.rows();
    let row = rows.iter().position(|row| row.contains(found)).expect("the row that was found");
    let options = Options::around(&look, &rows, row).map(|options| {
        let mark = |(at, label): (usize, &str)| match options.selected == Some(at) {
            true => format!("[{label}]"),
            false => label.to_owned(),
        };
        let form = match &options.list {
            List::Numbered(_) => "numbered",
            List::Below(_) => "below",
            List::Beside(_) => "beside",
        };
        let labels: Vec<String> = options.labels().enumerate().map(mark).collect();
        let question = shorten(&rows[options.question_row(&rows, row)]);
        format!("{question} ({form}) {}", labels.join(" | "))
    });
    assert_eq!(options.unwrap_or_default(), expected, "around {found:?} on\n{screen}");
}

#[test]
fn options_with_numbers_are_read_wherever_the_rule_matched() {
    let menu = "Which one?\n\n❯ 1. This\n     a note\n  2. That\n\nEnter to select · Esc to cancel";
    let found = "Which one? (numbered) [This] | That";
    check(menu, "Which", found);
    check(menu, "1. This", found);
    check(menu, "Enter", found);
    check("Proceed?\n1. Yes\n2. No", "Proceed", "Proceed? (numbered) Yes | No");
}

#[test]
fn the_last_list_is_the_menu() {
    check(
        "Write this?\n  1. a line\n  2. another\n  3. more\n❯ 1. Yes\n  2. No",
        "Write this",
        "Write this? (numbered) [Yes] | No",
    );
}

#[test]
fn a_pointer_selects_one_of_those_below_each_other() {
    let keys = "Enter to confirm · Esc to cancel";
    check(&format!("Trust it?\n\n❯ No, exit\n  Yes, I do\n\n{keys}"), "Trust", {
        "Trust it? (below) [No, exit] | Yes, I do"
    });
    check(
        &format!("Which?\n      One\n  ❯ ✔ Two\n      Three\n    ↓ 2 more\n{keys}"),
        "Which",
        "Which? (below) One | [Two] | Three",
    );
    check(&format!("Use it?\n  Yes\n❯ No\n{keys}"), "Enter", "Use it? (below) Yes | [No]");
    check(&format!("Which?\n❯ One\n    a note\n  Two\n    a note\n{keys}"), "Which", {
        "Which? (below) [One] | Two"
    });
}

#[test]
fn a_background_selects_one_of_those_side_by_side() {
    let keys = "   ctrl+f <full screen>  ⇆ <select>  enter <confirm>";
    let row = format!("  {{ Once }}  <Always>   <Reject>   {keys}");
    check(&format!("Allowed?\n{row}"), "Allowed", "Allowed? (beside) [Once] | Always | Reject");
    let row = format!("   <Once>  {{ Always }}  <Reject>   {keys}");
    check(&format!("Allowed?\n┃{row}"), "Allowed", "Allowed? (beside) Once | [Always] | Reject");
    let row = format!("   <Once>   <Always>   <Reject>  {keys}");
    check(&format!("Allowed?\n{row}"), "Allowed", "");
    let row = format!("  {{ Once }} {{ Always }}  <Reject>  {keys}");
    check(&format!("Allowed?\n{row}"), "Allowed", "");
    check("Allowed?\n  { Yes }  No", "Allowed", "");
    check("Allowed?\n  { Yes }  No   esc cancel  enter confirm", "Allowed", {
        "Allowed? (beside) [Yes] | No"
    });
    check("Allowed?\n  \x1b[7m Yes \x1b[0m  No\n enter confirm", "Allowed", {
        "Allowed? (beside) [Yes] | No"
    });
}

#[test]
fn what_cannot_be_told_for_certain_is_not_offered() {
    let keys = "Enter to confirm · Esc to cancel";
    check("Trust it?\n❯ No, exit\n  Yes", "Trust", "");
    check(&format!("Trust it?\n  No, exit\n  Yes\n{keys}"), "Trust", "");
    check(&format!("Trust it?\n❯ No\n  Yes\n\n❯ this\n  that\n{keys}"), "Trust", "");
    check(&format!("Which?\n❯ [ ] One\n  [x] Two\n{keys}"), "Which", "");
    check(&format!("Which?\n❯ 1. ☐ One\n  2. ☑ Two\n{keys}"), "Which", "");
}

#[test]
fn a_list_that_was_printed_is_no_menu() {
    check("1. first\n2. second\nPress Enter to go on", "Press", "");
    check("❯ said\n  by me\n\nDo you want it?\n1. Yes\n2. No", "Do you", {
        "Do you want it? (numbered) Yes | No"
    });
    check("1. first\n2. second\n\n\nWhat now?\n", "What", "");
}
