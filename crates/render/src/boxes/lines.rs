//! U+2500 to U+257F: light, heavy and double lines, dashes, arcs and diagonals.

use super::Canvas;

/// How a character leaves its cell upwards, rightwards, downwards and leftwards:
/// `l`ight, `h`eavy, `d`ouble or not at all. `*` marks those that are drawn in another way.
#[rustfmt::skip]
const ARMS: [&[u8; 4]; 128] = [
    b".l.l", b".h.h", b"l.l.", b"h.h.", b"****", b"****", b"****", b"****", // ─━│┃┄┅┆┇
    b"****", b"****", b"****", b"****", b".ll.", b".hl.", b".lh.", b".hh.", // ┈┉┊┋┌┍┎┏
    b"..ll", b"..lh", b"..hl", b"..hh", b"ll..", b"lh..", b"hl..", b"hh..", // ┐┑┒┓└┕┖┗
    b"l..l", b"l..h", b"h..l", b"h..h", b"lll.", b"lhl.", b"hll.", b"llh.", // ┘┙┚┛├┝┞┟
    b"hlh.", b"hhl.", b"lhh.", b"hhh.", b"l.ll", b"l.lh", b"h.ll", b"l.hl", // ┠┡┢┣┤┥┦┧
    b"h.hl", b"h.lh", b"l.hh", b"h.hh", b".lll", b".llh", b".hll", b".hlh", // ┨┩┪┫┬┭┮┯
    b".lhl", b".lhh", b".hhl", b".hhh", b"ll.l", b"ll.h", b"lh.l", b"lh.h", // ┰┱┲┳┴┵┶┷
    b"hl.l", b"hl.h", b"hh.l", b"hh.h", b"llll", b"lllh", b"lhll", b"lhlh", // ┸┹┺┻┼┽┾┿
    b"hlll", b"llhl", b"hlhl", b"hllh", b"hhll", b"llhh", b"lhhl", b"hhlh", // ╀╁╂╃╄╅╆╇
    b"lhhh", b"hlhh", b"hhhl", b"hhhh", b"****", b"****", b"****", b"****", // ╈╉╊╋╌╍╎╏
    b".d.d", b"d.d.", b".dl.", b".ld.", b".dd.", b"..ld", b"..dl", b"..dd", // ═║╒╓╔╕╖╗
    b"ld..", b"dl..", b"dd..", b"l..d", b"d..l", b"d..d", b"ldl.", b"dld.", // ╘╙╚╛╜╝╞╟
    b"ddd.", b"l.ld", b"d.dl", b"d.dd", b".dld", b".ldl", b".ddd", b"ld.d", // ╠╡╢╣╤╥╦╧
    b"dl.l", b"dd.d", b"ldld", b"dldl", b"dddd", b"****", b"****", b"****", // ╨╩╪╫╬╭╮╯
    b"****", b"****", b"****", b"****", b"...l", b"l...", b".l..", b"..l.", // ╰╱╲╳╴╵╶╷
    b"...h", b"h...", b".h..", b"..h.", b".h.l", b"l.h.", b".l.h", b"h.l.", // ╸╹╺╻╼╽╾╿
];

pub(super) fn draw(canvas: &mut Canvas, character: char) {
    match character {
        '┄' => dashes(canvas, Axis::Horizontal, 3, b'l'),
        '┅' => dashes(canvas, Axis::Horizontal, 3, b'h'),
        '┆' => dashes(canvas, Axis::Vertical, 3, b'l'),
        '┇' => dashes(canvas, Axis::Vertical, 3, b'h'),
        '┈' => dashes(canvas, Axis::Horizontal, 4, b'l'),
        '┉' => dashes(canvas, Axis::Horizontal, 4, b'h'),
        '┊' => dashes(canvas, Axis::Vertical, 4, b'l'),
        '┋' => dashes(canvas, Axis::Vertical, 4, b'h'),
        '╌' => dashes(canvas, Axis::Horizontal, 2, b'l'),
        '╍' => dashes(canvas, Axis::Horizontal, 2, b'h'),
        '╎' => dashes(canvas, Axis::Vertical, 2, b'l'),
        '╏' => dashes(canvas, Axis::Vertical, 2, b'h'),
        '╭' => arc(canvas, 1.0, 1.0),
        '╮' => arc(canvas, -1.0, 1.0),
        '╯' => arc(canvas, -1.0, -1.0),
        '╰' => arc(canvas, 1.0, -1.0),
        '╱' => diagonal(canvas, Slope::Rising),
        '╲' => diagonal(canvas, Slope::Falling),
        '╳' => {
            diagonal(canvas, Slope::Rising);
            diagonal(canvas, Slope::Falling);
        }
        _ => {
            let index = (u32::from(character) & 0x7f) as usize;
            arms(canvas, *ARMS[index]);
        }
    }
}

#[derive(Clone, Copy)]
enum Axis {
    Horizontal,
    Vertical,
}

/// The pixels a line takes across its direction: from the first up to, but without, the second.
#[derive(Clone, Copy)]
struct Band {
    start: i32,
    end: i32,
}

/// The band in the middle of `length` pixels. Every character puts it in the same place.
fn band(length: u16, thickness: i32) -> Band {
    let start = (i32::from(length) - thickness) / 2;
    Band { start, end: start + thickness }
}

