//! Telling the person outside of the window that agents wait: what the state has decided, done.

mod desktop;
mod hook;

use base::LogErr as _;
use workspace::NotifyEffect;

use self::desktop::{Desktop, Job};
use self::hook::{Hook, Hooks};
use crate::app::App;
use crate::commands::farewell;
use crate::environment;

/// Both ways to tell; neither starts a thread before there is something to tell.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    desktop: Option<Desktop>,
    hooks: Hooks,
}

impl Notices {
    /// Whether a process belongs to the user's own program, run for who waits. `family` is the process
    /// and its ancestors; `is_marked` says whether its environment has that mark.
    pub(crate) fn is_from_command(&self, family: &[i32], is_marked: impl Fn(&str) -> bool) -> bool {
        self.hooks.callers().has_started(family, is_marked)
    }
}

impl App {
    pub(crate) fn notify(&mut self, effect: NotifyEffect) {
        match effect {
            NotifyEffect::Show(notice) => self.tell_desktop(Job::Show(notice)),
            NotifyEffect::Run { command, about } => {
                let path = self.search_path.get().map(ToOwned::to_owned);
                let socket = self.sessions.socket();
                let env = environment::for_program(socket, &about.name, path, hook::facts(&about));
                let cwd = self.places.home.clone().unwrap_or_else(|| "/".into());
                let hook = Hook { command, env, cwd };
                self.notices.hooks.run(hook, self.inbox.sender());
            }
            // Only where there is something to be corrected or withdrawn.
            NotifyEffect::Correct(notice) => self.tell_known_desktop(Job::Correct(notice)),
            NotifyEffect::Withdraw => self.tell_known_desktop(Job::Withdraw),
        }
    }

    /// Tells somebody whose window is about to close of the agents that go on.
    pub(crate) fn take_leave(&mut self, n_agents: usize) {
        let is_wanted = self.state.tells_of_leaving();
        if let Some(text) = farewell(n_agents).filter(|_| is_wanted) {
            self.tell_desktop(Job::Farewell("Trackside is closed", text));
        }
    }

    fn tell_desktop(&mut self, job: Job) {
        let is_lost = self.notices.desktop.as_ref().is_none_or(Desktop::is_lost);
        if is_lost {
            let started = Desktop::start(self.inbox.sender());
            self.notices.desktop = started.log_err("starting a thread");
        }
        self.tell_known_desktop(job);
    }

    fn tell_known_desktop(&self, job: Job) {
        if let Some(desktop) = &self.notices.desktop {
            desktop.tell(job);
        }
    }
}
