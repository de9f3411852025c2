//! Putting aside what is in the place of a file of ours, under a name that is free. Nothing is lost by it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

/// So many files of one name are kept aside; then the last is replaced.
const MAX_BAD: u32 = 9;

/// Opens it never through a link and never waiting; new ones are for the user alone. A folder, a link and the
/// like in its place are put aside.
pub(crate) fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
    options.mode(0o600).custom_flags(flags.bits());
    let open = || {
        let file = options.open(path)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::other("it is not a regular file")),
        }
    };
    open().or_else(|err| {
        if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
            let aside = set_aside(path)?;
            tracing::warn!("{} was no file and is now {}", path.display(), aside.display());
            return open();
        }
        Err(err)
    })
}

pub(crate) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |n: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".bad-{n}"));
        PathBuf::from(name)
    };
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    let bad = (1..MAX_BAD).map(name).find(is_free).unwrap_or_else(|| name(MAX_BAD));
    fs::rename(path, &bad)?;
    Ok(bad)
}
