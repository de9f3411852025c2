//! What runs inside the terminals that are compared: a copy of this program.
//!
//! It reports over a socket, since the terminal itself is what is measured. All it needs to know of
//! the terminal it asks the terminal, by escape sequences that both sides of a comparison answer.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};

use crate::clock;

/// First argument of a copy that obeys [`Inner`].
pub(crate) const OBEY: &str = "--inner-obey";
/// First argument of a copy that writes a file again and again.
pub(crate) const FLOOD: &str = "--inner-flood";

/// As much as a program like `cat` writes at once.
const CHUNK: usize = 128 * 1024;

/// The terminal's size as the program inside is told it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    /// Of a cell, in pixels.
    pub(crate) cell: (u32, u32),
}

/// Where copies report to.
#[derive(Debug)]
pub(crate) struct Desk {
    listener: UnixListener,
    pub(crate) path: PathBuf,
}

/// A copy inside a terminal, seen from outside.
#[derive(Debug)]
pub(crate) struct Inner(BufReader<UnixStream>);

impl Desk {
    pub(crate) fn open(path: PathBuf) -> Result<Self> {
        let listener = UnixListener::bind(&path)?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener, path })
    }

    /// Waits until a copy has reported.
    pub(crate) fn accept(&self) -> Result<Inner> {
        let stream =
            clock::wait_for("the program inside", Duration::from_millis(5), || {
                match self.listener.accept() {
                    Ok((stream, _)) => Ok(Some(stream)),
                    Err(err) if err.kind() == std::io::ErrorKind::WouldBlock => Ok(None),
                    Err(err) => Err(err.into()),
                }
            })?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_secs(300)))?;
        Ok(Inner(BufReader::new(stream)))
    }
}

impl Inner {
    /// How long the terminal took to read, parse and answer after the whole file.
    pub(crate) fn cat(&mut self, file: &Path) -> Result<Duration> {
        let nanoseconds = self.ask(&format!("cat {}", file.display()))?;
        Ok(Duration::from_nanos(nanoseconds.parse()?))
    }

    /// From now on every key changes a block of cells, and nothing else is obeyed.
    pub(crate) fn flip_at_keys(&mut self) -> Result<()> {
        self.ask("flip").map(drop)
    }

    pub(crate) fn size(&mut self) -> Result<Told> {
        let reply = self.ask("size")?;
        let numbers: Vec<u32> = reply.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [columns, rows, width, height] = numbers[..] else { bail!("a size, not `{reply}`") };
        ensure!(columns > 0 && rows > 0, "the terminal has no cells");
        Ok(Told { columns, rows, cell: (width / columns, height / rows) })
    }

    fn ask(&mut self, command: &str) -> Result<String> {
        self.0.get_mut().write_all(format!("{command}\n").as_bytes())?;
        let mut reply = String::new();
        self.0.read_line(&mut reply).with_context(|| format!("asking the inside to {command}"))?;
        ensure!(!reply.is_empty(), "the program inside ended while asked to {command}");
        Ok(reply.trim_end().to_owned())
    }
}

/// Does what it is told over the socket, until that is closed.
pub(crate) fn obey(socket: &str) -> Result<()> {
    raw_mode()?;
    let mut reports = UnixStream::connect(socket)?;
    for command in BufReader::new(reports.try_clone()?).lines() {
        let command = command?;
        let reply = match command.split_once(' ') {
            Some(("cat", file)) => cat(&fs::read(file)?)?.as_nanos().to_string(),
            _ if command == "size" => size()?,
            _ => clear()?,
        };
        reports.write_all(format!("{reply}\n").as_bytes())?;
        if command == "flip" {
            return flip();
        }
    }
    Ok(())
}

fn clear() -> Result<String> {
    query(b"\x1b[?25l\x1b[2J\x1b[H\x1b[5n", b'n')?;
    Ok("cleared".to_owned())
}

fn cat(bytes: &[u8]) -> Result<Duration> {
    // An empty screen without history, and nothing of the round before still to be read.
    query(b"\x1bc\x1b[5n", b'n')?;
    let (done, time) = clock::timed(|| -> Result<()> {
        let mut stdout = std::io::stdout().lock();
        for chunk in bytes.chunks(CHUNK) {
            stdout.write_all(chunk)?;
        }
        query(b"\x1b\\\r\n\x1b[5n", b'n')?;
        Ok(())
    });
    done?;
    Ok(time)
}

/// `COLUMNS ROWS WIDTH HEIGHT`, the latter two in pixels.
fn size() -> Result<String> {
    let cells = query(b"\x1b[18t", b't')?;
    let pixels = query(b"\x1b[14t", b't')?;
    let pair = |reply: &str| {
        let mut numbers = reply.trim_end_matches('t').split(';').skip(1);
        let first = numbers.next().unwrap_or("0").to_owned();
        (first, numbers.next().unwrap_or("0").to_owned())
    };
    let ((rows, columns), (height, width)) = (pair(&cells), pair(&pixels));
    Ok(format!("{columns} {rows} {width} {height}"))
}

/// Asks the terminal and reads its answer up to the byte that ends it.
fn query(question: &[u8], end: u8) -> Result<String> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(question)?;
    stdout.flush()?;
    let mut answer = Vec::new();
    for byte in std::io::stdin().lock().bytes() {
        answer.push(byte?);
        if answer.ends_with(&[end]) {
            return Ok(String::from_utf8_lossy(&answer).into_owned());
        }
    }
    bail!("the terminal closed instead of answering")
}

/// Changes eight cells in the corner whenever a key arrives.
fn flip() -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    let mut is_lit = false;
    for key in std::io::stdin().lock().bytes() {
        key?;
        is_lit = !is_lit;
        let block: &[u8] =
            if is_lit { b"\x1b[H\x1b[7m        \x1b[m" } else { b"\x1b[H\x1b[m        " };
        stdout.write_all(block)?;
        stdout.flush()?;
    }
    Ok(())
}

/// Writes a file over and over until the terminal closes.
pub(crate) fn flood(file: &str) -> Result<()> {
    let bytes = fs::read(file)?;
    let mut stdout = std::io::stdout().lock();
    loop {
        stdout.write_all(&bytes)?;
    }
}

pub(crate) fn raw_mode() -> Result<()> {
    let stdin = std::io::stdin();
    let mut attributes = tcgetattr(&stdin)?;
    cfmakeraw(&mut attributes);
    tcsetattr(&stdin, SetArg::TCSANOW, &attributes)?;
    Ok(())
}
