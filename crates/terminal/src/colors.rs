//! The colours a program is told when it asks.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rgb {
    pub r: u8,
    pub g: u8,
    pub b: u8,
}

impl Rgb {
    pub const fn new(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b }
    }

    fn brightness(self) -> u32 {
        // As the eye weighs them, roughly.
        3 * u32::from(self.r) + 6 * u32::from(self.g) + u32::from(self.b)
    }
}

/// What colour queries (OSC 4, 10, 11, 12) are answered with: the theme as far as programs care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportedColors {
    pub foreground: Rgb,
    pub background: Rgb,
    pub cursor: Rgb,
    pub ansi: [Rgb; 16],
}

impl ReportedColors {
    /// Whether text is lighter than what it is on.
    pub fn is_dark(&self) -> bool {
        self.background.brightness() < self.foreground.brightness()
    }

    /// Colour `index` of the 256: the theme's sixteen, then the cube and the greys all terminals
    /// share.
    pub(crate) fn palette(&self, index: u8) -> Rgb {
        match index {
            0..=15 => self.ansi[usize::from(index)],
            16..=231 => {
                let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
                let cube = index - 16;
                Rgb::new(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            232..=255 => {
                let grey = 8 + 10 * (index - 232);
                Rgb::new(grey, grey, grey)
            }
        }
    }
}

/// A plain dark terminal, until a theme is known.
impl Default for ReportedColors {
    fn default() -> Self {
        let foreground = Rgb::new(0xd0, 0xd0, 0xd0);
        Self {
            foreground,
            background: Rgb::new(0x10, 0x10, 0x10),
            cursor: foreground,
            ansi: [
                Rgb::new(0x00, 0x00, 0x00),
                Rgb::new(0xcd, 0x00, 0x00),
                Rgb::new(0x00, 0xcd, 0x00),
                Rgb::new(0xcd, 0xcd, 0x00),
                Rgb::new(0x00, 0x00, 0xee),
                Rgb::new(0xcd, 0x00, 0xcd),
                Rgb::new(0x00, 0xcd, 0xcd),
                Rgb::new(0xe5, 0xe5, 0xe5),
                Rgb::new(0x7f, 0x7f, 0x7f),
                Rgb::new(0xff, 0x00, 0x00),
                Rgb::new(0x00, 0xff, 0x00),
                Rgb::new(0xff, 0xff, 0x00),
                Rgb::new(0x5c, 0x5c, 0xff),
                Rgb::new(0xff, 0x00, 0xff),
                Rgb::new(0x00, 0xff, 0xff),
                Rgb::new(0xff, 0xff, 0xff),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_palette_is_the_theme_then_the_cube_then_greys() {
        let check = |index: u8, r, g, b| {
            let color = ReportedColors::default().palette(index);
            assert_eq!(color, Rgb::new(r, g, b), "colour {index}");
        };
        check(1, 0xcd, 0, 0);
        check(16, 0, 0, 0);
        check(17, 0, 0, 95);
        check(196, 255, 0, 0);
        check(231, 255, 255, 255);
        check(232, 8, 8, 8);
        check(255, 238, 238, 238);
    }
}
