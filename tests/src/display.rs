//! An X server of our own with a window manager, for windows that nobody sees.

use std::io::{BufRead as _, BufReader};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::process::{Child, Command, Stdio};

use crate::harness::wait_for;

pub(crate) struct Display {
    name: String,
    server: Child,
    manager: Child,
}

impl Display {
    /// Starts Xvfb on a free display, and openbox on that.
    pub(crate) fn start() -> Self {
        let (reader, writer) = std::io::pipe().unwrap();
        let writer = OwnedFd::from(writer);
        let inherited = nix::fcntl::FdFlag::empty();
        nix::fcntl::fcntl(&writer, nix::fcntl::FcntlArg::F_SETFD(inherited)).unwrap();
        let server = Command::new("Xvfb")
            .args(["-displayfd", &writer.as_raw_fd().to_string()])
            .args(["-screen", "0", "1600x1000x24", "-nolisten", "tcp"])
            // Else it starts afresh, without windows, when its last client leaves it.
            .arg("-noreset")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed by `cargo xtask test`");
        drop(writer);
        let mut number = String::new();
        BufReader::new(reader).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        let manager = Command::new("openbox")
            .env("DISPLAY", &name)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("openbox is installed by `cargo xtask test`");
        let display = Self { name, server, manager };
        display.wait_for_manager();
        display
    }

    /// A window that comes before its manager may never be shown.
    fn wait_for_manager(&self) {
        let is_there = || {
            let mut xprop = Command::new("xprop");
            xprop.env("DISPLAY", &self.name).args(["-root", "_NET_SUPPORTING_WM_CHECK"]);
            let output = xprop.output().expect("xprop is installed by `cargo xtask test`");
            String::from_utf8_lossy(&output.stdout).contains("window id").then_some(())
        };
        wait_for(is_there).expect("a window manager");
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    #[track_caller]
    pub(crate) fn xdotool(&self, args: &[&str]) -> String {
        let output =
            Command::new("xdotool").env("DISPLAY", &self.name).args(args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "xdotool {args:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Waits for the program's window to be there and gives it the focus.
    pub(crate) fn focus_window(&self) -> String {
        let window = wait_for(|| {
            let output = Command::new("xdotool")
                .env("DISPLAY", &self.name)
                .args(["search", "--onlyvisible", "--class", "trackside"])
                .output()
                .unwrap();
            let found = String::from_utf8(output.stdout).unwrap();
            found.lines().next().map(ToOwned::to_owned)
        })
        .expect("a window");
        self.xdotool(&["windowactivate", "--sync", &window]);
        window
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        for process in [&mut self.manager, &mut self.server] {
            drop(process.kill());
            drop(process.wait());
        }
    }
}
