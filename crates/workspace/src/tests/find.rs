//! Finding text in terminals, and going through what they have shown.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::{FindAction, FindOutcome, OutputAction, PromptKind, TerminalAction};

/// Plays a script whose searches are answered after each step; then says what the bar says.
#[track_caller]
fn played(script: &str) -> Stage {
    let mut stage = Stage::new();
    for step in script.split(", ") {
        stage.step(step);
        answer(&mut stage);
    }
    stage
}

/// Does what the search thread would; gives how many searches there were.
fn answer(stage: &mut Stage) -> usize {
    let effects = std::mem::take(&mut stage.effects);
    let (searches, others): (Vec<_>, Vec<_>) =
        effects.into_iter().partition(|effect| matches!(effect, Effect::Search { .. }));
    stage.effects = others;
    let count = searches.len();
    for effect in searches {
        let Effect::Search { search, terminal, query, .. } = effect else { continue };
        let stop = AtomicBool::new(false);
        let result = query.compile().map(|pattern| terminal.contents().search(&pattern, &stop));
        stage.fact(Fact::Searched { search, result });
    }
    count
}

fn said(stage: &Stage) -> String {
    stage.state.find().map_or_else(|| "closed".to_owned(), crate::Find::summary)
}

#[track_caller]
fn check_find(script: &str, says: &str) {
    let stage =
        played(&format!("open /a, terminal sh, prints one\r\ntwo\r\nOne\r\nbone, {script}"));
    assert_eq!(said(&stage), says, "after {script}");
}

#[test]
fn what_is_typed_is_found_and_counted_from_the_newest() {
    check_find("key ctrl-shift-f", "");
    check_find("key ctrl-shift-f, type one", "1 of 3");
    check_find("key ctrl-shift-f, type o, type n, type e", "1 of 3");
    check_find("key ctrl-shift-f, type none", "none");
    check_find("key ctrl-shift-f, type one, key backspace backspace backspace", "");
    check_find("key ctrl-shift-f, key o n e", "1 of 3");
}

#[test]
fn one_goes_to_older_and_newer_matches_and_around() {
    check_find("key ctrl-shift-f, type one, key enter", "2 of 3");
    check_find("key ctrl-shift-f, type one, key enter enter enter", "1 of 3");
    check_find("key ctrl-shift-f, type one, key shift-enter", "3 of 3");
    check_find("key ctrl-shift-f, type one, key up, key f3, key down, key shift-f3", "1 of 3");
}

#[test]
fn case_and_patterns_matter_when_asked_to() {
    check_find("key ctrl-shift-f, type One, key alt-c", "1 of 1");
    check_find("key ctrl-shift-f, type ^o, key alt-r", "1 of 2");
    check_find("key ctrl-shift-f, type ^o", "none");
    check_find("key ctrl-shift-f, type (, key alt-r", "unclosed group");
    check_find("key ctrl-shift-f, type (, key alt-r, key alt-r", "none");
}

#[test]
fn escape_closes_and_the_marks_go() {
    check_find("key ctrl-shift-f, type one, key escape", "closed");
    let stage = played("open /a, terminal sh, prints one, key ctrl-shift-f, type one, key escape");
    let mut snapshot = terminal::Snapshot::default();
    let view = stage.state.focused_terminal().unwrap();
    assert!(view.buffer().snapshot_into(&mut snapshot), "a first snapshot");
    assert!(snapshot.rows.iter().all(|row| row.matches.is_empty()), "nothing is marked");
}

#[test]
fn keys_go_to_the_bar_and_none_to_the_program() {
    let script = "open /a, terminal sh, key ctrl-shift-f, type ls, key enter ctrl-c ctrl-d ctrl-a end ctrl-e f5";
    let stage = played(script);
    let written = stage.effects.iter().any(|effect| matches!(effect, Effect::WritePty { .. }));
    assert!(!written, "nothing reaches the program: {:?}", stage.effects);
    assert_eq!(stage.state.find().unwrap().input().text(), "ls", "it is in the bar");
}

/// What is in the bar after keys, and what of it is selected.
#[track_caller]
fn check_text(script: &str, text: &str, selected: &str) {
    let stage = played(&format!("open /a, terminal sh, prints one two, {script}"));
    let input = stage.state.find().expect("a bar").input();
    let got = (input.text(), &input.text()[input.selection()]);
    assert_eq!(got, (text, selected), "after {script}");
}

