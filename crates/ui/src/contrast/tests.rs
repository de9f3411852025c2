//! Which colours change, and to what.

use super::*;

fn hex(text: &str) -> Color {
    Color::hex(u32::from_str_radix(text, 16).expect("six digits"))
}

/// What text of one colour becomes on a ground of another.
#[track_caller]
fn check(minimum: f32, glyph: char, color: &str, ground: &str, expected: &str) {
    let mut contrast = Contrast::at_least(minimum);
    let got = contrast.readable(glyph, hex(color), hex(ground));
    assert_eq!(got.to_string(), format!("#{expected}"), "{color} on {ground} at {minimum}");
    let again = contrast.readable(glyph, hex(color), hex(ground));
    assert_eq!(again, got, "the second time is the same");
}

#[test]
fn readable_text_keeps_its_colour() {
    check(1.0, 'x', "000001", "000000", "000001");
    check(4.5, 'x', "ffffff", "000000", "ffffff");
    check(4.5, 'x', "d7dce5", "14171c", "d7dce5");
}

#[test]
fn text_that_is_hard_to_read_moves_away_from_its_ground() {
    check(4.5, 'x', "0000ff", "000000", "5e5eff");
    check(4.5, 'x', "333333", "14171c", "808080");
    check(4.5, 'x', "cccccc", "ffffff", "767676");
    check(21.0, 'x', "808080", "000000", "ffffff");
}

#[test]
fn where_there_is_no_room_it_goes_the_other_way() {
    check(4.5, 'x', "ffffff", "eeeeee", "6c6c6c");
    check(3.0, 'x', "777777", "777777", "d4d4d4");
    check(21.0, 'x', "808080", "808080", "000000");
}

#[test]
fn shapes_keep_the_colour_they_were_given() {
    for shape in ['─', '╭', '█', '░', '\u{e0b0}', '\u{1fb00}'] {
        check(21.0, shape, "000001", "000000", "000001");
    }
}

#[test]
fn what_is_reached_is_enough_and_memory_is_bounded() {
    let mut contrast = Contrast::at_least(7.0);
    for red in (0..=255).step_by(5) {
        for ground in (0..=255).step_by(5) {
            let ground = Color::rgb(ground, 128, ground);
            let got = contrast.readable('x', Color::rgb(red, 40, 90), ground);
            let best = ground.contrast(hex("ffffff")).max(ground.contrast(hex("000000")));
            assert!(got.contrast(ground) >= best.min(7.0) - 0.01, "{got} on {ground}");
        }
    }
    for number in 0..20_000 {
        contrast.readable('x', Color::hex(number), Color::hex(number));
    }
    assert!(contrast.raised.len() <= MAX_PAIRS, "{} pairs", contrast.raised.len());
}
