//! Base64 as programs wrap texts in it: the standard alphabet, padding optional.

/// `None` when it is not base64.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let digits = &text[..text.len() - padding];
    if padding > 2 || (padding > 0 && !text.len().is_multiple_of(4)) || digits.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let mut bits: u32 = 0;
        for digit in group {
            bits = bits << 6 | u32::from(value(*digit)?);
        }
        bits <<= 6 * (4 - group.len());
        let [_, whole @ ..] = bits.to_be_bytes();
        bytes.extend_from_slice(&whole[..group.len() - 1]);
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let decoded = decode(text.as_bytes());
        assert_eq!(decoded, expected.map(|text| text.as_bytes().to_vec()), "{text:?}");
    }

    #[test]
    fn padding_is_optional() {
        check("", Some(""));
        check("YQ==", Some("a"));
        check("YQ", Some("a"));
        check("YWI=", Some("ab"));
        check("YWJj", Some("abc"));
        check("4pyTIMOp", Some("✓ é"));
        check("Pz8+Pj8/", Some("??>>??"));
    }

    #[test]
    fn nonsense_is_refused() {
        check("Y", None);
        check("YQ=", None);
        check("YQ===", None);
        check("Y=Q=", None);
        check("YW J", None);
        check("YW-_", None);
    }
}
