//! What is kept between frames, and what happens when the atlas runs full.

use std::sync::Arc;

use scene::{
    CellGrid, CellMetrics, CellStyle, Color, GridCell, GridRow, Layer, Point, Rect, Scene, Size,
    Underline,
};

use crate::atlas::Atlas;
use crate::contents::Contents;
use crate::fonts::{FaceStyle, Fonts, Smoothing, SystemFonts};
use crate::glyphs::{GlyphCache, Placed};

const CELL: CellMetrics = CellMetrics { width: 8, height: 21, ascent: 16, font_size: 14 * 64 };

fn fonts() -> Fonts {
    Fonts::new(SystemFonts::None, Arc::new(|| {}))
}

fn contents(max_side: u32) -> Contents {
    Contents::new(fonts(), GlyphCache::new(max_side))
}

/// Prepares the scene; whether that changed the instances of cells.
fn prepare(contents: &mut Contents, scene: &Scene) -> bool {
    let before = contents.cells.revision();
    contents.prepare(scene, Smoothing::default());
    contents.cells.revision() != before
}

fn place(cell: &GridCell, glyphs: &mut GlyphCache, fonts: &mut Fonts) -> Option<Placed> {
    let n_columns = if cell.style.wide { 2 } else { 1 };
    let marks = cell.marks.as_deref();
    glyphs.cluster(cell.glyph, marks, FaceStyle::default(), n_columns, CELL, fonts)
}

fn row(text: &str) -> Arc<GridRow> {
    let cell = |glyph| GridCell { glyph, foreground: Color::hex(0xffffff), ..Default::default() };
    Arc::new(GridRow { cells: text.chars().map(cell).collect() })
}

fn scene(rows: &[Arc<GridRow>]) -> Scene {
    let mut layer = Layer::new(Rect::new(0.0, 0.0, 800.0, 600.0));
    let origin = Point::new(10.0, 10.0);
    layer.grids.push(CellGrid { id: 7, origin, metrics: CELL, rows: rows.to_vec() });
    Scene {
        size: Size::new(800.0, 600.0),
        scale: 1.0,
        background: Color::hex(0),
        layers: vec![layer],
    }
}

#[test]
fn an_unchanged_scene_is_not_built_again() {
    let mut contents = contents(4096);
    let rows = [row("one"), row("two")];
    assert!(prepare(&mut contents, &scene(&rows)), "the first frame is new");
    assert!(!prepare(&mut contents, &scene(&rows)), "the second is the same");
    let moved = [Arc::clone(&rows[1]), row("three")];
    assert!(prepare(&mut contents, &scene(&moved)), "a row moved up and one is new");
    assert_eq!(contents.cells.rows.len(), 2, "the row that is gone is forgotten");
    assert_eq!(contents.cells.instances().len(), 8, "t, w, o and t, h, r, e, e");
}

#[test]
fn grounds_of_one_colour_are_one_rectangle() {
    let mut contents = contents(4096);
    let blue = GridCell { background: Color::hex(0x0000ff), ..Default::default() };
    let mut line = vec![blue; 80];
    line[79].style = CellStyle { underline: Underline::Curly, ..Default::default() };
    line[79].foreground = Color::hex(0xffffff);
    prepare(&mut contents, &scene(&[Arc::new(GridRow { cells: line })]));
    let [ground, curl] = contents.cells.instances() else {
        panic!("a ground and a curl: {contents:?}")
    };
    assert_eq!((ground.origin, ground.size), ([10.0, 10.0], [640, 21]));
    assert_eq!(curl.origin, [10.0 + 79.0 * 8.0, 10.0]);
}

