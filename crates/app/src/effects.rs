//! Doing outside what the state asked for.

use std::time::Instant;

use base::LogErr as _;
use terminal::ClipboardTarget;
use workspace::{BufferId, Effect, Fact, ProgramId};

use crate::app::{App, WindowRequest};
use crate::catching_up::Behind;
use crate::clipboard::MAX_PASTE;
use crate::files::{FileJob, SaveRequest, TooManyJobs};
use crate::git;
use crate::keeper::Job;
use crate::last_session::Times;
use crate::left_behind::Look;
use crate::links::LinkedFile;
use crate::login_path::Waiting;
use crate::news::News;
use crate::pasted::{PastedImages, holds_only_image};
use crate::sessions::{Label, Program};
use crate::wrong::Wish;

impl App {
    pub(crate) fn run(&mut self, effects: Vec<Effect>, now: Instant) {
        for effect in effects {
            self.run_one(effect, now);
        }
    }

    fn run_one(&mut self, effect: Effect, now: Instant) {
        let effect = match effect {
            spawn @ Effect::Spawn { .. } => match self.put_off(Waiting::Spawn(spawn)) {
                Some(Waiting::Spawn(spawn)) => spawn,
                _ => return,
            },
            effect => effect,
        };
        match effect {
            Effect::Spawn { program: id, workspace, argv, env, start_in, terminal, hooks } => {
                let label = Label::of(&self.state, id, workspace);
                let workspace = self.state.workspace(workspace);
                let workspace = workspace.map_or_else(String::new, |it| it.name().to_owned());
                // The program that would want to hear of a change is not there yet.
                let _news = terminal.set_colors(ui::reported_colors(self.state.theme()));
                terminal.set_cell_pixels(self.view.metrics.width, self.view.metrics.height);
                let cwd = self.sessions.directory(start_in);
                let path = self.search_path.get().map(ToOwned::to_owned);
                let place = cwd.clone();
                let program =
                    Program { id, workspace, argv, env, path, cwd: place, terminal, hooks, label };
                let fact = match self.sessions.spawn(program) {
                    Ok(pid) => {
                        let outlives_us = self.sessions.outlives_us(id);
                        Fact::Spawned { program: id, pid, cwd, outlives_us }
                    }
                    Err(err) => Fact::SpawnFailed {
                        program: id,
                        code: err.exit_code(),
                        message: err.to_string(),
                    },
                };
                self.observe(fact, now);
            }
            Effect::Rejoin { program, key, terminal, agent, as_of } => {
                let _news = terminal.set_colors(ui::reported_colors(self.state.theme()));
                terminal.set_cell_pixels(self.view.metrics.width, self.view.metrics.height);
                let behind = Behind { terminal, agent, as_of, ended: None };
                self.sessions.rejoin(program, key, behind, Times::of_this_boot(now));
            }
            Effect::Stop { program, grace } => self.sessions.stop(program, grace),
            Effect::WritePty { program, bytes } => {
                let written = self.sessions.write(program, bytes);
                self.note_refusal(program, written, now);
            }
            Effect::PastePty { program, paste } => {
                let written = self.sessions.paste(program, paste);
                self.note_refusal(program, written, now);
            }
            Effect::StopPastes { program } => self.sessions.stop_pastes(program),
            Effect::Resize { program, terminal } => self.sessions.resize(program, terminal, now),
            Effect::Sample { program } => self.sessions.sample(program),
            Effect::Forget { program } => {
                self.sessions.forget(program);
                self.sessions.flights.forget(program);
            }
            Effect::Trust { workspace, root, fingerprint, launch } => {
                self.trust(workspace, root, &fingerprint, launch, now);
            }
            Effect::KeepChoice { root, launch } => self.keeper.keep(Job::Choice { root, launch }),
            Effect::Act(action) => self.wish(*action, now),
            Effect::OpenPath { path, relative_to } => {
                self.open_typed(&path, relative_to.as_deref(), now);
            }
            Effect::LoadFile { buffer, path } => {
                self.submit(FileJob::Load { token: buffer, path });
            }
            Effect::SaveFile { buffer, path, bytes, expected, revision, force } => {
                let request = SaveRequest { path, bytes, expected, force };
                self.submit(FileJob::Save { token: buffer, revision, request });
            }
            Effect::Search { search, program: _, terminal, query } => {
                self.searcher.search(search, terminal, query, now);
            }
            Effect::SearchTranscripts { search, query, folders } => {
                self.transcripts.search(search, query, folders);
            }
            Effect::StopTranscriptSearch => self.transcripts.stop(),
            Effect::ShowTranscript(hit) => self.transcripts.show(hit),
            Effect::SaveOutput { program, path, relative_to, terminal, replace } => {
                let path = relative_to.join(self.expand_home(&path.to_string_lossy()));
                let id = self.last_export.next();
                self.last_export = id;
                self.exports.insert(id);
                self.submit(FileJob::Export { id, program, path, terminal, replace });
            }
            Effect::SaveRecording { program, name, shown, timeouts, expected, path } => {
                let wish = Wish { program, name, shown, timeouts, expected, path };
                self.save_recording(wish, now);
            }
            Effect::LookForLeftBehind => self.look_for_left_behind(Look::Asked),
            Effect::EndLeftBehind { records, grace } => self.end_left_behind(records, grace),
            Effect::OpenOutside(address) => self.open_outside(&address, now),
            Effect::OpenLinkedFile { path, at, program, told, root } => {
                self.open_linked_file(&LinkedFile { path, at, program, told, root }, now);
            }
            Effect::ReadBranch { workspace, root } => {
                let branch = git::branch(&root);
                self.observe(Fact::BranchRead { workspace, branch }, now);
                let repository = git::repository(&root);
                self.observe(Fact::RepositoryRead { workspace, repository }, now);
            }
            Effect::KeepUnsaved => self.unsaved.keep_all(&self.state),
            Effect::GiveUpUnsaved => self.unsaved.give_up(),
            Effect::KeepRailLook(look) => self.keeper.keep(Job::RailLook(look)),
            Effect::SetClipboard(text) => self.clipboard.set(ClipboardTarget::Clipboard, text),
            Effect::SetPrimary(text) => self.clipboard.set(ClipboardTarget::Primary, text),
            Effect::Paste => self.paste(ClipboardTarget::Clipboard, now),
            Effect::PastePrimary => self.paste(ClipboardTarget::Primary, now),
            Effect::Attention => self.window_requests.push(WindowRequest::Attention),
            Effect::NoAttention => self.window_requests.push(WindowRequest::NoAttention),
            Effect::FocusWindow => self.window_requests.push(WindowRequest::Focus),
            Effect::Notify(effect) => self.notify(effect),
            Effect::ToggleFullscreen => self.window_requests.push(WindowRequest::ToggleFullscreen),
            Effect::LoseDevice => {
                if let Some(graphics) = &self.graphics {
                    graphics.lose_device();
                }
                self.redraw_anyway = true;
            }
            Effect::Shutdown { agents, grace } => {
                self.close_session(now);
                self.end(agents, grace, now);
            }
            Effect::KillAll => self.sessions.kill_all(),
        }
    }

