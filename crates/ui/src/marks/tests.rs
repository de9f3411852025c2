//! Every state has a shape of its own, in colour or without.

use std::collections::BTreeMap;

use scene::{Scene, Size};
use workspace::Theme;

use super::*;
use crate::theme::palette;

const MARKS: [Mark; 12] = [
    Mark::Starting,
    Mark::Running,
    Mark::Asking,
    Mark::YourTurn,
    Mark::Overdue,
    Mark::Calm,
    Mark::Silent,
    Mark::Stale,
    Mark::Completed,
    Mark::Errored,
    Mark::Stopped,
    Mark::Idle,
];

/// What is drawn, with all colours taken out of it.
fn shape(draw: impl FnOnce(&mut Canvas, Point)) -> String {
    let window = Rect::new(0.0, 0.0, 40.0, 40.0);
    let mut canvas = Canvas::new(palette(Theme::Dark), window, None);
    draw(&mut canvas, Point::new(20.0, 20.0));
    let (layers, _) = canvas.into_parts();
    let size = Size::new(40.0, 40.0);
    let scene = Scene { size, scale: 1.0, background: Color::TRANSPARENT, layers };
    let text = scene.to_string();
    text.split_whitespace().filter(|word| !word.starts_with('#')).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_status_has_its_own_shape() {
    let mut seen = BTreeMap::new();
    for mark in MARKS {
        let shape = shape(|canvas, center| mark.draw(canvas, center, 0));
        if let Some(other) = seen.insert(shape.clone(), mark) {
            panic!("{other:?} and {mark:?} look the same: {shape}");
        }
    }
}

#[test]
fn only_what_asks_or_is_silent_has_a_halo() {
    let pulsing: Vec<Mark> = MARKS.into_iter().filter(|mark| mark.pulses()).collect();
    assert_eq!(pulsing, [Mark::Asking, Mark::Silent], "these pulse");
    let halo = |mark: Mark| shape(|canvas, center| mark.draw(canvas, center, 0)).contains("r14");
    assert_eq!(MARKS.into_iter().filter(|mark| halo(*mark)).collect::<Vec<_>>(), pulsing, "halos");
}

#[test]
fn a_question_is_told_from_a_finished_turn_and_from_silence() {
    assert_eq!(Mark::of_reason(Reason::Permission), Mark::Asking, "a question");
    assert_eq!(Mark::of_reason(Reason::TurnDone), Mark::YourTurn, "a finished turn");
    assert_eq!(Mark::of_reason(Reason::Silence), Mark::Silent, "silence");
}
