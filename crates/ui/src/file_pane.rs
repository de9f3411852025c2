//! The pane of a file: its path, line numbers, the visible part of its text, selection and caret.

use std::path::{Component, Path};

use scene::{Align, Point, Rect};
use workspace::{BufferId, LoadState, OpenFile, Preedit, State, TAB_WIDTH};

use crate::canvas::{Canvas, Style};
use crate::layout::{Cell, PANE_PADDING_X, count, file_parts, file_text, length, number_edge};
use crate::panes::PaneArea;
use crate::scroll_bar::{Extent, draw_scroll_bar};
use crate::{FrameInputs, Hit, HitRegion, preedit};

const CARET_WIDTH: f32 = 2.0;

/// Draws the pane; returns where the caret is.
pub(crate) fn draw(
    canvas: &mut Canvas,
    state: &State,
    (buffer, file): (BufferId, &OpenFile),
    inputs: &FrameInputs<'_>,
    pane: &PaneArea<'_>,
) -> Option<Rect> {
    let palette = canvas.palette;
    let (path, body) = file_parts(pane.body);
    canvas.layer(pane.body);
    canvas.fill(pane.body, palette.pane);
    draw_path(canvas, state, file, path);
    match file.load_state() {
        LoadState::Unread | LoadState::Loading => {
            draw_message(canvas, body, "Loading…", palette.dim);
            None
        }
        LoadState::Failed(why) => {
            draw_message(canvas, body, why, palette.status.errored_text);
            None
        }
        LoadState::Loaded => {
            if !body.is_empty() {
                // Not cut: lines and columns are counted from this rectangle's corner.
                canvas.hits.push(HitRegion { rect: body, hit: Hit::File(pane.group.id(), buffer) });
            }
            let cell = Cell::new(inputs.metrics, inputs.scale);
            let text = file_text(body, file.document().n_lines(), cell);
            let view = View { file, body, text, cell, font_size: state.font_size() };
            let has_focus = state.is_focused() && pane.is_focused;
            view.draw(canvas, has_focus, preedit::of_pane(state, pane), inputs)
        }
    }
}

fn draw_path(canvas: &mut Canvas, state: &State, file: &OpenFile, strip: Rect) {
    let palette = canvas.palette;
    canvas.fill(Rect::new(strip.x, strip.bottom() - 1.0, strip.width, 1.0), palette.line);
    let mut area = strip.inset(PANE_PADDING_X, 0.0);
    let note = match (file.is_saving(), file.is_modified(), file.is_new()) {
        (true, ..) => "saving…",
        (false, true, _) => "not saved",
        (false, false, true) => "new file",
        (false, false, false) => "",
    };
    let dim = Style::regular(12.0, palette.dim);
    if !note.is_empty() {
        canvas.text(area, Align::Right, note, dim);
        area.width = (area.width - dim.width(note) - 16.0).max(0.0);
    }
    let root = state.active_workspace().map_or(Path::new(""), |workspace| workspace.root());
    let shown = file.path().strip_prefix(root).unwrap_or(file.path());
    let parts: Vec<String> = shown
        .components()
        .filter(|part| *part != Component::RootDir)
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let faint = Style::regular(12.0, palette.faint);
    let mut spans: Vec<(&str, Style)> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let style = if is_last { Style::medium(12.0, palette.text) } else { dim };
        spans.push((part, style));
        if !is_last {
            spans.push(("  ›  ", faint));
        }
    }
    // The name matters most: folders in front of it give way.
    let width = |spans: &[(&str, Style)]| -> f32 {
        spans.iter().map(|(text, style)| style.width(text)).sum()
    };
    while spans.len() > 2 && width(&spans) > area.width {
        spans.drain(..2);
    }
    canvas.spans(area, Align::Left, &spans);
}

fn draw_message(canvas: &mut Canvas, body: Rect, text: &str, color: scene::Color) {
    let middle = body.center().y.floor();
    let area = Rect::new(body.x + 24.0, middle - 10.0, body.width - 48.0, 20.0);
    canvas.text(area, Align::Center, text, Style::regular(13.0, color));
}

/// The loaded text of a file in its place.
struct View<'a> {
    file: &'a OpenFile,
    body: Rect,
    text: Rect,
    cell: Cell,
    font_size: f32,
}

