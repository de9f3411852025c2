//! The pane of a terminal: its cells, its cursor, where the view is in the scrollback, and how its
//! program ended.

use scene::{Align, CellGrid, Point, Quad, Rect};
use terminal::{Cursor, CursorShape};
use workspace::{Action, AgentAction, PlainAction, ProgramId, State, TerminalView};

use crate::canvas::{Canvas, Style};
use crate::find_bar::Surroundings;
use crate::layout::{Cell, PANE_PADDING_X, PANE_PADDING_Y, length};
use crate::marks::Mark;
use crate::panes::PaneArea;
use crate::scroll_bar::{Extent, draw_scroll_bar};
use crate::terminal_frame::TerminalFrame;
use crate::words::{agent_ending, plain_ending};
use crate::{FrameInputs, Hit, HitRegion, find_bar, preedit, scroll_notes};

/// The strip below an ended program's output.
const BANNER_HEIGHT: f32 = 40.0;
const BUTTON_HEIGHT: f32 = 26.0;

/// Draws the pane; returns where the cursor is.
pub(crate) fn draw(
    canvas: &mut Canvas,
    state: &State,
    terminal: TerminalView<'_>,
    inputs: &FrameInputs<'_>,
    area: &PaneArea<'_>,
) -> Option<Rect> {
    let frame = inputs.terminals.get(terminal.program());
    let pane = area.body;
    let palette = canvas.palette;
    canvas.layer(pane);
    canvas.fill(pane, frame.and_then(TerminalFrame::ground).unwrap_or(palette.pane));
    let cell = Cell::new(inputs.metrics, inputs.scale);
    let shift = frame.map_or(0.0, |frame| banner_shift(terminal, frame, pane, cell));
    let down = frame.map_or(0.0, scroll_notes::dropped_shift);
    // Not cut to what is visible: cells are counted from this rectangle's corner.
    let rect = Rect::new(pane.x, pane.y - shift + down, pane.width, pane.height + shift);
    if !rect.is_empty() {
        canvas.hits.push(HitRegion { rect, hit: Hit::Terminal(area.group.id()) });
    }
    let mut cursor = frame.and_then(|frame| {
        let origin = Point::new(rect.x + PANE_PADDING_X, rect.y + PANE_PADDING_Y);
        draw_screen(canvas, state, (area, terminal, frame), inputs, origin)
    });
    if !terminal.is_alive() {
        let is_blank = frame.is_none_or(|frame| frame.n_used_rows() == 0);
        match terminal.failure().filter(|_| is_blank) {
            Some(failure) => {
                draw_failure(canvas, terminal, failure, pane);
                draw_banner(canvas, state, terminal, "did not start", pane);
            }
            None => draw_banner(canvas, state, terminal, &end_words(state, terminal), pane),
        }
    }
    if let Some(frame) = frame.filter(|_| down > 0.0) {
        scroll_notes::draw_dropped(canvas, terminal, frame, pane);
    }
    if let Some(find) = state.find().filter(|find| find.program() == terminal.program()) {
        let origin = Point::new(rect.x + PANE_PADDING_X, rect.y + PANE_PADDING_Y);
        let above = pane.bottom() - banner_height(Some(terminal));
        let around = frame.map_or_else(
            || Surroundings { pane, above, fixed_match: None },
            |frame| Surroundings {
                pane,
                above: above - scroll_notes::below_height(frame),
                fixed_match: fixed_match(frame, origin, cell),
            },
        );
        let caret = find_bar::draw(canvas, state, find, inputs, around);
        cursor = caret.filter(|_| area.is_focused).or(cursor);
    }
    cursor
}

/// Where the match that was gone to is in a view that is scrolled up as far as it goes, or cannot be.
fn fixed_match(frame: &TerminalFrame, origin: Point, cell: Cell) -> Option<Rect> {
    let snapshot = frame.snapshot();
    if snapshot.display_offset < snapshot.history {
        return None;
    }
    let current = snapshot.rows.iter().enumerate().find_map(|(row, it)| {
        let span = it.matches.iter().find(|span| span.is_current)?;
        Some((row, span.columns.clone()))
    });
    let (row, columns) = current?;
    let (start, end) = (usize::from(columns.start), usize::from(columns.end));
    let (x, y) = (length(start, cell.width), length(row, cell.height));
    let width = length(end - start, cell.width);
    Some(Rect::new(origin.x + x, origin.y + y, width, cell.height))
}

