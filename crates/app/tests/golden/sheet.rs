//! Sheets of glyphs: cells put into a scene without a terminal, to see how each is drawn.

use std::sync::Arc;

use scene::{
    CellGrid, CellMetrics, CellStyle, Color, GridCell, GridRow, Layer, Point, Rect, Scene, Size,
    Underline,
};
use ui::Palette;
use workspace::Theme;

/// Rows of cells on a ground of the theme's.
pub(crate) struct Sheet {
    size: Size,
    scale: f32,
    metrics: CellMetrics,
    palette: &'static Palette,
    rows: Vec<Vec<GridCell>>,
}

impl Sheet {
    pub(crate) fn new(size: Size, scale: f32, metrics: CellMetrics, theme: Theme) -> Self {
        Self { size, scale, metrics, palette: ui::palette(theme), rows: Vec::new() }
    }

    pub(crate) fn into_scene(self) -> Scene {
        let mut layer = Layer::new(Rect::new(0.0, 0.0, self.size.width, self.size.height));
        let rows = self.rows.into_iter().map(|cells| Arc::new(GridRow { cells })).collect();
        let origin = Point::new(12.0, 10.0);
        layer.grids.push(CellGrid { id: 1, origin, metrics: self.metrics, rows });
        let (size, scale, background) = (self.size, self.scale, self.palette.pane);
        Scene { size, scale, background, layers: vec![layer] }
    }

    /// A row of characters that take one cell each.
    fn line(&mut self, text: &str) {
        self.styled(&[(text, CellStyle::default())]);
    }

    fn styled(&mut self, parts: &[(&str, CellStyle)]) {
        let cell = |glyph, style| GridCell { style, ..self.cell(glyph) };
        let cells = parts.iter().flat_map(|(text, style)| text.chars().map(|it| cell(it, *style)));
        self.rows.push(cells.collect());
    }

    /// A row of clusters that take two cells each, with a space between them.
    fn wide(&mut self, clusters: &[&str]) {
        let mut cells = Vec::new();
        for cluster in clusters {
            cells.push(self.cluster(cluster, CellStyle { wide: true, ..Default::default() }));
            cells.extend([self.cell(' '), self.cell(' ')]);
        }
        self.rows.push(cells);
    }

    /// A row of clusters that take one cell each, side by side.
    fn narrow(&mut self, clusters: &[&str]) {
        let cells = clusters.iter().map(|it| self.cluster(it, CellStyle::default())).collect();
        self.rows.push(cells);
    }

    fn cluster(&self, cluster: &str, style: CellStyle) -> GridCell {
        let mut characters = cluster.chars();
        let glyph = characters.next().expect("a character");
        let marks = Some(characters.as_str()).filter(|marks| !marks.is_empty());
        GridCell { marks: marks.map(Into::into), style, ..self.cell(glyph) }
    }

    fn cell(&self, glyph: char) -> GridCell {
        GridCell { glyph, foreground: self.palette.text, ..Default::default() }
    }
}

/// What coding agents draw.
pub(crate) fn agents(sheet: &mut Sheet, _theme: Theme) {
    sheet.line("╭──────────────────────────────────╮");
    sheet.line("│ ✻ Welcome   /help   cwd: ~/src   │");
    sheet.line("╰──────────────────────────────────╯");
    sheet.line("⏺ Read(src/main.rs)");
    sheet.line("  ⎿  42 lines  … · → ← ↑ ↓ ↳ ↯");
    sheet.line("✻ ✢ ✳ ✶ ✽ ∗ ⏵⏵ ⏸ ☐ ☒ ☑ ✔ ✓ ✗ ✘ ⚠ ⚑");
    sheet.line("◐ ◑ ◒ ◓ ● ○ ◯ ◆ ◇ ◉ ▶ ▷ ▸ ▹ ► ❯ › »");
    sheet.line("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ⣾⣽⣻⢿⡿⣟⣯⣷ ▁▂▃▄▅▆▇█ ▏▎▍▌▋▊▉");
}

/// Emoji, other scripts, and characters with marks.
pub(crate) fn scripts(sheet: &mut Sheet, _theme: Theme) {
    let family = "👨\u{200d}👩\u{200d}👧";
    sheet.wide(&["😀", "👍🏽", family, "🇩🇪", "❤\u{fe0f}", "✅", "🚀"]);
    // Not in the coloured font of the tests: outlines, and numbers where there are none.
    sheet.wide(&["🎉", "🔥", "⚡", "⏰", "🫠", "鬱"]);
    sheet.wide(&["日", "本", "語", "中", "文", "한", "글", "、"]);
    sheet.narrow(&["e\u{301}", "n\u{303}", "x\u{332}", "o\u{308}\u{304}", "Z\u{30c}", "a\u{36f}"]);
    sheet.narrow(&["ש", "ל", "ו", "ם\u{5b8}", " ", "م", "ر", "ح", "ب", "ا", " ", "❤", "☺"]);
    sheet.narrow(&["न", "म", "स\u{94d}", "ते", " ", "ส", "วั", "ส", "ดี", " ", "ก้", "ำ"]);
}

