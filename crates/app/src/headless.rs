//! The loop without a window: the same program, drawn offscreen, driven by the control socket.

use std::io::{self, Write as _};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, TryRecvError, at, bounded, never, select_biased};
use workspace::Fact;

use crate::app::App;
use crate::clipboard::Clipboard;
use crate::clock;
use crate::commands::farewell;
use crate::graphics::Graphics;
use crate::instance::InstanceLock;
use crate::places::Places;
use crate::startup::Startup;
use crate::view::View;

/// Runs until the program is asked to end.
///
/// # Errors
/// It could not start, or its graphics device is gone for good.
pub(crate) fn run(
    places: Places,
    lock: InstanceLock,
    startup: Startup,
    size: (u32, u32),
    scale: f32,
) -> Result<()> {
    // One nudge waiting is as good as many.
    let (nudge, nudged) = bounded::<()>(1);
    let nudge = move || {
        // Full means that the loop will look anyway.
        let _already = nudge.try_send(()).is_err();
    };
    let graphics = Graphics::offscreen(size, Arc::new(nudge.clone()))?;
    let view = View::new(size, scale, false, clock());
    let mut app = App::start(places, lock, view, Clipboard::default(), nudge, clock())?;
    app.take_graphics(graphics);
    app.observe(Fact::NoWindow, clock());
    app.begin(startup, clock());
    let run = AssertUnwindSafe(|| drive(&mut app, &nudged));
    let result = std::panic::catch_unwind(run);
    if !matches!(result, Ok(Ok(()))) {
        app.keep_unsaved_text(clock());
    }
    tell_what_goes_on(&app);
    result.unwrap_or_else(|_panic| Err(anyhow!("Trackside crashed; unsaved text was kept")))
}

/// For whoever has started us from a shell.
pub(crate) fn tell_what_goes_on(app: &App) {
    if let Some(line) = farewell(app.left_behind) {
        // Nobody may be reading.
        drop(writeln!(io::stdout(), "{line}"));
    }
}

fn drive(app: &mut App, nudged: &Receiver<()>) -> Result<()> {
    loop {
        let turn = app.turn(clock());
        // There is no window to ask anything of.
        app.window_requests.clear();
        if turn.ended {
            return Ok(());
        }
        if turn.redraw {
            app.draw(clock())?;
            // Drawing may have set a new deadline.
            continue;
        }
        if nudged.try_recv() == Err(TryRecvError::Empty) {
            let deadline = turn.wake_at.map_or_else(never, at);
            select_biased! {
                recv(nudged) -> _ => {}
                recv(deadline) -> _ => app.stats.timer_wake_ups += 1,
            }
        }
    }
}
