//! How wide text of the chrome is, from a table of Inter's advances.
//!
//! `ui` has no fonts: layout must be the same with and without a GPU. Kerning is left out, so a
//! width is right to about a pixel; whoever draws cuts at the edge of a run in any case.

use std::borrow::Cow;

use scene::Weight;
use unicode_width::UnicodeWidthChar;

const UNITS_PER_EM: f32 = 2048.0;

/// Text longer than this is never wholly visible, so the rest of it need not be measured.
const MAX_CHARACTERS: usize = 4096;

/// The width of a line of Inter in logical pixels.
pub fn text_width(text: &str, size: f32, weight: Weight) -> f32 {
    text.chars().take(MAX_CHARACTERS).map(|character| advance(character, weight)).sum::<f32>()
        * size
}

/// The text, or as much of it as fits into `width` with an ellipsis behind it; empty where not even
/// that fits.
pub fn fit(text: &str, width: f32, size: f32, weight: Weight) -> Cow<'_, str> {
    if text_width(text, size, weight) <= width {
        return Cow::Borrowed(text);
    }
    let mut left = width - text_width("…", size, weight);
    if left < 0.0 {
        return Cow::Borrowed("");
    }
    let mut end = 0;
    for (at, character) in text.char_indices() {
        left -= advance(character, weight) * size;
        if left < 0.0 {
            break;
        }
        end = at + character.len_utf8();
    }
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

/// Like [`fit`], but keeps the end, which in a path is what tells it from others.
pub fn fit_end(text: &str, width: f32, size: f32, weight: Weight) -> Cow<'_, str> {
    if text_width(text, size, weight) <= width {
        return Cow::Borrowed(text);
    }
    let mut left = width - text_width("…", size, weight);
    if left < 0.0 {
        return Cow::Borrowed("");
    }
    let mut start = text.len();
    for (at, character) in text.char_indices().rev() {
        left -= advance(character, weight) * size;
        if left < 0.0 {
            break;
        }
        start = at;
    }
    Cow::Owned(format!("…{}", text[start..].trim_start()))
}

