//! End-to-end tests: the real binary, windowed under Xvfb and headless, driven from outside.
//!
//! Everything here talks to the program as a person or a script would: through its command line,
//! its keys and its pixels. One binary, so that it is linked once.

#![cfg(test)]

mod agents;
mod attach;
mod bad_input;
mod broken_config;
mod bus;
mod clipboards;
mod command;
mod crashing;
mod desktop;
mod display;
mod evidence;
mod files;
mod finding;
mod full_screen;
mod harness;
mod hooks;
mod host_faults;
mod host_places;
mod hosted;
mod hosted_programs;
mod hostile;
mod hosting;
mod input;
mod keyboard;
mod launches;
mod links;
mod live;
mod login_path;
mod many;
mod names;
mod notices;
mod orphans;
mod outer;
mod output;
mod picture;
mod portal;
mod processes;
mod programs;
mod queue;
mod rail;
mod reattach;
mod resizing;
mod restoring;
mod rules;
mod socket;
mod splits;
mod state_folder;
mod surviving;
mod system;
mod system_settings;
mod terminals;
mod transcripts;
mod trust;
mod unsaved;
mod window;
mod wrong;
