//! Where pasted images go, and how their paths are typed.

use std::os::unix::fs::PermissionsExt as _;

use super::*;

/// A picture without content: all of its pixels are the same.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![0; (width * height) as usize]).unwrap();
    writer.finish().unwrap();
    bytes
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn images_are_kept_by_time_and_number_for_their_owner_alone() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("trackside/pasted");
    for name in ["7-1.png", "7-2.png", "7-3.png"] {
        let path = keep(&folder, &png(2, 2), 7).unwrap();
        assert_eq!(path, folder.join(name), "the next free name");
    }
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700, "the folder");
    assert_eq!(mode(&folder.join("7-1.png")), 0o600, "the file");
    assert_eq!(fs::read(folder.join("7-2.png")).unwrap(), png(2, 2), "as it was");
}

#[test]
fn old_images_are_removed() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..MAX_KEPT + 20 {
        let path = dir.path().join(format!("{number}-1.png"));
        let file = fs::File::create(&path).unwrap();
        let age = std::time::Duration::from_secs(1_000_000 - number as u64);
        file.set_modified(SystemTime::now() - age).unwrap();
    }
    fs::write(dir.path().join("notes.txt"), "").unwrap();
    keep(dir.path(), &png(1, 1), 999_999).unwrap();
    let left = names(dir.path());
    assert_eq!(left.len(), MAX_KEPT + 1, "as many as are kept, and what is no image");
    assert!(left.contains(&"999999-1.png".to_owned()), "the new one is there");
    assert!(!left.contains(&"0-1.png".to_owned()), "the oldest is not");
    assert!(left.contains(&"notes.txt".to_owned()), "nothing else is touched");
}

#[test]
fn what_is_no_image_or_a_huge_one_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |bytes: &[u8]| keep(dir.path(), bytes, 1).unwrap_err().to_string();
    assert!(refused(b"GIF89a").contains("no PNG"), "another kind");
    // Little to fetch, much to decode.
    let huge = refused(&png(4096, 2049));
    assert!(huge.contains("too large to be pasted: 4096 by 2049"), "{huge}");
    keep(dir.path(), &png(4096, 2048), 1).expect("as large as may be");
}

#[track_caller]
fn check_quoted(path: &str, expected: &str) {
    assert_eq!(quoted(Path::new(path)), expected, "{path}");
}

#[test]
fn paths_are_one_word_for_a_shell() {
    check_quoted("/home/me/.cache/x/7-1.png", "/home/me/.cache/x/7-1.png");
    check_quoted("/home/a b/7-1.png", "'/home/a b/7-1.png'");
    check_quoted("/home/$(id)/it's.png", r"'/home/$(id)/it'\''s.png'");
}
