//! Whether a file has extended attributes, access control lists among them.

use std::fs::File;

use rustix::io::Errno;

/// Given by the system to every file it makes, so a new file has it too.
const GIVEN_TO_ALL: &[u8] = b"security.selinux";

/// Whether a copy of the content alone would lose attributes; `true` when it cannot be told.
pub(super) fn has_any(file: &File) -> bool {
    let mut names = [0_u8; 1024];
    match rustix::fs::flistxattr(file, &mut names) {
        Ok(len) => names[..len]
            .split(|byte| *byte == 0)
            .any(|name| !name.is_empty() && name != GIVEN_TO_ALL),
        // No attributes on this file system; any other failure may hide some.
        Err(err) => err != Errno::NOTSUP,
    }
}
