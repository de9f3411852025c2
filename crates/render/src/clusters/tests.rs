//! Clusters keep to their cells, whatever font they come from.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::fonts::{Smoothing, SystemFonts};

const CELL: CellMetrics = CellMetrics { width: 8, height: 21, ascent: 16, font_size: 14 * 64 };
const LARGE: CellMetrics = CellMetrics { width: 17, height: 42, ascent: 31, font_size: 28 * 64 };

fn fonts(folder: Option<&str>) -> Fonts {
    let source = folder.map_or(SystemFonts::None, |folder| {
        SystemFonts::Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder))
    });
    Fonts::new(source, Arc::new(|| {}))
}

fn drawn(cluster: &str, n_columns: u8, cell: CellMetrics, fonts: &mut Fonts) -> Option<Bitmap> {
    let cells = CellMetrics { width: cell.width * u16::from(n_columns), ..cell };
    draw(cluster, FaceStyle::default(), n_columns, cells, fonts);
    fonts.look_for_missing();
    fonts.take_news(Duration::from_secs(20));
    draw(cluster, FaceStyle::default(), n_columns, cells, fonts)
}

/// Whether a cluster is drawn in colours or in ink, and whether it keeps to its cells.
#[track_caller]
fn check(cluster: &str, n_columns: u8, expected: &str) {
    let mut fonts = fonts(Some("tests/data/fonts"));
    for cell in [CELL, LARGE] {
        let bitmap = drawn(cluster, n_columns, cell, &mut fonts);
        let got = bitmap.as_ref().map_or("nothing", |bitmap| match bitmap.content {
            Content::Colors => "colours",
            Content::Coverage => "ink",
        });
        assert_eq!(got, expected, "{cluster}");
        let Some(bitmap) = bitmap else { continue };
        let (width, high) = (i32::from(cell.width) * i32::from(n_columns), i32::from(cell.height));
        let (top, bottom) = (i32::from(cell.ascent) - bitmap.top, bitmap.height);
        let bottom = top + i32::try_from(bottom).expect("small");
        let is_within =
            bitmap.left >= -1 && bitmap.right() <= width + 1 && top >= 0 && bottom <= high;
        assert!(is_within, "{cluster}: {:?} {top}..{bottom}", bitmap.left..bitmap.right());
        assert!(bitmap.has_ink(), "{cluster} can be seen");
    }
}

#[test]
fn emoji_are_pictures_in_two_cells() {
    check("😀", 2, "colours");
    check("👍🏽", 2, "colours");
    check("👨\u{200d}👩\u{200d}👧", 2, "colours");
    check("🇩🇪", 2, "colours");
    check("❤\u{fe0f}", 2, "colours");
    check("✅", 2, "colours");
}

#[test]
fn signs_stay_signs_until_an_emoji_is_asked_for() {
    check("❤", 1, "ink");
    check("✔", 1, "ink");
    check("⏺", 1, "ink");
}

#[test]
fn other_scripts_fit_their_cells() {
    check("日", 2, "ink");
    check("語", 2, "ink");
    check("한", 2, "ink");
    check("न", 1, "ink");
    check("क्षि", 2, "ink");
    check("ส", 1, "ink");
    check("ดี", 1, "ink");
    check("ש", 1, "ink");
    check("ם\u{5b8}", 1, "ink");
    check("م", 1, "ink");
    check("\u{10fffd}", 1, "nothing");
}

#[test]
fn a_sequence_that_no_font_has_is_its_first_picture() {
    let mut fonts = fonts(None);
    let family = drawn("👨\u{200d}👩\u{200d}👧", 2, CELL, &mut fonts).expect("an outline");
    let man = drawn("👨", 2, CELL, &mut fonts).expect("an outline");
    assert!(family == man, "one person stands for all: {} {}", family.width, man.width);
    let flag = drawn("🇩🇪", 2, CELL, &mut fonts).expect("two letters");
    assert!(flag.width > 8, "both letters of a flag are there: {}", flag.width);
}

#[test]
fn marks_stand_on_their_letter() {
    let mut fonts = fonts(None);
    let plain = drawn("x", 1, CELL, &mut fonts).expect("a letter");
    let marked = drawn("x\u{301}", 1, CELL, &mut fonts).expect("a letter");
    assert!(marked.top > plain.top, "the accent is above: {} {}", plain.top, marked.top);
    assert_eq!(marked.bottom(), plain.bottom(), "the letter stands where it stood");
    // Which JetBrains Mono lacks, and the symbols have.
    let lined = drawn("x\u{332}", 1, CELL, &mut fonts).expect("a letter");
    assert!(lined.bottom() < plain.bottom(), "the line is below: {}", lined.bottom());
}

#[test]
fn letters_for_lcd_differ_by_channel_and_weigh_the_same() {
    let mut fonts = fonts(None);
    let weigh = |bitmap: &Bitmap, channel: usize| {
        bitmap.rgba.chunks_exact(4).map(|pixel| u32::from(pixel[channel])).sum::<u32>()
    };
    let grey = drawn("m", 1, CELL, &mut fonts).expect("a letter");
    fonts.smoothing = Smoothing { lcd: true, hinted: false };
    let lcd = drawn("m", 1, CELL, &mut fonts).expect("a letter");
    assert!(lcd.rgba.chunks_exact(4).any(|pixel| pixel[0] != pixel[2]), "red is not blue");
    for channel in 0..3 {
        let (before, after) = (weigh(&grey, channel), weigh(&lcd, channel));
        assert!(before.abs_diff(after) * 50 < before, "channel {channel}: {before}, {after}");
    }
}
