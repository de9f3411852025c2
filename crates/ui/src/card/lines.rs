//! What a card says, line by line, the most important first.

use std::time::Instant;

use agent::{AgentHandle, Claim, Says};
use workspace::{Background, State, Workspace};

use crate::FrameInputs;
use crate::canvas::Style;
use crate::marks::Mark;
use crate::measure::fit_lines;
use crate::theme::Palette;
use crate::welcome::shown_path;
use crate::words::{Age, Unit, state_words};

const TEXT: f32 = 12.5;
const SMALL: f32 = 11.5;
/// For the words that say what a line of evidence is.
pub(super) const LABEL_WIDTH: f32 = 58.0;
/// Lines of a question that are shown.
const QUESTION_LINES: usize = 4;
/// What was not believed, at most.
const MAX_LOSERS: usize = 3;

#[derive(Debug)]
pub(super) enum Line {
    Title {
        name: (String, Style),
        keys: Option<(String, Style)>,
    },
    Path(String, Style),
    Spans(Vec<(String, Style)>),
    Labelled {
        label: &'static str,
        text: String,
        style: Style,
    },
    /// A thin line.
    Rule,
}

#[derive(Debug)]
pub(super) struct Lines(Vec<Line>);

impl Line {
    pub(super) fn height(&self) -> f32 {
        match self {
            Self::Title { .. } => 22.0,
            Self::Path(..) | Self::Spans(_) => 19.0,
            Self::Labelled { .. } => 17.0,
            Self::Rule => 13.0,
        }
    }
}

impl Lines {
    pub(super) fn of(
        state: &State,
        (workspace, place): (&Workspace, usize),
        inputs: &FrameInputs<'_>,
        palette: &Palette,
        width: f32,
    ) -> Self {
        let dim = Style::regular(TEXT, palette.dim);
        let number = u32::try_from(place + 1).unwrap_or(u32::MAX);
        let keys = state.keymap().keys_with_number("workspace.activate", number);
        let mut lines = vec![
            Line::Title {
                name: (workspace.name().to_owned(), Style::semibold(14.0, palette.text)),
                keys: keys.map(|keys| (keys, Style::regular(SMALL, palette.dim))),
            },
            Line::Path(shown_path(workspace.root(), inputs.home), dim),
        ];
        lines.extend(
            workspace
                .branch()
                .map(|branch| Line::Spans(vec![("on ".to_owned(), dim), (branch.to_owned(), dim)])),
        );
        lines.push(Line::Rule);
        match workspace.agent() {
            Some(agent) => agent_lines(&mut lines, workspace, agent, inputs.now, palette, width),
            None => lines.push(Line::Spans(vec![("no agent".to_owned(), dim)])),
        }
        let background = background_words(&state.background(workspace));
        lines.extend(background.map(|words| Line::Spans(vec![(words, dim)])));
        if let Some(agent) = workspace.agent() {
            evidence_lines(&mut lines, agent, inputs.now, palette);
        }
        lines.extend(key_line(state, workspace, palette));
        Self(lines)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Line> {
        self.0.iter()
    }

    pub(super) fn height(&self) -> f32 {
        self.0.iter().map(Line::height).sum()
    }

    /// Leaves out what does not fit, from the end.
    pub(super) fn fit(&mut self, height: f32) {
        while self.height() > height && self.0.pop().is_some() {}
        while matches!(self.0.last(), Some(Line::Rule)) {
            self.0.pop();
        }
    }
}

/// What it does or asks, and for how long.
fn agent_lines(
    lines: &mut Vec<Line>,
    workspace: &Workspace,
    agent: &AgentHandle,
    now: Instant,
    palette: &Palette,
    width: f32,
) {
    let mark = Mark::of(workspace);
    let since = Age { since: agent.since(), unit: Unit::Seconds };
    let age = Age::of(workspace).unwrap_or(since);
    let age = Age { unit: Unit::Seconds, ..age }.label(now);
    let doing = format!("{} {}", agent.name(), state_words(agent));
    let loud = if mark.asks() { mark.text_color(palette) } else { palette.text };
    lines.push(Line::Spans(vec![
        (doing, Style::medium(TEXT, loud)),
        (format!("  {age}"), Style::regular(TEXT, palette.dim)),
    ]));
    let style = Style::regular(TEXT, palette.text);
    let asked = agent.asked_about().filter(|_| agent.reason().is_some());
    let asked = asked.or_else(|| agent.failure().map(str::to_owned)).unwrap_or_default();
    let asked = fit_lines(&asked, width, style.size, style.weight, QUESTION_LINES);
    lines.extend(asked.into_iter().map(|text| Line::Spans(vec![(text, style)])));
}

/// Which evidence was believed and which was not, in the words of `trackside explain`.
fn evidence_lines(lines: &mut Vec<Line>, agent: &AgentHandle, now: Instant, palette: &Palette) {
    if !agent.is_alive() {
        return;
    }
    lines.push(Line::Rule);
    let style = Style::regular(SMALL, palette.dim);
    let claims = agent.claims(now);
    let believed = Style::regular(SMALL, palette.text);
    if claims.is_empty() {
        let text = "nothing speaks for anything yet".to_owned();
        lines.push(Line::Spans(vec![(text, style)]));
    }
    for (at, claim) in claims.iter().take(1 + MAX_LOSERS).enumerate() {
        let (label, style) = if at == 0 { ("because", believed) } else { ("not", style) };
        lines.push(Line::Labelled { label, text: claim_words(claim, now), style });
    }
    let n_more = claims.len().saturating_sub(1 + MAX_LOSERS);
    if n_more > 0 {
        lines.push(Line::Labelled { label: "not", text: format!("{n_more} more"), style });
    }
    lines.extend(agent.question().map(|question| Line::Labelled {
        label: "rule",
        text: question.rule.clone(),
        style,
    }));
}

fn claim_words(claim: &Claim, now: Instant) -> String {
    let age = Age { since: claim.since, unit: Unit::Seconds }.label(now);
    let says = match claim.says {
        Says::Working => "working".to_owned(),
        Says::Waiting(reason) => format!("waiting ({})", reason.name()),
    };
    format!("{}  ·  {says}  ·  {age} ago", claim.source.name())
}

fn background_words(background: &Background) -> Option<String> {
    let parts = match background.n_parts {
        0 => None,
        1 => Some("1 part of it works".to_owned()),
        n => Some(format!("{n} parts of it work")),
    };
    let programs = Some(background.programs.join(", ")).filter(|names| !names.is_empty());
    let programs = programs.map(|names| format!("{names} in a terminal"));
    let words: Vec<String> = parts.into_iter().chain(programs).collect();
    (!words.is_empty()).then(|| format!("meanwhile: {}", words.join(", ")))
}

/// The keys that help with what is the matter.
fn key_line(state: &State, workspace: &Workspace, palette: &Palette) -> Option<Line> {
    let action = match workspace.agent() {
        Some(agent) if !agent.is_alive() => return None,
        Some(_) if workspace.status().needs_the_user() => ("agent.next", "next that needs you"),
        Some(_) => return None,
        None => ("agent.start", "starts an agent here once it is on show"),
    };
    let (name, does) = action;
    let keys = state.keymap().keys_in_terminals(name).or_else(|| state.keymap().keys_of(name))?;
    let style = Style::regular(SMALL, palette.dim);
    Some(Line::Spans(vec![(format!("{keys}  {does}"), style)]))
}
