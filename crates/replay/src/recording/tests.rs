//! Lines of recordings, and what is read of them.

use std::fmt::Write as _;

use agent::Exit;

use super::*;

/// Reads a recording called `r` and writes what happens in it, or what is wrong with it.
#[track_caller]
fn check(text: &str, expected: &str) {
    let read = match Recording::parse(text, Path::new("r")) {
        Ok(recording) => recording.events.iter().map(describe).collect::<Vec<_>>().join(", "),
        Err(err) => err.to_string(),
    };
    assert_eq!(read, expected, "read of {}", text.chars().take(200).collect::<String>());
}

fn describe(event: &Event) -> String {
    let at = event.at.as_secs_f64();
    match &event.what {
        Happening::Output(bytes) => format!("{at} out {}", String::from_utf8_lossy(bytes)),
        Happening::Input(bytes) => format!("{at} in {}", String::from_utf8_lossy(bytes)),
        Happening::Focus => format!("{at} focus"),
        Happening::Resize(size) => format!("{at} resize {}x{}", size.columns, size.rows),
        Happening::Exit(exit) => format!("{at} {exit}"),
        Happening::Watched(is_watched) => format!("{at} watched {is_watched}"),
        Happening::Report { says, text, .. } => format!("{at} report {says:?} {text:?}"),
        Happening::Sample(sample) | Happening::Told(sample) => {
            let mode = if sample.is_canonical { "cooked" } else { "raw" };
            let echo = if sample.echoes { "" } else { " hidden" };
            let mut said = format!("{at} {mode}{echo} front {}", sample.foreground);
            for process in &sample.processes {
                let reads = if process.reads_terminal { " reads" } else { "" };
                write!(said, " [{} {}{reads}]", process.pid, process.cpu_ticks)
                    .expect("a string takes everything");
            }
            said
        }
    }
}

/// Bytes as zlib packs them, in base64.
fn packed(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(bytes, 9))
}

