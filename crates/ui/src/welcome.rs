//! What to do when there is nothing to show: with no folder open, and with an empty one.

use std::path::Path;

use scene::{Align, Quad, Rect};
use workspace::{Action, AgentAction, FileAction, State, ViewAction, Workspace, WorkspaceAction};

use crate::canvas::{Canvas, Style};
use crate::layout::length;
use crate::{FrameInputs, Hit};

const WIDTH: f32 = 640.0;
const ROW_HEIGHT: f32 = 40.0;
const HEADING_HEIGHT: f32 = 32.0;
const HEADING_GAP: f32 = 12.0;
const MAX_RECENT: usize = 5;
/// Always there, so it would say nothing that they were found.
const NOT_WORTH_LISTING: [&str; 2] = ["shell", "fake"];

/// No folder is open.
pub(crate) fn draw(canvas: &mut Canvas, state: &State, inputs: &FrameInputs<'_>, area: Rect) {
    let keys = |action: &str| state.keymap().keys_of(action);
    let mut items = vec![
        Item::Title("Trackside".to_owned()),
        Item::Line(
            "Open a folder, start an agent in it, and watch the rail: yellow means it needs you."
                .to_owned(),
        ),
        Item::Row {
            text: "Open folder…".to_owned(),
            side: Side::Keys(keys("workspace.open")),
            action: Some(Action::Workspace(WorkspaceAction::AskFolder)),
            is_first: true,
        },
        Item::Row {
            text: "Start an agent in the open folder".to_owned(),
            side: Side::Keys(keys("agent.start")),
            action: Some(Action::Agent(AgentAction::Ask)),
            is_first: false,
        },
        all_commands(state),
    ];
    let recent = state.recent_folders();
    if !recent.is_empty() {
        items.push(Item::Heading("RECENT"));
        items.extend(recent.iter().take(MAX_RECENT).map(|path| recent_row(path, inputs.home)));
    }
    items.extend(agents_found(state));
    draw_items(canvas, &items, area);
}

/// A folder is open, but none of its tabs.
pub(crate) fn draw_empty_workspace(
    canvas: &mut Canvas,
    state: &State,
    workspace: &Workspace,
    inputs: &FrameInputs<'_>,
    area: Rect,
) {
    let keys = |action: &str| state.keymap().keys_of(action);
    let mut items = vec![
        Item::Title(workspace.name().to_owned()),
        Item::Line(shown_path(workspace.root(), inputs.home)),
        Item::Row {
            text: "Start an agent…".to_owned(),
            side: Side::Keys(keys("agent.start")),
            action: Some(Action::Agent(AgentAction::Ask)),
            is_first: true,
        },
        Item::Row {
            text: "Open a file…".to_owned(),
            side: Side::Keys(keys("file.open")),
            action: Some(Action::File(FileAction::AskPath)),
            is_first: false,
        },
        all_commands(state),
    ];
    items.extend(agents_found(state));
    draw_items(canvas, &items, area);
}

