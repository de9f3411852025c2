//! The thread that watches one program, and on request ends it with everything it started.
//!
//! It sleeps in `poll` on orders, two timers and the pidfds of whom it waits for. The leader is
//! reaped last of all: while its number is taken, its group and session cannot be confused with
//! others. A leader that ends by itself therefore stays a zombie until its background processes,
//! which are left alone, have ended or are stopped.

use std::collections::BTreeSet;
use std::io;
use std::mem;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use base::LogErr;
use nix::poll::{PollFd, PollFlags};
use nix::sys::signal::Signal;

use crate::child::{Child, Drain, OnExit, OnStopped, Order, Provisions};
use crate::children::{Ended, Leader};
use crate::family::Family;
use crate::mailbox::Mailbox;
use crate::processes::{Identity, Pinned, Process};
use crate::sys::{self, Timer};

/// Interactive shells ignore SIGTERM, but not this, which comes so long after it.
const HANG_UP_AFTER: Duration = Duration::from_millis(500);

/// How long an exit is held back for output that was written before it. A guess: draining takes
/// milliseconds, but behind a flood by another process it would never end.
const DRAIN_PATIENCE: Duration = Duration::from_millis(300);

/// How long a dropped session waits for what it killed.
const CLOSE_PATIENCE: Duration = Duration::from_millis(700);

/// How many members are waited for at a time; the others' turn comes when these have ended. Keeps
/// a family of thousands from using up our descriptors.
const MAX_WATCHED: usize = 16;

/// When to look again for members that could not be watched: they were just ending, or we are out
/// of descriptors.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// What the child thread knows.
pub(crate) struct Watch {
    orders: Arc<Mailbox<Order>>,
    leader: Leader,
    family: Family,
    drain: Drain,
    exit: Exit,
    stop: Stop,
    /// Told when nobody is left.
    on_stopped: Vec<OnStopped>,
    stage_timer: Timer,
    drain_timer: Timer,
    /// Members other than the leader whose end is waited for.
    watched: Vec<Pinned>,
    /// Members are left that cannot be watched.
    must_look_again: bool,
    /// The session is dropped: the thread ends as soon as it can.
    is_closing: bool,
}

/// How far the news of the leader's end has got.
enum Exit {
    Alive { tty: OwnedFd, on_exit: OnExit },
    Draining { ended: Ended, on_exit: OnExit },
    Told,
}

/// How far the stopping of everybody has got.
enum Stop {
    NotAsked,
    Under {
        stage: Stage,
        grace: Duration,
        signalled: BTreeSet<Identity>,
    },
    /// Nobody is left, and the leader is reaped.
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Terminate,
    HangUp,
    Kill,
}

struct Ready {
    stage_timer: bool,
    drain_timer: bool,
}

impl Watch {
    pub(crate) fn new(provisions: Provisions, child: Child) -> Self {
        let Provisions { orders, stage_timer, drain_timer } = provisions;
        let Child { leader, family, tty, drain, on_exit, on_gone } = child;
        Self {
            orders,
            leader,
            family,
            drain,
            exit: Exit::Alive { tty, on_exit },
            stop: Stop::NotAsked,
            on_stopped: on_gone.into_iter().collect(),
            stage_timer,
            drain_timer,
            watched: Vec::new(),
            must_look_again: false,
            is_closing: false,
        }
    }

    pub(crate) fn run(mut self) {
        loop {
            let ready = match self.wait() {
                Ok(ready) => ready,
                Err(err) => {
                    tracing::error!("while watching process {}: {err}", self.leader.pid());
                    return;
                }
            };
            if ready.stage_timer {
                self.stage_timer.clear().log_err("clearing a timer");
                if self.is_closing {
                    tracing::warn!("processes of {} do not end", self.leader.pid());
                    return;
                }
                self.next_stage();
            }
            while let Some(order) = self.orders.take() {
                match order {
                    Order::Stop { grace, on_stopped } => self.begin_stop(grace, on_stopped),
                    Order::Kill => self.begin_to_kill(),
                    Order::Drained => self.tell_exit(),
                    Order::Close => self.begin_close(),
                }
            }
            if ready.drain_timer {
                self.tell_exit();
            }
            self.look_at_leader();
            self.look_at_members();
            self.finish();
            if self.is_closing && matches!(self.stop, Stop::Done) {
                return;
            }
        }
    }

    /// Waits until something happens, and forgets the watched members that have ended.
    fn wait(&mut self) -> io::Result<Ready> {
        let look_again = self.must_look_again.then_some(LOOK_AGAIN);
        let input = |fd| PollFd::new(fd, PollFlags::POLLIN);
        let mut fds = vec![
            input(self.orders.as_fd()),
            input(self.stage_timer.as_fd()),
            input(self.drain_timer.as_fd()),
        ];
        fds.extend(self.watched.iter().map(|pinned| input(pinned.as_fd())));
        if matches!(self.exit, Exit::Alive { .. }) {
            fds.push(input(self.leader.as_fd()));
        }
        sys::poll(&mut fds, look_again)?;
        let is_ready: Vec<bool> = fds.iter().map(|fd| fd.any().unwrap_or(true)).collect();
        let mut has_ended = is_ready[3..].iter();
        self.watched.retain(|_| !has_ended.next().is_some_and(|&ended| ended));
        Ok(Ready { stage_timer: is_ready[1], drain_timer: is_ready[2] })
    }

