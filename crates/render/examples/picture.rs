//! Draws a sample of everything a scene can hold: `picture OUT.png [SCALE] [light]`.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;

use render::{Gpu, GpuChoice, Image, PixelFormat, Renderer};
use scene::{
    Align, CellGrid, CellMetrics, CellStyle, Color, FontFamily, GridCell, GridRow, Layer, Line,
    Point, Quad, Rect, Scene, Size, Span, TextRun, Underline, Weight,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: picture OUT.png [SCALE] [light]")?;
    let scale = arguments.next().map_or(Ok(1.0), |text| text.parse())?;
    let colors = if arguments.next().is_some() { LIGHT } else { DARK };

    let gpu = Gpu::new(GpuChoice::Software)?;
    let mut renderer = Renderer::new(&gpu, PixelFormat::IMAGE);
    let metrics = renderer.cell_metrics(14.0, scale);
    let image = Image::draw(&gpu, &mut renderer, &sample(&colors, metrics, scale))?;
    write_png(&path, &image)
}

fn write_png(path: &str, image: &Image) -> Result<(), Box<dyn Error>> {
    let mut encoder =
        png::Encoder::new(BufWriter::new(File::create(path)?), image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header()?.write_image_data(&image.rgba)?;
    Ok(())
}

struct Colors {
    rail: Color,
    pane: Color,
    raised: Color,
    line: Color,
    text: Color,
    dim: Color,
    faint: Color,
    accent: Color,
    selection: Color,
    running: Color,
    needs_input: Color,
    on_needs_input: Color,
    errored: Color,
    syntax: [Color; 5],
}

const DARK: Colors = Colors {
    rail: Color::hex(0x0e1014),
    pane: Color::hex(0x14171c),
    raised: Color::hex(0x1b1f26),
    line: Color::hex(0x262b34),
    text: Color::hex(0xd7dce5),
    dim: Color::hex(0x8b94a5),
    faint: Color::hex(0x5a6272),
    accent: Color::hex(0x6ea8fe),
    selection: Color::hex(0x264063),
    running: Color::hex(0x3fb950),
    needs_input: Color::hex(0xf2c744),
    on_needs_input: Color::hex(0x1a1500),
    errored: Color::hex(0xf85149),
    syntax: [
        Color::hex(0xc792ea),
        Color::hex(0x82aaff),
        Color::hex(0xc3e88d),
        Color::hex(0xffcb6b),
        Color::hex(0x667085),
    ],
};

const LIGHT: Colors = Colors {
    rail: Color::hex(0xe9ecf0),
    pane: Color::hex(0xffffff),
    raised: Color::hex(0xf4f6f8),
    line: Color::hex(0xd7dce3),
    text: Color::hex(0x1d232c),
    dim: Color::hex(0x5a6474),
    faint: Color::hex(0x98a1ae),
    accent: Color::hex(0x2563d9),
    selection: Color::hex(0xcfe0fc),
    running: Color::hex(0x1f883d),
    needs_input: Color::hex(0xe5b211),
    on_needs_input: Color::hex(0x241c00),
    errored: Color::hex(0xcf222e),
    syntax: [
        Color::hex(0x8a3fbf),
        Color::hex(0x1f5fbf),
        Color::hex(0x3c7d1e),
        Color::hex(0x9a6700),
        Color::hex(0x8a94a3),
    ],
};

fn sample(colors: &Colors, metrics: CellMetrics, scale: f32) -> Scene {
    let size = Size::new(900.0, 560.0);
    let mut base = Layer::new(Rect::new(0.0, 0.0, size.width, size.height));
    rail(&mut base, colors);
    editor(&mut base, colors, metrics, scale);
    let mut pane = Layer::new(Rect::new(225.0, 230.0, 675.0, 330.0));
    pane.grids.push(terminal(colors, metrics));
    let mut overlay = Layer::new(base.clip);
    palette(&mut overlay, colors);
    Scene { size, scale, background: colors.pane, layers: vec![base, pane, overlay] }
}

fn rail(layer: &mut Layer, colors: &Colors) {
    layer.quads.push(Quad::filled(Rect::new(0.0, 0.0, 224.0, 560.0), colors.rail));
    layer.quads.push(Quad::filled(Rect::new(224.0, 0.0, 1.0, 560.0), colors.line));
    let heading = [span("TRACKSIDE  2 ask, 1 your turn", colors.faint, Weight::Medium)];
    layer.texts.push(run(16.0, 10.0, 190.0, 11.0, 16.0, FontFamily::Ui, &heading));
    let names = ["payments-api", "website — redesign", "infra To AV fi 10:42"];
    for (index, (top, name)) in [36.0, 90.0, 144.0].into_iter().zip(names).enumerate() {
        let tile = Rect::new(8.0, top, 208.0, 52.0);
        if index == 0 {
            layer.quads.push(Quad::rounded(tile, 8.0, colors.raised));
        }
        let center = Point::new(34.0, top + 26.0);
        status(layer, colors, index, center);
        let title = [span(name, colors.text, Weight::SemiBold)];
        layer.texts.push(run(54.0, top + 8.0, 120.0, 13.0, 20.0, FontFamily::Ui, &title));
        let detail = [span("Allow writing src/main.rs?", colors.dim, Weight::Regular)];
        layer.texts.push(run(54.0, top + 28.0, 150.0, 11.5, 16.0, FontFamily::Ui, &detail));
        let mut time = run(
            154.0,
            top + 8.0,
            54.0,
            11.0,
            20.0,
            FontFamily::Ui,
            &[span("12 s", colors.dim, Weight::Regular)],
        );
        time.align = Align::Right;
        layer.texts.push(time);
    }
}

fn status(layer: &mut Layer, colors: &Colors, index: usize, center: Point) {
    match index {
        0 => {
            let halo = colors.needs_input.with_opacity(0.35);
            layer.quads.push(Quad::disc(center, 12.0, halo).blurred(6.0));
            layer.quads.push(Quad::disc(center, 10.0, colors.needs_input));
            let mark = [span("?", colors.on_needs_input, Weight::SemiBold)];
            let mut text =
                run(center.x - 10.0, center.y - 10.0, 20.0, 13.0, 20.0, FontFamily::Ui, &mark);
            text.align = Align::Center;
            layer.texts.push(text);
        }
        1 => layer.quads.push(Quad::ring(center, 9.0, 2.0, colors.running)),
        _ => {
            layer.quads.push(Quad::disc(center, 10.0, colors.errored));
            for (x, y) in [(-3.5, -3.5), (-3.5, 3.5)] {
                layer.lines.push(Line {
                    from: Point::new(center.x + x, center.y + y),
                    to: Point::new(center.x - x, center.y - y),
                    width: 2.0,
                    color: colors.rail,
                });
            }
        }
    }
}

fn editor(layer: &mut Layer, colors: &Colors, metrics: CellMetrics, scale: f32) {
    layer.quads.push(Quad::filled(Rect::new(225.0, 0.0, 675.0, 38.0), colors.rail));
    layer.quads.push(Quad::filled(Rect::new(225.0, 37.0, 675.0, 1.0), colors.line));
    layer.quads.push(Quad::filled(Rect::new(225.0, 0.0, 130.0, 38.0), colors.pane));
    layer.quads.push(Quad::filled(Rect::new(225.0, 0.0, 130.0, 2.0), colors.accent));
    let tab = [span("main.rs", colors.text, Weight::Medium)];
    layer.texts.push(run(241.0, 9.0, 100.0, 13.0, 20.0, FontFamily::Ui, &tab));
    let [keyword, function, string, kind, comment] = colors.syntax;
    let plain = |text| span(text, colors.text, Weight::Regular);
    let lines = [
        vec![span("// Ligatures are off: -> => != === <= |> www 0x1F", comment, Weight::Regular)],
        vec![
            span("fn ", keyword, Weight::Regular),
            span("check", function, Weight::Bold),
            plain("(script: &"),
            span("str", kind, Weight::Regular),
            plain(") -> "),
            span("Result", kind, Weight::Regular),
            plain("<(), Error> {"),
        ],
        vec![
            plain("    let title = "),
            span("\"⏺ café — naïve 日本 ✓ done\"", string, Weight::Regular),
            plain("; // columns agree"),
        ],
        vec![plain("    if a != b && c <= d { return Err(Error::from(\"fi fl ffi\")); }")],
    ];
    let cell = f32::from(metrics.width) / scale;
    layer.quads.push(Quad::filled(
        Rect::new(241.0 + 4.0 * cell, 90.0, 3.0 * cell, 21.0),
        colors.selection,
    ));
    for (index, spans) in lines.iter().enumerate() {
        let top = 48.0 + 21.0 * f32::from(u8::try_from(index).unwrap_or(0));
        layer.texts.push(run(241.0, top, 640.0, 14.0, 21.0, FontFamily::Mono, spans));
    }
    let sizes = [11.0, 11.5, 12.0, 13.0, 14.0, 16.0, 20.0];
    let mut x = 241.0;
    for size in sizes {
        let spans = [
            span("Hamburg", colors.text, Weight::Regular),
            span(" Sphinx", colors.dim, Weight::Medium),
        ];
        layer.texts.push(run(x, 146.0, 160.0, size, 30.0, FontFamily::Ui, &spans));
        x += size * 8.0;
    }
    layer.quads.push(
        Quad::rounded(Rect::new(241.0, 188.0, 90.0, 28.0), 6.0, colors.raised)
            .bordered(1.0, colors.line),
    );
    let mut label = run(
        241.0,
        188.0,
        90.0,
        13.0,
        28.0,
        FontFamily::Ui,
        &[span("Open folder", colors.text, Weight::Medium)],
    );
    label.align = Align::Center;
    layer.texts.push(label);
}

fn terminal(colors: &Colors, metrics: CellMetrics) -> CellGrid {
    let lines = [
        "╭──────────────────────────────╮ ┌──┬──┐ ╔══╦══╗ ┏━━┳━━┓ ╒══╤══╕ ╓──╥──╖",
        "│ ✻ Welcome to the agent       │ │  │  │ ║  ║  ║ ┃  ┃  ┃ │  │  │ ║  ║  ║",
        "│   /help, cwd: ~/src          │ ├──┼──┤ ╠══╬══╣ ┣━━╋━━┫ ╞══╪══╡ ╟──╫──╢",
        "╰──────────────────────────────╯ └──┴──┘ ╚══╩══╝ ┗━━┻━━┛ ╘══╧══╛ ╙──╨──╜",
        "⏺ Read(src/main.rs) ⎿ 42 lines ✢ ✳ ✻ ⏵⏵ ☐ ☒ ✔ ✓ ✗ ● ○ ◐ … · ❯ →",
        "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⣿⣷  ▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▐░▒▓▔▕▖▗▘▙▚▛▜▝▞▟ ┄┅┈┉╌╍ ╱╲╳",
        "The quick brown fox jumps over the lazy dog 0123456789 {}[]()<>|",
        "bold text here  italic text here  both of them  strikeout",
        "single double curly dotted dashed  e\u{301} wide 日本  \u{e0b0}\u{e0b1}\u{e0b2}\u{e0b3} ┆┇┊┋╎╏",
    ];
    let mut rows: Vec<GridRow> = lines.iter().map(|line| row(line, colors)).collect();
    let style =
        |row: &mut GridRow, columns: std::ops::Range<usize>, change: &dyn Fn(&mut CellStyle)| {
            row.cells[columns].iter_mut().for_each(|cell| change(&mut cell.style));
        };
    style(&mut rows[7], 0..14, &|it| it.bold = true);
    style(&mut rows[7], 16..32, &|it| it.italic = true);
    style(&mut rows[7], 34..46, &|it| (it.bold, it.italic) = (true, true));
    style(&mut rows[7], 48..57, &|it| it.strikeout = true);
    let underlines = [
        (0..6, Underline::Single),
        (7..13, Underline::Double),
        (14..19, Underline::Curly),
        (20..26, Underline::Dotted),
        (27..33, Underline::Dashed),
    ];
    for (columns, underline) in underlines {
        style(&mut rows[8], columns, &|it| it.underline = underline);
    }
    for cell in &mut rows[6].cells[4..9] {
        cell.background = colors.selection;
    }
    rows[6].cells[10].background = colors.text;
    rows[6].cells[10].foreground = colors.pane;
    CellGrid {
        id: 1,
        origin: Point::new(241.0, 240.0),
        metrics,
        rows: rows.into_iter().map(Arc::new).collect(),
    }
}

fn row(line: &str, colors: &Colors) -> GridRow {
    let mut cells: Vec<GridCell> = Vec::new();
    for glyph in line.chars() {
        if glyph == '\u{301}' {
            if let Some(cell) = cells.last_mut() {
                cell.marks = Some(glyph.to_string().into());
            }
            continue;
        }
        let wide =
            ('\u{3000}'..'\u{ffff}').contains(&glyph) && !('\u{e000}'..'\u{f8ff}').contains(&glyph);
        let style = CellStyle { wide, ..Default::default() };
        cells.push(GridCell {
            glyph,
            foreground: colors.text,
            underline_color: colors.errored,
            style,
            ..Default::default()
        });
        if wide {
            cells.push(GridCell::default());
        }
    }
    GridRow { cells }
}

fn palette(layer: &mut Layer, colors: &Colors) {
    let card = Rect::new(520.0, 440.0, 340.0, 100.0);
    let shadow = Rect::new(card.x, card.y + 6.0, card.width, card.height);
    layer
        .quads
        .push(Quad::rounded(shadow, 10.0, Color::rgb(0, 0, 0).with_opacity(0.35)).blurred(18.0));
    layer.quads.push(Quad::rounded(card, 10.0, colors.raised).bordered(1.0, colors.line));
    layer.quads.push(Quad::rounded(Rect::new(526.0, 480.0, 328.0, 34.0), 6.0, colors.selection));
    let prompt = [span("> start agent", colors.text, Weight::Regular)];
    layer.texts.push(run(536.0, 448.0, 300.0, 14.0, 24.0, FontFamily::Ui, &prompt));
    let entry = [
        span("Start agent", colors.text, Weight::Medium),
        span("  in this workspace", colors.dim, Weight::Regular),
    ];
    layer.texts.push(run(538.0, 480.0, 300.0, 13.0, 34.0, FontFamily::Ui, &entry));
    layer.quads.push(
        Quad::rounded(Rect::new(772.0, 487.0, 74.0, 20.0), 4.0, colors.raised)
            .bordered(1.0, colors.line),
    );
    let mut key = run(
        772.0,
        487.0,
        74.0,
        11.0,
        20.0,
        FontFamily::Mono,
        &[span("ctrl+shift+a", colors.dim, Weight::Regular)],
    );
    key.align = Align::Center;
    layer.texts.push(key);
}

fn span(text: &str, color: Color, weight: Weight) -> Span {
    Span { text: text.to_owned(), color, weight, italic: false }
}

fn run(
    x: f32,
    y: f32,
    width: f32,
    size: f32,
    line_height: f32,
    family: FontFamily,
    spans: &[Span],
) -> TextRun {
    TextRun {
        origin: Point::new(x, y),
        width,
        align: Align::Left,
        family,
        size,
        line_height,
        spans: spans.to_vec(),
    }
}
