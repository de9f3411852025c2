//! One file of the state folder, read and written whole.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The form that is written; what has another number is not understood.
const VERSION: u32 = 1;
/// A file longer than this is not ours.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// How many bad files are kept; the last place is used again and again.
const MAX_BAD: u32 = 99;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is being changed by another Trackside; try again", path.display())]
    Locked { path: PathBuf },
    #[error("{} cannot be remembered, as its name is not UTF-8 text", path.display())]
    NotText { path: PathBuf },
}

/// What a file holds, and what had to be done to read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded<T> {
    pub value: T,
    /// Where a file went that could not be understood.
    pub set_aside: Option<PathBuf>,
}

/// What the file holds; a missing one holds the default.
pub(crate) fn load<T: DeserializeOwned + Default>(path: &Path) -> Result<Loaded<T>, StoreError> {
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        Err(err) if err.kind() == io::ErrorKind::NotFound => {
            return Ok(Loaded { value: T::default(), set_aside: None });
        }
        Err(err) if err.kind() == io::ErrorKind::InvalidData => Vec::new(),
        // A link in its place.
        Err(err) if err.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            Vec::new()
        }
        Err(source) => return Err(StoreError::Read { path: path.to_owned(), source }),
    };
    match parse(&bytes) {
        Some(value) => Ok(Loaded { value, set_aside: None }),
        None => Ok(Loaded { value: T::default(), set_aside: Some(set_aside(path)?) }),
    }
}

/// Changes what the file holds, or leaves all as it was.
pub(crate) fn change<T: DeserializeOwned + Serialize + Default>(
    path: &Path,
    change: impl FnOnce(&mut T),
) -> Result<Loaded<T>, StoreError> {
    let failed = |source| StoreError::Write { path: path.to_owned(), source };
    let folder = path.parent().unwrap_or(Path::new("/"));
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    let lock = options().write(true).create(true).open(path.with_extension("lock"));
    let lock = lock.map_err(failed)?;
    lock.try_lock().map_err(|err| match err {
        // Nobody holds it for longer than a write takes: to wait would be to wait for a stranger.
        fs::TryLockError::WouldBlock => StoreError::Locked { path: path.to_owned() },
        fs::TryLockError::Error(source) => failed(source),
    })?;
    let mut loaded = load::<T>(path)?;
    change(&mut loaded.value);
    let bytes = to_bytes(&loaded.value).map_err(|err| failed(err.into()))?;
    replace(path, folder, &bytes).map_err(failed)?;
    Ok(loaded)
}

/// `None` for what is not exactly of our form, so that nothing of it is lost by writing it again.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut fields: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    let version = fields.remove("version")?;
    let value = (version == VERSION).then_some(Value::Object(fields))?;
    serde_json::from_value(value).ok()
}

fn to_bytes(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut value = serde_json::to_value(value)?;
    value["version"] = VERSION.into();
    serde_json::to_vec_pretty(&value)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let not_ours = || io::Error::from(io::ErrorKind::InvalidData);
    let file = options().read(true).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(not_ours());
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(not_ours()) } else { Ok(bytes) }
}

/// Writes beside the file, then takes its place.
fn replace(path: &Path, folder: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    // A rest of a run that was cut short; under our lock it is nobody else's.
    match fs::remove_file(&new) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
        Ok(()) | Err(_) => {}
    }
    let mut file = options().write(true).create_new(true).open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    File::open(folder)?.sync_all()
}

/// Never through a link, never waiting, and for the user alone.
pub(crate) fn options() -> OpenOptions {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut options = OpenOptions::new();
    options.mode(0o600).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    options
}

/// Moves what is there out of the way, under a name that is free.
pub(crate) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let bad = bad_name(path);
    let moved = fs::rename(path, &bad);
    moved.map_err(|source| StoreError::Write { path: path.to_owned(), source })?;
    Ok(bad)
}

/// Keeps what is there under such a name as well, until something else takes its place.
pub(crate) fn link_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let bad = bad_name(path);
    let link = || {
        // Of the last name there may already be one.
        match fs::remove_file(&bad) {
            Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
            Ok(()) | Err(_) => {}
        }
        // Not every file system has links.
        fs::hard_link(path, &bad).or_else(|_| fs::copy(path, &bad).map(drop))
    };
    link().map_err(|source| StoreError::Write { path: bad.clone(), source })?;
    Ok(bad)
}

fn bad_name(path: &Path) -> PathBuf {
    let name = |n: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".bad-{n}"));
        PathBuf::from(name)
    };
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    (1..MAX_BAD).map(name).find(is_free).unwrap_or_else(|| name(MAX_BAD))
}

#[cfg(test)]
mod tests;
