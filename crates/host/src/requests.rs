//! What a hello and a request do.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use control::host::{
    Attached, Done, Event, Hello, HostError, HostErrorKind, Launch, Request, Role, SizeStatus,
    Spawned, Text, ToHost,
};
use pty::{PtyChild, PtySize, PtyTerminal, SpawnRequest};
use serde_json::Value;

use crate::connection::Connection;
use crate::failure;
use crate::host::{Host, News};
use crate::program::{Beginning, Program};
use crate::records::Record;
use crate::transcript::{Recorder, is_plain, remove_old_launches};
use crate::views::View;

/// Programs at once, those included that have ended and are not forgotten.
const MAX_PROGRAMS: usize = 1000;

/// Apps at once: each may have a long request under way.
const MAX_APPS: usize = 32;
/// Bytes of a label in JSON.
const MAX_LABEL: usize = 16 * 1024;

/// An answer that can be given now, and the descriptor that goes with it.
type Answer = (Result<Done, HostError>, Option<PtyTerminal>);

impl Host {
    pub(crate) fn greet(&self, line: &[u8], connection: &mut Connection) {
        let hello = match Hello::parse(line) {
            Ok(hello) => hello,
            Err(error) => return connection.refuse(error),
        };
        let from = match hello.role {
            Role::App if self.n_apps() >= MAX_APPS => {
                let message = "too many apps use this host";
                return connection.refuse(HostError::new(HostErrorKind::Busy, message));
            }
            Role::App => None,
            Role::Data { program, offset } | Role::Viewer { program, offset } => {
                let Some(program) = self.programs.get(&program) else {
                    return connection.refuse(no_such_program(program));
                };
                Some(program.stream_from(offset))
            }
        };
        connection.greet(&hello, from);
    }

    pub(crate) fn take_request(&mut self, line: &[u8], number: u64, connection: &mut Connection) {
        let (id, request) = match serde_json::from_slice::<ToHost>(line) {
            Ok(ToHost { id, request }) => (id, request),
            Err(err) => {
                let message = format!("that is no request: {err}");
                return connection.answer(
                    None,
                    Err(HostError::new(HostErrorKind::Usage, message)),
                    None,
                );
            }
        };
        let waiting = (number, id);
        let answer = match request {
            Request::Spawn(launch) => Some(self.spawn(*launch, connection)),
            Request::List => {
                let programs = self.programs.values().map(Program::status).collect();
                Some((Ok(Done::Listed { programs }), None))
            }
            Request::Relabel { program, label } => {
                let records = &self.records;
                let found = self.programs.get_mut(&program).ok_or_else(|| no_such_program(program));
                let answer = found.and_then(|program| {
                    check_label(&label)?;
                    program.relabel(label, records);
                    Ok(Done::Nothing)
                });
                Some((answer, None))
            }
            Request::Attach { program } => Some(self.attach(program)),
            Request::View { program, size } => Some((self.view(program, size, connection), None)),
            Request::Typed { program, submits } => Some((self.typed(program, submits), None)),
            Request::Stop { program, grace_ms } => self.stop(program, grace_ms, waiting),
            Request::Forget { program } => Some((self.forget(program), None)),
            Request::Discard { program } => Some((self.discard(program), None)),
            Request::Quit { grace_ms } => {
                self.end_all(Duration::from_millis(grace_ms));
                if let Some(ending) = &mut self.ending {
                    ending.asked_by.push(waiting);
                }
                None
            }
        };
        if let Some((answer, terminal)) = answer {
            connection.answer(Some(id), answer, terminal);
        }
    }

    fn spawn(&mut self, launch: Launch, connection: &mut Connection) -> Answer {
        let refused = |kind, message: &str| (Err(HostError::new(kind, message)), None);
        if self.ending.is_some() {
            return refused(HostErrorKind::Ending, "the host is about to end");
        }
        if self.programs.len() >= MAX_PROGRAMS {
            return refused(HostErrorKind::Busy, "too many programs; close some");
        }
        if let Err(error) = check_label(&launch.label) {
            return (Err(error), None);
        }
        if !is_plain(&launch.name) {
            return refused(HostErrorKind::Usage, "`name` is not a plain file name");
        }
        let number = self.launches + 1;
        let child = match self.start(number, &launch) {
            Ok(child) => child,
            Err(error) => return (Err(failure::to_wire(&error)), None),
        };
        self.launches = number;
        let is_used =
            |folder: &Path| self.programs.values().any(|it| it.transcript() == Some(folder));
        remove_old_launches(&self.options.state_dir, &launch.name, is_used);
        let limit = launch.transcript_limit.unwrap_or(self.options.transcript_limit);
        let recorder = Recorder::create(&self.options.state_dir, &launch.name, limit);
        let record = Record {
            pid: child.pid(),
            start_ticks: child.start_ticks().unwrap_or(0),
            boot_id: pty::boot_id(),
            mark: child.mark().to_owned(),
            name: launch.name,
            label: launch.label,
            host: pty::own_identity(),
        };
        let program = Program::new(child, Beginning { number, record, recorder }, &self.records);
        let spawned = Spawned {
            program: number,
            pid: program.pid(),
            mark: program.mark().to_owned(),
            transcript: program.transcript().map(Text::from),
        };
        let terminal = program.terminal.clone();
        let failure = program.failure().map(|error| Event::TranscriptFailed {
            program: number,
            error: format!("the transcript cannot be written: {error}"),
        });
        self.programs.insert(number, program);
        if let Some(event) = failure {
            self.tell(&event);
            // It is taken out of the others while it is served.
            connection.event(&event);
        }
        (Ok(Done::Spawned(spawned)), Some(terminal))
    }