#[test]
fn what_was_looked_for_is_selected_and_replaced_by_what_is_typed() {
    check_text("key ctrl-shift-f, type one", "one", "");
    check_text("key ctrl-shift-f, type one, key ctrl-a", "one", "one");
    check_text("key ctrl-shift-f, type one, key ctrl-a, type two", "two", "");
    check_text("key ctrl-shift-f, type one, key ctrl-shift-f", "one", "one");
    check_text("key ctrl-shift-f, type one, key ctrl-shift-f t", "t", "");
    check_text("key ctrl-shift-f, type one, key escape ctrl-shift-f", "one", "one");
    check_text("key ctrl-shift-f, type one, key escape ctrl-shift-f, type two", "two", "");
    check_text("key ctrl-shift-f, type one, terminal zsh, key ctrl-shift-f", "one", "one");
    check_text("key ctrl-shift-f, type one, key escape ctrl-shift-f shift-left", "one", "on");
}

#[test]
fn opening_the_bar_again_searches_only_once_asked_to() {
    check_find("key ctrl-shift-f, type one, key escape ctrl-shift-f", "");
    check_find("key ctrl-shift-f, type one, key escape ctrl-shift-f, key enter", "1 of 3");
    check_find("key ctrl-shift-f, type One, key alt-c, key escape ctrl-shift-f, key f3", "1 of 1");
    check_find("key ctrl-shift-f, key enter", "");
}

#[test]
fn a_modifier_alone_is_not_told_to_the_program_behind_the_bar() {
    let mut stage = played("open /a, terminal sh, prints \u{1b}[>8u, key ctrl-shift-f");
    stage.effects.clear();
    let key = terminal::Key::Named(terminal::NamedKey::Modifier(terminal::ModifierKey::LeftShift));
    let mut input = State::parse_keys("x").expect("a key").remove(0);
    (input.press.key, input.base) = (key, None);
    stage.act(Action::Key(input.clone())).unwrap();
    assert!(stage.effects.is_empty(), "{:?}", stage.effects);
    stage.step("key escape");
    stage.effects.clear();
    stage.act(Action::Key(input)).unwrap();
    let is_told = stage.effects.iter().any(|it| matches!(it, Effect::WritePty { .. }));
    assert!(is_told, "once it has the keys: {:?}", stage.effects);
}

#[test]
fn a_click_into_the_terminal_takes_the_keys_back() {
    let mut stage = played("open /a, terminal sh, prints one, key ctrl-shift-f, type one");
    let at = terminal::CellPoint { row: 0, column: 0 };
    let kind = terminal::SelectionKind::Cell;
    let select = TerminalAction::Select { kind, at, side: terminal::Side::Left };
    stage.act(Action::Terminal(select)).unwrap();
    stage.step("key x");
    assert!(stage.effects.iter().any(|it| matches!(it, Effect::WritePty { .. })), "typed there");
    assert_eq!(said(&stage), "1 of 1", "the bar stays");
    stage.act(Action::Find(FindAction::TakeKeys)).unwrap();
    stage.step("key escape");
    assert_eq!(said(&stage), "closed", "and has them again");
}

#[test]
fn what_is_selected_is_looked_for() {
    let mut stage = played("open /a, terminal sh, prints one two one");
    let at = terminal::CellPoint { row: 0, column: 1 };
    let kind = terminal::SelectionKind::Word;
    let select = TerminalAction::Select { kind, at, side: terminal::Side::Left };
    stage.act(Action::Terminal(select)).unwrap();
    stage.step("key ctrl-shift-f");
    answer(&mut stage);
    assert_eq!(said(&stage), "1 of 2", "the word");
}

#[test]
fn output_is_searched_again_a_few_times_a_second_and_the_match_stays() {
    let mut stage =
        played("open /a, terminal sh, prints one\r\none\r\n, key ctrl-shift-f, type one");
    stage.step("key enter");
    assert_eq!(said(&stage), "2 of 2", "the older one");
    for _ in 0..50 {
        stage.step("prints one\r\n");
    }
    assert_eq!(answer(&mut stage), 0, "not at once");
    stage.step("after 0.25");
    assert_eq!(answer(&mut stage), 1, "once");
    assert_eq!(said(&stage), "52 of 52", "the same match as before, the oldest");
    assert_eq!(stage.state.find_due(), None, "nothing more to do until something is printed");
}

