//! Several panes in one window.

use scene::{Point, Rect};
use workspace::Axis;

use super::fixture::{Stage, words};
use crate::{Frame, Hit, hit, pane_at, share_at};

fn terminals(frame: &Frame) -> Vec<Rect> {
    let is_terminal = |region: &&crate::HitRegion| matches!(region.hit, Hit::Terminal(_));
    let mut rects: Vec<Rect> =
        frame.hits.iter().filter(is_terminal).map(|region| region.rect).collect();
    rects.sort_by(|a, b| (a.x, a.y).partial_cmp(&(b.x, b.y)).expect("numbers"));
    rects
}

#[track_caller]
fn check(script: &str, expected: &[&str]) {
    let mut stage = Stage::play(script);
    stage.frame();
    let rects: Vec<String> = terminals(&stage.frame()).iter().map(ToString::to_string).collect();
    assert_eq!(rects, expected, "the terminals after {script}");
}

#[test]
fn panes_share_the_area_with_a_line_between_them() {
    check("open api, agent sh", &["224,38 776x535"]);
    check("open api, agent sh, keys ctrl-shift-5", &["224,38 387x535", "612,38 388x535"]);
    check("open api, agent sh, keys ctrl-shift-d", &["224,38 776x248", "224,325 776x248"]);
    check(
        "open api, agent sh, keys ctrl-shift-5, keys ctrl-shift-d",
        &["224,38 387x535", "612,38 388x248", "612,325 388x248"],
    );
}

#[test]
fn each_terminal_has_the_size_of_its_own_pane() {
    let mut stage = Stage::play("open api, agent sh, keys ctrl-shift-5");
    stage.frame();
    let sizes: Vec<(u16, u16)> = stage
        .state
        .visible_terminals()
        .iter()
        .map(|terminal| terminal.buffer().size())
        .map(|size| (size.columns, size.rows))
        .collect();
    assert_eq!(sizes, [(44, 24), (45, 24)], "387 and 388 pixels less the padding");
}

#[test]
fn only_the_focused_pane_has_the_accent_and_a_solid_cursor() {
    let frame = Stage::play("open api, agent sh, print hi, keys ctrl-shift-5").frame();
    let quads: Vec<_> = frame.scene.layers.iter().flat_map(|layer| &layer.quads).collect();
    let accent = scene::Color::hex(0x6e_a8fe);
    let lines: Vec<f32> = quads
        .iter()
        .filter(|quad| quad.color == accent && quad.rect.height == 2.0)
        .map(|quad| quad.rect.x)
        .collect();
    assert_eq!(lines, [612.0], "the right pane's tab");
    let hollow: Vec<f32> = quads
        .iter()
        .filter(|quad| quad.border_width > 0.0 && quad.rect.width == 8.0)
        .map(|quad| quad.rect.x)
        .collect();
    assert_eq!(hollow, [224.0 + 14.0 + 16.0], "the left pane's cursor");
    let cursor = frame.text_cursor.expect("a cursor");
    assert!(cursor.x > 612.0, "text is typed at the right: {cursor}");
}

#[test]
fn what_is_composed_is_in_the_focused_pane_alone() {
    #[track_caller]
    fn check(script: &str, expected: &[f32]) {
        let frame = Stage::play(script).frame();
        let grids = frame.scene.layers.iter().flat_map(|layer| &layer.grids);
        let composed = grids.filter(|grid| grid.rows.len() == 1);
        let places: Vec<f32> = composed.map(|grid| grid.origin.x).collect();
        assert_eq!(places, expected, "after {script}");
        assert_eq!(frame.text_cursor.map(|at| at.x), expected.first().copied(), "after {script}");
    }
    let split = "open api, agent sh, print hi, keys ctrl-shift-5";
    check(&format!("{split}, compose x"), &[612.0 + 14.0]);
    check(&format!("{split}, keys ctrl-shift-left, compose x"), &[224.0 + 14.0 + 16.0]);
}

#[test]
fn a_point_is_in_one_pane_and_the_line_can_be_grabbed() {
    let mut stage = Stage::play("open api, agent sh, keys ctrl-shift-5");
    let frame = stage.frame();
    let groups = stage.state.active_workspace().expect("a workspace").panes().groups();
    let [left, right] = [groups[0].id(), groups[1].id()];
    assert_eq!(pane_at(&frame, Point::new(300.0, 20.0)), Some(left), "its tab bar");
    assert_eq!(pane_at(&frame, Point::new(610.0, 300.0)), Some(left), "its edge");
    assert_eq!(pane_at(&frame, Point::new(612.0, 300.0)), Some(right), "the other");
    assert_eq!(pane_at(&frame, Point::new(100.0, 300.0)), None, "the rail");
    for x in [608.0, 611.0, 614.0] {
        let found = &hit(&frame, Point::new(x, 300.0)).expect("something").hit;
        assert!(matches!(found, Hit::Divider(_, Axis::Row)), "{x}: {found:?}");
    }
    let beside = &hit(&frame, Point::new(607.0, 300.0)).expect("something").hit;
    assert_eq!(*beside, Hit::Terminal(left), "no further");
}

#[test]
fn the_line_goes_where_it_is_dragged() {
    let mut stage = Stage::play("open api, agent sh, keys ctrl-shift-5");
    let frame = stage.frame();
    let Hit::Divider(split, _) = hit(&frame, Point::new(611.0, 300.0)).expect("a line").hit else {
        panic!("no line")
    };
    let share = |x: f32| share_at(&stage.state, stage.size, split, Point::new(x, 300.0));
    assert_eq!(share(224.0 + 776.0 / 4.0), Some(250), "a quarter");
    assert_eq!(share(0.0), Some(0), "outside is the edge");
    assert_eq!(share(5000.0), Some(1000), "on either side");
}

#[test]
fn a_banner_hides_nothing_of_the_pane_above() {
    let mut stage = Stage::play("open api, agent sh, keys ctrl-shift-d");
    stage.frame();
    for line in 0..40 {
        stage.step(&format!("print line {line}/"));
    }
    stage.step("exit 2");
    let frame = stage.frame();
    assert!(words(&frame).iter().any(|text| text.starts_with("exited 2")), "the lower one's end");
    let upper = stage.state.active_workspace().expect("a workspace").panes().groups()[0].id();
    let found = &hit(&frame, Point::new(300.0, 280.0)).expect("something").hit;
    assert_eq!(*found, Hit::Terminal(upper), "the last row of the upper pane");
}
