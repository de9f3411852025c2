//! Which pane lies beside another, by the proportions of the splits.

use super::{Axis, Direction, PaneNode, WHOLE};
use crate::PaneId;

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

/// The pane that touches the middle of the one it is gone from.
pub(super) fn neighbour(root: &PaneNode, from: PaneId, direction: Direction) -> Option<PaneId> {
    let mut areas = Vec::new();
    measure(root, Area { left: 0, top: 0, right: UNIT, bottom: UNIT }, &mut areas);
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
