//! Who may use whom: the layering of the crates as data.
//!
//! A new line here, or a longer one, is a decision about the architecture and comes with a record
//! in `docs/adr`. The checks are in [`super::graph`] and [`super::licences`].

/// Each of our crates with those of our crates that it may name. `app` may name all libraries.
pub(super) const OURS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("scene", &[]),
    ("buffer", &["base"]),
    ("pty", &["base"]),
    ("terminal", &["base"]),
    ("rules", &[]),
    ("agent", &["base", "terminal", "rules"]),
    ("replay", &["terminal", "agent"]),
    ("config", &["rules"]),
    ("control", &[]),
    ("hooks", &[]),
    ("host", &["base", "pty", "control"]),
    ("store", &[]),
    ("workspace", &["base", "buffer", "terminal", "agent", "config"]),
    ("ui", &["scene", "buffer", "terminal", "agent", "workspace", "config"]),
    ("render", &["base", "scene"]),
    (
        "app",
        &[
            "base",
            "scene",
            "buffer",
            "pty",
            "terminal",
            "agent",
            "config",
            "control",
            "hooks",
            "host",
            "store",
            "workspace",
            "ui",
            "render",
            "replay",
            "rules",
        ],
    ),
    ("xtask", &[]),
    ("end-to-end", &[]),
];

/// What tests and examples may name besides: the rules that come with us are written as settings.
pub(super) const FOR_TESTS: &[(&str, &[&str])] = &[("agent", &["config"]), ("replay", &["config"])];

/// External crates that only some of ours may name. All others are free.
pub(super) const ONLY_IN: &[(&str, &[&str])] = &[
    ("alacritty_terminal", &["terminal"]),
    ("arboard", &["app"]),
    ("async-channel", &["app"]),
    ("async-io", &["app"]),
    ("bytemuck", &["render"]),
    ("clap", &["app"]),
    ("cosmic-text", &["render"]),
    ("futures-lite", &["app"]),
    ("harfrust", &["render"]),
    ("memchr", &["terminal"]),
    ("nix", &["pty", "control", "host", "app", "end-to-end"]),
    ("notify", &["app"]),
    ("notify-rust", &["app"]),
    ("portable-pty", &["pty"]),
    ("regex-automata", &["terminal", "rules", "replay"]),
    ("ropey", &["buffer"]),
    ("serde", &["config", "control", "store"]),
    ("serde_json", &["control", "hooks", "host", "store", "replay", "app", "xtask", "end-to-end"]),
    ("sha2", &["store"]),
    ("skrifa", &["render"]),
    ("softbuffer", &["render"]),
    ("swash", &["render"]),
    ("toml", &["config"]),
    ("unicode-segmentation", &["buffer"]),
    ("wgpu", &["render"]),
    ("winit", &["app"]),
    ("wl-clipboard-rs", &["app"]),
    ("x11rb", &["app"]),
    ("zbus", &["app"]),
];

/// Licences that what we ship may be under; `deny.toml` lists the same.
pub(super) const LICENCES: &[&str] = &[
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "OFL-1.1",
    "Unicode-3.0",
    "Zlib",
];