/// From outer edge to outer edge; a double line is two light ones with a gap like a light one.
fn thickness(weight: u8, stroke: u16) -> i32 {
    let stroke = i32::from(stroke);
    match weight {
        b'l' => stroke,
        b'h' => 2 * stroke,
        b'd' => 3 * stroke,
        _ => 0,
    }
}

/// Straight lines from the middle to the edges. Double lines are drawn solid, then hollowed out.
fn arms(canvas: &mut Canvas, arms: [u8; 4]) {
    let (w, h) = (i32::from(canvas.width), i32::from(canvas.height));
    let [up, right, down, left] = arms;
    let of = |weight| thickness(weight, canvas.stroke);
    // Where the lines of the other direction lie: arms reach across them to the far side.
    let column = band(canvas.width, of(up).max(of(down)));
    let row = band(canvas.height, of(left).max(of(right)));
    let across = |length, weight| band(length, of(weight));

    let (above, below) = (across(canvas.width, up), across(canvas.width, down));
    let (before, after) = (across(canvas.height, left), across(canvas.height, right));
    canvas.fill(above.start, 0, above.end, row.end);
    canvas.fill(below.start, row.start, below.end, h);
    canvas.fill(0, before.start, column.end, before.end);
    canvas.fill(column.start, after.start, w, after.end);

    let stroke = i32::from(canvas.stroke);
    let (gap_x, gap_y) = (band(canvas.width, stroke), band(canvas.height, stroke));
    let vertical = hollow([up, down], [left, right], row, gap_y, canvas.height);
    for Band { start, end } in vertical.into_iter().flatten() {
        canvas.clear(gap_x.start, start, gap_x.end, end);
    }
    let horizontal = hollow([left, right], [up, down], column, gap_x, canvas.width);
    for Band { start, end } in horizontal.into_iter().flatten() {
        canvas.clear(start, gap_y.start, end, gap_y.end);
    }
}

/// How far the gap of a double line reaches from each end of the cell: across the middle, unless
/// lines of the other direction (`crossing` lies there) stand in its way.
fn hollow(
    along: [u8; 2],
    other: [u8; 2],
    crossing: Band,
    gap: Band,
    length: u16,
) -> [Option<Band>; 2] {
    let length = i32::from(length);
    let passes_by = along == [b'd'; 2] && other.iter().filter(|it| **it == b'.').count() == 1;
    let (first_end, second_start) = if other.contains(&b'd') {
        (gap.end, gap.start)
    } else if other == [b'.'; 2] || passes_by {
        (length / 2, length / 2)
    } else {
        (crossing.start, crossing.end)
    };
    [
        (along[0] == b'd').then_some(Band { start: 0, end: first_end }),
        (along[1] == b'd').then_some(Band { start: second_start, end: length }),
    ]
}

/// `count` dashes, each in the middle of its share of the cell, so that cells join evenly.
fn dashes(canvas: &mut Canvas, axis: Axis, count: i32, weight: u8) {
    let (length, breadth) = match axis {
        Axis::Horizontal => (canvas.width, canvas.height),
        Axis::Vertical => (canvas.height, canvas.width),
    };
    let line = band(breadth, thickness(weight, canvas.stroke));
    let length = i32::from(length);
    let gap = (length / (count * 3)).max(1);
    for dash in 0..count {
        let start = length * dash / count + gap / 2;
        let end = length * (dash + 1) / count - (gap - gap / 2);
        match axis {
            Axis::Horizontal => canvas.fill(start, line.start, end, line.end),
            Axis::Vertical => canvas.fill(line.start, start, line.end, end),
        }
    }
}

/// A rounded corner that opens towards `right` and `down` (1 or -1 each).
fn arc(canvas: &mut Canvas, right: f32, down: f32) {
    let stroke = i32::from(canvas.stroke);
    let middle = |length| {
        let band = band(length, stroke);
        f32::from(i16::try_from(band.start + band.end).unwrap_or(0)) / 2.0
    };
    let (x0, y0) = (middle(canvas.width), middle(canvas.height));
    let half = f32::from(canvas.stroke) / 2.0;
    // The outermost pixels are straight, so that the next cell's line meets them squarely.
    let edges = [x0, f32::from(canvas.width) - x0, y0, f32::from(canvas.height) - y0];
    let radius = (edges.into_iter().fold(f32::INFINITY, f32::min) - 0.5).max(0.0);
    canvas.shape(|x, y| {
        // As seen by the corner that opens to the right and down.
        let (x, y) = ((x - x0) * right, (y - y0) * down);
        let from_line = match (x < radius, y < radius) {
            (true, true) => ((x - radius).hypot(y - radius) - radius).abs(),
            (true, false) => x.abs(),
            (false, true) => y.abs(),
            (false, false) => f32::INFINITY,
        };
        from_line - half
    });
}

#[derive(Clone, Copy)]
enum Slope {
    Rising,
    Falling,
}

fn diagonal(canvas: &mut Canvas, slope: Slope) {
    let (w, h) = (f32::from(canvas.width), f32::from(canvas.height));
    let half = f32::from(canvas.stroke) / 2.0;
    let length = w.hypot(h).max(1.0);
    canvas.shape(|x, y| {
        let x = match slope {
            Slope::Rising => w - x,
            Slope::Falling => x,
        };
        (x * h - y * w).abs() / length - half
    });
}
