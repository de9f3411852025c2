//! From keys to the names of actions.
//!
//! A binding belongs to a context. A focused terminal keeps its own keys: only bindings that say
//! [`Context::Anywhere`], [`Context::Terminal`] or [`Context::Scrollback`] reach past it, and none of
//! those may be a key that programs have always had: a character, or Ctrl or Alt with a letter.

use std::fmt;

use terminal::{Key, KeyPress, Modifiers, NamedKey};

use crate::{ActionError, find_action};

/// A key as it arrives: what the terminal would be sent, and what the keymap matches on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyInput {
    pub press: KeyPress,
    /// The character on the key without Shift, or the one a US keyboard has there where the
    /// layout gives no Latin letter; so shortcuts work on every layout.
    pub base: Option<char>,
}

impl KeyInput {
    /// The same key where it does not matter that it is on the keypad.
    #[must_use]
    pub(crate) fn off_keypad(&self) -> Self {
        Self { press: self.press.clone().off_keypad(), base: self.base }
    }
}

/// A key with its modifiers, in the form bindings are written: `ctrl-shift-p`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    key: ChordKey,
    modifiers: Modifiers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ChordKey {
    Character(char),
    Named(NamedKey),
}

/// One or more chords pressed one after the other.
pub type Sequence = Vec<Chord>;

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// Whatever has the focus, terminals included; overlays keep their own keys.
    Anywhere,
    /// Where no terminal has the focus.
    OutsideTerminals,
    Terminal,
    /// In a terminal whose program has not taken the whole screen: there are lines above it.
    Scrollback,
    Editor,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub sequence: Sequence,
    pub context: Context,
    pub action: String,
    /// The action's one argument, where it takes a number.
    pub number: Option<u32>,
}

/// What a key means after the keys before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lookup<'a> {
    Bound(&'a Binding),
    /// The keys so far begin a longer sequence.
    Pending,
    Unbound,
}

#[derive(Debug, Clone)]
pub struct Keymap {
    /// Later ones win.
    bindings: Vec<Binding>,
}

impl Keymap {
    /// The default bindings with the user's on top of them.
    ///
    /// # Errors
    /// A chord that cannot be read or an action that does not exist: the first one found.
    pub fn new<'a>(
        user: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) -> Result<Self, ActionError> {
        let mut bindings = default_bindings();
        for (keys, action) in user {
            let spec = find_action(action);
            let spec = spec.ok_or_else(|| ActionError::UnknownAction(action.clone()))?;
            if !spec.is_plain() {
                return Err(ActionError::NeedsArguments(action.clone()));
            }
            bindings.push(Binding {
                sequence: parse_sequence(keys)?,
                context: Context::Anywhere,
                action: action.clone(),
                number: None,
            });
        }
        Ok(Self { bindings })
    }

    pub(crate) fn look_up(&self, keys: &[Chord], holds: impl Fn(Context) -> bool) -> Lookup<'_> {
        let in_context = || self.bindings.iter().rev().filter(|binding| holds(binding.context));
        if let Some(binding) = in_context().find(|binding| binding.sequence == keys) {
            return Lookup::Bound(binding);
        }
        if in_context().any(|binding| binding.sequence.starts_with(keys)) {
            return Lookup::Pending;
        }
        Lookup::Unbound
    }

    /// The keys to show beside an action, as people write them: "Ctrl+Shift+P".
    pub fn keys_of(&self, action: &str) -> Option<String> {
        self.keys_where(|binding| binding.action == action && binding.number.is_none())
    }

    /// The keys that do it with that number.
    pub fn keys_with_number(&self, action: &str, number: u32) -> Option<String> {
        self.keys_where(|binding| binding.action == action && binding.number == Some(number))
    }

    fn keys_where(&self, holds: impl Fn(&Binding) -> bool) -> Option<String> {
        let binding = self.bindings.iter().find(|binding| holds(binding))?;
        Some(binding.sequence.iter().map(Chord::label).collect::<Vec<_>>().join(" "))
    }
}

impl Keymap {
    /// The keys that do it while a terminal has the focus.
    pub fn keys_in_terminals(&self, action: &str) -> Option<String> {
        self.keys_where(|binding| {
            binding.action == action
                && binding.number.is_none()
                && matches!(binding.context, Context::Anywhere | Context::Terminal)
        })
    }
}