    fn note_refusal(
        &mut self,
        program: ProgramId,
        written: Result<(), pty::WriteRefused>,
        now: Instant,
    ) {
        if written.is_err() {
            self.write_refused = true;
            self.observe(Fact::WriteRefused { program }, now);
        }
    }

    fn paste(&mut self, from: ClipboardTarget, now: Instant) {
        let may_be_image = from == ClipboardTarget::Clipboard && self.clipboard.is_system();
        if may_be_image && holds_only_image() {
            self.paste_image();
            return;
        }
        let refusal = match self.clipboard.get(from) {
            Ok(None) => return,
            Ok(Some(text)) if text.len() > MAX_PASTE => {
                let (size, most) = (text.len() >> 20, MAX_PASTE >> 20);
                format!("the clipboard holds {size} MiB; at most {most} are pasted")
            }
            Ok(Some(text)) => {
                self.update(workspace::Action::InsertPasted(text), now).log_err("pasting");
                return;
            }
            Err(err) => format!("{err:#}"),
        };
        self.observe(Fact::Refused(refusal), now);
    }

    /// A terminal is given the path of an image, which is kept for that.
    fn paste_image(&mut self) {
        let is_elsewhere = self.state.overlay().is_some() || self.state.find_has_keys();
        let terminal = self.state.focused_terminal().filter(|it| it.is_alive() && !is_elsewhere);
        let Some(program) = terminal.map(|terminal| terminal.program()) else { return };
        if self.pasted_images.is_none() {
            let started = PastedImages::start(self.places.pasted_dir(), self.inbox.sender());
            self.pasted_images = started.log_err("starting a thread");
        }
        if let Some(images) = &self.pasted_images {
            images.fetch(program);
        }
    }

    fn submit(&mut self, job: FileJob<BufferId>) {
        self.files_in_motion.extend(job.token());
        if let Err(TooManyJobs(job)) = self.files.submit(job) {
            // Told like any other failure of a file: later, so that whoever asked can wait for it.
            self.inbox.sender().send(News::TooManyFiles(job));
        }
    }

    pub(crate) fn refuse_job(&mut self, job: &FileJob<BufferId>, now: Instant) {
        let message = "too many files are being read and written; try again in a moment".to_owned();
        if let Some(buffer) = job.token() {
            self.requests.file_failed(*buffer, &message);
        }
        let fact = match *job {
            FileJob::Load { token: buffer, .. } => Fact::FileRead { buffer, result: Err(message) },
            FileJob::Save { token: buffer, .. } => {
                Fact::SaveFailed { buffer, message, conflict: None }
            }
            FileJob::Export { id, .. } => {
                self.export_ended(id, Err(&message));
                Fact::Refused(message)
            }
        };
        self.observe(fact, now);
    }
}