/// Breaks a text between its words into at most so many lines; what is left over is cut off the last.
pub fn fit_lines(text: &str, width: f32, size: f32, weight: Weight, n_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_last = lines.len() >= n_lines;
        match lines.last_mut() {
            Some(line)
                if is_last || text_width(&format!("{line} {word}"), size, weight) <= width =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.truncate(n_lines);
    lines.iter().map(|line| fit(line, width, size, weight).into_owned()).collect()
}

/// The advance of one character as a share of the font size.
fn advance(character: char, weight: Weight) -> f32 {
    let face = match weight {
        Weight::Regular => 0,
        Weight::Medium => 1,
        Weight::SemiBold | Weight::Bold => 2,
    };
    let code = character as usize;
    let units = match code {
        0x20..=0x7e => ASCII[face][code - 0x20],
        0xa0..=0xff => LATIN[face][code - 0xa0],
        _ => match OTHER.iter().find(|(known, _)| *known == character) {
            Some((_, advances)) => advances[face],
            None => return unknown_advance(character),
        },
    };
    f32::from(units) / UNITS_PER_EM
}

/// A guess for what the table lacks: the mean of Inter's letters, or a square for wide characters.
fn unknown_advance(character: char) -> f32 {
    match character.width() {
        Some(0) => 0.0,
        Some(1) | None => 0.61,
        Some(_) => 1.0,
    }
}

/// Space to tilde.
#[rustfmt::skip]
const ASCII: [[u16; 95]; 3] = [
    [
        576, 589, 954, 1297, 1314, 2011, 1319, 614, 747, 747, 1026, 1355, 590, 942, 590, 738,
        1292, 833, 1249, 1265, 1323, 1215, 1270, 1159, 1267, 1270, 590, 618, 1355, 1355, 1355, 1047,
        1978, 1413, 1340, 1496, 1478, 1231, 1209, 1528, 1522, 550, 1169, 1376, 1158, 1850, 1543, 1566,
        1308, 1566, 1318, 1314, 1322, 1524, 1413, 2018, 1397, 1390, 1288, 747, 738, 747, 965, 934,
        661, 1150, 1254, 1170, 1254, 1194, 758, 1256, 1211, 496, 496, 1124, 496, 1794, 1210, 1228,
        1254, 1254, 771, 1081, 670, 1211, 1151, 1676, 1118, 1151, 1131, 873, 681, 873, 1355,
    ],
    [
        546, 623, 1012, 1308, 1323, 2034, 1338, 641, 755, 755, 1066, 1367, 621, 947, 621, 757,
        1322, 850, 1262, 1284, 1344, 1235, 1290, 1170, 1289, 1290, 621, 646, 1367, 1367, 1367, 1080,
        2012, 1452, 1345, 1502, 1478, 1235, 1207, 1531, 1525, 558, 1178, 1408, 1158, 1869, 1549, 1570,
        1314, 1574, 1327, 1323, 1337, 1516, 1452, 2054, 1435, 1426, 1312, 755, 757, 755, 976, 948,
        690, 1163, 1266, 1182, 1266, 1203, 777, 1269, 1232, 516, 516, 1145, 516, 1819, 1232, 1237,
        1266, 1266, 792, 1103, 697, 1232, 1177, 1698, 1141, 1178, 1145, 902, 708, 902, 1367,
    ],
    [
        516, 658, 1071, 1318, 1332, 2057, 1357, 667, 764, 764, 1105, 1378, 653, 953, 653, 776,
        1351, 866, 1276, 1303, 1364, 1254, 1310, 1180, 1311, 1310, 653, 674, 1378, 1378, 1378, 1113,
        2046, 1490, 1350, 1509, 1479, 1240, 1204, 1534, 1527, 567, 1187, 1440, 1158, 1889, 1555, 1574,
        1321, 1583, 1336, 1332, 1352, 1507, 1490, 2089, 1474, 1461, 1336, 764, 776, 764, 986, 961,
        719, 1176, 1278, 1193, 1278, 1211, 796, 1281, 1254, 536, 536, 1166, 536, 1844, 1253, 1247,
        1278, 1278, 813, 1125, 723, 1254, 1202, 1719, 1165, 1205, 1159, 931, 735, 931, 1378,
    ],
];

/// The upper half of Latin-1, from the no-break space on.
#[rustfmt::skip]
const LATIN: [[u16; 96]; 3] = [
    [
        576, 589, 1170, 1251, 1484, 1126, 553, 1164, 1210, 1872, 929, 1193, 1355, 0, 1364, 978,
        933, 1355, 905, 913, 661, 1200, 1234, 590, 549, 623, 988, 1193, 1643, 1735, 1806, 1047,
        1413, 1413, 1413, 1413, 1413, 1413, 2035, 1496, 1231, 1231, 1231, 1231, 550, 550, 550, 550,
        1505, 1543, 1566, 1566, 1566, 1566, 1566, 1355, 1566, 1524, 1524, 1524, 1524, 1390, 1302, 1262,
        1150, 1150, 1150, 1150, 1150, 1150, 1879, 1170, 1194, 1194, 1194, 1194, 496, 496, 496, 496,
        1193, 1210, 1228, 1228, 1228, 1228, 1228, 1355, 1228, 1211, 1211, 1211, 1211, 1151, 1254, 1151,
    ],
    [
        546, 623, 1182, 1270, 1509, 1140, 600, 1164, 1232, 1872, 936, 1246, 1367, 0, 1361, 952,
        936, 1367, 917, 931, 690, 1229, 1231, 621, 615, 643, 993, 1246, 1673, 1758, 1832, 1080,
        1452, 1452, 1452, 1452, 1452, 1452, 2055, 1502, 1235, 1235, 1235, 1235, 558, 558, 558, 558,
        1522, 1549, 1570, 1570, 1570, 1570, 1570, 1367, 1570, 1516, 1516, 1516, 1516, 1426, 1325, 1290,
        1163, 1163, 1163, 1163, 1163, 1163, 1874, 1182, 1203, 1203, 1203, 1203, 516, 516, 516, 516,
        1204, 1232, 1237, 1237, 1237, 1237, 1237, 1367, 1237, 1232, 1232, 1232, 1232, 1178, 1266, 1178,
    ],
    [
        516, 658, 1193, 1289, 1534, 1154, 647, 1164, 1253, 1872, 943, 1299, 1378, 0, 1359, 925,
        938, 1378, 929, 949, 719, 1258, 1229, 653, 680, 663, 998, 1299, 1702, 1781, 1858, 1113,
        1490, 1490, 1490, 1490, 1490, 1490, 2075, 1509, 1240, 1240, 1240, 1240, 567, 567, 567, 567,
        1539, 1555, 1574, 1574, 1574, 1574, 1574, 1378, 1574, 1507, 1507, 1507, 1507, 1461, 1347, 1318,
        1176, 1176, 1176, 1176, 1176, 1176, 1869, 1193, 1211, 1211, 1211, 1211, 536, 536, 536, 536,
        1216, 1253, 1247, 1247, 1247, 1247, 1247, 1378, 1247, 1254, 1254, 1254, 1254, 1205, 1278, 1205,
    ],
];

/// Signs from elsewhere that the chrome uses or file names often hold.
const OTHER: [(char, [u16; 3]); 18] = [
    ('\u{2026}', [1770, 1864, 1958]),
    ('\u{2013}', [1024, 1024, 1024]),
    ('\u{2014}', [2048, 2048, 2048]),
    ('\u{2018}', [534, 568, 602]),
    ('\u{2019}', [534, 568, 602]),
    ('\u{201c}', [902, 970, 1038]),
    ('\u{201d}', [902, 964, 1027]),
    ('\u{2022}', [1152, 1092, 1031]),
    ('\u{2039}', [787, 819, 851]),
    ('\u{203a}', [787, 819, 851]),
    ('\u{2190}', [1954, 1954, 1954]),
    ('\u{2191}', [1708, 1757, 1805]),
    ('\u{2192}', [1954, 1954, 1954]),
    ('\u{2193}', [1708, 1757, 1805]),
    ('\u{2713}', [1811, 1810, 1808]),
    ('\u{2717}', [1815, 1813, 1811]),
    ('\u{20ac}', [1365, 1377, 1390]),
    ('\u{2212}', [1355, 1367, 1378]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_fit(text: &str, width: f32, expected: &str) {
        assert_eq!(fit(text, width, 10.0, Weight::Regular), expected, "{text} in {width}");
    }

    #[test]
    fn text_that_does_not_fit_ends_in_an_ellipsis() {
        check_fit("limit.rs", 100.0, "limit.rs");
        check_fit("limit.rs", 30.0, "limit…");
        check_fit("limit.rs", 9.0, "…");
        check_fit("limit.rs", 2.0, "");
        check_fit("", 0.0, "");
        check_fit("a very long name", 25.0, "a v…");
        check_fit("日本語日本語", 30.0, "日本…");
    }

    #[test]
    fn a_long_text_is_broken_between_words_and_cut_at_the_end() {
        #[track_caller]
        fn check(text: &str, width: f32, expected: &[&str]) {
            assert_eq!(fit_lines(text, width, 10.0, Weight::Regular, 2), expected, "{text}");
        }
        check("", 60.0, &[]);
        check("run it?", 60.0, &["run it?"]);
        check("run  all\nthe tests?", 60.0, &["run all the", "tests?"]);
        check("run all the tests of it at once", 60.0, &["run all the", "tests of it…"]);
        check("averyveryverylongword", 50.0, &["averyve…"]);
    }

    #[test]
    fn a_path_keeps_its_end() {
        let fitted = fit_end("~/src/trackside/api", 60.0, 10.0, Weight::Regular);
        assert_eq!(fitted, "…ckside/api", "the end of a path");
    }

    #[test]
    fn heavier_text_is_wider() {
        let width = |weight| text_width("Trackside", 13.0, weight);
        assert!(width(Weight::Regular) < width(Weight::Medium), "medium");
        assert!(width(Weight::Medium) < width(Weight::SemiBold), "semibold");
        assert!((width(Weight::Regular) - 60.7).abs() < 0.1, "{}", width(Weight::Regular));
    }
}
