//! The door for news: it cannot be refused.

use std::time::Instant;

use agent::{AgentHandle, AgentId, Exit, Report, Transition};
use config::Config;

use crate::{
    Action, AgentsThen, BufferId, Choice, Confirm, Conflict, Effect, Fact, FileAction, Keeping,
    Keymap, Overlay, ProgramId, State, TabContent, Theme, ToastKind, Workspace,
};

/// Why a program is gone whose host was killed, and the code of one that was hung up on.
const HOST_LOST: &str = "its terminal was lost, as the host was killed";
const HUNG_UP: i32 = 129;

impl State {
    /// Takes in what has happened outside, and says what must be done about it.
    pub fn observe(&mut self, fact: Fact, now: Instant) -> Vec<Effect> {
        let mut effects = self.take_in(fact, now);
        effects.extend(self.settle_answers(now));
        effects.extend(self.settle_unshown());
        effects.extend(self.settle_transcripts());
        effects.extend(self.settle_focus(now));
        self.settle_attention(now);
        self.settle_queue(now);
        self.settle_menu();
        self.settle_ending(now);
        effects.extend(self.settle_notices(now));
        effects
    }

    pub(crate) fn note_outliving(&mut self, program: ProgramId, outlives_us: bool) {
        if outlives_us {
            self.outliving.insert(program);
        } else {
            self.outliving.remove(&program);
        }
    }

    fn take_in(&mut self, fact: Fact, now: Instant) -> Vec<Effect> {
        match fact {
            Fact::Spawned {
                program: program @ ProgramId::Agent(agent),
                pid,
                outlives_us,
                cwd: _,
            } => {
                self.note_outliving(program, outlives_us);
                self.with_agent(agent, |agent| agent.spawned(pid));
            }
            Fact::SpawnFailed { program: ProgramId::Agent(agent), code, message } => {
                self.with_agent(agent, |agent| agent.failed(code, message, now));
            }
            Fact::Exited { program: ProgramId::Agent(agent), exit } => {
                self.agent_exited(agent, exit, now);
            }
            Fact::Spawned {
                program: program @ ProgramId::Terminal(terminal),
                pid,
                cwd,
                outlives_us,
            } => {
                self.note_outliving(program, outlives_us);
                // Closed before it was there.
                if !self.terminals.contains_key(&terminal) {
                    let program = ProgramId::Terminal(terminal);
                    return vec![Effect::Stop { program, grace: self.config.limits.stop_grace }];
                }
                self.with_terminal(terminal, |terminal| terminal.spawned(pid, cwd));
            }
            Fact::SpawnFailed { program: ProgramId::Terminal(terminal), message, code: _ } => {
                self.with_terminal(terminal, |terminal| terminal.failed(message));
            }
            Fact::Exited { program: ProgramId::Terminal(terminal), exit } => {
                return self.terminal_exited(terminal, exit, now);
            }
            Fact::Rejoined { program, rejoined } => return self.rejoined(program, rejoined, now),
            Fact::HostLost { program } => self.host_lost(program, now),
            Fact::Directory { program, path } => self.program_moved(program, path),
            Fact::Running { terminal, name } => {
                self.with_terminal(terminal, |terminal| terminal.running = name);
            }
            Fact::Signal { program, signal } => return self.on_signal(program, signal, now),
            Fact::Sampled { program: ProgramId::Agent(id), sample } => {
                return self.step_agent(id, now, |agent| agent.on_sample(sample, now));
            }
            // Nobody wants to know what a plain terminal waits for.
            Fact::Sampled { program: ProgramId::Terminal(_), .. } => {}
            Fact::Reported { agent, report, by, text, sequence, session } => {
                if let Some(session) = session {
                    self.with_agent(agent, |agent| agent.set_session(session));
                }
                let report = Report { says: report, by, text, at: now };
                return self.step_agent(agent, now, |agent| agent.on_report(report, sequence, now));
            }
            Fact::Output => {
                let mut effects = self.step_agents(now, |agent| agent.on_output(now));
                effects.extend(self.settle_find(now));
                return effects;
            }
            Fact::Deadline => return self.on_deadline(now),
            Fact::FileRead { buffer, result } => self.file_read(buffer, result, now),
            Fact::FileSaved { buffer, revision, stamp } => {
                return self.file_saved(buffer, revision, stamp, now);
            }
            Fact::SaveFailed { buffer, message, conflict } => {
                self.save_failed(buffer, message, conflict, now);
            }
            Fact::Searched { search, result } => self.searched(search, result),
            Fact::TranscriptsFound { search, hits, is_all } => {
                self.transcripts_found(search, hits, is_all);
            }
            Fact::ImagePasted { program, text } => return self.image_pasted(program, text, now),
            Fact::OutputSaved { program, path } => self.output_saved(program, &path, now),
            Fact::OutputExists { program, path } => self.output_exists(program, path),
            Fact::BranchRead { workspace, branch } => {
                if let Some(workspace) = self.workspace_mut(workspace) {
                    workspace.branch = branch;
                }
            }
            Fact::RepositoryRead { workspace, repository } => {
                if let Some(workspace) = self.workspace_mut(workspace) {
                    workspace.repository = repository;
                }
                self.settle_groups();
            }
            Fact::RailLookRead(look) => {
                self.rail.look = look.checked();
                self.settle_groups();
            }
            Fact::Refused(message) => self.refused(message, now),
            Fact::WriteRefused { program } => {
                let name = self.program_name(program);
                let text = format!("{name} is not reading its input; what you typed was dropped");
                self.show_toast(text, ToastKind::Error, now);
            }
            Fact::Paste { program, news } => self.paste_moved(program, news, now),
            Fact::ConfigRead(config) => self.take_config(*config, now),
            Fact::ConfigRefused(message) => {
                self.show_toast(message.clone(), ToastKind::Error, now);
                self.config_error = Some(message);
            }
            Fact::AgentsFound(installed) => self.installed = installed,
            Fact::ProjectRead { workspace, project, availability } => {
                self.take_project(workspace, project, availability, now);
            }
            Fact::TrustWanted { workspace, launch } => self.ask_for_trust(workspace, launch),
            Fact::FolderTrusted { workspace, launch } => {
                return self.folder_trusted(workspace, launch);
            }
            Fact::ChoicesRead(choices) => self.choices = choices,
            Fact::PanesResized(rooms) => {
                self.rooms = rooms;
                return self.fit_visible_terminals(now);
            }
            Fact::TypedElsewhere { program: ProgramId::Agent(id), submits } => {
                // As much as the state of an agent is told of pastes.
                let means: &[u8] = if submits { b"\r" } else { b" " };
                return self.step_agent(id, now, |agent| agent.on_input(means, now));
            }
            Fact::TypedElsewhere { program: ProgramId::Terminal(terminal), .. } => {
                self.with_terminal(terminal, |terminal| terminal.is_used = true);
            }
            Fact::TerminalFitted { program } => self.expect_redraw(program, now),
            Fact::WindowFocused(focused) => self.focused = focused,
            Fact::NoWindow => self.has_window = false,
            Fact::NoticeOpened(workspace) => return self.notice_opened(workspace, now),
            Fact::SystemTheme { dark } => {
                self.system_theme = if dark { Theme::Dark } else { Theme::Light };
            }
            Fact::SystemMotion { reduced } => self.system_reduces_motion = reduced,
            Fact::RecentFolders(recent) => self.recent = recent,
            Fact::SessionRead { session, texts, running, down } => {
                return self.restore(session, texts, running, down, now);
            }
            Fact::Keeping(what, result) => self.note_keeping(what, result, now),
            Fact::UnsavedKept(result) => return self.unsaved_kept(result, now),
            Fact::LeftBehind { programs, reason } => self.take_left_behind(programs, reason, now),
            Fact::Notice(text) => self.show_toast(text, ToastKind::Notice, now),
            Fact::Terminating => self.begin_to_quit(AgentsThen::GoOn),
        }
        Vec::new()
    }

