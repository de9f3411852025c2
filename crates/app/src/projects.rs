//! A folder's own settings: read before each launch, used as far as the user trusts them.
//!
//! Nothing is kept between two looks, so that what is checked is what is used, and a file that was
//! changed is a file that is asked about. Both files are small, and nothing in their place is
//! waited for.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use base::LogErr as _;
use config::{Config, Project};
use store::{Fingerprint, Loaded, Trust};
use workspace::{ActionError, Fact, Launch, ProjectSettings, TrustLevel, Workspace, WorkspaceId};

use crate::app::App;
use crate::availability;
use crate::keeper::Job;

/// What a folder says, and something the user should hear of besides.
pub(crate) struct Reading {
    pub settings: ProjectSettings,
    pub notice: Option<String>,
}

/// Reads a folder's settings and whether they are trusted.
pub(crate) fn read(root: &Path, user: &Config, state_dir: &Path) -> Reading {
    let project = match Project::load(root, user) {
        Ok(None) => return Reading { settings: ProjectSettings::None, notice: None },
        Err(err) => return Reading { settings: ProjectSettings::Broken(err), notice: None },
        Ok(Some(project)) => Box::new(project),
    };
    let loaded = Trust::load(state_dir).log_err("reading which folders are trusted");
    let Loaded { value: trust, set_aside } =
        loaded.unwrap_or(Loaded { value: Trust::default(), set_aside: None });
    let notice = set_aside.map(|bad| {
        let bad = bad.display();
        format!("The list of trusted folders was damaged and is now {bad}; you will be asked again")
    });
    // What was trusted is a place, not a way to it.
    let folder = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let fingerprint = fingerprint(&project);
    let trust = if trust.holds(&folder, &fingerprint) {
        TrustLevel::Full
    } else if trust.knows(&folder) {
        TrustLevel::Outdated
    } else {
        TrustLevel::None
    };
    let fingerprint = fingerprint.to_string();
    Reading { settings: ProjectSettings::Read { project, fingerprint, trust }, notice }
}

/// Stands for all that decides what runs.
pub(crate) fn fingerprint(project: &Project) -> Fingerprint {
    let fields = project.settings().iter().flat_map(|setting| {
        let n_words = setting.words.len().to_string();
        [setting.agent.clone(), setting.key.to_owned(), n_words]
            .into_iter()
            .chain(setting.words.iter().cloned())
    });
    let fields: Vec<String> = fields.collect();
    Fingerprint::of(fields.iter().map(String::as_str))
}

impl App {
    /// Reads a folder's settings anew, and tells the state.
    pub(crate) fn look_at_project(&mut self, id: WorkspaceId, now: Instant) {
        let Some(workspace) = self.state.workspace(id) else { return };
        let root = workspace.root().to_owned();
        let Reading { settings, notice } = read(&root, self.state.config(), &self.places.state_dir);
        let config = settings.over(self.state.config());
        let is_its_own = |name: &&String| match &settings {
            ProjectSettings::Read { project, .. } => project.touches(name),
            ProjectSettings::None | ProjectSettings::Broken(_) => false,
        };
        // The others are the same everywhere, unless their program is one of the folder's.
        let is_relative =
            |name: &&String| config.agents.get(*name).is_some_and(|it| it.start[0].contains('/'));
        let names = config.agents.keys().filter(|name| is_its_own(name) || is_relative(name));
        let search = self.search_path.get();
        let availability = availability::of_agents(names, &config, search, &root);
        drop(config);
        self.observe(Fact::ProjectRead { workspace: id, project: settings, availability }, now);
        if let Some(notice) = notice {
            self.observe(Fact::Notice(notice), now);
        }
    }

    /// Remembers that the folder is trusted with what was shown, and with nothing else.
    pub(crate) fn trust(
        &mut self,
        workspace: WorkspaceId,
        root: PathBuf,
        shown: &str,
        launch: Launch,
        now: Instant,
    ) {
        let project = self.state.workspace(workspace).map(Workspace::project);
        match project {
            Some(ProjectSettings::Read { project, fingerprint: read, .. }) if read == shown => {
                let fingerprint = fingerprint(project);
                self.keeper.keep(Job::Trust { root, fingerprint, workspace, launch });
            }
            _ => {
                let refusal = "the settings have changed meanwhile; start the agent again";
                self.observe(Fact::Refused(refusal.to_owned()), now);
            }
        }
    }

