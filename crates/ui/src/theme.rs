//! The colours of both themes: the design's tokens, and the sixteen that terminals need.
//!
//! Colour belongs to status; the chrome is quiet. What is read has at least 4.5:1 against every
//! ground it stands on; [`Palette::faint`] is for what may be missed.

use scene::Color;
use terminal::{ReportedColors, Rgb};
use workspace::Theme;

/// Every colour the window is drawn with.
#[derive(Debug, PartialEq)]
pub struct Palette {
    /// Ground of rail, tab bar and status bar.
    pub chrome: Color,
    pub pane: Color,
    /// Ground of the active tile, of keys and of the current line.
    pub raised: Color,
    pub overlay: Color,
    pub line: Color,
    pub text: Color,
    pub dim: Color,
    pub faint: Color,
    pub accent: Color,
    pub on_accent: Color,
    pub selection: Color,
    /// Grounds of what was searched for, with the text on them.
    pub found: Color,
    pub on_found: Color,
    pub current_found: Color,
    pub on_current_found: Color,
    pub shadow: Color,
    pub status: StatusColors,
    pub syntax: SyntaxColors,
    pub added_line: Color,
    pub added_mark: Color,
    /// As text on the pane's own ground.
    pub ansi: [Color; 16],
    /// As grounds. Programs put black on green, yellow, cyan and white, and white on the rest.
    /// Black and white on such a ground come from here too: what `ansi` has in their place, to be
    /// read on the pane, would be grey on grey.
    pub ansi_ground: [Color; 16],
}

/// A status as a shape, as what lies on the filled shape, and as words.
#[derive(Debug, PartialEq)]
pub struct StatusColors {
    pub running: Color,
    pub needs_input: Color,
    pub on_needs_input: Color,
    pub needs_input_text: Color,
    pub stale: Color,
    pub on_stale: Color,
    pub stale_text: Color,
    pub completed: Color,
    pub on_completed: Color,
    pub errored: Color,
    pub on_errored: Color,
    pub errored_text: Color,
    pub stopped: Color,
    pub idle: Color,
}

#[derive(Debug, PartialEq)]
pub struct SyntaxColors {
    pub keyword: Color,
    pub function: Color,
    pub string: Color,
    pub kind: Color,
    pub number: Color,
    pub comment: Color,
}

pub fn palette(theme: Theme) -> &'static Palette {
    match theme {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
    }
}

/// What programs are told when they ask for the terminal's colours.
pub fn reported_colors(theme: Theme) -> ReportedColors {
    let palette = palette(theme);
    let rgb = |color: Color| Rgb::new(color.r, color.g, color.b);
    ReportedColors {
        foreground: rgb(palette.text),
        background: rgb(palette.pane),
        cursor: rgb(palette.accent),
        ansi: palette.ansi.map(rgb),
    }
}

const DARK: Palette = Palette {
    chrome: Color::hex(0x0e1014),
    pane: Color::hex(0x14171c),
    raised: Color::hex(0x1b1f26),
    overlay: Color::hex(0x20252d),
    line: Color::hex(0x262b34),
    text: Color::hex(0xd7dce5),
    dim: Color::hex(0x8b94a5),
    faint: Color::hex(0x5a6272),
    accent: Color::hex(0x6ea8fe),
    on_accent: Color::hex(0x0e1014),
    selection: Color::hex(0x264063),
    found: Color::hex(0x5c4a12),
    on_found: Color::hex(0xf4f6f8),
    current_found: Color::hex(0xf2c744),
    on_current_found: Color::hex(0x1a1500),
    shadow: Color { r: 0, g: 0, b: 0, a: 128 },
    status: StatusColors {
        running: Color::hex(0x3fb950),
        needs_input: Color::hex(0xf2c744),
        on_needs_input: Color::hex(0x1a1500),
        needs_input_text: Color::hex(0xf2c744),
        stale: Color::hex(0xf0883e),
        on_stale: Color::hex(0xffffff),
        stale_text: Color::hex(0xf0883e),
        completed: Color::hex(0x4cc9a4),
        on_completed: Color::hex(0x06231b),
        errored: Color::hex(0xf85149),
        on_errored: Color::hex(0xffffff),
        errored_text: Color::hex(0xff7b72),
        stopped: Color::hex(0x7d8590),
        idle: Color::hex(0x4b5260),
    },
    syntax: SyntaxColors {
        keyword: Color::hex(0xc792ea),
        function: Color::hex(0x82aaff),
        string: Color::hex(0xc3e88d),
        kind: Color::hex(0xffcb6b),
        number: Color::hex(0xf78c6c),
        comment: Color::hex(0x667085),
    },
    added_line: Color::hex(0x12261e),
    added_mark: Color::hex(0x2ea043),
    ansi: [
        Color::hex(0x7d8590),
        Color::hex(0xf4766f),
        Color::hex(0x3fb950),
        Color::hex(0xd9b04a),
        Color::hex(0x6ea8fe),
        Color::hex(0xc792ea),
        Color::hex(0x4cc9c0),
        Color::hex(0xc3c9d4),
        Color::hex(0x8b94a5),
        Color::hex(0xff9089),
        Color::hex(0x6fdd7f),
        Color::hex(0xf2cf6b),
        Color::hex(0x94c0ff),
        Color::hex(0xdbb2f5),
        Color::hex(0x7fe0d8),
        Color::hex(0xf4f6f8),
    ],
    ansi_ground: ANSI_GROUND,
};

