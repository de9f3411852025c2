//! What stands between the parser and the emulator: all it does passes through here.
//!
//! Most of it is passed on as it is. The rest is what the emulator would do wrongly, without bound or
//! not at all.

use alacritty_terminal::Term;
use alacritty_terminal::event::{Event, EventListener as _};
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::vte::ansi::cursor_icon::CursorIcon;
use alacritty_terminal::vte::ansi::{
    Attr, CharsetIndex, ClearMode, CursorShape, CursorStyle, Handler, Hyperlink, KeyboardModes,
    KeyboardModesApplyBehavior, LineClearMode, Mode, ModifyOtherKeys, NamedMode, PrivateMode, Rgb,
    ScpCharPath, ScpUpdateMode, StandardCharset, TabulationClearMode,
};

use super::convert::PROMPT;
use super::outbox::Outbox;
use super::shortcut::{self, Token};
use super::{Own, attributes, clusters, signed};

/// Deepest stack of titles.
const MAX_TITLES: u16 = 16;

/// Our unit id is that of nobody.
const UNIT_ID: &str = "\x1bP!|00000000\x1b\\";

pub(super) struct Guard<'a> {
    pub(super) term: &'a mut Term<Outbox>,
    pub(super) own: &'a mut Own,
    pub(super) outbox: &'a Outbox,
}

/// Passes calls on to the emulator.
macro_rules! pass_on {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {
        $(
            #[inline]
            fn $name(&mut self, $($arg: $type),*) {
                self.term.$name($($arg),*);
            }
        )*
    };
}

impl Guard<'_> {
    fn reply(&self, text: String) {
        self.outbox.send_event(Event::PtyWrite(text));
    }

    fn is_alternate(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    /// Packs the oldest rows away before the emulator has to make room for more.
    #[inline]
    fn make_room(&mut self) {
        if self.term.history_size() >= self.own.high_rows {
            self.own.drain(self.term);
        }
    }

    /// Does what a token says. Returns what it has to leave to the parser.
    pub(super) fn perform<'t>(&mut self, token: Token<'t>) -> Option<&'t [u8]> {
        match token {
            Token::Ascii(text) => self.print(text),
            Token::Text(text) => self.input_text(text),
            Token::Broken(bytes) => {
                for chunk in bytes.utf8_chunks() {
                    self.input_text(chunk.valid());
                    // A control character of eight bits means nothing in UTF-8.
                    if !matches!(chunk.invalid(), [] | [0x80..=0x9f]) {
                        self.input(char::REPLACEMENT_CHARACTER);
                    }
                }
            }
            Token::CarriageReturn => self.term.carriage_return(),
            Token::LineFeed => self.linefeed(),
            Token::Backspace => self.term.backspace(),
            Token::Tab => self.term.put_tab(1),
            Token::Attributes(parameters) => {
                attributes::each(parameters, |attribute| self.term.terminal_attribute(attribute));
            }
            Token::Repeat(count) => {
                if let Some(c) = self.own.last_printed {
                    self.repeat(c, count.into());
                }
            }
            Token::Other(bytes) => return Some(bytes),
        }
        None
    }

    /// Prints a character many times.
    ///
    /// In insert mode each would move the rest of its row. As many as a row has columns move all of it
    /// out of the row, whatever was there, so only so many have to be inserted, the last ones.
    fn repeat(&mut self, c: char, count: usize) {
        let columns = self.term.columns();
        let inserted = count.min(columns);
        if self.term.mode().contains(TermMode::INSERT) && inserted < count {
            self.term.unset_mode(NamedMode::Insert.into());
            (inserted..count).for_each(|_| self.input(c));
            self.term.set_mode(NamedMode::Insert.into());
        } else {
            (inserted..count).for_each(|_| self.input(c));
        }
        (0..inserted).for_each(|_| self.input(c));
    }

    fn input_text(&mut self, text: &str) {
        text.chars().filter(|c| !c.is_control()).for_each(|c| self.input(c));
    }

    fn print(&mut self, text: &[u8]) {
        let mut rest = text;
        while let [first, others @ ..] = rest {
            let printed = if self.own.prompt_pending {
                0
            } else {
                shortcut::print(self.term, self.own.charset, rest)
            };
            if printed == 0 {
                self.input(char::from(*first));
                rest = others;
            } else {
                rest = &rest[printed..];
            }
        }
        self.own.last_printed = text.last().copied().map(char::from);
    }

    /// Lets the emulator know what holds on the screen that is shown.
    fn apply_keyboard(&mut self) {
        let flags = self.own.keyboard.current(*self.term.mode());
        self.term.set_keyboard_mode(flags, KeyboardModesApplyBehavior::Replace);
    }

    /// Moves the cursor by some rows. It does not leave the rows that scroll, if it is among them.
    fn move_by(&mut self, rows: i32, column: usize) {
        let last = self.term.bottommost_line().0;
        let line = self.term.grid().cursor.point.line.0;
        let (top, bottom) = self
            .own
            .margins
            .map_or((0, last), |(top, bottom)| (signed(top) - 1, signed(bottom) - 1));
        let first = if line >= top { top } else { 0 };
        let last = if line <= bottom { bottom } else { last };
        let target = line.saturating_add(rows).clamp(first, last);
        // In origin mode lines are counted from the first that scrolls.
        let is_relative = self.term.mode().contains(TermMode::ORIGIN);
        self.term.goto(if is_relative { target - top } else { target }, column);
    }

    /// Modes 47 and 1047 switch screens without saving the cursor.
    fn switch_screen(&mut self, to_alternate: bool) {
        if self.is_alternate() != to_alternate {
            self.pack_before_leaving();
            let point = self.term.grid().cursor.point;
            self.term.swap_alt();
            self.term.grid_mut().cursor.point = point;
        }
    }

    /// What is out of reach on the other screen should cost little when that is resized.
    fn pack_before_leaving(&mut self) {
        if !self.is_alternate() {
            let keep = self.term.screen_lines().min(self.own.kept_rows);
            self.own.drain_to(self.term, keep);
        }
    }

    fn write_prompt_cell(&mut self, c: char) {
        self.own.prompt_pending = false;
        self.term.grid_mut().cursor.template.flags.insert(PROMPT);
        self.term.input(c);
        self.term.grid_mut().cursor.template.flags.remove(PROMPT);
    }

    /// What a mode of ours is set to, as DECRQM counts: 1 set, 2 reset, 3 always set.
    fn own_mode(&self, mode: u16) -> Option<u8> {
        let is_set = match mode {
            47 | 1047 => self.is_alternate(),
            2031 => self.own.reports_color_scheme,
            // Clusters are always taken together.
            2027 => return Some(3),
            _ => return None,
        };
        Some(if is_set { 1 } else { 2 })
    }
}

