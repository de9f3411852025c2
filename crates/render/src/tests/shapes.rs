//! Quads and lines.

use scene::{Color, Layer, Line, Point, Quad, Rect};

use super::{GROUND, INK, Stage, ink_bounds, pixels, scene};

/// A quad at a scale covers exactly these device pixels, and each of them wholly.
#[track_caller]
fn check(stage: &mut Stage, scale: f32, rect: Rect, expected: [u32; 4]) {
    let mut scene = scene(40.0, 40.0);
    scene.scale = scale;
    scene.layers[0].quads.push(Quad::filled(rect, INK));
    let image = stage.draw(&scene);
    let [left, top, right, bottom] = expected;
    for y in 0..image.height {
        for x in 0..image.width {
            let inside = (left..right).contains(&x) && (top..bottom).contains(&y);
            let color = if inside { INK } else { GROUND };
            assert_eq!(image.pixel(x, y), Some(pixels(color)), "{rect:?} at {scale}: {x},{y}");
        }
    }
}

#[test]
fn edges_of_quads_fall_on_whole_pixels() {
    let Some(mut stage) = Stage::new() else { return };
    check(&mut stage, 1.0, Rect::new(3.0, 5.0, 10.0, 7.0), [3, 5, 13, 12]);
    check(&mut stage, 1.0, Rect::new(3.4, 5.6, 10.0, 7.0), [3, 6, 13, 13]);
    check(&mut stage, 2.0, Rect::new(3.0, 5.0, 10.0, 7.0), [6, 10, 26, 24]);
    check(&mut stage, 1.5, Rect::new(3.0, 5.0, 11.0, 7.0), [5, 8, 21, 18]);
    check(&mut stage, 0.5, Rect::new(4.0, 4.0, 10.0, 0.5), [2, 2, 7, 3]);
    check(&mut stage, 1.0, Rect::new(-5.0, -5.0, 100.0, 10.0), [0, 0, 40, 5]);
}

#[test]
fn neighbours_touch_at_every_scale() {
    let Some(mut stage) = Stage::new() else { return };
    for scale in [0.75, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 3.3] {
        let mut scene = scene(30.0, 10.0);
        scene.scale = scale;
        for column in 0..10_u8 {
            let rect = Rect::new(f32::from(column) * 3.0, 0.0, 3.0, 10.0);
            scene.layers[0].quads.push(Quad::filled(rect, INK));
        }
        let image = stage.draw(&scene);
        let covered = (0..image.width).all(|x| image.pixel(x, 3) == Some(pixels(INK)));
        assert!(covered, "at {scale}");
    }
}

#[test]
fn a_disc_is_round_full_and_as_wide_as_high() {
    let Some(mut stage) = Stage::new() else { return };
    for scale in [1.0, 1.25, 1.5, 2.0] {
        let mut scene = scene(40.0, 40.0);
        scene.scale = scale;
        scene.layers[0].quads.push(Quad::disc(Point::new(20.3, 20.0), 10.0, INK));
        let image = stage.draw(&scene);
        let center = (image.width / 2, image.height / 2);
        assert_eq!(image.pixel(center.0, center.1), Some(pixels(INK)), "at {scale}");
        let [left, top, right, bottom] = ink_bounds(&image).expect("there is a disc");
        assert_eq!(right - left, bottom - top, "at {scale}");
        assert_eq!(image.pixel(left, top), Some(pixels(GROUND)), "no corner at {scale}");
    }
}

#[test]
fn a_ring_is_hollow() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = scene(40.0, 40.0);
    scene.layers[0].quads.push(Quad::ring(Point::new(20.0, 20.0), 10.0, 2.0, INK));
    let image = stage.draw(&scene);
    // Beside the axis the curve has left the outermost pixel by a hundredth.
    for (y, color) in [(9, GROUND), (10, INK), (11, INK), (12, GROUND), (20, GROUND)] {
        let got = image.pixel(20, y).expect("within the picture");
        let near = got.iter().zip(pixels(color)).all(|(a, b)| a.abs_diff(b) <= 4);
        assert!(near, "row {y}: {got:?}");
    }
}

