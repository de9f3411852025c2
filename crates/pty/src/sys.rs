//! The system calls that neither std nor nix wraps for us, each behind a safe function.
//!
//! All unsafe code of this crate is here.
#![expect(
    unsafe_code,
    reason = "pidfds, timers and the steps between fork and exec have no safe wrapper"
)]

use std::fs::File;
use std::io;
use std::mem;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr;
use std::sync::OnceLock;
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollTimeout};
use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};

use crate::{Ended, PtySize};

/// Whether looking at an ended child also lets go of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Peek,
    Reap,
}

/// Waits for one of `fds`, or for the time to pass; an interrupted wait starts again.
///
/// # Errors
/// The kernel may refuse.
pub fn poll(fds: &mut [PollFd<'_>], timeout: Option<Duration>) -> io::Result<usize> {
    let timeout = timeout.map_or(PollTimeout::NONE, |timeout| {
        // Rounded up: waking before the time would make the caller turn around once for nothing.
        let millis = timeout.as_micros().div_ceil(1000).min(i32::MAX as u128);
        i32::try_from(millis)
            .ok()
            .and_then(|millis| millis.try_into().ok())
            .unwrap_or(PollTimeout::MAX)
    });
    loop {
        match nix::poll::poll(fds, timeout) {
            Ok(ready) => return Ok(usize::try_from(ready).unwrap_or(0)),
            Err(Errno::EINTR) => {}
            Err(err) => return Err(err.into()),
        }
    }
}

/// A handle on the process that has this number now.
pub(crate) fn pidfd_open(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes two numbers and no memory of ours.
    owned(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })
}

pub(crate) fn pidfd_signal(pidfd: BorrowedFd<'_>, signal: i32) -> io::Result<()> {
    let no_details = ptr::null::<libc::siginfo_t>();
    // SAFETY: the descriptor is borrowed, hence open; a null `siginfo` is allowed.
    let result = unsafe {
        libc::syscall(libc::SYS_pidfd_send_signal, pidfd.as_raw_fd(), signal, no_details, 0)
    };
    Errno::result(result).map(drop).map_err(io::Error::from)
}

/// How a child of ours ended; `None` while it lives.
///
/// Not by nix, which refuses to report a death by a real-time signal.
pub(crate) fn wait(pidfd: BorrowedFd<'_>, look: Look) -> io::Result<Option<Ended>> {
    let keep = if look == Look::Peek { libc::WNOWAIT } else { 0 };
    let id = libc::id_t::try_from(pidfd.as_raw_fd()).map_err(io::Error::other)?;
    // SAFETY: all zeros is a valid `siginfo_t`, and it is what "nobody ended" looks like.
    let mut details: libc::siginfo_t = unsafe { mem::zeroed() };
    // SAFETY: `details` lives through the call, which fills it.
    let result = unsafe {
        libc::waitid(libc::P_PIDFD, id, &raw mut details, libc::WEXITED | libc::WNOHANG | keep)
    };
    Errno::result(result)?;
    // SAFETY: `waitid` has filled in the fields of a child's end, or left them zero.
    let (pid, status) = unsafe { (details.si_pid(), details.si_status()) };
    Ok(match (pid, details.si_code) {
        (0, _) => None,
        (_, libc::CLD_EXITED) => Some(Ended::Code(status)),
        (_, _) => Some(Ended::Signal(status)),
    })
}

/// A counter that is readable until it is read: what a thread in `poll` is woken with.
pub(crate) fn eventfd() -> io::Result<File> {
    // SAFETY: the call takes two numbers.
    let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
    owned(fd.into()).map(File::from)
}

/// A descriptor that becomes readable when the time it was set to has passed.
#[derive(Debug)]
pub(crate) struct Timer(OwnedFd);

impl Timer {
    /// A timer that is not set.
    pub(crate) fn new() -> io::Result<Self> {
        let flags = libc::TFD_CLOEXEC | libc::TFD_NONBLOCK;
        // SAFETY: the call takes two numbers.
        owned(unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, flags) }.into()).map(Self)
    }

    pub(crate) fn set(&self, after: Duration) -> io::Result<()> {
        // Zero would mean "never".
        self.arm(after.max(Duration::from_nanos(1)))
    }

    /// Unsets the timer, and makes it unreadable if it had fired.
    pub(crate) fn clear(&self) -> io::Result<()> {
        self.arm(Duration::ZERO)
    }

    fn arm(&self, after: Duration) -> io::Result<()> {
        let value = libc::timespec {
            tv_sec: after.as_secs().try_into().unwrap_or(libc::time_t::MAX),
            tv_nsec: after.subsec_nanos().into(),
        };
        let once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let setting = libc::itimerspec { it_interval: once, it_value: value };
        // SAFETY: the descriptor is ours, `setting` lives through the call, the old one is not asked.
        let result = unsafe {
            libc::timerfd_settime(self.0.as_raw_fd(), 0, &raw const setting, ptr::null_mut())
        };
        Errno::result(result).map(drop).map_err(io::Error::from)
    }
}

impl AsFd for Timer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Our own descriptor of a file that somebody else holds open during the call.
pub(crate) fn duplicate(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: it is borrowed for the length of this call only, in which the caller keeps it open.
    unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned()
}

/// Opens the other side of a PTY, by the master itself rather than by a path in `/dev`.
pub(crate) fn open_peer(master: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
    // SAFETY: the descriptor is borrowed, hence open; the argument is a number.
    owned(unsafe { libc::ioctl(master.as_raw_fd(), libc::TIOCGPTPEER, flags) }.into())
}

