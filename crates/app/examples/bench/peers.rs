//! Our window and alacritty's on one display, of equal size, each with a program of ours inside.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use x11rb::protocol::xproto::Window;

use crate::clock;
use crate::display::Display;
use crate::inner::{Desk, FLOOD, Inner, OBEY, Told};
use crate::instance::{Home, Instance, Process, Surface, command};
use crate::process::own_cpu;
use crate::streams::{COLUMNS, ROWS};
use crate::x11::{Area, Screen};

/// Names a program to compare with instead of the one on the `PATH` or in the cache.
const PEER_VARIABLE: &str = "TRACKSIDE_BENCH_ALACRITTY";

/// As large as ours, no blinking, the same scrollback.
const PEER_CONFIG: &str = "\
[general]
ipc_socket = false
live_config_reload = false
[window]
dimensions = { columns = 200, lines = 60 }
[scrolling]
history = 10000
[cursor.style]
blinking = \"Never\"
";

const OUR_CONFIG: &str = "font_size = 14.0\n[terminal]\nscrollback_lines = 10000\n";

/// A display and a place for files, shared by both sides.
#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) display: Display,
    pub(crate) screen: Screen,
    pub(crate) dir: TempDir,
}

/// One side of a comparison: a window with a terminal in it.
#[derive(Debug)]
pub(crate) struct Side {
    running: Running,
    pub(crate) window: Window,
    pub(crate) inner: Inner,
}

#[derive(Debug)]
enum Running {
    Ours(Box<Instance>),
    Peer(Process, #[expect(dead_code, reason = "its folder is to outlive it")] Home),
}

impl Arena {
    pub(crate) fn new() -> Result<Self> {
        // Room for both windows beside each other: a hidden one might draw less.
        let display = Display::bare("3800x1600x24")?;
        let screen = Screen::connect(&display.name)?;
        let dir = tempfile::Builder::new().prefix("tsp").tempdir()?;
        Ok(Self { display, screen, dir })
    }

    /// Our program with a copy of this one in its first terminal.
    pub(crate) fn start_ours(&self) -> Result<Side> {
        let home = Home::with_config(OUR_CONFIG)?;
        let mut instance = home.start(Surface::Window(&self.display.name))?;
        let desk = self.desk()?;
        instance.start_agent("inner", command(&[&this()?, OBEY, &text(&desk.path)?]))?;
        let inner = desk.accept()?;
        let window = self.screen.window_of(instance.pid())?;
        let side = Side { running: Running::Ours(Box::new(instance)), window, inner };
        self.screen.focus(window)?;
        Ok(side)
    }

    /// Alacritty with a copy of this program, its cells as large as `cell`.
    pub(crate) fn start_peer(&self, peer: &Path, cell: (u32, u32)) -> Result<Side> {
        // How large its cells are by themselves is only known once it runs.
        let mut plain = self.launch_peer(peer, (0, 0))?;
        let own = plain.inner.size()?.cell;
        drop(plain);
        let offset = |wanted: u32, own: u32| i64::from(wanted) - i64::from(own);
        let offset = (offset(cell.0, own.0), offset(cell.1, own.1));
        let side = self.launch_peer(peer, offset)?;
        self.screen.focus(side.window)?;
        Ok(side)
    }

    fn launch_peer(&self, peer: &Path, offset: (i64, i64)) -> Result<Side> {
        let desk = self.desk()?;
        let (this, socket) = (this()?, text(&desk.path)?);
        let (process, home) = self.spawn_peer(peer, &[&this, OBEY, &socket], offset)?;
        let inner = desk.accept()?;
        let window = self.screen.window_of(process.0.id())?;
        // Beside ours.
        let area = self.screen.area_of(window)?;
        self.screen.place(window, Area { x: 1900, y: 0, ..area })?;
        Ok(Side { running: Running::Peer(process, home), window, inner })
    }

