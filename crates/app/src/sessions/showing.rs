//! Letting the host know which of its programs are on show here, and how much room there is for each.
//!
//! Others may show the same: attached terminals. The host gives a program's terminal the size that all of
//! them have room for, and its screen follows that: when it is told so, and before anything is fed that
//! was printed since. A program that is not on show has no say in it, whether the window has the focus or
//! not; an instance without a window has one, as it shows what a window would.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

use base::LogErr as _;
use terminal::GridSize;
use workspace::{Fact, ProgramId};

use super::sink::Followed;
use super::{Session, Sessions};
use crate::resizing::RESIZE_EVERY;

/// How much room there is for a program; none if it is not on show.
#[derive(Debug, Default)]
pub(super) struct Showing {
    room: Option<GridSize>,
    told: Option<GridSize>,
    told_at: Option<Instant>,
    /// The size that the program was told last.
    fitted: Option<GridSize>,
}

impl Showing {
    /// What the host is to be told now.
    fn take_due(&mut self, now: Instant) -> Option<Option<GridSize>> {
        if self.room == self.told || self.due_at().is_some_and(|at| now < at) {
            return None;
        }
        (self.told, self.told_at) = (self.room, Some(now));
        Some(self.room)
    }

    /// When what waits may be told: a program draws itself anew for each size.
    pub(super) fn due_at(&self) -> Option<Instant> {
        let told_at = self.told_at.filter(|_| self.room != self.told)?;
        Some(told_at + RESIZE_EVERY)
    }
}

impl Session {
    /// Has the screen follow the program's terminal, if others may give it another size.
    pub(super) fn follow(&mut self) {
        if self.hosted.is_some_and(|hosted| hosted.has_views && !hosted.has_ended) {
            self.shared.set_followed(Some(self.pty.resizer()));
            self.is_fitted_anew();
        }
    }

    /// When the host is to be told how much room there is. Of a program that has ended, which the host
    /// is told nothing of any more, that may lie in the past for ever.
    pub(super) fn view_due_at(&self) -> Option<Instant> {
        self.showing.due_at().filter(|_| self.shared.is_following())
    }

    /// Whether the program has been told another size since this was asked last.
    fn is_fitted_anew(&mut self) -> bool {
        let size = self.pty.resizer().size().log_err("asking for the size of a terminal");
        let size = size.map(|size| GridSize { columns: size.columns, rows: size.rows });
        std::mem::replace(&mut self.showing.fitted, size) != size
    }
}

impl Sessions {
    /// These programs are on show, with so much room for each.
    pub(crate) fn show(&mut self, shown: &BTreeMap<ProgramId, GridSize>, now: Instant) {
        for (id, session) in &mut self.running {
            session.showing.room = shown.get(id).copied();
        }
        self.tell_host(now);
    }

    pub(super) fn tell_host(&mut self, now: Instant) {
        let Some(hosting) = &self.hosting else { return };
        for session in self.running.values_mut().filter(|it| it.shared.is_following()) {
            if let (Some(room), Some(hosted)) = (session.showing.take_due(now), session.hosted) {
                hosting.view(hosted, room);
            }
        }
    }

    /// The host has given a program's terminal another size.
    pub(super) fn fitted(&mut self, connection: u64, program: u64) {
        let Some(id) = self.program_of(connection, program) else { return };
        let Some(session) = self.running.get_mut(&id) else { return };
        if session.shared.follow(&session.terminal) == Followed::Anew {
            let flight = self.flights.of(id);
            self.resizing.resize(session.terminal.clone(), None, flight);
        }
        if session.is_fitted_anew() {
            self.news.fact(Fact::TerminalFitted { program: id });
        }
    }

    /// Somebody at an attached terminal types.
    pub(super) fn typed_elsewhere(&self, connection: u64, program: u64, submits: bool) {
        let Some(id) = self.program_of(connection, program) else { return };
        let Some(session) = self.running.get(&id) else { return };
        session.shared.expects_echo.store(true, Ordering::Release);
        self.flights.of(id).input(if submits { b"\r" } else { b" " });
        self.news.fact(Fact::TypedElsewhere { program: id, submits });
    }

    fn program_of(&self, connection: u64, program: u64) -> Option<ProgramId> {
        let is_it = |session: &Session| {
            session.hosted.is_some_and(|it| it.connection == connection && it.program == program)
        };
        self.running.iter().find(|(_, session)| is_it(session)).map(|(id, _)| *id)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_on_show_is_told_at_most_every_50_ms_and_the_last_always() {
        let start = crate::clock();
        let at = |ms| start + Duration::from_millis(ms);
        let room = |columns| Some(GridSize { columns, rows: 24 });
        let mut showing = Showing::default();
        assert_eq!(showing.take_due(at(0)), None, "not on show, as the host assumes");
        let mut told = Vec::new();
        for ms in 0..200 {
            if ms % 10 == 0 && ms <= 120 {
                showing.room = room(u16::try_from(ms).unwrap());
            }
            if let Some(room) = showing.take_due(at(ms)) {
                told.push((ms, room));
            }
        }
        let expected = [(0, 0), (50, 50), (100, 100), (150, 120)];
        assert_eq!(told, expected.map(|(ms, columns)| (ms, room(columns))), "in steps");
        assert_eq!(showing.due_at(), None, "nothing waits");
        showing.room = None;
        assert_eq!(showing.take_due(at(300)), Some(None), "it is hidden");
    }
}
