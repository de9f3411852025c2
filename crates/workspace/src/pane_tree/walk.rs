//! Walking the tree of panes.

use super::{PaneNode, Split, TabGroup};
use crate::{PaneId, SplitId};

pub(super) fn collect<'a>(node: &'a PaneNode, groups: &mut Vec<&'a TabGroup>) {
    match node {
        PaneNode::Group(group) => groups.push(group),
        PaneNode::Split(split) => {
            collect(&split.first, groups);
            collect(&split.second, groups);
        }
    }
}

pub(super) fn first_group(node: &PaneNode) -> &TabGroup {
    match node {
        PaneNode::Group(group) => group,
        PaneNode::Split(split) => first_group(&split.first),
    }
}

pub(super) fn leaf_mut(node: &mut PaneNode, id: PaneId) -> Option<&mut PaneNode> {
    match node {
        PaneNode::Group(group) if group.id != id => None,
        PaneNode::Group(_) => Some(node),
        PaneNode::Split(split) => {
            let Split { first, second, .. } = &mut **split;
            leaf_mut(first, id).or_else(|| leaf_mut(second, id))
        }
    }
}

pub(super) fn find_mut(node: &mut PaneNode, id: PaneId) -> Option<&mut TabGroup> {
    match leaf_mut(node, id)? {
        PaneNode::Group(group) => Some(group),
        PaneNode::Split(_) => None,
    }
}

pub(super) fn split_mut(node: &mut PaneNode, id: SplitId) -> Option<&mut Split> {
    let PaneNode::Split(split) = node else { return None };
    if split.id == id {
        return Some(split);
    }
    let Split { first, second, .. } = &mut **split;
    split_mut(first, id).or_else(|| split_mut(second, id))
}

/// The split that a pane is a part of, and whether it is the first.
pub(super) fn parent_mut(node: &mut PaneNode, id: PaneId) -> Option<(&mut Split, bool)> {
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
pub(super) fn remove(node: &mut PaneNode, id: PaneId) -> Option<(TabGroup, PaneId)> {
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
