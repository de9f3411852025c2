//! The tab bar: the agent's tab first and pinned, then files and terminals.

use scene::{Align, Point, Quad, Rect};
use workspace::{Action, Badge, PlainAction, State, Tab, TabContent, Workspace};

use crate::Hit;
use crate::canvas::{Canvas, Style};
use crate::layout::length;
use crate::marks::{Mark, cross, draw_badge};
use crate::panes::PaneArea;

const PADDING: f32 = 14.0;
const GAP: f32 = 8.0;
/// The mark before an agent's name, and the dot or cross behind a file's.
const SIGN: f32 = 12.0;
const MAX_WIDTH: f32 = 240.0;
const MIN_WIDTH: f32 = 72.0;
/// Tabs do not shrink below this, or their names could not be told apart; some are out of view
/// instead.
const MIN_SHRUNK_WIDTH: f32 = 96.0;
const PLUS_WIDTH: f32 = 38.0;
const ACCENT_HEIGHT: f32 = 2.0;
const PINNED: &str = "pinned";

pub(crate) fn draw(canvas: &mut Canvas, state: &State, workspace: &Workspace, pane: &PaneArea<'_>) {
    let palette = canvas.palette;
    let bar = pane.bar;
    canvas.layer(bar);
    canvas.fill(bar, palette.chrome);
    canvas.fill(Rect::new(bar.x, bar.bottom() - 1.0, bar.width, 1.0), palette.line);

    let labels: Vec<Label> =
        pane.group.tabs().iter().map(|tab| Label::new(state, workspace, *tab)).collect();
    let active = pane.group.active_tab().map(|tab| tab.id);
    // Of several panes only the one with the focus has the accent.
    let mark = if pane.is_focused || !pane.is_split { palette.accent } else { palette.faint };
    let look = |label: &Label| (active == Some(label.tab.id)).then_some(mark);
    let n_pinned = labels.iter().take_while(|label| matches!(label.kind, Kind::Agent(_))).count();
    let (pinned, others) = labels.split_at(n_pinned);

    // The agent's tab stays where it is, however many others there are.
    let mut rest = bar;
    for label in pinned {
        let width = label.wanted_width(title_style(palette.text)).min(bar.width / 2.0);
        let (rect, right) = rest.split_left(width);
        label.draw(canvas, rect, look(label));
        rest = right;
    }
    let widths = fitted_widths(others, rest.width - PLUS_WIDTH);
    let mut x = first_x(rest, others, &widths, active.map(|id| id.number()));
    if x < rest.x {
        canvas.layer(rest);
    }
    for (label, width) in others.iter().zip(&widths) {
        let rect = Rect::new(x, bar.y, *width, bar.height);
        label.draw(canvas, rect, look(label));
        x += width;
    }
    let plus = Rect::new(x.min(bar.right() - PLUS_WIDTH), bar.y, PLUS_WIDTH, bar.height);
    draw_plus(canvas, plus.intersection(&bar));
}

/// What a tab says, and how much room that takes.
struct Label {
    tab: Tab,
    title: String,
    kind: Kind,
    badge: Option<Badge>,
}

enum Kind {
    Agent(Mark),
    File { is_modified: bool },
    Terminal,
}

impl Label {
    fn new(state: &State, workspace: &Workspace, tab: Tab) -> Self {
        let (title, kind) = match tab.content {
            TabContent::Agent => {
                let name = workspace.agent().map_or("agent", |agent| agent.name());
                (name.to_owned(), Kind::Agent(Mark::of(workspace)))
            }
            TabContent::File(buffer) => {
                let file = state.file(buffer);
                let title = file.map_or_else(|| "file".to_owned(), |file| file.title());
                let is_modified = file.is_some_and(|file| file.is_modified());
                (title, Kind::File { is_modified })
            }
            TabContent::Terminal(id) => {
                let plain = state.plain_terminal(id);
                (plain.map_or_else(|| "terminal".to_owned(), |it| it.title()), Kind::Terminal)
            }
        };
        let program = state.terminal_in(workspace, tab).map(|terminal| terminal.program());
        let badge = program.and_then(|program| state.badge(program));
        Self { tab, title, kind, badge }
    }

    fn wanted_width(&self, style: Style) -> f32 {
        let signs = match self.kind {
            Kind::Agent(_) => SIGN + GAP + GAP + pinned(style).width(PINNED),
            Kind::File { .. } => GAP + SIGN,
            Kind::Terminal => SIGN + GAP + GAP + SIGN,
        };
        (2.0 * PADDING + style.width(&self.title) + signs).clamp(MIN_WIDTH, MAX_WIDTH)
    }

    fn draw_badge(&self, canvas: &mut Canvas, rect: Rect) {
        if let Some(badge) = self.badge {
            let at = Point::new(rect.x + PADDING + SIGN - 1.0, rect.center().y - 6.0);
            draw_badge(canvas, badge, at);
        }
    }

    /// `mark` is the colour of the active tab's line; others have none.
    fn draw(&self, canvas: &mut Canvas, rect: Rect, mark: Option<scene::Color>) {
        let palette = canvas.palette;
        canvas.hit(rect, Hit::Tab(self.tab.id));
        let is_hovered = canvas.is_hovered(rect);
        let edge = Rect::new(rect.right() - 1.0, rect.y, 1.0, rect.height);
        if let Some(mark) = mark {
            canvas.fill(Rect::new(rect.x, rect.y, rect.width - 1.0, rect.height), palette.pane);
            canvas.fill(Rect { height: ACCENT_HEIGHT.min(rect.height), ..rect }, mark);
        } else if is_hovered {
            canvas.fill(Rect::new(rect.x, rect.y, rect.width, rect.height - 1.0), palette.raised);
        }
        canvas.fill(edge, palette.line);

        let color = if mark.is_some() || is_hovered { palette.text } else { palette.dim };
        let style = title_style(color);
        match self.kind {
            Kind::Agent(mark) => self.draw_agent(canvas, rect, mark, style),
            Kind::File { is_modified } => {
                let sign = if is_modified { Sign::Dot } else { Sign::Cross };
                self.draw_closable(canvas, rect, sign, is_hovered, style);
            }
            Kind::Terminal => {
                draw_prompt(canvas, Point::new(rect.x + PADDING, rect.center().y), color);
                let (_, rest) = rect.split_left(SIGN + GAP);
                self.draw_closable(canvas, rest, Sign::Cross, is_hovered, style);
            }
        }
        self.draw_badge(canvas, rect);
    }

