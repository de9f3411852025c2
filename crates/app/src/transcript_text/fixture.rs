//! Transcripts made by hand.

use std::fs;
use std::path::Path;

use host::Transcript;

/// Pieces of output, each with the moment it came at and the size of the terminal.
pub(crate) struct Fixture(tempfile::TempDir);

impl Fixture {
    pub(crate) fn new(pieces: &[(u64, (u16, u16), &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (mut raw, mut index) = (String::new(), String::new());
        for (ms, (columns, rows), text) in pieces {
            let at = raw.len();
            index.push_str(&format!(
                "{{\"at\":{at},\"ms\":{ms},\"columns\":{columns},\"rows\":{rows}}}\n"
            ));
            raw.push_str(text);
        }
        fs::write(dir.path().join("0000000000000000.raw"), raw).unwrap();
        fs::write(dir.path().join("0000000000000000.index"), index).unwrap();
        Self(dir)
    }

    pub(crate) fn open(&self) -> Transcript {
        Transcript::open(self.0.path()).unwrap()
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}