#[test]
fn a_border_lies_inside_the_quad() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = scene(20.0, 20.0);
    let border = Color::hex(0xff0000);
    let quad = Quad::filled(Rect::new(5.0, 5.0, 10.0, 10.0), INK).bordered(1.0, border);
    scene.layers[0].quads.push(quad);
    let image = stage.draw(&scene);
    for (x, color) in [(4, GROUND), (5, border), (6, INK), (13, INK), (14, border), (15, GROUND)] {
        assert_eq!(image.pixel(x, 10), Some(pixels(color)), "column {x}");
    }
}

#[test]
fn a_soft_quad_fades_evenly() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = scene(100.0, 100.0);
    scene.background = Color::hex(0);
    let quad = Quad::filled(Rect::new(30.0, 30.0, 40.0, 40.0), Color::hex(0xffffff)).blurred(12.0);
    scene.layers[0].quads.push(quad);
    let image = stage.draw(&scene);
    let red: Vec<u8> = (0..50).filter_map(|x| image.pixel(x, 50)).map(|it| it[0]).collect();
    assert!(red.is_sorted(), "from outside to inside it only gets brighter: {red:?}");
    assert_eq!(red[17], 0, "nothing beyond the blur");
    assert!((100..156).contains(&red[30]), "half at the edge: {}", red[30]);
    assert_eq!(red[49], 255, "full inside");
}

#[test]
fn a_line_has_its_width_and_round_ends() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = scene(40.0, 20.0);
    let (from, to) = (Point::new(10.0, 10.0), Point::new(30.0, 10.0));
    scene.layers[0].lines.push(Line { from, to, width: 4.0, color: INK });
    let image = stage.draw(&scene);
    assert_eq!(ink_bounds(&image), Some([8, 8, 32, 12]));
    assert_eq!(image.pixel(20, 8), Some(pixels(INK)));
    assert_ne!(image.pixel(8, 8), Some(pixels(INK)), "the corner is rounded off");
}

#[test]
fn later_layers_cover_earlier_ones_within_their_clip() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = scene(20.0, 20.0);
    let all = Rect::new(0.0, 0.0, 20.0, 20.0);
    scene.layers[0].quads.push(Quad::filled(all, Color::hex(0xff0000)));
    let mut upper = Layer::new(Rect::new(5.0, 5.0, 10.0, 10.0));
    upper.quads.push(Quad::filled(all, INK));
    let mut nowhere = Layer::new(Rect::new(50.0, 50.0, 10.0, 10.0));
    nowhere.quads.push(Quad::filled(all, Color::hex(0x00ff00)));
    scene.layers.extend([upper, nowhere]);
    let image = stage.draw(&scene);
    assert_eq!(image.pixel(4, 5), Some(pixels(Color::hex(0xff0000))));
    assert_eq!(image.pixel(5, 5), Some(pixels(INK)));
    assert_eq!(image.pixel(14, 14), Some(pixels(INK)));
    assert_eq!(image.pixel(15, 14), Some(pixels(Color::hex(0xff0000))));
}

/// Half of white over black is the middle of the scale, as designers expect.
#[test]
fn colours_blend_as_they_are_written() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = scene(10.0, 10.0);
    scene.background = Color::hex(0);
    let half = Color::hex(0xffffff).with_opacity(0.5);
    scene.layers[0].quads.push(Quad::filled(Rect::new(0.0, 0.0, 10.0, 10.0), half));
    assert_eq!(stage.draw(&scene).pixel(5, 5), Some([128, 128, 128, 255]));
}

#[test]
fn what_is_not_a_number_is_not_drawn() {
    let Some(mut stage) = Stage::new() else { return };
    let mut scene = scene(20.0, 20.0);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        scene.layers[0]
            .quads
            .push(Quad::filled(Rect { x: bad, y: 0.0, width: 5.0, height: 5.0 }, INK));
        let (from, to) = (Point::new(bad, 0.0), Point::new(5.0, 5.0));
        scene.layers[0].lines.push(Line { from, to, width: 2.0, color: INK });
        scene.layers.push(Layer::new(Rect { x: bad, y: bad, width: bad, height: bad }));
    }
    assert_eq!(ink_bounds(&stage.draw(&scene)), None);
}
