//! Which programs run, in small files, so that they are found again if the host dies.
//!
//! A record is written before anybody is told of the program and removed when nothing of it is left.
//! Whoever reads one believes no word of it: see [`pty::Orphan`].

use std::fs::{self, DirBuilder};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use base::LogErr as _;
use control::path::is_private;
use nix::fcntl::OFlag;
use serde_json::{Map, Value, json};

const VERSION: u64 = 1;
/// A file longer than this is not ours.
const MAX_BYTES: u64 = 1024 * 1024;

/// What is written down of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    pub pid: i32,
    pub start_ticks: u64,
    pub boot_id: String,
    pub mark: String,
    pub name: String,
    pub label: Value,
    /// The host's number and start time.
    pub host: (i32, u64),
}

/// The folder of the records.
#[derive(Debug, Clone)]
pub(crate) struct Records(PathBuf);

impl Records {
    pub(crate) fn of(state_dir: &Path) -> Self {
        Self(state_dir.join("host").join("pids"))
    }

    /// Writes the record beside its place, then puts it there.
    pub(crate) fn write(&self, record: &Record) -> io::Result<PathBuf> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
        if !is_private(&self.0, nix::unistd::geteuid().as_raw()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let path = self.0.join(format!("{}-{}.json", record.pid, record.start_ticks));
        let new = path.with_extension("new");
        match fs::remove_file(&new) {
            Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
            Ok(()) | Err(_) => {}
        }
        let mut file = options().write(true).create_new(true).open(&new)?;
        file.write_all(record.to_json().to_string().as_bytes())?;
        fs::rename(&new, &path)?;
        Ok(path)
    }
}

pub(crate) fn remove(path: &Path) {
    match fs::remove_file(path) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => {}
        result => drop(result.log_err("removing the record of a program")),
    }
}

/// The paths of all records, in order; none where there is no folder.
pub(crate) fn paths(state_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(Records::of(state_dir).0) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let is_record = |path: &PathBuf| path.extension().is_some_and(|it| it == "json");
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_record).collect();
    paths.sort();
    Ok(paths)
}

impl Record {
    fn to_json(&self) -> Value {
        json!({
            "version": VERSION,
            "pid": self.pid,
            "start_ticks": self.start_ticks,
            "boot_id": self.boot_id,
            "group": self.pid,
            "mark": self.mark,
            "name": self.name,
            "label": self.label,
            "host": { "pid": self.host.0, "start_ticks": self.host.1 },
        })
    }
}

/// Why a file gives no record.
#[derive(Debug)]
pub(crate) enum Unread {
    /// It has just been removed.
    Gone,
    /// The system does not let us; the file may be fine.
    Unreadable(String),
    /// It is none of ours, or of another version.
    Bad(String),
}

pub(crate) fn read(path: &Path) -> Result<Record, Unread> {
    let unread = |err: io::Error| match err.raw_os_error() {
        Some(nix::libc::ENOENT) => Unread::Gone,
        Some(nix::libc::ELOOP) => Unread::Bad("a link".to_owned()),
        Some(nix::libc::ENXIO) => Unread::Bad("not a regular file".to_owned()),
        _ => Unread::Unreadable(err.to_string()),
    };
    let file = options().open(path).map_err(unread)?;
    if !file.metadata().map_err(unread)?.is_file() {
        return Err(Unread::Bad("not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(unread)?;
    parse(&bytes).map_err(Unread::Bad)
}

/// The record, or in a few words why there is none.
fn parse(bytes: &[u8]) -> Result<Record, String> {
    let fields: Map<String, Value> =
        serde_json::from_slice(bytes).map_err(|err| format!("not a record: {err}"))?;
    match fields.get("version").and_then(Value::as_u64) {
        Some(VERSION) => {}
        Some(version) => return Err(format!("of version {version}, this is {VERSION}")),
        None => return Err("not a record: it has no version".to_owned()),
    }
    let mut fields = Value::Object(fields);
    let missing = |name: &str| format!("not a record: `{name}` is missing or no such value");
    let number = |fields: &Value, name: &str| {
        fields[name].as_i64().and_then(|it| i32::try_from(it).ok()).ok_or_else(|| missing(name))
    };
    let ticks =
        |fields: &Value| fields["start_ticks"].as_u64().ok_or_else(|| missing("start_ticks"));
    let text = |name: &str| fields[name].as_str().map(str::to_owned).ok_or_else(|| missing(name));
    Ok(Record {
        pid: number(&fields, "pid")?,
        start_ticks: ticks(&fields)?,
        boot_id: text("boot_id")?,
        mark: text("mark")?,
        name: text("name")?,
        host: (number(&fields["host"], "pid")?, ticks(&fields["host"])?),
        label: fields["label"].take(),
    })
}

/// Never through a link, never waiting, and for the user alone.
fn options() -> fs::OpenOptions {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let mut options = fs::OpenOptions::new();
    options.read(true).mode(0o600).custom_flags(flags.bits());
    options
}
