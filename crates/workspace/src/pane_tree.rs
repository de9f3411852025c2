//! How a workspace's area is divided: a tree of splits whose leaves are groups of tabs.
//!
//! Only proportions are kept; what they come to in pixels is for whoever draws.
//!
//! Invariants:
//! - There is always at least one pane, and the focused one exists.
//! - A pane without tabs is the only one there is.

use crate::{PaneId, SplitId, Tab, TabId};

/// The whole of a split, in the units of [`Split::share`].
pub const WHOLE: u16 = 1000;
/// Neither side of a split gets less than this of it.
const SMALLEST_SHARE: u16 = 100;

/// How the two parts of a split lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Side by side.
    Row,
    /// One above the other.
    Column,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Tabs that share a place; one of them is on show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TabGroup {
    pub(crate) id: PaneId,
    pub(crate) tabs: Vec<Tab>,
    pub(crate) active: Option<TabId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaneNode {
    Group(TabGroup),
    Split(Box<Split>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    id: SplitId,
    axis: Axis,
    share: u16,
    /// Left or above.
    first: PaneNode,
    second: PaneNode,
}

#[derive(Debug, Clone)]
pub struct PaneTree {
    root: PaneNode,
    focused: PaneId,
}

impl TabGroup {
    pub(crate) fn new(id: PaneId) -> Self {
        Self { id, tabs: Vec::new(), active: None }
    }

    pub fn id(&self) -> PaneId {
        self.id
    }

    pub fn tabs(&self) -> &[Tab] {
        &self.tabs
    }

    pub fn active_tab(&self) -> Option<Tab> {
        let id = self.active?;
        self.tabs.iter().copied().find(|tab| tab.id == id)
    }

    pub(crate) fn push(&mut self, tab: Tab) {
        self.tabs.push(tab);
        self.active = Some(tab.id);
    }

    /// Takes a tab away; its right neighbour, or else its left one, becomes active.
    fn take(&mut self, id: TabId) -> Option<Tab> {
        let index = self.tabs.iter().position(|tab| tab.id == id)?;
        let tab = self.tabs.remove(index);
        if self.active == Some(id) {
            let neighbour = self.tabs.get(index).or_else(|| self.tabs.last());
            self.active = neighbour.map(|tab| tab.id);
        }
        Some(tab)
    }
}

impl Split {
    pub fn id(&self) -> SplitId {
        self.id
    }

    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// What the first part has of the whole, in thousandths.
    pub fn share(&self) -> u16 {
        self.share
    }

    pub fn parts(&self) -> (&PaneNode, &PaneNode) {
        (&self.first, &self.second)
    }
}

impl PaneTree {
    pub(crate) fn new(id: PaneId) -> Self {
        Self { root: PaneNode::Group(TabGroup::new(id)), focused: id }
    }

    pub fn root(&self) -> &PaneNode {
        &self.root
    }

    /// From left to right and from top to bottom.
    pub fn groups(&self) -> Vec<&TabGroup> {
        let mut groups = Vec::new();
        collect(&self.root, &mut groups);
        groups
    }

    pub fn focused(&self) -> PaneId {
        self.focused
    }

    pub fn focused_group(&self) -> &TabGroup {
        self.group(self.focused).unwrap_or_else(|| first_group(&self.root))
    }

    pub fn group(&self, id: PaneId) -> Option<&TabGroup> {
        self.groups().into_iter().find(|group| group.id == id)
    }

    pub fn group_of(&self, tab: TabId) -> Option<&TabGroup> {
        self.groups().into_iter().find(|group| group.tabs.iter().any(|it| it.id == tab))
    }

    pub fn is_split(&self) -> bool {
        matches!(self.root, PaneNode::Split(_))
    }

    pub(crate) fn group_mut(&mut self, id: PaneId) -> Option<&mut TabGroup> {
        find_mut(&mut self.root, id)
    }

    pub(crate) fn focus(&mut self, id: PaneId) -> bool {
        let exists = self.group(id).is_some();
        if exists {
            self.focused = id;
        }
        exists
    }

    /// Shows a tab and focuses its pane.
    pub(crate) fn show(&mut self, tab: TabId) -> bool {
        let Some(id) = self.group_of(tab).map(TabGroup::id) else { return false };
        if let Some(group) = self.group_mut(id) {
            group.active = Some(tab);
        }
        self.focus(id)
    }

    /// Adds a tab to the focused pane and shows it.
    pub(crate) fn push(&mut self, tab: Tab) {
        let id = self.focused_group().id;
        if let Some(group) = self.group_mut(id) {
            group.push(tab);
        }
    }

    /// Halves a pane; the new, empty one lies right of it or below, and has the focus.
    pub(crate) fn split(&mut self, pane: PaneId, axis: Axis, ids: (SplitId, PaneId)) {
        let (id, new) = ids;
        let Some(node) = leaf_mut(&mut self.root, pane) else { return };
        let first = std::mem::replace(node, PaneNode::Group(TabGroup::new(new)));
        let second = PaneNode::Group(TabGroup::new(new));
        *node = PaneNode::Split(Box::new(Split { id, axis, share: WHOLE / 2, first, second }));
        self.focused = new;
    }

    /// Takes a tab away, and its pane with it if that was its last.
    pub(crate) fn take(&mut self, tab: TabId) -> Option<Tab> {
        let id = self.group_of(tab)?.id;
        let group = self.group_mut(id)?;
        let taken = group.take(tab);
        if group.tabs.is_empty() {
            self.remove(id);
        }
        taken
    }

    /// Takes a pane away; what was beside it gets its room. The only one stays.
    pub(crate) fn remove(&mut self, pane: PaneId) -> Option<TabGroup> {
        let (removed, beside) = remove(&mut self.root, pane)?;
        if self.focused == pane {
            self.focused = beside;
        }
        Some(removed)
    }

    /// The pane one comes to from another by going that way.
    pub(crate) fn toward(&self, from: PaneId, direction: Direction) -> Option<PaneId> {
        let mut areas = Vec::new();
        measure(&self.root, Area { left: 0, top: 0, right: UNIT, bottom: UNIT }, &mut areas);
        let (_, own) = areas.iter().find(|(id, _)| *id == from)?;
        let (x, y) = (u32::midpoint(own.left, own.right), u32::midpoint(own.top, own.bottom));
        let is_beside = |area: &Area| match direction {
            Direction::Left => area.right == own.left && area.spans_y(y),
            Direction::Right => area.left == own.right && area.spans_y(y),
            Direction::Up => area.bottom == own.top && area.spans_x(x),
            Direction::Down => area.top == own.bottom && area.spans_x(x),
        };
        areas.iter().find(|(_, area)| is_beside(area)).map(|(id, _)| *id)
    }

    pub(crate) fn set_share(&mut self, split: SplitId, share: u16) -> bool {
        let Some(split) = split_mut(&mut self.root, split) else { return false };
        split.share = share.clamp(SMALLEST_SHARE, WHOLE - SMALLEST_SHARE);
        true
    }

    /// Gives a pane more of the split it is in, or less.
    pub(crate) fn grow(&mut self, pane: PaneId, by: i16) -> bool {
        let Some((split, is_first)) = parent_mut(&mut self.root, pane) else { return false };
        let by = if is_first { by } else { -by };
        let share = split.share.saturating_add_signed(by);
        split.share = share.clamp(SMALLEST_SHARE, WHOLE - SMALLEST_SHARE);
        true
    }
}

/// Sides of the area that directions are found in; fine enough for ten splits within each other.
const UNIT: u32 = 1 << 30;

#[derive(Debug, Clone, Copy)]
struct Area {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Area {
    fn spans_x(&self, x: u32) -> bool {
        (self.left..self.right).contains(&x)
    }

    fn spans_y(&self, y: u32) -> bool {
        (self.top..self.bottom).contains(&y)
    }
}

fn measure(node: &PaneNode, area: Area, areas: &mut Vec<(PaneId, Area)>) {
    let split = match node {
        PaneNode::Group(group) => return areas.push((group.id, area)),
        PaneNode::Split(split) => split,
    };
    let at = |from: u32, to: u32| from + (to - from) / u32::from(WHOLE) * u32::from(split.share);
    let (first, second) = match split.axis {
        Axis::Row => {
            let middle = at(area.left, area.right);
            (Area { right: middle, ..area }, Area { left: middle, ..area })
        }
        Axis::Column => {
            let middle = at(area.top, area.bottom);
            (Area { bottom: middle, ..area }, Area { top: middle, ..area })
        }
    };
    measure(&split.first, first, areas);
    measure(&split.second, second, areas);
}

fn collect<'a>(node: &'a PaneNode, groups: &mut Vec<&'a TabGroup>) {
    match node {
        PaneNode::Group(group) => groups.push(group),
        PaneNode::Split(split) => {
            collect(&split.first, groups);
            collect(&split.second, groups);
        }
    }
}

fn first_group(node: &PaneNode) -> &TabGroup {
    match node {
        PaneNode::Group(group) => group,
        PaneNode::Split(split) => first_group(&split.first),
    }
}

fn leaf_mut(node: &mut PaneNode, id: PaneId) -> Option<&mut PaneNode> {
    match node {
        PaneNode::Group(group) if group.id != id => None,
        PaneNode::Group(_) => Some(node),
        PaneNode::Split(split) => {
            let Split { first, second, .. } = &mut **split;
            leaf_mut(first, id).or_else(|| leaf_mut(second, id))
        }
    }
}

fn find_mut(node: &mut PaneNode, id: PaneId) -> Option<&mut TabGroup> {
    match leaf_mut(node, id)? {
        PaneNode::Group(group) => Some(group),
        PaneNode::Split(_) => None,
    }
}

fn split_mut(node: &mut PaneNode, id: SplitId) -> Option<&mut Split> {
    let PaneNode::Split(split) = node else { return None };
    if split.id == id {
        return Some(split);
    }
    let Split { first, second, .. } = &mut **split;
    split_mut(first, id).or_else(|| split_mut(second, id))
}

/// The split that a pane is a part of, and whether it is the first.
fn parent_mut(node: &mut PaneNode, id: PaneId) -> Option<(&mut Split, bool)> {
    let PaneNode::Split(split) = node else { return None };
    let is = |part: &PaneNode| matches!(part, PaneNode::Group(group) if group.id == id);
    if is(&split.first) || is(&split.second) {
        let is_first = is(&split.first);
        return Some((split, is_first));
    }
    let Split { first, second, .. } = &mut **split;
    parent_mut(first, id).or_else(|| parent_mut(second, id))
}

/// Takes a leaf out; gives it with the pane that is to have the focus in its stead.
fn remove(node: &mut PaneNode, id: PaneId) -> Option<(TabGroup, PaneId)> {
    let PaneNode::Split(split) = node else { return None };
    let is = |part: &PaneNode| matches!(part, PaneNode::Group(group) if group.id == id);
    let (is_first, is_second) = (is(&split.first), is(&split.second));
    if !is_first && !is_second {
        let Split { first, second, .. } = &mut **split;
        return remove(first, id).or_else(|| remove(second, id));
    }
    let placeholder = || PaneNode::Group(TabGroup::new(id));
    let first = std::mem::replace(&mut split.first, placeholder());
    let second = std::mem::replace(&mut split.second, placeholder());
    let (removed, kept) = if is_first { (first, second) } else { (second, first) };
    let beside = first_group(&kept).id;
    *node = kept;
    match removed {
        PaneNode::Group(group) => Some((group, beside)),
        PaneNode::Split(_) => None,
    }
}
