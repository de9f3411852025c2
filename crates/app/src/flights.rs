//! The last minutes of every agent, in memory, in case somebody says that its state is wrong.
//!
//! Several threads note what happens, each under a lock that is held for as long as it takes to copy
//! that. Nothing is written to disk unless somebody asks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent::{AgentId, Exit, ProcessSample, Reported, ReportedBy};
use replay::{FlightBudget, FlightRecorder, Happening, Take};
use terminal::{GridSize, TerminalBuffer, TerminalSignal};
use workspace::ProgramId;

use crate::clock;

#[derive(Debug)]
pub(crate) struct Flights {
    budget: FlightBudget,
    of: BTreeMap<ProgramId, Flight>,
    keeps: bool,
    /// Whom the person is looking at.
    watched: Option<ProgramId>,
}

/// What is kept of one launch; clones are the same. Nothing, of terminals without an agent and where
/// the person does not want it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flight(Arc<Mutex<Option<FlightRecorder>>>);

impl Flights {
    pub(crate) fn new() -> Self {
        Self { budget: FlightBudget::default(), of: BTreeMap::new(), keeps: true, watched: None }
    }

    /// Whether anything is to be kept from now on.
    pub(crate) fn keep(&mut self, keeps: bool) {
        if std::mem::replace(&mut self.keeps, keeps) && !keeps {
            self.of.values().for_each(|flight| *flight.lock() = None);
            self.of.clear();
        }
    }

    /// The person looks at that agent from now on.
    pub(crate) fn watch(&mut self, agent: Option<AgentId>) {
        let watched = agent.map(ProgramId::Agent);
        let before = std::mem::replace(&mut self.watched, watched);
        if before == watched {
            return;
        }
        let of = |program: Option<ProgramId>| program.map(|program| self.of(program));
        if let Some(flight) = of(before) {
            flight.note(Happening::Watched(false));
        }
        if let Some(flight) = of(watched) {
            flight.note(Happening::Watched(true));
        }
    }

    /// A program is about to be started.
    pub(crate) fn begin(&mut self, program: ProgramId, size: GridSize) -> Flight {
        self.forget(program);
        if !self.keeps || !matches!(program, ProgramId::Agent(_)) {
            return Flight::default();
        }
        let recorder = FlightRecorder::new(self.budget.clone(), size, clock());
        let flight = Flight(Arc::new(Mutex::new(Some(recorder))));
        if self.watched == Some(program) {
            flight.note(Happening::Watched(true));
        }
        self.of.insert(program, flight.clone());
        flight
    }

    /// Also of a program that has ended.
    pub(crate) fn of(&self, program: ProgramId) -> Flight {
        self.of.get(&program).cloned().unwrap_or_default()
    }

    pub(crate) fn forget(&mut self, program: ProgramId) {
        self.of.remove(&program);
    }
}

impl Flight {
    /// Notes what is about to be fed to the terminal.
    pub(crate) fn output(&self, terminal: &TerminalBuffer, bytes: &[u8]) {
        let now = clock();
        let wants_screen = match self.lock().as_mut() {
            None => return,
            Some(recorder) if recorder.wants_screen(now) => true,
            Some(recorder) => {
                recorder.output(bytes, now);
                false
            }
        };
        if wants_screen {
            let screen = terminal.repaint();
            if let Some(recorder) = self.lock().as_mut() {
                recorder.begin_block(screen, now);
                recorder.output(bytes, now);
            }
        }
    }

    pub(crate) fn signals(&self, signals: &[TerminalSignal]) {
        if signals.is_empty() {
            return;
        }
        if let Some(recorder) = self.lock().as_mut() {
            signals.iter().for_each(|signal| recorder.signal(signal));
        }
    }

    /// Something was written to the program.
    pub(crate) fn input(&self, bytes: &[u8]) {
        match bytes {
            b"\x1b[I" | b"\x1b[O" => self.note(Happening::Focus),
            // Where the mouse is says nothing about what the program does.
            [0x1b, b'[', b'<' | b'M', ..] => {}
            typed => self.note(Happening::Input(typed.to_vec())),
        }
    }

    pub(crate) fn sampled(&self, sample: &ProcessSample) {
        self.note(Happening::Told(sample.clone()));
    }

    pub(crate) fn reported(&self, says: Reported, by: ReportedBy, text: Option<String>) {
        self.note(Happening::Report { says, by, text });
    }

    pub(crate) fn resized(&self, size: GridSize) {
        self.note(Happening::Resize(size));
    }

    pub(crate) fn exited(&self, exit: Exit) {
        self.note(Happening::Exit(exit));
    }

    /// What there is so far; `None` where nothing is kept.
    pub(crate) fn take(&self) -> Option<Take> {
        self.lock().as_ref().map(FlightRecorder::take)
    }

    fn note(&self, what: Happening) {
        if let Some(recorder) = self.lock().as_mut() {
            recorder.note(what, clock());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<FlightRecorder>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