#[test]
fn every_kind_of_line_is_read() {
    check(r#"{"t":1,"dir":"out","b64":"aGk="}"#, "1 out hi");
    check(r#"{"t":1.5,"dir":"in","k":"key","b64":"eQ=="}"#, "1.5 in y");
    check(r#"{"t":1.5,"dir":"in","b64":"eQ=="}"#, "1.5 in y");
    check(r#"{"t":2,"dir":"in","k":"focus","b64":"G1tP"}"#, "2 focus");
    check(r#"{"t":2,"dir":"ev","ev":"exit","code":3}"#, "2 exit 3");
    check(r#"{"t":2,"dir":"ev","ev":"exit","code":-1}"#, "2 exit -1");
    check(r#"{"t":2,"dir":"ev","ev":"exit"}"#, "2 exit 0");
    check(&format!(r#"{{"t":1,"dir":"out","z64":"{}"}}"#, packed(b"packed")), "1 out packed");
}

#[test]
fn answers_of_the_terminal_and_notes_are_left_out() {
    check(r#"{"t":1,"dir":"in","k":"reply","b64":"aGk="}"#, "");
    check(r#"{"t":1,"dir":"ev","ev":"listening","port":8765}"#, "");
    check(r#"{"t":1,"dir":"later"}"#, "");
    check("\n  \n", "");
}

#[test]
fn lines_are_put_into_the_order_of_their_times() {
    check(
        "{\"t\":2,\"dir\":\"out\",\"b64\":\"Yg==\"}\n{\"t\":1,\"dir\":\"out\",\"b64\":\"YQ==\"}",
        "1 out a, 2 out b",
    );
    check(
        "{\"t\":1,\"dir\":\"out\",\"b64\":\"Yg==\"}\n{\"t\":1,\"dir\":\"out\",\"b64\":\"YQ==\"}",
        "1 out b, 1 out a",
    );
}

#[test]
fn what_was_before_the_beginning_is_at_it() {
    check(
        "{\"t\":0.5,\"dir\":\"out\",\"b64\":\"Yg==\"}\n{\"t\":-3,\"dir\":\"out\",\"b64\":\"YQ==\"}",
        "0 out a, 0.5 out b",
    );
    check(
        "{\"t\":-1,\"dir\":\"out\",\"b64\":\"Yg==\"}\n{\"t\":-3,\"dir\":\"out\",\"b64\":\"YQ==\"}",
        "0 out a, 0 out b",
    );
}

#[test]
fn times_beyond_all_reason_are_cut() {
    check(r#"{"t":1e300,"dir":"ev","ev":"exit"}"#, "1000000000 exit 0");
    check(r#"{"t":-1e300,"dir":"ev","ev":"exit"}"#, "0 exit 0");
}

#[test]
fn processes_that_are_left_out_are_those_told_before() {
    let all = r#"{"t":1,"dir":"proc","fg":1,"lf":[1,1,1],"ps":[[1,0,"a","S","w","0",7,1,1],[2,1,"b","R","","",3,1,0]]}"#;
    check(all, "1 cooked front 1 [1 7 reads] [2 3]");
    let same = r#"{"t":2,"dir":"proc","fg":2,"lf":[0,0,1]}"#;
    check(&format!("{all}\n{same}"), {
        "1 cooked front 1 [1 7 reads] [2 3], 2 raw hidden front 2 [1 7 reads] [2 3]"
    });
    check(&format!("{same}\n{all}"), {
        "1 cooked front 1 [1 7 reads] [2 3], 2 raw hidden front 2 [1 7 reads] [2 3]"
    });
    check(same, "2 raw hidden front 2");
}

#[test]
fn processes_that_are_dead_are_left_out() {
    check(
        r#"{"t":1,"dir":"proc","fg":1,"lf":[true,false,1],"ps":[[1,0,"a","Z","w","0",7,1,1]]}"#,
        "1 cooked hidden front 1",
    );
}

#[test]
fn a_line_that_cannot_be_read_is_named() {
    check("nonsense", "r:1: expected ident at line 1 column 2");
    check("\n\n[]", "r:3: no `dir`");
    check("{\"t\":1,\"dir\":\"ev\"}\n{\"t\":1}", "r:2: no `dir`");
    check(r#"{"t":1,"dir":7}"#, "r:1: no `dir`");
    check(r#"{"t":1,"dir":"out"}"#, "r:1: neither `b64` nor `z64`");
    check(r#"{"t":1,"dir":"in","k":"key"}"#, "r:1: neither `b64` nor `z64`");
    check(r#"{"t":1,"dir":"out","b64":"?"}"#, "r:1: Invalid symbol 63, offset 0.");
    check(r#"{"t":1,"dir":"out","b64":"aGk"}"#, "r:1: Invalid padding");
    check(r#"{"dir":"out","b64":"aGk="}"#, "r:1: no `t`");
    check(r#"{"t":"1","dir":"out","b64":"aGk="}"#, "r:1: no `t`");
    check(r#"{"t":1,"dir":"proc","ps":[[1]]}"#, "r:1: a process that cannot be read");
    check(
        r#"{"t":1,"dir":"proc","ps":[["1",0,"a","S","","",7,1,1]]}"#,
        "r:1: a process that cannot be read",
    );
    check(r#"{"t":1,"dir":"proc","ps":[7]}"#, "r:1: a process that cannot be read");
}

#[test]
fn the_line_is_that_of_the_file_whatever_the_time() {
    check(
        "{\"t\":9,\"dir\":\"out\",\"b64\":\"YQ==\"}\n{\"t\":1,\"dir\":\"out\"}",
        "r:2: neither `b64` nor `z64`",
    );
}

#[test]
fn what_is_no_zlib_is_named() {
    let text = format!(r#"{{"t":1,"dir":"out","z64":"{}"}}"#, BASE64_STANDARD.encode("nonsense"));
    let err = Recording::parse(&text, Path::new("r")).expect_err("no zlib");
    assert!(err.to_string().starts_with("r:1: "), "it says where: {err}");
}

/// Reads lines that unpack to so many bytes each, where a thousand in all are allowed.
#[track_caller]
fn check_unpacked(sizes: &[usize], expected: &str) {
    let line = |size: &usize| {
        format!("{{\"t\":1,\"dir\":\"out\",\"z64\":\"{}\"}}\n", packed(&vec![0; *size]))
    };
    let text: String = sizes.iter().map(line).collect();
    let read = Recording::parse_within(&text, Path::new("r"), 1000)
        .map_or_else(|err| err.to_string(), |_| "all".to_owned());
    assert_eq!(read, expected, "read of lines of {sizes:?}");
}

#[test]
fn lines_that_unpack_to_too_much_are_refused() {
    check_unpacked(&[1000], "all");
    check_unpacked(&[1001], "r:1: it unpacks to too much");
    check_unpacked(&[10_000_000], "r:1: it unpacks to too much");
    check_unpacked(&[400, 600, 0], "all");
    check_unpacked(&[400, 600, 1], "r:3: it unpacks to too much");
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let err = Recording::load(Path::new("/nowhere/r.jsonl")).expect_err("it is not there");
    assert_eq!(err.to_string(), "cannot read /nowhere/r.jsonl", "which file");
    let err = Recording::load(Path::new("/")).expect_err("a folder");
    assert_eq!(err.to_string(), "cannot read /", "which file");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_without_end_is_refused() {
    let err = Recording::load_within(Path::new("/dev/zero"), 1000).expect_err("it never ends");
    assert_eq!(err.to_string(), "/dev/zero is longer than 256 MiB", "not read to its end");
}

#[test]
fn a_recording_lasts_until_its_last_line() {
    let text = r#"{"t":7,"dir":"ev","ev":"exit"}"#;
    let recording = Recording::parse(text, Path::new("r")).expect("a recording");
    assert_eq!(recording.duration(), Duration::from_secs(7), "its last event");
    assert_eq!(Recording::default().duration(), Duration::ZERO, "nothing in it");
    assert_eq!(recording.events[0].what, Happening::Exit(Exit::Code(0)), "how it ended");
}

#[test]
fn reports_and_what_the_file_says_of_itself_are_read() {
    let line = r#"{"t":2,"dir":"ev","ev":"report","says":"needs_input","reason":"password"}"#;
    check(line, "2 report NeedsInput(Password) None");
    check(r#"{"t":2,"dir":"ev","ev":"report","says":"odd"}"#, "r:1: a report that cannot be read");
    let text = r#"{"t":0,"dir":"ev","ev":"about","size":[80,24],"agent":"a","timeouts":[3,9.5]}
        {"t":7.5,"dir":"ev","ev":"saved","shown":"running","expected":"needs_input"}"#;
    let recording = Recording::parse(text, Path::new("r")).expect("a recording");
    let expected = About {
        size: Some(GridSize { columns: 80, rows: 24 }),
        agent: Some("a".to_owned()),
        timeouts: Some(agent::Timeouts {
            needs_input: Duration::from_secs(3),
            stale: Duration::from_millis(9500),
        }),
        saved_at: Some(Duration::from_millis(7500)),
        shown: Some("running".to_owned()),
        expected: Some(agent::Expected::NeedsInput),
    };
    assert_eq!(recording.about, expected, "all of it");
    assert_eq!(recording.duration(), Duration::from_millis(7500), "it goes on until then");
}
