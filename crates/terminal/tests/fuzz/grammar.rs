//! Hostile output, made up: sequences that nearly make sense, numbers at the edges, broken text.

/// Stands in everything that a program could want to have echoed; no answer may hold it.
pub(crate) const CANARY: &str = "cAnArY";

/// Numbers that look random and follow from a seed (`SplitMix64`).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Less than `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let limit = u64::try_from(limit).expect("a limit");
        usize::try_from((mixed ^ (mixed >> 31)) % limit).expect("less than the limit")
    }

    pub(crate) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).expect("a byte")
    }
}

/// One piece of output.
pub(crate) fn piece(dice: &mut Dice, out: &mut Vec<u8>) {
    match dice.below(24) {
        0..=4 => text(dice, out),
        5..=9 => csi(dice, out),
        10 | 11 => mode(dice, out),
        12 | 13 => osc(dice, out),
        14 => string(dice, out),
        15 => escape(dice, out),
        16 => region(dice, out),
        17 => repeat(dice, out),
        18 => out.extend_from_slice(dice.of(QUERIES).as_bytes()),
        19 => style(dice, out),
        20 => controls(dice, out),
        21 => stacks(dice, out),
        22 => noise(dice, out),
        _ => marks(dice, out),
    }
}

const WORDS: &[&str] = &[
    "plain",
    "a",
    " ",
    "\t",
    "日本",
    "한",
    "é",
    "e\u{301}",
    "👍",
    "👍🏽",
    "👩‍💻",
    "👨‍👩‍👧‍👦",
    "🇩🇪",
    "☎\u{fe0f}",
    "1\u{fe0f}\u{20e3}",
    "\u{200d}",
    "\u{202e}abc",
    "\u{200b}",
    "\u{ad}",
    "\u{fdfa}",
    "ｗ",
    "\u{300}",
    "ﷺ",
    "━",
    "\u{e0b0}",
    "\u{10ffff}",
    "\u{feff}",
    "fn main() {}",
    "/src/lib.rs:3:4",
    "http://h/p",
];

fn text(dice: &mut Dice, out: &mut Vec<u8>) {
    for _ in 0..dice.below(12) {
        out.extend_from_slice(dice.of(WORDS).as_bytes());
    }
    if dice.below(3) == 0 {
        out.extend_from_slice(b"\r\n");
    }
}

fn marks(dice: &mut Dice, out: &mut Vec<u8>) {
    let mark = dice.of(&["\u{301}", "\u{200d}", "\u{fe0f}", "\u{1f3fd}", "\u{20dd}", "\u{e0067}"]);
    out.extend_from_slice(dice.of(WORDS).as_bytes());
    for _ in 0..dice.below(60) {
        out.extend_from_slice(mark.as_bytes());
    }
}

const NUMBERS: &[&str] = &[
    "",
    "0",
    "1",
    "2",
    "3",
    "5",
    "8",
    "24",
    "79",
    "80",
    "81",
    "255",
    "256",
    "999",
    "4095",
    "4096",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "4294967295",
    "99999999999999999999",
    "-1",
];

fn numbers(dice: &mut Dice, most: usize, out: &mut Vec<u8>) {
    for index in 0..dice.below(most + 1) {
        if index > 0 {
            out.extend_from_slice(dice.of(&[";", ";", ";", ":", ";;"]).as_bytes());
        }
        out.extend_from_slice(dice.of(NUMBERS).as_bytes());
    }
}

fn csi(dice: &mut Dice, out: &mut Vec<u8>) {
    out.extend_from_slice(dice.of(&["\x1b[", "\x1b[", "\x1b[", "\u{9b}"]).as_bytes());
    out.extend_from_slice(dice.of(&["", "", "", "", "?", ">", "=", "<", "!"]).as_bytes());
    let most = dice.of(&[2, 2, 2, 5, 40]);
    numbers(dice, most, out);
    out.extend_from_slice(
        dice.of(&["", "", "", "", "$", "*", "'", " ", "\"", "#", "&"]).as_bytes(),
    );
    let end = dice.of(b"@ABCDEFGHIJKLMPSTXZ`abcdefghijklmnopqrstuvwxyz{|}~");
    out.push(end);
}

