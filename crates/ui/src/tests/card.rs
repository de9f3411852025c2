//! The card of a tile on which the mouse rests.

use scene::{Rect, Size};

use super::fixture::{Stage, words};

/// The text of the card of the workspace at a place counted from 0, line by line.
#[track_caller]
fn card_of(stage: &mut Stage, place: usize) -> Vec<String> {
    let without = words(&stage.frame()).len();
    stage.rail.card = Some(stage.state.workspaces()[place].id());
    words(&stage.frame()).split_off(without)
}

#[track_caller]
fn check(script: &str, expected: &[&str]) {
    assert_eq!(card_of(&mut Stage::play(script), 0), expected, "the card after {script}");
}

#[test]
fn a_card_says_what_is_known_and_how() {
    check(
        "open api, branch main, agent claude, print Do you want to proceed?/ 1. Yes/ 2. No, pass 3",
        &[
            "Ctrl+Alt+1",
            "?",
            "api",
            "/src/api",
            "on main",
            "claude asks for permission  2 s",
            "Do you want to proceed?",
            "because",
            "screen  ·  waiting (permission)  ·  2 s ago",
            "not",
            "silence  ·  waiting (silence)  ·  3 s ago",
            "rule",
            "screen.permission",
            "Ctrl+Shift+J  next that needs you",
        ],
    );
}

#[test]
fn a_card_tells_of_agents_that_are_not_there_or_ended() {
    check(
        "open notes",
        &[
            "Ctrl+Alt+1",
            "notes",
            "/src/notes",
            "no agent",
            "Ctrl+Shift+A  starts an agent here once it is on show",
        ],
    );
    check(
        "open api, agent sh, exit 3, pass 70",
        &["Ctrl+Alt+1", "api", "/src/api", "sh exited 3  1 min"],
    );
    check(
        "open api, agent sh, fail no sh here; install it",
        &["Ctrl+Alt+1", "api", "/src/api", "sh did not start  0 s", "no sh here; install it"],
    );
}

#[test]
fn a_card_names_what_goes_on_meanwhile() {
    let said = card_of(&mut Stage::play("open api, agent x, part a, done, pass 1"), 0);
    assert!(said.contains(&"meanwhile: 1 part of it works".to_owned()), "{said:?}");
    let said = card_of(&mut Stage::play("open api, terminal sh, runs npm"), 0);
    assert!(said.contains(&"meanwhile: npm in a terminal".to_owned()), "{said:?}");
}

#[test]
fn what_agents_say_is_cleaned_and_cut() {
    let text = "word ".repeat(200);
    let script = format!("open api, agent sh, fail bad\u{202e}\u{1b}[2J {text}");
    let said = card_of(&mut Stage::play(&script), 0);
    assert!(said.iter().any(|line| line.starts_with("bad\u{fffd}\u{fffd}[2J word")), "{said:?}");
    let n_lines = said.iter().filter(|line| line.contains("word")).count();
    assert_eq!(n_lines, 4, "no more than that: {said:?}");
    assert!(said.last().is_some_and(|line| line.ends_with('…')), "{said:?}");
}

#[test]
fn a_card_keeps_inside_the_window_and_off_its_tile() {
    #[track_caller]
    fn check(width: f32, height: f32, rail: f32) {
        let mut stage =
            Stage::play("open a, agent x, pass 6, open b, open c, open d, open e, open f");
        stage.size = Size::new(width, height);
        for place in 0..stage.state.workspaces().len() {
            stage.rail.card = None;
            let without = stage.frame().scene.layers.len();
            stage.rail.card = Some(stage.state.workspaces()[place].id());
            let layers = stage.frame().scene.layers;
            let ground = layers.get(without).and_then(|layer| layer.quads.get(1));
            let Some(card) = ground.map(|quad| quad.rect) else { continue };
            let window = Rect::new(0.0, 0.0, width, height);
            assert_eq!(card.intersection(&window), card, "{card} in {window}");
            assert!(card.x >= rail, "{card} is right of the rail");
        }
    }
    check(1000.0, 600.0, 224.0);
    check(600.0, 300.0, 224.0);
    check(1000.0, 120.0, 224.0);
    check(400.0, 600.0, 60.0);
}

#[test]
fn a_question_or_a_palette_has_no_card_over_it() {
    let mut stage = Stage::play("open api, palette");
    let without = words(&stage.frame());
    stage.rail.card = Some(stage.state.workspaces()[0].id());
    assert_eq!(words(&stage.frame()), without, "the same words");
}
