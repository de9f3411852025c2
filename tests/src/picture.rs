//! Looking at screenshots.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::harness::Instance;

pub(crate) struct Picture {
    pub width: u32,
    pub height: u32,
    rgba: Vec<u8>,
}

impl Picture {
    pub(crate) fn read(path: &Path) -> Self {
        let decoder = png::Decoder::new(BufReader::new(File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgba).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgba, "screenshots are RGBA");
        Self { width: info.width, height: info.height, rgba }
    }

    pub(crate) fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = ((y * self.width + x) * 4) as usize;
        [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2]]
    }

    pub(crate) fn differs(&self, other: &Self) -> bool {
        self.rgba != other.rgba
    }

    /// Whether a palette or a question lies over the panes, in the dark theme.
    pub(crate) fn has_overlay(&self) -> bool {
        self.count(0x0020_252d, self.width) > 5_000
    }

    /// How many pixels of the left rail have exactly this colour.
    pub(crate) fn on_rail(&self, color: u32) -> usize {
        self.count(color, self.width.min(224))
    }

    /// How many pixels are bright, as those of text are in the dark theme.
    pub(crate) fn n_bright_pixels(&self) -> usize {
        let is_bright = |pixel: &&[u8]| pixel[..3].iter().all(|channel| *channel > 160);
        self.rgba.chunks_exact(4).filter(is_bright).count()
    }

    /// How many of the pixels left of `width` have exactly this colour.
    fn count(&self, color: u32, width: u32) -> usize {
        let [_, r, g, b] = color.to_be_bytes();
        (0..self.height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .filter(|(x, y)| self.pixel(*x, *y) == [r, g, b])
            .count()
    }
}

impl Instance {
    pub(crate) fn screenshot(&self) -> Picture {
        let path = self.path("shot.png");
        self.ok([std::ffi::OsStr::new("screenshot"), path.as_os_str()]);
        Picture::read(&path)
    }
}
