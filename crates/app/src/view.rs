//! What the next frame depends on besides the state: size, pointer, blink, snapshots.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use config::TextRendering;
use render::TextSmoothing;
use scene::{CellMetrics, Point, Size};
use ui::{Activity, Frame, FrameInputs, TerminalFrame, TerminalFrames};
use workspace::{Fact, State, Theme};

use crate::app::App;
use crate::graphics::Graphics;

/// Half a period of the text cursor's blink.
const BLINK: Duration = Duration::from_millis(530);
/// The cursor stops blinking this long after the last key: an idle window is to be idle.
const BLINK_FOR: Duration = Duration::from_secs(10);
/// From here on pixels are too small for their stripes to matter.
const FINE_SCALE: f32 = 1.5;
/// The rule of fontconfig that desktops switch on for LCD screens.
const STRIPES: &str = "/etc/fonts/conf.d/10-sub-pixel-rgb.conf";
/// Terminals are given new sizes at most this often while a window or a divider is being dragged.
const FIT_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(crate) struct View {
    /// In device pixels.
    pub size: (u32, u32),
    pub scale: f32,
    pub pointer: Option<Point>,
    /// Whether anybody can see what is drawn; without a window nobody can.
    pub visible: bool,
    /// Said in the status bar where drawing is slow.
    pub renderer: String,
    pub metrics: CellMetrics,
    last: Option<Frame>,
    terminals: TerminalFrames,
    /// Titles in the tab bar that programs can change.
    drawn_titles: Vec<String>,
    drawn_theme: Option<Theme>,
    /// What programs that ask for the size of a cell are told.
    told_metrics: Option<CellMetrics>,
    last_key: Instant,
    /// When labels, pulse or blink change by themselves.
    changes_at: Option<Instant>,
    fitted_at: Option<Instant>,
    fit_due: bool,
}

impl View {
    pub(crate) fn new(size: (u32, u32), scale: f32, visible: bool, now: Instant) -> Self {
        Self {
            size,
            scale,
            pointer: None,
            visible,
            renderer: String::new(),
            metrics: CellMetrics { width: 8, height: 21, ascent: 16, font_size: 14 * 64 },
            last: None,
            terminals: TerminalFrames::default(),
            drawn_titles: Vec::new(),
            drawn_theme: None,
            told_metrics: None,
            last_key: now,
            changes_at: None,
            fitted_at: None,
            fit_due: false,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "no screen has millions of pixels a side")]
    pub(crate) fn logical_size(&self) -> Size {
        Size::new(self.size.0 as f32 / self.scale, self.size.1 as f32 / self.scale)
    }

    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.last.as_ref()
    }

    pub(crate) fn key_pressed(&mut self, now: Instant) {
        self.last_key = now;
    }

    /// Whether a terminal on show, or the title of one, has moved on since it was drawn.
    pub(crate) fn is_outdated(&self, state: &State) -> bool {
        self.terminals.are_outdated(state) || self.drawn_titles != titles(state)
    }

    pub(crate) fn is_due(&mut self, now: Instant) -> bool {
        self.changes_at.take_if(|at| *at <= now).is_some()
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let fit = self.fitted_at.filter(|_| self.fit_due).map(|at| at + FIT_EVERY);
        self.changes_at.into_iter().chain(fit).min()
    }

    fn activity(&self, state: &State) -> Activity {
        Activity {
            visible: self.visible,
            focused: state.is_focused(),
            reduced_motion: state.reduces_motion(),
        }
    }

    /// Whether the cursor is shown now, and when that changes.
    fn blink(&self, state: &State, now: Instant) -> (bool, Option<Instant>) {
        let age = now.saturating_duration_since(self.last_key);
        if !self.visible
            || !state.is_focused()
            || age >= BLINK_FOR
            || !has_blinking_cursor(state, &self.terminals)
        {
            return (true, None);
        }
        let phase = age.as_millis() / BLINK.as_millis();
        let next = u32::try_from(phase + 1).map(|phases| self.last_key + BLINK * phases);
        (phase.is_multiple_of(2), next.ok())
    }
}

/// Of the plain terminals of the workspace on show.
fn titles(state: &State) -> Vec<String> {
    let active = state.active_workspace().map(workspace::Workspace::id);
    let here = state.plain_terminals().filter(|terminal| Some(terminal.workspace()) == active);
    here.map(workspace::PlainTerminal::title).collect()
}