    fn start(&self, number: u64, launch: &Launch) -> Result<PtyChild, pty::SpawnError> {
        let request = SpawnRequest {
            argv: launch.argv.iter().cloned().map(Into::into).collect(),
            cwd: launch.cwd.clone().into(),
            env: launch
                .env
                .iter()
                .cloned()
                .map(|(key, value)| (key.into(), value.into()))
                .collect(),
            size: PtySize {
                columns: launch.size.columns,
                rows: launch.size.rows,
                pixel_width: launch.size.pixel_width,
                pixel_height: launch.size.pixel_height,
            },
            name: number.to_string(),
        };
        let news = || Arc::clone(&self.news);
        let (drains, exits, ends) = (news(), news(), news());
        PtyChild::spawn(
            &request,
            move |done| drains.post(News::Drain(number, done)),
            move |ended| exits.post(News::Exited(number, ended)),
            move || ends.post(News::Gone(number)),
        )
    }

    fn attach(&self, number: u64) -> Answer {
        let Some(program) = self.programs.get(&number) else {
            return (Err(no_such_program(number)), None);
        };
        let attached = Attached { pid: program.pid(), mark: program.mark().to_owned() };
        (Ok(Done::Attached(attached)), Some(program.terminal.clone()))
    }

    /// What comes of it is seen to when all requests of the moment are known: see [`Host::fit`].
    fn view(
        &self,
        number: u64,
        size: Option<SizeStatus>,
        connection: &mut Connection,
    ) -> Result<Done, HostError> {
        if !self.programs.contains_key(&number) {
            return Err(no_such_program(number));
        }
        let views = &mut connection.views;
        match size {
            Some(room) => {
                let view = views.entry(number).and_modify(|view| view.set_room(room));
                view.or_insert(View::new(room));
            }
            None => drop(views.remove(&number)),
        }
        Ok(Done::Nothing)
    }

    /// Everybody else is told: whoever says it is not among the connections while it is served.
    fn typed(&mut self, number: u64, submits: bool) -> Result<Done, HostError> {
        if !self.programs.contains_key(&number) {
            return Err(no_such_program(number));
        }
        self.tell(&Event::Typed { program: number, submits });
        Ok(Done::Nothing)
    }

    fn stop(&mut self, number: u64, grace_ms: u64, waiting: (u64, u64)) -> Option<Answer> {
        let Some(program) = self.programs.get_mut(&number) else {
            return Some((Err(no_such_program(number)), None));
        };
        let Some(child) = &program.child else { return Some((Ok(Done::Nothing), None)) };
        // That nothing is left is told in any case.
        child.stop(Duration::from_millis(grace_ms), || {});
        program.stops.push(waiting);
        None
    }

    fn forget(&mut self, number: u64) -> Result<Done, HostError> {
        let program = self.programs.get(&number).ok_or_else(|| no_such_program(number))?;
        if !program.is_gone() {
            let message = format!("program {number} runs, or something that it started does");
            return Err(HostError::new(HostErrorKind::StillRunning, message));
        }
        self.remove(number);
        Ok(Done::Nothing)
    }

    fn discard(&mut self, number: u64) -> Result<Done, HostError> {
        let program = self.programs.get_mut(&number).ok_or_else(|| no_such_program(number))?;
        match &program.child {
            Some(child) => {
                child.kill();
                program.is_unwanted = true;
            }
            None => self.remove(number),
        }
        Ok(Done::Nothing)
    }
}

fn check_label(label: &Value) -> Result<(), HostError> {
    if label.to_string().len() <= MAX_LABEL {
        return Ok(());
    }
    let message = format!("`label` is longer than {MAX_LABEL} bytes");
    Err(HostError::new(HostErrorKind::Usage, message))
}

fn no_such_program(number: u64) -> HostError {
    HostError::new(HostErrorKind::NoSuchProgram, format!("there is no program {number}"))
}
