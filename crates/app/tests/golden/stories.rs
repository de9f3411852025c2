//! What happened before each picture.

use agent::Exit;
use terminal::{ClipboardTarget, ProgramState, ProgramStatus, TerminalSignal};
use workspace::{Axis, ViewAction};

use crate::screens;
use crate::story::Story;

/// Nothing is open yet.
pub(crate) fn welcome(story: &mut Story) {
    story.recent(&["api", "web", "infra"]);
}

/// An agent works; others do too.
pub(crate) fn running(story: &mut Story) {
    busy_rail(story);
    keep_running(story);
    // What is printed in the moment in which it comes into view is taken for a redraw.
    story.at(601);
    story.print("api", &screens::working());
}

/// An agent has shown its question and fallen silent.
pub(crate) fn needs_input(story: &mut Story) {
    busy_rail(story);
    story.at(583);
    story.print("api", &screens::permission());
    keep_running(story);
}

/// An agent has crashed in front of the person.
pub(crate) fn exited(story: &mut Story) {
    needs_input(story);
    story.go("infra");
}

/// Someone looks for what can be done about agents.
pub(crate) fn palette(story: &mut Story) {
    needs_input(story);
    story.view(ViewAction::Palette);
    story.type_text("agent");
}

/// All that wait are listed, the first with its answers.
pub(crate) fn queue(story: &mut Story) {
    needs_input(story);
    story.keys("ctrl-shift-l");
}

/// One of them has done its turn, and is being told what to do next.
pub(crate) fn queue_writing(story: &mut Story) {
    needs_input(story);
    let done = ProgramStatus {
        state: ProgramState::Done,
        id: None,
        app: None,
        title: None,
        message: None,
        progress: None,
    };
    story.signal("docs", TerminalSignal::Status(done));
    story.at(601);
    story.keys("ctrl-shift-l down down r");
    story.type_text("Now say the same in German");
}

/// Someone edits a file beside the agent, and has marked a few words.
pub(crate) fn file(story: &mut Story) {
    needs_input(story);
    story.open_file("src/lib.rs", "pub mod limit;\n");
    story.open_file("src/limit.rs", screens::SOURCE);
    story.keys(&"down ".repeat(8));
    story.keys("end");
    story.type_text(" // at most 1e6");
    story.keys(&"down ".repeat(8));
    story.keys("home shift-end");
}

/// The agent at the left, a file and a terminal one above the other at the right.
pub(crate) fn split(story: &mut Story) {
    needs_input(story);
    story.open_file("src/limit.rs", screens::SOURCE);
    story.split(Axis::Row);
    story.split(Axis::Column);
    story.terminal("zsh", "\u{1b}[32m$\u{1b}[0m cargo test\r\n   Compiling api v0.3.0\r\n");
    story.go_left();
    story.tab(1);
    story.go_right();
}

/// Someone answers by an input method, and has chosen the first of two words.
pub(crate) fn composing(story: &mut Story) {
    needs_input(story);
    story.compose("ni'hao shijie", (0, 6));
}

/// Someone looks for a word in all that an agent has shown, and others have called meanwhile.
pub(crate) fn finding(story: &mut Story) {
    running(story);
    story.signal("docs", TerminalSignal::Bell);
    let copy = TerminalSignal::ClipboardStore {
        target: ClipboardTarget::Clipboard,
        text: "rm -rf ~".to_owned(),
    };
    story.signal("web", copy);
    story.find("limit");
}

/// Someone is about to paste several lines into a shell that would run them.
pub(crate) fn pasting(story: &mut Story) {
    running(story);
    story.terminal("zsh", "~/src/api $ ");
    let text =
        "cd build\ncmake .. -DCMAKE_BUILD_TYPE=Release\nmake -j8\n\u{1b}[Asudo make install\n";
    story.paste(&text.repeat(2));
}

/// Someone chooses an agent for a folder that has settings of its own.
pub(crate) fn choosing(story: &mut Story) {
    running(story);
    story.go("notes");
    story.project("notes", screens::PROJECT);
    story.chose("notes", "codex");
    story.keys("ctrl-shift-a");
}

/// The folder's own settings decide what the chosen agent runs.
pub(crate) fn trusting(story: &mut Story) {
    choosing(story);
    story.wants_trust("notes", "claude");
}

pub(crate) fn compact_rail(story: &mut Story) {
    needs_input(story);
    story.view(ViewAction::ToggleRail);
}

/// Tiles stand together by repository, something is unread and something runs in the background, and the
/// mouse rests on one that asks.
pub(crate) fn card(story: &mut Story) {
    grouped(story);
    story.rest_on("api");
}

/// The same without words, while a tile is being moved.
pub(crate) fn compact_groups(story: &mut Story) {
    grouped(story);
    story.view(ViewAction::ToggleRail);
    story.drag("notes", 3);
}

/// The menu of the last tile, which opens upwards: one of its entries cannot be chosen now.
pub(crate) fn menu(story: &mut Story) {
    grouped(story);
    story.menu("notes", (120, 666), "down down");
}

/// The menu of another tile than the one on show, whose agent runs.
pub(crate) fn menu_of_agent(story: &mut Story) {
    grouped(story);
    story.menu("a11y", (120, 120), "down");
}

fn grouped(story: &mut Story) {
    needs_input(story);
    story.group(&["api", "rate-limits", "docs"]);
    story.group(&["web", "dark-mode", "a11y"]);
    story.group(&["infra", "tf-upgrade", "alerts"]);
    story.go("notes");
    story.terminal("npm", "ready on port 3000\r\n");
    story.runs("npm");
    let done = ProgramStatus {
        state: ProgramState::Idle,
        id: None,
        app: None,
        title: None,
        message: None,
        progress: None,
    };
    story.signal("docs", TerminalSignal::Status(done));
    story.at(601);
}

/// Ten minutes with an agent in every state there is; the first workspace is on show.
fn busy_rail(story: &mut Story) {
    story.open("api", "main");
    story.open("rate-limits", "rate-limits");
    story.open("docs", "docs-rewrite");
    story.open("web", "main");
    story.open("dark-mode", "dark-mode");
    story.open("a11y", "a11y");
    story.open("infra", "main");
    story.open("tf-upgrade", "tf-upgrade");
    story.open("alerts", "alerts");
    story.open("notes", "main");
    story.start_with("tf-upgrade", "codex", "done\r\n");
    story.at(50);
    story.exit("tf-upgrade", Exit::Code(0));
    story.at(120);
    story.start_with("web", "claude", "Delete 3 snapshots?\r\n");
    story.at(470);
    story.start_with("infra", "aider", &screens::failed());
    story.at(472);
    story.exit("infra", Exit::Code(1));
    story.at(480);
    story.start_with("alerts", "codex", "reading alerts.yaml\r\n");
    story.at(482);
    story.stop("alerts");
    story.at(555);
    story.start_with("docs", "gemini", "What is next?\r\n");
    story.at(580);
    story.start("api", "claude");
}

/// The last seconds of those that work, while the one on show is silent.
fn keep_running(story: &mut Story) {
    story.at(597);
    story.start_with("rate-limits", "codex", "thinking\r\n");
    story.start_with("dark-mode", "claude", "running npm test\r\n");
    story.at(600);
    story.start("a11y", "codex");
    story.go("api");
}
