//! From runs of text to laid-out glyphs, through cosmic-text.

use cosmic_text::{
    Attrs, Buffer, Color as TextColor, Family, FeatureTag, FontFeatures, Hinting, Metrics, Shaping,
    Weight as FontWeight, Wrap,
};
use scene::{FontFamily, Span, TextRun, Weight};

use crate::fonts::{Bitmap, Fonts, MONO_FAMILY, SYMBOL_FAMILY, UI_FAMILY, style};

/// Characters of one run that are looked at; nobody can see more in a line.
const MAX_CHARACTERS: usize = 4096;
/// How small a symbol may become to fit its columns.
const SMALLEST_SHARE: f32 = 0.8;

/// Lays a run out as one line, in device pixels.
///
/// The mono family advances by the same whole pixels as the cells of a grid, so that columns agree
/// between editor and terminal; the chrome's family is kerned. Neither has ligatures: what is shown
/// is what is in the file.
pub(crate) fn shape(run: &TextRun, scale: f32, fonts: &mut Fonts) -> Buffer {
    let size = font_pixels(run, scale);
    let mut buffer = Buffer::new_empty(Metrics::new(size, size));
    buffer.set_wrap(Wrap::None);
    let ascii = run.spans.iter().all(|span| span.text.is_ascii());
    let (shaping, hinting) = match run.family {
        FontFamily::Mono if ascii => (Shaping::Basic, Hinting::Enabled),
        FontFamily::Mono => (Shaping::Advanced, Hinting::Enabled),
        FontFamily::Ui => (Shaping::Advanced, Hinting::Disabled),
    };
    buffer.set_hinting(hinting);

    let mut left = MAX_CHARACTERS;
    let mut pieces = Vec::new();
    for span in &run.spans {
        let text: String = span.text.chars().take(left).map(printable).collect();
        left -= text.chars().count();
        let attrs = attributes(run.family, span);
        match run.family {
            FontFamily::Ui => pieces.push((text, attrs)),
            FontFamily::Mono => split_by_advance(&text, &attrs, size, fonts, &mut pieces),
        }
    }
    let pieces = pieces.iter().map(|(text, attrs)| (text.as_str(), attrs.clone()));
    buffer.set_rich_text(pieces, &Attrs::new().family(family(run.family)), shaping, None);
    buffer.shape_until_scroll(&mut fonts.system, false);
    buffer
}

/// The font size of a run in device pixels, kept within what can be drawn.
pub(crate) fn font_pixels(run: &TextRun, scale: f32) -> f32 {
    let size = run.size * scale;
    if size.is_finite() { size.clamp(1.0, 1000.0) } else { 1.0 }
}

/// The width of a laid-out line in device pixels.
pub(crate) fn line_width(buffer: &Buffer) -> f32 {
    buffer.layout_runs().map(|line| line.line_w).fold(0.0, f32::max)
}

/// A character with its combining marks as one glyph, or `None` if no font has the character.
pub(crate) fn shape_cluster(
    text: &str,
    bold: bool,
    italic: bool,
    size: f32,
    fonts: &mut Fonts,
) -> Option<Bitmap> {
    let weight = if bold { Weight::Bold } else { Weight::Regular };
    let color = scene::Color::TRANSPARENT;
    let span = Span { text: text.chars().map(printable).collect(), color, weight, italic };
    let mut buffer = Buffer::new_empty(Metrics::new(size, size));
    buffer.set_wrap(Wrap::None);
    let attrs = attributes(FontFamily::Mono, &span);
    buffer.set_text(&span.text, &attrs, Shaping::Advanced, None);
    buffer.shape_until_scroll(&mut fonts.system, false);

    let mut cluster: Option<Bitmap> = None;
    for line in buffer.layout_runs() {
        for glyph in line.glyphs.iter().filter(|glyph| glyph.glyph_id != 0) {
            let physical = glyph.physical((0.0, 0.0), 1.0);
            if let Some(mut bitmap) = fonts.rasterize_key(physical.cache_key) {
                bitmap.left += physical.x;
                bitmap.top -= physical.y;
                cluster = Some(cluster.map_or_else(|| bitmap.clone(), |it| it.union(&bitmap)));
            }
        }
    }
    cluster
}

