//! The rail by mouse and by command: cards, order, groups, width.

use std::fs;

use crate::display::Display;
use crate::harness::{Instance, Setup, wait_for};

/// Where tiles are: a summary of 44, then tiles 52 high with gaps of 2.
const TILES: [i32; 3] = [70, 124, 178];
const TILE_X: i32 = 112;
/// Under a card, and nowhere else but there, in a window with workspaces alone: the overlay's ground.
const CARD_GROUND: [u8; 3] = [0x20, 0x25, 0x2d];

fn windowed() -> (Instance, String) {
    let instance = Setup::windowed().start();
    let window = instance.display().focus_window();
    for name in ["one", "two", "three"] {
        fs::create_dir_all(instance.path(name)).unwrap();
        instance.open(name);
    }
    (instance, window)
}

/// The names on the rail from top to bottom.
fn order(instance: &Instance) -> Vec<String> {
    let status = instance.status();
    let names = status["workspaces"].as_array().unwrap().iter();
    names.map(|workspace| workspace["name"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn wait_for_order(instance: &Instance, expected: [&str; 3]) {
    let there = wait_for(|| (order(instance) == expected).then_some(()));
    assert!(there.is_some(), "{:?} becomes {expected:?}", order(instance));
}

impl Display {
    fn move_to(&self, window: &str, (x, y): (i32, i32)) {
        let (x, y) = (x.to_string(), y.to_string());
        self.xdotool(&["mousemove", "--window", window, "--sync", &x, &y]);
    }

    /// Presses at one place and goes to another, by a way that has points on it.
    fn drag(&self, window: &str, from: (i32, i32), to: (i32, i32)) {
        self.move_to(window, from);
        self.xdotool(&["mousedown", "1"]);
        self.move_to(window, (from.0.midpoint(to.0), from.1.midpoint(to.1)));
        self.move_to(window, to);
    }

    fn release(&self) {
        self.xdotool(&["mouseup", "1"]);
    }

    fn click_at(&self, window: &str, at: (i32, i32), button: &str) {
        self.move_to(window, at);
        self.xdotool(&["click", button]);
    }
}

/// The middle of the first entry of a menu that was opened there: below its head, 36 high, and a gap.
fn first_entry((x, y): (i32, i32)) -> (i32, i32) {
    (x + 60, y + 57)
}

/// Looks at a place on the rail, where there is no card.
fn shows_menu(instance: &Instance, (x, y): (i32, i32)) -> bool {
    let (x, y) = ((x + 60).unsigned_abs(), (y + 6).unsigned_abs());
    instance.screenshot().pixel(x, y) == CARD_GROUND
}

#[track_caller]
fn wait_for_menu(instance: &Instance, at: (i32, i32)) {
    wait_for(|| shows_menu(instance, at).then_some(())).expect("a menu at the mouse");
}

fn shows_card(instance: &Instance) -> bool {
    let picture = instance.screenshot();
    (40..300).any(|y| picture.pixel(400, y) == CARD_GROUND)
}

#[test]
fn a_card_opens_beside_a_tile_and_goes_with_the_mouse_or_a_key() {
    let (instance, window) = windowed();
    let display = instance.display();
    assert!(!shows_card(&instance), "none yet");
    display.move_to(&window, (TILE_X, TILES[1]));
    wait_for(|| shows_card(&instance).then_some(())).expect("a card");
    display.move_to(&window, (600, 500));
    wait_for(|| (!shows_card(&instance)).then_some(())).expect("no card elsewhere");
    display.move_to(&window, (TILE_X, TILES[0]));
    wait_for(|| shows_card(&instance).then_some(())).expect("another card");
    display.xdotool(&["key", "F24"]);
    wait_for(|| (!shows_card(&instance)).then_some(())).expect("no card after a key");
}

#[test]
fn tiles_are_moved_by_the_mouse_and_escape_puts_them_back() {
    let (instance, window) = windowed();
    let display = instance.display();
    let [top, _, bottom] = TILES.map(|y| (TILE_X, y));
    display.drag(&window, top, (bottom.0, bottom.1 + 20));
    display.release();
    wait_for_order(&instance, ["two", "three", "one"]);
    assert_eq!(instance.workspace("three")["active"], true, "who is on show stays on show");

    display.drag(&window, top, (bottom.0, bottom.1 + 20));
    display.xdotool(&["key", "Escape"]);
    display.release();
    // What comes after it was served after it.
    display.drag(&window, (top.0, top.1), (top.0 + 2, top.1 + 2));
    display.release();
    let there = wait_for(|| (instance.workspace("two")["active"] == true).then_some(()));
    assert!(there.is_some(), "a small movement is a click: {}", instance.status());
    assert_eq!(order(&instance), ["two", "three", "one"], "the order has stayed");
}

#[test]
fn the_edge_of_the_rail_is_dragged_and_stays_so() {
    let (mut instance, window) = windowed();
    instance.display().drag(&window, (223, 500), (320, 500));
    instance.display().release();
    let kept = instance.path("state/trackside/look.json");
    let text = wait_for(|| fs::read_to_string(&kept).ok().filter(|text| text.contains("320")));
    assert!(text.is_some(), "{} has the width", kept.display());
    instance.quit();
    instance.start_again();
    instance.open("one");
    let picture = instance.screenshot();
    let rail = picture.pixel(300, 700);
    assert_eq!(rail, picture.pixel(20, 700), "the rail is as wide as it was left");
    assert_ne!(rail, picture.pixel(360, 700), "and no wider");
}

#[test]
fn keys_and_commands_move_tiles_and_worktrees_stand_together() {
    let instance = Instance::headless();
    let main = instance.path("one/.git");
    fs::create_dir_all(main.join("worktrees/two")).unwrap();
    fs::write(main.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(main.join("worktrees/two/commondir"), "../..\n").unwrap();
    fs::write(main.join("worktrees/two/HEAD"), "ref: refs/heads/fix\n").unwrap();
    fs::create_dir_all(instance.path("three")).unwrap();
    fs::write(instance.path("two/.git"), "gitdir: ../one/.git/worktrees/two\n").unwrap();
    for name in ["one", "three", "two"] {
        instance.open(name);
    }
    assert_eq!(order(&instance), ["one", "two", "three"], "the worktree is beside its repository");
    assert_eq!(instance.workspace("two")["branch"], "fix", "its branch");
    instance.ok(["keys", "ctrl-alt-2"]);
    assert_eq!(instance.workspace("two")["active"], true, "numbers are those that are seen");
    instance.ok(["do", "workspace.move_up"]);
    assert_eq!(order(&instance), ["two", "one", "three"], "within its group");
    instance.ok(["keys", "ctrl-alt-3 ctrl-alt-shift-up"]);
    assert_eq!(order(&instance), ["three", "two", "one"], "over the whole group");
    instance.ok(["do", "view.toggle_groups"]);
    instance.ok(["do", "workspace.move_down"]);
    assert_eq!(order(&instance), ["two", "three", "one"], "between them, once nothing is grouped");
}

#[test]
fn a_tile_has_a_menu_that_leaves_what_is_on_show() {
    let (instance, window) = windowed();
    let display = instance.display();
    instance.start_agent("one", &["cat"]);
    instance.open("three");
    let [one, two] = [(TILE_X, TILES[0]), (50, TILES[1])];
    display.click_at(&window, one, "3");
    wait_for_menu(&instance, one);
    display.click_at(&window, first_entry(one), "1");
    instance.wait("one", "stopped");

    // The button that opens it may also be held until it is on what is wanted.
    display.move_to(&window, one);
    display.xdotool(&["mousedown", "3"]);
    wait_for_menu(&instance, one);
    display.move_to(&window, first_entry(one));
    display.xdotool(&["mouseup", "3"]);
    let restarted = || instance.workspace("one")["agent"]["launches"] == 2;
    wait_for(|| restarted().then_some(())).expect("the agent is started again");

    display.click_at(&window, one, "2");
    wait_for_menu(&instance, one);
    display.click_at(&window, two, "3");
    wait_for_menu(&instance, two);
    display.click_at(&window, (50, TILES[0]), "1");
    let closed = wait_for(|| (!shows_menu(&instance, two)).then_some(()));
    closed.expect("a click elsewhere closes it");
    assert_eq!(instance.workspace("three")["active"], true, "and all the time this is on show");
    assert_eq!(order(&instance), ["one", "two", "three"], "and nothing was moved");
}
