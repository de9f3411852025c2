//! Real agents, where `cargo xtask live --install` has put them, against a model of our own.
//!
//! Each runs in a network namespace that has a loopback device and nothing else, with a home of its
//! own; once with our hooks and once without. The rail must be right, the user's settings must stay
//! as they were to the byte, and the same files must change either way.

mod kinds;
mod traces;
mod world;

use serde_json::Value;

use self::kinds::{AIDER, CLAUDE, CODEX, GEMINI, Kind, OPENCODE};
use self::world::{Hooks, World};
use crate::harness::{Instance, wait_for};

impl Instance {
    /// What the agent's hooks were last heard to say.
    fn heard(&self) -> Option<Value> {
        let text = self.ok(["explain", "-w", "one", "--json"]);
        let explanation: Value = serde_json::from_str(&text).unwrap();
        let losers = explanation["losers"].as_array().cloned().unwrap_or_default();
        let mut claims = std::iter::once(explanation["winner"].clone()).chain(losers);
        claims.find(|claim| claim["source"] == "report")
    }

    #[track_caller]
    fn wait_until_heard(&self, reason: &str, text: Option<&str>) {
        let is_it = |claim: &Value| claim["reason"] == reason && claim["text"].as_str() == text;
        let found = wait_for(|| self.heard().filter(is_it));
        assert!(found.is_some(), "no {reason}: {:?}\n{}", self.heard(), self.screen("one"));
    }

    #[track_caller]
    fn wait_until_it_waits_for(&self, kind: &str) {
        let agent = || self.workspace("one")["agent"].clone();
        let found = wait_for(|| (agent()["reason"]["kind"] == kind).then_some(()));
        assert!(found.is_some(), "not {kind}: {}\n{}", agent(), self.screen("one"));
    }
}

/// Takes a turn with hooks and one without. `reports` are what they say at the request and at the end.
#[track_caller]
fn check_turn(kind: &'static Kind, reports: [Option<(&str, Option<&str>)>; 2]) -> Option<World> {
    let world = World::of(kind)?;
    let [hooked, plain] = Hooks::BOTH.map(|hooks| {
        world.session(hooks, |instance| {
            let expect = |report: Option<(&str, Option<&str>)>| match (hooks, report) {
                (Hooks::On, Some((reason, text))) => instance.wait_until_heard(reason, text),
                (Hooks::On, None) => {}
                (Hooks::Off, _) => assert_eq!(instance.heard(), None, "nothing was asked for"),
            };
            world.turn(instance, || expect(reports[0]), || expect(reports[1]));
        })
    });
    assert_eq!(hooked.touched, plain.touched, "with hooks and without");
    Some(world)
}

/// Starts and ends a session in which nothing is asked of the agent, with hooks and without.
#[track_caller]
fn check_idle(kind: &'static Kind) {
    let Some(world) = World::of(kind) else { return };
    let [hooked, plain] = Hooks::BOTH.map(|hooks| world.session(hooks, |_instance| {}));
    assert_eq!(hooked.touched, plain.touched, "with hooks and without");
    assert_eq!(hooked.constant, plain.constant, "with hooks and without");
}

const DONE: Option<(&str, Option<&str>)> = Some(("turn_done", Some("The file is there.")));

#[test]
fn claude_code_reports_each_step_and_keeps_its_settings() {
    let request = Some(("permission", Some("Bash: touch made-by-agent")));
    let Some(world) = check_turn(&CLAUDE, [request, DONE]) else { return };
    assert!(
        world.instance.path("one/own-hook").exists(),
        "the user's own hook runs, with ours and without"
    );
}

#[test]
fn codex_reports_the_end_of_its_turn_and_keeps_its_settings() {
    check_turn(&CODEX, [None, DONE]);
}

#[test]
fn aider_reports_that_it_waits_and_keeps_its_settings() {
    // Whatever for; the screen says that. It calls once in a turn.
    check_turn(&AIDER, [Some(("turn_done", None)), None]);
}

#[test]
fn opencode_is_right_on_the_rail_and_keeps_its_settings() {
    check_turn(&OPENCODE, [None, None]);
}

#[test]
fn gemini_is_right_on_the_rail_and_keeps_its_settings() {
    check_turn(&GEMINI, [None, None]);
}

#[test]
fn an_idle_claude_code_leaves_the_same_with_hooks() {
    check_idle(&CLAUDE);
}

#[test]
fn an_idle_codex_leaves_the_same_with_hooks() {
    check_idle(&CODEX);
}

#[test]
fn an_idle_aider_leaves_the_same_with_hooks() {
    check_idle(&AIDER);
}

#[test]
fn an_idle_opencode_leaves_the_same_with_hooks() {
    check_idle(&OPENCODE);
}

#[test]
fn an_idle_gemini_leaves_the_same_with_hooks() {
    check_idle(&GEMINI);
}
