//! The loop with a window: winit's events in, frames out.
//!
//! The control flow is set anew every turn: wait for an event, or until the next deadline. A frame
//! is asked for in one place, and only while the window can be seen.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow};
use base::LogErr as _;
use scene::Point;
use terminal::Modifiers;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalPosition, LogicalSize};
use winit::event::{ElementState, Ime, MouseButton, MouseScrollDelta, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{CursorIcon, Fullscreen, UserAttentionType, Window, WindowId};
use workspace::{Action, AppAction, Fact, Preedit};

use crate::app::{App, PointerShape, WindowRequest};
use crate::clipboard::Clipboard;
use crate::clock;
use crate::graphics::Graphics;
use crate::headless::tell_what_goes_on;
use crate::ime::ImeState;
use crate::input::{Keyboard, RawKey};
use crate::instance::InstanceLock;
use crate::places::Places;
use crate::pointer::Button;
use crate::startup::Startup;
use crate::system_settings::SystemSettings;
use crate::title;
use crate::view::View;
use crate::wheel::Turned;

/// Reverse-DNS name by which desktops know our windows.
pub(crate) const APP_ID: &str = "dev.trackside.Trackside";

/// Runs until the window is closed or the program is asked to end.
///
/// # Errors
/// There is no display, no adapter, or the program could not start.
pub(crate) fn run(places: Places, lock: InstanceLock, startup: Startup) -> Result<()> {
    let event_loop = EventLoop::new().map_err(|err| {
        tracing::error!(%err, "no event loop");
        let name = |variable: &str| std::env::var(variable).ok().filter(|it| !it.is_empty());
        let display = name("WAYLAND_DISPLAY").or_else(|| name("DISPLAY")).unwrap_or_default();
        anyhow!("cannot reach the display {display}; check DISPLAY, or use --headless")
    })?;
    let proxy = event_loop.create_proxy();
    let mut handler =
        Handler { phase: Phase::New(Box::new((places, lock, startup))), proxy, failure: None };
    let run = AssertUnwindSafe(|| event_loop.run_app(&mut handler));
    let result = std::panic::catch_unwind(run);
    if let (false, Phase::Running(running)) = (matches!(result, Ok(Ok(()))), &mut handler.phase) {
        running.app.keep_unsaved_text(clock());
    }
    if let Phase::Running(running) = &handler.phase {
        tell_what_goes_on(&running.app);
    }
    match (handler.failure.take(), result) {
        (Some(failure), _) => Err(failure),
        (None, Ok(result)) => result.context("the window's connection broke"),
        (None, Err(_panic)) => Err(anyhow!("Trackside crashed; unsaved text was kept")),
    }
}

struct Handler {
    phase: Phase,
    proxy: EventLoopProxy<()>,
    failure: Option<anyhow::Error>,
}

enum Phase {
    /// Before the event loop lets us make a window.
    New(Box<(Places, InstanceLock, Startup)>),
    Running(Box<Running>),
    /// Starting failed; the loop is on its way out.
    Failed,
}

struct Running {
    app: App,
    window: Arc<Window>,
    keyboard: Keyboard,
    ime: ImeState,
    occluded: bool,
    /// The next frame is one that we asked for; any other the system needs.
    asked_for_frame: bool,
    title: String,
    // Held for what it does while it lives.
    _system: Option<SystemSettings>,
}

impl Handler {
    fn start(&mut self, event_loop: &ActiveEventLoop) -> Result<()> {
        let Phase::New(parts) = std::mem::replace(&mut self.phase, Phase::Failed) else {
            return Ok(());
        };
        let (places, lock, startup) = *parts;
        let window = Arc::new(event_loop.create_window(attributes(event_loop))?);
        let size = window.inner_size();
        let now = clock();
        let view = View::new((size.width, size.height), scale_of(&window), true, now);
        let proxy = self.proxy.clone();
        let nudge = move || {
            // The loop may already be gone; then nobody needs to be woken.
            let _gone = proxy.send_event(()).is_err();
        };
        let graphics = Graphics::for_window(Arc::clone(&window), Arc::new(nudge.clone()))?;
        let mut app = App::start(places, lock, view, Clipboard::of_desktop(), nudge, now)?;
        let system = SystemSettings::follow(app.inbox.sender()).log_err("starting a thread");
        app.take_graphics(graphics);
        // Not on Linux, where `system` tells.
        if let Some(theme) = window.theme() {
            app.observe(Fact::SystemTheme { dark: theme == winit::window::Theme::Dark }, now);
        }
        app.begin(startup, clock());
        window.set_visible(true);
        let running = Running {
            app,
            window,
            keyboard: Keyboard::default(),
            ime: ImeState::default(),
            occluded: false,
            asked_for_frame: false,
            title: String::new(),
            _system: system,
        };
        self.phase = Phase::Running(Box::new(running));
        Ok(())
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, failure: anyhow::Error) {
        self.failure.get_or_insert(failure);
        event_loop.exit();
    }
}

impl ApplicationHandler for Handler {
    fn new_events(&mut self, _event_loop: &ActiveEventLoop, cause: StartCause) {
        if let (Phase::Running(running), StartCause::ResumeTimeReached { .. }) =
            (&mut self.phase, cause)
        {
            running.app.stats.timer_wake_ups += 1;
        }
    }

    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if let Err(failure) = self.start(event_loop) {
            self.fail(event_loop, failure);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _id: WindowId, event: WindowEvent) {
        let Phase::Running(running) = &mut self.phase else { return };
        if let Err(failure) = running.handle(event, clock()) {
            running.app.keep_unsaved_text(clock());
            self.fail(event_loop, failure);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Phase::Running(running) = &mut self.phase else { return };
        let turn = running.app.turn(clock());
        if turn.ended {
            event_loop.exit();
            return;
        }
        running.serve_window_requests();
        running.update_title();
        if turn.redraw && running.app.view.visible {
            running.asked_for_frame = true;
            running.window.request_redraw();
        }
        event_loop.set_control_flow(match turn.wake_at {
            Some(at) => ControlFlow::WaitUntil(at),
            None => ControlFlow::Wait,
        });
    }
}

impl Running {
    fn handle(&mut self, event: WindowEvent, now: Instant) -> Result<()> {
        let modifiers = self.keyboard.modifiers();
        let app = &mut self.app;
        match event {
            WindowEvent::RedrawRequested => self.draw(now)?,
            WindowEvent::CloseRequested => app.wish(Action::App(AppAction::Quit), now),
            WindowEvent::Resized(size) => self.resized((size.width, size.height)),
            WindowEvent::ScaleFactorChanged { .. } => {
                app.view.scale = scale_of(&self.window);
                app.measure_cells();
                app.dirty = true;
            }
            WindowEvent::Occluded(occluded) => {
                self.occluded = occluded;
                self.update_visibility();
            }
            WindowEvent::Focused(focused) => {
                self.keyboard.forget();
                if focused {
                    // On X11 nobody else takes it back.
                    self.window.request_user_attention(None);
                }
                app.observe(Fact::WindowFocused(focused), now);
            }
            WindowEvent::ThemeChanged(theme) => {
                app.observe(Fact::SystemTheme { dark: theme == winit::window::Theme::Dark }, now);
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.keyboard.set_modifiers(modifiers.state());
                app.modifiers_changed(self.keyboard.modifiers());
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => {
                if let Some(key) = self.keyboard.key_input(&RawKey::from(&event)) {
                    app.key(key, now);
                }
            }
            WindowEvent::Ime(event) => compose(app, event, now),
            WindowEvent::CursorMoved { position, .. } => {
                let at: LogicalPosition<f32> = position.to_logical(self.window.scale_factor());
                app.pointer_moved(Some(Point::new(at.x, at.y)), modifiers, now);
            }
            WindowEvent::CursorLeft { .. } => app.pointer_moved(None, modifiers, now),
            WindowEvent::MouseInput { state, button, .. } => {
                press(app, state, button, modifiers, now);
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let turned = self.turned(delta);
                self.app.wheel(turned, modifiers, now);
            }
            _ => {}
        }
        Ok(())
    }

    fn draw(&mut self, now: Instant) -> Result<()> {
        // What was covered and is no longer must be drawn even where nothing has changed.
        self.app.redraw_anyway |= !std::mem::take(&mut self.asked_for_frame);
        self.app.draw(now)?;
        self.ime.update(&self.window, &self.app);
        Ok(())
    }

    /// Also while nothing is drawn: a task bar shows the titles of hidden windows.
    fn update_title(&mut self) {
        let title = title::of(&self.app.state);
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    fn resized(&mut self, size: (u32, u32)) {
        self.app.view.size = size;
        if let Some(graphics) = &mut self.app.graphics {
            graphics.resize(size);
        }
        self.app.dirty = true;
        self.app.redraw_anyway = true;
        self.update_visibility();
    }

    /// A minimised window has no area, or says that it is occluded.
    fn update_visibility(&mut self) {
        let (width, height) = self.app.view.size;
        self.app.view.visible = !self.occluded && width > 0 && height > 0;
        self.app.dirty = true;
    }

    fn serve_window_requests(&mut self) {
        for request in std::mem::take(&mut self.app.window_requests) {
            match request {
                WindowRequest::Attention => {
                    let kind = Some(UserAttentionType::Informational);
                    self.window.request_user_attention(kind);
                }
                WindowRequest::NoAttention => self.window.request_user_attention(None),
                WindowRequest::Focus => {
                    self.window.set_minimized(false);
                    self.window.focus_window();
                    // Some desktops let nobody take the focus; then the task bar tells.
                    if !self.window.has_focus() {
                        let kind = Some(UserAttentionType::Informational);
                        self.window.request_user_attention(kind);
                    }
                }
                WindowRequest::Pointer(shape) => self.window.set_cursor(match shape {
                    PointerShape::Arrow => CursorIcon::Default,
                    PointerShape::MoveColumn => CursorIcon::ColResize,
                    PointerShape::MoveRow => CursorIcon::RowResize,
                    PointerShape::Hand => CursorIcon::Pointer,
                }),
                WindowRequest::ToggleFullscreen => {
                    let full = self.window.fullscreen().is_none();
                    self.window.set_fullscreen(full.then_some(Fullscreen::Borderless(None)));
                }
            }
        }
    }

    /// Windows count up and left as positive.
    #[expect(clippy::cast_possible_truncation, reason = "a few cells")]
    fn turned(&self, delta: MouseScrollDelta) -> Turned {
        match delta {
            MouseScrollDelta::LineDelta(columns, rows) => {
                Turned::Notches { rows: -rows, columns: -columns }
            }
            MouseScrollDelta::PixelDelta(delta) => {
                let metrics = self.app.view.metrics;
                let cells = |pixels: f64, cell: u16| (-pixels / f64::from(cell.max(1))) as f32;
                Turned::Cells {
                    rows: cells(delta.y, metrics.height),
                    columns: cells(delta.x, metrics.width),
                }
            }
        }
    }
}

fn compose(app: &mut App, event: Ime, now: Instant) {
    let action = match event {
        Ime::Enabled => return,
        Ime::Preedit(text, cursor) => Action::Preedit(Preedit::new(&text, cursor)),
        Ime::Commit(text) => Action::Text(text),
        Ime::Disabled => Action::Preedit(None),
    };
    app.view.key_pressed(now);
    app.wish(action, now);
}

fn press(
    app: &mut App,
    state: ElementState,
    button: MouseButton,
    modifiers: Modifiers,
    now: Instant,
) {
    let button = match button {
        MouseButton::Left => Button::Left,
        MouseButton::Middle => Button::Middle,
        MouseButton::Right => Button::Right,
        MouseButton::Back => Button::Extra(8),
        MouseButton::Forward => Button::Extra(9),
        MouseButton::Other(number) => match u8::try_from(number) {
            Ok(number) => Button::Extra(number),
            Err(_) => return,
        },
    };
    match state {
        ElementState::Pressed => app.pointer_pressed(button, modifiers, now),
        ElementState::Released => app.pointer_released(button, modifiers, now),
    }
}

fn attributes(event_loop: &ActiveEventLoop) -> winit::window::WindowAttributes {
    use winit::platform::wayland::WindowAttributesExtWayland;
    use winit::platform::x11::WindowAttributesExtX11;

    let attributes = Window::default_attributes()
        .with_title("Trackside")
        .with_inner_size(first_size(event_loop))
        // Shown once there is something to show.
        .with_visible(false);
    let attributes = WindowAttributesExtWayland::with_name(attributes, APP_ID, "trackside");
    WindowAttributesExtX11::with_name(attributes, APP_ID, "trackside")
}

/// Comfortable, and leaves room for title bar and panels on a small screen.
fn first_size(event_loop: &ActiveEventLoop) -> LogicalSize<f64> {
    let comfortable = LogicalSize::new(1600.0, 1000.0);
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    monitor.map_or(comfortable, |monitor| {
        let screen: LogicalSize<f64> = monitor.size().to_logical(monitor.scale_factor());
        let fitting = |wanted: f64, there: f64| wanted.min(there * 0.9).max(1.0);
        LogicalSize::new(
            fitting(comfortable.width, screen.width),
            fitting(comfortable.height, screen.height),
        )
    })
}

#[expect(clippy::cast_possible_truncation, reason = "scale factors are small")]
fn scale_of(window: &Window) -> f32 {
    window.scale_factor() as f32
}
