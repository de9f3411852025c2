//! One turn of the loop: look at what happened, do what is due, say when to look again.
//!
//! News is served at once, output in the slots of [`Pace`](crate::pace::Pace). Until its slot comes
//! the output bit stays set, so that readers do not wake the loop again. While it comes slot after
//! slot the bit is held beforehand, so that they do not wake it at all.

use std::time::{Duration, Instant};

use terminal::TerminalSignal;
use workspace::{Action, BufferId, Conflict, Fact, FileAction, Keeping, ProgramId, State};

use crate::app::{App, Life};
use crate::files::{DiskChange, FileEvent, SaveError};
use crate::graphics::Graphics;
use crate::left_behind::Look;
use crate::login_path::Waiting;
use crate::news::News;
use crate::socket::Incoming;

/// How much news one turn serves before it lets the window have a go.
const MAX_NEWS: usize = 1000;
const MAX_NEWS_TIME: Duration = Duration::from_millis(4);

/// What the owner of the loop has to do after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    pub redraw: bool,
    pub wake_at: Option<Instant>,
    pub ended: bool,
}

impl App {
    pub(crate) fn turn(&mut self, now: Instant) -> Turn {
        self.stats.wake_ups += 1;
        self.serve_news(now);
        // An agent that was just started is told of before it has printed anything.
        self.publish_events();
        self.serve_output(now);
        self.serve_deadlines(now);
        self.serve_fonts();
        self.opened.reap();
        self.fit_panes(now);
        self.show_programs(now);
        self.unsaved.look(&self.state, now);
        self.settle_requests(now);
        self.publish_events();
        Turn {
            redraw: std::mem::take(&mut self.dirty),
            wake_at: self.wake_at(now),
            ended: self.life == Life::Ended,
        }
    }

    fn serve_news(&mut self, now: Instant) {
        if !self.inbox.facts.take() {
            return;
        }
        for served in 1.. {
            let Ok(news) = self.inbox.news.try_recv() else { return };
            self.serve(news, now);
            if served == MAX_NEWS || (served % 16 == 0 && crate::clock() > now + MAX_NEWS_TIME) {
                self.inbox.facts.wake();
                return;
            }
        }
    }

    fn serve(&mut self, news: News, now: Instant) {
        match news {
            // A look at processes shows only in what it changes.
            News::Fact(fact @ Fact::Sampled { .. }) => {
                let before = digest(&self.state);
                let effects = self.state.observe(fact, now);
                self.run(effects, now);
                self.dirty |= digest(&self.state) != before;
            }
            News::Fact(Fact::Searched { search, result }) => {
                self.searcher.answered(search);
                self.observe(Fact::Searched { search, result }, now);
            }
            News::Fact(fact) => {
                if let Fact::Exited { program, .. } = fact {
                    let said = self.inbox.said.take_of(program);
                    self.hear(program, said, now);
                }
                if let Fact::Exited { program: ProgramId::Terminal(terminal), .. } = fact {
                    self.look_at_rest_of(terminal, now);
                }
                self.observe(fact, now);
            }
            News::File(event) => self.serve_file(event, now),
            News::Request(incoming) => {
                if let Some(incoming) = self.put_off_request(incoming) {
                    self.serve_incoming(incoming, now);
                }
            }
            News::SessionGone(program, session) => {
                self.sessions.forget_session(program, session);
                self.dirty = true;
            }
            News::Host(connection, notice) => {
                let lost = self.sessions.hear_host(connection, notice);
                for program in &lost {
                    self.observe(Fact::HostLost { program: *program }, now);
                    self.sessions.forget(*program);
                }
                if !lost.is_empty() {
                    self.look_for_left_behind(Look::HostLost);
                }
            }
            News::Joined(joined) => match self.sessions.join(*joined) {
                Ok(Some(fact)) => self.observe(fact, now),
                Ok(None) => {}
                Err((program, err)) => {
                    tracing::warn!("program {program} cannot be served: {err}");
                    self.observe(Fact::HostLost { program }, now);
                }
            },
            News::TranscriptText { line, text } => {
                let shown = text.and_then(|path| {
                    let open = FileAction::Open { path, at: Some((line, 1)) };
                    self.update(Action::File(open), now).map_err(|err| format!("{err:#}"))
                });
                if let Err(why) = shown {
                    self.observe(Fact::Refused(why), now);
                }
            }
            News::HostEnded => self.sessions.host_ended(),
            News::NotJoined(program) => {
                self.sessions.give_up_joining(program);
                self.observe(Fact::HostLost { program }, now);
            }
            News::TooManyFiles(job) => self.refuse_job(&job, now),
            News::RecordingSaved { id, path, result } => {
                self.recording_saved(id, &path, result, now);
            }
            News::SearchPath(found) => self.search_path_found(found, now),
            News::Restored(restored) => self.restored(*restored, now),
            News::JournalWritten(result) => {
                if result.is_err() {
                    self.unsaved.failed(now);
                }
                self.observe(Fact::Keeping(Keeping::UnsavedText, result), now);
            }
            News::Terminate => self.terminate(now),
        }
        if matches!(self.life, Life::Ending { .. }) && self.sessions.is_empty() {
            self.life = Life::Ended;
        }
    }

