//! What the host says without being asked: ends, transcripts that fail, and its own end.

use agent::Exit;
use control::host::Event;
use host::Notice;
use workspace::{Fact, ProgramId};

use super::hosting::{Hosted, exit_of};
use super::{Session, Sessions};
use crate::flights::Flight;
use crate::news::NewsSender;

impl Sessions {
    /// Takes in what the host says; gives back the programs that went with it.
    pub(crate) fn hear_host(&mut self, connection: u64, notice: Notice) -> Vec<ProgramId> {
        let is_of = |hosted: &Hosted| hosted.connection == connection;
        match notice {
            Notice::Event(Event::Exited { program, end }) => {
                let is_it = |hosted: &Hosted| is_of(hosted) && hosted.program == program;
                let found = self.running.iter_mut().find_map(|(id, session)| {
                    let hosted = session.hosted.as_mut().filter(|hosted| is_it(hosted))?;
                    hosted.has_ended = true;
                    let printed = end.total.saturating_sub(hosted.from);
                    // Nobody tells it a size any more.
                    session.shared.set_followed(None);
                    if session.terminal.follow_size(None) {
                        let flight = self.flights.of(*id);
                        self.resizing.resize(session.terminal.clone(), None, flight);
                    }
                    Some((*id, &session.pty, printed))
                });
                let Some((id, pty, printed)) = found else {
                    if let Some(hosting) = &mut self.hosting {
                        hosting.ended_early(program, end);
                    }
                    return Vec::new();
                };
                pty.ended(printed, ended_fact(id, exit_of(end), self.flights.of(id), &self.news));
                Vec::new()
            }
            Notice::Event(Event::TranscriptFailed { program, error }) => {
                self.transcript_failed(connection, program, error);
                Vec::new()
            }
            Notice::Event(Event::TranscriptRecovered { program, lost }) => {
                self.transcript_recovered(program, lost);
                Vec::new()
            }
            Notice::Event(Event::Fitted { program, .. }) => {
                self.fitted(connection, program);
                Vec::new()
            }
            Notice::Event(Event::Typed { program, submits }) => {
                self.typed_elsewhere(connection, program, submits);
                Vec::new()
            }
            // That nothing is left is told to whoever asked for it.
            Notice::Event(Event::Gone { program }) => {
                self.transcript_settled(program);
                Vec::new()
            }
            Notice::Lost => {
                if let Some(hosting) = &mut self.hosting {
                    hosting.lost(connection);
                }
                self.unkept.early.clear();
                let is_lost = |session: &Session| {
                    session.hosted.as_ref().is_some_and(|it| is_of(it) && !it.has_ended)
                };
                let lost = self.running.iter().filter(|(_, session)| is_lost(session));
                lost.map(|(id, _)| *id).collect()
            }
        }
    }
}

/// Tells that the program has ended, once all that it printed was read.
pub(super) fn ended_fact(
    program: ProgramId,
    exit: Exit,
    flight: Flight,
    news: &NewsSender,
) -> impl FnOnce() + Send + use<> {
    let news = news.clone();
    move || {
        flight.exited(exit);
        news.fact(Fact::Exited { program, exit });
    }
}