/// How much of the pane's bottom the end of the program in it takes.
pub(crate) fn banner_height(terminal: Option<TerminalView<'_>>) -> f32 {
    let has_ended = terminal.is_some_and(|terminal| !terminal.is_alive());
    if has_ended { BANNER_HEIGHT } else { 0.0 }
}

/// How far the screen is moved up so that the banner hides none of its last lines.
fn banner_shift(terminal: TerminalView<'_>, frame: &TerminalFrame, pane: Rect, cell: Cell) -> f32 {
    if terminal.is_alive() || frame.snapshot().display_offset > 0 {
        return 0.0;
    }
    let used = PANE_PADDING_Y + length(frame.n_used_rows(), cell.height);
    let free = pane.height - BANNER_HEIGHT;
    (used - free).clamp(0.0, pane.y.clamp(0.0, BANNER_HEIGHT))
}

fn draw_screen(
    canvas: &mut Canvas,
    state: &State,
    (area, terminal, frame): (&PaneArea<'_>, TerminalView<'_>, &TerminalFrame),
    inputs: &FrameInputs<'_>,
    origin: Point,
) -> Option<Rect> {
    let (pane, to) = (area.body, area.group.id());
    let snapshot = frame.snapshot();
    let is_alive = terminal.is_alive();
    let cursor_on = frame.is_cursor_on(inputs.cursor_on);
    let rows = frame.rows(cursor_on && is_alive);
    let id = grid_id(terminal.program());
    canvas.grid(CellGrid { id, origin, metrics: inputs.metrics, rows });

    canvas.layer(pane);
    let cell = Cell::new(inputs.metrics, inputs.scale);
    let place = |cursor: Cursor| cursor_rect(frame, cursor, origin, cell);
    if let Some(cursor) = frame.cursor()
        && is_alive
    {
        let color = frame.cursor_color().unwrap_or(canvas.palette.accent);
        draw_cursor(canvas, cursor, place(cursor), color, cursor_on);
    }
    if let Some(hovered) = inputs.link.filter(|it| it.is_active && it.program == terminal.program())
    {
        for (row, columns) in &hovered.link.cells {
            let (left, right) = (usize::from(columns.start), usize::from(columns.end));
            let x = origin.x + length(left, cell.width);
            let bottom = origin.y + length(usize::from(*row) + 1, cell.height);
            let width = length(right.saturating_sub(left), cell.width);
            canvas.fill(Rect::new(x, bottom - 2.0, width, 1.0), canvas.palette.accent);
        }
    }
    let (_, above_banner) = pane.split_bottom(banner_height(Some(terminal)));
    draw_scroll_bar(
        canvas,
        above_banner,
        Extent {
            total: snapshot.history + snapshot.rows.len(),
            first: snapshot.history.saturating_sub(snapshot.display_offset),
            visible: snapshot.rows.len(),
        },
    );
    if snapshot.display_offset > 0 {
        scroll_notes::draw_below(canvas, state, frame, above_banner, to);
    }
    let composed = preedit::of_pane(state, area).filter(|_| is_alive);
    let Some(preedit) = composed else { return snapshot.cursor.map(place) };
    // A program that hides its cursor says nothing of where it types: then the last row will do.
    let (row, column) = snapshot.cursor.map_or((snapshot.rows.len().saturating_sub(1), 0), |it| {
        (usize::from(it.at.row), usize::from(it.at.column))
    });
    let origin = Point::new(origin.x, origin.y + length(row, cell.height));
    let row = preedit::Row { origin, columns: snapshot.size.columns.into(), cursor: column };
    canvas.layer(pane);
    Some(preedit::draw(canvas, preedit, row, inputs))
}

/// One number for each terminal. Ids of agents are numbers; they show it only as text.
fn grid_id(program: ProgramId) -> u64 {
    match program {
        ProgramId::Agent(id) => id.to_string().parse().unwrap_or_default(),
        ProgramId::Terminal(id) => u64::from(id.number()) | 1 << 63,
    }
}

fn cursor_rect(frame: &TerminalFrame, cursor: Cursor, origin: Point, cell: Cell) -> Rect {
    let (row, column) = (usize::from(cursor.at.row), usize::from(cursor.at.column));
    let row_cells = frame.snapshot().rows.get(row).map(|row| &row.cells);
    let under = row_cells.and_then(|cells| cells.get(column));
    let is_wide = under.is_some_and(|under| under.attributes.contains(terminal::Attributes::WIDE));
    let width = if is_wide { 2.0 * cell.width } else { cell.width };
    let (x, y) = (length(column, cell.width), length(row, cell.height));
    Rect::new(origin.x + x, origin.y + y, width, cell.height)
}

