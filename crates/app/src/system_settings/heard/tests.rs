//! What is understood of a portal's messages, and what is not.

use std::sync::mpsc;

use base::Worker;
use zbus::message::Builder;
use zbus::{Message, zvariant};

use super::*;

const APPEARANCE: &str = "org.freedesktop.appearance";

fn message() -> Builder<'static> {
    let interface = "org.freedesktop.portal.Settings";
    Message::signal("/org/freedesktop/portal/desktop", interface, "SettingChanged").unwrap()
}

fn answer(value: &Value<'_>) -> Body {
    message().build(value).unwrap().body()
}

fn signal(namespace: &str, key: &str, value: Value<'_>) -> Body {
    message().build(&(namespace, key, value)).unwrap().body()
}

/// A value within so many others.
fn within(depth: usize, value: u32) -> Value<'static> {
    (0..depth).fold(Value::U32(value), |inner, _| Value::Value(Box::new(inner)))
}

#[test]
fn answers_of_the_documented_form_are_understood_and_no_others() {
    #[track_caller]
    fn check(setting: Setting, value: Value<'_>, expected: Option<bool>) {
        assert_eq!(answered(setting, &answer(&value)), expected, "{setting:?}: {value:?}");
    }
    use Setting::{Animations, ColorScheme, ReducedMotion};
    check(ReducedMotion, Value::U32(1), Some(true));
    check(ReducedMotion, Value::U32(0), Some(false));
    check(ReducedMotion, Value::U32(2), Some(false));
    check(ReducedMotion, Value::U32(u32::MAX), Some(false));
    // As `Read` answers.
    check(ReducedMotion, within(1, 1), Some(true));
    check(ReducedMotion, Value::Bool(true), None);
    check(ReducedMotion, Value::I32(1), None);
    check(ReducedMotion, Value::U64(1), None);
    check(ReducedMotion, Value::from("1"), None);
    check(ReducedMotion, Value::from(vec![1_u32]), None);
    check(ReducedMotion, Value::from((1_u32, 1_u32)), None);
    check(ColorScheme, Value::U32(0), Some(true));
    check(ColorScheme, Value::U32(1), Some(true));
    check(ColorScheme, Value::U32(2), Some(false));
    check(ColorScheme, Value::U32(3), Some(true));
    check(ColorScheme, Value::from("prefer-light"), None);
    check(Animations, Value::Bool(true), Some(true));
    check(Animations, within(0, 1), None);
    check(Animations, Value::Value(Box::new(Value::Bool(false))), Some(false));
}

#[test]
fn answers_of_any_other_form_say_nothing() {
    let setting = Setting::ReducedMotion;
    assert_eq!(answered(setting, &message().build(&()).unwrap().body()), None, "empty");
    assert_eq!(answered(setting, &message().build(&1_u32).unwrap().body()), None, "bare");
    let two = (Value::U32(1), Value::U32(1));
    assert_eq!(answered(setting, &message().build(&two).unwrap().body()), None, "two values");
    let long = Value::from(vec![0_u8; 100_000]);
    assert_eq!(answered(setting, &answer(&long)), None, "long");
}

#[test]
fn a_value_within_many_others_needs_no_more_stack_than_a_thread_of_ours_has() {
    let (sender, results) = mpsc::channel();
    let worker = Worker::spawn("test", (), move || {
        for depth in [10, 60] {
            let body = answer(&within(depth, 1));
            sender.send(answered(Setting::ReducedMotion, &body)).unwrap();
        }
        let deep =
            (0..30).fold(Value::U32(1), |inner, _| zvariant::Structure::from((inner,)).into());
        sender.send(answered(Setting::ReducedMotion, &answer(&deep))).unwrap();
    });
    drop(worker.unwrap());
    let results: Vec<_> = results.into_iter().collect();
    assert_eq!(results, [Some(true), Some(true), None], "each is read to its end");
}

#[test]
fn signals_about_our_settings_are_understood_and_no_others() {
    #[track_caller]
    fn check(namespace: &str, key: &str, value: Value<'_>, expected: Option<(Setting, bool)>) {
        let body = signal(namespace, key, value);
        assert_eq!(changed(&body), expected, "{namespace} {key}");
    }
    let motion = Setting::ReducedMotion;
    check(APPEARANCE, "reduced-motion", Value::U32(1), Some((motion, true)));
    check(APPEARANCE, "reduced-motion", within(1, 0), Some((motion, false)));
    check(APPEARANCE, "color-scheme", Value::U32(2), Some((Setting::ColorScheme, false)));
    check(
        "org.gnome.desktop.interface",
        "enable-animations",
        Value::Bool(false),
        Some((Setting::Animations, false)),
    );
    check(APPEARANCE, "enable-animations", Value::Bool(false), None);
    check(APPEARANCE, "accent-color", Value::from((0.1, 0.2, 0.3)), None);
    check("", "", Value::U32(1), None);
    check(APPEARANCE, "reduced-motion", Value::from("yes"), None);
    check(APPEARANCE, &"x".repeat(100_000), Value::U32(1), None);
    let bare = (APPEARANCE, "reduced-motion", 1_u32);
    assert_eq!(changed(&message().build(&bare).unwrap().body()), None, "no variant");
    assert_eq!(changed(&message().build(&APPEARANCE).unwrap().body()), None, "too little");
}

#[test]
fn only_what_is_new_is_told_and_the_setting_made_for_motion_counts() {
    let mut heard = Heard::default();
    let mut check = |setting: Setting, value: bool, expected: &str| {
        let fact = heard.hear(setting, value);
        let told = fact.map_or_else(String::new, |fact| format!("{fact:?}"));
        assert_eq!(told, expected, "after {setting:?} {value}");
    };
    check(Setting::ColorScheme, false, "SystemTheme { dark: false }");
    check(Setting::ColorScheme, false, "");
    check(Setting::ColorScheme, true, "SystemTheme { dark: true }");
    check(Setting::Animations, false, "SystemMotion { reduced: true }");
    check(Setting::Animations, true, "SystemMotion { reduced: false }");
    check(Setting::ReducedMotion, true, "SystemMotion { reduced: true }");
    check(Setting::Animations, false, "");
    check(Setting::ReducedMotion, false, "SystemMotion { reduced: false }");
    check(Setting::ReducedMotion, false, "");
}
