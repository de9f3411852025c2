//! Telling the person that what a program prints is not kept: its disk is full, say. The program itself
//! goes on.

use std::collections::BTreeMap;

use workspace::{Fact, Keeping, ProgramId};

use super::Sessions;
use super::hosting::Hosted;

/// Programs of the host whose transcripts are not written at present.
#[derive(Debug, Default)]
pub(super) struct Unkept {
    /// The person was told of these; by the host's numbers.
    told: BTreeMap<u64, ProgramId>,
    /// These are not served yet.
    pub(super) early: BTreeMap<u64, String>,
}

impl Sessions {
    pub(super) fn transcript_failed(&mut self, connection: u64, program: u64, error: String) {
        tracing::warn!("program {program} of the host: {error}");
        match self.served(connection, program) {
            Some(id) => self.tell_unkept(id, program, &error),
            None => drop(self.unkept.early.insert(program, error)),
        }
    }

    pub(super) fn transcript_recovered(&mut self, program: u64, lost: u64) {
        if self.unkept.told.contains_key(&program) && lost > 0 {
            let text = format!("The transcript is written again; {lost} bytes are missing in it");
            self.news.fact(Fact::Notice(text));
        }
        self.transcript_settled(program);
    }

    /// It is written again, or nobody will write to it any more.
    pub(super) fn transcript_settled(&mut self, program: u64) {
        self.unkept.early.remove(&program);
        if let Some(id) = self.unkept.told.remove(&program) {
            self.news.fact(Fact::Keeping(Keeping::Transcript(id), Ok(())));
        }
    }

    /// A program is served now; `error` is what the host said before that, or what it has said since.
    pub(super) fn begin_to_keep(&mut self, id: ProgramId, hosted: Hosted, error: Option<String>) {
        let early = self.unkept.early.remove(&hosted.program);
        if let Some(error) = early.or(error) {
            self.tell_unkept(id, hosted.program, &error);
        }
    }

    fn tell_unkept(&mut self, id: ProgramId, program: u64, error: &str) {
        self.unkept.told.insert(program, id);
        let why = format!("it goes on, but {error}");
        self.news.fact(Fact::Keeping(Keeping::Transcript(id), Err(why)));
    }

    /// Whose program that is.
    fn served(&self, connection: u64, program: u64) -> Option<ProgramId> {
        let is_it = |it: Hosted| it.connection == connection && it.program == program;
        let mut sessions = self.running.iter();
        sessions.find_map(|(id, session)| session.hosted.is_some_and(is_it).then_some(*id))
    }
}
