//! Keys, composed text, pastes and focus on their way to programs and files.

use ::terminal::{Key, KeyKind, KeyPress, ModifierKey, Modifiers, NamedKey};

use super::Stage;
use crate::update::KeyMeaning;
use crate::{
    Action, Context, Effect, Fact, KeyInput, Overlay, PasteNews, Preedit, ProgramId, State,
    TerminalAction, ViewAction, default_bindings,
};

/// What a program is sent in the course of a script, as text with escapes.
#[track_caller]
fn check_sent(script: &str, expected: &str) {
    let stage = Stage::play(script);
    assert_eq!(sent(&stage), expected, "after {script}");
}

fn sent(stage: &Stage) -> String {
    let mut bytes = Vec::new();
    for effect in &stage.effects {
        if let Effect::WritePty { bytes: more, .. } = effect {
            bytes.extend_from_slice(more);
        }
    }
    bytes.escape_ascii().to_string()
}

fn key(stage: &mut Stage, chord: &str, kind: KeyKind) {
    for mut input in State::parse_keys(chord).unwrap() {
        input.press.kind = kind;
        stage.act(Action::Key(input)).unwrap();
    }
}

fn modifier(key: ModifierKey, kind: KeyKind) -> Action {
    let press = KeyPress::new(Key::Named(NamedKey::Modifier(key)), Modifiers::empty());
    Action::Key(KeyInput { press: KeyPress { kind, ..press }, base: None })
}

#[test]
fn with_a_terminal_focused_no_key_of_programs_is_ours() {
    for binding in default_bindings() {
        let holds = match binding.context {
            Context::Anywhere | Context::Terminal | Context::Scrollback => true,
            Context::OutsideTerminals | Context::Editor => false,
        };
        let first = binding.sequence[0].to_input().press;
        let is_letter =
            matches!(&first.key, Key::Character(text) if text.contains(char::is_alphabetic));
        let is_character = matches!(first.key, Key::Character(_) | Key::Named(NamedKey::Space));
        let plain = first.modifiers.difference(Modifiers::SHIFT).is_empty() && is_character;
        let ctrl_letter = first.modifiers == Modifiers::CTRL && is_letter;
        let alt = first.modifiers.difference(Modifiers::SHIFT) == Modifiers::ALT;
        let theirs = plain || ctrl_letter || alt;
        assert!(!(holds && theirs), "{} is a key of programs", binding.sequence[0]);
    }
}

#[test]
fn pages_are_scrolled_by_us_only_where_there_is_something_above_the_screen() {
    check_sent("open /a, start cat, key shift-pageup shift-end", "");
    check_sent("open /a, start cat, prints \x1b[?1049h, key shift-pageup", r"\x1b[5;2~");
    check_sent("open /a, terminal sh, key shift-pageup shift-end", "");
    check_sent("open /a, terminal sh, prints \x1b[?1049h, key shift-pageup", r"\x1b[5;2~");
}

#[test]
fn shift_enter_is_enter_unless_the_person_wants_a_new_line() {
    check_sent("open /a, start cat, key shift-enter enter", r"\r\r");
    let mut stage = Stage::play("open /a, start cat");
    stage.state.config.terminal.shift_enter = config::ShiftEnter::Newline;
    stage.step("key shift-enter enter");
    assert_eq!(sent(&stage), r"\n\r", "opted in");
}

#[test]
fn releases_and_modifiers_reach_neither_keymap_nor_files_nor_overlays() {
    let mut stage = Stage::play("open /a, file /a/f, key ctrl-k");
    stage.act(modifier(ModifierKey::LeftCtrl, KeyKind::Release)).unwrap();
    stage.act(modifier(ModifierKey::LeftCtrl, KeyKind::Press)).unwrap();
    key(&mut stage, "ctrl-k", KeyKind::Release);
    assert_eq!(stage.state.pending_keys().len(), 1, "the sequence goes on");
    stage.step("key ctrl-o");
    assert!(matches!(stage.state.overlay(), Some(Overlay::Prompt(_))), "and ends well");
    key(&mut stage, "esc", KeyKind::Release);
    assert!(stage.state.overlay().is_some(), "a release cancels nothing");
    let mut stage = Stage::play("open /a, file /a/f");
    key(&mut stage, "x", KeyKind::Release);
    assert!(!stage.state.active_file().unwrap().1.is_modified(), "and types nothing");
}