const MODES: &[&str] = &[
    "1", "3", "5", "6", "7", "8", "9", "12", "25", "40", "45", "47", "66", "69", "80", "1000",
    "1002", "1003", "1004", "1005", "1006", "1007", "1015", "1016", "1042", "1047", "1048", "1049",
    "2004", "2026", "2026", "2027", "2031", "2048", "9001", "65535",
];

fn mode(dice: &mut Dice, out: &mut Vec<u8>) {
    let (modes, end) = (dice.of(MODES), dice.of(&["h", "h", "l", "l", "s", "r", "$p"]));
    if dice.below(8) == 0 {
        let number = dice.of(&["2", "4", "12", "20"]);
        return out.extend_from_slice(format!("\x1b[{number}{end}").as_bytes());
    }
    let more = dice.of(&["", "", ";1049", ";2026", ";6"]);
    out.extend_from_slice(format!("\x1b[?{modes}{more}{end}").as_bytes());
}

const OSC_KINDS: &[&str] = &[
    "0",
    "1",
    "2",
    "4",
    "5",
    "7",
    "8",
    "9",
    "9;4",
    "10",
    "11",
    "12",
    "13",
    "17",
    "22",
    "50",
    "52",
    "66",
    "99",
    "104",
    "110",
    "111",
    "112",
    "133;A",
    "133;C",
    "133;D",
    "133",
    "777;notify",
    "1337",
    "7501",
    "99999",
    "",
    "-1",
    "x",
];
const OSC_TEXTS: &[&str] = &[
    "?",
    CANARY,
    "c;?",
    "c;Y0FuQXJZ",
    "p;!!!",
    ";http://h/cAnArY",
    "id=1;file:///etc/passwd",
    "1;?",
    "256;?",
    "rgb:ff/00/ff",
    "#123456",
    "1;50",
    "3;-7",
    "\u{202e}x",
    "a\nb",
    "i=1:p=?;",
    "999;999",
    "file://host/%00%ff",
    "File=name=YQ==;size=99999999999:AAAA",
    "A",
    "D;256",
    "\u{9d}",
];
const ENDS: &[&str] = &["\x07", "\x07", "\x1b\\", "\x1b\\", "\u{9c}", "\x18", "\x1a", "\x1b", ""];

fn osc(dice: &mut Dice, out: &mut Vec<u8>) {
    let (kind, text, end) = (dice.of(OSC_KINDS), dice.of(OSC_TEXTS), dice.of(ENDS));
    out.extend_from_slice(format!("\x1b]{kind};{text}").as_bytes());
    if dice.below(20) == 0 {
        out.extend_from_slice(CANARY.repeat(dice.below(3000)).as_bytes());
    }
    out.extend_from_slice(end.as_bytes());
}

/// DCS, APC, PM and SOS.
fn string(dice: &mut Dice, out: &mut Vec<u8>) {
    const STARTS: &[&str] = &[
        "P$q",
        "P$qm",
        "P$qr",
        "P$q q",
        "P+q544e",
        "P+q63416e41725a",
        "Pq#65!2147483647@",
        "P=1s",
        "P=2s",
        "P1000p",
        "P>|",
        "P0;1|",
        "_G",
        "_Gf=32,t=f;",
        "^",
        "X",
        "k",
    ];
    let (start, text, end) = (dice.of(STARTS), dice.of(OSC_TEXTS), dice.of(ENDS));
    out.extend_from_slice(format!("\x1b{start}{text}{CANARY}{end}").as_bytes());
}

fn escape(dice: &mut Dice, out: &mut Vec<u8>) {
    const ENDS: &[&str] = &[
        "7", "8", "c", "D", "E", "H", "M", "N", "O", "Z", "=", ">", "#8", "#3", "#6", "(0", "(B",
        ")0", "*A", "+B", "n", "o", "|", "}", "~", "%G", "%@", " F", " G", "\\", "6", "9", "l",
        "m",
    ];
    out.push(0x1b);
    out.extend_from_slice(dice.of(ENDS).as_bytes());
}

