//! Whole frames: from a script of what happened to the text of the scene.

mod finding;
mod fixture;
mod invariants;
mod overlays;
mod panes;
mod rail;
mod splits;

pub(crate) use fixture::start;
