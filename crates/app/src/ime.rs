//! The input method: when it may compose, and where its window belongs.
//!
//! What it composes is part of the state and drawn like everything else.

use scene::Rect;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::window::Window;

use crate::app::App;

/// What the window was last told; it is told of changes only, as each may be a round trip.
#[derive(Debug, Default)]
pub(crate) struct ImeState {
    allowed: bool,
    area: Option<Area>,
}

/// In device pixels.
type Area = (PhysicalPosition<i32>, PhysicalSize<u32>);

impl ImeState {
    /// Tells the window where text is typed, and whether it can be.
    pub(crate) fn update(&mut self, window: &Window, app: &App) {
        let allowed = app.state.takes_text();
        if allowed != self.allowed {
            self.allowed = allowed;
            // What it knew of the place is lost with the permission.
            self.area = None;
            window.set_ime_allowed(allowed);
        }
        let cursor = app.view.frame().and_then(|frame| frame.text_cursor);
        let Some(cursor) = cursor.filter(|_| allowed) else { return };
        let area = area(cursor, app.view.scale);
        if self.area.replace(area) != Some(area) {
            window.set_ime_cursor_area(area.0, area.1);
        }
    }
}

/// The place of a rectangle of the frame on the window. Device pixels are said outright, so that
/// nobody on the way applies the scale a second time.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place on a screen; sizes are not negative"
)]
fn area(cursor: Rect, scale: f32) -> Area {
    let pixels = |length: f32| (length * scale).round();
    let position = PhysicalPosition::new(pixels(cursor.x) as i32, pixels(cursor.y) as i32);
    let size = |length: f32| pixels(length).max(1.0) as u32;
    (position, PhysicalSize::new(size(cursor.width), size(cursor.height)))
}

#[cfg(test)]
mod tests;
