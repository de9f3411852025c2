//! From runs of text to placed glyphs: the chrome's text through cosmic-text, code in columns.

use cosmic_text::{
    Attrs, Buffer, Color as TextColor, Family, FeatureTag, FontFeatures, Hinting, Metrics, Shaping,
    Weight as FontWeight, Wrap,
};
use scene::{Color, Span, TextRun, Weight};
use unicode_width::UnicodeWidthStr as _;

use crate::cells::CellInstance;
use crate::fonts::{
    Face, FaceStyle, Fonts, Presentation, UI_FAMILY, continues, is_flag_letter, style,
};
use crate::glyphs::GlyphCache;

/// Characters of one run that are looked at; nobody can see more in a line.
const MAX_CHARACTERS: usize = 4096;

/// A line of the chrome's family from its left end and its baseline on, and how wide it is.
///
/// Kerned, and without ligatures: what is shown is what is in the file.
pub(crate) fn lay_out(
    run: &TextRun,
    scale: f32,
    glyphs: &mut GlyphCache,
    fonts: &mut Fonts,
) -> (Vec<CellInstance>, f32) {
    let size = font_pixels(run, scale);
    let mut buffer = Buffer::new_empty(Metrics::new(size, size));
    buffer.set_wrap(Wrap::None);
    buffer.set_hinting(Hinting::Disabled);
    let pieces = pieces(run, fonts);
    let family = |face: &Option<Face>| face.and_then(|face| fonts.family_name(face));
    let families: Vec<Option<String>> = pieces.iter().map(|piece| family(&piece.face)).collect();
    let rich = pieces.iter().zip(&families).map(|(piece, family)| {
        let attrs = attributes(piece.span);
        let attrs = match (piece.face, family) {
            (Some(face), Some(name)) => attrs
                .family(Family::Name(name))
                .weight(FontWeight(face.weight.0))
                .style(style(false)),
            _ => attrs,
        };
        (piece.text.as_str(), attrs)
    });
    let default = Attrs::new().family(Family::Name(UI_FAMILY));
    buffer.set_rich_text(rich, &default, Shaping::Advanced, None);
    buffer.shape_until_scroll(&mut fonts.system, false);

    let mut instances = Vec::new();
    for line in buffer.layout_runs() {
        for glyph in line.glyphs {
            let physical = glyph.physical((0.0, 0.0), 1.0);
            let color = glyph.color_opt.unwrap_or(TextColor::rgb(0, 0, 0));
            let (r, g, b, a) = color.as_rgba_tuple();
            if let Some(placed) = glyphs.laid(physical.cache_key, fonts) {
                let (x, y) = (physical.x as f32, physical.y as f32);
                instances.push(CellInstance::glyph(placed, x, y, Color { r, g, b, a }));
            }
        }
    }
    let width = buffer.layout_runs().map(|line| line.line_w).fold(0.0, f32::max);
    (instances, width)
}

/// A line of the mono family from its left end and its baseline on, and how wide it is.
///
/// It advances by the same whole pixels as the cells of a grid, and its glyphs are the same, so that
/// columns agree between editor and terminal.
pub(crate) fn in_columns(
    run: &TextRun,
    scale: f32,
    line_height: u16,
    glyphs: &mut GlyphCache,
    fonts: &mut Fonts,
) -> (Vec<CellInstance>, f32) {
    let metrics = fonts.line_metrics(font_pixels(run, scale), line_height);
    let top = -f32::from(metrics.ascent);
    let mut instances = Vec::new();
    let mut left = 0.0;
    let mut n_left = MAX_CHARACTERS;
    for span in &run.spans {
        let bold = matches!(span.weight, Weight::SemiBold | Weight::Bold);
        let style = FaceStyle { bold, italic: span.italic };
        let text: String = span.text.chars().take(n_left).map(printable).collect();
        n_left -= text.chars().count();
        for cluster in clusters(&text) {
            let n_columns = n_columns(cluster);
            let mut characters = cluster.chars();
            let Some(first) = characters.next() else { continue };
            let marks = Some(characters.as_str()).filter(|marks| !marks.is_empty());
            let placed = glyphs.cluster(first, marks, style, n_columns, metrics, fonts);
            if let Some(placed) = placed {
                instances.push(CellInstance::glyph(placed, left, top, span.color));
            }
            left += f32::from(n_columns) * f32::from(metrics.width);
        }
    }
    (instances, left)
}

/// The font size of a run in device pixels, kept within what can be drawn.
pub(crate) fn font_pixels(run: &TextRun, scale: f32) -> f32 {
    let size = run.size * scale;
    if size.is_finite() { size.clamp(1.0, 1000.0) } else { 1.0 }
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

/// Cuts text into characters with what is joined to them.
fn clusters(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut characters = rest.char_indices();
        let (_, mut previous) = characters.next()?;
        let mut n_flag_letters = usize::from(is_flag_letter(previous));
        let end = characters.find(|(_, character)| {
            let is_pair = n_flag_letters == 1 && is_flag_letter(*character);
            n_flag_letters += usize::from(is_pair);
            let is_joined = is_pair || continues(previous, *character);
            previous = *character;
            !is_joined
        });
        let (cluster, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = behind;
        Some(cluster)
    })
}

/// How many columns a cluster takes.
fn n_columns(cluster: &str) -> u8 {
    if cluster.len() == 1 {
        return 1;
    }
    u8::try_from(cluster.width()).unwrap_or(u8::MAX).clamp(u8::from(!is_joiner(cluster)), 2)
}

/// Whether there is nothing but characters that take no room.
fn is_joiner(cluster: &str) -> bool {
    cluster.width() == 0
}

/// Text in one font and style.
struct Piece<'a> {
    text: String,
    span: &'a Span,
    /// Another one than the family's own.
    face: Option<Face>,
}

/// Cuts a run where another font has to come in.
fn pieces<'a>(run: &'a TextRun, fonts: &mut Fonts) -> Vec<Piece<'a>> {
    let mut n_left = MAX_CHARACTERS;
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    for span in &run.spans {
        let text: String = span.text.chars().take(n_left).map(printable).collect();
        n_left -= text.chars().count();
        if text.is_ascii() {
            pieces.push(Piece { text, span, face: None });
            continue;
        }
        let first = pieces.len();
        for cluster in clusters(&text) {
            let presentation = Presentation::of(cluster, n_columns(cluster));
            let face = fonts.instead_of_ui(cluster, presentation);
            match pieces[first..].last_mut() {
                Some(piece) if piece.face == face => piece.text.push_str(cluster),
                _ => pieces.push(Piece { text: cluster.to_owned(), span, face }),
            }
        }
    }
    pieces
}

fn attributes(span: &Span) -> Attrs<'static> {
    let weight = match span.weight {
        Weight::Regular => FontWeight::NORMAL,
        Weight::Medium => FontWeight::MEDIUM,
        Weight::SemiBold | Weight::Bold => FontWeight::SEMIBOLD,
    };
    let mut features = FontFeatures::new();
    for tag in [FeatureTag::CONTEXTUAL_ALTERNATES, FeatureTag::STANDARD_LIGATURES] {
        features.disable(tag);
    }
    let Color { r, g, b, a } = span.color;
    Attrs::new()
        .family(Family::Name(UI_FAMILY))
        .weight(weight)
        .style(style(span.italic))
        .color(TextColor::rgba(r, g, b, a))
        .font_features(features)
}