/// Whether a character takes no ink on purpose: controls, joiners, selectors, directions.
pub(crate) fn is_invisible(character: char) -> bool {
    character.is_control()
        || character.is_whitespace()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// A run is one line, so whatever would break it or steer the terminal becomes a space.
fn printable(character: char) -> char {
    if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
        ' '
    } else {
        character
    }
}

fn family(family: FontFamily) -> Family<'static> {
    match family {
        FontFamily::Ui => Family::Name(UI_FAMILY),
        FontFamily::Mono => Family::Name(MONO_FAMILY),
    }
}

fn attributes(of: FontFamily, span: &Span) -> Attrs<'static> {
    let weight = match (of, span.weight) {
        (FontFamily::Ui, Weight::Regular) => FontWeight::NORMAL,
        (FontFamily::Ui, Weight::Medium) => FontWeight::MEDIUM,
        (FontFamily::Ui, Weight::SemiBold | Weight::Bold) => FontWeight::SEMIBOLD,
        (FontFamily::Mono, Weight::Regular | Weight::Medium) => FontWeight::NORMAL,
        (FontFamily::Mono, Weight::SemiBold | Weight::Bold) => FontWeight::BOLD,
    };
    let mut features = FontFeatures::new();
    for tag in [FeatureTag::CONTEXTUAL_ALTERNATES, FeatureTag::STANDARD_LIGATURES] {
        features.disable(tag);
    }
    let scene::Color { r, g, b, a } = span.color;
    Attrs::new()
        .family(family(of))
        .weight(weight)
        .style(style(span.italic))
        .color(TextColor::rgba(r, g, b, a))
        .font_features(features)
}

/// Cuts text where another font comes in or the distance to the next column has to be corrected by
/// another amount.
fn split_by_advance<'a>(
    text: &str,
    attrs: &Attrs<'a>,
    size: f32,
    fonts: &mut Fonts,
    pieces: &mut Vec<(String, Attrs<'a>)>,
) {
    let column = f32::from(fonts.mono_advance(size)) / size;
    if text.is_ascii() {
        let (attrs, advance) = placed_attributes('0', attrs, fonts);
        pieces.push((text.to_owned(), attrs.letter_spacing(column - advance)));
        return;
    }
    for character in text.chars() {
        let (mut attrs, mut advance) = placed_attributes(character, attrs, fonts);
        let room = if is_wide(character) { 2.0 * column } else { column };
        // Symbols made for two columns get smaller, but not so small that they cannot be told apart.
        let shrink = (room / advance).clamp(SMALLEST_SHARE, 1.0);
        if shrink < 0.95 {
            attrs = attrs.metrics(Metrics::new(size * shrink, size));
            advance *= shrink;
            attrs = attrs.letter_spacing((room - advance) / shrink);
        } else {
            attrs = attrs.letter_spacing(room - advance);
        }
        match pieces.last_mut() {
            Some((piece, same)) if *same == attrs => piece.push(character),
            _ => pieces.push((character.to_string(), attrs)),
        }
    }
}

/// Attributes that name the font which has the character, and its advance there as a share of the
/// font size.
fn placed_attributes<'a>(
    character: char,
    attrs: &Attrs<'a>,
    fonts: &mut Fonts,
) -> (Attrs<'a>, f32) {
    let mono = fonts.mono(attrs.weight == FontWeight::BOLD, attrs.style == style(true));
    let symbols = fonts.symbols();
    if let Some(glyph) = fonts.glyph(mono, character) {
        (attrs.clone(), fonts.advance(mono, glyph))
    } else if let Some(glyph) = fonts.glyph(symbols, character) {
        let family = Family::Name(SYMBOL_FAMILY);
        let attrs = attrs.clone().family(family).weight(FontWeight::NORMAL);
        (attrs, fonts.advance(symbols, glyph))
    } else {
        (attrs.clone(), fonts.advance(mono, 0))
    }
}

/// Whether a character takes two columns. Only the large blocks: the bundled fonts have none of
/// them, so this is about keeping the text behind a stand-in box in its column.
fn is_wide(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{303e}' | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff01}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}' | '\u{1f900}'..='\u{1f9ff}' | '\u{20000}'..='\u{3fffd}')
}
