//! Recordings of programs, played through the real terminal and state machine in virtual time.
//!
//! A recording holds what a program printed, what was typed to it and how its processes were, each with
//! its time. Played again it gives the states that the rail would have shown, in milliseconds instead
//! of minutes, and beside what a person says was right a score. [`FlightRecorder`] keeps the last
//! minutes of an agent, and [`Scrubber`] takes names and secrets out of them.

mod flight;
mod play;
mod recording;
mod score;
mod scrub;
mod table;
mod write;

pub use flight::{FlightBudget, FlightRecorder, Take};
pub use play::{Change, Match, Player, USUAL_SIZE};
pub use recording::{About, Event, Happening, Recording, RecordingError};
pub use score::{Labels, Score};
pub use scrub::{Identity, Scrubber};
pub use table::{Table, TableError, json_line};

use table::seconds;
