//! Text runs and grids on the device.

use std::sync::Arc;

use scene::{Align, CellGrid, FontFamily, GridCell, GridRow, Point, Rect, Scene, Weight};

use super::{GROUND, INK, Stage, ink_bounds, pixels, run, scene};

fn grid(stage: &mut Stage, scale: f32, lines: &[&str]) -> Scene {
    let metrics = stage.renderer.cell_metrics(14.0, scale);
    let cell = |glyph| GridCell { glyph, foreground: INK, ..Default::default() };
    let row = |line: &&str| Arc::new(GridRow { cells: line.chars().map(cell).collect() });
    let mut scene = scene(120.0, 120.0);
    scene.scale = scale;
    let rows = lines.iter().map(row).collect();
    scene.layers[0].grids.push(CellGrid { id: 1, origin: Point::new(4.0, 4.0), metrics, rows });
    scene
}

#[test]
fn text_is_drawn_in_its_box_and_nowhere_else() {
    let Some(mut stage) = Stage::new() else { return };
    for family in [FontFamily::Ui, FontFamily::Mono] {
        for weight in [Weight::Regular, Weight::Medium, Weight::SemiBold, Weight::Bold] {
            let mut scene = scene(200.0, 60.0);
            let mut text = run("Hamburgefonts", family);
            text.spans[0].weight = weight;
            scene.layers[0].texts.push(text);
            let bounds = ink_bounds(&stage.draw(&scene)).expect("there is text");
            let [left, top, right, bottom] = bounds;
            assert!(left >= 9 && top >= 10 && bottom <= 31, "{family:?} {weight:?}: {bounds:?}");
            assert!(right > 90 && right < 140, "{family:?} {weight:?}: {bounds:?}");
        }
    }
}

#[test]
fn text_is_cut_at_its_width_and_at_the_clip() {
    let Some(mut stage) = Stage::new() else { return };
    let mut narrow = scene(200.0, 60.0);
    let mut text = run("MMMMMMMMMMMMMMMMMMMM", FontFamily::Mono);
    text.width = 50.0;
    narrow.layers[0].texts.push(text);
    let [_, _, right, _] = ink_bounds(&stage.draw(&narrow)).expect("there is text");
    assert!((59..=60).contains(&right), "cut at its width: {right}");

    let mut clipped = scene(200.0, 60.0);
    clipped.layers[0].clip = Rect::new(20.0, 0.0, 30.0, 22.0);
    clipped.layers[0].texts.push(run("MMMMMMMMMMMMMMMMMMMM", FontFamily::Mono));
    let bounds = ink_bounds(&stage.draw(&clipped)).expect("there is text");
    assert_eq!([bounds[0], bounds[2], bounds[3]], [20, 50, 22], "cut at the clip");
}

#[test]
fn text_is_aligned_within_its_width() {
    let Some(mut stage) = Stage::new() else { return };
    let mut edges = |align| {
        let mut scene = scene(200.0, 60.0);
        let mut text = run("HHHH", FontFamily::Ui);
        text.align = align;
        scene.layers[0].texts.push(text);
        let [left, _, right, _] = ink_bounds(&stage.draw(&scene)).expect("there is text");
        (left - 10, 190 - right)
    };
    assert!(edges(Align::Left).0 <= 2, "starts at the left");
    assert!(edges(Align::Right).1 <= 2, "ends at the right");
    let (before, after) = edges(Align::Center);
    assert!(before.abs_diff(after) <= 2, "as much room on both sides: {before}, {after}");
}

#[test]
fn columns_of_mono_text_are_columns_of_cells() {
    let Some(mut stage) = Stage::new() else { return };
    for (size, scale) in [(14.0, 1.0), (13.0, 1.0), (14.0, 1.25), (14.0, 2.0), (11.0, 1.0)] {
        let cell = f32::from(stage.renderer.cell_metrics(size, scale).width) / scale;
        for (text, n_columns) in [("fn main() -> i32", 16.0), ("⏺ ✓ … é—", 8.0), ("日本", 4.0)]
        {
            let mut run = run(text, FontFamily::Mono);
            run.size = size;
            let width = stage.renderer.measure(&run, scale);
            assert!((width - n_columns * cell).abs() < 0.5, "{text} at {size}: {width}");
        }
    }
}

