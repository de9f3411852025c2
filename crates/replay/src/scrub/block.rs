//! Keys that are printed as a block of lines, such as PEM: their lines have `/` in them, and the last one is
//! short, so that none looks like a secret by itself.
//!
//! What was recorded may begin or end in the midst of a block, without the line that names it.

use super::Line;
use super::find::is_mixed;

/// Of a full line: PEM and PGP, OpenSSH, MIME.
const FULL: [usize; 3] = [64, 70, 76];
/// More lines no key has.
const MAX_LINES: usize = 256;

/// Goes over lines in the order in which they stand.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Its beginning was seen, or a full line of it, and not its end.
    is_inside: bool,
    /// Lines just above that may belong to one.
    above: Vec<Line>,
}

impl Block {
    /// The lines that are now known to be a key's, this one or those above it.
    pub(super) fn take(&mut self, line: &Line) -> Vec<Line> {
        let text = line.text.trim();
        let is_of_key = text.contains("PRIVATE KEY");
        if is_of_key && text.contains("-----BEGIN ") {
            self.is_inside = true;
            self.above.clear();
            Vec::new()
        } else if is_of_key && text.contains("-----END ") {
            self.is_inside = false;
            std::mem::take(&mut self.above)
        } else if is_body(text) {
            self.is_inside |= FULL.contains(&text.len()) && is_mixed(text);
            if self.is_inside {
                return vec![line.clone()];
            }
            if self.above.len() < MAX_LINES {
                self.above.push(line.clone());
            }
            Vec::new()
        } else {
            // `Proc-Type: 4,ENCRYPTED` and the blank line below stand above the key.
            self.is_inside &= text.is_empty() || text.contains(": ");
            if !text.is_empty() {
                self.above.clear();
            }
            Vec::new()
        }
    }
}

fn is_body(text: &str) -> bool {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    !text.is_empty() && text.bytes().all(is_base64)
}
