//! Pixels are laid over each other, resized and cut without losing any.

use super::{Bitmap, Content};

fn grey(left: i32, top: i32, width: u32, coverage: &[u8]) -> Bitmap {
    let height = u32::try_from(coverage.len()).expect("small") / width;
    Bitmap::from_coverage(left, top, width, height, coverage)
}

fn coverage(bitmap: &Bitmap) -> Vec<u8> {
    bitmap.rgba.chunks_exact(4).map(|pixel| pixel[3]).collect()
}

#[test]
fn a_union_holds_both() {
    let both = grey(0, 1, 1, &[9]).union(grey(1, 0, 1, &[7]));
    assert_eq!((both.left, both.top, both.width, both.height), (0, 1, 2, 2), "around both");
    assert_eq!(coverage(&both), [9, 0, 0, 7], "each in its place");
}

#[test]
fn colours_lie_over_colours_and_hide_coverage() {
    let red = Bitmap::from_colors(0, 1, 1, 1, vec![255, 0, 0, 255]);
    let veil = Bitmap::from_colors(0, 1, 1, 1, vec![0, 0, 255, 128]);
    assert_eq!(veil.rgba, [0, 0, 128, 128], "multiplied by its opacity");
    assert_eq!(red.clone().union(veil).rgba, [127, 0, 128, 255], "half of the red is left");
    assert_eq!(
        red.clone().union(grey(0, 1, 1, &[255])).content,
        Content::Colors,
        "a picture stays"
    );
}

#[test]
fn channels_may_start_at_different_pixels() {
    let channels = [grey(1, 1, 1, &[10]), grey(0, 1, 2, &[20, 30]), grey(0, 1, 1, &[40])];
    let all = Bitmap::from_channels(&channels);
    assert_eq!((all.left, all.width), (0, 2), "around all three");
    assert_eq!(all.rgba, [0, 20, 40, 40, 10, 30, 0, 30], "red, green, blue and the largest");
}

#[test]
fn a_smaller_picture_is_the_mean_of_the_larger() {
    #[track_caller]
    fn check(from: (u32, &[u8]), to: (u32, u32), expected: &[u8]) {
        let resized = grey(0, 0, from.0, from.1).resized(to.0, to.1);
        assert_eq!(coverage(&resized), expected, "{from:?} to {to:?}");
    }
    check((2, &[0, 100, 100, 200]), (1, 1), &[100]);
    check((4, &[0, 100, 200, 100]), (2, 1), &[50, 150]);
    check((3, &[0, 90, 240]), (2, 1), &[30, 190]);
    check((1, &[80]), (2, 2), &[80; 4]);
    check((2, &[10, 30]), (2, 1), &[10, 30]);
}

#[test]
fn what_is_cut_off_is_gone_and_the_rest_stays_in_place() {
    #[track_caller]
    fn check(edges: [i32; 4], expected: (i32, i32, &[u8])) {
        let [left, top, right, bottom] = edges;
        let cut = grey(0, 2, 2, &[1, 2, 3, 4]).cropped(left, top, right, bottom);
        assert_eq!((cut.left, cut.top, coverage(&cut).as_slice()), expected, "{edges:?}");
    }
    check([-9, 9, 9, -9], (0, 2, &[1, 2, 3, 4]));
    check([1, 9, 9, -9], (1, 2, &[2, 4]));
    check([-9, 1, 9, -9], (0, 1, &[3, 4]));
    check([-9, 9, 1, 1], (0, 2, &[1]));
    check([5, 9, 9, -9], (5, 2, &[]));
}
