//! What a new instance is asked to open first.

use std::time::Instant;

use base::LogErr as _;

use crate::app::App;
use crate::open::Location;

#[derive(Debug, Default)]
pub(crate) struct Startup {
    pub locations: Vec<Location>,
    /// What was open last is not opened again.
    pub is_fresh: bool,
    /// Programs are started by the host, so that they outlive us.
    pub uses_host: bool,
}

impl App {
    /// Opens what the command line named. The paths were looked at before; one that vanished
    /// meanwhile is told in the window.
    pub(crate) fn open_named(&mut self, startup: &Startup, now: Instant) {
        let mut first = None;
        for Location { path, at } in &startup.locations {
            if let Err(err) = self.open_path(path, *at, now) {
                self.observe(workspace::Fact::Refused(format!("{err:#}")), now);
            }
            first = first.or(self.state.active_workspace().map(workspace::Workspace::id));
        }
        // The first folder named is the one to look at.
        if let Some(first) = first
            && startup.locations.len() > 1
            && startup.locations.iter().all(|it| it.path.is_dir())
        {
            let first = workspace::WorkspaceAction::Activate(first);
            self.update(workspace::Action::Workspace(first), now).log_err("going to a folder");
        }
    }
}
