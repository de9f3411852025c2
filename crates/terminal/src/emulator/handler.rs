//! What stands between the parser and the emulator: all it does passes through here.
//!
//! Most of it is passed on as it is. The rest is what the emulator would do wrongly, without bound or
//! not at all.

use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::Column;
use alacritty_terminal::vte::ansi::cursor_icon::CursorIcon;
use alacritty_terminal::vte::ansi::{
    Attr, CharsetIndex, ClearMode, CursorShape, CursorStyle, Handler, Hyperlink, KeyboardModes,
    KeyboardModesApplyBehavior, LineClearMode, Mode, ModifyOtherKeys, PrivateMode, Rgb,
    ScpCharPath, ScpUpdateMode, StandardCharset, TabulationClearMode,
};

use super::guard::Guard;
use super::{clusters, report, signed};

/// Deepest stack of titles.
const MAX_TITLES: u16 = 16;

const COLUMNS: u16 = 3;
const ORIGIN: u16 = 6;
const BRACKETED_PASTE: u16 = 2004;

/// Our unit id is that of nobody.
const UNIT_ID: &str = "\x1bP!|00000000\x1b\\";

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
        // The parser never asks for a new line, whatever the mode.
        self.term.newline();
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
        let line = self.term.grid().cursor.point.line;
        if matches!(mode, ClearMode::Above) && line == 1 {
            // The emulator takes the first row for none.
            self.term.grid_mut().reset_region(..line);
        }
        let before = self.term.history_size();
        self.term.clear_screen(mode);
        self.own.erased += self.term.history_size().saturating_sub(before) as u64;
    }

    fn delete_chars(&mut self, count: usize) {
        // With more of them than there are, the emulator deletes what is before the cursor.
        let Column(column) = self.term.grid().cursor.point.column;
        self.term.delete_chars(count.min(self.term.columns() - column));
    }

    fn move_backward_tabs(&mut self, count: u16) {
        self.term.move_backward_tabs(count);
        self.term.grid_mut().cursor.input_needs_wrap = false;
    }

    fn decaln(&mut self) {
        self.set_scrolling_region(1, None);
        self.term.decaln();
    }

    fn save_cursor_position(&mut self) {
        self.save_cursor();
    }

    fn restore_cursor_position(&mut self) {
        self.restore_cursor();
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

    fn device_status(&mut self, query: usize) {
        const CURSOR_POSITION: usize = 6;
        if query == CURSOR_POSITION {
            let at = report::reported_cursor(self.term, self.own.margins);
            self.reply(format!("\x1b[{};{}R", at.row + 1, at.column + 1));
        } else {
            self.term.device_status(query);
        }
    }

    fn set_private_mode(&mut self, mode: PrivateMode) {
        match mode.raw() {
            COLUMNS => self.change_columns(mode),
            40 => self.own.allows_columns = true,
            47 | 1047 => self.switch_screen(true),
            1048 => self.save_cursor(),
            2031 => self.own.reports_color_scheme = true,
            BRACKETED_PASTE => {
                self.note_bracketed_paste(true);
                self.term.set_private_mode(mode);
            }
            1049 => {
                self.before_switching();
                self.term.set_private_mode(mode);
            }
            _ => self.term.set_private_mode(mode),
        }
        self.apply_keyboard();
    }

    fn unset_private_mode(&mut self, mode: PrivateMode) {
        match mode.raw() {
            COLUMNS => self.change_columns(mode),
            40 => self.own.allows_columns = false,
            47 | 1047 => self.switch_screen(false),
            1048 => self.restore_cursor(),
            2031 => self.own.reports_color_scheme = false,
            ORIGIN => {
                self.term.unset_private_mode(mode);
                self.term.goto(0, 0);
            }
            BRACKETED_PASTE => {
                self.note_bracketed_paste(false);
                self.term.unset_private_mode(mode);
            }
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
        let bottom = bottom.unwrap_or(rows).min(rows);
        // One that begins below the screen, as programs ask for before they know that it has become
        // smaller, the emulator would take, and nothing would scroll any more.
        if top < bottom {
            self.own.margins = Some((top.max(1), bottom));
            self.term.set_scrolling_region(top, Some(bottom));
        }
    }

    fn set_active_charset(&mut self, index: CharsetIndex) {
        self.own.charset = index;
        self.term.set_active_charset(index);
    }

    fn terminal_attribute(&mut self, attribute: Attr) {
        // The parser takes 21 for the end of bold, as few terminals do; in ECMA-48 and xterm it
        // underlines twice.
        self.term.terminal_attribute(match attribute {
            Attr::CancelBold => Attr::DoubleUnderline,
            other => other,
        });
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
        move_forward_tabs(count: u16);
        clear_line(mode: LineClearMode);
        clear_tabs(mode: TabulationClearMode);
        set_tabs(interval: u16);
        reverse_index();
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
        text_area_size_pixels();
        text_area_size_chars();
        set_mouse_cursor_icon(icon: CursorIcon);
        set_scp(path: ScpCharPath, mode: ScpUpdateMode);
    }
}