#[test]
fn a_late_answer_to_another_question_is_dropped() {
    let mut stage =
        Stage::play("open /a, terminal sh, prints one, key ctrl-shift-f, type o, type x");
    let searches: Vec<Effect> = std::mem::take(&mut stage.effects);
    let Some(Effect::Search { search, terminal, query, .. }) =
        searches.into_iter().find(|effect| matches!(effect, Effect::Search { .. }))
    else {
        panic!("a search");
    };
    assert_eq!(query.pattern, "o", "the first");
    let found = terminal.contents().search(&query.compile().unwrap(), &AtomicBool::new(false));
    stage.fact(Fact::Searched { search, result: Ok(found) });
    assert_eq!(*stage.state.find().unwrap().outcome(), FindOutcome::Unknown, "not taken in");
}

#[test]
fn many_matches_are_told_as_such() {
    let mut stage = played("open /a, terminal sh, prints a, key ctrl-shift-f, type a");
    let searches = stage.state.searches;
    let FindOutcome::Found { matches, .. } = stage.state.find().unwrap().outcome().clone() else {
        panic!("found");
    };
    let partial = terminal::SearchMatches { is_partial: true, ..matches };
    stage.fact(Fact::Searched { search: searches, result: Ok(partial) });
    assert_eq!(said(&stage), "1 of 1+", "there may be more");
}

#[test]
fn the_bar_goes_with_its_terminal() {
    check_find("key ctrl-shift-f, type one, terminal zsh", "1 of 3");
    check_find("key ctrl-shift-f, type one, terminal zsh, key ctrl-shift-f", "");
    check_find("key ctrl-shift-f, type one, key ctrl-shift-w, open /a", "closed");
    check_refused("open /a", Action::Find(FindAction::Open), "there is no terminal here");
    check_refused("open /a", Action::Find(FindAction::Next), "nothing is being looked for");
}

#[test]
fn prompts_are_gone_to_where_the_shell_marks_them() {
    let prompt = "\x1b]133;A\x07$ \x1b]133;C\x07";
    let mut stage = Stage::play("open /a, terminal sh");
    for number in 0..3 {
        stage.step(&format!("prints {prompt}run {number}\r\n"));
        stage.step(&format!("prints {}", "out\r\n".repeat(40)));
    }
    let top =
        |stage: &Stage| stage.state.focused_terminal().unwrap().buffer().visible_text()[0].clone();
    stage.step("key ctrl-shift-z");
    assert_eq!(top(&stage), "$ run 2", "the last");
    stage.step("key ctrl-shift-z");
    assert_eq!(top(&stage), "$ run 1", "the one before");
    stage.step("key ctrl-shift-x");
    assert_eq!(top(&stage), "$ run 2", "and back");
    let script = "open /a, terminal sh, prints x";
    check_refused(script, Action::Terminal(TerminalAction::PreviousPrompt), "no prompt");
}

#[test]
fn clearing_forgets_what_is_above() {
    let mut stage = Stage::play("open /a, terminal sh");
    stage.step(&format!("prints {}$ ", "out\r\n".repeat(100)));
    stage.step("key ctrl-shift-k");
    let text = stage.state.focused_terminal().unwrap().buffer().visible_text();
    assert_eq!(text[0], "$", "the prompt is left: {text:?}");
}

#[test]
fn output_is_saved_where_one_says_and_not_over_a_file_unasked() {
    let mut stage = Stage::play("open /a, terminal /bin/my sh");
    stage.act(Action::Output(OutputAction::AskPath)).unwrap();
    let Some(Overlay::Prompt(prompt)) = stage.state.overlay() else { panic!("a prompt") };
    assert_eq!(prompt.input.text(), "/a/my-sh-output.txt", "a name to begin with");
    let program = ProgramId::Terminal(stage.terminal());
    assert_eq!(prompt.kind, PromptKind::SaveOutput(program), "of that terminal");
    stage.step("key enter");
    let saves = |stage: &Stage| match stage.effects.last() {
        Some(Effect::SaveOutput { path, replace, .. }) => Some((path.clone(), *replace)),
        _ => None,
    };
    let path = PathBuf::from("/a/my-sh-output.txt");
    assert_eq!(saves(&stage), Some((path.clone(), false)), "as typed");
    stage.fact(Fact::Refused("no such folder".to_owned()));
    assert!(matches!(stage.state.overlay(), Some(Overlay::Prompt(_))), "to be typed again");
    stage.fact(Fact::OutputExists { program, path: path.clone() });
    assert!(matches!(stage.state.overlay(), Some(Overlay::Confirm(_))), "asks");
    stage.step("key right enter");
    assert_eq!(saves(&stage), Some((path.clone(), true)), "replaces");
    stage.fact(Fact::OutputSaved { program, path });
    let toast = stage.state.toast().unwrap().text.clone();
    assert_eq!(toast, "Output of my sh saved to /a/my-sh-output.txt", "says where");
}
