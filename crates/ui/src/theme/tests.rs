//! Everything that is read can be read.

use super::*;

#[track_caller]
fn check(what: &str, text: Color, ground: Color) {
    let contrast = text.contrast(ground);
    assert!(contrast >= 4.5, "{what}: {text} on {ground} is {contrast}:1");
}

#[test]
fn text_is_legible_on_every_ground_it_stands_on() {
    for theme in [Theme::Dark, Theme::Light] {
        let Palette { chrome, pane, raised, overlay, text, dim, status, .. } = palette(theme);
        for ground in [chrome, pane, raised, overlay] {
            for (name, color) in [
                ("text", text),
                ("dim", dim),
                ("needs input", &status.needs_input_text),
                ("stale", &status.stale_text),
                ("errored", &status.errored_text),
            ] {
                check(&format!("{theme:?} {name}"), *color, *ground);
            }
        }
        check("selected", palette(theme).text, palette(theme).selection);
        check("match", palette(theme).on_found, palette(theme).found);
        check("current match", palette(theme).on_current_found, palette(theme).current_found);
        check("plain text in a match", palette(theme).text, palette(theme).found);
        check("button", palette(theme).on_accent, palette(theme).accent);
        check("asking", status.on_needs_input, status.needs_input);
        check("tick", status.on_completed, status.completed);
    }
}

#[test]
fn terminal_colors_are_legible_as_text_on_the_pane() {
    for theme in [Theme::Dark, Theme::Light] {
        let palette = palette(theme);
        for (index, color) in palette.ansi.iter().enumerate() {
            check(&format!("{theme:?} colour {index}"), *color, palette.pane);
        }
    }
}

#[test]
fn black_or_white_is_legible_on_every_ground() {
    let grounds = palette(Theme::Dark).ansi_ground;
    for light in [2, 3, 6, 7, 9, 10, 11, 12, 13, 14, 15] {
        check(&format!("black on {light}"), grounds[0], grounds[light]);
    }
    for dark in [0, 1, 4, 5, 8] {
        check(&format!("white on {dark}"), grounds[7], grounds[dark]);
    }
}

#[test]
fn programs_are_told_the_colors_they_get() {
    let told = reported_colors(Theme::Light);
    assert_eq!(told.background, Rgb::new(255, 255, 255), "the light pane");
    assert_eq!(told.ansi[1], Rgb::new(0xc4, 0x23, 0x2d), "its red");
}
