//! What holds for every frame, whatever the state and however large the window.

use proptest::prelude::*;
use scene::{Point, Rect, Size};

use super::fixture::Stage;
use crate::Frame;

const STEPS: &[&str] = &[
    "open api",
    "open a-folder-with-a-very-long-name-that-fits-nowhere",
    "open \u{202e}日本語",
    "repository api",
    "agent sh",
    "terminal zsh",
    "split",
    "split down",
    "print one/two/three",
    "pass 3",
    "pass 70",
    "exit 0",
    "exit 3",
    "stop",
    "fail no such program: install it or choose another one",
    "file src/deep/er/limit.rs fn main() {/\tlet é = 1;/}",
    "file empty.txt",
    "loading slow.txt",
    "unreadable bad.bin bad.bin is not text",
    "keys ctrl-end shift-home",
    "keys down",
    "keys ctrl-shift-f",
    "compose にほんご",
    "palette",
    "type agent",
    "menu",
    "keys up",
    "keys esc",
    "light",
    "compact",
    "notice something happened that takes a whole line to tell",
    "bad-config config.toml:1:1: unknown field `x`",
    "recent /home/me/src/api /srv/web",
    "found claude !codex",
    "go 1",
    "tab 1",
    "close",
];

fn script() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(STEPS), 0..16)
}

fn length() -> impl Strategy<Value = f32> {
    prop_oneof![Just(1.0_f32), Just(8000.0), 0.0_f32..2000.0]
}

/// Plays what can be played: a step that is refused in this state is left out.
fn play(script: &[&str]) -> Stage {
    let mut stage = Stage::new();
    for step in script {
        if stage.can(step) {
            stage.step(step);
        }
    }
    stage
}

fn check(frame: &Frame, size: Size) {
    let window = Rect::new(0.0, 0.0, size.width, size.height);
    let is_inside = |rect: Rect| rect.intersection(&window) == rect;
    let is_finite = |rect: Rect| {
        [rect.x, rect.y, rect.width, rect.height].iter().all(|it| it.is_finite())
            && rect.width >= 0.0
            && rect.height >= 0.0
    };
    for layer in &frame.scene.layers {
        assert!(is_inside(layer.clip), "clip {} in {window}", layer.clip);
        for quad in &layer.quads {
            assert!(is_finite(quad.rect), "{quad}");
        }
        for line in &layer.lines {
            let ends = [line.from.x, line.from.y, line.to.x, line.to.y];
            assert!(ends.iter().all(|it| it.is_finite()), "{line}");
        }
        for run in &layer.texts {
            let Point { x, y } = run.origin;
            assert!(is_finite(Rect { x, y, width: run.width, height: run.line_height }), "{run}");
            assert!(run.spans.iter().all(|it| !it.text.contains(char::is_control)), "{run}");
        }
    }
    for region in &frame.hits {
        assert!(is_finite(region.rect), "{region:?}");
        assert!(is_inside(region.rect), "{region:?} in {window}");
    }
    assert!(frame.text_cursor.is_none_or(is_finite), "the caret: {:?}", frame.text_cursor);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn frames_are_finite_inside_the_window_and_repeatable(
        script in script(),
        width in length(),
        height in length(),
        scale in prop::sample::select(&[1.0_f32, 1.25, 1.5, 2.0, 3.0][..]),
        pointer in prop::option::of((0.0_f32..1600.0, 0.0_f32..1000.0)),
    ) {
        let mut stage = play(&script);
        stage.size = Size::new(width, height);
        stage.scale = scale;
        stage.pointer = pointer.map(|(x, y)| Point::new(x, y));
        stage.rail.card = stage.state.workspaces().last().map(workspace::Workspace::id);
        stage.rail.dragged = stage.rail.card.map(|tile| (tile, script.len() / 4));
        let frame = stage.frame();
        check(&frame, stage.size);
        prop_assert_eq!(&frame, &stage.frame(), "built twice");
    }
}

#[test]
fn a_window_of_one_pixel_and_one_of_eight_thousand_are_fine() {
    for side in [0.0, 1.0, 8000.0] {
        for script in [&[][..], &["open api", "agent sh", "exit 3"], &["open api", "palette"]] {
            let mut stage = play(script);
            stage.size = Size::new(side, side);
            check(&stage.frame(), stage.size);
        }
    }
}
