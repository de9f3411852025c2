//! Shapes meet at the edges of their cells, whatever the cell's size.

use scene::CellMetrics;

use super::{Canvas, Decoration, decoration, draw, missing};

/// Cells as they come at small, usual, odd and doubled sizes.
const SIZES: [(u16, u16); 6] = [(5, 9), (7, 15), (8, 21), (9, 20), (17, 42), (34, 84)];

fn cell(character: char, (width, height): (u16, u16)) -> Canvas {
    draw(character, width, height).expect("we draw this one ourselves")
}

fn column(canvas: &Canvas, x: u16) -> Vec<u8> {
    (0..canvas.height).map(|y| canvas.at(x, y)).collect()
}

fn row(canvas: &Canvas, y: u16) -> Vec<u8> {
    (0..canvas.width).map(|x| canvas.at(x, y)).collect()
}

/// Every neighbour that is to continue a line does so on exactly the same pixels.
#[track_caller]
fn check_joins(left: &str, right: &str) {
    for size in SIZES {
        for a in left.chars() {
            for b in right.chars() {
                let (from, to) = (cell(a, size), cell(b, size));
                assert_eq!(column(&from, size.0 - 1), column(&to, 0), "{a}{b} at {size:?}");
            }
        }
    }
}

#[track_caller]
fn check_stacks(upper: &str, lower: &str) {
    for size in SIZES {
        for a in upper.chars() {
            for b in lower.chars() {
                let (from, to) = (cell(a, size), cell(b, size));
                assert_eq!(row(&from, size.1 - 1), row(&to, 0), "{a} over {b} at {size:?}");
            }
        }
    }
}

#[test]
fn lines_join_sideways() {
    check_joins("─┌└├┬┴┼╭╰╾╶", "─┐┘┤┬┴┼╮╯╼╴");
    check_joins("━┏┗┣┳┻╋╼╺", "━┓┛┫┳┻╋╾╸");
    check_joins("═╔╚╠╦╩╬╒╘╞╤╧╪", "═╗╝╣╦╩╬╕╛╡╤╧╪");
}

#[test]
fn lines_join_downwards() {
    check_stacks("│┌┐├┤┬┼╭╮╿╷", "│└┘├┤┴┼╰╯╽╵");
    check_stacks("┃┏┓┣┫┳╋╽╻", "┃┗┛┣┫┻╋╿╹");
    check_stacks("║╔╗╠╣╦╬╓╖╟╢╥╫", "║╚╝╠╣╩╬╙╜╟╢╨╫");
}

#[test]
fn straight_lines_have_no_gap() {
    for size in SIZES {
        for character in "─━═╪┼╋".chars() {
            let canvas = cell(character, size);
            let full = (0..size.1).any(|y| row(&canvas, y).iter().all(|it| *it == 255));
            assert!(full, "{character} at {size:?}");
        }
        for character in "│┃║╫┼╋".chars() {
            let canvas = cell(character, size);
            let full = (0..size.0).any(|x| column(&canvas, x).iter().all(|it| *it == 255));
            assert!(full, "{character} at {size:?}");
        }
    }
}

#[test]
fn every_box_and_block_character_has_ink() {
    for character in ('\u{2500}'..='\u{259f}').chain('\u{2801}'..='\u{28ff}') {
        for size in SIZES {
            let canvas = cell(character, size);
            assert!(canvas.coverage.iter().any(|it| *it > 0), "{character} at {size:?}");
        }
    }
}

/// The cell as text: `#` full, `+` partly, `.` empty.
#[track_caller]
fn check_picture(character: char, size: (u16, u16), expected: &[&str]) {
    let canvas = cell(character, size);
    let mark = |coverage: u8| match coverage {
        0 => '.',
        255 => '#',
        _ => '+',
    };
    let picture: Vec<String> =
        (0..size.1).map(|y| row(&canvas, y).into_iter().map(mark).collect()).collect();
    assert_eq!(picture, expected, "{character}");
}

#[test]
fn double_lines_open_where_they_meet() {
    check_picture(
        '╬',
        (7, 7),
        &["..#.#..", "..#.#..", "###.###", ".......", "###.###", "..#.#..", "..#.#.."],
    );
    check_picture(
        '╔',
        (7, 7),
        &[".......", ".......", "..#####", "..#....", "..#.###", "..#.#..", "..#.#.."],
    );
    check_picture(
        '╟',
        (7, 7),
        &["..#.#..", "..#.#..", "..#.#..", "..#.###", "..#.#..", "..#.#..", "..#.#.."],
    );
    check_picture(
        '╞',
        (7, 7),
        &["...#...", "...#...", "...####", "...#...", "...####", "...#...", "...#..."],
    );
    check_picture(
        '╓',
        (7, 7),
        &[".......", ".......", ".......", "..#####", "..#.#..", "..#.#..", "..#.#.."],
    );
    check_picture(
        '╫',
        (7, 7),
        &["..#.#..", "..#.#..", "..#.#..", "#######", "..#.#..", "..#.#..", "..#.#.."],
    );
}

