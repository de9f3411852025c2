//! What a new instance is asked to open first.

use base::LogErr as _;

use crate::app::App;
use crate::clock;
use crate::open::Location;

#[derive(Debug, Default)]
pub(crate) struct Startup {
    pub locations: Vec<Location>,
}

impl App {
    /// Opens what the command line named. The paths were looked at before; one that vanished
    /// meanwhile is told in the window.
    pub(crate) fn begin(&mut self, startup: &Startup) {
        let now = clock();
        self.measure_cells();
        self.fit_panes(now);
        for Location { path, at } in &startup.locations {
            if let Err(err) = self.open_path(path, *at, now) {
                self.observe(workspace::Fact::Refused(format!("{err:#}")), now);
            }
        }
        // The first folder named is the one to look at.
        if let Some(first) = self.state.workspaces().first() {
            let first = workspace::WorkspaceAction::Activate(first.id());
            if startup.locations.len() > 1 && startup.locations.iter().all(|it| it.path.is_dir()) {
                self.update(workspace::Action::Workspace(first), now).log_err("going to a folder");
            }
        }
    }
}
