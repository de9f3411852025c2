//! What the rail, the tab bar and the status bar say of agents.

use std::time::Duration;

use insta::assert_snapshot;
use scene::Point;
use workspace::{Action, Fact, PasteNews};

use super::fixture::{Stage, WATCHED, layers_at, words};
use crate::{Activity, Frame, Hit, hit, next_change, pulse};

/// The tiles of the rail after a script.
#[track_caller]
fn tiles(script: &str) -> String {
    layers_at(&Stage::play(script).frame(), 0.0, 44.0)
}

#[test]
fn a_starting_agent_is_a_hollow_green_ring() {
    assert_snapshot!(tiles("open api, agent codex"), @r#"
    quad 8,44 208x52 r8 #1b1f26 border 1 #262b34
    quad 8,52 3x36 r1.5 #3fb950
    ring 28,70 r5 border 2 #3fb950
    text 46,51 13px "api" #d7dce5 semibold
    text 46,71 11.5px "starting codex" #8b94a5
    text 203,44 11px right of 5 "1" #5a6272
    "#);
}

#[test]
fn a_running_agent_is_a_green_dot() {
    assert_snapshot!(tiles("open api, agent codex, print hi"), @r#"
    quad 8,44 208x52 r8 #1b1f26 border 1 #262b34
    quad 8,52 3x36 r1.5 #3fb950
    disc 28,70 r5 #3fb950
    text 46,51 13px "api" #d7dce5 semibold
    text 46,71 11.5px "running codex" #8b94a5
    text 203,44 11px right of 5 "1" #5a6272
    "#);
}

#[test]
fn a_silent_agent_is_a_yellow_ring_with_dots_and_a_halo() {
    assert_snapshot!(tiles("open api, agent cat, pass 17"), @r#"
    quad 8,44 208x52 r8 #1b1f26 border 1 #262b34
    quad 8,52 3x36 r1.5 #f2c744
    disc 28,70 r14 #f2c74429
    disc 28,70 r10 #0e1014 border 2 #f2c744
    disc 24,70 r1.25 #f2c744
    disc 28,70 r1.25 #f2c744
    disc 32,70 r1.25 #f2c744
    text 46,51 13px "api" #d7dce5 semibold
    text 46,71 11.5px "waiting" #d7dce5
    text 186,51 11.5px right of 22 "12 s" #f2c744 semibold
    text 203,71 11px right of 5 "1" #5a6272
    "#);
}

#[test]
fn a_forgotten_agent_is_an_orange_disc_that_asks() {
    assert_snapshot!(tiles("open web, agent codex, pass 400"), @r#"
    quad 8,44 208x52 r8 #1b1f26 border 1 #262b34
    quad 8,52 3x36 r1.5 #f0883e
    disc 28,70 r10 #f0883e
    text 18,60 13px centre of 20 "?" #ffffff semibold
    text 46,51 13px "web" #d7dce5 semibold
    text 46,71 11.5px "still waiting" #d7dce5
    text 177,51 11.5px right of 31 "6 min" #f0883e semibold
    text 203,71 11px right of 5 "1" #5a6272
    "#);
}

#[test]
fn a_failed_agent_is_a_red_disc_with_a_cross() {
    assert_snapshot!(tiles("open infra, agent sh, exit 3, pass 125"), @r#"
    quad 8,44 208x52 r8 #1b1f26 border 1 #262b34
    quad 8,52 3x36 r1.5 #f85149
    disc 28,70 r10 #f85149
    line 24.75,66.75 31.25,73.25 w1.75 #ffffff
    line 24.75,73.25 31.25,66.75 w1.75 #ffffff
    text 46,51 13px "infra" #d7dce5 semibold
    text 46,71 11.5px "exited 3" #8b94a5
    text 177,51 11.5px right of 31 "2 min" #8b94a5 medium
    text 203,71 11px right of 5 "1" #5a6272
    "#);
}

#[test]
fn a_finished_agent_is_a_teal_disc_with_a_tick() {
    assert_snapshot!(tiles("open infra, agent sh, exit 0"), @r#"
    quad 8,44 208x52 r8 #1b1f26 border 1 #262b34
    quad 8,52 3x36 r1.5 #4cc9a4
    disc 28,70 r10 #4cc9a4
    line 24,70.25 26.75,73 w1.75 #06231b
    line 26.75,73 32,67.25 w1.75 #06231b
    text 46,51 13px "infra" #d7dce5 semibold
    text 46,71 11.5px "completed" #8b94a5
    text 184,51 11.5px right of 24 "now" #8b94a5 medium
    text 203,71 11px right of 5 "1" #5a6272
    "#);
}

#[test]
fn a_stopped_agent_is_a_grey_square() {
    assert_snapshot!(tiles("open infra, agent sh, stop"), @r#"
    quad 8,44 208x52 r8 #1b1f26 border 1 #262b34
    quad 8,52 3x36 r1.5 #7d8590
    quad 24,66 8x8 r2 #7d8590
    text 46,51 13px "infra" #d7dce5 semibold
    text 46,71 11.5px "stopped" #8b94a5
    text 203,44 11px right of 5 "1" #5a6272
    "#);
}

#[test]
fn no_agent_is_a_short_dash() {
    assert_snapshot!(tiles("open notes"), @r#"
    quad 8,44 208x52 r8 #1b1f26 border 1 #262b34
    line 24,70 32,70 w2 #4b5260
    text 46,51 13px "notes" #8b94a5 semibold
    text 46,71 11.5px "no agent" #8b94a5
    text 203,44 11px right of 5 "1" #5a6272
    "#);
}

#[test]
fn the_second_line_says_how_it_ended() {
    let second_line = |script: &str| {
        let frame = Stage::play(script).frame();
        let said = words(&frame);
        let name = said.iter().position(|text| text == "api").expect("the tile's name");
        said[name + 1].clone()
    };
    assert_eq!(second_line("open api, agent sh, signal 9"), "killed by SIGKILL", "a signal");
    assert_eq!(second_line("open api, agent sh, signal 40"), "killed by signal 40", "no name");
    assert_eq!(second_line("open api, agent sh, exit 143"), "exited 143", "a code");
    assert_eq!(second_line("open api, agent sh, fail no sh here"), "no sh here", "never began");
}

#[test]
fn the_summary_counts_who_asks_and_who_works() {
    #[track_caller]
    fn check(script: &str, expected: &str) {
        let said = words(&Stage::play(script).frame());
        assert!(said.iter().any(|text| text == expected), "{script}: {expected} in {said:?}");
    }
    check("", "No workspaces yet");
    check("open a", "All quiet");
    check("open a, agent sh", "1 running");
    check("open a, agent sh, pass 6", "1 asks");
    check("open a, agent sh, pass 100", "1 asks");
    check("open a, agent x, open b, agent y, pass 6, open c, agent z", "2 ask  ·  1 running");
    check("open a, agent sh, exit 1", "All quiet");
    check("open a, agent sh, palette, exit 1", "1 failed");
}

#[test]
fn what_was_done_long_ago_does_not_ask() {
    // Below a palette nobody looks at a terminal.
    let script = "open api, agent x, print hi, palette, done, pass 100, compact";
    assert_snapshot!(tiles(script), @r"
    quad 6,44 48x52 r8 #1b1f26 border 1 #262b34
    quad 6,52 3x36 r1.5 #f0883e
    ring 30,70 r10 border 3 #f0883e
    disc 39,61 r3 #6ea8fe
    line 26,70.25 28.75,73 w1.75 #f0883e
    line 28.75,73 34,67.25 w1.75 #f0883e
    ");
    let said = words(&Stage::play("open api, agent x, palette, done, pass 100").frame());
    assert!(said.contains(&"1 your turn".to_owned()), "{said:?}");
}

#[test]
fn a_compact_rail_keeps_shapes_and_drops_words() {
    assert_snapshot!(tiles("open api, agent cat, pass 6, compact"), @r#"
    quad 6,44 48x52 r8 #1b1f26 border 1 #262b34
    quad 6,52 3x36 r1.5 #f2c744
    disc 30,70 r14 #f2c74452
    disc 30,70 r10 #0e1014 border 2 #f2c744
    disc 26,70 r1.25 #f2c744
    disc 30,70 r1.25 #f2c744
    disc 34,70 r1.25 #f2c744
    "#);
    let said = words(&Stage::play("open api, agent cat, pass 6, compact").frame());
    assert!(said.contains(&"1".to_owned()), "how many ask: {said:?}");
}

#[test]
fn the_active_tile_is_in_view_however_many_there_are() {
    let mut stage = Stage::new();
    for place in 1..=60 {
        stage.step(&format!("open w{place}"));
        let said = words(&stage.frame());
        assert!(said.contains(&format!("w{place}")), "tile {place} is in view: {said:?}");
    }
    stage.step("go 1");
    assert!(words(&stage.frame()).contains(&"w1".to_owned()), "back at the first");
}

#[test]
fn a_click_on_a_tile_names_its_workspace() {
    let mut stage = Stage::play("open api, open web");
    let frame = stage.frame();
    let at = hit(&frame, Point::new(100.0, 44.0 + 54.0 + 20.0)).expect("a tile");
    assert_eq!(at.hit, Hit::Tile(stage.state.workspaces()[1].id()), "the second tile");
    assert_eq!(hit(&frame, Point::new(100.0, 500.0)).expect("rail").hit, Hit::Rail, "below them");
}

#[test]
fn the_status_bar_repeats_what_the_agent_on_show_does() {
    let bar = |script: &str| layers_at(&Stage::play(script).frame(), 224.0, 573.0);
    assert_snapshot!(bar("open api, branch main, agent claude, pass 17"), @r#"
    quad 224,573 776x27 #0e1014
    quad 224,573 776x1 #262b34
    disc 286,587 r1.25 #f2c744
    disc 290,587 r1.25 #f2c744
    disc 294,587 r1.25 #f2c744
    text 238,574 12px "main" #8b94a5
    text 300,574 12px "claude waits" #d7dce5 " 12 s" #8b94a5
    "#);
    assert_snapshot!(bar("open api, agent sh, exit 3, file a.txt xy, keys end"), @r#"
    quad 224,573 776x27 #0e1014
    quad 224,573 776x1 #262b34
    line 240.5,583.5 247.5,590.5 w1.75 #f85149
    line 240.5,590.5 247.5,583.5 w1.75 #f85149
    text 949,574 12px right of 37 "UTF-8" #8b94a5
    text 915,574 12px right of 16 "1:3" #8b94a5
    text 254,574 12px "sh exited 3" #8b94a5
    "#);
    assert_snapshot!(bar("open web, agent codex, open api, pass 6, bad-config config.toml:1:1: no"), @r#"
    quad 224,573 776x27 #0e1014
    quad 224,573 776x1 #262b34
    text 801,574 12px right of 185 "Ctrl+Shift+J next that needs you" #8b94a5
    text 238,574 12px "config.toml:1:1: no" #ff7b72
    text 358,574 12px "no agent" #8b94a5
    "#);
    assert_snapshot!(bar("open api, keys ctrl-k"), @r#"
    quad 224,573 776x27 #0e1014
    quad 224,573 776x1 #262b34
    text 238,574 12px "Ctrl+K …" #6ea8fe medium
    text 307,574 12px "no agent" #8b94a5
    "#);
}

#[test]
fn the_status_bar_says_that_a_paste_can_be_stopped() {
    let mut stage = Stage::play("open api, agent codex");
    let program = stage.state.focused_terminal().expect("an agent").program();
    for (news, said) in [(PasteNews::Waits, true), (PasteNews::Ended, false)] {
        stage.observe(Fact::Paste { program, news });
        let bar = layers_at(&stage.frame(), 224.0, 573.0);
        assert_eq!(bar.contains("pasting… Ctrl+C stops"), said, "{bar}");
    }
}

#[test]
fn the_status_bar_says_that_nothing_disturbs() {
    let mut stage = Stage::play("open api");
    for said in [false, true, false] {
        let bar = layers_at(&stage.frame(), 224.0, 573.0);
        assert_eq!(bar.contains("Do not disturb"), said, "{bar}");
        stage.act(Action::ToggleDnd);
    }
}

#[test]
fn only_waiting_and_watched_agents_wake_anybody() {
    let hidden = Activity { visible: false, ..WATCHED };
    let unfocused = Activity { focused: false, ..WATCHED };
    let steady = Activity { reduced_motion: true, ..WATCHED };
    /// Milliseconds until the next change.
    #[track_caller]
    fn check(script: &str, activity: Activity, expected: Option<u128>) {
        let stage = Stage::play(script);
        let next = next_change(&stage.state, stage.now, activity);
        let wait = next.map(|at| (at - stage.now).as_millis());
        assert_eq!(wait, expected, "{script} with {activity:?}");
    }
    check("", WATCHED, None);
    check("open a, agent sh", WATCHED, None);
    check("open a, agent sh, print hi", WATCHED, None);
    check("open a, agent sh, pass 6.1", WATCHED, Some(400));
    check("open a, agent sh, pass 6.1", unfocused, Some(400));
    check("open a, agent sh, pass 6.1", steady, Some(900));
    check("open a, agent sh, pass 6.1", hidden, None);
    check("open a, agent sh, pass 70", WATCHED, Some(55_000));
    check("open a, agent sh, pass 70", unfocused, None);
    check("open a, agent sh, exit 1, pass 70", WATCHED, Some(50_000));
    check("open a, agent sh, exit 1, pass 70", unfocused, None);
    check("open a, agent sh, exit 1, pass 3700", WATCHED, Some(3_500_000));
    check("open a, agent sh, stop, pass 5", WATCHED, None);
}

#[test]
fn many_waiting_agents_share_one_beat() {
    /// Thirty agents, started one after the other, and so many wake-ups in ten seconds.
    #[track_caller]
    fn check(script: &str, activity: Activity, expected: usize) {
        let mut stage = Stage::new();
        for place in 0..30 {
            stage.step(&format!("open w{place}"));
            stage.step("agent sh");
            stage.step("pass 0.07");
        }
        script.split(", ").for_each(|step| stage.step(step));
        let end = stage.now + Duration::from_secs(10);
        let mut wakes = 0;
        while let Some(at) = next_change(&stage.state, stage.now, activity).filter(|at| *at < end) {
            assert!(at > stage.now, "never at once again");
            stage.now = at;
            wakes += 1;
        }
        assert_eq!(wakes, expected, "{script} with {activity:?}");
    }
    let steady = Activity { reduced_motion: true, ..WATCHED };
    check("pass 6", WATCHED, 20);
    check("pass 6", steady, 10);
    // All are stale; the minutes of those that began to wait within one second turn together.
    check("pass 120", WATCHED, 4);
    check("pass 6, hide-rail", WATCHED, 10);
    check("pass 6, hide-rail, open idle", WATCHED, 0);
}

#[test]
fn a_hidden_rail_leaves_its_room_to_the_panes() {
    let shown = Stage::play("open api, agent cat").frame();
    let hidden = Stage::play("open api, agent cat, hide-rail").frame();
    let left = |frame: &Frame| frame.panes.iter().map(|(_, area)| area.x).fold(f32::MAX, f32::min);
    assert!(left(&shown) > 0.0 && left(&hidden) <= 0.0, "panes reach to the left edge");
    let at = Point::new(1.0, 300.0);
    let is_rail = |frame: &Frame| hit(frame, at).is_some_and(|region| region.hit == Hit::Rail);
    assert!(is_rail(&shown) && !is_rail(&hidden), "nothing to click");
    let back = Stage::play("open api, agent cat, hide-rail, compact").frame();
    assert_eq!(back.scene, shown.scene, "one that cannot be seen is shown before it is narrowed");
}

#[test]
fn the_pulse_steps_with_its_beat_and_stands_still_where_nothing_may_move() {
    let mut stage = Stage::play("open a, agent sh, pass 5");
    let mut steps = Vec::new();
    for _ in 0..5 {
        steps.push(pulse(&stage.state, stage.now, WATCHED));
        stage.step("pass 0.5");
    }
    assert_eq!(steps, [0, 1, 2, 3, 0], "a step every half second");
    let steady = Activity { reduced_motion: true, ..WATCHED };
    assert_eq!(pulse(&stage.state, stage.now, steady), 1, "reduced motion");
}

#[test]
fn the_pulse_is_a_steady_ring_where_the_system_asks_for_that() {
    /// The steps of the pulse, half a second apart.
    #[track_caller]
    fn check(script: &str, expected: [u8; 3]) {
        let mut stage = Stage::play(script);
        let steps = expected.map(|_| {
            let reduced_motion = stage.state.reduces_motion();
            let step = pulse(&stage.state, stage.now, Activity { reduced_motion, ..WATCHED });
            stage.step("pass 0.5");
            step
        });
        assert_eq!(steps, expected, "{script}");
    }
    check("open a, agent sh, pass 5", [0, 1, 2]);
    check("open a, agent sh, pass 5, system-motion reduced", [1, 1, 1]);
    check("open a, agent sh, pass 5, system-motion reduced, system-motion full", [0, 1, 2]);
}