impl Default for Keymap {
    fn default() -> Self {
        Self { bindings: default_bindings() }
    }
}

impl Chord {
    /// The chords a key may match, the most exact first.
    pub(crate) fn candidates(input: &KeyInput) -> Vec<Self> {
        let modifiers = input.press.modifiers.held();
        let named = match &input.press.key {
            Key::Named(NamedKey::Space) => Some(ChordKey::Character(' ')),
            Key::Named(named) => Some(ChordKey::Named(*named)),
            Key::Character(_) => None,
        };
        let base = input.base.map(|base| ChordKey::Character(base.to_ascii_lowercase()));
        let typed = match &input.press.key {
            Key::Character(text) => single_char(text).map(ChordKey::Character),
            Key::Named(_) => None,
        };
        // Where a digit is had with Shift only, its key is meant all the same.
        let digit = input.press.base_layout.filter(char::is_ascii_digit);
        let digit = digit.filter(|_| typed.is_some()).map(ChordKey::Character);
        let exact = named.or(base).into_iter().chain(typed).chain(digit);
        let exact = exact.map(|key| Self { key, modifiers });
        // Where a sign is had with Shift only, Shift is part of it: `ctrl-=` on a German keyboard.
        let sign = typed.filter(|typed| Some(*typed) != base);
        let sign = sign.filter(|_| modifiers.contains(Modifiers::SHIFT));
        let without_shift = modifiers.difference(Modifiers::SHIFT);
        exact.chain(sign.map(|key| Self { key, modifiers: without_shift })).collect()
    }

    fn label(&self) -> String {
        let mut label = String::new();
        for (modifier, name) in
            [(Modifiers::CTRL, "Ctrl+"), (Modifiers::ALT, "Alt+"), (Modifiers::SHIFT, "Shift+")]
        {
            if self.modifiers.contains(modifier) {
                label.push_str(name);
            }
        }
        match self.key {
            ChordKey::Character(' ') => label.push_str("Space"),
            ChordKey::Character(c) => label.extend(c.to_uppercase()),
            ChordKey::Named(named) => label.push_str(&named_label(named)),
        }
        label
    }

    /// The key as a person would have pressed it on a US keyboard.
    pub fn to_input(self) -> KeyInput {
        let shift = self.modifiers.contains(Modifiers::SHIFT);
        let (key, base) = match self.key {
            ChordKey::Character(' ') => (Key::Named(NamedKey::Space), Some(' ')),
            ChordKey::Character(c) if shift => {
                (Key::Character(c.to_uppercase().to_string()), Some(c))
            }
            ChordKey::Character(c) => (Key::Character(c.to_string()), Some(c)),
            ChordKey::Named(named) => (Key::Named(named), None),
        };
        let press = KeyPress { unshifted: base, ..KeyPress::new(key, self.modifiers) };
        KeyInput { press, base }
    }
}

/// Reads `ctrl-k ctrl-o`.
///
/// # Errors
/// Names the chord that could not be read.
pub(crate) fn parse_sequence(keys: &str) -> Result<Sequence, ActionError> {
    let sequence: Sequence = keys.split_whitespace().map(parse_chord).collect::<Result<_, _>>()?;
    if sequence.is_empty() {
        return Err(ActionError::BadChord(keys.to_owned()));
    }
    Ok(sequence)
}

fn parse_chord(chord: &str) -> Result<Chord, ActionError> {
    let mut modifiers = Modifiers::empty();
    let mut rest = chord;
    loop {
        let lower = rest.to_ascii_lowercase();
        let found = [
            ("ctrl-", Modifiers::CTRL),
            ("shift-", Modifiers::SHIFT),
            ("alt-", Modifiers::ALT),
            ("super-", Modifiers::SUPER),
        ]
        .into_iter()
        .find(|(name, _)| lower.starts_with(name) && lower.len() > name.len());
        let Some((name, modifier)) = found else { break };
        modifiers |= modifier;
        rest = &rest[name.len()..];
    }
    let key = match single_char(rest) {
        Some(c) => ChordKey::Character(c),
        None => parse_named(&rest.to_ascii_lowercase())
            .ok_or_else(|| ActionError::BadChord(chord.to_owned()))?,
    };
    Ok(Chord { key, modifiers })
}

