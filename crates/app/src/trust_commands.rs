//! `trackside trust`: letting a folder's own settings decide what runs in it.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use config::{PROJECT_FILE, Project};
use control::{Call, ConnectError};
use store::Trust;

use crate::cli::TrustArgs;
use crate::commands::{call, clean};
use crate::places::Places;
use crate::projects::fingerprint;

pub(crate) fn run(args: TrustArgs, places: &Places, out: &mut impl Write) -> Result<()> {
    let TrustArgs { path, show, list, revoke } = args;
    if list {
        return self::list(places, out);
    }
    if let Some(path) = revoke {
        return self::revoke(&path, places, out);
    }
    let folder = canonical(&path.unwrap_or_else(|| PathBuf::from(".")))?;
    let user = config::load(&places.config_file).unwrap_or_default();
    let Some(project) = Project::load(&folder, &user)? else {
        bail!("{} has no {PROJECT_FILE}, so there is nothing to trust", folder.display());
    };
    for setting in project.settings() {
        writeln!(out, "{}", clean(&setting.to_string()))?;
    }
    let shown = clean(&folder.to_string_lossy());
    if project.settings().is_empty() {
        writeln!(out, "nothing in {shown} decides what runs; it needs no trust")?;
    } else if !show {
        ask_whether_we_may(places)?;
        Trust::grant(&places.state_dir, &folder, fingerprint(&project))?;
        writeln!(out, "trusted {shown}, until this changes; `--revoke {shown}` takes it back")?;
    }
    Ok(())
}

/// The folders that are trusted, and those whose commands have changed since.
fn list(places: &Places, out: &mut impl Write) -> Result<()> {
    let trust = Trust::load(&places.state_dir)?.value;
    let user = config::load(&places.config_file).unwrap_or_default();
    for (folder, trusted) in trust.folders() {
        let project = Project::load(folder, &user);
        let note = match &project {
            Ok(Some(project)) if fingerprint(project) == *trusted => "",
            Ok(Some(_)) => "  (changed since; it will be asked about again)",
            Ok(None) | Err(_) => "  (its settings are gone or cannot be read)",
        };
        writeln!(out, "{}{note}", clean(&folder.to_string_lossy()))?;
    }
    Ok(())
}

fn revoke(path: &Path, places: &Places, out: &mut impl Write) -> Result<()> {
    ask_whether_we_may(places)?;
    // A folder that is gone can still be forgotten.
    let folder = path.canonicalize().or_else(|_| std::path::absolute(path))?;
    let shown = clean(&folder.to_string_lossy());
    if !Trust::revoke(&places.state_dir, &folder)? {
        bail!("{shown} was not trusted; `trackside trust --list` shows what is");
    }
    writeln!(out, "{shown} is no longer trusted")?;
    Ok(())
}

fn canonical(path: &Path) -> Result<PathBuf> {
    let folder = path.canonicalize();
    let folder = folder.with_context(|| format!("cannot find {}", path.display()))?;
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    Ok(folder)
}

/// What an agent started may not decide what else runs: the instance knows who that is.
fn ask_whether_we_may(places: &Places) -> Result<()> {
    match call(places, Call::Doctor) {
        Ok(_) => Ok(()),
        Err(err) => match err.downcast_ref::<ConnectError>() {
            Some(ConnectError::NoInstance { .. }) => Ok(()),
            _ => Err(err),
        },
    }
}
