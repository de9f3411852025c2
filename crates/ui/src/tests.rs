//! Whole frames: from a script of what happened to the text of the scene.

mod fixture;
mod invariants;
mod overlays;
mod panes;
mod rail;

pub(crate) use fixture::start;
