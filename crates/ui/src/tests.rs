//! Whole frames: from a script of what happened to the text of the scene.

mod card;
mod finding;
mod fixture;
mod invariants;
mod overlays;
mod panes;
mod queue;
mod rail;
mod rail_groups;
mod splits;
mod tile_menu;

pub(crate) use fixture::start;