    fn begin_stop(&mut self, grace: Duration, on_stopped: OnStopped) {
        self.on_stopped.push(on_stopped);
        if matches!(self.stop, Stop::NotAsked) {
            self.stage_timer.set(HANG_UP_AFTER.min(grace)).log_err("setting a timer");
            self.enter(Stage::Terminate, grace);
        }
    }

    fn begin_to_kill(&mut self) {
        if !matches!(self.stop, Stop::Done) {
            self.enter(Stage::Kill, Duration::ZERO);
        }
    }

    fn begin_close(&mut self) {
        self.is_closing = true;
        self.tell_exit();
        if !matches!(self.stop, Stop::Done) {
            self.stage_timer.set(CLOSE_PATIENCE).log_err("setting a timer");
            self.enter(Stage::Kill, Duration::ZERO);
        }
    }

    fn next_stage(&mut self) {
        let Stop::Under { stage, grace, .. } = self.stop else { return };
        match stage {
            Stage::Terminate if grace > HANG_UP_AFTER => {
                self.stage_timer.set(grace - HANG_UP_AFTER).log_err("setting a timer");
                self.enter(Stage::HangUp, grace);
            }
            Stage::Terminate | Stage::HangUp => self.enter(Stage::Kill, grace),
            Stage::Kill => {}
        }
    }

    fn enter(&mut self, stage: Stage, grace: Duration) {
        // Looked for first: descent is only seen while the parents live.
        let members = self.family.members();
        for &signal in stage.signals() {
            self.leader.signal_group(signal);
        }
        // What is in the group has it now. But to be killed, each is asked for in person: only
        // that tells who may not be.
        let in_group = |member: &Process| member.group == self.leader.pid() && stage != Stage::Kill;
        let signalled = members.iter().filter(|m| in_group(m)).map(|m| m.id).collect();
        self.stop = Stop::Under { stage, grace, signalled };
        self.attend(members);
    }

    fn look_at_leader(&mut self) {
        if !matches!(self.exit, Exit::Alive { .. }) {
            return;
        }
        let Some(ended) = self.leader.ended() else { return };
        let Exit::Alive { tty, on_exit } = mem::replace(&mut self.exit, Exit::Told) else {
            return;
        };
        self.exit = Exit::Draining { ended, on_exit };
        if self.is_closing {
            self.tell_exit();
            return;
        }
        self.drain_timer.set(DRAIN_PATIENCE).log_err("setting a timer");
        let orders = Arc::clone(&self.orders);
        (self.drain)(Box::new(move || orders.post(Order::Drained)));
        // Only now may the reader see the end of its source: after that it answers nobody.
        drop(tty);
    }

    fn tell_exit(&mut self) {
        if !matches!(self.exit, Exit::Draining { .. }) {
            return;
        }
        self.drain_timer.clear().log_err("clearing a timer");
        if let Exit::Draining { ended, on_exit } = mem::replace(&mut self.exit, Exit::Told) {
            on_exit(ended);
        }
    }

    /// Looks for further members once all whom we knew have ended.
    fn look_at_members(&mut self) {
        if matches!(self.exit, Exit::Alive { .. }) {
            // Its end, or the next stage, is soon enough.
            self.must_look_again = false;
            return;
        }
        if !self.watched.is_empty() || matches!(self.stop, Stop::Done) {
            return;
        }
        let members = self.family.members();
        self.attend(members);
    }

    /// Signals the members who have not been, if everybody is to stop, and waits for their end.
    fn attend(&mut self, members: Vec<Process>) {
        self.watched.clear();
        self.must_look_again = false;
        for member in members {
            match member.pin() {
                Ok(pinned) if self.signal(&member, &pinned) => {
                    if self.watched.len() < MAX_WATCHED {
                        self.watched.push(pinned);
                    }
                }
                Ok(_given_up) => {}
                Err(_ended_or_no_descriptors) => self.must_look_again = true,
            }
        }
        self.must_look_again &= self.watched.is_empty();
    }

    /// Whether it is worth waiting for the member.
    fn signal(&mut self, member: &Process, pinned: &Pinned) -> bool {
        let Stop::Under { stage, signalled, .. } = &mut self.stop else { return true };
        if !signalled.insert(member.id) {
            return true;
        }
        for &signal in stage.signals() {
            if let Err(err) = pinned.signal(signal)
                && *stage == Stage::Kill
                && err.kind() == io::ErrorKind::PermissionDenied
            {
                tracing::warn!("process {} may not be killed: {err}", member.id.pid);
                self.family.give_up(member.id);
                return false;
            }
        }
        true
    }

    /// Closes the books once the leader's end is told and nobody is left.
    fn finish(&mut self) {
        let somebody_left = !self.watched.is_empty() || self.must_look_again;
        if somebody_left || !matches!(self.exit, Exit::Told) {
            return;
        }
        if !matches!(self.stop, Stop::Done) {
            self.stage_timer.clear().log_err("clearing a timer");
            self.leader.reap();
            self.stop = Stop::Done;
        }
        for on_stopped in self.on_stopped.drain(..) {
            on_stopped();
        }
    }
}

impl Stage {
    /// A stopped process gets no signal but SIGKILL before it is continued.
    fn signals(self) -> &'static [Signal] {
        match self {
            Self::Terminate => &[Signal::SIGTERM, Signal::SIGCONT],
            Self::HangUp => &[Signal::SIGHUP, Signal::SIGCONT],
            Self::Kill => &[Signal::SIGKILL],
        }
    }
}