const LIGHT: Palette = Palette {
    chrome: Color::hex(0xe9ecf0),
    pane: Color::hex(0xffffff),
    raised: Color::hex(0xf4f6f8),
    overlay: Color::hex(0xffffff),
    line: Color::hex(0xd7dce3),
    text: Color::hex(0x1d232c),
    dim: Color::hex(0x5a6474),
    faint: Color::hex(0x98a1ae),
    accent: Color::hex(0x2563d9),
    on_accent: Color::hex(0xffffff),
    selection: Color::hex(0xcfe0fc),
    found: Color::hex(0xffe8a3),
    on_found: Color::hex(0x1d232c),
    current_found: Color::hex(0xf0a92b),
    on_current_found: Color::hex(0x1a1500),
    shadow: Color { r: 20, g: 28, b: 40, a: 56 },
    status: StatusColors {
        running: Color::hex(0x1f883d),
        needs_input: Color::hex(0xe5b211),
        on_needs_input: Color::hex(0x241c00),
        needs_input_text: Color::hex(0x886300),
        stale: Color::hex(0xd9660f),
        on_stale: Color::hex(0xffffff),
        stale_text: Color::hex(0xa84a00),
        completed: Color::hex(0x11806a),
        on_completed: Color::hex(0xffffff),
        errored: Color::hex(0xcf222e),
        on_errored: Color::hex(0xffffff),
        errored_text: Color::hex(0xb91c28),
        stopped: Color::hex(0x6e7781),
        idle: Color::hex(0xb4bcc7),
    },
    syntax: SyntaxColors {
        keyword: Color::hex(0x8a3fbf),
        function: Color::hex(0x1f5fbf),
        string: Color::hex(0x3c7d1e),
        kind: Color::hex(0x9a6700),
        number: Color::hex(0xb5491b),
        comment: Color::hex(0x8a94a3),
    },
    added_line: Color::hex(0xe6f6ea),
    added_mark: Color::hex(0x2ea043),
    ansi: [
        Color::hex(0x1d232c),
        Color::hex(0xc4232d),
        Color::hex(0x1a7f37),
        Color::hex(0x8a6500),
        Color::hex(0x2563d9),
        Color::hex(0x8a3fbf),
        Color::hex(0x0f7285),
        Color::hex(0x59636f),
        Color::hex(0x6b7480),
        Color::hex(0xa8151f),
        Color::hex(0x12632a),
        Color::hex(0x6f5100),
        Color::hex(0x174bb0),
        Color::hex(0x6d2a9c),
        Color::hex(0x0a5a6a),
        Color::hex(0x2c343f),
    ],
    ansi_ground: ANSI_GROUND,
};

const ANSI_GROUND: [Color; 16] = [
    Color::hex(0x0e1014),
    Color::hex(0xab2f29),
    Color::hex(0x3fb950),
    Color::hex(0xd9b04a),
    Color::hex(0x2757b3),
    Color::hex(0x7f3fa8),
    Color::hex(0x4cc9c0),
    Color::hex(0xd7dce5),
    Color::hex(0x4b5260),
    Color::hex(0xff9089),
    Color::hex(0x6fdd7f),
    Color::hex(0xf2cf6b),
    Color::hex(0x94c0ff),
    Color::hex(0xdbb2f5),
    Color::hex(0x7fe0d8),
    Color::hex(0xffffff),
];

#[cfg(test)]
mod tests;
