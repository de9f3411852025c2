//! The order of tiles: groups, moves, and what is remembered of the rail.

use super::*;
use crate::{RailLook, ViewAction, Workspace, WorkspaceId};

/// Opens folders in order: `web` in no repository, `api.x` in the repository `api`.
fn rail(folders: &str) -> Stage {
    let mut stage = Stage::new();
    for folder in folders.split(' ') {
        stage
            .act(Action::Workspace(WorkspaceAction::Open(PathBuf::from("/").join(folder))))
            .unwrap();
        let repository = folder.split_once('.').map(|(name, _)| name);
        let repository = repository.map(|name| PathBuf::from(format!("/src/{name}/.git")));
        let workspace = stage.state.active_workspace().expect("a workspace").id();
        stage.fact(Fact::RepositoryRead { workspace, repository });
    }
    stage
}

/// The tiles in order, groups of several as `name[..]`.
fn picture(stage: &Stage) -> String {
    let names = |members: std::ops::Range<usize>| {
        let members = &stage.state.workspaces()[members];
        members.iter().map(Workspace::name).collect::<Vec<_>>().join(" ")
    };
    let groups = stage.state.rail_groups().into_iter().map(|group| match &group.name {
        Some(name) => format!("{name}[{}]", names(group.members)),
        None => names(group.members),
    });
    groups.collect::<Vec<_>>().join(" ")
}

fn named(stage: &Stage, name: &str) -> WorkspaceId {
    stage.state.find_workspace(name).expect("such a workspace").id()
}

#[test]
fn workspaces_of_one_repository_stand_together_where_the_first_is() {
    #[track_caller]
    fn check(folders: &str, expected: &str) {
        assert_eq!(picture(&rail(folders)), expected, "after opening {folders}");
    }
    check("a b c", "a b c");
    check("a api.1 b", "a api.1 b");
    check("api.1 b api.2", "api[api.1 api.2] b");
    check("a api.1 b api.2 web.1 api.3 web.2", "a api[api.1 api.2 api.3] b web[web.1 web.2]");
}

#[test]
fn a_repository_is_called_as_people_call_it() {
    #[track_caller]
    fn check(common: &str, expected: &str) {
        let mut stage = rail("a b");
        for name in ["a", "b"] {
            let workspace = named(&stage, name);
            stage.fact(Fact::RepositoryRead { workspace, repository: Some(common.into()) });
        }
        assert_eq!(picture(&stage), format!("{expected}[a b]"), "{common}");
    }
    check("/src/api/.git", "api");
    check("/srv/git/api.git", "api");
    check("/.git", ".git");
    check("/src/bad\u{1b}[2J/.git", "bad?[2J");
}

#[test]
fn keys_move_a_tile_within_its_group_and_then_the_group() {
    #[track_caller]
    fn check(folders: &str, active: &str, keys: &str, expected: &str) {
        let mut stage = rail(folders);
        let id = named(&stage, active);
        stage.act(Action::Workspace(WorkspaceAction::Activate(id))).unwrap();
        stage.step(&format!("key {keys}"));
        assert_eq!(picture(&stage), expected, "{active} of {folders} by {keys}");
        let shown = stage.state.active_workspace().map(Workspace::id);
        assert_eq!(shown, Some(id), "the same is on show");
    }
    let (up, down) = ("ctrl-alt-shift-up", "ctrl-alt-shift-down");
    check("a b c", "b", up, "b a c");
    check("a b c", "b", down, "a c b");
    check("a b c", "a", up, "a b c");
    check("a b c", "c", down, "a b c");
    check("a b c", "a", &format!("{down} {down}"), "b c a");
    check("x.1 x.2 a", "x.2", up, "x[x.2 x.1] a");
    check("x.1 x.2 a", "x.2", down, "a x[x.1 x.2]");
    check("a x.1 x.2", "x.1", up, "x[x.1 x.2] a");
    check("a x.1 x.2", "a", down, "x[x.1 x.2] a");
    check("x.1 x.2 y.1 y.2", "y.1", up, "y[y.1 y.2] x[x.1 x.2]");
}

