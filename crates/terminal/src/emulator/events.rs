//! What the emulator has to say, as answers and signals.

use alacritty_terminal::event::Event;
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::term::ClipboardType;
use alacritty_terminal::term::color::COUNT;
use alacritty_terminal::vte::ansi::{NamedColor, Rgb as GridRgb};

use super::Emulator;
use crate::screen::Answers;
use crate::{ClipboardTarget, Fed, Rgb, TerminalSignal, title};

const FOREGROUND: usize = NamedColor::Foreground as usize;
const BACKGROUND: usize = NamedColor::Background as usize;
pub(super) const CURSOR: usize = NamedColor::Cursor as usize;

impl Emulator {
    /// Moves what the emulator had to say since the last call into `fed`, in order.
    pub(crate) fn drain_events(&mut self, answers: &Answers, fed: &mut Fed) {
        for event in self.outbox.take() {
            match event {
                Event::PtyWrite(reply) => fed.reply(&reply),
                Event::ColorRequest(index, format) => {
                    if let Some(color) = self.color(index, answers) {
                        fed.reply(&format(GridRgb { r: color.r, g: color.g, b: color.b }));
                    }
                }
                // Not by the formatter that comes with it: that one overflows on large sizes.
                Event::TextAreaSizeRequest(_) => fed.reply(&self.text_area_report(answers)),
                Event::Title(text) => self.set_title(&text, fed),
                Event::ResetTitle => self.set_title("", fed),
                Event::Bell => fed.signal(TerminalSignal::Bell),
                Event::ClipboardStore(target, text) => {
                    let target = match target {
                        ClipboardType::Clipboard => ClipboardTarget::Clipboard,
                        ClipboardType::Selection => ClipboardTarget::Primary,
                    };
                    fed.signal(TerminalSignal::ClipboardStore { target, text });
                }
                // The clipboard is never read out to a program; the rest is for other embedders.
                Event::ClipboardLoad(..)
                | Event::MouseCursorDirty
                | Event::CursorBlinkingChange
                | Event::Wakeup
                | Event::Exit
                | Event::ChildExit(_) => {}
            }
        }
        self.tell_bracketed_paste(fed);
    }

    /// What programs with a line editor tell by it: that a line is being edited, or no longer.
    fn tell_bracketed_paste(&mut self, fed: &mut Fed) {
        fed.ends_brackets |= std::mem::take(&mut self.own.ended_brackets);
        if let Some(is_on) = self.own.told_bracketed_paste.take() {
            fed.signal(TerminalSignal::BracketedPaste(is_on));
        }
    }

    fn set_title(&mut self, text: &str, fed: &mut Fed) {
        let text = title::sanitise(text);
        self.title = (!text.is_empty()).then(|| text.clone());
        fed.signal(TerminalSignal::Title(text));
    }

    /// The ground that the program gave the terminal.
    pub(crate) fn ground(&self) -> Option<Rgb> {
        self.term.colors()[BACKGROUND].map(|GridRgb { r, g, b }| Rgb::new(r, g, b))
    }

    fn color(&self, index: usize, answers: &Answers) -> Option<Rgb> {
        let overridden = (index < COUNT).then(|| self.term.colors()[index]).flatten();
        if let Some(GridRgb { r, g, b }) = overridden {
            return Some(Rgb::new(r, g, b));
        }
        match index {
            FOREGROUND => Some(answers.colors.foreground),
            BACKGROUND => Some(answers.colors.background),
            CURSOR => Some(answers.colors.cursor),
            _ => u8::try_from(index).ok().map(|index| answers.colors.palette(index)),
        }
    }

    fn text_area_report(&self, answers: &Answers) -> String {
        let (cell_width, cell_height) = answers.cell_pixels;
        let height = self.term.screen_lines() * usize::from(cell_height);
        let width = self.columns() * usize::from(cell_width);
        format!("\x1b[4;{height};{width}t")
    }
}
