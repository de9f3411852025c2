//! System packages of Debian and Ubuntu that running or testing needs, and their installation.
//!
//! Nothing here fails: where a package cannot be installed, the user is told which one and why,
//! and the work goes on, since another system may provide the same thing under another name.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, IsTerminal};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Packages with one purpose.
#[derive(Debug)]
pub(crate) struct Need {
    why: &'static str,
    packages: &'static [&'static str],
}

/// What the built program loads when it starts.
pub(crate) const TO_RUN: &[Need] = &[
    Need {
        why: "to draw, in software where there is no GPU",
        packages: &["libvulkan1", "mesa-vulkan-drivers", "libgl1", "libegl1", "libgl1-mesa-dri"],
    },
    Need {
        why: "to open a window on X11",
        packages: &[
            "libx11-6",
            "libx11-xcb1",
            "libxcb1",
            "libxcursor1",
            "libxi6",
            "libxrandr2",
            "libxkbcommon0",
            "libxkbcommon-x11-0",
            "xkb-data",
        ],
    },
    Need {
        why: "to open a window on Wayland",
        packages: &["libwayland-client0", "libwayland-cursor0", "libwayland-egl1"],
    },
];

/// What the tests start, on top of [`TO_RUN`].
pub(crate) const TO_TEST: &[Need] = &[
    Need {
        why: "a screen, a window manager, keys and a clipboard for the window tests",
        packages: &["xvfb", "openbox", "xdotool", "xclip", "x11-utils", "x11-apps"],
    },
    Need { why: "a message bus for the notification tests", packages: &["dbus"] },
    Need {
        why: "real programs for the terminal tests, and faults for the file tests",
        packages: &["vim", "less", "htop", "tmux", "fzf", "python3", "procps", "git", "strace"],
    },
];

/// What the benchmarks start, on top of [`TO_RUN`].
pub(crate) const TO_BENCH: &[Need] =
    &[Need { why: "a screen and a window manager to measure on", packages: &["xvfb", "openbox"] }];

/// What decides how packages can be installed.
#[derive(Debug, Clone, Copy)]
struct Rights {
    apt_get: bool,
    sudo: bool,
    root: bool,
    /// Somebody is there who can be asked for a password.
    terminal: bool,
}

/// How packages are installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Installer {
    /// We are root.
    Direct,
    /// `sudo` may ask for a password, since somebody is there to type it.
    Sudo,
    /// `sudo` must not ask: nobody is there.
    SudoUnasked,
    None,
}

/// Installs what is missing of `needs`, telling in one line what and why.
pub(crate) fn install_missing(needs: &[&[Need]]) {
    let needs: Vec<&Need> = needs.iter().copied().flatten().collect();
    let missing = missing(&needs, &installed(&needs));
    if missing.is_empty() {
        return;
    }
    let list = describe(&missing);
    let names: Vec<&str> = missing.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let installer = Rights::here().installer();
    if installer == Installer::None {
        println!("not installed, and not ours to install; please provide: {list}");
        return;
    }
    println!("installing {list}");
    // A new machine has no package lists; an old list may still do, so a failure is not the end.
    let updated = apt_get(installer, &["update", "-qq"], &[]);
    let flags = ["install", "-y", "-qq", "--no-install-recommends"];
    if !apt_get(installer, &flags, &names) {
        let hint = if updated { "" } else { " (and the package lists could not be updated)" };
        eprintln!("apt-get failed{hint}; please install by hand: {}", names.join(" "));
    }
}

/// The packages of `needs` that dpkg has.
fn installed(needs: &[&Need]) -> BTreeSet<String> {
    let names = needs.iter().flat_map(|need| need.packages);
    // It complains about each package it has never heard of; those are simply not installed.
    let output = Command::new("dpkg-query")
        .args(["-W", "-f", "${Package} ${db:Status-Status}\\n"])
        .args(names)
        .stderr(Stdio::null())
        .output();
    output
        .map(|output| parse_installed(&String::from_utf8_lossy(&output.stdout)))
        .unwrap_or_default()
}