enum Item {
    Title(String),
    Line(String),
    Heading(&'static str),
    Row { text: String, side: Side, action: Option<Action>, is_first: bool },
}

/// What stands at the right of a row.
enum Side {
    Keys(Option<String>),
    Note(String),
}

fn all_commands(state: &State) -> Item {
    Item::Row {
        text: "All commands".to_owned(),
        side: Side::Keys(state.keymap().keys_of("view.palette")),
        action: Some(Action::View(ViewAction::Palette)),
        is_first: false,
    }
}

fn recent_row(path: &Path, home: Option<&Path>) -> Item {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Item::Row {
        text: name,
        side: Side::Note(shown_path(path, home)),
        action: Some(Action::Workspace(WorkspaceAction::Open(path.to_owned()))),
        is_first: false,
    }
}

fn agents_found(state: &State) -> Vec<Item> {
    let known = |wanted: bool| -> Vec<&str> {
        let names = state.config().agents.keys().map(String::as_str);
        names
            .filter(|name| !NOT_WORTH_LISTING.contains(name))
            .filter(|name| state.is_installed(name) == Some(wanted))
            .collect()
    };
    let (found, missing) = (known(true), known(false));
    if found.is_empty() && missing.is_empty() {
        return Vec::new();
    }
    let text =
        if found.is_empty() { "none; any command will do".to_owned() } else { found.join(", ") };
    let side = Side::Note(not_installed(&missing));
    vec![Item::Heading("AGENTS FOUND"), Item::Row { text, side, action: None, is_first: false }]
}

/// "gemini and opencode are not installed"
fn not_installed(missing: &[&str]) -> String {
    match missing {
        [] => String::new(),
        [one] => format!("{one} is not installed"),
        [rest @ .., last] => format!("{} and {last} are not installed", rest.join(", ")),
    }
}

/// A path with the home folder as `~`.
pub(crate) fn shown_path(path: &Path, home: Option<&Path>) -> String {
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(inside) if inside.as_os_str().is_empty() => "~".to_owned(),
        Some(inside) => format!("~/{}", inside.display()),
        None => path.display().to_string(),
    }
}

impl Item {
    fn height(&self) -> f32 {
        match self {
            Self::Title(_) => 40.0,
            Self::Line(_) => 48.0,
            Self::Heading(_) => HEADING_GAP + HEADING_HEIGHT,
            Self::Row { .. } => ROW_HEIGHT,
        }
    }
}

/// One below the other, the whole in the middle of the area.
fn draw_items(canvas: &mut Canvas, items: &[Item], area: Rect) {
    canvas.layer(area);
    canvas.fill(area, canvas.palette.pane);
    let height: f32 = items.iter().map(Item::height).sum();
    let width = WIDTH.min(area.width - length(2, 16.0)).max(0.0);
    let x = (area.x + (area.width - width) / 2.0).floor();
    // A little above the middle, where the eye looks first.
    let mut y = area.y + ((area.height - height) * 0.48).max(16.0).floor();
    for item in items {
        item.draw(canvas, Rect::new(x, y, width, item.height()));
        y += item.height();
    }
}

impl Item {
    fn draw(&self, canvas: &mut Canvas, rect: Rect) {
        let palette = canvas.palette;
        let inner = rect.inset(12.0, 0.0);
        match self {
            Self::Title(text) => {
                canvas.text(rect, Align::Left, text, Style::semibold(26.0, palette.text));
            }
            Self::Line(text) => {
                let line = Rect { height: 24.0, ..rect };
                canvas.text(line, Align::Left, text, Style::regular(13.0, palette.dim));
            }
            Self::Heading(text) => {
                let (_, line) = inner.split_top(HEADING_GAP);
                canvas.text(line, Align::Left, text, Style::medium(11.0, palette.faint));
            }
            Self::Row { text, side, action, is_first } => {
                let is_hovered = action.is_some() && canvas.is_hovered(rect);
                if *is_first || is_hovered {
                    let ground = Quad::rounded(rect, 8.0, palette.raised);
                    canvas.quad(ground.bordered(1.0, palette.line));
                }
                draw_row(canvas, inner, text, side);
                if let Some(action) = action {
                    canvas.hit(rect, Hit::Do(action.clone()));
                }
            }
        }
    }
}

fn draw_row(canvas: &mut Canvas, inner: Rect, text: &str, side: &Side) {
    let palette = canvas.palette;
    let style = Style::regular(13.0, palette.text);
    let mut left = inner;
    match side {
        Side::Keys(Some(keys)) => {
            let keys = canvas.keys(inner.right(), inner.center().y, keys);
            left.width = (keys.x - 12.0 - inner.x).max(0.0);
        }
        Side::Keys(None) => {}
        Side::Note(note) => {
            let taken = (style.width(text) + 24.0).min(inner.width);
            let area = Rect::new(inner.x + taken, inner.y, inner.width - taken, inner.height);
            canvas.path_text(area, Align::Right, note, Style { color: palette.dim, ..style });
        }
    }
    canvas.text(left, Align::Left, text, style);
}
