//! What a workspace's state looks like: a shape of its own for each, and a colour.
//!
//! No two states share a shape, so nobody needs to see colours to tell them apart.

use agent::{AgentState, Reason};
use scene::{Align, Color, Point, Quad, Rect};
use workspace::{Badge, Workspace, WorkspaceStatus};

use crate::canvas::{Canvas, Style};
use crate::theme::Palette;

/// The states as far as they look different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Starting,
    Running,
    Asking,
    YourTurn,
    /// Your turn, for long, and you have not looked yet.
    Overdue,
    /// Your turn, and you know it.
    Calm,
    /// Only the timer spoke.
    Silent,
    Stale,
    Completed,
    Errored,
    Stopped,
    Idle,
}

/// How strong the halo of a waiting agent is at each step of its pulse.
const HALO_OPACITY: [f32; 4] = [0.16, 0.24, 0.32, 0.24];
/// The step shown where nothing may move.
pub(crate) const STEADY_PULSE: u8 = 1;

const RADIUS: f32 = 10.0;
const CALM_RADIUS: f32 = 9.0;
const STROKE: f32 = 1.75;

impl Mark {
    pub(crate) fn of(workspace: &Workspace) -> Self {
        if workspace.agent().is_some_and(agent::AgentHandle::is_calm) {
            return Self::Calm;
        }
        let state = workspace.agent().map(agent::AgentHandle::state);
        let reason = workspace.agent().and_then(agent::AgentHandle::reason);
        match (workspace.status(), state) {
            (WorkspaceStatus::Idle, _) => Self::Idle,
            (WorkspaceStatus::Running, Some(AgentState::Starting)) => Self::Starting,
            (WorkspaceStatus::Running, _) => Self::Running,
            (WorkspaceStatus::NeedsInput, Some(AgentState::NeedsInput { reason, .. })) => {
                Self::of_reason(reason)
            }
            (WorkspaceStatus::NeedsInput, _) => Self::Asking,
            (WorkspaceStatus::Stale, _) if reason == Some(Reason::TurnDone) => Self::Overdue,
            (WorkspaceStatus::Stale, _) => Self::Stale,
            (WorkspaceStatus::Completed, _) => Self::Completed,
            (WorkspaceStatus::Errored, _) => Self::Errored,
            (WorkspaceStatus::Stopped, _) => Self::Stopped,
        }
    }

    fn of_reason(reason: Reason) -> Self {
        match reason {
            Reason::TurnDone => Self::YourTurn,
            Reason::Silence => Self::Silent,
            Reason::Permission
            | Reason::Question
            | Reason::Confirmation
            | Reason::Password
            | Reason::FirstRun
            | Reason::Error
            | Reason::GaveUp => Self::Asking,
        }
    }

    /// Whether the agent stands still until somebody answers it.
    pub(crate) fn asks(self) -> bool {
        matches!(self, Self::Asking | Self::Silent | Self::Stale)
    }

    pub(crate) fn pulses(self) -> bool {
        matches!(self, Self::Asking | Self::Silent)
    }

    /// The colour of its shape.
    pub(crate) fn color(self, palette: &Palette) -> Color {
        let status = &palette.status;
        match self {
            Self::Calm => palette.dim,
            Self::Starting | Self::Running => status.running,
            Self::Asking | Self::YourTurn | Self::Silent => status.needs_input,
            Self::Stale | Self::Overdue => status.stale,
            Self::Completed => status.completed,
            Self::Errored => status.errored,
            Self::Stopped => status.stopped,
            Self::Idle => status.idle,
        }
    }

    /// The colour of words about it; loud only where somebody is waited for.
    pub(crate) fn text_color(self, palette: &Palette) -> Color {
        match self {
            Self::Asking | Self::Silent => palette.status.needs_input_text,
            Self::Stale => palette.status.stale_text,
            Self::Errored
            | Self::YourTurn
            | Self::Overdue
            | Self::Calm
            | Self::Starting
            | Self::Running
            | Self::Completed
            | Self::Stopped
            | Self::Idle => palette.dim,
        }
    }

