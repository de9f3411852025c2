//! Which characters are meant as pictures rather than as signs.

/// How a character wants to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Presentation {
    Text,
    Emoji,
}

/// Asks for an emoji where a sign would be drawn.
const EMOJI_SELECTOR: char = '\u{fe0f}';
const TEXT_SELECTOR: char = '\u{fe0e}';

/// Single characters below U+10000 that are emoji unless something else is asked for.
const EMOJI: &[(char, char)] = &[
    ('⌚', '⌛'),
    ('⏩', '⏬'),
    ('⏰', '⏰'),
    ('⏳', '⏳'),
    ('◽', '◾'),
    ('☔', '☕'),
    ('♈', '♓'),
    ('♿', '♿'),
    ('⚓', '⚓'),
    ('⚡', '⚡'),
    ('⚪', '⚫'),
    ('⚽', '⚾'),
    ('⛄', '⛅'),
    ('⛎', '⛎'),
    ('⛔', '⛔'),
    ('⛪', '⛪'),
    ('⛲', '⛳'),
    ('⛵', '⛵'),
    ('⛺', '⛺'),
    ('⛽', '⛽'),
    ('✅', '✅'),
    ('✊', '✋'),
    ('✨', '✨'),
    ('❌', '❌'),
    ('❎', '❎'),
    ('❓', '❕'),
    ('❗', '❗'),
    ('➕', '➗'),
    ('➰', '➰'),
    ('➿', '➿'),
    ('⬛', '⬜'),
    ('⭐', '⭐'),
    ('⭕', '⭕'),
];

impl Presentation {
    /// Of a character with what is joined to it, in so many columns.
    ///
    /// Above U+1F000 the emoji proper are the wide ones; the narrow ones among them are signs that
    /// become emoji only when a selector asks for it.
    pub(crate) fn of(cluster: &str, n_columns: u8) -> Self {
        let mut characters = cluster.chars();
        let Some(first) = characters.next() else { return Self::Text };
        let is_emoji = match characters.next() {
            Some(EMOJI_SELECTOR) => true,
            Some(TEXT_SELECTOR) => false,
            _ => {
                (matches!(first, '\u{1f000}'..='\u{1faff}') && n_columns > 1)
                    || EMOJI.iter().any(|(start, end)| (*start..=*end).contains(&first))
            }
        };
        if is_emoji { Self::Emoji } else { Self::Text }
    }
}

/// One of the letters that pair up to flags.
pub(crate) fn is_flag_letter(character: char) -> bool {
    matches!(character, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Whether a character belongs to the one before it: marks, selectors, joiners, skin tones.
pub(crate) fn continues(previous: char, character: char) -> bool {
    previous == '\u{200d}'
        || matches!(character,
            '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
            | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}'
            | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
            | '\u{6df}'..='\u{6e4}' | '\u{6e7}'..='\u{6e8}' | '\u{6ea}'..='\u{6ed}'
            | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{93c}' | '\u{93e}'..='\u{94f}'
            | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
            | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200c}'..='\u{200d}'
            | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}'..='\u{309a}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}'
            | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}
