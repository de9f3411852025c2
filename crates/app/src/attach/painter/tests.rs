//! What a program prints against what the outer terminal is sent.

use terminal::TerminalOptions;

use super::*;

const SIZE: GridSize = GridSize { columns: 20, rows: 4 };

/// A program's screen, what draws it, and a terminal that it is drawn on.
struct Fixture {
    inner: TerminalBuffer,
    painter: Painter,
    outer: TerminalBuffer,
}

impl Fixture {
    fn new(room: GridSize) -> Self {
        let terminal = |size| TerminalBuffer::new(size, TerminalOptions::default());
        let outer = terminal(room);
        let _answers = outer.feed(b"before\r\n");
        let _answers = outer.feed(ENTER.as_bytes());
        Self { inner: terminal(SIZE), painter: Painter::new(room, Depth::Full), outer }
    }

    /// Prints, and gives what is sent for it.
    fn prints(&mut self, text: &str) -> String {
        let _answers = self.inner.feed(text.as_bytes());
        let frame = self.painter.frame(&self.inner);
        let fed = self.outer.feed(&frame);
        assert!(fed.replies.is_empty(), "nothing is asked: {:?}", String::from_utf8_lossy(&frame));
        String::from_utf8(frame).unwrap()
    }

    #[track_caller]
    fn assert_same(&self) {
        assert_eq!(self.outer.visible_text(), self.inner.visible_text(), "the same is shown");
    }
}

#[test]
fn the_outer_terminal_shows_what_the_screen_does() {
    let mut fixture = Fixture::new(SIZE);
    for text in [
        "hello\r\n\x1b[31mred\x1b[0m and 漢字 and more",
        "\r\n\n\n\nscrolled",
        "\x1b[?1049h\x1b[2;3Hfull",
        "\x1b[2;3H\x1b[K漢\x1b[2;4Hx",
        "\x1b[?1049l",
        "\x1b[2J\x1b[H\u{1f468}\u{200d}\u{1f469} e\u{301}|\x1b[7m  \x1b[0m  ",
        "\x1b[1;20H\x1b[41mX",
    ] {
        fixture.prints(text);
        fixture.assert_same();
        assert_eq!(fixture.prints(""), "", "and then nothing more is sent");
    }
}

#[test]
fn a_smaller_screen_leaves_the_rest_empty() {
    let mut fixture = Fixture::new(GridSize { columns: 30, rows: 6 });
    fixture.prints("one\r\ntwo");
    let mut shown = fixture.outer.visible_text();
    shown.truncate(4);
    assert_eq!(shown, fixture.inner.visible_text(), "in the corner");
}

#[test]
fn what_programs_ask_of_a_terminal_is_asked_of_the_outer_one() {
    let mut fixture = Fixture::new(SIZE);
    fixture.prints("\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?1h\x1b=\x1b[?1004h\x1b[>4;2m\x1b[5 q");
    let modes = fixture.inner.modes();
    assert_eq!(fixture.outer.modes().difference(Modes::ALT_SCREEN), modes, "all of it");
    fixture.prints("\x1b[?1002h\x1b[?2004l");
    fixture.prints("\x1b[?1002l");
    assert!(!fixture.outer.modes().intersects(Modes::MOUSE | Modes::BRACKETED_PASTE), "given up");
    assert!(!fixture.prints("\x1b[>5u").contains('u'), "the outer terminal cannot do that");
    fixture.painter.set_kitty();
    assert!(fixture.prints("").contains("\x1b[>5u"), "it can");
    assert!(fixture.prints("\x1b[<u").contains("\x1b[=0;1u"), "no longer");
    let undo = fixture.painter.undo();
    let _answers = fixture.outer.feed(&undo);
    let usual = TerminalBuffer::new(SIZE, TerminalOptions::default()).modes();
    assert_eq!(fixture.outer.modes(), usual, "all of it is undone");
    assert_eq!(fixture.outer.visible_text()[0], "before", "with its own screen");
    assert!(String::from_utf8(undo).unwrap().contains("\x1b[<u"), "its keys, too");
}

