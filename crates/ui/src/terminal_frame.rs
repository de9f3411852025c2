//! What a terminal shows, ready to be put into a scene.
//!
//! It lives from frame to frame: rows that did not change stay the same [`Arc`], so that an
//! unchanged screen costs nothing here and nothing where it is drawn.

use std::sync::Arc;

use scene::{Color, GridRow};
use terminal::{Cursor, CursorShape, Rgb, Snapshot, TerminalBuffer};
use workspace::Theme;

use crate::cells;
use crate::contrast::Contrast;
use crate::theme::palette;

/// How the cursor is to be drawn, as far as the window decides that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CursorLook {
    #[default]
    Hidden,
    /// The window does not have the focus.
    Hollow,
    Solid,
}

/// A terminal's snapshot with its rows already coloured.
#[derive(Debug, Default)]
pub struct TerminalFrame {
    snapshot: Snapshot,
    rows: Vec<Arc<GridRow>>,
    /// The version of the snapshot's row that each of `rows` was made from.
    versions: Vec<u64>,
    theme: Option<Theme>,
    contrast: Contrast,
    look: CursorLook,
    /// What the program had printed when the view was last at the bottom, and by now.
    output_at_bottom: Option<u64>,
    output: u64,
    /// The row with a solid block cursor in it, and its place; `None` for any other cursor.
    cursor_row: Option<(usize, Arc<GridRow>)>,
}

impl TerminalFrame {
    /// Takes over what changed since the last call, or all of it if that was another terminal. Returns
    /// whether anything looks different.
    pub fn refresh(&mut self, terminal: &TerminalBuffer, theme: Theme, look: CursorLook) -> bool {
        let cursor_before = self.cursor();
        // Read before the rows are copied: what is printed meanwhile is news the next time.
        self.output = terminal.output_revision();
        if !terminal.is_source_of(&self.snapshot) {
            self.rows.clear();
            self.versions.clear();
            self.output_at_bottom = None;
        }
        let mut changed = terminal.snapshot_into(&mut self.snapshot);
        if self.snapshot.display_offset == 0 || self.output_at_bottom.is_none() {
            self.output_at_bottom = Some(self.output);
        }
        if self.theme != Some(theme) {
            self.theme = Some(theme);
            self.rows.clear();
            self.versions.clear();
            changed = true;
        }
        self.look = look;
        changed |= self.cursor() != cursor_before;
        if changed {
            self.color_rows(theme);
            self.color_cursor(theme);
        }
        changed
    }

    /// Text gets at least this contrast with its ground, from the next [`Self::refresh`] on; 1
    /// leaves all colours alone.
    pub fn set_minimum_contrast(&mut self, minimum: f32) {
        if self.contrast.minimum() != minimum {
            self.contrast = Contrast::at_least(minimum);
            self.theme = None;
        }
    }

    /// The colour that the program gave its cursor; `None` is the theme's.
    pub(crate) fn cursor_color(&self) -> Option<Color> {
        let Rgb { r, g, b } = self.snapshot.cursor?.color?;
        Some(Color::rgb(r, g, b))
    }

    /// The ground that the program gave the terminal; `None` is the theme's.
    pub(crate) fn ground(&self) -> Option<Color> {
        let Rgb { r, g, b } = self.snapshot.ground?;
        Some(Color::rgb(r, g, b))
    }

    /// Whether the cursor is to be seen in this phase of the blink.
    pub(crate) fn is_cursor_on(&self, phase: bool) -> bool {
        phase || !self.has_blinking_cursor()
    }

    pub fn has_blinking_cursor(&self) -> bool {
        self.look == CursorLook::Solid && self.snapshot.cursor.is_some_and(|cursor| cursor.blinking)
    }

    /// Whether something was printed while the view was scrolled up.
    pub(crate) fn has_unseen_output(&self) -> bool {
        self.output_at_bottom.is_some_and(|seen| seen != self.output)
    }

    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The rows to draw in this phase of the blink.
    pub(crate) fn rows(&self, cursor_on: bool) -> Vec<Arc<GridRow>> {
        let mut rows = self.rows.clone();
        if cursor_on
            && let Some((at, row)) = &self.cursor_row
            && let Some(place) = rows.get_mut(*at)
        {
            *place = Arc::clone(row);
        }
        rows
    }

    /// The cursor in the shape it is to be drawn in; `None` while it is not to be seen.
    pub(crate) fn cursor(&self) -> Option<Cursor> {
        let cursor = self.snapshot.cursor?;
        match self.look {
            CursorLook::Hidden => None,
            CursorLook::Hollow => Some(Cursor { shape: CursorShape::Hollow, ..cursor }),
            CursorLook::Solid => Some(cursor),
        }
    }

    /// The last row that has anything on it, counted from 1; 0 for an empty screen.
    pub(crate) fn n_used_rows(&self) -> usize {
        let is_used = |row: &Arc<GridRow>| {
            row.cells.iter().any(|cell| cell.glyph != ' ' || cell.background.a != 0)
        };
        self.rows.iter().rposition(is_used).map_or(0, |last| last + 1)
    }

    fn color_rows(&mut self, theme: Theme) {
        let Self { snapshot, rows, versions, contrast, .. } = self;
        rows.truncate(snapshot.rows.len());
        versions.truncate(snapshot.rows.len());
        for (index, row) in snapshot.rows.iter().enumerate() {
            if versions.get(index) == Some(&row.version) {
                continue;
            }
            let colored = Arc::new(cells::row(row, palette(theme), contrast));
            if index < rows.len() {
                rows[index] = colored;
                versions[index] = row.version;
            } else {
                rows.push(colored);
                versions.push(row.version);
            }
        }
    }

    fn color_cursor(&mut self, theme: Theme) {
        let color = self.cursor_color();
        self.cursor_row = self.cursor().and_then(|cursor| {
            if cursor.shape != CursorShape::Block {
                return None;
            }
            let at = usize::from(cursor.at.row);
            let mut row = GridRow::clone(self.rows.get(at)?);
            let column = usize::from(cursor.at.column);
            let under = cells::under_cursor(row.cells.get(column)?, palette(theme), color);
            // A wide character is covered whole.
            let is_wide = under.style.wide;
            row.cells[column] = under;
            if is_wide && let Some(half) = row.cells.get_mut(column + 1) {
                *half = cells::under_cursor(half, palette(theme), color);
            }
            Some((at, Arc::new(row)))
        });
    }
}

#[cfg(test)]
mod tests;