#[test]
fn a_release_without_a_press_is_not_told() {
    let mut stage = Stage::play("open /a, start cat");
    key(&mut stage, "a", KeyKind::Release);
    key(&mut stage, "a", KeyKind::Press);
    key(&mut stage, "a", KeyKind::Release);
    assert_eq!(sent(&stage), "a", "without the protocol no release at all");
}

#[test]
fn a_release_is_told_to_the_program_that_was_told_of_the_press() {
    let mut stage = Stage::play("open /a, start cat, prints \x1b[>3u, file /a/f, key ctrl-tab");
    for kind in [KeyKind::Press, KeyKind::Release] {
        key(&mut stage, "a", kind);
    }
    assert_eq!(sent(&stage), r"a\x1b[97;1:3u", "both");
    stage.effects.clear();
    for kind in [KeyKind::Press, KeyKind::Release] {
        key(&mut stage, "ctrl-shift-p", kind);
        key(&mut stage, "esc", kind);
    }
    assert_eq!(sent(&stage), "", "keys of ours are let go of in silence");
    key(&mut stage, "b", KeyKind::Press);
    stage.step("key ctrl-tab ctrl-tab");
    key(&mut stage, "b", KeyKind::Release);
    assert_eq!(sent(&stage), "b", "what was held while the focus was elsewhere is forgotten");
}

#[test]
fn keys_of_the_keypad_type_and_move_in_files() {
    let keypad = |key, text: Option<&str>| {
        let press = KeyPress::new(Key::Named(NamedKey::Keypad(key)), Modifiers::empty());
        let press = KeyPress { text: text.map(str::to_owned), ..press };
        Action::Key(KeyInput { press, base: None })
    };
    let mut stage = Stage::play("open /a, file /a/f");
    stage.act(keypad(::terminal::KeypadKey::Digit(5), Some("5"))).unwrap();
    stage.act(keypad(::terminal::KeypadKey::Enter, None)).unwrap();
    let (_, file) = stage.state.active_file().unwrap();
    assert_eq!(file.document().to_bytes(), b"5\ntext\n", "typed");
}

#[test]
fn keys_of_the_keypad_change_the_size_of_text() {
    use ::terminal::KeypadKey;
    fn check(key: KeypadKey, expected: Action) {
        let press = KeyPress::new(Key::Named(NamedKey::Keypad(key)), Modifiers::CTRL);
        let mut state = State::new(config::Config::default());
        let got = state.bound_action(&KeyInput { press, base: None }.off_keypad()).unwrap();
        let KeyMeaning::Action(got) = got else { panic!("{key:?} does nothing") };
        assert_eq!(format!("{got:?}"), format!("{expected:?}"), "{key:?}");
    }
    check(KeypadKey::Add, Action::View(ViewAction::ZoomIn));
    check(KeypadKey::Subtract, Action::View(ViewAction::ZoomOut));
    check(KeypadKey::Digit(0), Action::View(ViewAction::ZoomReset));
}