    /// Refuses a launch that cannot work before anything is made for it.
    ///
    /// # Errors
    /// The name is unknown or not to be used yet, or the program is not there, or not one.
    pub(crate) fn check_launch(
        &mut self,
        workspace: Option<WorkspaceId>,
        launch: &Launch,
        now: Instant,
    ) -> Result<()> {
        let workspace = match workspace {
            Some(id) => self.state.workspace(id),
            None => self.state.active_workspace(),
        };
        let workspace = workspace.ok_or(ActionError::NoWorkspace)?;
        let (id, root) = (workspace.id(), workspace.root().to_owned());
        if !root.is_dir() {
            bail!("the folder {} is gone; open another one", root.display());
        }
        if let Launch::Named(_) = launch {
            self.look_at_project(id, now);
        }
        let argv = self.state.launch_command(id, launch)?;
        availability::find(&argv, self.search_path.get(), &root)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use config::PROJECT_FILE;

    use super::*;

    /// Trusts a folder with one text in it, and asks about it with another.
    #[track_caller]
    fn check(trusted: &str, asked: &str, expected: TrustLevel) {
        let (state, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let user = Config::default();
        let project = Project::parse(trusted, Path::new("file"), &user).unwrap();
        let folder = root.path().canonicalize().unwrap();
        Trust::grant(state.path(), &folder, fingerprint(&project)).unwrap();
        fs::create_dir(root.path().join(".trackside")).unwrap();
        fs::write(root.path().join(PROJECT_FILE), asked).unwrap();
        let settings = read(root.path(), &user, state.path()).settings;
        let ProjectSettings::Read { trust, .. } = settings else { panic!("{settings:?}") };
        assert_eq!(trust, expected, "{trusted} is trusted, {asked} is asked about");
    }

    #[test]
    fn trust_ends_when_what_runs_changes() {
        let start = "[agents.a]\nstart = ['a', 'b']\n";
        check(start, start, TrustLevel::Full);
        check(start, "# moved\n[agents]\na.start = [ 'a', \"b\" ]", TrustLevel::Full);
        check(start, "[agents.a]\nstart = ['a', 'b']\nstale_timeout = '9s'", TrustLevel::Full);
        check(start, "[agents.a]\nstart = ['a', 'c']", TrustLevel::Outdated);
        check(start, "[agents.a]\nstart = ['a b']", TrustLevel::Outdated);
        check(start, "[agents.b]\nstart = ['a', 'b']", TrustLevel::Outdated);
        check(start, &format!("{start}run = ['x']"), TrustLevel::Outdated);
        check(start, &format!("{start}env = {{}}"), TrustLevel::Outdated);
        check(start, &format!("{start}hooks = true"), TrustLevel::Outdated);
        check(start, &format!("{start}[agents.c]\nstart = ['c']"), TrustLevel::Outdated);
    }

    #[test]
    fn who_was_never_asked_has_not_trusted() {
        let (state, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(root.path().join(".trackside")).unwrap();
        fs::write(root.path().join(PROJECT_FILE), "[agents.a]\nstart = ['a']").unwrap();
        let settings = read(root.path(), &Config::default(), state.path()).settings;
        assert!(settings.needs_trust("a"), "what it adds");
        assert!(!settings.needs_trust("claude"), "what it does not touch");
        assert_eq!(fs::read_dir(state.path()).unwrap().count(), 0, "nothing is written by asking");
    }

    #[test]
    fn a_damaged_list_trusts_nobody_and_is_told() {
        let (state, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(root.path().join(".trackside")).unwrap();
        fs::write(root.path().join(PROJECT_FILE), "[agents.a]\nstart = ['a']").unwrap();
        fs::write(state.path().join("trust.json"), "{").unwrap();
        let reading = read(root.path(), &Config::default(), state.path());
        assert!(reading.settings.needs_trust("a"), "not trusted");
        let notice = reading.notice.expect("said");
        assert!(notice.contains("trust.json.bad-1"), "where it is: {notice}");
    }
}
