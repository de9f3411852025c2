//! Values with a range or a form of their own.
//!
//! Each is checked while it is read, so that the refusal carries the value's place in the file.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

use crate::{
    DetachKey, LoginPath, ReducedMotion, RestartPolicy, ShiftEnter, TextRendering, ThemeChoice,
};

/// What [`Config::font_size`](crate::Config::font_size) may be.
const FONT_SIZES: std::ops::RangeInclusive<f64> = 6.0..=72.0;
/// What [`TerminalConfig::minimum_contrast`](crate::TerminalConfig::minimum_contrast) may be.
const CONTRASTS: std::ops::RangeInclusive<f64> = 1.0..=21.0;
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a whole number from `MIN` to `MAX`.
pub(crate) fn whole<'de, D: Deserializer<'de>, const MIN: usize, const MAX: usize>(
    deserializer: D,
) -> Result<usize, D::Error> {
    deserializer.deserialize_u64(Whole::<MIN, MAX>)
}

/// Reads a text size; whole numbers and fractions are both fine.
pub(crate) fn font_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    deserializer.deserialize_f64(Number(FONT_SIZES))
}

/// Reads a contrast; whole numbers and fractions are both fine.
pub(crate) fn contrast<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    deserializer.deserialize_f64(Number(CONTRASTS))
}

/// Reads a length of time such as `"5s"`, `"500ms"`, `"1.5m"` or `"2h"`.
pub(crate) fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    deserializer.deserialize_str(Parsed::new(
        "a duration from \"1ms\" to \"24h\", such as \"500ms\", \"5s\" or \"2m\"",
        parse_duration,
    ))
}

pub(crate) fn optional_duration<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    duration(deserializer).map(Some)
}

pub(crate) fn theme<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ThemeChoice, D::Error> {
    let read = |word: &str| ThemeChoice::ALL.into_iter().find(|choice| choice.name() == word);
    deserializer.deserialize_str(Parsed::new("\"auto\", \"dark\" or \"light\"", read))
}

pub(crate) fn detach_key<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<DetachKey, D::Error> {
    deserializer.deserialize_str(Parsed::new(DetachKey::EXPECTED, DetachKey::parse))
}

pub(crate) fn shift_enter<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<ShiftEnter, D::Error> {
    let read = |word: &str| ShiftEnter::ALL.into_iter().find(|choice| choice.name() == word);
    deserializer.deserialize_str(Parsed::new("\"enter\" or \"newline\"", read))
}

pub(crate) fn text_rendering<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<TextRendering, D::Error> {
    let read = |word: &str| TextRendering::ALL.into_iter().find(|choice| choice.name() == word);
    deserializer.deserialize_str(Parsed::new("\"auto\", \"lcd\" or \"grayscale\"", read))
}

pub(crate) fn reduced_motion<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<ReducedMotion, D::Error> {
    deserializer.deserialize_any(AutoOrBool)
}

pub(crate) fn login_path<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<LoginPath, D::Error> {
    let read = |word: &str| LoginPath::ALL.into_iter().find(|choice| choice.name() == word);
    deserializer.deserialize_str(Parsed::new("\"auto\", \"always\" or \"never\"", read))
}

pub(crate) fn restart_policy<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<RestartPolicy>, D::Error> {
    let read = |word: &str| RestartPolicy::ALL.into_iter().find(|policy| policy.name() == word);
    deserializer.deserialize_str(Parsed::new("\"never\" or \"on-crash\"", read)).map(Some)
}

/// Reads the path of a program; relative ones would depend on where Trackside was started.
pub(crate) fn absolute_path<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PathBuf>, D::Error> {
    let read = |text: &str| {
        let path = PathBuf::from(text);
        (path.is_absolute() && !text.contains('\0')).then_some(path)
    };
    let path = Parsed::new("the absolute path of a program, such as \"/bin/bash\"", read);
    deserializer.deserialize_str(path).map(Some)
}

