//! Whole frames: sameness, sizes, and devices that go away.

use std::sync::Arc;

use scene::{CellGrid, FontFamily, GridCell, GridRow, Point, Quad, Rect, Scene};

use super::{INK, Stage, ink_bounds, pixels, run, scene};
use crate::{GpuError, Image, OffscreenTarget, PixelFormat, Renderer};

fn sample(stage: &mut Stage) -> Scene {
    let mut scene = scene(200.0, 80.0);
    let layer = &mut scene.layers[0];
    layer.quads.push(Quad::rounded(Rect::new(2.0, 2.0, 190.0, 70.0), 8.0, INK.with_opacity(0.2)));
    layer.texts.push(run("Start agent", FontFamily::Ui));
    let metrics = stage.renderer.cell_metrics(14.0, 1.0);
    let cell = |glyph| GridCell { glyph, foreground: INK, ..Default::default() };
    let rows = vec![Arc::new(GridRow { cells: "❯ cargo test".chars().map(cell).collect() })];
    layer.grids.push(CellGrid { id: 1, origin: Point::new(10.0, 40.0), metrics, rows });
    scene
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let Some(mut stage) = Stage::new() else { return };
    let scene = sample(&mut stage);
    let first = stage.draw(&scene);
    assert_eq!(first, stage.draw(&scene), "again");
    let mut other = Stage::new().expect("there was an adapter just now");
    assert_eq!(first, other.draw(&scene), "by a device of its own");
}

#[test]
fn a_frame_in_between_leaves_no_trace() {
    let Some(mut stage) = Stage::new() else { return };
    let scene = sample(&mut stage);
    let first = stage.draw(&scene);
    let mut larger = scene.clone();
    larger.scale = 2.0;
    larger.layers[0].texts.push(run("more", FontFamily::Mono));
    assert_ne!(first, stage.draw(&larger), "something else");
    assert_eq!(first, stage.draw(&scene), "and back");
}

#[test]
fn windows_and_images_get_the_same_picture() {
    let Some(mut stage) = Stage::new() else { return };
    let scene = sample(&mut stage);
    let first = stage.draw(&scene);
    let usual_for_windows = PixelFormat(wgpu::TextureFormat::Bgra8Unorm);
    let mut renderer = Renderer::new(&stage.gpu, usual_for_windows);
    let second = Image::draw(&stage.gpu, &mut renderer, &scene).expect("the device is there");
    assert_eq!(first, second);
}

#[test]
fn any_size_is_fine() {
    let Some(mut stage) = Stage::new() else { return };
    let mut check = |width, height, scale, expected| {
        let mut scene = sample(&mut stage);
        (scene.size.width, scene.size.height, scene.scale) = (width, height, scale);
        let image = stage.draw(&scene);
        assert_eq!((image.width, image.height), expected, "{width}x{height} at {scale}");
        assert_eq!(image.rgba.len(), image.width as usize * image.height as usize * 4);
    };
    check(0.0, 0.0, 1.0, (1, 1));
    check(1.0, 1.0, 1.0, (1, 1));
    check(1.0, 1.0, 4.0, (4, 4));
    check(f32::NAN, -7.0, 1.0, (1, 1));
    check(3.0, 500.0, 0.5, (2, 250));
}

#[test]
fn eight_thousand_pixels_each_way_are_fine() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = sample(&mut stage);
    let all = Rect::new(0.0, 0.0, 8000.0, 8000.0);
    (scene.size, scene.layers[0].clip) = (all.size(), all);
    scene.layers[0].quads.push(Quad::filled(Rect::new(7999.0, 7999.0, 1.0, 1.0), INK));
    let image = stage.draw(&scene);
    assert_eq!((image.width, image.height), (8000, 8000));
    assert_eq!(image.pixel(7999, 7999), Some(pixels(INK)));
    assert_ne!(image.pixel(7998, 7999), Some(pixels(INK)));
}

#[test]
fn targets_larger_than_the_device_allows_are_cut() {
    let Some(stage) = Stage::new() else { return };
    let limit = stage.gpu.max_texture_side();
    let mut target = OffscreenTarget::new(&stage.gpu, PixelFormat::IMAGE, u32::MAX, 1);
    let image = target.read(&stage.gpu).expect("the device is there");
    assert_eq!((image.width, image.height), (limit, 1));
    target.resize(&stage.gpu, 0, 0);
    let image = target.read(&stage.gpu).expect("the device is there");
    assert_eq!((image.width, image.height), (1, 1));
}

#[test]
fn a_lost_device_is_noticed_and_can_be_replaced() {
    let Some(mut stage) = Stage::new() else { return };
    let scene = sample(&mut stage);
    let first = stage.draw(&scene);
    for _again in 0..5 {
        assert!(!stage.gpu.is_lost(), "a fresh device is there");
        stage.gpu.destroy();
        assert!(stage.gpu.is_lost(), "it is gone");
        let drawn = Image::draw(&stage.gpu, &mut stage.renderer, &scene);
        assert!(matches!(drawn, Err(GpuError::Lost)), "and says so: {drawn:?}");
        stage = Stage::new().expect("there was an adapter just now");
        assert_eq!(first, stage.draw(&scene), "the next one draws the same");
    }
}

