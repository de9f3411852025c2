//! Titles, and other texts of programs, made safe to show.

const MAX_CHARS: usize = 256;

/// Drops what could hide, reorder or break the text around a title, and what is too long.
pub(crate) fn sanitise(title: &str) -> String {
    sanitise_to(title, MAX_CHARS)
}

/// The same for a text that may have `max` characters.
pub(crate) fn sanitise_to(text: &str, max: usize) -> String {
    text.chars().filter(|c| !c.is_control() && !is_invisible(*c)).take(max).collect()
}

/// Characters that take no room or turn the direction of text. Combining marks are not among them.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(title: &str, expected: &str) {
        assert_eq!(sanitise(title), expected, "title {title:?}");
    }

    #[test]
    fn ordinary_titles_are_kept() {
        check("✳ claude: ~/src/api", "✳ claude: ~/src/api");
        check("日本語 · Привет · e\u{301}", "日本語 · Привет · e\u{301}");
    }

    #[test]
    fn control_bidi_and_zero_width_characters_are_dropped() {
        check("a\tb\nc\u{7f}d\u{9b}e", "abcde");
        check("safe\u{202e}exe.txt\u{2066}x\u{200e}", "safeexe.txtx");
        check("a\u{200b}b\u{200d}c\u{feff}d\u{ad}e", "abcde");
    }

    #[test]
    fn long_titles_are_cut() {
        check(&"ä".repeat(300), &"ä".repeat(256));
    }
}
