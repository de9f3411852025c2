//! From a story to pixels, and from pixels to small PNG files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use render::{Gpu, GpuChoice, GpuError, Image, PixelFormat, Renderer, SystemFonts, TextSmoothing};
use scene::{CellMetrics, Scene, Size};
use ui::{Activity, FrameInputs, TerminalFrames};
use workspace::{Rooms, State, Theme};

use crate::sheet::Sheet;
use crate::story::{HOME, Story};

const FONT_SIZE: f32 = 14.0;
/// Fonts are found in far less; it is only that a test must end.
const PATIENCE: Duration = Duration::from_secs(20);

/// The same few characters of other scripts on every machine.
fn fonts_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/fonts")
}

/// What the window is like; sizes in logical pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) scale: f32,
    pub(crate) theme: Theme,
}

/// Three bytes a pixel, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgb: Vec<u8>,
}

pub(crate) struct Camera {
    gpu: Gpu,
    renderer: Renderer,
    look: Look,
}

impl Camera {
    /// `None` where there is no adapter at all, unless the environment says that there must be one.
    pub(crate) fn new(look: Look) -> Option<Self> {
        let gpu = match Gpu::new(GpuChoice::Software) {
            Ok(gpu) => gpu,
            Err(GpuError::NoAdapter)
                if std::env::var_os("TRACKSIDE_REQUIRE_GPU").is_none_or(|it| it != "1") =>
            {
                eprintln!("SKIPPED: NO GRAPHICS ADAPTER, NO PICTURE WAS COMPARED");
                return None;
            }
            Err(error) => panic!("a software device opens: {error}"),
        };
        let fonts = SystemFonts::Folder(fonts_folder());
        let renderer = Renderer::with_fonts(&gpu, PixelFormat::IMAGE, fonts, Arc::new(|| {}));
        Some(Self { gpu, renderer, look })
    }

    /// How much fits into the panes of that state, or of one just begun.
    pub(crate) fn rooms(&mut self, state: Option<&State>) -> Rooms {
        let new = State::new(config::Config::default());
        let state = state.unwrap_or(&new);
        let metrics = self.metrics(state);
        ui::rooms(state, self.size(), self.look.scale, metrics)
    }

    /// The window at the end of the story.
    pub(crate) fn take(&mut self, story: &mut Story) -> Picture {
        let rooms = self.rooms(Some(&story.state));
        story.fit(rooms);
        let state = &story.state;
        let mut terminals = TerminalFrames::default();
        terminals.refresh(state);
        let watched = Activity { visible: true, focused: true, reduced_motion: true };
        let inputs = FrameInputs {
            size: self.size(),
            scale: self.look.scale,
            metrics: self.metrics(state),
            now: story.now,
            cursor_on: true,
            pulse: ui::pulse(state, story.now, watched),
            pointer: None,
            terminals: &terminals,
            link: None,
            rail: story.rail,
            renderer: "",
            home: Some(Path::new(HOME)),
        };
        let scene = ui::build(state, &inputs).scene;
        self.draw(&scene)
    }

    /// A scene of its own, of the size of the window.
    pub(crate) fn take_sheet(
        &mut self,
        sheet: fn(&mut Sheet, Theme),
        smoothing: TextSmoothing,
    ) -> Picture {
        self.renderer.set_smoothing(smoothing);
        let Look { scale, theme, .. } = self.look;
        let metrics = self.renderer.cell_metrics(FONT_SIZE, scale);
        let mut pages = Sheet::new(self.size(), scale, metrics, theme);
        sheet(&mut pages, theme);
        self.draw(&pages.into_scene())
    }

    /// Draws as soon as all fonts are there.
    fn draw(&mut self, scene: &Scene) -> Picture {
        let mut image =
            Image::draw(&self.gpu, &mut self.renderer, scene).expect("the device draws");
        if self.renderer.wait_for_fonts(PATIENCE) {
            image = Image::draw(&self.gpu, &mut self.renderer, scene).expect("the device draws");
        }
        Picture::from(&image)
    }

    fn size(&self) -> Size {
        Size::new(self.look.width, self.look.height)
    }

    fn metrics(&mut self, state: &State) -> CellMetrics {
        self.renderer.cell_metrics(state.font_size(), self.look.scale)
    }
}

impl From<&Image> for Picture {
    fn from(image: &Image) -> Self {
        let rgb = image.rgba.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
        Self { width: image.width, height: image.height, rgb }
    }
}

impl Picture {
    /// `None` where there is no such file.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let file = std::fs::File::open(path).ok()?;
        let decoder = png::Decoder::new(std::io::BufReader::new(file));
        let mut reader = decoder.read_info().expect("a PNG file");
        let mut rgb = vec![0; reader.output_buffer_size().expect("a size that fits")];
        let info = reader.next_frame(&mut rgb).expect("a whole PNG file");
        assert_eq!(info.color_type, ColorType::Rgb, "{} has no alpha", path.display());
        rgb.truncate(info.buffer_size());
        Some(Self { width: info.width, height: info.height, rgb })
    }

    /// Writes the smallest of several encodings: which filter suits text on flat ground best
    /// depends on the picture.
    pub(crate) fn write(&self, path: &Path) {
        let folder = path.parent().expect("a folder");
        std::fs::create_dir_all(folder).expect("a folder that can be made");
        let filters = [Filter::NoFilter, Filter::Up, Filter::Adaptive];
        let encodings = filters.map(|filter| self.encode(filter));
        let smallest = encodings.into_iter().min_by_key(Vec::len).expect("some encoding");
        std::fs::write(path, smallest).expect("a file that can be written");
    }

    fn encode(&self, filter: Filter) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        encoder.set_filter(filter);
        let mut writer = encoder.write_header().expect("memory to write to");
        writer.write_image_data(&self.rgb).expect("as many bytes as pixels");
        writer.finish().expect("memory to write to");
        bytes
    }
}