    fn draw_agent(&self, canvas: &mut Canvas, rect: Rect, mark: Mark, style: Style) {
        let middle = rect.center().y;
        mark.draw_small(canvas, Point::new(rect.x + PADDING + SIGN / 2.0, middle));
        let left = rect.x + PADDING + SIGN + GAP;
        let right = rect.right() - PADDING;
        let pinned = Style { color: canvas.palette.faint, ..pinned(style) };
        let pinned_width = pinned.width(PINNED);
        let room = right - left - style.width(&self.title) - GAP;
        let shows_pinned = room >= pinned_width;
        let title_right = if shows_pinned { right - pinned_width - GAP } else { right };
        let title = Rect::new(left, rect.y, title_right - left, rect.height);
        canvas.text(title, Align::Left, &self.title, style);
        if shows_pinned {
            let area = Rect::new(right - pinned_width, rect.y, pinned_width, rect.height);
            canvas.text(area, Align::Right, PINNED, pinned);
        }
    }

    fn draw_closable(
        &self,
        canvas: &mut Canvas,
        rect: Rect,
        shown: Sign,
        is_hovered: bool,
        style: Style,
    ) {
        let palette = canvas.palette;
        let sign = Point::new(rect.right() - PADDING - SIGN / 2.0, rect.center().y);
        let left = rect.x + PADDING;
        let title = Rect::new(left, rect.y, sign.x - SIGN / 2.0 - GAP - left, rect.height);
        canvas.text(title, Align::Left, &self.title, style);

        let button = Rect::around(sign, 9.0);
        let on_button = canvas.is_hovered(button);
        canvas.hit(button, Hit::CloseTab(self.tab.id));
        if on_button {
            canvas.quad(Quad::rounded(button, 4.0, palette.line));
        }
        // A modified file shows its dot until the pointer comes for the cross.
        if shown == Sign::Dot && !on_button {
            canvas.quad(Quad::disc(sign, 3.5, palette.accent));
            return;
        }
        let color = if on_button || is_hovered { palette.text } else { palette.dim };
        cross(canvas, sign, 3.0, 1.25, color);
    }
}

/// What is at a tab's right end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Dot,
    Cross,
}

/// A prompt, the sign of a terminal, right of a point.
fn draw_prompt(canvas: &mut Canvas, at: Point, color: scene::Color) {
    let Point { x, y } = at;
    let (left, tip) = (x + 0.5, x + 4.5);
    canvas.line(Point::new(left, y - 4.0), Point::new(tip, y), 1.25, color);
    canvas.line(Point::new(tip, y), Point::new(left, y + 4.0), 1.25, color);
    canvas.line(Point::new(x + 6.0, y + 4.0), Point::new(x + 11.0, y + 4.0), 1.25, color);
}

fn draw_plus(canvas: &mut Canvas, rect: Rect) {
    let palette = canvas.palette;
    // It covers what of the last tabs does not fit.
    canvas.layer(rect);
    canvas.fill(rect, palette.chrome);
    canvas.fill(Rect::new(rect.x, rect.bottom() - 1.0, rect.width, 1.0), palette.line);
    let button = Rect::around(rect.center(), 12.0);
    if canvas.is_hovered(rect) {
        canvas.quad(Quad::rounded(button, 6.0, palette.raised));
    }
    let Point { x, y } = rect.center();
    canvas.line(Point::new(x - 4.0, y), Point::new(x + 4.0, y), 1.5, palette.dim);
    canvas.line(Point::new(x, y - 4.0), Point::new(x, y + 4.0), 1.5, palette.dim);
    let new = PlainAction::New { workspace: None, cwd: None, command: None };
    canvas.hit(rect, Hit::Do(Action::Plain(new)));
}

/// The widths tabs want, or equal shares where there is not enough room for that.
fn fitted_widths(labels: &[Label], room: f32) -> Vec<f32> {
    let style = title_style(scene::Color::TRANSPARENT);
    let wanted: Vec<f32> = labels.iter().map(|label| label.wanted_width(style)).collect();
    let total: f32 = wanted.iter().sum();
    if total <= room || labels.is_empty() {
        return wanted;
    }
    let share = (room / length(labels.len(), 1.0)).max(MIN_SHRUNK_WIDTH).floor();
    wanted.into_iter().map(|width| width.min(share)).collect()
}

/// Where the first tab begins: left of the bar when the active one would else be cut off.
fn first_x(bar: Rect, labels: &[Label], widths: &[f32], active: Option<u32>) -> f32 {
    let mut end = 0.0;
    for (label, width) in labels.iter().zip(widths) {
        end += width;
        if Some(label.tab.id.number()) == active {
            let room = (bar.width - PLUS_WIDTH).max(MIN_WIDTH);
            return bar.x - (end - room).max(0.0);
        }
    }
    bar.x
}

fn title_style(color: scene::Color) -> Style {
    Style::medium(13.0, color)
}

fn pinned(style: Style) -> Style {
    Style::regular(11.0, style.color)
}
