//! Several who show one program: the smallest of them decides on its size.
//!
//! Who shows what, and with how much room, belongs to a connection and goes with it. What comes of it is
//! worked out anew whenever the host has done something, and told where it differs from what was told
//! last; so nobody has to be told of who came or went.

use std::collections::{BTreeMap, BTreeSet};

use control::host::{Event, SizeStatus};

use crate::connection::{Connection, Kind, Next, Stream};
use crate::host::Host;

/// A program, as one connection shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct View {
    room: SizeStatus,
    /// What it was told last.
    told: Option<Fit>,
}

/// The size that a program's terminal has, and whether this connection is to answer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fit {
    size: SizeStatus,
    answers: bool,
}

/// What all who show one program come to.
#[derive(Debug, Clone, Copy)]
struct Shown {
    size: SizeStatus,
    /// The connection that has been there for longest.
    first: u64,
}

impl View {
    /// One that has not been told anything yet.
    pub(crate) fn new(room: SizeStatus) -> Self {
        Self { room, told: None }
    }

    pub(crate) fn set_room(&mut self, room: SizeStatus) {
        self.room = room;
    }
}

impl Host {
    /// Gives terminals the sizes that all who show them have room for, and tells those.
    pub(crate) fn fit(&mut self) {
        let shown = self.shown();
        for (number, program) in &mut self.programs {
            program.fit(shown.get(number).map(|it| it.size));
        }
        if !shown.is_empty() {
            self.tell_fits(&shown);
        }
    }

    fn shown(&mut self) -> BTreeMap<u64, Shown> {
        let mut shown: BTreeMap<u64, Shown> = BTreeMap::new();
        for (first, connection) in &mut self.connections {
            connection.views.retain(|number, _| self.programs.contains_key(number));
            for (number, view) in &connection.views {
                let room = view.room;
                let size = SizeStatus { pixel_width: 0, pixel_height: 0, ..room };
                let it = shown.entry(*number).or_insert(Shown { size, first: *first });
                it.size.columns = it.size.columns.min(room.columns).max(1);
                it.size.rows = it.size.rows.min(room.rows).max(1);
            }
        }
        shown
    }

    fn tell_fits(&mut self, shown: &BTreeMap<u64, Shown>) {
        let served: BTreeSet<u64> = self.connections.values().filter_map(served).collect();
        self.connections.retain(|number, connection| {
            let mut events = Vec::new();
            for (program, view) in &mut connection.views {
                let Some(Shown { size, first }) = shown.get(program).copied() else { continue };
                let answers = first == *number && !served.contains(program);
                let fit = Fit { size, answers };
                if view.told.replace(fit) != Some(fit) {
                    events.push(Event::Fitted { program: *program, size, answers });
                }
            }
            events.iter().for_each(|event| connection.event(event));
            events.is_empty() || connection.flush() == Next::Wait
        });
    }
}

/// The program that somebody serves on this connection, answering what it asks.
fn served(connection: &Connection) -> Option<u64> {
    match connection.kind {
        Kind::Data(Stream { program, is_viewer: false, .. }) => Some(program),
        Kind::Data(_) | Kind::New | Kind::App => None,
    }
}
