//! Who a process at the other end is, and whether an agent of ours is among its ancestors.
//!
//! What a process was is all that can be known: it may be gone, or another may have its number,
//! by the time one looks. Use it to withhold trust, not to give it.

use std::fs::File;
use std::io::Read;

/// No real process tree is that deep.
const MAX_ANCESTORS: usize = 256;
/// Largest environment looked at; the kernel allows a few megabytes of arguments and variables.
const MAX_ENVIRONMENT: u64 = 8 * 1024 * 1024;

/// The parent of a process, its parent and so on, up to the first of all.
///
/// `None` where that cannot be seen, as for a process that is gone: whoever asks must not take it
/// for an innocent one, since a descendant can connect, hand its socket over and end.
pub fn ancestors(pid: i32) -> Option<Vec<i32>> {
    let mut ancestors = Vec::new();
    let mut of = pid;
    while ancestors.len() < MAX_ANCESTORS {
        let parent = parent(of)?;
        if parent <= 0 {
            return Some(ancestors);
        }
        // Numbers are reused while we walk, so that the walk may come back to where it was.
        if parent == pid || ancestors.contains(&parent) {
            return None;
        }
        ancestors.push(parent);
        of = parent;
    }
    None
}

/// Whether the process was started with that variable; `None` where it cannot be looked at.
pub fn environ_has(pid: i32, name: &str) -> Option<bool> {
    Some(!environ_values(pid, name)?.is_empty())
}

/// Whether it was started with that variable set to just this.
pub fn environ_is(pid: i32, name: &str, value: &str) -> Option<bool> {
    let values = environ_values(pid, name)?;
    Some(!values.is_empty() && values.iter().all(|it| it == value.as_bytes()))
}

/// A variable may be there more than once.
fn environ_values(pid: i32, name: &str) -> Option<Vec<Vec<u8>>> {
    let mut environment = Vec::new();
    let file = File::open(format!("/proc/{pid}/environ")).ok()?;
    file.take(MAX_ENVIRONMENT).read_to_end(&mut environment).ok()?;
    let value = |variable: &[u8]| {
        let rest = variable.strip_prefix(name.as_bytes())?;
        rest.strip_prefix(b"=").map(<[u8]>::to_vec)
    };
    Some(environment.split(|byte| *byte == 0).filter_map(value).collect())
}

fn parent(pid: i32) -> Option<i32> {
    let mut stat = Vec::new();
    File::open(format!("/proc/{pid}/stat")).ok()?.take(4_096).read_to_end(&mut stat).ok()?;
    parent_in(&stat)
}

/// The fourth field of `stat`. The second is a name that may itself hold brackets and spaces.
pub fn parent_in(stat: &[u8]) -> Option<i32> {
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = str::from_utf8(&stat[name_end + 1..]).ok()?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}
