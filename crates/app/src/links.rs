//! Links in terminals: which one is under the pointer, and going where it leads.
//!
//! Addresses are handed to the desktop as one argument of `xdg-open`, without a shell. Files are
//! opened here, and only those that lie in a folder that is open.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use base::LogErr as _;
use scene::Point;
use terminal::{CellPoint, Link, Modifiers};
use ui::{Hit, HitRegion};
use workspace::{Action, Fact, FileAction, PaneId, ProgramId};

use crate::app::App;
use crate::open::Location;
use crate::pointer::wants_mouse;

/// The program of the desktop that knows what opens what.
const OPENER: &str = "xdg-open";

/// What is under the pointer, as far as links go.
#[derive(Debug, Default)]
pub(crate) struct Hover {
    modifiers: Modifiers,
    /// What was looked at: the cell of that terminal at that revision.
    at: Option<(ProgramId, u64, CellPoint)>,
    link: Option<(ProgramId, Link)>,
    /// A click would follow it.
    is_active: bool,
}

/// A file that a link leads to.
pub(crate) struct LinkedFile {
    pub path: String,
    pub at: Option<(u32, u32)>,
    pub program: ProgramId,
    /// Where the program says that it is.
    pub told: Option<PathBuf>,
    pub root: PathBuf,
}

impl Hover {
    pub(crate) fn shown(&self) -> Option<ui::HoveredLink<'_>> {
        let (program, link) = self.link.as_ref()?;
        Some(ui::HoveredLink { program: *program, link, is_active: self.is_active })
    }

    pub(crate) fn is_active(&self) -> bool {
        self.is_active
    }

    /// What a click does. It goes where the status bar has said that it would.
    pub(crate) fn click(&self) -> Option<Action> {
        let (program, link) = self.link.as_ref().filter(|_| self.is_active)?;
        Some(Action::FollowLink { program: *program, target: link.target.clone() })
    }
}

impl App {
    pub(crate) fn modifiers_changed(&mut self, modifiers: Modifiers) {
        self.hover.modifiers = modifiers;
        self.look_for_link();
    }

    /// Finds the link under the pointer, if that may have become another.
    pub(crate) fn look_for_link(&mut self) {
        let region = self.region_at(self.view.pointer);
        let place = region.as_ref().zip(self.view.pointer);
        let at = place.and_then(|(region, point)| self.cell_under(region, point));
        let modifiers = self.hover.modifiers;
        let link_before = self.hover.at;
        let at = at.map(|(pane, program, cell)| {
            let revision =
                self.state.terminal(program).map_or(0, |terminal| terminal.buffer().revision());
            (pane, (program, revision, cell))
        });
        let key = at.map(|(_, key)| key);
        let mut changed = false;
        if key != link_before {
            let link = key.and_then(|(program, _, cell)| {
                let link = self.state.terminal(program)?.buffer().link_at(cell)?;
                Some((program, link))
            });
            changed = link != self.hover.link;
            self.hover.at = key;
            self.hover.link = link;
        }
        let is_active = self.hover.link.is_some()
            && modifiers.contains(Modifiers::CTRL)
            && at.is_some_and(|(pane, _)| !wants_mouse(self.modes_in(pane), modifiers));
        changed |= is_active != self.hover.is_active;
        self.hover.is_active = is_active;
        if changed {
            self.dirty = true;
            self.shape_pointer(None, self.view.pointer);
        }
    }

    fn cell_under(&self, region: &HitRegion, at: Point) -> Option<(PaneId, ProgramId, CellPoint)> {
        let Hit::Terminal(pane) = region.hit else { return None };
        let program = self.state.terminal_of(pane)?.program();
        let (cell, _) = ui::cell_at(region, self.view.metrics, self.view.scale, at);
        Some((pane, program, cell))
    }

    /// Hands an address that has been checked to the desktop.
    pub(crate) fn open_outside(&mut self, address: &str, now: Instant) {
        let command = Command::new(OPENER)
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match command {
            Ok(child) => self.opened.0.push(child),
            Err(err) => {
                let refusal = format!("cannot open {address}: {OPENER} could not be run: {err}");
                self.observe(Fact::Refused(refusal), now);
            }
        }
    }

    /// Opens the file of a link, or says why not.
    pub(crate) fn open_linked_file(&mut self, file: &LinkedFile, now: Instant) {
        let opened = self
            .trusted_file(file)
            .and_then(|(path, at)| self.act(Action::File(FileAction::Open { path, at }), now));
        if let Err(refusal) = opened {
            self.observe(Fact::Refused(format!("{refusal:#}")), now);
        }
    }

    /// The file itself, at the end of all links of the disk, if it lies in a folder that is open.
    fn trusted_file(&self, file: &LinkedFile) -> Result<(PathBuf, Option<(u32, u32)>)> {
        let LinkedFile { path, at, program, told, root } = file;
        let expanded = self.expand_home(path);
        let process = || self.sessions.foreground(*program)?.directory;
        let folders = told.clone().or_else(process).into_iter().chain([root.clone()]);
        let found = folders.into_iter().find_map(|folder| {
            let whole = folder.join(&expanded);
            let whole = whole.to_str()?;
            let Location { path, at: read } = Location::parse(whole);
            let real = fs::canonicalize(path).ok()?;
            Some((real, (*at).or(read)))
        });
        let (real, at) = found.ok_or_else(|| anyhow!("{path}: there is no such file"))?;
        self.check_trusted(&real)?;
        Ok((real, at))
    }

    fn check_trusted(&self, real: &Path) -> Result<()> {
        if self.state.workspace_holding(real).is_none() {
            bail!("{} lies in no folder that is open; it was not opened", real.display());
        }
        let meta = fs::metadata(real).with_context(|| format!("cannot open {}", real.display()))?;
        if !meta.is_file() {
            bail!("{} is not a file", real.display());
        }
        Ok(())
    }
}

/// Programs of the desktop that were started to open something, until they have ended.
#[derive(Debug, Default)]
pub(crate) struct Opened(Vec<Child>);

impl Opened {
    /// Lets go of those that have ended. Never waits.
    pub(crate) fn reap(&mut self) {
        self.0.retain_mut(|child| {
            matches!(child.try_wait().log_err("looking at a program"), Some(None))
        });
    }
}
