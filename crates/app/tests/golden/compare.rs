//! Whether two pictures are the same to the eye, and what to do when they are not.
//!
//! Equal bytes pass. So does what another version of the software adapter may do to the edges of
//! letters ([`MAX_DIFFERENCE`], [`MEAN_DIFFERENCE`]); anything that moved by a pixel or changed its
//! colour does not. Of a picture that differs, what was drawn and where it differs are left in
//! `target/golden`.

use std::path::{Path, PathBuf};

use crate::picture::Picture;

/// How far one channel of one pixel may be off, of 255.
const MAX_DIFFERENCE: u8 = 12;
/// How far all channels may be off on average.
const MEAN_DIFFERENCE: f64 = 0.05;

/// The picture to replace, or `all`; see `cargo xtask golden`.
pub(crate) fn accepted() -> Option<String> {
    std::env::var("TRACKSIDE_ACCEPT_GOLDEN").ok().filter(|name| !name.is_empty())
}

pub(crate) fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/golden")
}

fn target_folder() -> PathBuf {
    // `target/tmp` is made for each integration test; pictures belong beside it.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder");
    target.join("golden")
}

#[track_caller]
pub(crate) fn check(name: &str, drawn: &Picture) {
    let path = golden_folder().join(format!("{name}.png"));
    let golden = Picture::read(&path);
    if golden.as_ref() == Some(drawn) {
        return;
    }
    if accepted().is_some_and(|wanted| wanted == "all" || wanted == name) {
        drawn.write(&path);
        eprintln!("accepted {}", path.display());
        return;
    }
    let Some(complaint) = complaint(golden.as_ref(), drawn) else { return };
    let got = target_folder().join(format!("{name}.got.png"));
    drawn.write(&got);
    let diff = golden.filter(|golden| has_the_size_of(golden, drawn)).map(|golden| {
        let path = target_folder().join(format!("{name}.diff.png"));
        difference(&golden, drawn).write(&path);
        format!(", {}", path.display())
    });
    panic!(
        "{name}: {complaint}\n  look at {}{}\n  accept it by `cargo xtask golden --accept {name}`",
        got.display(),
        diff.unwrap_or_default(),
    );
}

/// What is wrong with the drawn picture, if anything is.
fn complaint(golden: Option<&Picture>, drawn: &Picture) -> Option<String> {
    let Some(golden) = golden else { return Some("there is no such picture yet".to_owned()) };
    if !has_the_size_of(golden, drawn) {
        let size = |picture: &Picture| format!("{}x{}", picture.width, picture.height);
        return Some(format!("is {} instead of {}", size(drawn), size(golden)));
    }
    let max = differences(golden, drawn).max().unwrap_or(0);
    let sum: u64 = differences(golden, drawn).map(u64::from).sum();
    #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
    let mean = sum as f64 / drawn.rgb.len().max(1) as f64;
    let is_same = max <= MAX_DIFFERENCE && mean <= MEAN_DIFFERENCE;
    (!is_same).then(|| {
        format!(
            "differs by up to {max} (at most {MAX_DIFFERENCE}), on average by {mean:.4} (at most \
             {MEAN_DIFFERENCE})"
        )
    })
}

fn has_the_size_of(golden: &Picture, drawn: &Picture) -> bool {
    (golden.width, golden.height) == (drawn.width, drawn.height)
}

fn differences(golden: &Picture, drawn: &Picture) -> impl Iterator<Item = u8> {
    golden.rgb.iter().zip(&drawn.rgb).map(|(expected, got)| expected.abs_diff(*got))
}

/// The golden picture, faded, with what differs in red.
fn difference(golden: &Picture, drawn: &Picture) -> Picture {
    let pairs = golden.rgb.chunks_exact(3).zip(drawn.rgb.chunks_exact(3));
    let rgb = pairs.flat_map(|(expected, got)| {
        let luma = expected.iter().map(|channel| u16::from(*channel)).sum::<u16>() / 3;
        let faded = u8::try_from(192 + luma / 5).unwrap_or(u8::MAX);
        if expected == got { [faded; 3] } else { [220, 0, 40] }
    });
    Picture { rgb: rgb.collect(), ..*golden }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of one colour against another of the same size, but for one pixel.
    #[track_caller]
    fn check(golden: u8, drawn: u8, spot: u8, is_fine: bool) {
        let plain = |channel| Picture { width: 20, height: 20, rgb: vec![channel; 1200] };
        let mut picture = plain(drawn);
        picture.rgb[600] = spot;
        let complaint = complaint(Some(&plain(golden)), &picture);
        assert_eq!(complaint.is_none(), is_fine, "{golden} {drawn} {spot}: {complaint:?}");
    }

    #[test]
    fn only_faint_differences_in_few_places_are_forgiven() {
        check(100, 100, 100, true);
        check(100, 100, 112, true);
        check(100, 100, 113, false);
        check(100, 101, 101, false);
    }

    #[test]
    fn another_size_and_none_at_all_are_told() {
        let picture = |width| Picture { width, height: 1, rgb: vec![0; 3 * width as usize] };
        let told = |golden: Option<Picture>| complaint(golden.as_ref(), &picture(2));
        assert_eq!(told(Some(picture(3))).as_deref(), Some("is 2x1 instead of 3x1"));
        assert_eq!(told(None).as_deref(), Some("there is no such picture yet"));
        assert_eq!(told(Some(picture(2))), None);
    }
}
