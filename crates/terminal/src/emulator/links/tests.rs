use super::*;

#[test]
fn the_same_link_has_the_same_number_and_old_ones_are_forgotten() {
    let mut links = Links::default();
    let first = links.number(None, "http://a");
    assert_ne!(first, 0, "0 stands for none");
    assert_eq!(links.number(None, "http://a"), first, "asked again");
    assert_ne!(links.number(Some("x"), "http://a"), first, "another id");
    assert_eq!(links.target(first), Some("http://a"), "remembered");
    for number in 0..MAX_LINKS {
        links.number(None, &number.to_string());
    }
    assert_eq!(links.target(first), None, "forgotten");
    assert_eq!(links.target(0), None, "never one");
}
