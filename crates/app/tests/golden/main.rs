//! Golden pictures of the whole window, compared with those in `tests/data/golden`.
//!
//! States are played through the public doors, frames built by `ui` and drawn by `render` on the
//! software adapter: no process, no window, no clock. [`compare`] says what counts as the same and
//! how a new picture is accepted.

#![cfg(test)]

mod compare;
mod picture;
mod screens;
mod sheet;
mod stories;
mod story;

use render::TextSmoothing;
use workspace::Theme::{self, Dark, Light};

use crate::picture::{Camera, Look};
use crate::sheet::Sheet;
use crate::story::Story;

/// Each line is a picture and a test of that name: the story that leads to it, and how it looks.
macro_rules! pictures {
    ($names:ident by $check:ident: $($name:ident: $story:path, $look:expr;)+) => {
        const $names: &[&str] = &[$(stringify!($name)),+];

        $(
            #[test]
            fn $name() {
                $check(stringify!($name), $story, $look);
            }
        )+
    };
}

pictures! { STORIES by check:
    welcome_dark: stories::welcome, window(Dark);
    welcome_light: stories::welcome, window(Light);
    running_dark: stories::running, window(Dark);
    running_light: stories::running, window(Light);
    needs_input_dark: stories::needs_input, window(Dark);
    needs_input_light: stories::needs_input, window(Light);
    exited_dark: stories::exited, window(Dark);
    exited_light: stories::exited, window(Light);
    palette_dark: stories::palette, window(Dark);
    palette_light: stories::palette, window(Light);
    queue_dark: stories::queue, window(Dark);
    queue_light: stories::queue, window(Light);
    queue_writing_dark: stories::queue_writing, window(Dark);
    queue_hidpi_light: stories::queue_writing, Look { width: 640.0, height: 420.0, scale: 2.0, theme: Light };
    file_dark: stories::file, window(Dark);
    split_dark: stories::split, window(Dark);
    split_light: stories::split, window(Light);
    split_hidpi_dark: stories::split, Look { width: 640.0, height: 400.0, scale: 2.0, theme: Dark };
    composing_dark: stories::composing, window(Dark);
    finding_dark: stories::finding, window(Dark);
    finding_light: stories::finding, window(Light);
    finding_hidpi_dark: stories::finding, Look { width: 600.0, height: 360.0, scale: 2.0, theme: Dark };
    finding_narrow_dark: stories::finding, Look { width: 300.0, height: 360.0, scale: 1.0, theme: Dark };
    pasting_dark: stories::pasting, window(Dark);
    pasting_light: stories::pasting, window(Light);
    choosing_dark: stories::choosing, window(Dark);
    choosing_light: stories::choosing, window(Light);
    trusting_dark: stories::trusting, window(Dark);
    trusting_light: stories::trusting, window(Light);
    card_dark: stories::card, small_window(Dark, 1.0);
    card_light: stories::card, small_window(Light, 1.0);
    card_hidpi_dark: stories::card, Look { width: 620.0, height: 420.0, scale: 2.0, theme: Dark };
    menu_dark: stories::menu, small_window(Dark, 1.0);
    menu_hidpi_light: stories::menu_of_agent, Look { width: 620.0, height: 420.0, scale: 2.0, theme: Light };
    compact_groups_light: stories::compact_groups, small_window(Light, 1.0);
    compact_rail_dark: stories::compact_rail, window(Dark);
    hidpi_dark: stories::compact_rail, Look { width: 720.0, height: 450.0, scale: 2.0, theme: Dark };
}

pictures! { SHEETS by check_sheet:
    agents_dark: sheet::agents, small(Dark, 1.0);
    agents_light: sheet::agents, small(Light, 1.0);
    agents_hidpi: sheet::agents, small(Dark, 2.0);
    scripts_dark: sheet::scripts, small(Dark, 1.0);
    scripts_light: sheet::scripts, small(Light, 1.0);
    scripts_hidpi: sheet::scripts, small(Dark, 2.0);
    attributes_dark: sheet::attributes, small(Dark, 1.0);
    attributes_light: sheet::attributes, small(Light, 1.0);
    attributes_hidpi: sheet::attributes, small(Light, 2.0);
    boxes_dark: sheet::boxes, small(Dark, 1.0);
    boxes_fractional: sheet::boxes, small(Dark, 1.25);
    boxes_hidpi: sheet::boxes, small(Light, 2.0);
}

/// As wide as a sheet of glyphs needs.
const fn small(theme: Theme, scale: f32) -> Look {
    Look { width: 330.0, height: 240.0, scale, theme }
}

/// As large as the rail and a card need.
const fn small_window(theme: Theme, scale: f32) -> Look {
    Look { width: 680.0, height: 750.0, scale, theme }
}

const fn window(theme: Theme) -> Look {
    Look { width: 1200.0, height: 750.0, scale: 1.0, theme }
}

#[track_caller]
fn check(name: &str, play: fn(&mut Story), look: Look) {
    let Some(mut camera) = Camera::new(look) else { return };
    let mut story = Story::new(camera.rooms(None), look.theme);
    play(&mut story);
    compare::check(name, &camera.take(&mut story));
}

#[track_caller]
fn check_sheet(name: &str, draw: fn(&mut Sheet, Theme), look: Look) {
    let Some(mut camera) = Camera::new(look) else { return };
    compare::check(name, &camera.take_sheet(draw, TextSmoothing::Grayscale));
}

/// For screens whose pixels are stripes.
#[test]
fn lcd_light() {
    let Some(mut camera) = Camera::new(small(Light, 1.0)) else { return };
    compare::check("lcd_light", &camera.take_sheet(sheet::agents, TextSmoothing::Lcd));
}

fn is_known(name: &str) -> bool {
    STORIES.iter().chain(SHEETS).chain(&["lcd_light"]).any(|known| *known == name)
}

#[test]
fn only_pictures_that_exist_are_accepted() {
    if let Some(wanted) = compare::accepted() {
        let is_known = wanted == "all" || is_known(&wanted);
        assert!(is_known, "no picture `{wanted}`; there are {STORIES:?} and {SHEETS:?}");
    }
}

#[test]
fn every_file_is_a_picture_and_small() {
    const LARGEST: u64 = 100 * 1024;
    for entry in std::fs::read_dir(compare::golden_folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(is_known(name), "{} belongs to no test", path.display());
        let size = path.metadata().unwrap().len();
        assert!(size <= LARGEST, "{} has {size} bytes, more than {LARGEST}", path.display());
    }
}
