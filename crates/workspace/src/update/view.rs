//! How things look: palette, theme, text size, rail, scrolling.

use super::{NO_EFFECTS, Outcome};
use crate::state::ZOOM;
use crate::{BufferId, Effect, Overlay, PickerKind, State, Theme, ViewAction};

impl State {
    pub(super) fn update_view(&mut self, action: ViewAction) -> Outcome {
        match action {
            ViewAction::Palette => self.overlay = Some(Overlay::picker(PickerKind::Commands)),
            ViewAction::ToggleTheme => {
                self.theme_override = Some(match self.theme() {
                    Theme::Dark => Theme::Light,
                    Theme::Light => Theme::Dark,
                });
            }
            // What cannot be seen is shown before it is changed.
            ViewAction::ToggleRail if self.hides_rail => self.hides_rail = false,
            ViewAction::ToggleRail => {
                self.rail.look.is_compact = !self.rail.look.is_compact;
                return Ok(vec![self.keep_rail_look()]);
            }
            ViewAction::ToggleGroups => {
                self.rail.look.is_grouped = !self.rail.look.is_grouped;
                self.rail.follows_active = true;
                self.settle_groups();
                return Ok(vec![self.keep_rail_look()]);
            }
            ViewAction::DragRail(x) => self.rail.look.drag_edge(x),
            ViewAction::LetRailGo => return Ok(vec![self.keep_rail_look()]),
            ViewAction::ScrollRail(to) => {
                self.rail.scroll = to;
                self.rail.follows_active = false;
            }
            ViewAction::HideRail => self.hides_rail = !self.hides_rail,
            ViewAction::ZoomIn => self.zoom(1.0),
            ViewAction::ZoomOut => self.zoom(-1.0),
            ViewAction::ZoomReset => self.zoomed_size = None,
            ViewAction::Fullscreen => return Ok(vec![Effect::ToggleFullscreen]),
            ViewAction::LoseDevice => return Ok(vec![Effect::LoseDevice]),
            ViewAction::ScrollFile { buffer, lines, columns } => {
                self.scroll_file(buffer, lines, columns);
            }
        }
        NO_EFFECTS
    }

    fn keep_rail_look(&self) -> Effect {
        Effect::KeepRailLook(self.rail.look)
    }

    fn zoom(&mut self, step: f32) {
        self.zoomed_size = Some((self.font_size() + step).clamp(*ZOOM.start(), *ZOOM.end()));
    }

    fn scroll_file(&mut self, buffer: Option<BufferId>, lines: i32, columns: i32) {
        let active = self.active_file().map(|(buffer, _)| buffer);
        let file = buffer.or(active).and_then(|buffer| self.files.get_mut(&buffer));
        let Some(file) = file else { return };
        let step = |first: usize, by: i32| first.saturating_add_signed(by as isize);
        let last = file.document.n_lines().saturating_sub(1);
        file.scroll = (step(file.scroll.0, lines).min(last), step(file.scroll.1, columns));
    }
}
