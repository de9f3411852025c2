//! Going through what a terminal has shown: searches, prompts, and all of its text.

use super::Screen;
use crate::links;
use crate::search::{Contents, Highlights, SearchMatches};
use crate::{CellPoint, Link, MatchSpan, TopRight};

impl Screen {
    pub(crate) fn contents(&mut self) -> Contents {
        let empty = Contents { first_line: 0, blocks: Vec::new() };
        self.guarded(empty, |screen| {
            let (first_line, blocks) = screen.emulator.blocks();
            Contents { first_line, blocks }
        })
    }

    pub(crate) fn highlight(&mut self, matches: Option<(SearchMatches, Option<usize>)>) {
        self.highlights = matches.map(|(matches, current)| Highlights { matches, current });
    }

    pub(crate) fn go_to_match(&mut self, index: usize, covered: TopRight) {
        let Some(highlights) = &mut self.highlights else { return };
        let Some(found) = highlights.matches.matches.get(index).cloned() else { return };
        highlights.current = Some(index);
        self.guarded((), |screen| {
            if let Some(line) = screen.emulator.locate(found.line, found.start as usize) {
                screen.emulator.show_line(line);
            }
            // The last row is kept at least, however much is covered.
            let rows = covered.rows.min(screen.size.rows.saturating_sub(1));
            let in_view = screen.matches_in_view();
            let is_under = |row: &Vec<MatchSpan>| {
                row.iter().any(|span| span.is_current && span.columns.end > covered.column)
            };
            if let Some(row) = in_view.iter().take(rows.into()).position(is_under) {
                screen.emulator.scroll_up(usize::from(rows) - row);
            }
        });
    }

    pub(crate) fn match_near_view(&mut self, upwards: bool) -> Option<usize> {
        let matches = self.highlights.as_ref()?.matches.matches.clone();
        self.guarded(None, |screen| {
            let lines = screen.emulator.lines_in_view();
            // Upwards from the end of the last row, downwards from the start of the first.
            let columns = if upwards { usize::from(screen.size.columns) } else { 0 };
            let (line, before) = if upwards { lines.last()? } else { lines.first()? };
            let place = (*line, u32::try_from(before + columns).unwrap_or(u32::MAX));
            let after = matches.partition_point(|found| (found.line, found.start) < place);
            let nearest = if upwards { after.saturating_sub(1) } else { after };
            (!matches.is_empty()).then(|| nearest.min(matches.len() - 1))
        })
    }

    pub(crate) fn link_at(&mut self, at: CellPoint) -> Option<Link> {
        self.guarded(None, |screen| links::link_at(&screen.emulator, at))
    }

    pub(crate) fn go_to_prompt(&mut self, upwards: bool) -> bool {
        self.guarded(false, |screen| {
            let top = screen.emulator.line_at(0);
            let prompt = screen.emulator.prompt_from(top, upwards);
            prompt.inspect(|line| screen.emulator.show_at_top(*line)).is_some()
        })
    }

    /// What was searched for, in each row of the view.
    pub(super) fn matches_in_view(&self) -> Vec<Vec<MatchSpan>> {
        let Some(highlights) = &self.highlights else { return Vec::new() };
        let columns = usize::from(self.size.columns);
        let lines = self.emulator.lines_in_view();
        lines.iter().map(|(line, before)| highlights.in_row(*line, *before, columns)).collect()
    }
}
