//! What is found among fonts that are there, broken or absent.

use std::path::Path;
use std::sync::atomic::AtomicUsize;

use super::*;
use crate::fonts::{FaceStyle, Fonts};

const PATIENCE: Duration = Duration::from_secs(20);

fn test_fonts() -> SystemFonts {
    SystemFonts::Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/fonts"))
}

/// Which families draw a cluster once all fonts were looked for, the best first.
fn families(cluster: &str, presentation: Presentation, fonts: SystemFonts) -> String {
    let mut fonts = Fonts::new(fonts, Arc::new(|| {}));
    fonts.candidates(cluster, FaceStyle::default(), presentation);
    fonts.look_for_missing();
    fonts.take_news(PATIENCE);
    let faces = fonts.candidates(cluster, FaceStyle::default(), presentation);
    let names = faces.into_iter().filter_map(|face| fonts.family_name(face));
    names.collect::<Vec<_>>().join(", ")
}

#[test]
fn what_the_bundled_fonts_lack_comes_from_the_system() {
    #[track_caller]
    fn check(cluster: &str, presentation: Presentation, expected: &str) {
        let got = families(cluster, presentation, test_fonts());
        assert_eq!(got, expected, "{cluster}");
    }
    check("x", Presentation::Text, "JetBrains Mono, Iosevka Charon Mono");
    check("⏺", Presentation::Text, "Iosevka Charon Mono");
    check("日", Presentation::Text, "Noto Sans CJK JP");
    check("ש", Presentation::Text, "Noto Sans Hebrew");
    check("न", Presentation::Text, "Noto Sans Devanagari");
    check("😀", Presentation::Emoji, "Noto Color Emoji, Noto Emoji");
    check("😀", Presentation::Text, "Noto Emoji, Noto Color Emoji");
    check("\u{10fffd}", Presentation::Text, "");
}

#[test]
fn without_system_fonts_emoji_are_outlines_and_the_rest_is_missing() {
    let none = |cluster, presentation| families(cluster, presentation, SystemFonts::None);
    assert_eq!(none("😀", Presentation::Emoji), "Noto Emoji", "the bundled outline");
    assert_eq!(none("日", Presentation::Text), "", "no font has it");
}

#[test]
fn broken_fonts_and_folders_that_are_not_there_are_as_good_as_none() {
    let absent = SystemFonts::Folder("/nowhere/at/all".into());
    assert_eq!(families("日", Presentation::Text, absent), "", "no folder");
    assert!(kind(b"", 0).is_none(), "an empty file");
    assert!(kind(b"\0\x01\0\0 and not a font", 0).is_none(), "rubbish");
    assert_eq!(missing_of(b"rubbish", 7, &['x']), ['x'], "has nothing");
}

#[test]
fn each_character_is_asked_for_once_and_answers_make_news_once() {
    let n_news = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_news);
    let news: FontNews = Arc::new(move || {
        counter.fetch_add(1, Ordering::AcqRel);
    });
    let mut installed = Installed::new(test_fonts(), news);
    let want = |character| Want { character, presentation: Presentation::Text };
    for _again in 0..3 {
        installed.want(want('日'));
        installed.want(want('\u{10fffd}'));
        installed.send();
    }
    assert!(installed.is_awaiting(), "one question is under way");
    let found = installed.take(PATIENCE);
    assert_eq!(found.len(), 1, "one face has one of them: {found:?}");
    assert!(!installed.is_awaiting(), "all questions are answered");
    installed.want(want('本'));
    installed.send();
    assert!(installed.take(PATIENCE).is_empty(), "that face was given out already");
    assert_eq!(n_news.load(Ordering::Acquire), 1, "news once");
}

#[test]
fn no_program_can_ask_for_everything() {
    let mut installed = Installed::new(test_fonts(), Arc::new(|| {}));
    for character in '\u{20000}'..='\u{2ffff}' {
        installed.want(Want { character, presentation: Presentation::Text });
    }
    assert_eq!(installed.asked.len(), MAX_WANTS, "no more than that");
}

#[test]
fn shapes_of_east_asia_follow_the_language() {
    #[track_caller]
    fn check(language: &str, expected: &str) {
        assert_eq!(region(language), expected, "{language}");
    }
    check("ja_JP.UTF-8", "JP");
    check("ko_KR.UTF-8", "KR");
    check("zh_CN.UTF-8", "SC");
    check("zh_TW", "TC");
    check("zh_HK.UTF-8", "HK");
    check("C.UTF-8", "JP");
    check("", "JP");
}