#[test]
fn the_wheel_types_arrows_only_into_a_whole_screen() {
    let mut fixture = Fixture::new(SIZE);
    assert!(!fixture.prints("a").contains("1007"), "who knows what it does");
    fixture.painter.set_wheel();
    assert!(fixture.prints("").contains("\x1b[?1007l"), "not into a shell");
    assert!(fixture.prints("\x1b[?1049h").contains("\x1b[?1007h"), "into a pager");
    assert!(fixture.prints("\x1b[?1007l").contains("\x1b[?1007l"), "unless it does not like that");
    let undo = String::from_utf8(fixture.painter.undo()).unwrap();
    assert!(undo.contains("\x1b[?1007h"), "as it was");
}

#[test]
fn what_was_told_is_told_again_and_nothing_is_pushed_twice() {
    let mut fixture = Fixture::new(SIZE);
    fixture.painter.set_kitty();
    fixture.prints("text\x1b[?1000h\x1b[?2004h\x1b[>1u\x1b[5 q\x1b]2;title\x07");
    fixture.painter.tell_again();
    let sent = fixture.prints("");
    for told in ["\x1b[?1000h", "\x1b[?2004h", "\x1b[=1;1u", "\x1b[5 q", "\x1b]2;title\x1b\\"] {
        assert!(sent.contains(told), "{told:?} in {sent:?}");
    }
    assert!(!sent.contains("\x1b[>1u"), "{sent:?}");
}

#[test]
fn nothing_else_of_what_is_printed_gets_out() {
    let mut fixture = Fixture::new(SIZE);
    let hostile = [
        "\x1b]52;c;ZXZpbA==\x07",
        "\x1b]0;a\x1b\\\x1b[5n",
        "\x1b[c\x1b[6n\x1b[>q\x1bP$qm\x1b\\\x1b[?u\x1b[18t\x1b]11;?\x07",
        "\x1b]9;hello\x07\x1b]777;notify;a;b\x07\x1b]8;;file:///etc/passwd\x07link\x1b]8;;\x07",
        "\x1b[8;50;50t\x1b[2t\x1b]4;1;#ff0000\x07\x1b[?3h\x1bc",
        "\x1bP1000p\x1b\\\x1b_Gi=1;AAAA\x1b\\\x1b]1337;File=:AAAA\x07",
    ];
    let mut sent = String::new();
    for text in hostile {
        sent += &fixture.prints(text);
    }
    for begins in [
        "\x1b]52", "\x1b]9", "\x1b]777", "\x1b]8;", "\x1b]4;", "\x1b]11", "\x1bP", "\x1b_", "\x1bc",
    ] {
        assert!(!sent.contains(begins), "{begins:?} in {sent:?}");
    }
    for asks in ["\x1b[c", "\x1b[6n", "\x1b[5n", "\x1b[>q", "t"] {
        let without_text = sent.replace("link", "");
        assert!(!without_text.contains(asks), "{asks:?} in {sent:?}");
    }
}

#[test]
fn a_title_is_told_once_however_often_it_is_set() {
    let mut fixture = Fixture::new(SIZE);
    let titles: String = (0..1000).map(|n| format!("\x1b]2;title {n}\x07")).collect();
    let sent = fixture.prints(&titles);
    assert_eq!(sent.matches("\x1b]2;").count(), 1, "{sent:?}");
    assert_eq!(fixture.outer.title().as_deref(), Some("title 999"), "the last one");
}

#[test]
fn a_note_lies_over_the_last_row_for_a_while() {
    let mut fixture = Fixture::new(SIZE);
    fixture.prints("one\r\ntwo\r\nthree\r\nfour");
    let key = DetachKey::default();
    assert!(fixture.painter.set_note(Some(greeting("cat", "api", key))), "it is new");
    fixture.prints("");
    assert_eq!(fixture.outer.visible_text()[3], " cat in api: ctrl-\\", "as far as there is room");
    assert_eq!(fixture.outer.visible_text()[2], "three", "the rest stays");
    assert!(fixture.painter.set_note(None), "it goes");
    fixture.prints("");
    fixture.assert_same();
}

#[test]
fn all_is_drawn_again_when_the_outer_terminal_was_used_by_another() {
    let mut fixture = Fixture::new(SIZE);
    fixture.prints("hello");
    let _answers = fixture.outer.feed(b"\x1b[2J\x1b[Hsomething else");
    fixture.painter.begin_anew(SIZE);
    fixture.prints("");
    fixture.assert_same();
}
