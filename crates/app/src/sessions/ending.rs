//! Ending programs, letting go of them, and waiting until nothing is left.

use std::sync::atomic::Ordering;
use std::time::Duration;

use base::LogErr as _;
use workspace::ProgramId;

use super::{Session, SessionId, Sessions};
use crate::news::News;

impl Sessions {
    /// Ends the program and all it started; news comes when nothing is left.
    pub(crate) fn stop(&mut self, program: ProgramId, grace: Duration) {
        let Some(session) = self.running.get(&program) else {
            if let Some(waiting) = self.waiting_mut(program) {
                waiting.stop(grace);
            }
            return;
        };
        let (news, id) = (self.news.clone(), session.id);
        session.pty.stop(grace, move || news.send(News::SessionGone(program, id)));
    }

    /// Ends all programs at once; news comes for each.
    pub(crate) fn stop_all(&mut self, grace: Duration) {
        let waiting = self.rejoining.iter().flat_map(|it| it.waiting.keys());
        let all: Vec<ProgramId> = self.running.keys().chain(waiting).copied().collect();
        for program in all {
            self.stop(program, grace);
        }
    }

    /// Ends whatever the host holds, and the host: also what is not shown here, or hides from its program.
    pub(crate) fn end_host(&mut self, grace: Duration) {
        let news = self.news.clone();
        if let Some(hosting) = &mut self.hosting {
            hosting.end(grace, move || news.send(News::HostEnded));
        }
    }

    pub(crate) fn host_ended(&mut self) {
        if let Some(hosting) = &mut self.hosting {
            hosting.ended();
        }
    }

    /// Waits no longer for what is being ended.
    pub(crate) fn kill_all(&self) {
        self.running.values().for_each(|session| session.pty.kill());
    }

    /// Lets go of all programs of the host, which run on.
    pub(crate) fn let_go(&mut self) {
        self.rejoining = None;
        for (_, session) in self.running.extract_if(.., |_, session| session.hosted.is_some()) {
            if let Some(graveyard) = self.graveyard.stop_handle() {
                graveyard.send(session.pty).log_err("letting go of a session");
            }
        }
    }

    /// Lets go of the session, and of what is left of its processes.
    pub(crate) fn forget(&mut self, program: ProgramId) {
        self.want_no_longer(program);
        let session = self.running.remove(&program);
        self.bury(session);
    }

    /// The same, unless the program has been started again meanwhile.
    pub(crate) fn forget_session(&mut self, program: ProgramId, id: SessionId) {
        if self.session(program) == Some(id) {
            self.forget(program);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
            && self.rejoining.as_ref().is_none_or(|it| it.waiting.is_empty())
            && self.hosting.as_ref().is_none_or(|it| !it.is_ending())
    }

    pub(super) fn bury(&mut self, session: Option<Session>) {
        if let Some(hosted) = session.as_ref().and_then(|session| session.hosted) {
            self.transcript_settled(hosted.program);
        }
        if let (Some(session), Some(graveyard)) = (session, self.graveyard.stop_handle()) {
            session.shared.is_current.store(false, Ordering::Release);
            session.shared.set_followed(None);
            session.terminal.follow_size(None);
            if let (Some(hosting), Some(hosted)) = (&self.hosting, session.hosted) {
                hosting.discard(hosted);
            }
            // A graveyard that is gone means that we are ending; the session is dropped here then.
            graveyard.send(session.pty).log_err("letting go of a session");
        }
    }
}
