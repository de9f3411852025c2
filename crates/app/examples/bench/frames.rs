//! From a changed terminal to a finished scene, without a GPU.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use config::Config;
use scene::{CellMetrics, Size};
use terminal::GridSize;
use ui::{Activity, Frame, FrameInputs, TerminalFrames};
use workspace::{Action, AgentAction, Fact, Launch, Pane, Rooms, State, WorkspaceAction};

use crate::table::{Row, Unit, milliseconds};
use crate::{Effort, clock};

const GRID: GridSize = GridSize { columns: 200, rows: 60 };
const N_CELLS: usize = 200 * 60;
const METRICS: CellMetrics = CellMetrics { width: 8, height: 21, ascent: 16, font_size: 14 * 64 };
/// A little larger than rail, bars and so many cells.
const SIZE: Size = Size { width: 1900.0, height: 1400.0 };
const N_WORKSPACES: usize = 10;

const CHANGED_GOAL: f64 = 3.0;
const UNCHANGED_GOAL: f64 = 0.2;

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let n_rounds = match effort {
        Effort::Quick => 50,
        Effort::Full => 200,
    };
    let start = clock::now();
    let state = state(start)?;
    let mut terminals = TerminalFrames::default();
    let mut last = frame(&state, &mut terminals, start);
    let mut changed = Vec::new();
    let mut unchanged = Vec::new();
    for round in 0..n_rounds {
        let agent = state.visible_agent().context("an agent on show")?;
        agent.terminal().feed(screen(round).as_bytes());
        let (differs, time) = turn(&state, &mut terminals, &mut last, start);
        ensure!(differs && n_cells(&last) == N_CELLS, "the frame does not show all that changed");
        changed.push(time);
        let (differs, time) = turn(&state, &mut terminals, &mut last, start);
        ensure!(!differs, "the frame changes by itself");
        unchanged.push(time);
    }
    let rows = |name: &str, times: &mut [Duration], goal: f64| {
        [(50, "median"), (99, "p99")].map(|(percent, word)| {
            let time = milliseconds(clock::percentile(times, percent));
            Row::at_most(&format!("frame, {name}: {word}"), time, goal, Unit::Milliseconds)
        })
    };
    let mut all = Vec::from(rows("200x60 cells changed", &mut changed, CHANGED_GOAL));
    all.extend(rows("nothing changed", &mut unchanged, UNCHANGED_GOAL));
    Ok(all)
}

/// What the program does between the state and the renderer: build, see whether it differs, and
/// let go of the frame before.
fn turn(
    state: &State,
    terminals: &mut TerminalFrames,
    last: &mut Frame,
    now: Instant,
) -> (bool, Duration) {
    clock::timed(|| {
        let next = frame(state, terminals, now);
        let differs = next.scene != last.scene;
        *last = next;
        differs
    })
}

fn n_cells(frame: &Frame) -> usize {
    let grids = frame.scene.layers.iter().flat_map(|layer| &layer.grids);
    grids.flat_map(|grid| &grid.rows).map(|row| row.cells.len()).sum()
}

fn frame(state: &State, terminals: &mut TerminalFrames, now: Instant) -> Frame {
    terminals.refresh(state);
    let watched = Activity { visible: true, focused: true, reduced_motion: false };
    let inputs = FrameInputs {
        size: SIZE,
        scale: 1.0,
        metrics: METRICS,
        now,
        cursor_on: true,
        pulse: ui::pulse(state, now, watched),
        pointer: None,
        terminals,
        link: None,
        rail: ui::RailPointer::default(),
        renderer: "",
        home: None,
    };
    ui::build(state, &inputs)
}

/// Several workspaces with agents, the last of them on show.
fn state(now: Instant) -> Result<State> {
    let mut state = State::new(Config::default());
    let under_find_bar = terminal::TopRight::default();
    let whole = Pane { terminal: GRID, file_rows: 60, file_columns: 200, under_find_bar };
    state.observe(Fact::PanesResized(Rooms::from(whole)), now);
    for index in 0..N_WORKSPACES {
        let root = PathBuf::from(format!("/src/project-{index}"));
        state.update(Action::Workspace(WorkspaceAction::Open(root)), now)?;
        let launch = Launch::Command(vec!["agent".to_owned()]);
        state.update(Action::Agent(AgentAction::Start { workspace: None, launch }), now)?;
    }
    Ok(state)
}

/// Every cell another letter in another colour than the round before, with some attributes.
fn screen(round: usize) -> String {
    let mut text = String::from("\x1b[H");
    for row in 0..usize::from(GRID.rows) {
        text.push_str(&format!("\x1b[{};1H", row + 1));
        for column in 0..usize::from(GRID.columns) {
            let mix = row * 7 + column * 3 + round * 5;
            if column % 5 == 0 {
                let (color, ground, attribute) =
                    (mix % 256, (mix / 3) % 256, [0, 1, 3, 4][mix % 4]);
                text.push_str(&format!("\x1b[0;{attribute};38;5;{color};48;5;{ground}m"));
            }
            let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
            text.push(char::from(letters[mix % letters.len()]));
        }
    }
    text
}
