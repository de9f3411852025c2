//! End-to-end tests: the real binary, windowed under Xvfb and headless, driven from outside.
//!
//! Everything here talks to the program as a person or a script would: through its command line,
//! its keys and its pixels. One binary, so that it is linked once.

#![cfg(test)]

mod agents;
mod bad_input;
mod broken_config;
mod clipboards;
mod command;
mod display;
mod files;
mod finding;
mod full_screen;
mod harness;
mod hostile;
mod input;
mod keyboard;
mod launches;
mod links;
mod login_path;
mod output;
mod picture;
mod processes;
mod programs;
mod socket;
mod splits;
mod state_folder;
mod system;
mod terminals;
mod window;
