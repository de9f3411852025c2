//! Which programs are there to be run, and why others are not.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use config::{Config, TokenValues};
use pty::SpawnError;
use workspace::Availability;

/// Where a command's program is.
///
/// # Errors
/// It is not there or cannot be run; a line for the person.
pub(crate) fn find(argv: &[String], search: Option<&OsStr>, cwd: &Path) -> anyhow::Result<PathBuf> {
    let program = argv.first().map_or("", String::as_str);
    pty::find_program(program.as_ref(), search, cwd).map_err(|err| match err {
        SpawnError::NotExecutable { program } if Path::new(&program).is_dir() => {
            let folder = program.display();
            anyhow::anyhow!("{folder} is a folder, not a program; name the program to run in it")
        }
        err => err.into(),
    })
}

/// Which agents of a configuration can be run in a folder. One whose program depends on where it is
/// started is left out.
pub(crate) fn of_agents<'a>(
    names: impl IntoIterator<Item = &'a String>,
    config: &Config,
    search: Option<&OsStr>,
    cwd: &Path,
) -> BTreeMap<String, Availability> {
    let look = |name: &'a String| {
        let argv = config.agent_command(name).ok()?.argv;
        TokenValues::default().expand(&argv[..1]).ok()?;
        Some((name.clone(), of_program(&argv[0], search, cwd)))
    };
    names.into_iter().filter_map(look).collect()
}

/// In as few words as a row of a list has room for.
fn of_program(program: &str, search: Option<&OsStr>, cwd: &Path) -> Availability {
    let why = match pty::find_program(program.as_ref(), search, cwd) {
        Ok(_) => return Availability::Found,
        Err(SpawnError::NotExecutable { program }) if Path::new(&program).is_dir() => {
            format!("{} is a folder", program.display())
        }
        Err(SpawnError::NotExecutable { program }) => {
            format!("{} is not executable", program.display())
        }
        Err(_) => format!("{program} is not installed"),
    };
    Availability::Missing(why)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// Of an agent with that program, where `bin` is the search path; `DIR` stands for the folder.
    #[track_caller]
    fn check(program: &str, expected: Option<&str>) {
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("bin");
        fs::create_dir_all(bin.join("folder")).unwrap();
        for (name, mode) in [("good", 0o755), ("plain", 0o644)] {
            fs::write(bin.join(name), "").unwrap();
            fs::set_permissions(bin.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let text = format!("[agents.it]\nstart = [{program:?}, \"$TRACKSIDE_PROMPT\"]");
        let config = config::parse(&text, Path::new("test")).unwrap();
        let found = of_agents(&["it".to_owned()], &config, Some(bin.as_os_str()), dir.path());
        let words = found.get("it").map(|it| match it {
            Availability::Found => "found".to_owned(),
            Availability::Missing(why) => why.replace(dir.path().to_str().unwrap(), "DIR"),
        });
        assert_eq!(words.as_deref(), expected, "{program}");
    }

    #[test]
    fn it_is_told_why_an_agent_cannot_be_run() {
        check("good", Some("found"));
        check("bin/good", Some("found"));
        check("./bin/good", Some("found"));
        check("absent", Some("absent is not installed"));
        check("/no/such", Some("/no/such is not installed"));
        check("folder", Some("DIR/bin/folder is a folder"));
        check("bin", Some("bin is not installed"));
        check("./bin", Some("DIR/./bin is a folder"));
        check("plain", Some("DIR/bin/plain is not executable"));
        check("$TRACKSIDE_WORKTREE/x", None);
    }
}