    /// The shape as it stands on a tile.
    pub(crate) fn draw(self, canvas: &mut Canvas, center: Point, pulse: u8) {
        let palette = canvas.palette;
        let color = self.color(palette);
        let status = &palette.status;
        if self.pulses() {
            let step = usize::from(pulse) % HALO_OPACITY.len();
            let halo = color.with_opacity(HALO_OPACITY[step]);
            canvas.quad(Quad::disc(center, RADIUS + 4.0, halo));
        }
        match self {
            Self::Starting => canvas.quad(Quad::ring(center, 5.0, 2.0, color)),
            Self::Running => canvas.quad(Quad::disc(center, 5.0, color)),
            Self::Asking => {
                canvas.quad(Quad::disc(center, RADIUS, color));
                question(canvas, center, status.on_needs_input);
            }
            Self::YourTurn => {
                canvas.quad(Quad::ring(center, RADIUS, 2.0, color));
                tick(canvas, center, status.needs_input_text);
            }
            Self::Overdue => {
                canvas.quad(Quad::ring(center, RADIUS, 3.0, color));
                tick(canvas, center, status.stale_text);
            }
            Self::Calm => {
                canvas.quad(Quad::ring(center, CALM_RADIUS, 1.25, color));
                tick(canvas, center, color);
            }
            Self::Silent => {
                // The halo shines through a bare ring; the ground keeps the dots legible.
                canvas.quad(Quad::disc(center, RADIUS, palette.chrome).bordered(2.0, color));
                dots(canvas, center, status.needs_input_text);
            }
            Self::Stale => {
                canvas.quad(Quad::disc(center, RADIUS, color));
                question(canvas, center, status.on_stale);
            }
            Self::Completed => {
                canvas.quad(Quad::disc(center, RADIUS, color));
                tick(canvas, center, status.on_completed);
            }
            Self::Errored => {
                canvas.quad(Quad::disc(center, RADIUS, color));
                cross(canvas, center, 3.25, STROKE, status.on_errored);
            }
            Self::Stopped => canvas.quad(Quad::rounded(Rect::around(center, 4.0), 2.0, color)),
            Self::Idle => dash(canvas, center, color),
        }
    }

    /// The shape without its disc, small enough to stand beside a word.
    pub(crate) fn draw_small(self, canvas: &mut Canvas, center: Point) {
        let palette = canvas.palette;
        let status = &palette.status;
        let color = self.color(palette);
        match self {
            Self::Starting => canvas.quad(Quad::ring(center, 4.0, 1.5, color)),
            Self::Running => canvas.quad(Quad::disc(center, 4.0, color)),
            Self::Asking => question(canvas, center, status.needs_input_text),
            Self::YourTurn => tick(canvas, center, status.needs_input_text),
            Self::Overdue => tick(canvas, center, status.stale_text),
            Self::Silent => dots(canvas, center, status.needs_input_text),
            Self::Stale => question(canvas, center, status.stale_text),
            Self::Completed | Self::Calm => tick(canvas, center, color),
            Self::Errored => cross(canvas, center, 3.5, STROKE, color),
            Self::Stopped => canvas.quad(Quad::rounded(Rect::around(center, 3.5), 1.5, color)),
            Self::Idle => dash(canvas, center, color),
        }
    }
}

/// That a program wants something of who looks elsewhere: a dot, or two sheets for a copy it was not
/// allowed to make.
pub(crate) fn draw_badge(canvas: &mut Canvas, badge: Badge, center: Point) {
    let palette = canvas.palette;
    match badge {
        Badge::Called => canvas.quad(Quad::disc(center, 3.0, palette.accent)),
        Badge::WantedToCopy => {
            let sheet = |x: f32, y: f32| Rect::new(center.x + x, center.y + y, 6.0, 7.0);
            for at in [sheet(-4.0, -5.0), sheet(-1.0, -2.0)] {
                canvas.quad(Quad::rounded(at, 1.5, palette.chrome).bordered(1.25, palette.accent));
            }
        }
    }
}

/// That something goes on beside the agent: a small ring, cut out of what is below it.
pub(crate) fn draw_background(canvas: &mut Canvas, center: Point) {
    let palette = canvas.palette;
    canvas.quad(Quad::disc(center, 5.5, palette.chrome));
    canvas.quad(Quad::ring(center, 4.0, 2.0, palette.status.running));
}

/// Two crossing strokes, each reaching `reach` from the centre.
pub(crate) fn cross(canvas: &mut Canvas, center: Point, reach: f32, width: f32, color: Color) {
    let at = |x: f32, y: f32| Point::new(center.x + x * reach, center.y + y * reach);
    canvas.line(at(-1.0, -1.0), at(1.0, 1.0), width, color);
    canvas.line(at(-1.0, 1.0), at(1.0, -1.0), width, color);
}

fn tick(canvas: &mut Canvas, center: Point, color: Color) {
    let at = |x: f32, y: f32| Point::new(center.x + x, center.y + y);
    canvas.line(at(-4.0, 0.25), at(-1.25, 3.0), STROKE, color);
    canvas.line(at(-1.25, 3.0), at(4.0, -2.75), STROKE, color);
}

fn dots(canvas: &mut Canvas, center: Point, color: Color) {
    for offset in [-4.0, 0.0, 4.0] {
        canvas.quad(Quad::disc(Point::new(center.x + offset, center.y), 1.25, color));
    }
}

fn dash(canvas: &mut Canvas, center: Point, color: Color) {
    let at = |x: f32| Point::new(center.x + x, center.y);
    canvas.line(at(-4.0), at(4.0), 2.0, color);
}

fn question(canvas: &mut Canvas, center: Point, color: Color) {
    let area = Rect::around(center, RADIUS);
    canvas.text(area, Align::Center, "?", Style::semibold(13.0, color));
}

#[cfg(test)]
mod tests;
