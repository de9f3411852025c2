//! The algebra of changes, against plain strings.

use proptest::prelude::*;
use ropey::Rope;

use super::*;

/// Writes a change as `=2 +"ab" -3`.
fn show(change: &ChangeSet) -> String {
    let show = |operation: &Operation| match operation {
        Operation::Retain(len) => format!("={len}"),
        Operation::Delete(len) => format!("-{len}"),
        Operation::Insert(text) => format!("+{text:?}"),
    };
    change.operations.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn replacing(len: usize, edits: &[(Range<usize>, &str)]) -> ChangeSet {
    ChangeSet::replacing(len, edits.iter().map(|(range, text)| (range.clone(), (*text).to_owned())))
}

fn applied(change: &ChangeSet, text: &str) -> String {
    let mut rope = Rope::from_str(text);
    change.apply(&mut rope).expect("made for this text");
    rope.to_string()
}

#[test]
fn many_ranges_are_replaced_at_once() {
    let change = replacing(6, &[(0..1, "X"), (2..2, "YY"), (4..6, "")]);
    assert_eq!(show(&change), r#"+"X" -1 =1 +"YY" =2 -2"#, "in order");
    assert_eq!(applied(&change, "abcdef"), "XbYYcd", "each at its place");
}

#[test]
fn a_change_refuses_a_text_of_another_length() {
    let mut rope = Rope::from_str("abc");
    let refused = replacing(2, &[(0..1, "x")]).apply(&mut rope);
    assert_eq!(refused, Err(ChangeMismatch { expected: 2, actual: 3 }), "and says why");
    assert_eq!(rope.to_string(), "abc", "and leaves it alone");
}

#[test]
fn positions_follow_the_text_around_them() {
    let change = replacing(6, &[(2..4, "XYZ")]);
    let check = |at: usize, before: usize, after: usize| {
        assert_eq!(change.map_position(at, Bias::Before), before, "{at} before");
        assert_eq!(change.map_position(at, Bias::After), after, "{at} after");
    };
    check(0, 0, 0);
    check(1, 1, 1);
    check(2, 2, 5);
    check(3, 5, 5);
    check(4, 5, 5);
    check(6, 7, 7);
}

#[test]
fn typing_composes_into_one_insertion() {
    let change = replacing(2, &[(1..1, "x")]).compose(replacing(3, &[(2..2, "y")]));
    assert_eq!(show(&change), r#"=1 +"xy" =1"#, "as if typed at once");
    let gone = change.compose(replacing(4, &[(1..3, "")]));
    assert!(gone.is_identity(), "what was typed and erased never was: {}", show(&gone));
}

/// A text and edits that fit it: pairs of a place (as a share of the text) and a replacement.
fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof!["[a-c]", Just("\r\n".to_owned()), "[é日\u{301}🇩]"], 0..40)
        .prop_map(|parts| parts.concat())
}

fn edits() -> impl Strategy<Value = Vec<(u16, u16, String)>> {
    proptest::collection::vec((any::<u16>(), any::<u16>(), text()), 0..4)
}

fn fit(text: &str, edits: &[(u16, u16, String)]) -> ChangeSet {
    let len = text.chars().count();
    let place = |share: u16| usize::from(share) % (len + 1);
    let mut places: Vec<usize> =
        edits.iter().flat_map(|(a, b, _)| [place(*a), place(*b)]).collect();
    places.sort_unstable();
    let ranges = places.chunks(2).map(|pair| pair[0]..pair[1]);
    ChangeSet::replacing(len, ranges.zip(edits.iter().map(|(_, _, text)| text.clone())))
}

proptest! {
    #[test]
    fn applying_the_inverse_gives_the_text_back(text in text(), edits in edits()) {
        let change = fit(&text, &edits);
        let inverse = change.invert(&Rope::from_str(&text)).expect("made for this text");
        let changed = applied(&change, &text);
        prop_assert_eq!(applied(&inverse, &changed), text.clone());
        let again = inverse.invert(&Rope::from_str(&changed)).expect("made for this text");
        prop_assert_eq!(applied(&again, &text), changed);
        prop_assert_eq!(change.len_before(), text.chars().count());
    }

    #[test]
    fn composing_is_applying_one_after_the_other(
        text in text(), first in edits(), second in edits(), third in edits(),
    ) {
        let first = fit(&text, &first);
        let middle = applied(&first, &text);
        let second = fit(&middle, &second);
        let end = applied(&second, &middle);
        let third = fit(&end, &third);
        let both = first.clone().compose(second.clone());
        prop_assert_eq!(applied(&both, &text), end.clone());
        prop_assert_eq!(both.len_after(), end.chars().count());
        let left = both.compose(third.clone());
        let right = first.compose(second.compose(third.clone()));
        prop_assert_eq!(applied(&left, &text), applied(&third, &end));
        prop_assert_eq!(applied(&right, &text), applied(&third, &end));
    }

    #[test]
    fn positions_stay_in_order_and_in_the_text(text in text(), edits in edits()) {
        let change = fit(&text, &edits);
        let mut last = 0;
        for at in 0..=change.len_before() {
            let before = change.map_position(at, Bias::Before);
            let after = change.map_position(at, Bias::After);
            prop_assert!(last <= before && before <= after && after <= change.len_after());
            last = before;
        }
    }
}