/// The number of the other side of a PTY among those of `/dev/pts`.
pub(crate) fn peer_number(master: BorrowedFd<'_>) -> io::Result<libc::c_uint> {
    let mut number: libc::c_uint = 0;
    // SAFETY: the descriptor is borrowed, hence open; `number` lives through the call, which fills it.
    let result = unsafe { libc::ioctl(master.as_raw_fd(), libc::TIOCGPTN, &raw mut number) };
    Errno::result(result)?;
    Ok(number)
}

/// The size of the terminal that this is either side of.
///
/// # Errors
/// It is of no terminal.
pub fn window_size(master: BorrowedFd<'_>) -> io::Result<PtySize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: as above.
    let result = unsafe { libc::ioctl(master.as_raw_fd(), libc::TIOCGWINSZ, &raw mut size) };
    Errno::result(result)?;
    Ok(PtySize {
        columns: size.ws_col,
        rows: size.ws_row,
        pixel_width: size.ws_xpixel,
        pixel_height: size.ws_ypixel,
    })
}

pub(crate) fn set_window_size(master: BorrowedFd<'_>, size: PtySize) -> io::Result<()> {
    let size = libc::winsize {
        ws_row: size.rows.max(1),
        ws_col: size.columns.max(1),
        ws_xpixel: size.pixel_width,
        ws_ypixel: size.pixel_height,
    };
    // SAFETY: the descriptor is borrowed, hence open; `size` lives through the call.
    let result = unsafe { libc::ioctl(master.as_raw_fd(), libc::TIOCSWINSZ, &raw const size) };
    Errno::result(result)?;
    Ok(())
}

/// Makes the command start as the leader of a session whose terminal is its standard input, with
/// every signal at its default, none blocked, and no descriptor of ours.
pub(crate) fn lead_a_session(command: &mut Command) {
    // SAFETY: the closure only makes system calls that are safe between fork and exec.
    unsafe { command.pre_exec(enter_session) };
}

/// Makes the command start as the leader of a session without any terminal, with every signal at
/// its default, none blocked, and no descriptor of ours but the three that it is given.
pub fn lead_a_session_without_terminal(command: &mut Command) {
    // SAFETY: as above.
    unsafe {
        command.pre_exec(|| {
            leave_session()?;
            close_others_at_exec();
            Ok(())
        })
    };
}

fn enter_session() -> io::Result<()> {
    leave_session()?;
    // SAFETY: descriptor 0 is the terminal, put there by `Command`; the argument is a number.
    Errno::result(unsafe { libc::ioctl(0, libc::TIOCSCTTY, 0) })?;
    close_others_at_exec();
    Ok(())
}

/// How many descriptors programs may have: as many as we were given before we took more.
static DESCRIPTOR_LIMIT: OnceLock<(rlim_t, rlim_t)> = OnceLock::new();

/// Lets this process, but not the programs it starts, have as many descriptors as the system allows.
/// To be called before the first is started.
///
/// # Errors
/// The system refuses, and the limit is what it was.
pub fn raise_descriptor_limit() -> io::Result<()> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, hard, hard)?;
    DESCRIPTOR_LIMIT.get_or_init(|| (soft, hard));
    Ok(())
}

fn leave_session() -> io::Result<()> {
    if let Some((soft, hard)) = DESCRIPTOR_LIMIT.get() {
        setrlimit(Resource::RLIMIT_NOFILE, *soft, *hard)?;
    }
    for signal in 1..=libc::SIGRTMAX() {
        // Refused for SIGKILL, SIGSTOP and those libc keeps for itself, which is as well.
        // SAFETY: the default action is no code of ours.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // What the starting thread blocks is inherited, and a blocked SIGTERM is one that does nothing.
    nix::sys::signal::SigSet::empty().thread_set_mask()?;
    // SAFETY: no arguments; fails only if we lead a group, which a forked child does not.
    Errno::result(unsafe { libc::setsid() })?;
    Ok(())
}

/// Marks rather than closes: the pipe by which `Command` learns that `exec` failed is among them.
///
/// portable-pty closes them here, and so reports a program that cannot be run as a success.
fn close_others_at_exec() {
    // SAFETY: the call takes three numbers.
    if unsafe {
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC)
    } == 0
    {
        return;
    }
    // A kernel before 5.11; what is open beyond this many is unlikely to exist.
    for fd in 3..4096 {
        // SAFETY: setting a flag on a number that is not open does nothing.
        unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// Whoever started us may have told the kernel to forget our children's exit codes; that is
/// inherited, and is undone here.
pub(crate) fn keep_exit_codes() -> io::Result<()> {
    // SAFETY: all zeros is a valid `sigaction`.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: `action` lives through the call, which fills it; nothing is set.
    Errno::result(unsafe { libc::sigaction(libc::SIGCHLD, ptr::null(), &raw mut action) })?;
    if action.sa_sigaction == libc::SIG_IGN || action.sa_flags & libc::SA_NOCLDWAIT != 0 {
        // SAFETY: the default action is no code of ours, and it replaces no handler.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    }
    Ok(())
}

fn owned(fd: libc::c_long) -> io::Result<OwnedFd> {
    let fd = RawFd::try_from(Errno::result(fd)?).map_err(io::Error::other)?;
    // SAFETY: the caller got it from a call that opens a new descriptor, and passes it on once.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