#[test]
fn cell_metrics_are_whole_pixels() {
    let Some(mut stage) = Stage::new() else { return };
    let mut check = |size, scale, expected| {
        let metrics = stage.renderer.cell_metrics(size, scale);
        assert_eq!((metrics.width, metrics.height, metrics.ascent), expected, "{size} at {scale}");
    };
    check(14.0, 1.0, (8, 21, 16));
    check(14.0, 2.0, (17, 42, 31));
    check(14.0, 1.25, (11, 26, 19));
    check(6.0, 1.0, (4, 9, 7));
    check(f32::NAN, 1.0, (1, 2, 1));
    check(0.0, 0.0, (1, 2, 1));
}

#[test]
fn box_lines_touch_from_cell_to_cell() {
    let Some(mut stage) = Stage::new() else { return };
    for scale in [1.0, 1.25, 1.5, 2.0] {
        let scene = grid(&mut stage, scale, &["╭───╮", "│   │", "│   │", "╰───╯"]);
        let metrics = scene.layers[0].grids[0].metrics;
        let image = stage.draw(&scene);
        let [left, top, right, bottom] = ink_bounds(&image).expect("there is a box");
        let corner = u32::from(metrics.width);
        for x in left + corner..right - corner {
            assert_eq!(image.pixel(x, top), Some(pixels(INK)), "upper line at {scale}: {x}");
            assert_eq!(image.pixel(x, bottom - 1), Some(pixels(INK)), "lower line at {scale}: {x}");
        }
        for y in top + corner..bottom - corner {
            assert_eq!(image.pixel(left, y), Some(pixels(INK)), "left line at {scale}: {y}");
            assert_eq!(image.pixel(right - 1, y), Some(pixels(INK)), "right line at {scale}: {y}");
        }
    }
}

#[test]
fn blocks_fill_their_cells() {
    let Some(mut stage) = Stage::new() else { return };
    let scene = grid(&mut stage, 1.0, &["██", "██"]);
    let image = stage.draw(&scene);
    assert_eq!(ink_bounds(&image), Some([4, 4, 20, 46]));
    let full = (4..20).all(|x| (4..46).all(|y| image.pixel(x, y) == Some(pixels(INK))));
    assert!(full, "no pixel between the cells");
}

#[test]
fn cells_and_runs_share_a_baseline() {
    let Some(mut stage) = Stage::new() else { return };
    for scale in [1.0, 1.5, 2.0] {
        let cells = grid(&mut stage, scale, &["HHH"]);
        let mut words = scene(120.0, 120.0);
        words.scale = scale;
        let mut text = run("HHH", FontFamily::Mono);
        text.origin = Point::new(4.0, 4.0);
        words.layers[0].texts.push(text);
        let bounds = (ink_bounds(&stage.draw(&cells)), ink_bounds(&stage.draw(&words)));
        assert_eq!(bounds.0, bounds.1, "at {scale}");
    }
}

#[test]
fn hostile_text_is_drawn_or_not_but_never_fatal() {
    let Some(mut stage) = Stage::new() else { return };
    let long = "x".repeat(100_000);
    let marks = format!("a{}", "\u{301}".repeat(5_000));
    let texts = [
        "",
        "\n",
        "a\r\nb\u{2029}c",
        "\u{202e}abc\u{202c}",
        "שלום عربي 日本",
        "\u{10ffff}\0\u{7f}",
        "👨‍👩‍👧‍👦🏳️‍🌈",
        &long,
        &marks,
    ];
    for text in texts {
        let mut scene = grid(&mut stage, 1.0, &[text.get(..200).unwrap_or(text)]);
        for family in [FontFamily::Ui, FontFamily::Mono] {
            let mut run = run(text, family);
            run.size = 0.0;
            scene.layers[0].texts.push(run.clone());
            run.size = f32::NAN;
            scene.layers[0].texts.push(run.clone());
            (run.size, run.line_height, run.width) = (14.0, 0.0, -5.0);
            scene.layers[0].texts.push(run.clone());
            run.width = 100.0;
            scene.layers[0].texts.push(run);
        }
        let image = stage.draw(&scene);
        assert_eq!(image.pixel(119, 119), Some(pixels(GROUND)), "{:?}", text.chars().take(9));
    }
}
