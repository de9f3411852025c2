//! Prints how right the rail is on all recordings of a folder.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use config::Config;
use replay::Table;

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program that prints")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: signals FOLDER")?;
    let config = Config::default();
    let rules = |agent: &str| Arc::new(config.rules(agent, agent));
    print!("{}", Table::of(Path::new(&folder), rules, Instant::now())?);
    Ok(())
}