/// The text form of a duration: the inverse of reading it.
pub(crate) fn duration_text(duration: Duration) -> String {
    let millis = duration.as_millis();
    if millis.is_multiple_of(1_000) {
        format!("{}s", millis / 1_000)
    } else {
        format!("{millis}ms")
    }
}

fn parse_duration(text: &str) -> Option<Duration> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(unit_at);
    let seconds_per_unit = match unit.trim_start_matches(' ') {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * seconds_per_unit;
    let duration = Duration::try_from_secs_f64(seconds).ok()?;
    (SHORTEST..=LONGEST).contains(&duration).then_some(duration)
}

struct Whole<const MIN: usize, const MAX: usize>;

impl<const MIN: usize, const MAX: usize> Whole<MIN, MAX> {
    fn accept<E: Error>(
        &self,
        number: Option<usize>,
        unexpected: Unexpected<'_>,
    ) -> Result<usize, E> {
        number
            .filter(|number| (MIN..=MAX).contains(number))
            .ok_or_else(|| E::invalid_value(unexpected, self))
    }
}

impl<const MIN: usize, const MAX: usize> Visitor<'_> for Whole<MIN, MAX> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {MIN} to {MAX}")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<usize, E> {
        self.accept(usize::try_from(number).ok(), Unexpected::Signed(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        self.accept(usize::try_from(number).ok(), Unexpected::Unsigned(number))
    }

    fn visit_i128<E: Error>(self, _number: i128) -> Result<usize, E> {
        self.accept(None, Unexpected::Other("huge number"))
    }

    fn visit_u128<E: Error>(self, _number: u128) -> Result<usize, E> {
        self.accept(None, Unexpected::Other("huge number"))
    }
}

/// A number in a range.
struct Number(std::ops::RangeInclusive<f64>);

impl Visitor<'_> for Number {
    type Value = f32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number from {} to {}", self.0.start(), self.0.end())
    }

    fn visit_f64<E: Error>(self, size: f64) -> Result<f32, E> {
        if !self.0.contains(&size) {
            return Err(E::invalid_value(Unexpected::Float(size), &self));
        }
        #[expect(clippy::cast_possible_truncation, reason = "less precision is enough")]
        let size = size as f32;
        Ok(size)
    }

    fn visit_i64<E: Error>(self, size: i64) -> Result<f32, E> {
        match i16::try_from(size) {
            Ok(small) if self.0.contains(&f64::from(small)) => Ok(f32::from(small)),
            Ok(_) | Err(_) => Err(E::invalid_value(Unexpected::Signed(size), &self)),
        }
    }

    fn visit_u64<E: Error>(self, size: u64) -> Result<f32, E> {
        Err(E::invalid_value(Unexpected::Unsigned(size), &self))
    }

    fn visit_i128<E: Error>(self, _size: i128) -> Result<f32, E> {
        Err(E::invalid_value(Unexpected::Other("huge number"), &self))
    }
}

/// Yes, no, or as the desktop has it.
struct AutoOrBool;

impl Visitor<'_> for AutoOrBool {
    type Value = ReducedMotion;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"auto\", true or false")
    }

    fn visit_bool<E: Error>(self, reduced: bool) -> Result<ReducedMotion, E> {
        Ok(if reduced { ReducedMotion::Always } else { ReducedMotion::Never })
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<ReducedMotion, E> {
        match word {
            "auto" => Ok(ReducedMotion::Auto),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }
}

/// Reads a string through a function that knows its form.
pub(crate) struct Parsed<T, F> {
    expected: &'static str,
    parse: F,
    result: PhantomData<T>,
}

impl<T, F: FnOnce(&str) -> Option<T>> Parsed<T, F> {
    pub(crate) fn new(expected: &'static str, parse: F) -> Self {
        Self { expected, parse, result: PhantomData }
    }
}

impl<T, F: FnOnce(&str) -> Option<T>> Visitor<'_> for Parsed<T, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let expected = self.expected;
        (self.parse)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &expected))
    }
}