fn single_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let only = chars.next()?;
    chars.next().is_none().then(|| only.to_lowercase().next().unwrap_or(only))
}

fn parse_named(name: &str) -> Option<ChordKey> {
    if name == "space" {
        return Some(ChordKey::Character(' '));
    }
    let function = name.strip_prefix('f').and_then(|number| number.parse().ok());
    if let Some(number @ 1..=24) = function {
        return Some(ChordKey::Named(NamedKey::F(number)));
    }
    let (_, named) = NAMED.iter().find(|(names, _)| names.contains(&name))?;
    Some(ChordKey::Named(*named))
}

/// Names of keys; the first of each is the one we show.
const NAMED: &[(&[&str], NamedKey)] = &[
    (&["enter", "return"], NamedKey::Enter),
    (&["tab"], NamedKey::Tab),
    (&["backspace"], NamedKey::Backspace),
    (&["esc", "escape"], NamedKey::Escape),
    (&["up"], NamedKey::ArrowUp),
    (&["down"], NamedKey::ArrowDown),
    (&["left"], NamedKey::ArrowLeft),
    (&["right"], NamedKey::ArrowRight),
    (&["home"], NamedKey::Home),
    (&["end"], NamedKey::End),
    (&["pageup", "pgup"], NamedKey::PageUp),
    (&["pagedown", "pgdn"], NamedKey::PageDown),
    (&["insert", "ins"], NamedKey::Insert),
    (&["delete", "del"], NamedKey::Delete),
    (&["menu"], NamedKey::Menu),
];

