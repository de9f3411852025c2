//! A screen as text that a person can check: rows as they look, then what is not plain about them.

use terminal::{Attributes, Cell, CellColor, Snapshot};

/// Rows between bars, then a line for each run of cells of one style, then the cursor.
pub(crate) fn describe(snapshot: &Snapshot) -> String {
    let mut text = String::new();
    for row in &snapshot.rows {
        text.push_str(&format!("|{}\n", row.text()));
    }
    for (index, row) in snapshot.rows.iter().enumerate() {
        for (start, style, n_cells) in runs(&row.cells) {
            let end = start + n_cells - 1;
            text.push_str(&format!("{index}:{start}-{end}{style}\n"));
        }
    }
    match snapshot.cursor {
        Some(cursor) => text.push_str(&format!("cursor {}:{}\n", cursor.at.row, cursor.at.column)),
        None => text.push_str("no cursor\n"),
    }
    text
}

/// Where cells that are not plain begin, how they look and how many they are.
fn runs(cells: &[Cell]) -> Vec<(usize, String, usize)> {
    let mut runs: Vec<(usize, String, usize)> = Vec::new();
    for (column, cell) in cells.iter().enumerate() {
        let style = style(cell);
        match runs.last_mut() {
            Some((_, last, n_cells)) if *last == style => *n_cells += 1,
            _ => runs.push((column, style, 1)),
        }
    }
    runs.retain(|(_, style, _)| !style.is_empty());
    runs
}

const NAMES: &[(Attributes, &str)] = &[
    (Attributes::BOLD, "bold"),
    (Attributes::DIM, "dim"),
    (Attributes::ITALIC, "italic"),
    (Attributes::INVERSE, "inverse"),
    (Attributes::HIDDEN, "hidden"),
    (Attributes::STRIKEOUT, "strikeout"),
    (Attributes::UNDERLINE, "underline"),
    (Attributes::DOUBLE_UNDERLINE, "double-underline"),
    (Attributes::CURLY_UNDERLINE, "curly-underline"),
    (Attributes::DOTTED_UNDERLINE, "dotted-underline"),
    (Attributes::DASHED_UNDERLINE, "dashed-underline"),
];

fn style(cell: &Cell) -> String {
    let mut style = String::new();
    for (attribute, name) in NAMES {
        if cell.attributes.contains(*attribute) {
            style.push_str(&format!(" {name}"));
        }
    }
    for (name, color) in [("fg", cell.foreground), ("bg", cell.background)] {
        match color {
            CellColor::Default => {}
            CellColor::Indexed(index) => style.push_str(&format!(" {name}={index}")),
            CellColor::Rgb(r, g, b) => style.push_str(&format!(" {name}=#{r:02x}{g:02x}{b:02x}")),
        }
    }
    style
}