    /// Serves it, or waits until it is known where programs are.
    pub(crate) fn serve_incoming(&mut self, incoming: Incoming, now: Instant) {
        if let Some(Waiting::Request(incoming)) = self.put_off(Waiting::Request(incoming)) {
            self.serve_request(incoming, now);
        }
    }

    fn serve_file(&mut self, event: FileEvent<BufferId>, now: Instant) {
        let fact = match event {
            FileEvent::Loaded { token: buffer, result: Ok(loaded), .. } => {
                Fact::FileRead { buffer, result: Ok((loaded.document, loaded.stamp)) }
            }
            FileEvent::Loaded { token: buffer, result: Err(err), .. } => {
                let message = with_cause(&err);
                self.requests.file_failed(buffer, &message);
                Fact::FileRead { buffer, result: Err(message) }
            }
            FileEvent::Saved { token: buffer, revision, result: Ok(stamp), .. } => {
                Fact::FileSaved { buffer, revision, stamp }
            }
            FileEvent::Saved { token: buffer, result: Err(err), .. } => {
                let message = with_cause(&err);
                self.requests.file_failed(buffer, &message);
                let conflict = match err {
                    SaveError::ChangedOnDisk { change: DiskChange::Deleted, .. } => {
                        Some(Conflict::Deleted)
                    }
                    SaveError::ChangedOnDisk { .. } => Some(Conflict::Changed),
                    _ => None,
                };
                Fact::SaveFailed { buffer, message, conflict }
            }
            FileEvent::Exported { id, program, path, result: Ok(()) } => {
                self.export_ended(id, Ok(()));
                Fact::OutputSaved { program, path }
            }
            FileEvent::Exported {
                id,
                program,
                path,
                result: Err(SaveError::ChangedOnDisk { .. }),
            } => {
                let message = format!(
                    "cannot save {}: there is a file already; answer the question in the window, \
                     or choose another path",
                    path.display()
                );
                self.export_ended(id, Err(&message));
                Fact::OutputExists { program, path }
            }
            FileEvent::Exported { id, result: Err(err), .. } => {
                let message = with_cause(&err);
                self.export_ended(id, Err(&message));
                Fact::Refused(message)
            }
        };
        self.observe(fact, now);
    }

    fn serve_output(&mut self, now: Instant) {
        // What a key brought about does not wait because others print.
        let is_echo = self.inbox.echo.take();
        if !is_echo && !self.pace.is_due(now) {
            return;
        }
        let is_printed = self.inbox.output.take();
        let look = self.state.next_look().is_some_and(|at| at <= now);
        if !is_echo && !is_printed && !look {
            return;
        }
        if self.pace.begin_slot(self.sessions.all_parsed(), now) {
            self.inbox.output.hold();
        }
        let before = digest(&self.state);
        for (program, signals) in self.inbox.said.take() {
            self.hear(program, signals, now);
        }
        let effects = self.state.observe(Fact::Output, now);
        self.run(effects, now);
        self.plan_look(now);
        // Hidden terminals cause no frames, unless their tile or the title of their tab changes.
        self.dirty |= digest(&self.state) != before || self.view.is_outdated(&self.state);
    }

