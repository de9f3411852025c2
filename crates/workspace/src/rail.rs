//! The rail: how it looks, in which order its tiles stand, and which of them stand together.
//!
//! The order of [`State::workspaces`] is the order that is seen, so numbers, keys and the mouse agree.
//! While tiles are grouped, the workspaces of one repository always stand together in it.

use std::ops::Range;
use std::path::Path;

use crate::{State, Workspace, WorkspaceId};

/// Bounds of the wide form, in logical pixels.
const WIDTHS: std::ops::RangeInclusive<u16> = 160..=480;
/// An edge that is dragged nearer to the window's than this asks for the compact form.
const COMPACT_BELOW: u16 = 110;

/// How the rail looks, as the person has left it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RailLook {
    pub is_compact: bool,
    /// Of the wide form, in logical pixels.
    pub width: u16,
    /// Workspaces of one repository stand together.
    pub is_grouped: bool,
}

/// The rail's look, and what of it is in view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rail {
    pub(crate) look: RailLook,
    /// Pixels above the view.
    pub(crate) scroll: u16,
    /// The active tile is to be in view, however far that is from `scroll`.
    pub(crate) follows_active: bool,
}

/// Tiles that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RailGroup {
    /// Places on the rail, from 0.
    pub members: Range<usize>,
    /// Of the repository, where several workspaces share one.
    pub name: Option<String>,
}

/// Where what is dragged would go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    /// The tiles that move: one, or its whole group where it leaves that.
    pub moved: Range<usize>,
    /// They come to stand before the tile at this place, or last.
    pub before: usize,
}

impl Default for RailLook {
    fn default() -> Self {
        Self { is_compact: false, width: 224, is_grouped: true }
    }
}

impl RailLook {
    /// The same with a width that makes sense.
    #[must_use]
    pub fn checked(self) -> Self {
        Self { width: self.width.clamp(*WIDTHS.start(), *WIDTHS.end()), ..self }
    }

    /// The rail's edge is dragged to that place.
    pub(crate) fn drag_edge(&mut self, x: u16) {
        self.is_compact = x < COMPACT_BELOW;
        if !self.is_compact {
            *self = Self { width: x, ..*self }.checked();
        }
    }
}

impl Default for Rail {
    fn default() -> Self {
        Self { look: RailLook::default(), scroll: 0, follows_active: true }
    }
}

impl RailGroup {
    fn has_heading(&self) -> bool {
        self.name.is_some()
    }

    /// Whether something has to part two neighbours, lest one be taken to belong to the other.
    pub fn is_apart_from(&self, next: &Self) -> bool {
        self.has_heading() || next.has_heading()
    }
}

impl State {
    pub fn rail_look(&self) -> RailLook {
        self.rail.look
    }

    /// Pixels of the rail that are above the view, and whether the active tile has to be in it all the
    /// same.
    pub fn rail_scroll(&self) -> (u16, bool) {
        (self.rail.scroll, self.rail.follows_active)
    }

    /// The tiles in order, divided into those that stand together.
    pub fn rail_groups(&self) -> Vec<RailGroup> {
        let mut groups: Vec<RailGroup> = Vec::new();
        for (place, workspace) in self.workspaces.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| self.workspaces.get(before));
            let belongs = before.is_some_and(|before| self.stand_together(before, workspace));
            match groups.last_mut().filter(|_| belongs) {
                Some(group) => {
                    group.members.end = place + 1;
                    group.name = workspace.repository().map(repository_name);
                }
                None => groups.push(RailGroup { members: place..place + 1, name: None }),
            }
        }
        groups
    }

    /// Where a tile goes that is let go of before the tile at `place`; `None` where it would stay. Within
    /// its group it moves alone, and out of it with the group.
    pub fn landing(&self, workspace: WorkspaceId, place: usize) -> Option<Landing> {
        let (from, groups, own) = self.tile(workspace)?;
        let own = groups.get(own)?.members.clone();
        let place = place.min(self.workspaces.len());
        if (own.start..=own.end).contains(&place) {
            let stays = place == from || place == from + 1;
            return (!stays).then_some(Landing { moved: from..from + 1, before: place });
        }
        // Into the middle of another group nothing can be put: the nearer end of it is meant.
        let over = groups.iter().find(|group| group.members.contains(&place));
        let before = over.map_or(place, |group| {
            let Range { start, end } = group.members;
            if place - start <= end - place { start } else { end }
        });
        let stays = before == own.start || before == own.end;
        (!stays).then_some(Landing { moved: own, before })
    }

    /// One place up: within its group alone, and from the top of it with the group over the one before.
    pub(crate) fn landing_above(&self, workspace: WorkspaceId) -> Option<Landing> {
        let (from, groups, own) = self.tile(workspace)?;
        let place = if from > groups.get(own)?.members.start {
            from - 1
        } else {
            groups.get(own.checked_sub(1)?)?.members.start
        };
        self.landing(workspace, place)
    }

    /// One place down, likewise.
    pub(crate) fn landing_below(&self, workspace: WorkspaceId) -> Option<Landing> {
        let (from, groups, own) = self.tile(workspace)?;
        let place = if from + 1 < groups.get(own)?.members.end {
            from + 2
        } else {
            groups.get(own + 1)?.members.end
        };
        self.landing(workspace, place)
    }

    /// Its place on the rail, all groups, and which of them is its own.
    fn tile(&self, workspace: WorkspaceId) -> Option<(usize, Vec<RailGroup>, usize)> {
        let from = self.workspaces.iter().position(|it| it.id == workspace)?;
        let groups = self.rail_groups();
        let own = groups.iter().position(|group| group.members.contains(&from))?;
        Some((from, groups, own))
    }

    /// Lets the tiles land.
    pub(crate) fn land(&mut self, landing: &Landing) {
        let Landing { moved: Range { start, end }, before } = *landing;
        if start > end || end.max(before) > self.workspaces.len() {
            return;
        }
        if before < start {
            self.workspaces[before..end].rotate_right(end - start);
        } else if before > end {
            self.workspaces[start..before].rotate_left(end - start);
        }
    }

    /// Puts workspaces of one repository together, where the first of them is. Otherwise their order stays.
    pub(crate) fn settle_groups(&mut self) {
        if !self.rail.look.is_grouped {
            return;
        }
        let first_of = |workspace: &Workspace| {
            let same = |it: &Workspace| self.stand_together(it, workspace) || it.id == workspace.id;
            self.workspaces.iter().position(same).map(|place| (workspace.id, place))
        };
        let places: std::collections::BTreeMap<WorkspaceId, usize> =
            self.workspaces.iter().filter_map(first_of).collect();
        self.workspaces.sort_by_key(|workspace| places.get(&workspace.id).copied());
    }

    fn stand_together(&self, one: &Workspace, other: &Workspace) -> bool {
        let repository = one.repository();
        self.rail.look.is_grouped && repository.is_some() && repository == other.repository()
    }
}

/// What people call the repository of that common folder: `api` for `/src/api/.git` and `/srv/api.git`.
fn repository_name(common: &Path) -> String {
    let is_inside = common.file_name().is_some_and(|name| name == ".git");
    let named = if is_inside { common.parent().and_then(Path::file_name) } else { None };
    let name = named.or_else(|| common.file_stem()).unwrap_or(common.as_os_str());
    name.to_string_lossy().chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