    fn with_agent<T>(&mut self, id: AgentId, change: impl FnOnce(&mut AgentHandle) -> T) {
        // The agent may have been forgotten while the news was on its way.
        if let Some(agent) = self.agent_mut(id) {
            change(agent);
        }
    }

    fn agent_exited(&mut self, agent: AgentId, exit: Exit, now: Instant) {
        self.with_agent(agent, |agent| agent.exited(exit, now));
        self.settle_end(agent, exit, now);
        self.agent_directories.remove(&agent);
        let of_agent =
            |workspace: &&Workspace| workspace.agent.as_ref().is_some_and(|it| it.id() == agent);
        let workspace = self.workspaces.iter().find(of_agent);
        let tab = workspace.and_then(|it| it.tab_of(TabContent::Agent));
        self.drop_moot_question(tab);
    }

    fn host_lost(&mut self, program: ProgramId, now: Instant) {
        match program {
            ProgramId::Agent(id) => self.with_agent(id, |agent| {
                if agent.is_alive() {
                    agent.failed(HUNG_UP, HOST_LOST, now);
                }
            }),
            ProgramId::Terminal(id) => self.with_terminal(id, |plain| {
                if plain.is_alive() {
                    plain.failed(HOST_LOST.to_owned());
                }
            }),
        }
    }

    pub(crate) fn program_name(&self, program: ProgramId) -> String {
        match program {
            ProgramId::Agent(id) => self.agent(id).map(|agent| agent.name().to_owned()),
            ProgramId::Terminal(id) => self.terminals.get(&id).map(crate::PlainTerminal::title),
        }
        .unwrap_or_else(|| "the program".to_owned())
    }

    /// Lets every agent take a step; asks for a look at the processes of those of which too little is
    /// known.
    fn step_agents(
        &mut self,
        now: Instant,
        mut step: impl FnMut(&mut AgentHandle) -> Option<Transition>,
    ) -> Vec<Effect> {
        let agents = self.workspaces.iter_mut().filter_map(|workspace| workspace.agent.as_mut());
        agents.filter_map(|agent| step_one(agent, now, &mut step)).collect()
    }

