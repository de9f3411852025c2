//! From scene to pixels, on a surface or into an image.
//!
//! Everything here knows [`scene::Scene`] and pixels, and nothing of agents, tabs or files; wgpu is
//! named in no other crate. A window and an image run the very same passes through one
//! [`Renderer`]; only where the finished pixels go differs.
//!
//! Colours are blended as they are written, in sRGB's own curve, not in linear light: every target
//! has a format without the `Srgb` suffix. That is what browsers and desktop toolkits do, so half
//! transparent colours look as designers expect, and light text on a dark ground gets the same
//! weight as dark text on a light one (in linear light the former swells and the latter thins out).
//!
//! Invariants:
//! - Nothing here panics because of a graphics driver: what goes wrong sets [`Gpu::is_lost`], after
//!   which the owner builds [`Gpu`], [`Renderer`] and target anew. None of them holds state that
//!   matters.
//! - With the bundled fonts alone ([`SystemFonts::None`]) a scene looks the same on every machine.

mod atlas;
mod batches;
mod bitmap;
mod boxes;
mod cells;
mod clusters;
mod contents;
mod damage;
mod fonts;
mod glyphs;
mod gpu;
mod offscreen;
mod pass;
mod pixels;
mod quads;
mod renderer;
mod shaping;
mod software;
mod text;
mod window;

#[cfg(test)]
mod tests;

pub use fonts::{FontNews, SystemFonts};
pub use gpu::{Gpu, GpuChoice, GpuError, WindowHandle};
pub use offscreen::{Image, OffscreenTarget};
pub use renderer::{PixelFormat, Renderer, TextSmoothing};
pub use window::{DrawOutcome, SkipReason, WindowTarget};