    /// Takes in what a program said. A title and the like change nothing on show by themselves; a call
    /// for attention may.
    fn hear(&mut self, program: ProgramId, signals: Vec<TerminalSignal>, now: Instant) {
        for signal in signals {
            self.dirty |= matches!(
                signal,
                TerminalSignal::Bell
                    | TerminalSignal::Notification { .. }
                    | TerminalSignal::ClipboardStore { .. }
                    | TerminalSignal::ClipboardTooLarge(_)
            );
            let effects = self.state.observe(Fact::Signal { program, signal }, now);
            self.run(effects, now);
        }
    }

    /// Characters that were missing so far can be drawn now.
    fn serve_fonts(&mut self) {
        if self.graphics.as_ref().is_some_and(Graphics::has_new_fonts) {
            self.dirty = true;
            self.redraw_anyway = true;
        }
    }

    fn serve_deadlines(&mut self, now: Instant) {
        if self.state.next_deadline().is_some_and(|at| at <= now) {
            let before = digest(&self.state);
            let effects = self.state.observe(Fact::Deadline, now);
            self.run(effects, now);
            self.dirty |= digest(&self.state) != before;
        }
        self.searcher.stop_if_due(now);
        self.stop_waiting_if_due(now);
        self.keep_session_if_due(now);
        self.look_if_due(now);
        self.scroll_drag_if_due(now);
        self.open_card_if_due(now);
        self.sessions.tell_sizes(now);
        self.dirty |= self.view.is_due(now);
        if matches!(self.life, Life::Ending { until } if until <= now) {
            tracing::warn!("some processes could not be ended");
            self.life = Life::Ended;
        }
    }

    /// The next moment at which something can change by itself.
    fn wake_at(&self, now: Instant) -> Option<Instant> {
        let ending = match self.life {
            Life::Ending { until } => Some(until),
            Life::Going | Life::Ended => None,
        };
        let output = self.inbox.output.is_owed_a_look().then_some(self.pace.slot()).flatten();
        // The screens of many agents are looked at together.
        let look =
            self.state.next_look().map(|at| self.pace.slot().map_or(at, |slot| at.max(slot)));
        [
            self.state.next_deadline(),
            output,
            look,
            self.look_due,
            self.pointer.scrolls_at,
            self.on_rail.opens_at(),
            self.sessions.next_deadline(),
            self.searcher.next_deadline(),
            self.unsaved.next_deadline(),
            self.session.next_deadline(),
            self.waits_until(),
            ending,
            self.view.next_deadline(),
            self.requests.next_deadline(),
        ]
        .into_iter()
        .flatten()
        .min()
        // Never in the past: that would be a busy loop.
        .map(|at| at.max(now))
    }
}

/// What of the state is on show apart from text: two equal digests look the same on the rail.
fn digest(state: &State) -> (Vec<TileDigest>, bool) {
    let tile = |workspace: &workspace::Workspace| TileDigest {
        status: workspace.status(),
        agent: workspace.agent().map(|agent| AgentDigest {
            since: agent.since(),
            reason: agent.reason(),
            is_calm: agent.is_calm(),
            is_unread: agent.is_unread(),
            has_parts: agent.n_parts_working() > 0,
        }),
    };
    (state.workspaces().iter().map(tile).collect(), state.toast().is_some())
}

#[derive(PartialEq)]
struct TileDigest {
    status: workspace::WorkspaceStatus,
    agent: Option<AgentDigest>,
}

#[derive(PartialEq)]
struct AgentDigest {
    since: Instant,
    reason: Option<agent::Reason>,
    is_calm: bool,
    is_unread: bool,
    has_parts: bool,
}

/// An error with what caused it, on one line.
fn with_cause(err: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(err.source(), |cause| cause.source());
    causes.fold(err.to_string(), |line, cause| format!("{line}: {cause}"))
}