#[test]
fn shortcuts_are_found_on_layouts_where_their_keys_are_elsewhere() {
    #[track_caller]
    fn check(text: &str, modifiers: Modifiers, base: char, us: char, expected: &str) {
        let press = KeyPress::new(Key::Character(text.to_owned()), modifiers);
        let press = KeyPress { base_layout: Some(us), ..press };
        let input = KeyInput { press, base: Some(base) };
        let mut state = State::new(config::Config::default());
        let found = match state.bound_action(&input).unwrap() {
            KeyMeaning::Action(action) => format!("{action:?}"),
            KeyMeaning::Pending => "pending".to_owned(),
            KeyMeaning::Plain => "plain".to_owned(),
        };
        assert!(found.contains(expected), "{text} with {modifiers:?} is {found}");
    }
    let ctrl_shift = Modifiers::CTRL | Modifiers::SHIFT;
    // Cyrillic, Dvorak (the key of a US R types P), German Shift+0, French 1.
    check("З", ctrl_shift, 'p', 'p', "Palette");
    check("P", ctrl_shift, 'p', 'r', "Palette");
    check("=", ctrl_shift, '0', '0', "ZoomIn");
    // The plus of a US keyboard, and that of a German one.
    check("+", ctrl_shift, '=', '=', "ZoomIn");
    check("+", Modifiers::CTRL, '+', ']', "ZoomIn");
    check("&", Modifiers::CTRL | Modifiers::ALT, '&', '1', "ActivateNumber(1)");
    check("p", Modifiers::CTRL | Modifiers::CAPS_LOCK, 'p', 'p', "File");
    check("q", Modifiers::empty(), 'q', 'q', "plain");
}

const ASKED: &str = "open /a, start cat, prints \x1b[?1004h";

#[test]
fn whatever_takes_the_focus_from_a_program_it_is_told_once() {
    check_sent(&format!("{ASKED}, unfocus"), r"\x1b[O");
    check_sent(&format!("{ASKED}, unfocus, unfocus"), r"\x1b[O");
    check_sent(&format!("{ASKED}, unfocus, focus, focus"), r"\x1b[O\x1b[I");
    check_sent(&format!("{ASKED}, open /b"), r"\x1b[O");
    check_sent(&format!("{ASKED}, open /b, open /a"), r"\x1b[O\x1b[I");
    check_sent(&format!("{ASKED}, file /a/f"), r"\x1b[O");
    check_sent(&format!("{ASKED}, file /a/f, key ctrl-tab"), r"\x1b[O\x1b[I");
    check_sent(&format!("{ASKED}, key ctrl-shift-p"), r"\x1b[O");
    check_sent(&format!("{ASKED}, key ctrl-shift-p esc"), r"\x1b[O\x1b[I");
    check_sent(&format!("{ASKED}, key ctrl-shift-p, unfocus, focus, key esc"), r"\x1b[O\x1b[I");
    check_sent(&format!("{ASKED}, unfocus, key ctrl-shift-p esc, focus"), r"\x1b[O\x1b[I");
    check_sent(&format!("{ASKED}, open /b, unfocus, focus"), r"\x1b[O");
    check_sent("open /a, start cat, unfocus, focus", "");
    check_sent(&format!("{ASKED}, exits 0, unfocus, focus"), "");
}

#[test]
fn the_one_left_and_the_one_entered_are_both_told() {
    let script = format!("{ASKED}, open /b, start cat, prints \x1b[?1004h, open /a, open /b");
    check_sent(&script, r"\x1b[O\x1b[O\x1b[I\x1b[O\x1b[I");
}

