//! The fonts that are part of the program, so that text never depends on the machine.

use std::sync::Arc;

use cosmic_text::fontdb::{Database, ID, Source};
use cosmic_text::{FontSystem, Weight};

use super::Face;

const UI_REGULAR: &[u8] = include_bytes!("../../../../assets/fonts/Inter_400Regular.ttf");
const UI_MEDIUM: &[u8] = include_bytes!("../../../../assets/fonts/Inter_500Medium.ttf");
const UI_SEMI_BOLD: &[u8] = include_bytes!("../../../../assets/fonts/Inter_600SemiBold.ttf");
const MONO: &[u8] = include_bytes!("../../../../assets/fonts/JetBrainsMono_400Regular.ttf");
const MONO_ITALIC: &[u8] =
    include_bytes!("../../../../assets/fonts/JetBrainsMono_400Regular_Italic.ttf");
const MONO_BOLD: &[u8] = include_bytes!("../../../../assets/fonts/JetBrainsMono_700Bold.ttf");
const MONO_BOLD_ITALIC: &[u8] =
    include_bytes!("../../../../assets/fonts/JetBrainsMono_700Bold_Italic.ttf");
const SYMBOLS: &[u8] = include_bytes!("../../../../assets/fonts/IosevkaCharonMono_400Regular.ttf");
const EMOJI: &[u8] = include_bytes!("../../../../assets/fonts/NotoEmoji-Regular.ttf");

/// The name of the chrome's family as it stands in the font files.
pub(crate) const UI_FAMILY: &str = "Inter";

/// Which face serves what.
#[derive(Debug)]
pub(super) struct Bundled {
    pub(super) ui: [Face; 3],
    /// Regular, italic, bold, and both.
    pub(super) mono: [Face; 4],
    pub(super) symbols: Face,
    /// Outlines of emoji, for machines that have no coloured ones.
    pub(super) emoji: Face,
}

impl Bundled {
    pub(super) fn load() -> (FontSystem, Self) {
        let mut db = Database::new();
        let ui = [(UI_REGULAR, 400), (UI_MEDIUM, 500), (UI_SEMI_BOLD, 600)];
        let mono = [(MONO, 400), (MONO_ITALIC, 400), (MONO_BOLD, 700), (MONO_BOLD_ITALIC, 700)];
        let mut load = |(bytes, weight)| load(&mut db, bytes, Weight(weight));
        let (ui, mono) = (ui.map(&mut load), mono.map(&mut load));
        let (symbols, emoji) = (load((SYMBOLS, 400)), load((EMOJI, 400)));
        db.set_sans_serif_family(UI_FAMILY);
        let mut system = FontSystem::new_with_locale_and_db("en-US".to_owned(), db);
        let mut measured = |face: Face| face.measured(&mut system);
        let bundled = Self {
            ui: ui.map(&mut measured),
            mono: mono.map(&mut measured),
            symbols: measured(symbols),
            emoji: measured(emoji),
        };
        (system, bundled)
    }
}

fn load(db: &mut Database, bytes: &'static [u8], weight: Weight) -> Face {
    let id = db.load_font_source(Source::Binary(Arc::new(bytes))).first().copied();
    // A file that cannot be read leaves an id that finds nothing, so that text is missing and
    // nothing else; a test makes sure that all of them can be read.
    Face::new(id.unwrap_or(ID::dummy()), weight)
}