impl View<'_> {
    fn draw(
        &self,
        canvas: &mut Canvas,
        has_focus: bool,
        composed: Option<&Preedit>,
        inputs: &FrameInputs<'_>,
    ) -> Option<Rect> {
        let document = self.file.document();
        let n_rows = count(self.text.height, self.cell.height) + 1;
        let first = self.file.first_line();
        let cursor = document.cursor();
        canvas.layer(self.body);
        for line in first..document.n_lines().min(first + n_rows) {
            self.draw_number(canvas, line, line == cursor.line);
        }
        // Text scrolled sideways must not run into the numbers; half a cell of slack keeps the
        // caret and what hangs over to the left whole.
        let slack = self.cell.width / 2.0;
        let clip =
            Rect::new(self.text.x - slack, self.body.y, self.text.width + slack, self.body.height);
        canvas.layer(clip);
        for line in first..document.n_lines().min(first + n_rows) {
            self.draw_selection(canvas, line);
            self.draw_line(canvas, line);
        }
        canvas.layer(self.body);
        let visible = n_rows.saturating_sub(1).max(1);
        if first > 0 || document.n_lines() > visible {
            // The last line can be scrolled up to the top.
            let total = document.n_lines() + visible - 1;
            draw_scroll_bar(canvas, self.body, Extent { total, first, visible });
        }
        let is_on = inputs.cursor_on && composed.is_none();
        let caret = self.draw_caret(canvas, clip, has_focus, is_on)?;
        let Some(preedit) = composed else { return Some(caret) };
        let row = preedit::Row {
            origin: Point::new(self.text.x, caret.y),
            columns: count(self.text.width, self.cell.width),
            cursor: document.display_column(TAB_WIDTH).saturating_sub(self.file.first_column()),
        };
        Some(preedit::draw(canvas, preedit, row, inputs))
    }

    fn row(&self, line: usize) -> Rect {
        let y = length(line.saturating_sub(self.file.first_line()), self.cell.height);
        Rect::new(self.text.x, self.text.y + y, self.text.width, self.cell.height)
    }

    fn column_x(&self, column: usize) -> f32 {
        let first = self.file.first_column();
        let right_of = length(column.saturating_sub(first), self.cell.width);
        self.text.x + right_of - length(first.saturating_sub(column), self.cell.width)
    }

    fn draw_number(&self, canvas: &mut Canvas, line: usize, is_current: bool) {
        let palette = canvas.palette;
        let row = self.row(line);
        if is_current {
            canvas.fill(Rect { x: self.body.x, width: self.body.width, ..row }, palette.raised);
        }
        let color = if is_current { palette.dim } else { palette.faint };
        let width = number_edge(self.text) - self.body.x;
        let area = Rect { x: self.body.x, width, ..row };
        canvas.mono(area, Align::Right, &(line + 1).to_string(), self.font_size, color);
    }

    fn draw_selection(&self, canvas: &mut Canvas, line: usize) {
        let columns = self.file.document().selected_display_columns(line, TAB_WIDTH);
        let Some(columns) = columns else { return };
        let first = self.file.first_column();
        let last = first + count(self.text.width, self.cell.width) + 1;
        let (start, end) = (columns.start.clamp(first, last), columns.end.clamp(first, last));
        let (left, right) = (self.column_x(start), self.column_x(end));
        let row = self.row(line);
        canvas.fill(Rect::new(left, row.y, right - left, row.height), canvas.palette.selection);
    }

    fn draw_line(&self, canvas: &mut Canvas, line: usize) {
        let color = canvas.palette.text;
        let first = self.file.first_column();
        let columns = first..first + count(self.text.width, self.cell.width) + 1;
        let visible = self.file.document().visible_line(line, columns, TAB_WIDTH);
        let row = self.row(line);
        for (column, piece) in visible.pieces() {
            if piece.trim().is_empty() {
                continue;
            }
            let x = self.column_x(column);
            let width = self.text.right() + self.cell.width - x;
            let area = Rect::new(x, row.y, width, row.height);
            canvas.mono(area, Align::Left, piece, self.font_size, color);
        }
    }

    fn draw_caret(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        is_focused: bool,
        is_on: bool,
    ) -> Option<Rect> {
        let document = self.file.document();
        let (line, column) = (document.cursor().line, document.display_column(TAB_WIDTH));
        let (first_line, first_column) = (self.file.first_line(), self.file.first_column());
        if line < first_line || column < first_column {
            return None;
        }
        let row = self.row(line);
        let caret = Rect::new(self.column_x(column), row.y, CARET_WIDTH, row.height);
        if caret.intersection(&clip).is_empty() {
            return None;
        }
        canvas.layer(clip);
        if is_on && is_focused {
            // Between two characters, not on the right one.
            canvas.fill(Rect { x: caret.x - CARET_WIDTH / 2.0, ..caret }, canvas.palette.accent);
        }
        Some(caret)
    }
}
