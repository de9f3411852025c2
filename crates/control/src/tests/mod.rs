//! The wire format as others see it; one file for each thing that can go wrong.

mod client;
mod line;
mod message;
mod path;
mod status;
