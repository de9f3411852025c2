//! What differs is found, and little more.

use std::sync::Arc;

use scene::{
    CellGrid, CellMetrics, Color, GridCell, GridRow, Layer, Point, Quad, Rect, Scene, Size,
};

use super::{Damage, between};

const CELL: CellMetrics = CellMetrics { width: 10, height: 20, ascent: 15, font_size: 14 * 64 };

fn row(text: &str) -> Arc<GridRow> {
    let cell = |glyph| GridCell { glyph, ..Default::default() };
    Arc::new(GridRow { cells: text.chars().map(cell).collect() })
}

fn scene() -> Scene {
    let all = Rect::new(0.0, 0.0, 1000.0, 1000.0);
    let mut layer = Layer::new(all);
    layer.quads.push(Quad::filled(Rect::new(5.0, 5.0, 10.0, 10.0), Color::hex(0xff0000)));
    let rows = ["one", "two", "three"].map(row).to_vec();
    let origin = Point::new(100.0, 100.0);
    layer.grids.push(CellGrid { id: 1, origin, metrics: CELL, rows });
    let background = Color::hex(0);
    Scene { size: all.size(), scale: 1.0, background, layers: vec![layer] }
}

/// Changes the scene and writes down what has to be drawn, as left, top, right and bottom.
#[track_caller]
fn check(change: impl Fn(&mut Scene), expected: &str) {
    let old = scene();
    let mut new = old.clone();
    change(&mut new);
    let got = match between(&old, &new) {
        Damage::All => "all".to_owned(),
        Damage::Places(places) => {
            let edges = places.iter().map(|it| [it.left, it.top, it.right, it.bottom]);
            edges.map(|edges| format!("{edges:?}")).collect::<Vec<_>>().join(" ")
        }
    };
    assert_eq!(got, expected);
}

#[test]
fn nothing_differs_from_itself() {
    check(|_| {}, "");
    check(|scene| scene.layers[0].grids[0].rows[1] = row("two"), "");
}

#[test]
fn a_cell_that_differs_is_drawn_with_its_neighbours() {
    check(|scene| scene.layers[0].grids[0].rows[1] = row("tWo"), "[100, 110, 140, 150]");
    check(|scene| scene.layers[0].grids[0].rows[2] = row("three!"), "[140, 130, 180, 170]");
    check(|scene| scene.layers[0].grids[0].rows[0] = row(""), "[90, 90, 150, 130]");
}

#[test]
fn quads_that_come_go_or_move_are_drawn_where_they_were_and_are() {
    let quad = Quad::filled(Rect::new(500.0, 500.0, 10.0, 10.0), Color::hex(0xff));
    check(|scene| scene.layers[0].quads.push(quad), "[498, 498, 512, 512]");
    check(|scene| scene.layers[0].quads.insert(0, quad), "[498, 498, 512, 512]");
    check(|scene| scene.layers[0].quads.clear(), "[3, 3, 17, 17]");
    check(|scene| scene.layers[0].quads[0] = quad, "[3, 3, 17, 17] [498, 498, 512, 512]");
}

#[test]
fn what_lies_outside_of_the_clip_is_not_drawn() {
    let quad = Quad::filled(Rect::new(2000.0, 500.0, 10.0, 10.0), Color::hex(0xff));
    check(|scene| scene.layers[0].quads.push(quad), "");
}

#[test]
fn another_size_scale_ground_or_layer_is_another_picture() {
    check(|scene| scene.size = Size::new(10.0, 10.0), "all");
    check(|scene| scene.scale = 2.0, "all");
    check(|scene| scene.background = Color::hex(1), "all");
    check(|scene| scene.layers.push(Layer::new(Rect::new(0.0, 0.0, 1.0, 1.0))), "all");
    check(|scene| scene.layers[0].clip = Rect::new(0.0, 0.0, 10.0, 10.0), "all");
}

#[test]
fn many_places_become_one() {
    let quads = (0..20_u8).map(|at| {
        let at = f32::from(at) * 40.0;
        Quad::filled(Rect::new(at, at, 4.0, 4.0), Color::hex(0xff))
    });
    let quads: Vec<_> = quads.collect();
    let old = scene();
    let mut new = old.clone();
    new.layers[0].quads.extend(quads);
    let Damage::Places(places) = between(&old, &new) else { panic!("not all of it") };
    assert!(places.len() <= 8, "{places:?}");
}
