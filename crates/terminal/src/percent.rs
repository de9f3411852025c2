//! Reading addresses that spell bytes as `%20`.

/// The bytes that are meant; `None` where a percent sign is not followed by two digits.
pub fn percent_decoded(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let (byte, left) = match (first, after) {
            (b'%', [high, low, left @ ..]) => (digit(*high)? << 4 | digit(*low)?, left),
            (b'%', _) => return None,
            (byte, left) => (*byte, left),
        };
        bytes.push(byte);
        rest = left;
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let expected = expected.map(|it| it.as_bytes().to_vec());
        assert_eq!(percent_decoded(text.as_bytes()), expected, "{text:?}");
    }

    #[test]
    fn two_digits_make_a_byte_and_anything_else_is_refused() {
        check("", Some(""));
        check("/a%20b", Some("/a b"));
        check("%C3%a9%25", Some("é%"));
        check("日%41", Some("日A"));
        check("a%", None);
        check("a%4", None);
        check("a%zz", None);
        // Numbers may be read with a sign elsewhere, but not here.
        check("a%+5", None);
    }
}
