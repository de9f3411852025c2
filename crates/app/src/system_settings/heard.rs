//! What the portal's messages come to.
//!
//! They are another program's, and anything may be in them: what is not of the form that is
//! documented says nothing.

use workspace::Fact;
use zbus::message::Body;
use zbus::zvariant::Value;

/// Ours have some eighty. Reading takes many times the memory of what is read, and stack for each
/// value within a value.
const MAX_BYTES: usize = 256;

/// The settings that we follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// Its value is true for dark.
    ColorScheme,
    /// True where nothing is to move.
    ReducedMotion,
    /// What there was before, and is still all that many portals know: false where nothing is to move.
    Animations,
}

impl Setting {
    /// What shows first comes first.
    pub(super) const ALL: [Self; 3] = [Self::ColorScheme, Self::ReducedMotion, Self::Animations];

    /// Its namespace and its key.
    pub(super) fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::ColorScheme => ("org.freedesktop.appearance", "color-scheme"),
            Self::ReducedMotion => ("org.freedesktop.appearance", "reduced-motion"),
            Self::Animations => ("org.gnome.desktop.interface", "enable-animations"),
        }
    }

    fn read(self, value: &Value<'_>) -> Option<bool> {
        match (self, value) {
            (_, Value::Value(inner)) => self.read(inner),
            // No preference, 0, and numbers of days to come mean what we are by ourselves: dark.
            (Self::ColorScheme, Value::U32(scheme)) => Some(*scheme != 2),
            (Self::ReducedMotion, Value::U32(preference)) => Some(*preference == 1),
            (Self::Animations, Value::Bool(enabled)) => Some(*enabled),
            _ => None,
        }
    }
}

/// The value of a setting that was asked for.
pub(super) fn answered(setting: Setting, body: &Body) -> Option<bool> {
    if body.len() > MAX_BYTES {
        return None;
    }
    setting.read(&body.deserialize::<Value<'_>>().ok()?)
}

/// Which setting a signal is about, and its value from now on.
pub(super) fn changed(body: &Body) -> Option<(Setting, bool)> {
    if body.len() > MAX_BYTES {
        return None;
    }
    let (namespace, key, value) = body.deserialize::<(&str, &str, Value<'_>)>().ok()?;
    let setting = Setting::ALL.into_iter().find(|it| it.name() == (namespace, key))?;
    Some((setting, setting.read(&value)?))
}

/// All that was heard so far.
#[derive(Debug, Default)]
pub(super) struct Heard {
    dark: Option<bool>,
    reduced: Option<bool>,
    animated: Option<bool>,
}

impl Heard {
    /// Takes in the value of a setting; says what follows from it, if that is new.
    pub(super) fn hear(&mut self, setting: Setting, value: bool) -> Option<Fact> {
        let before = (self.dark, self.reduces_motion());
        match setting {
            Setting::ColorScheme => self.dark = Some(value),
            Setting::ReducedMotion => self.reduced = Some(value),
            Setting::Animations => self.animated = Some(value),
        }
        let dark = self.dark.filter(|_| self.dark != before.0);
        let reduced = self.reduces_motion().filter(|it| Some(*it) != before.1);
        let theme = dark.map(|dark| Fact::SystemTheme { dark });
        theme.or_else(|| reduced.map(|reduced| Fact::SystemMotion { reduced }))
    }

    /// The setting that is made for it counts, where it is known.
    fn reduces_motion(&self) -> Option<bool> {
        self.reduced.or_else(|| self.animated.map(|animated| !animated))
    }
}

#[cfg(test)]
mod tests;
