//! What a program has printed before we began to look at it, read off its transcript.
//!
//! Its screen and its scrollback come of the last [`TAIL`] bytes, printed on a terminal that has the sizes
//! it had. What an agent did meanwhile is found out as if somebody had looked: what came last is played
//! to it at the times at which it was printed, and then time passes until now. So a question that was
//! asked an hour ago is an hour old.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agent::{AgentHandle, Exit};
use host::Transcript;
use terminal::{GridSize, TerminalBuffer, TerminalSignal};

use crate::last_session::Times;

/// More scrollback than is kept comes of less than that, as a rule.
const TAIL: u64 = 8 * 1024 * 1024;
/// So much of what came last is looked at piece by piece.
const PLAYED: Duration = Duration::from_secs(10);
const PIECE: usize = 64 * 1024;
/// Deadlines of an agent that are served at most: time that only passes has few.
const MAX_DEADLINES: usize = 1000;

/// A program, and how far it was read.
#[derive(Debug)]
pub(crate) struct CaughtUp {
    pub(crate) terminal: TerminalBuffer,
    pub(crate) agent: Option<Box<AgentHandle>>,
    /// Where it says that it is.
    pub(crate) directory: Option<PathBuf>,
    /// The offset after the last byte that was read.
    pub(crate) read: u64,
    /// The beginning is missing: what is shown may be wrong until it is drawn anew.
    pub(crate) is_partial: bool,
}

/// What to catch up with.
#[derive(Debug)]
pub(crate) struct Behind {
    pub(crate) terminal: TerminalBuffer,
    pub(crate) agent: Option<Box<AgentHandle>>,
    /// When what the agent knows was so.
    pub(crate) as_of: Instant,
    /// How the program ended, and when, if it has.
    pub(crate) ended: Option<(Exit, Instant)>,
}

impl Behind {
    /// Nothing was kept: what is printed from there on is all there is.
    pub(crate) fn with_nothing(self, from: u64) -> CaughtUp {
        let Self { terminal, agent, .. } = self;
        CaughtUp { terminal, agent, directory: None, read: from, is_partial: true }
    }

    /// Reads all there is. What cannot be read, or is removed meanwhile because newer output needs the
    /// room, is left out.
    pub(crate) fn catch_up(self, transcript: &Transcript, times: Times) -> CaughtUp {
        let Self { terminal, agent, as_of, ended } = self;
        let from = first(transcript);
        let mut play = Play {
            is_partial: from > 0,
            transcript,
            times,
            terminal,
            agent,
            directory: None,
            at: from,
            piece: vec![0; PIECE],
        };
        let until = transcript.end();
        let played = times.ago(PLAYED, transcript.last_ms()).max(as_of);
        let lively = transcript.offset_at(times.wall_ms(played)).unwrap_or(until).max(from);
        play.read_until(lively, Play::recall);
        play.settle(lively, as_of);
        play.read_until(until, Play::witness);
        play.let_pass(ended);
        let Play { terminal, agent, directory, at, is_partial, .. } = play;
        CaughtUp { terminal, agent, directory, read: at.max(until), is_partial }
    }
}

/// Where to begin: as far back as it makes sense, but not in the midst of a line or of a sequence.
fn first(transcript: &Transcript) -> u64 {
    let start = transcript.start();
    let wanted = transcript.end().saturating_sub(TAIL).max(start);
    if wanted == 0 {
        return 0;
    }
    let mut piece = [0; 4096];
    // What cannot be read is noticed again when it is to be shown.
    let len = transcript.read_at(wanted, &mut piece).unwrap_or(0);
    let clean = piece[..len].iter().position(|byte| matches!(byte, b'\n' | 0x1b));
    wanted + clean.unwrap_or(0) as u64
}

struct Play<'a> {
    transcript: &'a Transcript,
    times: Times,
    terminal: TerminalBuffer,
    agent: Option<Box<AgentHandle>>,
    directory: Option<PathBuf>,
    at: u64,
    piece: Vec<u8>,
    is_partial: bool,
}