/// Destroyed behind our back: nothing tells us before the first call that fails.
#[test]
fn a_device_lost_between_frames_panics_nowhere() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = sample(&mut stage);
    stage.draw(&scene);
    stage.gpu.device.destroy();
    scene.layers[0].texts.push(run(&"many letters ".repeat(100), FontFamily::Ui));
    let drawn = Image::draw(&stage.gpu, &mut stage.renderer, &scene);
    assert!(matches!(drawn, Err(GpuError::Lost)), "{drawn:?}");
    assert!(stage.gpu.is_lost(), "the device knows");
}

#[test]
fn a_thousand_layers_and_grids_are_fine() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = sample(&mut stage);
    scene.layers = vec![scene.layers[0].clone(); 300];
    let image = stage.draw(&scene);
    assert!(ink_bounds(&image).is_some(), "something is drawn");
}

#[test]
fn the_adapter_has_a_name() {
    let Some(stage) = Stage::new() else { return };
    assert!(!stage.gpu.adapter_name().is_empty(), "{:?}", stage.gpu);
    assert!(stage.gpu.is_software(), "software was asked for");
}

/// Drawing only what differs gives the same pixels as drawing all of it.
#[test]
fn a_target_that_is_brought_up_to_date_looks_as_if_drawn_anew() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = sample(&mut stage);
    let mut target = OffscreenTarget::new(&stage.gpu, PixelFormat::IMAGE, 200, 80);
    let changes: [fn(&mut Scene); 7] = [
        |_| {},
        |scene| {
            let mut row = GridRow::clone(&scene.layers[0].grids[0].rows[0]);
            row.cells[3].glyph = 'W';
            row.cells[3].style.italic = true;
            row.cells[9].background = INK.with_opacity(0.5);
            scene.layers[0].grids[0].rows[0] = Arc::new(row);
        },
        |scene| scene.layers[0].texts[0] = run("Stop agent", FontFamily::Ui),
        |scene| scene.layers[0].quads[0].rect.width = 150.0,
        |scene| scene.layers[0].quads.insert(0, Quad::disc(Point::new(90.0, 40.0), 9.0, INK)),
        |scene| scene.layers[0].quads.truncate(1),
        |scene| scene.layers[0].clip = Rect::new(0.0, 0.0, 100.0, 60.0),
    ];
    for (step, change) in changes.into_iter().enumerate() {
        change(&mut scene);
        target.draw(&stage.gpu, &mut stage.renderer, &scene).expect("the device is there");
        let updated = target.read(&stage.gpu).expect("the device is there");
        assert!(updated == stage.draw(&scene), "after change {step}");
    }
}

#[test]
fn text_for_lcd_has_coloured_edges_and_only_there() {
    let Some(mut stage) = Stage::new() else { return };
    let scene = sample(&mut stage);
    let grey = stage.draw(&scene);
    stage.renderer.set_smoothing(crate::TextSmoothing::Lcd);
    let lcd = stage.draw(&scene);
    if stage.gpu.blends_by_channel() {
        assert_ne!(grey, lcd, "letters differ");
    }
    assert_eq!(grey.pixel(199, 79), lcd.pixel(199, 79), "the ground does not");
    stage.renderer.set_smoothing(crate::TextSmoothing::Grayscale);
    assert_eq!(grey, stage.draw(&scene), "and back");
}

/// Screens full of glyphs that were never seen before: the atlas starts anew, and nothing grows.
#[test]
fn a_hundred_thousand_distinct_glyphs_pass_through() {
    let Some(mut stage) = Stage::new() else { return };
    let metrics = stage.renderer.cell_metrics(14.0, 1.0);
    let mut target = OffscreenTarget::new(&stage.gpu, PixelFormat::IMAGE, 1700, 1300);
    let mut glyphs = ('\u{3400}'..='\u{e000}').chain('\u{f0000}'..='\u{10ffff}').cycle();
    for frame in 0..9 {
        let mut scene = scene(1700.0, 1300.0);
        let cell = |glyph| GridCell { glyph, foreground: INK, ..Default::default() };
        let row = |_| Arc::new(GridRow { cells: glyphs.by_ref().take(200).map(cell).collect() });
        let rows = (0..60).map(row).collect();
        scene.layers[0].grids.push(CellGrid { id: 1, origin: Point::new(4.0, 4.0), metrics, rows });
        target.draw(&stage.gpu, &mut stage.renderer, &scene).expect("the device is there");
        let image = target.read(&stage.gpu).expect("the device is there");
        assert!(ink_bounds(&image).is_some(), "frame {frame} shows something");
    }
    let small = sample(&mut stage);
    let after = stage.draw(&small);
    let mut other = Stage::new().expect("there was an adapter just now");
    assert_eq!(after, other.draw(&small), "afterwards it is as good as new");
}
