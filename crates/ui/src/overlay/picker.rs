//! The command palette and other lists to choose from.

use scene::{Align, Rect};
use workspace::{PickItem, Picker, PickerKind, State};

use super::{INPUT_HEIGHT, MARGIN, PADDING, ROW_HEIGHT, draw_input, panel};
use crate::canvas::{Canvas, Style};
use crate::layout::{Layout, count, length};
use crate::scroll_bar::{Extent, draw_scroll_bar};
use crate::{FrameInputs, Hit};

const MAX_ROWS: usize = 10;
const LIST_PADDING: f32 = 4.0;

pub(super) fn draw(
    canvas: &mut Canvas,
    state: &State,
    picker: &Picker,
    inputs: &FrameInputs<'_>,
    layout: &Layout,
) -> Option<Rect> {
    let items = picker.items(state);
    let room = canvas.window.height - INPUT_HEIGHT - 2.0 * LIST_PADDING - 2.0 * MARGIN;
    let n_rows = items.len().clamp(1, MAX_ROWS).min(count(room, ROW_HEIGHT).max(1));
    let height = INPUT_HEIGHT + length(n_rows, ROW_HEIGHT) + 2.0 * LIST_PADDING;
    let panel = panel(canvas, layout, height);
    let (top, list) = panel.split_top(INPUT_HEIGHT);
    canvas.fill(
        Rect { y: top.bottom() - 1.0, height: 1.0, ..top }.inset(1.0, 0.0),
        canvas.palette.line,
    );

    let list = list.inset(1.0, LIST_PADDING);
    canvas.layer(list);
    let first = (picker.selected + 1).saturating_sub(n_rows);
    for (index, item) in items.iter().enumerate().skip(first).take(n_rows) {
        let y = list.y + length(index - first, ROW_HEIGHT);
        let row = Rect::new(list.x, y, list.width, ROW_HEIGHT);
        draw_row(canvas, item, row, index == picker.selected);
        canvas.hit(row, Hit::Row(index));
    }
    if items.is_empty() {
        let row = Rect::new(list.x, list.y, list.width, ROW_HEIGHT).inset(PADDING - 1.0, 0.0);
        let style = Style::regular(13.0, canvas.palette.dim);
        let words = match picker.kind {
            PickerKind::Commands | PickerKind::Agents => "Nothing fits",
            PickerKind::Transcripts => state.transcripts_note(),
        };
        canvas.text(row, Align::Left, words, style);
    }
    draw_scroll_bar(canvas, list, Extent { total: items.len(), first, visible: n_rows });

    let placeholder = match picker.kind {
        PickerKind::Commands => "Type a command",
        PickerKind::Agents => "Which agent? Or any command to run",
        PickerKind::Transcripts => "Search what agents have printed",
    };
    let typed = (&picker.input, state.preedit());
    Some(draw_input(canvas, top.inset(PADDING, 0.0), typed, placeholder, inputs))
}

fn draw_row(canvas: &mut Canvas, item: &PickItem, row: Rect, is_selected: bool) {
    let palette = canvas.palette;
    if is_selected {
        canvas.fill(row, palette.selection);
    } else if canvas.is_hovered(row) {
        canvas.fill(row, palette.line.with_opacity(0.6));
    }
    let mut area = row.inset(PADDING - 1.0, 0.0);
    if let Some(keys) = &item.keys {
        let keys = canvas.keys(area.right(), row.center().y, keys);
        area.width = (keys.x - 12.0 - area.x).max(0.0);
    }
    // Dim text would be too pale on the selection.
    let dim = if is_selected { palette.text } else { palette.dim };
    let note = Style::regular(13.0, dim);
    let title = Style { color: if item.is_dim { dim } else { palette.text }, ..note };
    if item.note.is_empty() {
        canvas.text(area, Align::Left, &item.title, title);
    } else {
        let gap = title.width(&item.title) + 12.0;
        canvas.text(area, Align::Left, &item.title, title);
        let rest = Rect::new(area.x + gap, area.y, area.width - gap, area.height);
        canvas.text(rest, Align::Right, &item.note, note);
    }
}