#[test]
fn a_tile_lands_where_it_is_let_go_of_and_groups_stay_whole() {
    #[track_caller]
    fn check(folders: &str, tile: &str, place: usize, expected: &str) {
        let mut stage = rail(folders);
        let workspace = named(&stage, tile);
        let before = picture(&stage);
        let landing = stage.state.landing(workspace, place);
        stage.act(Action::Workspace(WorkspaceAction::MoveTo { workspace, place })).unwrap();
        assert_eq!(picture(&stage), expected, "{tile} of {folders} before {place}");
        assert_eq!(landing.is_some(), before != expected, "told before: {landing:?}");
    }
    check("a b c", "a", 0, "a b c");
    check("a b c", "a", 1, "a b c");
    check("a b c", "a", 2, "b a c");
    check("a b c", "a", 3, "b c a");
    check("a b c", "c", 0, "c a b");
    check("a b c", "c", 99, "a b c");
    check("x.1 x.2 x.3 a", "x.1", 3, "x[x.2 x.3 x.1] a");
    check("x.1 x.2 x.3 a", "x.1", 4, "a x[x.1 x.2 x.3]");
    check("a x.1 x.2 x.3", "a", 2, "a x[x.1 x.2 x.3]");
    check("a x.1 x.2 x.3", "a", 3, "x[x.1 x.2 x.3] a");
    check("x.1 x.2 a y.1 y.2", "y.2", 0, "y[y.1 y.2] x[x.1 x.2] a");
}

#[test]
fn numbers_go_to_what_is_seen() {
    let mut stage = rail("api.1 b api.2");
    for (number, name) in [(1, "api.1"), (2, "api.2"), (3, "b")] {
        stage.step(&format!("key ctrl-alt-{number}"));
        assert_eq!(stage.state.active_workspace().map(Workspace::name), Some(name), "{number}");
    }
}

#[test]
fn grouping_can_be_switched_off_and_then_tiles_go_anywhere() {
    let mut stage = rail("api.1 b api.2");
    stage.act(Action::View(ViewAction::ToggleGroups)).unwrap();
    assert_eq!(picture(&stage), "api.1 api.2 b", "the order stays");
    let workspace = named(&stage, "b");
    stage.act(Action::Workspace(WorkspaceAction::MoveTo { workspace, place: 1 })).unwrap();
    assert_eq!(picture(&stage), "api.1 b api.2", "between them");
    stage.act(Action::View(ViewAction::ToggleGroups)).unwrap();
    assert_eq!(picture(&stage), "api[api.1 api.2] b", "together again");
}

/// What was to be remembered last.
fn kept(stage: &Stage) -> Option<RailLook> {
    stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::KeepRailLook(look) => Some(*look),
        _ => None,
    })
}

#[test]
fn what_is_done_to_the_rail_is_remembered() {
    #[track_caller]
    fn check(actions: &[ViewAction], expected: (bool, u16, bool)) {
        let mut stage = rail("a");
        for action in actions {
            stage.act(Action::View(action.clone())).unwrap();
        }
        let (is_compact, width, is_grouped) = expected;
        let look = RailLook { is_compact, width, is_grouped };
        assert_eq!(stage.state.rail_look(), look, "after {actions:?}");
        assert_eq!(kept(&stage), Some(look), "remembered after {actions:?}");
    }
    let released = ViewAction::LetRailGo;
    check(&[ViewAction::ToggleRail], (true, 224, true));
    check(&[ViewAction::ToggleRail, ViewAction::ToggleRail], (false, 224, true));
    check(&[ViewAction::ToggleGroups], (false, 224, false));
    check(&[ViewAction::DragRail(300), released.clone()], (false, 300, true));
    check(&[ViewAction::DragRail(9_000), released.clone()], (false, 480, true));
    check(&[ViewAction::DragRail(120), released.clone()], (false, 160, true));
    check(&[ViewAction::DragRail(300), ViewAction::DragRail(90), released], (true, 300, true));
}

#[test]
fn a_look_that_makes_no_sense_is_set_right() {
    let mut stage = rail("api.1 b api.2");
    stage.fact(Fact::RailLookRead(RailLook { is_compact: true, width: 7, is_grouped: true }));
    let look = stage.state.rail_look();
    assert_eq!(look, RailLook { is_compact: true, width: 160, is_grouped: true }, "in bounds");
}