impl Handler for Guard<'_> {
    #[inline]
    fn input(&mut self, c: char) {
        self.own.last_printed = Some(c);
        if self.term.grid().cursor.input_needs_wrap {
            self.make_room();
        }
        if self.own.prompt_pending {
            self.write_prompt_cell(c);
        } else if clusters::stands_alone(c) || !clusters::join(self.term, c) {
            self.term.input(c);
        }
    }

    #[inline]
    fn linefeed(&mut self) {
        self.make_room();
        self.term.linefeed();
    }

    fn newline(&mut self) {
        self.make_room();
        self.term.newline();
    }

    fn scroll_up(&mut self, lines: usize) {
        self.make_room();
        self.term.scroll_up(lines);
    }

    fn delete_lines(&mut self, lines: usize) {
        self.make_room();
        self.term.delete_lines(lines);
    }

    fn clear_screen(&mut self, mode: ClearMode) {
        self.make_room();
        if matches!(mode, ClearMode::Saved) {
            if self.own.keeps_history || self.is_alternate() {
                return;
            }
            self.own.clear_history();
        }
        self.term.clear_screen(mode);
    }

    fn reset_state(&mut self) {
        if self.own.keeps_history {
            self.switch_screen(false);
            // What is on the screen is history too.
            self.term.clear_screen(ClearMode::All);
            self.own.drain_to(self.term, 0);
        } else {
            self.own.clear_history();
        }
        self.own.forget_modes();
        self.term.reset_state();
    }

    fn identify_terminal(&mut self, intermediate: Option<char>) {
        match intermediate {
            Some('=') => self.reply(UNIT_ID.to_owned()),
            other => self.term.identify_terminal(other),
        }
    }

    fn set_private_mode(&mut self, mode: PrivateMode) {
        match mode.raw() {
            47 | 1047 => self.switch_screen(true),
            1048 => self.term.save_cursor_position(),
            2031 => self.own.reports_color_scheme = true,
            1049 => {
                self.pack_before_leaving();
                self.term.set_private_mode(mode);
            }
            _ => self.term.set_private_mode(mode),
        }
        self.apply_keyboard();
    }

    fn unset_private_mode(&mut self, mode: PrivateMode) {
        match mode.raw() {
            47 | 1047 => self.switch_screen(false),
            1048 => self.term.restore_cursor_position(),
            2031 => self.own.reports_color_scheme = false,
            _ => self.term.unset_private_mode(mode),
        }
        self.apply_keyboard();
    }

    fn report_private_mode(&mut self, mode: PrivateMode) {
        match self.own_mode(mode.raw()) {
            Some(state) => self.reply(format!("\x1b[?{};{state}$y", mode.raw())),
            None => self.term.report_private_mode(mode),
        }
    }

    fn push_title(&mut self) {
        if self.own.title_depth < MAX_TITLES {
            self.own.title_depth += 1;
            self.term.push_title();
        }
    }

    fn pop_title(&mut self) {
        self.own.title_depth = self.own.title_depth.saturating_sub(1);
        self.term.pop_title();
    }

    fn push_keyboard_mode(&mut self, flags: KeyboardModes) {
        self.own.keyboard.push(*self.term.mode(), flags);
        self.apply_keyboard();
    }

    fn pop_keyboard_modes(&mut self, count: u16) {
        self.own.keyboard.pop(*self.term.mode(), count);
        self.apply_keyboard();
    }

    fn set_keyboard_mode(&mut self, flags: KeyboardModes, behavior: KeyboardModesApplyBehavior) {
        self.own.keyboard.set(*self.term.mode(), flags, behavior);
        self.apply_keyboard();
    }

    fn report_keyboard_mode(&mut self) {
        let flags = self.own.keyboard.current(*self.term.mode());
        self.reply(format!("\x1b[?{}u", flags.bits()));
    }

    fn set_modify_other_keys(&mut self, mode: ModifyOtherKeys) {
        self.own.modify_other_keys = match mode {
            ModifyOtherKeys::Reset => 0,
            ModifyOtherKeys::EnableExceptWellDefined => 1,
            ModifyOtherKeys::EnableAll => 2,
        };
    }

    fn report_modify_other_keys(&mut self) {
        self.reply(format!("\x1b[>4;{}m", self.own.modify_other_keys));
    }

    fn set_hyperlink(&mut self, link: Option<Hyperlink>) {
        let link = link.map(|link| {
            let number = self.own.links.number(link.id.as_deref(), &link.uri);
            Hyperlink { id: Some(String::new()), uri: number.to_string() }
        });
        self.term.set_hyperlink(link);
    }

    fn move_up(&mut self, count: usize) {
        self.move_by(-signed(count), self.term.grid().cursor.point.column.0);
    }

    fn move_down(&mut self, count: usize) {
        self.move_by(signed(count), self.term.grid().cursor.point.column.0);
    }

    fn move_up_and_cr(&mut self, count: usize) {
        self.move_by(-signed(count), 0);
    }

    fn move_down_and_cr(&mut self, count: usize) {
        self.move_by(signed(count), 0);
    }

    fn set_scrolling_region(&mut self, top: usize, bottom: Option<usize>) {
        let rows = self.term.screen_lines();
        let bottom = bottom.unwrap_or(rows);
        if top < bottom {
            self.own.margins = Some((top.max(1), bottom.min(rows)));
        }
        self.term.set_scrolling_region(top, Some(bottom));
    }

    fn set_active_charset(&mut self, index: CharsetIndex) {
        self.own.charset = index;
        self.term.set_active_charset(index);
    }

    // The clipboard is never read out to a program.
    fn clipboard_load(&mut self, _clipboard: u8, _terminator: &str) {}

    pass_on! {
        set_title(title: Option<String>);
        set_cursor_style(style: Option<CursorStyle>);
        set_cursor_shape(shape: CursorShape);
        goto(line: i32, column: usize);
        goto_line(line: i32);
        goto_col(column: usize);
        insert_blank(count: usize);
        device_status(query: usize);
        move_forward(count: usize);
        move_backward(count: usize);
        put_tab(count: u16);
        backspace();
        carriage_return();
        bell();
        substitute();
        set_horizontal_tabstop();
        scroll_down(count: usize);
        insert_blank_lines(count: usize);
        erase_chars(count: usize);
        delete_chars(count: usize);
        move_backward_tabs(count: u16);
        move_forward_tabs(count: u16);
        save_cursor_position();
        restore_cursor_position();
        clear_line(mode: LineClearMode);
        clear_tabs(mode: TabulationClearMode);
        set_tabs(interval: u16);
        reverse_index();
        terminal_attribute(attribute: Attr);
        set_mode(mode: Mode);
        unset_mode(mode: Mode);
        report_mode(mode: Mode);
        set_keypad_application_mode();
        unset_keypad_application_mode();
        configure_charset(index: CharsetIndex, charset: StandardCharset);
        set_color(index: usize, color: Rgb);
        dynamic_color_sequence(prefix: String, index: usize, terminator: &str);
        reset_color(index: usize);
        clipboard_store(clipboard: u8, base64: &[u8]);
        decaln();
        text_area_size_pixels();
        text_area_size_chars();
        set_mouse_cursor_icon(icon: CursorIcon);
        set_scp(path: ScpCharPath, mode: ScpUpdateMode);
    }
}
