//! The parts of the bar in panes of all sizes.

use scene::CellMetrics;

use super::*;

/// A pane for so many cells of the usual size.
fn pane(columns: usize, rows: usize) -> Rect {
    let length = crate::layout::length;
    let (width, height) = (length(columns, 8.0), length(rows, 21.0));
    Rect::new(224.0, 38.0, width + 2.0 * PANE_PADDING_X, height + 2.0 * PANE_PADDING_Y)
}

/// What is in the bar of such a pane, row by row from the left; `#` is the count.
#[track_caller]
fn check(columns: usize, rows: usize, expected: &str) {
    let parts = Parts::new(pane(columns, rows), 0.0);
    let sign = |button: &Button| match button {
        Button::Case => "Aa",
        Button::Regex => ".*",
        Button::Next => "^",
        Button::Previous => "v",
        Button::Close => "x",
    };
    let buttons = parts.buttons.iter().map(|(button, rect)| (sign(button), *rect));
    let field = (if parts.field.width >= MIN_FIELD { "field" } else { "little" }, parts.field);
    let mut all: Vec<_> = buttons.chain([field, ("#", parts.count)]).collect();
    all.retain(|(_, rect)| !rect.is_empty());
    let row = |rect: &Rect| rect.center().y - parts.bar.y > HEIGHT;
    all.sort_by(|(_, a), (_, b)| (row(a), a.x).partial_cmp(&(row(b), b.x)).expect("numbers"));
    let words = |second: bool| -> Vec<&str> {
        all.iter().filter(|(_, rect)| row(rect) == second).map(|(word, _)| *word).collect()
    };
    let got = [words(false).join(" "), words(true).join(" ")].join(" / ");
    assert_eq!(got.trim_end_matches(" / "), expected, "{columns} by {rows}");
}

#[test]
fn a_narrow_bar_has_a_second_row_and_then_no_switches() {
    check(120, 30, "field Aa .* ^ v x");
    check(50, 30, "field Aa .* ^ v x");
    check(45, 30, "field x / # Aa .* ^ v");
    check(30, 30, "field x / # Aa .* ^ v");
    check(24, 30, "field x / # ^ v");
    check(20, 30, "field x / # ^ v");
    check(14, 30, "little x / # ^ v");
}

#[test]
fn a_low_one_has_one_row() {
    check(120, 2, "field Aa .* ^ v x");
    check(40, 2, "field ^ v x");
    check(20, 2, "field x");
}

#[test]
fn parts_never_overlap_nor_leave_the_bar() {
    for (width, height) in (0..700).flat_map(|width| [30, 60, 90, 400].map(|it| (width, it))) {
        let length = |pixels: i32| f32::from(i16::try_from(pixels).expect("small"));
        let pane = Rect::new(5.0, 7.0, length(width), length(height));
        for reason_height in [0.0, REASON_HEIGHT] {
            let parts = Parts::new(pane, reason_height);
            let buttons = parts.buttons.iter().map(|(_, rect)| *rect);
            let bar = parts.bar;
            assert_eq!(bar.intersection(&pane), bar, "the bar in {pane}");
            let all: Vec<Rect> = buttons.chain([parts.field, parts.count]).collect();
            let all: Vec<Rect> = all.into_iter().filter(|rect| !rect.is_empty()).collect();
            for (index, one) in all.iter().enumerate() {
                assert_eq!(one.intersection(&bar), *one, "{one} in {bar} of {pane}");
                let apart = |other: &Rect| {
                    let both = one.intersection(other);
                    both.is_empty() || both.height <= SECOND_OVERLAP
                };
                assert!(all[..index].iter().all(apart), "{one} in {pane}: {all:?}");
            }
        }
    }
}

#[track_caller]
fn check_covered(columns: usize, up: f32, expected: (u16, u16)) {
    let metrics = CellMetrics { width: 8, height: 21, ascent: 16, font_size: 14 * 64 };
    let TopRight { rows, column } = covered(pane(columns, 30), Cell::new(metrics, 1.0), up);
    assert_eq!((rows, column), expected, "{columns} columns");
}

#[test]
fn what_lies_under_it_is_counted_in_cells() {
    check_covered(120, 0.0, (2, 62));
    check_covered(120, 40.0, (4, 62));
    check_covered(40, 0.0, (4, 0));
}

#[test]
fn it_gives_way_to_a_match_that_cannot_be_moved() {
    let pane = pane(30, 30);
    let above = pane.bottom() - 40.0;
    let at = |y: f32| Rect::new(pane.x + 14.0, y, 40.0, 21.0);
    let bar = |fixed_match| Parts::around(Surroundings { pane, above, fixed_match }, 0.0).bar;
    let top = bar(None);
    assert_eq!(bar(Some(at(pane.y + 200.0))), top, "not in its way");
    let bottom = bar(Some(at(pane.y + 12.0)));
    assert_eq!((bottom.bottom(), bottom.height), (above - MARGIN, top.height), "to the bottom");
    let low = Rect { height: 110.0, ..pane };
    let fixed_match = Some(Rect::new(pane.x, pane.y + 40.0, 40.0, 21.0));
    let around = Surroundings { pane: low, above: low.bottom(), fixed_match };
    assert_eq!(Parts::around(around, 0.0).bar, top, "not where it would hide it, too");
}