/// Every glyph agents draw, at the usual size, comes from a font of ours or from ourselves.
#[test]
fn symbols_of_agents_have_ink_of_their_own() {
    let (mut glyphs, mut fonts) = (GlyphCache::new(4096), fonts());
    let mut ink = |glyph: char| {
        let cell = GridCell { glyph, ..Default::default() };
        place(&cell, &mut glyphs, &mut fonts)
    };
    let stand_in = ink('\u{10ffff}').expect("what no font has is a box");
    for symbol in "⏺⎿✻✢✳⏵☐☒✔⠋⠙╭─❯●○◐✓✗…·".chars() {
        let placed = ink(symbol).unwrap_or_else(|| panic!("{symbol} has no ink"));
        assert_ne!(placed.slot, stand_in.slot, "{symbol} is in one of the fonts");
        let right = i32::from(placed.x) + i32::from(placed.slot.width);
        assert!((-1..=1).contains(&placed.x) || placed.x > 0, "{symbol} starts at {}", placed.x);
        assert!(right <= i32::from(CELL.width) + 1, "{symbol} ends at {right}");
    }
}

#[test]
fn invisible_characters_draw_nothing() {
    let (mut glyphs, mut fonts) = (GlyphCache::new(4096), fonts());
    for glyph in [' ', '\0', '\u{7}', '\u{200b}', '\u{202e}', '\u{feff}', '\u{3000}'] {
        let cell = GridCell { glyph, ..Default::default() };
        assert_eq!(place(&cell, &mut glyphs, &mut fonts), None, "{glyph:?}");
    }
}

#[test]
fn marks_are_drawn_with_their_character() {
    let (mut glyphs, mut fonts) = (GlyphCache::new(4096), fonts());
    let mut slot = |marks: Option<&str>| {
        let cell = GridCell { glyph: 'x', marks: marks.map(Into::into), ..Default::default() };
        place(&cell, &mut glyphs, &mut fonts).expect("an x has ink").slot
    };
    let (plain, marked) = (slot(None), slot(Some("\u{301}")));
    assert!(marked.height > plain.height, "the accent stands above: {plain:?}, {marked:?}");
    slot(Some(&"\u{301}".repeat(10_000)));
}

#[test]
fn a_hundred_thousand_glyphs_stay_within_the_atlas() {
    let mut fonts = fonts();
    let mut glyphs = GlyphCache::with_atlas(Atlas::with_sides(256, 1024));
    let mut n_glyphs = 0_u32;
    let mut n_resets = 0_u32;
    'all: for height in 12_u16.. {
        let font_size = height * 42;
        let metrics = CellMetrics { width: height / 2, height, ascent: height - 3, font_size };
        for (bold, italic) in [(false, false), (true, false), (false, true), (true, true)] {
            for glyph in ('!'..'\u{600}').chain('\u{2000}'..'\u{2900}') {
                let style = FaceStyle { bold, italic };
                glyphs.cluster(glyph, None, style, 1, metrics, &mut fonts);
                if glyphs.is_full() {
                    glyphs.reset();
                    n_resets += 1;
                }
                n_glyphs += 1;
                if n_glyphs == 100_000 {
                    break 'all;
                }
            }
        }
    }
    assert_eq!(glyphs.atlas().side(), 1024, "it grew to its cap and no further");
    assert!((2..2000).contains(&n_resets), "it started anew {n_resets} times");
}

#[test]
fn a_frame_larger_than_the_atlas_is_drawn_as_far_as_it_fits() {
    let mut contents = contents(64);
    let all: String = ('!'..='~').collect();
    assert!(prepare(&mut contents, &scene(&[row(&all)])), "the first frame is new");
    let n_drawn = contents.cells.instances().len();
    assert!((10..94).contains(&n_drawn), "some of it fits: {n_drawn}");
    let slots: Vec<_> = contents.cells.instances().iter().map(|it| it.slot).collect();
    let mut distinct = slots.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(slots.len(), distinct.len(), "no two glyphs share a place");

    assert!(prepare(&mut contents, &scene(&[row("ok")])), "another frame");
    assert_eq!(contents.cells.instances().len(), 2, "afterwards it is as good as new");
}

#[test]
fn an_atlas_that_grows_in_a_frame_keeps_all_of_the_frame() {
    let mut contents = Contents::new(fonts(), GlyphCache::with_atlas(Atlas::with_sides(32, 4096)));
    let all: String = ('!'..='~').collect();
    prepare(&mut contents, &scene(&[row(&all), row("second row")]));
    assert_eq!(contents.cells.instances().len(), 94 + 9, "every glyph of both rows");
}