    /// The same for one of them, which may have been forgotten meanwhile.
    pub(crate) fn step_agent(
        &mut self,
        id: AgentId,
        now: Instant,
        step: impl FnOnce(&mut AgentHandle) -> Option<Transition>,
    ) -> Vec<Effect> {
        let agent = self.agent_mut(id);
        agent.and_then(|agent| step_one(agent, now, step)).into_iter().collect()
    }

    fn on_deadline(&mut self, now: Instant) -> Vec<Effect> {
        if self.toast.as_ref().is_some_and(|toast| toast.until <= now) {
            self.toast = None;
        }
        let mut effects = self.step_agents(now, |agent| agent.on_deadline(now));
        effects.extend(self.revive_due(now));
        effects.extend(self.settle_find(now));
        effects
    }

    fn save_failed(
        &mut self,
        buffer: BufferId,
        message: String,
        conflict: Option<Conflict>,
        now: Instant,
    ) {
        let Some(file) = self.files.get_mut(&buffer) else { return };
        file.saving = false;
        file.close_once_saved = false;
        match conflict {
            Some(conflict) => {
                self.tell_conflict(buffer, conflict, ("Nothing was saved.", message), now);
            }
            None => self.show_toast(message, ToastKind::Error, now),
        }
    }

    /// Asks what is to become of a file of which somebody else has made another; or only says so, while
    /// it is not on show.
    pub(crate) fn tell_conflict(
        &mut self,
        buffer: BufferId,
        conflict: Conflict,
        (done_to_it, message): (&str, String),
        now: Instant,
    ) {
        let Some(file) = self.files.get(&buffer) else { return };
        let title = file.title();
        let about = self.active_tab().filter(|tab| tab.content == TabContent::File(buffer));
        // A question about what is not on show would be answered for the wrong thing.
        let Some(about) = about.map(|tab| tab.id).filter(|_| self.overlay.is_none()) else {
            self.show_toast(message, ToastKind::Error, now);
            return;
        };
        let choice = |label: &str, action: Option<FileAction>| Choice {
            label: label.to_owned(),
            action: action.map(Action::File),
        };
        let (done, detail, take) = match conflict {
            Conflict::Changed => (
                "changed",
                format!("Somebody else wrote it since you opened it. {done_to_it}"),
                Some(choice("Take theirs", Some(FileAction::Reload(Some(buffer))))),
            ),
            Conflict::Deleted => ("deleted", "Its text is only in this window.".to_owned(), None),
        };
        let keep = choice("Keep editing", None);
        let save = choice("Save mine", Some(FileAction::Overwrite(Some(buffer))));
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: Some(about),
            question: format!("{title} was {done} on disk"),
            detail,
            choices: [Some(keep), take, Some(save)].into_iter().flatten().collect(),
            preview: Vec::new(),
            selected: 0,
        }));
    }

    /// What cannot be kept is said at once and stays in view; that it can again, in passing.
    fn note_keeping(&mut self, what: Keeping, result: Result<(), String>, now: Instant) {
        match result {
            Ok(()) => drop(self.cannot_keep.remove(&what)),
            Err(why) => {
                let why = match what {
                    Keeping::Transcript(program) => {
                        format!("{}: {why}", self.program_name(program))
                    }
                    Keeping::UnsavedText | Keeping::Session | Keeping::Programs => why,
                };
                let before = self.cannot_keep.insert(what, why.clone());
                if before.is_none() {
                    self.show_toast(why, ToastKind::Error, now);
                }
            }
        }
    }

    fn refused(&mut self, message: String, now: Instant) {
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.error = Some(message),
            _ => self.show_toast(message, ToastKind::Error, now),
        }
    }

    /// A configuration whose keys make no sense is refused as a whole: the last good one stays. Rules
    /// that cannot be used are left out.
    fn take_config(&mut self, config: Config, now: Instant) {
        match Keymap::new(&config.keys) {
            Ok(keymap) => {
                self.keymap = keymap;
                self.config = config;
                let options = self.terminal_options();
                self.all_terminals().for_each(|terminal| terminal.buffer().set_options(&options));
                self.config_error = self.config.rule_complaint();
                if let Some(complaint) = self.config_error.clone() {
                    self.show_toast(complaint, ToastKind::Error, now);
                }
                self.renew_rules();
            }
            Err(err) => {
                let message = format!("config.toml: [keys]: {err}");
                self.show_toast(message.clone(), ToastKind::Error, now);
                self.config_error = Some(message);
            }
        }
    }
}

/// Lets one agent take a step; what has become of it is looked at once all is settled. Returns the wish
/// for a look at its processes.
fn step_one(
    agent: &mut AgentHandle,
    now: Instant,
    step: impl FnOnce(&mut AgentHandle) -> Option<Transition>,
) -> Option<Effect> {
    let _transition = step(agent);
    let program = ProgramId::Agent(agent.id());
    agent.take_sample_wish(now).then_some(Effect::Sample { program })
}
