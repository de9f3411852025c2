//! That the input method's window opens where the composed text begins, at every scale.

use std::path::PathBuf;
use std::time::Instant;

use scene::{CellMetrics, Size};
use ui::{FrameInputs, TerminalFrames};
use workspace::{Action, AgentAction, Fact, Launch, Preedit, State, WorkspaceAction};

use super::*;

fn terminal_with_words(now: Instant) -> State {
    let mut state = State::new(config::Config::default());
    let open = WorkspaceAction::Open(PathBuf::from("/src/api"));
    let launch = Launch::Command(vec!["cat".to_owned()]);
    let start = AgentAction::Start { workspace: None, launch };
    for action in [Action::Workspace(open), Action::Agent(start)] {
        state.update(action, now).expect("a state to begin with");
    }
    state
}

/// The area with a cursor behind five characters in the second row, and the corner of the grid.
fn area_at(scale: f32, metrics: CellMetrics, composed: &str) -> (Area, (f32, f32)) {
    let now = crate::clock();
    let mut state = terminal_with_words(now);
    let size = Size::new(1000.0, 600.0);
    state.observe(Fact::PanesResized(ui::rooms(&state, size, scale, metrics)), now);
    let agent = state.visible_agent().expect("an agent");
    agent.terminal().take_size();
    agent.terminal().feed(b"one\r\nthree");
    let preedit = Preedit::new(composed, Some((0, composed.len())));
    state.update(Action::Preedit(preedit), now).expect("a preedit");
    let mut terminals = TerminalFrames::default();
    terminals.refresh(&state);
    let inputs = FrameInputs {
        size,
        scale,
        metrics,
        now,
        cursor_on: true,
        pulse: 0,
        pointer: None,
        terminals: &terminals,
        link: None,
        rail: ui::RailPointer::default(),
        renderer: "",
        home: None,
    };
    let frame = ui::build(&state, &inputs);
    let grid = frame.scene.layers.iter().find_map(|layer| layer.grids.first()).expect("a grid");
    let cursor = frame.text_cursor.expect("a cursor");
    (area(cursor, scale), (grid.origin.x * scale, grid.origin.y * scale))
}

#[test]
fn the_area_begins_where_the_composed_text_does() {
    for (scale, width, height) in [(1.0, 8, 21), (1.5, 13, 32), (2.0, 17, 42)] {
        let metrics = CellMetrics { width, height, ascent: height * 3 / 4, font_size: 14 * 64 };
        for composed in ["", "にほん"] {
            let ((position, size), (x, y)) = area_at(scale, metrics, composed);
            #[expect(clippy::cast_possible_truncation, reason = "a place on a screen")]
            let expected =
                (x.round() as i32 + 5 * i32::from(width), y.round() as i32 + i32::from(height));
            assert_eq!((position.x, position.y), expected, "at scale {scale} with {composed:?}");
            assert_eq!(size.height, u32::from(height), "one cell high at scale {scale}");
        }
    }
}
