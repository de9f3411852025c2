//! How much fits into panes, as the last layout found it.

use std::collections::BTreeMap;

use terminal::{GridSize, TopRight};

use crate::{Axis, PaneId};

/// The least that half a pane must hold to be worth splitting off.
const LEAST_COLUMNS: u16 = 12;
const LEAST_ROWS: u16 = 4;

/// How much fits into one pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    pub terminal: GridSize,
    pub file_rows: usize,
    pub file_columns: usize,
    /// What the find bar lies over of a terminal.
    pub under_find_bar: TopRight,
}

/// How much fits into each pane of the workspace on show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rooms {
    /// Into the area when it is not split.
    pub whole: Pane,
    pub panes: BTreeMap<PaneId, Pane>,
}

impl Rooms {
    pub fn of(&self, pane: PaneId) -> Pane {
        self.panes.get(&pane).copied().unwrap_or(self.whole)
    }

    /// Guesses what two halves will hold until they are laid out, so that a program in the new one
    /// begins at about the right size. `false`, and nothing is guessed, where they are too small.
    pub(crate) fn halve(&mut self, pane: PaneId, axis: Axis, new: PaneId) -> bool {
        let mut half = self.of(pane);
        let GridSize { columns, rows } = &mut half.terminal;
        match axis {
            Axis::Row => {
                (*columns, half.file_columns) = (*columns / 2, half.file_columns / 2);
            }
            Axis::Column => (*rows, half.file_rows) = (*rows / 2, half.file_rows / 2),
        }
        if *columns < LEAST_COLUMNS || *rows < LEAST_ROWS {
            return false;
        }
        self.panes.insert(pane, half);
        self.panes.insert(new, half);
        true
    }
}

impl From<Pane> for Rooms {
    fn from(whole: Pane) -> Self {
        Self { whole, panes: BTreeMap::new() }
    }
}
