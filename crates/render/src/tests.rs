//! Pictures of small scenes, pixel by pixel, on whatever adapter there is.

mod frames;
mod shapes;
mod words;

use scene::{Align, Color, FontFamily, Layer, Point, Rect, Scene, Size, Span, TextRun, Weight};

use crate::{Gpu, GpuChoice, GpuError, Image, PixelFormat, Renderer};

const GROUND: Color = Color::hex(0x14171c);
const INK: Color = Color::hex(0xf2c744);

/// A device and a renderer to draw test scenes with.
struct Stage {
    gpu: Gpu,
    renderer: Renderer,
}

impl Stage {
    /// `None` where there is no adapter at all, unless the environment says that there must be one.
    fn new() -> Option<Self> {
        match Gpu::new(GpuChoice::Software) {
            Ok(gpu) => {
                let renderer = Renderer::new(&gpu, PixelFormat::IMAGE);
                Some(Self { gpu, renderer })
            }
            Err(GpuError::NoAdapter)
                if std::env::var_os("TRACKSIDE_REQUIRE_GPU").is_none_or(|it| it != "1") =>
            {
                eprintln!("SKIPPED: NO GRAPHICS ADAPTER, NOTHING WAS DRAWN");
                None
            }
            Err(error) => panic!("a device opens: {error}"),
        }
    }

    #[track_caller]
    fn draw(&mut self, scene: &Scene) -> Image {
        Image::draw(&self.gpu, &mut self.renderer, scene).expect("the device is there")
    }
}

fn scene(width: f32, height: f32) -> Scene {
    let layers = vec![Layer::new(Rect::new(0.0, 0.0, width, height))];
    Scene { size: Size::new(width, height), scale: 1.0, background: GROUND, layers }
}

fn pixels(color: Color) -> [u8; 4] {
    [color.r, color.g, color.b, 255]
}

/// Left, top, right and bottom of everything that is not the ground's colour.
fn ink_bounds(image: &Image) -> Option<[u32; 4]> {
    let mut bounds: Option<[u32; 4]> = None;
    for y in 0..image.height {
        for x in 0..image.width {
            if image.pixel(x, y) != Some(pixels(GROUND)) {
                let [left, top, right, bottom] = bounds.unwrap_or([x, y, x + 1, y + 1]);
                bounds = Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]);
            }
        }
    }
    bounds
}

fn run(text: &str, family: FontFamily) -> TextRun {
    TextRun {
        origin: Point::new(10.0, 10.0),
        width: 180.0,
        align: Align::Left,
        family,
        size: 14.0,
        line_height: 21.0,
        spans: vec![Span {
            text: text.to_owned(),
            color: INK,
            weight: Weight::Regular,
            italic: false,
        }],
    }
}