/// What an agent and the shell to its right are sent, both having asked for news of the focus.
#[track_caller]
fn check_told(script: &str, expected: &str) {
    let mut stage = Stage::play("open /a, start cat, prints \x1b[?1004h");
    stage.step("key ctrl-shift-5");
    let program = ProgramId::Terminal(stage.terminal());
    stage.fact(Fact::Spawned { program, pid: 9, cwd: "/a".into(), outlives_us: false });
    stage.step("prints \x1b[?1004h");
    stage.effects.clear();
    for step in script.split(", ") {
        stage.step(step);
    }
    let told = stage.effects.iter().filter_map(|effect| match effect {
        Effect::WritePty { program, bytes } => {
            let who = if matches!(program, ProgramId::Agent(_)) { "agent" } else { "shell" };
            Some(format!("{who} {}", bytes.escape_ascii()))
        }
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>().join("; "), expected, "after {script}");
}

#[test]
fn programs_side_by_side_are_told_which_of_them_has_the_focus() {
    let to_left = "key ctrl-shift-left";
    let left = r"shell \x1b[O; agent \x1b[I";
    check_told(to_left, left);
    check_told(
        &format!("{to_left}, key ctrl-shift-right"),
        &format!(r"{left}; agent \x1b[O; shell \x1b[I"),
    );
    check_told(
        &format!("{to_left}, unfocus, focus"),
        &format!(r"{left}; agent \x1b[O; agent \x1b[I"),
    );
    check_told("unfocus, focus", r"shell \x1b[O; shell \x1b[I");
    check_told("key ctrl-shift-p esc", r"shell \x1b[O; shell \x1b[I");
    check_told("file /a/f, key ctrl-tab", r"shell \x1b[O; shell \x1b[I");
    check_told("exits 0", r"agent \x1b[I");
    check_told("exits 3, key ctrl-shift-left", r"agent \x1b[I");
}

#[test]
fn keys_held_and_text_composed_in_one_pane_do_not_go_on_in_another() {
    let every_key = "prints \x1b[>11u";
    let split = format!("open /a, terminal sh, {every_key}, key ctrl-shift-5, {every_key}");
    for (step, released) in [("after 0", r"\x1b[97;1:3u"), ("key ctrl-shift-left", "")] {
        let mut stage = Stage::play(&split);
        key(&mut stage, "a", KeyKind::Press);
        compose(&mut stage, "に");
        stage.step(step);
        assert_eq!(stage.state.preedit().is_some(), step == "after 0", "composing, {step}");
        stage.effects.clear();
        key(&mut stage, "a", KeyKind::Release);
        assert_eq!(sent(&stage), released, "released, {step}");
    }
}

#[test]
fn plain_terminals_take_keys_text_and_pastes_like_agents() {
    let mut stage =
        Stage::play("open /a, terminal sh, prints \x1b[?2004h, key shift-enter, type 日");
    assert_eq!(sent(&stage), r"\r\xe6\x97\xa5", "keys and text");
    stage.act(Action::InsertPasted("a".to_owned())).unwrap();
    let Some(Effect::PastePty { paste, program }) = stage.effects.pop() else { panic!("no paste") };
    assert_eq!(program, ProgramId::Terminal(stage.terminal()), "for the one with the focus");
    let bytes: Vec<u8> = paste.flatten().collect();
    assert_eq!(bytes.escape_ascii().to_string(), r"\x1b[200~a\x1b[201~", "in brackets");
}

#[test]
fn the_mouse_and_the_wheel_reach_the_pane_they_are_over() {
    let mut stage = Stage::play("open /a, start cat, prints \x1b[?1049h, key ctrl-shift-5");
    let agent = stage.agent();
    let left = stage.state.active_workspace().unwrap().panes().groups()[0].id();
    stage.effects.clear();
    stage.act(Action::TerminalIn(left, TerminalAction::Arrows(-2))).unwrap();
    let Some(Effect::WritePty { program, .. }) = stage.effects.last() else { panic!("no keys") };
    assert_eq!(*program, agent, "not the one with the focus");
    assert_eq!(sent(&stage), r"\x1b[A\x1b[A", "one key for each row");
}

fn compose(stage: &mut Stage, text: &str) {
    stage.act(Action::Preedit(Preedit::new(text, Some((0, text.len()))))).unwrap();
}

#[test]
fn what_is_composed_is_shown_and_typed_only_when_it_is_done() {
    let mut stage = Stage::play("open /a, start cat");
    compose(&mut stage, "にほ");
    assert_eq!(stage.state.preedit().map(Preedit::text), Some("にほ"), "on show");
    assert_eq!(sent(&stage), "", "nothing is sent");
    stage.step("type 日本");
    assert_eq!(stage.state.preedit(), None, "done");
    assert_eq!(sent(&stage), r"\xe6\x97\xa5\xe6\x9c\xac", "typed");
}

#[test]
fn composing_ends_where_the_focus_goes_elsewhere() {
    for step in ["unfocus", "open /b", "file /a/f", "key ctrl-shift-p"] {
        let mut stage = Stage::play("open /a, start cat");
        compose(&mut stage, "に");
        stage.step(step);
        assert_eq!(stage.state.preedit(), None, "after {step}");
    }
}

#[test]
fn nothing_is_composed_where_no_text_can_be_typed() {
    #[track_caller]
    fn check(script: &str, expected: bool) {
        let mut stage = Stage::play(script);
        assert_eq!(stage.state.takes_text(), expected, "text after {script}");
        compose(&mut stage, "に");
        assert_eq!(stage.state.preedit().is_some(), expected, "a preedit after {script}");
    }
    check("open /a", false);
    check("open /a, start cat", true);
    check("open /a, start cat, exits 0", false);
    check("open /a, file /a/f", true);
    check("open /a, key ctrl-shift-p", true);
    check("open /a, start cat, key ctrl-shift-q", false);
}

#[test]
fn a_paste_goes_out_as_one_thing_that_is_made_as_it_is_read() {
    let mut stage = Stage::play("open /a, start cat, prints \x1b[?2004h");
    stage.act(Action::InsertPasted("a\nb".to_owned())).unwrap();
    let Some(Effect::PastePty { paste, .. }) = stage.effects.pop() else { panic!("no paste") };
    let bytes: Vec<u8> = paste.flatten().collect();
    assert_eq!(bytes.escape_ascii().to_string(), r"\x1b[200~a\rb\x1b[201~", "in brackets");
    let mut stage = Stage::play("open /a, start cat, exits 0");
    stage.effects.clear();
    stage.act(Action::InsertPasted("a".to_owned())).unwrap();
    assert!(stage.effects.is_empty(), "nobody to paste to: {:?}", stage.effects);
}

#[test]
fn keys_that_stop_programs_stop_a_paste_first() {
    fn check(chord: &str, expected: bool) {
        for modes in ["", "\x1b[>1u", "\x1b[>4;2m"] {
            let mut stage = Stage::play(&format!("open /a, start cat, prints {modes}x"));
            stage.effects.clear();
            stage.step(&format!("key {chord}"));
            let stops = matches!(stage.effects.first(), Some(Effect::StopPastes { .. }));
            assert_eq!(stops, expected, "{chord} after {modes:?}: {:?}", stage.effects);
            let last = stage.effects.last();
            assert!(matches!(last, Some(Effect::WritePty { .. })), "{chord} is typed: {last:?}");
        }
    }
    check("ctrl-c", true);
    check("ctrl-z", true);
    check("ctrl-\\", true);
    check("escape", true);
    check("ctrl-d", false);
    check("c", false);
    check("alt-c", false);
}

#[test]
fn a_slow_paste_is_known_until_it_ends() {
    let mut stage = Stage::play("open /a, start cat");
    let program = stage.agent();
    stage.fact(Fact::Paste { program, news: PasteNews::Waits });
    assert!(stage.state.is_pasting(), "it goes on");
    stage.fact(Fact::Paste { program, news: PasteNews::Ended });
    assert!(!stage.state.is_pasting() && stage.state.toast().is_none(), "it is over");
    stage.fact(Fact::Paste { program, news: PasteNews::Waits });
    stage.fact(Fact::Paste { program, news: PasteNews::CutOff });
    let toast = stage.state.toast().map(|toast| toast.text.as_str());
    let expected = "The rest of the paste was dropped: cat stopped taking it";
    assert_eq!((stage.state.is_pasting(), toast), (false, Some(expected)), "cut off");
}

#[test]
fn news_of_the_window_alone_changes_the_focus() {
    let mut stage = Stage::play(ASKED);
    stage.fact(Fact::Output);
    assert_eq!(sent(&stage), "", "output does not");
}