#[test]
fn heavy_and_light_arms_meet_in_the_middle() {
    check_picture('┝', (6, 5), &["..#...", "..####", "..####", "..#...", "..#..."]);
    check_picture('╾', (6, 3), &["###...", "######", "......"]);
}

#[test]
fn a_block_and_its_complement_fill_the_cell() {
    for size in SIZES {
        for (a, b) in
            [('▀', '▄'), ('▌', '▐'), ('▘', '▟'), ('▝', '▙'), ('▖', '▜'), ('▗', '▛'), ('▚', '▞')]
        {
            let (a, b) = (cell(a, size), cell(b, size));
            let both = a.coverage.iter().zip(&b.coverage).all(|(a, b)| a ^ b == 255);
            assert!(both, "{size:?}");
        }
    }
}

#[test]
fn braille_dots_are_apart_and_alike() {
    check_picture(
        '⣿',
        (8, 21),
        &[
            "........", ".##..##.", ".##..##.", "........", "........", "........", ".##..##.",
            ".##..##.", "........", "........", "........", "........", ".##..##.", ".##..##.",
            "........", "........", "........", ".##..##.", ".##..##.", "........", "........",
        ],
    );
    check_picture('⠁', (4, 8), &["#...", "....", "....", "....", "....", "....", "....", "...."]);
    check_picture('⢀', (4, 8), &["....", "....", "....", "....", "....", "....", "..#.", "...."]);
}

#[test]
fn decorations_stay_in_their_cell_and_join() {
    let kinds = [Decoration::Single, Decoration::Double, Decoration::Curly, Decoration::Strikeout];
    for (width, height) in SIZES {
        let metrics =
            CellMetrics { width, height, ascent: height - height / 4, font_size: height * 42 };
        for kind in kinds {
            let canvas = decoration(kind, metrics);
            let first = column(&canvas, 0);
            assert!(
                first.iter().any(|it| *it > 0),
                "{kind:?} at {width}x{height} reaches the edge"
            );
            assert!(canvas.coverage.len() == usize::from(width) * usize::from(height), "{kind:?}");
        }
        for kind in [Decoration::Dotted, Decoration::Dashed] {
            let canvas = decoration(kind, metrics);
            assert!(canvas.coverage.contains(&255), "{kind:?} at {width}x{height} has ink");
        }
    }
}

#[test]
fn cells_of_one_pixel_are_fine() {
    for character in ('\u{2500}'..='\u{259f}')
        .chain('\u{2800}'..='\u{28ff}')
        .chain('\u{e0b0}'..='\u{e0bf}')
        .chain('\u{1fb00}'..='\u{1fb3b}')
        .chain('\u{1fb70}'..='\u{1fb8b}')
    {
        for size in [(0, 0), (1, 1), (1, 30), (30, 1), (2, 2)] {
            cell(character, size);
            missing(character, size.0, size.1);
        }
    }
}

#[test]
fn sextants_fill_their_sixths() {
    check_picture('\u{1fb00}', (4, 6), &["##..", "##..", "....", "....", "....", "...."]);
    check_picture('\u{1fb13}', (4, 6), &["....", "....", "##..", "##..", "##..", "##.."]);
    check_picture('\u{1fb14}', (4, 6), &["..##", "..##", "##..", "##..", "##..", "##.."]);
    check_picture('\u{1fb3b}', (4, 6), &["..##", "..##", "####", "####", "####", "####"]);
}

#[test]
fn upper_and_right_blocks_complete_the_lower_and_left_ones() {
    for size in SIZES {
        for (a, b) in
            [('\u{1fb82}', '▆'), ('\u{1fb86}', '▁'), ('\u{1fb87}', '▊'), ('\u{1fb8b}', '▏')]
        {
            let (a, b) = (cell(a, size), cell(b, size));
            let both = a.coverage.iter().zip(&b.coverage).all(|(a, b)| a ^ b == 255);
            assert!(both, "{size:?}");
        }
    }
}

#[test]
fn powerline_separators_touch_the_edge_they_grow_from() {
    #[track_caller]
    fn check(character: char, full: impl Fn(&Canvas) -> Vec<u8>, name: &str) {
        for size in SIZES {
            let edge = full(&cell(character, size));
            let n_full = edge.iter().filter(|it| **it > 127).count();
            assert!(n_full + 2 >= edge.len(), "{character} at {size:?}: {name} has {n_full}");
        }
    }
    for character in ['\u{e0b0}', '\u{e0b4}', '\u{e0b8}', '\u{e0bc}'] {
        check(character, |canvas| column(canvas, 0), "the left edge");
    }
    for character in ['\u{e0b2}', '\u{e0b6}', '\u{e0ba}', '\u{e0be}'] {
        check(character, |canvas| column(canvas, canvas.width - 1), "the right edge");
    }
}
