//! CRC-32C (Castagnoli), by which a record shows that it is whole.

const TABLE: [u32; 256] = table();

pub(crate) fn crc32c(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        let [low, ..] = crc.to_le_bytes();
        (crc >> 8) ^ TABLE[usize::from(low ^ byte)]
    };
    !bytes.iter().fold(!0, step)
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "it is less than 256")]
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            let odd = value & 1 == 1;
            value >>= 1;
            if odd {
                value ^= 0x82f6_3b78;
            }
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums_come_out() {
        assert_eq!(crc32c(b""), 0, "of nothing");
        assert_eq!(crc32c(b"123456789"), 0xe306_9283, "the usual check");
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa, "RFC 3720, B.4");
    }
}
