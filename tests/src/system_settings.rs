//! The window follows what the person has asked of their whole desktop.

use std::time::Duration;

use crate::harness::{Instance, Setup, timed, wait_for};
use crate::portal::Answer::{self, Refused, Silence};
use crate::portal::Value::{Bytes, Flag, Number, Within};
use crate::portal::{Answers, Portal};
use crate::system::thread_names;

const APPEARANCE: &str = "org.freedesktop.appearance";
const GNOME: &str = "org.gnome.desktop.interface";
const REDUCED: &str = "reduced (asked for by the system)";
const FULL: &str = "full (the system has not asked for less)";
const UNKNOWN_KEY: Answer = Refused("org.freedesktop.portal.Error.NotFound");
const UNKNOWN_METHOD: Answer = Refused("org.freedesktop.DBus.Error.UnknownMethod");

fn on_desktop(answers: Answers) -> (Instance, Portal) {
    let setup = Setup::windowed();
    let portal = Portal::start(setup.dir(), answers);
    (setup.env("DBUS_SESSION_BUS_ADDRESS", portal.address()).start(), portal)
}

impl Instance {
    fn motion(&self) -> String {
        let doctor = self.ok(["doctor"]);
        let line = doctor.lines().find_map(|line| line.strip_prefix("motion"));
        line.expect("a line about motion").trim().to_owned()
    }

    #[track_caller]
    fn wait_for_motion(&self, motion: &str) {
        let found = wait_for(|| (self.motion() == motion).then_some(()));
        assert!(found.is_some(), "{motion:?} is expected, and there is {:?}", self.motion());
    }

    #[track_caller]
    fn wait_for_light(&self, light: bool) {
        let is_light = || {
            let picture = self.screenshot();
            picture.pixel(picture.width - 40, picture.height / 2).iter().all(|it| *it > 128)
        };
        let found = wait_for(|| (is_light() == light).then_some(()));
        assert!(found.is_some(), "the window is to be {}", if light { "light" } else { "dark" });
    }
}

#[test]
fn the_window_follows_what_the_system_asks_for() {
    let (mut instance, portal) = on_desktop(|method, key| match (method, key) {
        ("ReadOne", "reduced-motion") => Answer::Value(Number(1)),
        ("ReadOne", "color-scheme") => Answer::Value(Number(2)),
        // The key before it does not count.
        ("ReadOne", "enable-animations") => Answer::Value(Flag(true)),
        _ => UNKNOWN_METHOD,
    });
    instance.wait_for_motion(REDUCED);
    instance.wait_for_light(true);
    portal.change(APPEARANCE, "reduced-motion", Number(0));
    instance.wait_for_motion(FULL);
    portal.change(APPEARANCE, "color-scheme", Number(1));
    instance.wait_for_light(false);
    portal.change(APPEARANCE, "reduced-motion", Number(1));
    instance.wait_for_motion(REDUCED);
    let threads = || thread_names(instance.pid());
    assert!(threads().contains(&"portal".to_owned()), "it listens: {:?}", threads());
    // zbus's own, and those of a pool that never sleeps for long.
    let others = ["zbus", "blocking"];
    let has_others = threads().iter().any(|it| others.iter().any(|other| it.starts_with(other)));
    assert!(!has_others, "on one thread: {:?}", threads());
    drop(portal);
    let gone = wait_for(|| (!threads().contains(&"portal".to_owned())).then_some(()));
    gone.expect("without a bus there is nothing to wait for");
    assert_eq!(instance.motion(), REDUCED, "what was said last holds");
    instance.quit();
}

#[test]
fn a_portal_that_knows_less_is_understood() {
    let (instance, portal) = on_desktop(|method, key| match (method, key) {
        ("Read", "enable-animations") => Answer::Value(Within(1, false)),
        ("Read", _) => UNKNOWN_KEY,
        _ => UNKNOWN_METHOD,
    });
    instance.wait_for_motion(REDUCED);
    portal.change(GNOME, "enable-animations", Flag(true));
    instance.wait_for_motion(FULL);
}

#[test]
fn what_a_portal_should_not_say_is_passed_over() {
    let (mut instance, portal) = on_desktop(|_, key| match key {
        "reduced-motion" => Answer::Value(Within(60, true)),
        "color-scheme" => Answer::Value(Bytes(1_000_000)),
        _ => UNKNOWN_KEY,
    });
    for value in [Flag(true), Within(60, true), Bytes(2_000_000), Number(u32::MAX)] {
        portal.change(APPEARANCE, "reduced-motion", value);
    }
    portal.say("", &[]);
    portal.say("s", b"\x01\0\0\0x\0");
    assert_eq!(instance.motion(), FULL, "nothing of it asks for anything");
    portal.change(APPEARANCE, "reduced-motion", Number(1));
    instance.wait_for_motion(REDUCED);
    instance.quit();
}

#[test]
fn a_portal_that_does_not_answer_holds_nothing_up() {
    let (mut instance, portal) = on_desktop(|_, _| Silence);
    assert_eq!(instance.motion(), FULL, "it is up without an answer");
    let (_, took) = timed(|| instance.quit());
    assert!(took < Duration::from_secs(4), "its end took {took:?}");
    drop(portal);
}

#[test]
fn what_the_user_has_set_counts_more() {
    let setup = Setup::windowed().config("theme = \"dark\"\nreduced_motion = false\n");
    let portal = Portal::start(setup.dir(), |_, key| match key {
        "reduced-motion" => Answer::Value(Number(1)),
        "color-scheme" => Answer::Value(Number(2)),
        _ => UNKNOWN_KEY,
    });
    let instance = setup.env("DBUS_SESSION_BUS_ADDRESS", portal.address()).start();
    assert_eq!(instance.motion(), "full (set in config.toml)", "their own settings");
    instance.wait_for_light(false);
    std::fs::write(instance.path("config/trackside/config.toml"), "").unwrap();
    instance.wait_for_motion(REDUCED);
    instance.wait_for_light(true);
}
