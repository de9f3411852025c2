//! The X server, seen as by a user with very good eyes: windows, keys and pixels.

use std::os::fd::AsFd as _;
use std::time::Duration;

use anyhow::{Context as _, Result};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::damage::{ConnectionExt as _, ReportLevel};
use x11rb::protocol::xproto::{
    AtomEnum, ConfigureWindowAux, ConnectionExt as _, ImageFormat, InputFocus, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MapState, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::clock;

/// The key `a` on every keyboard that Xvfb has.
const KEY_A: u8 = 38;
/// A picture is looked at so often even if the server says nothing about it.
const LOOK_ANYWAY: Duration = Duration::from_millis(50);
const GIVE_UP: Duration = Duration::from_secs(2);

/// A connection to the server.
#[derive(Debug)]
pub(crate) struct Screen {
    connection: RustConnection,
    root: Window,
}

/// A part of a window, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: i16,
    pub(crate) y: i16,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl Screen {
    pub(crate) fn connect(display: &str) -> Result<Self> {
        let (connection, number) = x11rb::connect(Some(display))?;
        let root = connection.setup().roots.get(number).context("a screen")?.root;
        connection.damage_query_version(1, 1)?.reply()?;
        Ok(Self { connection, root })
    }

    /// Waits for the window of a process.
    pub(crate) fn window_of(&self, pid: u32) -> Result<Window> {
        clock::wait_for("its window", Duration::from_millis(20), || {
            for window in self.connection.query_tree(self.root)?.reply()?.children {
                if self.is_of(window, pid).unwrap_or(false) {
                    return Ok(Some(window));
                }
            }
            Ok(None)
        })
    }

    fn is_of(&self, window: Window, pid: u32) -> Result<bool> {
        let name = self.connection.intern_atom(false, b"_NET_WM_PID")?.reply()?.atom;
        let kind = AtomEnum::CARDINAL;
        let reply = self.connection.get_property(false, window, name, kind, 0, 1)?.reply()?;
        let is_its = reply.value32().and_then(|mut values| values.next()) == Some(pid);
        let state = self.connection.get_window_attributes(window)?.reply()?.map_state;
        Ok(is_its && state == MapState::VIEWABLE)
    }

    pub(crate) fn area_of(&self, window: Window) -> Result<Area> {
        let geometry = self.connection.get_geometry(window)?.reply()?;
        Ok(Area { x: geometry.x, y: geometry.y, width: geometry.width, height: geometry.height })
    }

    pub(crate) fn place(&self, window: Window, area: Area) -> Result<()> {
        let Area { x, y, width, height } = area;
        let place = ConfigureWindowAux::new()
            .x(i32::from(x))
            .y(i32::from(y))
            .width(u32::from(width))
            .height(u32::from(height));
        self.connection.configure_window(window, &place)?.check()?;
        Ok(())
    }

    pub(crate) fn focus(&self, window: Window) -> Result<()> {
        self.connection
            .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)?
            .check()?;
        Ok(())
    }

    /// The pixels of a part of a window, four bytes each.
    pub(crate) fn pixels(&self, window: Window, area: Area) -> Result<Vec<u8>> {
        let Area { x, y, width, height } = area;
        let format = ImageFormat::Z_PIXMAP;
        let image = self.connection.get_image(format, window, x, y, width, height, u32::MAX)?;
        Ok(image.reply()?.data)
    }

    /// From now on the server says when the window is drawn to.
    pub(crate) fn watch(&self, window: Window) -> Result<()> {
        let damage = self.connection.generate_id()?;
        self.connection.damage_create(damage, window, ReportLevel::RAW_RECTANGLES)?.check()?;
        Ok(())
    }

    pub(crate) fn press_key(&self) -> Result<()> {
        for kind in [KEY_PRESS_EVENT, KEY_RELEASE_EVENT] {
            self.connection.xtest_fake_input(kind, KEY_A, 0, self.root, 0, 0, 0)?;
        }
        self.connection.flush()?;
        Ok(())
    }

    /// From a key press to other pixels in `area`; `None` when nothing changes.
    pub(crate) fn key_to_pixels(&self, window: Window, area: Area) -> Result<Option<Duration>> {
        let before = self.pixels(window, area)?;
        while self.connection.poll_for_event()?.is_some() {}
        let start = clock::now();
        self.press_key()?;
        loop {
            self.wait_for_drawing()?;
            let differs = self.pixels(window, area)? != before;
            let time = clock::now() - start;
            if differs {
                return Ok(Some(time));
            }
            if time > GIVE_UP {
                return Ok(None);
            }
        }
    }

    /// Until the watched window was drawn to, or nobody said so for a while.
    fn wait_for_drawing(&self) -> Result<()> {
        let mut was_drawn = false;
        loop {
            while let Some(event) = self.connection.poll_for_event()? {
                was_drawn |= matches!(event, Event::DamageNotify(_));
            }
            if was_drawn {
                return Ok(());
            }
            let mut server = [PollFd::new(self.connection.stream().as_fd(), PollFlags::POLLIN)];
            let timeout = PollTimeout::try_from(LOOK_ANYWAY)?;
            if poll(&mut server, timeout)? == 0 {
                return Ok(());
            }
        }
    }
}