fn draw_cursor(canvas: &mut Canvas, cursor: Cursor, rect: Rect, color: scene::Color, is_on: bool) {
    match cursor.shape {
        // In the cells' own colours already.
        CursorShape::Block => {}
        CursorShape::Hollow => {
            canvas.quad(Quad::filled(rect, scene::Color::TRANSPARENT).bordered(1.0, color));
        }
        CursorShape::Beam if is_on => canvas.fill(Rect { width: 2.0, ..rect }, color),
        CursorShape::Underline if is_on => {
            canvas.fill(Rect { y: rect.bottom() - 2.0, height: 2.0, ..rect }, color);
        }
        CursorShape::Beam | CursorShape::Underline => {}
    }
}

fn draw_banner(
    canvas: &mut Canvas,
    state: &State,
    terminal: TerminalView<'_>,
    words: &str,
    pane: Rect,
) {
    let palette = canvas.palette;
    let (strip, _) = pane.split_bottom(BANNER_HEIGHT);
    canvas.layer(strip);
    canvas.fill(strip, palette.raised);
    canvas.fill(Rect { height: 1.0, ..strip }, palette.line);
    let Some(workspace) = state.active_workspace() else { return };

    let middle = strip.center().y;
    let (restart, mark) = match terminal {
        TerminalView::Agent(_) => {
            let restart = AgentAction::Restart { workspace: Some(workspace.id()) };
            (Action::Agent(restart), Mark::of(workspace))
        }
        TerminalView::Plain(plain) => {
            let is_well = plain.exit().is_some_and(agent::Exit::is_success);
            let mark = if is_well { Mark::Completed } else { Mark::Errored };
            (Action::Plain(PlainAction::Restart(plain.id())), mark)
        }
    };
    let right = strip.right() - PANE_PADDING_X;
    let mut left = draw_button(canvas, "Restart", Point::new(right, middle), restart);
    if matches!(terminal, TerminalView::Agent(_)) && state.can_resume(workspace) {
        let resume = Action::Agent(AgentAction::Resume { workspace: Some(workspace.id()) });
        left = draw_button(canvas, "Resume", Point::new(left - 8.0, middle), resume);
    }

    mark.draw_small(canvas, Point::new(strip.x + PANE_PADDING_X + 6.0, middle));
    let words_x = strip.x + PANE_PADDING_X + 20.0;
    let area = Rect::new(words_x, strip.y, left - 12.0 - words_x, strip.height);
    let color = if mark == Mark::Errored { palette.status.errored_text } else { palette.text };
    canvas.text(area, Align::Left, words, Style::regular(13.0, color));
}

/// Left of a point; gives where it begins.
fn draw_button(canvas: &mut Canvas, label: &str, end: Point, action: Action) -> f32 {
    let palette = canvas.palette;
    let style = Style::medium(12.0, palette.text);
    let width = style.width(label) + 24.0;
    let rect = Rect::new(end.x - width, end.y - BUTTON_HEIGHT / 2.0, width, BUTTON_HEIGHT);
    let ground = if canvas.is_hovered(rect) { palette.line } else { palette.overlay };
    canvas.quad(Quad::rounded(rect, 6.0, ground).bordered(1.0, palette.line));
    canvas.text(rect, Align::Center, label, style);
    canvas.hit(rect, Hit::Do(action));
    rect.x
}

fn end_words(state: &State, terminal: TerminalView<'_>) -> String {
    match terminal {
        TerminalView::Agent(agent) => agent_ending(agent),
        TerminalView::Plain(plain) => plain_ending(state, plain),
    }
}

/// Why nothing ever ran, in the middle of the empty pane.
fn draw_failure(canvas: &mut Canvas, terminal: TerminalView<'_>, failure: &str, pane: Rect) {
    let palette = canvas.palette;
    canvas.layer(pane);
    let name = match terminal {
        TerminalView::Agent(agent) => agent.name().to_owned(),
        TerminalView::Plain(plain) => plain.title(),
    };
    let title = format!("{name} did not start");
    let middle = (pane.y + (pane.height - BANNER_HEIGHT) / 2.0).floor();
    let area = |y: f32, height: f32| Rect::new(pane.x + 24.0, y, pane.width - 48.0, height);
    let title_style = Style::semibold(15.0, palette.text);
    canvas.text(area(middle - 26.0, 24.0), Align::Center, &title, title_style);
    let style = Style::regular(13.0, palette.status.errored_text);
    canvas.text(area(middle + 2.0, 20.0), Align::Center, failure, style);
}
