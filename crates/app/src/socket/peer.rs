//! Who is at the other end, and whether an agent of ours is among its ancestors.
//!
//! What a process was is all that can be known: it may be gone, or another may have its number,
//! by the time one looks. Use it to withhold trust, not to give it.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::net::UnixStream;

use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};

/// No real process tree is that deep.
const MAX_ANCESTORS: usize = 256;
/// Largest environment looked at; the kernel allows a few megabytes of arguments and variables.
const MAX_ENVIRONMENT: u64 = 8 * 1024 * 1024;

/// The process that connected, as the kernel tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer {
    /// `None` for a process of another PID namespace.
    pub pid: Option<i32>,
    pub uid: u32,
}

impl Peer {
    pub(super) fn of(stream: &UnixStream) -> io::Result<Self> {
        let credentials = getsockopt(stream, PeerCredentials)?;
        let pid = Some(credentials.pid()).filter(|pid| *pid > 0);
        Ok(Self { pid, uid: credentials.uid() })
    }
}

/// The parent of a process, its parent and so on, as far as they can be seen.
pub(crate) fn ancestors(pid: i32) -> Vec<i32> {
    let mut ancestors = Vec::new();
    let mut of = pid;
    while ancestors.len() < MAX_ANCESTORS {
        let Some(parent) = parent(of) else { break };
        // Numbers are reused while we walk, so that the walk may come back to where it was.
        if parent <= 0 || parent == pid || ancestors.contains(&parent) {
            break;
        }
        ancestors.push(parent);
        of = parent;
    }
    ancestors
}

/// Whether the process was started with that variable. One that cannot be looked at was not.
pub(crate) fn environ_has(pid: i32, name: &str) -> bool {
    let mut environment = Vec::new();
    let read = File::open(format!("/proc/{pid}/environ"))
        .and_then(|file| file.take(MAX_ENVIRONMENT).read_to_end(&mut environment));
    let is_it = |variable: &[u8]| {
        variable.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b"="))
    };
    read.is_ok() && environment.split(|byte| *byte == 0).any(is_it)
}

fn parent(pid: i32) -> Option<i32> {
    let mut stat = Vec::new();
    File::open(format!("/proc/{pid}/stat")).ok()?.take(4_096).read_to_end(&mut stat).ok()?;
    parent_in(&stat)
}

/// The fourth field of `stat`. The second is a name that may itself hold brackets and spaces.
pub(super) fn parent_in(stat: &[u8]) -> Option<i32> {
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = str::from_utf8(&stat[name_end + 1..]).ok()?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}
