//! Typing as a person does: real key events where there is a window, the same keys where not.

use crate::harness::Instance;

impl Instance {
    /// Types a text, a key at a time.
    pub(crate) fn type_text(&self, text: &str) {
        if self.has_window() {
            self.display().xdotool(&["type", "--delay", "15", text]);
        } else {
            self.ok(["type", text]);
        }
    }

    /// Presses a chord, named as in our settings: `ctrl-b`, `escape`, `shift-g`.
    pub(crate) fn press(&self, chord: &str) {
        if self.has_window() {
            self.display().xdotool(&["key", "--clearmodifiers", &as_xdotool_names_it(chord)]);
        } else {
            self.ok(["keys", chord]);
        }
    }
}

fn as_xdotool_names_it(chord: &str) -> String {
    let keys: Vec<&str> = chord
        .split('-')
        .map(|key| match key {
            "enter" => "Return",
            "escape" => "Escape",
            "tab" => "Tab",
            "up" => "Up",
            "down" => "Down",
            "f2" => "F2",
            "f10" => "F10",
            other => other,
        })
        .collect();
    keys.join("+")
}