fn region(dice: &mut Dice, out: &mut Vec<u8>) {
    let (top, bottom) = (dice.below(30), dice.below(30));
    let (left, right) = (dice.below(90), dice.below(90));
    let (count, action) = (dice.of(NUMBERS), dice.of(&["L", "M", "S", "T", "D", "P", "@", "X"]));
    out.extend_from_slice(format!("\x1b[{top};{bottom}r\x1b[{left};{right}s").as_bytes());
    out.extend_from_slice(format!("\x1b[{bottom};{right}H\x1b[{count}{action}").as_bytes());
}

fn repeat(dice: &mut Dice, out: &mut Vec<u8>) {
    let insert = dice.of(&["", "\x1b[4h", "\x1b[?7l"]);
    let (word, count) = (dice.of(WORDS), dice.of(NUMBERS));
    out.extend_from_slice(format!("{insert}{word}\x1b[{count}b").as_bytes());
}

const QUERIES: &[&str] = &[
    "\x1b[c",
    "\x1b[>c",
    "\x1b[=c",
    "\x1b[>q",
    "\x1b[5n",
    "\x1b[6n",
    "\x1b[?6n",
    "\x1b[?996n",
    "\x1b[x",
    "\x1b[14t",
    "\x1b[15t",
    "\x1b[16t",
    "\x1b[18t",
    "\x1b[19t",
    "\x1b[20t",
    "\x1b[21t",
    "\x1b[?u",
    "\x05",
    "\x1b[?4m",
    "\x1b[1$w",
    "\x1b[1;1;1;1;9;9*y",
    "\x1bZ",
    "\x1b[?2026$p",
    "\x1b[4$p",
    "\x1b[>4;?m",
];

fn style(dice: &mut Dice, out: &mut Vec<u8>) {
    const STYLES: &[&str] = &[
        "0",
        "1;3;4;7;9",
        "4:3",
        "4:9",
        "38;5;200",
        "38;5;999",
        "48;2;1;2;3",
        "38:2::1:2:3",
        "58:5:9",
        "38",
        "38;2",
        "38;5",
        "48:5",
        "58;2;1",
        "21",
        "73;74",
        "99999",
        ":::",
        "1;;;2",
    ];
    out.extend_from_slice(format!("\x1b[{}m", dice.of(STYLES)).as_bytes());
}

fn controls(dice: &mut Dice, out: &mut Vec<u8>) {
    for _ in 0..dice.below(10) {
        out.push(dice.of(b"\x00\x05\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x11\x13\x18\x1a\x1b\x7f"));
    }
}

/// Things that are pushed, and popped more often than that.
fn stacks(dice: &mut Dice, out: &mut Vec<u8>) {
    const STEPS: &[&str] = &[
        "\x1b[>1u",
        "\x1b[>31u",
        "\x1b[>99999u",
        "\x1b[<u",
        "\x1b[<99999u",
        "\x1b[=31;1u",
        "\x1b[=5;3u",
        "\x1b[22t",
        "\x1b[22;2t",
        "\x1b[23t",
        "\x1b[23;0t",
        "\x1b7",
        "\x1b8",
        "\x1b[s",
        "\x1b[u",
        "\x1b[>4;2m",
        "\x1b[#{",
        "\x1b[#}",
        "\x1b[?1049h",
        "\x1b[?1049l",
        "\x1b[?47h",
        "\x1b[?47l",
        "\x1b]2;cAnArY\x07",
        "\x1bH",
        "\x1b[3g",
        "\x1b[I",
        "\x1b[999Z",
        "\x1b[3J",
        "\x1b[2J",
        "\x1b[!p",
    ];
    let step = dice.of(STEPS);
    out.extend_from_slice(step.repeat(1 + dice.below(20)).as_bytes());
}

fn noise(dice: &mut Dice, out: &mut Vec<u8>) {
    for _ in 0..dice.below(16) {
        let byte = dice.byte();
        out.push(byte);
    }
}