fn named_label(named: NamedKey) -> String {
    if let NamedKey::F(number) = named {
        return format!("F{number}");
    }
    let name = NAMED.iter().find(|(_, key)| *key == named).map_or("?", |(names, _)| names[0]);
    let mut chars = name.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

/// The defaults, as documented: VS Code's outside of terminals, Ctrl+Shift inside of them.
pub fn default_bindings() -> Vec<Binding> {
    let numbered = (1..=9).flat_map(|number: u32| {
        let workspace =
            (format!("ctrl-alt-{number}"), Context::Anywhere, "workspace.activate", Some(number));
        // Ctrl+Shift+5 splits.
        let in_terminal = (number != 5).then(|| {
            (format!("ctrl-shift-{number}"), Context::Terminal, "tab.activate", Some(number))
        });
        // Alt+9 is the last tab, as in browsers.
        let outside = (number < 9).then(|| {
            (format!("alt-{number}"), Context::OutsideTerminals, "tab.activate", Some(number))
        });
        [Some(workspace), in_terminal, outside].into_iter().flatten()
    });
    let plain = DEFAULTS
        .iter()
        .map(|(keys, context, action)| ((*keys).to_owned(), *context, *action, None));
    plain
        .chain(numbered)
        .filter_map(|(keys, context, action, number)| {
            let sequence = parse_sequence(&keys).ok()?;
            Some(Binding { sequence, context, action: action.to_owned(), number })
        })
        .collect()
}

#[rustfmt::skip]
const DEFAULTS: &[(&str, Context, &str)] = &[
    ("ctrl-shift-p", Context::Anywhere, "view.palette"),
    ("f1", Context::OutsideTerminals, "view.palette"),
    ("ctrl-shift-j", Context::Anywhere, "agent.next"),
    ("ctrl-shift-l", Context::Anywhere, "agent.queue"),
    ("ctrl-shift-a", Context::Anywhere, "agent.start"),
    ("ctrl-k ctrl-o", Context::OutsideTerminals, "workspace.open"),
    ("ctrl-alt-down", Context::Anywhere, "workspace.next"),
    ("ctrl-alt-up", Context::Anywhere, "workspace.previous"),
    ("ctrl-alt-shift-down", Context::Anywhere, "workspace.move_down"),
    ("ctrl-alt-shift-up", Context::Anywhere, "workspace.move_up"),
    ("shift-f10", Context::OutsideTerminals, "rail.menu"),
    ("menu", Context::OutsideTerminals, "rail.menu"),
    ("ctrl-p", Context::OutsideTerminals, "file.open"),
    ("ctrl-shift-o", Context::Terminal, "file.open"),
    ("ctrl-s", Context::OutsideTerminals, "file.save"),
    ("ctrl-shift-`", Context::Anywhere, "terminal.new"),
    ("ctrl-shift-t", Context::Terminal, "terminal.new"),
    ("ctrl-w", Context::OutsideTerminals, "tab.close"),
    ("ctrl-shift-w", Context::Terminal, "tab.close"),
    ("ctrl-tab", Context::Anywhere, "tab.next"),
    ("ctrl-shift-tab", Context::Anywhere, "tab.previous"),
    ("ctrl-pagedown", Context::Anywhere, "tab.next"),
    ("ctrl-pageup", Context::Anywhere, "tab.previous"),
    ("ctrl-\\", Context::OutsideTerminals, "pane.split_right"),
    ("ctrl-shift-5", Context::Terminal, "pane.split_right"),
    ("ctrl-k ctrl-\\", Context::OutsideTerminals, "pane.split_down"),
    ("ctrl-shift-d", Context::Terminal, "pane.split_down"),
    ("ctrl-k ctrl-left", Context::OutsideTerminals, "pane.focus_left"),
    ("ctrl-shift-left", Context::Terminal, "pane.focus_left"),
    ("ctrl-k ctrl-right", Context::OutsideTerminals, "pane.focus_right"),
    ("ctrl-shift-right", Context::Terminal, "pane.focus_right"),
    ("ctrl-k ctrl-up", Context::OutsideTerminals, "pane.focus_up"),
    ("ctrl-shift-up", Context::Terminal, "pane.focus_up"),
    ("ctrl-k ctrl-down", Context::OutsideTerminals, "pane.focus_down"),
    ("ctrl-shift-down", Context::Terminal, "pane.focus_down"),
    ("ctrl-z", Context::Editor, "edit.undo"),
    ("ctrl-y", Context::Editor, "edit.redo"),
    ("ctrl-shift-z", Context::Editor, "edit.redo"),
    ("ctrl-x", Context::Editor, "edit.cut"),
    ("shift-delete", Context::Editor, "edit.cut"),
    ("ctrl-c", Context::Editor, "edit.copy"),
    ("ctrl-insert", Context::Anywhere, "edit.copy"),
    ("ctrl-v", Context::Editor, "edit.paste"),
    ("shift-insert", Context::Anywhere, "edit.paste"),
    ("ctrl-shift-c", Context::Terminal, "edit.copy"),
    ("ctrl-shift-v", Context::Terminal, "edit.paste"),
    ("ctrl-a", Context::Editor, "edit.select_all"),
    ("shift-pageup", Context::Scrollback, "terminal.scroll_page_up"),
    ("shift-pagedown", Context::Scrollback, "terminal.scroll_page_down"),
    ("shift-home", Context::Scrollback, "terminal.scroll_top"),
    ("shift-end", Context::Scrollback, "terminal.scroll_bottom"),
    ("shift-insert", Context::Terminal, "edit.paste_primary"),
    ("ctrl-shift-f", Context::Terminal, "terminal.find"),
    ("ctrl-shift-z", Context::Terminal, "terminal.previous_prompt"),
    ("ctrl-shift-x", Context::Terminal, "terminal.next_prompt"),
    ("ctrl-shift-k", Context::Terminal, "terminal.clear"),
    ("ctrl-=", Context::Anywhere, "view.zoom_in"),
    ("ctrl-+", Context::Anywhere, "view.zoom_in"),
    ("ctrl-shift-=", Context::Anywhere, "view.zoom_in"),
    ("ctrl--", Context::Anywhere, "view.zoom_out"),
    ("ctrl-0", Context::Anywhere, "view.zoom_reset"),
    ("ctrl-b", Context::OutsideTerminals, "view.toggle_rail"),
    ("f11", Context::Anywhere, "view.fullscreen"),
    ("ctrl-q", Context::OutsideTerminals, "app.quit"),
    ("ctrl-shift-q", Context::Terminal, "app.quit"),
    ("alt-9", Context::OutsideTerminals, "tab.last"),
];

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label())
    }
}