/// Every attribute and every kind of line.
pub(crate) fn attributes(sheet: &mut Sheet, _theme: Theme) {
    let plain = CellStyle::default();
    let bold = CellStyle { bold: true, ..plain };
    let italic = CellStyle { italic: true, ..plain };
    let both = CellStyle { bold: true, ..italic };
    let struck = CellStyle { strikeout: true, ..plain };
    sheet.styled(&[("regular ", plain), ("bold ", bold), ("italic ", italic), ("both ", both)]);
    sheet.styled(&[("struck", struck), (" the quick brown fox jumps over it", plain)]);
    let lines = [
        ("single", Underline::Single, 0xf2_c744),
        ("double", Underline::Double, 0x6e_a8fe),
        ("curly", Underline::Curly, 0xf8_5149),
        ("dotted", Underline::Dotted, 0x3f_b950),
        ("dashed", Underline::Dashed, 0xc7_92ea),
    ];
    let start = sheet.rows.len();
    for (name, underline, _) in lines {
        let style = CellStyle { underline, ..plain };
        sheet.styled(&[(name, style), (" gjpqy ", style), ("in its text's colour", plain)]);
    }
    for (row, (_, _, color)) in sheet.rows[start..].iter_mut().zip(lines) {
        row.iter_mut().take(9).for_each(|cell| cell.underline_color = Color::hex(color));
    }
    let (text, pane) = (sheet.palette.text, sheet.palette.pane);
    sheet.line("inverse dim");
    if let Some(row) = sheet.rows.last_mut() {
        for cell in row.iter_mut().take(7) {
            (cell.foreground, cell.background) = (pane, text);
        }
        row.iter_mut().skip(8).for_each(|cell| cell.foreground = text.mix(pane, 0.4));
    }
}

/// Everything that has to meet its neighbours.
pub(crate) fn boxes(sheet: &mut Sheet, _theme: Theme) {
    sheet.line("┌─┬─┐ ┏━┳━┓ ╔═╦═╗ ╒═╤═╕ ╓─╥─╖ ╭─┬─╮");
    sheet.line("│ │ │ ┃ ┃ ┃ ║ ║ ║ │ │ │ ║ ║ ║ │ │ │");
    sheet.line("├─┼─┤ ┣━╋━┫ ╠═╬═╣ ╞═╪═╡ ╟─╫─╢ ├─┼─┤");
    sheet.line("└─┴─┘ ┗━┻━┛ ╚═╩═╝ ╘═╧═╛ ╙─╨─╜ ╰─┴─╯");
    sheet.line("┍━┯━┑ ┎─┰─┒ ┄┄┅┅┈┈┉┉ ╌╌╍╍ ╱╲╳ ╴╶╸╺╼╾");
    sheet.line("┕━┷━┙ ┖─┸─┚ ┆┇┊┋╎╏ ▖▗▘▙▚▛▜▝▞▟ ░▒▓█▀▄");
    sheet.line("▁▂▃▄▅▆▇█ ▏▎▍▌▋▊▉█ ▔▕▐ ⠁⠃⠇⡇⣇⣧⣷⣿");
    sheet.line("\u{e0b0}\u{e0b1}\u{e0b2}\u{e0b3} \u{e0b4}\u{e0b5}\u{e0b6}\u{e0b7} \u{e0b8}\u{e0b9}\u{e0ba}\u{e0bb} \u{e0bc}\u{e0bd}\u{e0be}\u{e0bf}");
    sheet.line("🬀🬁🬂🬃🬄🬅🬆🬇🬈🬉🬊🬋🬌🬍🬎🬏🬐🬑🬒🬓🬔🬕🬖🬗🬘🬙🬚🬛🬜🬝🬞🬟🬠🬡🬢🬣");
    sheet.line("\u{1fb70}\u{1fb75}\u{1fb76}\u{1fb7b}\u{1fb7c}\u{1fb7d}\u{1fb7e}\u{1fb7f}\u{1fb80}\u{1fb81}\u{1fb82}\u{1fb86}\u{1fb87}\u{1fb8b}");
}