impl Play<'_> {
    /// Feeds what was printed up to there, at the sizes at which it was, and says when each piece came.
    fn read_until(
        &mut self,
        until: u64,
        mut then: impl FnMut(&mut Self, &[TerminalSignal], Instant),
    ) {
        let transcript = self.transcript;
        if let Some(size) = transcript.size_at(self.at) {
            self.terminal.resize(grid(size));
        }
        let mut moments = transcript.moments(self.at).peekable();
        let mut now = transcript.ms_at(self.at);
        while self.at < until {
            while let Some(moment) = moments.next_if(|moment| moment.at <= self.at) {
                now = moment.ms;
                if let Some(size) = moment.size {
                    self.terminal.resize(grid(size));
                }
            }
            let Some(kept) = transcript.next_kept(self.at) else { break };
            if kept > self.at {
                self.skip_to(kept);
                continue;
            }
            let next = moments.peek().map_or(until, |moment| moment.at.min(until));
            let len = usize::try_from(next - self.at).map_or(PIECE, |len| len.min(PIECE));
            let len = transcript.read_at(self.at, &mut self.piece[..len]).unwrap_or(0);
            if len == 0 {
                self.skip_to(transcript.end_of_part(self.at));
                continue;
            }
            self.at += len as u64;
            // Whoever asked something has long had an answer, or does not wait any more.
            let fed = self.terminal.feed(&self.piece[..len]);
            let at = self.times.at_wall_ms(now);
            for signal in &fed.signals {
                if let TerminalSignal::Directory(path) = signal {
                    self.directory = Some(path.clone());
                }
            }
            then(self, &fed.signals, at);
        }
    }

    /// What lies before that is not there.
    fn skip_to(&mut self, kept: u64) {
        let gap = format!("\x18\r\n[{} bytes were not kept]\r\n", kept - self.at);
        let _unanswered = self.terminal.feed(gap.as_bytes());
        (self.at, self.is_partial) = (kept, true);
    }

    /// What lies longer ago: of that only what still holds is of interest.
    fn recall(&mut self, signals: &[TerminalSignal], at: Instant) {
        let Some(agent) = &mut self.agent else { return };
        let lasts = |signal: &&TerminalSignal| match signal {
            TerminalSignal::Title(_)
            | TerminalSignal::Status(_)
            | TerminalSignal::Progress(_)
            | TerminalSignal::BracketedPaste(_) => true,
            TerminalSignal::Bell
            | TerminalSignal::Notification { .. }
            | TerminalSignal::ClipboardStore { .. }
            | TerminalSignal::ClipboardTooLarge(_)
            | TerminalSignal::Directory(_)
            | TerminalSignal::Prompt(_) => false,
        };
        signals.iter().filter(lasts).for_each(|signal| agent.recall(signal, at));
    }

    /// From here on the agent is looked at.
    fn settle(&mut self, lively: u64, as_of: Instant) {
        let _held = self.terminal.end_sync();
        let Some(agent) = &mut self.agent else { return };
        let last = self.times.at_wall_ms(self.transcript.ms_at(lively.saturating_sub(1)));
        let is_ahead = last > as_of;
        agent.catch_up(last.max(as_of));
        if is_ahead {
            agent.missed(last);
        }
    }

    /// Looks at what has just come.
    fn witness(&mut self, signals: &[TerminalSignal], at: Instant) {
        let Some(agent) = &mut self.agent else { return };
        pass(agent, at);
        for signal in signals {
            agent.on_signal(signal, at);
        }
        agent.on_output(at);
    }

    /// Nothing more has come until now, or until it ended.
    fn let_pass(&mut self, ended: Option<(Exit, Instant)>) {
        let _held = self.terminal.end_sync();
        let now = self.times.now();
        let Some(agent) = &mut self.agent else { return };
        match ended {
            Some((exit, at)) => {
                pass(agent, at);
                agent.exited(exit, at);
            }
            None => pass(agent, now),
        }
    }
}

/// Serves what is due on the way.
fn pass(agent: &mut AgentHandle, until: Instant) {
    for _ in 0..MAX_DEADLINES {
        let Some(due) = agent.next_deadline().filter(|due| *due <= until) else { return };
        agent.on_deadline(due);
    }
}

fn grid((columns, rows): (u16, u16)) -> GridSize {
    GridSize { columns: columns.max(1), rows: rows.max(1) }
}

#[cfg(test)]
mod tests;
