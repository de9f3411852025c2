//! Running a program to its end without a terminal, for what it prints.
//!
//! Meant for programs that cannot be trusted to end, such as a shell with a person's start-up files:
//! whatever happens, it takes no longer than it may, and nothing of a program that had to be cut
//! short is left.

mod callers;

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;
use std::process::{ChildStdout, Command, Stdio};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags};
use nix::sys::signal::Signal;

pub use self::callers::Callers;
use crate::children::{self, Leader};
use crate::family::{Family, MARK, Mark};
use crate::sys::{self, Timer};

/// What to run, and how long at most.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The program's path, and its arguments.
    pub argv: Vec<OsString>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    pub cwd: PathBuf,
    pub limit: Duration,
    /// What it prints beyond this is not wanted, and ends it.
    pub max_bytes: usize,
}

/// How it ended.
enum End {
    Itself,
    CutShort,
}

impl Capture {
    /// Runs the program in a session of its own, without terminal and without input, and gives what
    /// it printed until it ended or was cut short: by the limits, or because `stop` was closed.
    ///
    /// # Errors
    /// It could not be started or watched.
    pub fn run(&self, stop: BorrowedFd<'_>) -> io::Result<Vec<u8>> {
        self.run_among(&Callers::default(), stop)
    }

    /// The same, for one that is among `callers` while it runs.
    ///
    /// # Errors
    /// It could not be started or watched.
    pub fn run_among(&self, callers: &Callers, stop: BorrowedFd<'_>) -> io::Result<Vec<u8>> {
        let Some((program, args)) = self.argv.split_first() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let timer = Timer::new()?;
        let mark = Mark::mint();
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(&self.cwd)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .env(MARK, mark.value())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        sys::lead_a_session_without_terminal(&mut command);
        let (mut leader, stdout) = {
            let mut callers = callers.lock();
            let started = children::start_piped(&mut command)?;
            callers.insert(started.0.pid(), mark.clone());
            started
        };
        let mut printed = Vec::new();
        let set = timer.set(self.limit);
        let end = set.and_then(|()| self.read(&mut leader, stdout, (stop, &timer), &mut printed));
        // Before its number can become another's.
        callers.lock().remove(&leader.pid());
        match end {
            // What it left in the background on purpose, such as a key agent, is left alone.
            Ok(End::Itself) => leader.reap(),
            Ok(End::CutShort) | Err(_) => kill(&mut leader, mark),
        }
        end.map(|_| printed)
    }

    fn read(
        &self,
        leader: &mut Leader,
        mut stdout: ChildStdout,
        (stop, timer): (BorrowedFd<'_>, &Timer),
        printed: &mut Vec<u8>,
    ) -> io::Result<End> {
        fcntl(&stdout, FcntlArg::F_SETFL(OFlag::O_RDONLY | OFlag::O_NONBLOCK))?;
        let mut is_open = true;
        loop {
            let ready = {
                let input = |fd| PollFd::new(fd, PollFlags::POLLIN);
                let mut fds = vec![input(stop), input(timer.as_fd()), input(leader.as_fd())];
                if is_open {
                    fds.push(input(stdout.as_fd()));
                }
                sys::poll(&mut fds, None)?;
                let is_ready = |fd: &PollFd<'_>| fd.any().unwrap_or(true);
                (is_ready(&fds[0]) || is_ready(&fds[1]), is_ready(&fds[2]))
            };
            let (must_stop, has_ended) = ready;
            // Looked at before reading: what was printed before the end is then read, too.
            is_open = is_open && read_all(&mut stdout, self.max_bytes, printed)?;
            if has_ended {
                return Ok(End::Itself);
            }
            if must_stop || printed.len() > self.max_bytes {
                return Ok(End::CutShort);
            }
        }
    }
}

/// Reads what is there; `false` once there will be no more.
fn read_all(stdout: &mut ChildStdout, max: usize, printed: &mut Vec<u8>) -> io::Result<bool> {
    let mut chunk = [0; 4096];
    while printed.len() <= max {
        match stdout.read(&mut chunk) {
            Ok(0) => return Ok(false),
            Ok(len) => printed.extend_from_slice(&chunk[..len]),
            Err(err) if err.kind() == io::ErrorKind::WouldBlock => return Ok(true),
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => return Err(err),
        }
    }
    Ok(true)
}

/// Ends the program and everything it has started.
fn kill(leader: &mut Leader, mark: Mark) {
    let mut family = Family::new(leader.pid(), mark);
    // Descent is only seen while the parents live.
    let members = family.members();
    leader.signal_group(Signal::SIGKILL);
    for member in members {
        if let Ok(pinned) = member.pin() {
            // It may have ended just now.
            let _gone = pinned.signal(Signal::SIGKILL).is_err();
        }
    }
}