    /// Alacritty with any program in it.
    pub(crate) fn spawn_peer(
        &self,
        peer: &Path,
        program: &[&str],
        offset: (i64, i64),
    ) -> Result<(Process, Home)> {
        let home = Home::new()?;
        let config = home.path().join("alacritty.toml");
        // 14 pixels, as ours, in points.
        let font =
            format!("[font]\nsize = 10.5\noffset = {{ x = {}, y = {} }}\n", offset.0, offset.1);
        fs::write(&config, format!("{PEER_CONFIG}{font}"))?;
        let mut command = home.command(peer, Surface::Window(&self.display.name));
        command.env("LIBGL_ALWAYS_SOFTWARE", "1").env("WINIT_X11_SCALE_FACTOR", "1");
        command.arg("--config-file").arg(&config).arg("-e").args(program);
        let process = Process(command.spawn().context("starting alacritty")?);
        Ok((process, home))
    }

    fn desk(&self) -> Result<Desk> {
        let n_desks = fs::read_dir(self.dir.path())?.count();
        Desk::open(self.dir.path().join(format!("{n_desks}.socket")))
    }

    /// Resizes our window until its terminal has as many cells as the other one.
    pub(crate) fn fit(&self, side: &mut Side) -> Result<Told> {
        clock::wait_for("a terminal of 200x60", Duration::from_millis(100), || {
            let told = side.inner.size()?;
            let (columns, rows) = (u32::from(COLUMNS), u32::from(ROWS));
            if (told.columns, told.rows) == (columns, rows) {
                return Ok(Some(told));
            }
            let area = self.screen.area_of(side.window)?;
            let grown = |now: u16, wanted: u32, is: u32, cell: u32| {
                let pixels = u32::from(now) + wanted * cell;
                u16::try_from(pixels.saturating_sub(is * cell)).context("a window that fits")
            };
            let width = grown(area.width, columns, told.columns, told.cell.0)?;
            let height = grown(area.height, rows, told.rows, told.cell.1)?;
            self.screen.place(side.window, Area { x: 0, y: 0, width, height })?;
            // What was told is of the past until the program has taken the new size.
            clock::let_pass(Duration::from_millis(300));
            Ok(None)
        })
    }
}

impl Side {
    /// CPU time of its own threads so far, without those of the software renderer.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        own_cpu(match &self.running {
            Running::Ours(instance) => instance.pid(),
            Running::Peer(process, _) => process.0.id(),
        })
    }

    /// Starts another terminal, out of view, that writes without end. Ours only.
    pub(crate) fn start_flood(&mut self, file: &Path) -> Result<()> {
        let Running::Ours(instance) = &mut self.running else {
            bail!("only ours has more terminals")
        };
        let flood = command(&[&this()?, FLOOD, &text(file)?]);
        instance.start_agent("flood", flood)?;
        // Starting it has shown it; back to the first.
        instance.call(control::Call::Open {
            path: instance.folder().join("inner"),
            line: None,
            column: None,
            wait: false,
        })?;
        Ok(())
    }
}

/// The peer's program: where it was said to be, on the `PATH`, or in our cache.
pub(crate) fn find_alacritty() -> Option<PathBuf> {
    let said = env::var_os(PEER_VARIABLE).map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|folder| folder.join("alacritty"));
    let cached = env::var_os("HOME").map(|home| {
        let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let cache = cache.unwrap_or_else(|| Path::new(&home).join(".cache"));
        cache.join("trackside-peers/bin/alacritty")
    });
    said.into_iter().chain(on_path).chain(cached).find(|program| program.is_file())
}

/// Said where a comparison is left out.
pub(crate) const NO_PEER: &str =
    "NOT COMPARED: no alacritty here; `cargo xtask bench --install-peers ...` installs it";

pub(crate) fn this() -> Result<String> {
    text(&env::current_exe()?)
}

pub(crate) fn text(path: &Path) -> Result<String> {
    let text: &OsStr = path.as_os_str();
    Ok(text.to_str().context("a path that is not UTF-8")?.to_owned())
}