/// Where it is left to us, letters are smoothed for LCD if the screen is coarse and the desktop has
/// its fonts set up that way; a wrong guess would give them coloured fringes.
fn smoothing(rendering: TextRendering, scale: f32) -> TextSmoothing {
    let is_lcd = match rendering {
        TextRendering::Lcd => true,
        TextRendering::Grayscale => false,
        TextRendering::Auto => scale < FINE_SCALE && has_striped_screen(),
    };
    if is_lcd { TextSmoothing::Lcd } else { TextSmoothing::Grayscale }
}

/// Whether fontconfig is told that pixels are red, green and blue stripes. Asked once.
fn has_striped_screen() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| Path::new(STRIPES).exists())
}

/// A terminal's cursor blinks only if its program wants that.
fn has_blinking_cursor(state: &State, terminals: &TerminalFrames) -> bool {
    let terminal = state.focused_terminal().and_then(|terminal| terminals.get(terminal.program()));
    let finds = state.find().is_some_and(workspace::Find::has_keys);
    finds
        || state.overlay().is_some()
        || state.active_file().is_some()
        || terminal.is_some_and(TerminalFrame::has_blinking_cursor)
}

impl App {
    /// Builds the frame for this moment. Returns whether it differs from the last one.
    pub(crate) fn build_frame(&mut self, graphics: &mut Graphics, now: Instant) -> bool {
        self.look_for_link();
        self.look_for_tile(now);
        let rail = self.on_rail.shown();
        let view = &mut self.view;
        view.metrics = graphics.cell_metrics(self.state.font_size(), view.scale);
        graphics.set_smoothing(smoothing(self.state.config().text_rendering, view.scale));
        let activity = view.activity(&self.state);

        if view.drawn_theme.replace(self.state.theme()) != Some(self.state.theme()) {
            let colors = ui::reported_colors(self.state.theme());
            for terminal in self.state.all_terminals() {
                if let Some(told) = terminal.buffer().set_colors(colors) {
                    // A program that does not read will not miss it.
                    let _refused = self.sessions.write(terminal.program(), told);
                }
            }
        }
        if view.told_metrics.replace(view.metrics) != Some(view.metrics) {
            let (width, height) = (view.metrics.width, view.metrics.height);
            let terminals = self.state.all_terminals();
            terminals.for_each(|terminal| terminal.buffer().set_cell_pixels(width, height));
        }
        view.drawn_titles = titles(&self.state);
        view.terminals.refresh(&self.state);
        let (cursor_on, blinks_at) = view.blink(&self.state, now);
        let inputs = FrameInputs {
            size: view.logical_size(),
            scale: view.scale,
            metrics: view.metrics,
            now,
            cursor_on,
            pulse: ui::pulse(&self.state, now, activity),
            pointer: view.pointer,
            terminals: &view.terminals,
            link: self.hover.shown(),
            rail,
            renderer: &view.renderer,
            home: self.places.home.as_deref(),
        };
        let frame = ui::build(&self.state, &inputs);
        let labels_at = ui::next_change(&self.state, now, activity);
        let card_at = ui::card_change(&self.state, rail.card, now, activity);
        view.changes_at = labels_at.into_iter().chain(blinks_at).chain(card_at).min();
        let differs = view.last.as_ref().is_none_or(|last| last.scene != frame.scene);
        view.last = Some(frame);
        differs
    }

    /// Lets it be known which programs are on show.
    pub(crate) fn show_programs(&mut self, now: Instant) {
        let is_minimised = self.view.size.0 == 0 || self.view.size.1 == 0;
        let shown = if is_minimised { BTreeMap::new() } else { self.state.shown_programs() };
        self.sessions.show(&shown, now);
    }

    /// Lets the state know how much fits, once the layout gives it another room.
    ///
    /// Resizes come in bursts, and programs redraw on each: the last one of a burst counts.
    pub(crate) fn fit_panes(&mut self, now: Instant) {
        let view = &mut self.view;
        // A minimised window has no size; its programs keep theirs.
        if view.size.0 == 0 || view.size.1 == 0 {
            view.fit_due = false;
            return;
        }
        let rooms = ui::rooms(&self.state, view.logical_size(), view.scale, view.metrics);
        view.fit_due = rooms != *self.state.rooms();
        if !view.fit_due || view.fitted_at.is_some_and(|at| now < at + FIT_EVERY) {
            return;
        }
        view.fit_due = false;
        view.fitted_at = Some(now);
        self.observe(Fact::PanesResized(rooms), now);
    }
}
