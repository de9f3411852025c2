//! What goes over the wire between app and host, to the byte.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use serde_json::{Value, json};

use super::*;

/// The message is written so, and read back the same; fields of the future are ignored.
#[track_caller]
fn check<T>(message: &T, expected: Value)
where
    T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug,
{
    let line = to_line(message).unwrap();
    let mut value: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(value, expected, "as written");
    value["from_the_future"] = json!({"x": 1});
    let read: T = serde_json::from_value(value).unwrap();
    assert_eq!(read, *message, "as read");
}

#[test]
fn messages_have_this_form() {
    let role = Role::Data { program: 3, offset: 17 };
    let versions = json!({"newest": 2, "oldest": 1});
    check(&Hello::new(Role::App), json!({"host": versions, "role": "app"}));
    check(&Hello::new(role), json!({"host": versions, "role": "data", "program": 3, "offset": 17}));
    check(
        &ToHost { id: 7, request: Request::Stop { program: 3, grace_ms: 50 } },
        json!({"id": 7, "request": "stop", "program": 3, "grace_ms": 50}),
    );
    let size = SizeStatus { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 };
    let as_json = json!({"columns": 80, "rows": 24, "pixel_width": 0, "pixel_height": 0});
    check(
        &ToHost { id: 7, request: Request::View { program: 3, size: Some(size) } },
        json!({"id": 7, "request": "view", "program": 3, "size": as_json}),
    );
    check(
        &FromHost::Event(Event::Fitted { program: 3, size, answers: true }),
        json!({"event": "fitted", "program": 3, "size": as_json, "answers": true}),
    );
    check(
        &FromHost::Event(Event::Typed { program: 3, submits: true }),
        json!({"event": "typed", "program": 3, "submits": true}),
    );
    check(&ToHost { id: 7, request: Request::List }, json!({"id": 7, "request": "list"}));
    let attached = Attached { pid: 42, mark: "1-2-3".to_owned() };
    check(
        &FromHost::Answer(Answer { id: Some(7), body: AnswerBody::Ok(Done::Attached(attached)) }),
        json!({"id": 7, "ok": {"done": "attached", "pid": 42, "mark": "1-2-3"}}),
    );
    let end = EndStatus { code: None, signal: Some(15), at_ms: 5, total: 6 };
    check(
        &FromHost::Event(Event::Exited { program: 1, end }),
        json!({"event": "exited", "program": 1, "end": {"signal": 15, "at_ms": 5, "total": 6}}),
    );
}

#[test]
fn text_that_is_not_utf8_survives() {
    for text in [OsString::from("väh"), OsString::from_vec(vec![b'a', 0xff, b'b'])] {
        let line = serde_json::to_vec(&Text::from(text.as_os_str())).unwrap();
        let read: Text = serde_json::from_slice(&line).unwrap();
        assert_eq!(OsString::from(read), text, "the same bytes");
    }
}

#[track_caller]
fn refused(line: &str, kind: HostErrorKind, words: &[&str]) {
    let error = Hello::parse(line.as_bytes()).expect_err("it should be refused");
    assert_eq!(error.kind, kind, "{error}");
    for word in words {
        assert!(error.message.contains(word), "{word:?} is missing in {:?}", error.message);
    }
}

#[test]
fn a_hello_that_shares_no_version_is_refused_with_both() {
    let hello = |newest: u32, oldest: u32| {
        format!(r#"{{"host":{{"newest":{newest},"oldest":{oldest}}},"role":"telepathy"}}"#)
    };
    refused(&hello(9, 8), HostErrorKind::Version, &["versions 8 to 9", "versions 1 to 2;"]);
    refused(&hello(0, 0), HostErrorKind::Version, &["version 0 ", "versions 1 to 2;"]);
    refused(&hello(1, 1), HostErrorKind::Usage, &["telepathy"]);
    refused("hello", HostErrorKind::Usage, &["no hello"]);
    refused("{}", HostErrorKind::Usage, &["host"]);
    let newer = br#"{"host":{"newest":4,"oldest":1},"role":"app"}"#;
    let newer = Hello::parse(newer).unwrap();
    assert_eq!((newer.role, newer.version()), (Role::App, 2), "a newer app speaks ours, too");
    let older = Hello::parse(br#"{"host":{"newest":1,"oldest":1},"role":"app"}"#).unwrap();
    assert_eq!(older.version(), 1, "and we that of an older one");
}