fn parse_installed(listing: &str) -> BTreeSet<String> {
    listing.lines().filter_map(|line| line.strip_suffix(" installed")).map(str::to_owned).collect()
}

fn missing<'a>(
    needs: &[&'a Need],
    installed: &BTreeSet<String>,
) -> Vec<(&'a Need, Vec<&'static str>)> {
    let absent = |need: &'a Need| {
        let names = need.packages.iter().copied().filter(|name| !installed.contains(*name));
        (need, names.collect::<Vec<_>>())
    };
    needs.iter().map(|need| absent(need)).filter(|(_, names)| !names.is_empty()).collect()
}

fn describe(missing: &[(&Need, Vec<&str>)]) -> String {
    let parts: Vec<String> =
        missing.iter().map(|(need, names)| format!("{} ({})", names.join(" "), need.why)).collect();
    parts.join(", ")
}

impl Rights {
    fn here() -> Self {
        // The owner of a process's own folder there is whom it runs as.
        let root = Path::new("/proc/self").metadata().is_ok_and(|metadata| metadata.uid() == 0);
        let terminal = io::stdin().is_terminal();
        Self { apt_get: on_path("apt-get"), sudo: on_path("sudo"), root, terminal }
    }

    fn installer(self) -> Installer {
        match self {
            Self { apt_get: false, .. } => Installer::None,
            Self { root: true, .. } => Installer::Direct,
            Self { sudo: false, .. } => Installer::None,
            Self { terminal: true, .. } => Installer::Sudo,
            Self { terminal: false, .. } => Installer::SudoUnasked,
        }
    }
}

fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

/// Whether `apt-get` succeeded. It asks nothing and starts from no standard input.
fn apt_get(installer: Installer, flags: &[&str], packages: &[&str]) -> bool {
    let mut command = match installer {
        Installer::Direct => Command::new("env"),
        Installer::Sudo | Installer::SudoUnasked => Command::new("sudo"),
        Installer::None => return false,
    };
    if installer == Installer::SudoUnasked {
        command.arg("-n");
    }
    if installer != Installer::Direct {
        command.arg("env");
    }
    command
        .args(["DEBIAN_FRONTEND=noninteractive", "apt-get"])
        .args(flags)
        .args(packages)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAINT: Need = Need { why: "to paint", packages: &["brush", "easel"] };
    const WRITE: Need = Need { why: "to write", packages: &["pen"] };

    #[track_caller]
    fn check(listing: &str, expected: &str) {
        let missing = missing(&[&PAINT, &WRITE], &parse_installed(listing));
        assert_eq!(describe(&missing), expected, "{listing:?}");
    }

    #[test]
    fn only_what_is_missing_is_named_with_its_purpose() {
        check("", "brush easel (to paint), pen (to write)");
        check("brush installed\npen installed\n", "easel (to paint)");
        check("brush installed\neasel installed\npen installed\n", "");
    }

    #[test]
    fn a_removed_package_that_left_its_settings_is_missing() {
        check("brush installed\neasel config-files\npen installed\n", "easel (to paint)");
    }

    #[test]
    fn without_apt_or_rights_nothing_is_installed() {
        #[track_caller]
        fn check(rights: &str, expected: Installer) {
            let has = |right: &str| rights.split(' ').any(|word| word == right);
            let (apt_get, sudo) = (has("apt-get"), has("sudo"));
            let rights = Rights { apt_get, sudo, root: has("root"), terminal: has("terminal") };
            assert_eq!(rights.installer(), expected, "{rights:?}");
        }
        check("sudo root terminal", Installer::None);
        check("apt-get terminal", Installer::None);
        check("apt-get root", Installer::Direct);
        check("apt-get sudo terminal", Installer::Sudo);
        check("apt-get sudo", Installer::SudoUnasked);
    }

    #[test]
    fn no_package_is_listed_twice() {
        let mut seen = BTreeSet::new();
        for name in TO_RUN.iter().chain(TO_TEST).flat_map(|need| need.packages) {
            assert!(seen.insert(name), "{name} is listed twice");
        }
    }
}
