//! A client against a server that plays a script.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Call, CallError, Client, ConnectError, ErrorKind};

/// Serves one connection: reads a line and answers it with the next of `answers`, each as it is.
fn with_server<T>(answers: &[&str], ask: impl FnOnce(Client) -> T) -> T {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("control.sock");
    let listener = UnixListener::bind(&path).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| serve(&listener, answers));
        ask(Client::connect(&path).unwrap())
    })
}

fn serve(listener: &UnixListener, answers: &[&str]) {
    let (stream, _) = listener.accept().unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let mut stream: UnixStream = stream;
    for answer in answers {
        let request = lines.next().unwrap().unwrap();
        assert!(request.starts_with("{\"version\":1,\"id\":"), "got {request}");
        stream.write_all(answer.as_bytes()).unwrap();
    }
}

#[track_caller]
fn check(answers: &[&str], expected: &str) {
    let result = with_server(answers, |mut client| client.call(Call::Ping));
    let result = match result {
        Ok(value) => format!("ok {value}"),
        Err(err) => format!("{} {err}", err.exit_code()),
    };
    assert_eq!(result, expected, "for {answers:?}");
}

#[test]
fn a_call_returns_its_own_answer() {
    check(&["{\"id\":1,\"ok\":{\"a\":1}}\n"], "ok {\"a\":1}");
    check(&["{\"id\":9,\"ok\":2}\n{\"id\":9,\"event\":3}\n{\"id\":1,\"ok\":4}\n"], "ok 4");
    check(
        &["{\"id\":1,\"error\":{\"kind\":\"usage\",\"message\":\"no such thing\"}}\n"],
        "2 no such thing",
    );
    check(
        &["{\"id\":1,\"error\":{\"kind\":\"timeout\",\"message\":\"too late\"}}\n"],
        "4 too late",
    );
    check(&["{\"id\":1,\"error\":{\"kind\":\"busy\",\"message\":\"later\"}}\n"], "1 later");
}

#[test]
fn an_instance_that_goes_away_or_mad_is_an_error() {
    check(&[""], "1 the instance closed the connection before it answered");
    check(&["{\"id\":1,\"ok\":"], "1 the instance closed the connection before it answered");
    check(
        &["hello\n"],
        "1 the instance sent something that is no reply: expected value at line 1 column 1",
    );
}

#[test]
fn one_connection_serves_many_calls() {
    let answers = ["{\"id\":1,\"ok\":1}\n", "{\"id\":2,\"ok\":2}\n"];
    let values = with_server(&answers, |mut client| {
        [client.call(Call::Ping).unwrap(), client.call(Call::Status).unwrap()]
    });
    assert_eq!(values, [json!(1), json!(2)], "each its own");
}

#[test]
fn events_come_until_the_instance_closes() {
    let stream = "{\"id\":1,\"ok\":null}\n{\"id\":1,\"event\":1}\n{\"id\":1,\"event\":2}\n";
    let events: Vec<Value> =
        with_server(&[stream], |client| client.events().unwrap().map(Result::unwrap).collect());
    assert_eq!(events, [json!(1), json!(2)], "in order, then the end");
}

#[test]
fn a_refused_stream_is_one_error_and_then_the_end() {
    let refusal = "{\"id\":1,\"error\":{\"kind\":\"denied\",\"message\":\"not you\"}}\n";
    let mut events = with_server(&[refusal], |client| client.events().unwrap());
    match events.next() {
        Some(Err(CallError::Refused(reply))) => assert_eq!(reply.kind, ErrorKind::Denied, "why"),
        other => panic!("got {other:?}"),
    }
    assert!(events.next().is_none(), "and no more");
}

#[test]
fn where_nobody_listens_there_is_no_instance() {
    let folder = TempDir::new().unwrap();
    let no_instance = |path: &Path| {
        let err = Client::connect(path).unwrap_err();
        assert!(matches!(err, ConnectError::NoInstance { .. }), "got {err:?}");
        assert_eq!(err.exit_code(), 3, "the command line's word for it");
    };
    let path = folder.path().join("control.sock");
    no_instance(&path);
    drop(UnixListener::bind(&path).unwrap());
    no_instance(&path);
    no_instance(&path.join("below/a/socket"));
    no_instance(&folder.path().join("x".repeat(200)).join("control.sock"));
}

#[test]
fn a_path_too_long_for_an_address_is_reached_through_its_folder() {
    let folder = TempDir::new().unwrap();
    let deep = folder.path().join("x".repeat(120));
    std::fs::create_dir(&deep).unwrap();
    let near = folder.path().join("near.sock");
    let listener = UnixListener::bind(&near).unwrap();
    let far = deep.join("control.sock");
    std::fs::rename(near, &far).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| serve(&listener, &["{\"id\":1,\"ok\":1}\n"]));
        assert_eq!(Client::connect(&far).unwrap().call(Call::Ping).unwrap(), json!(1), "answered");
    });
}

#[test]
fn a_call_pushed_out_by_a_crowd_is_tried_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("control.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let busy = "{\"id\":null,\"error\":{\"kind\":\"busy\",\"message\":\"full\"}}\n";
    let ask = |n_refusals: usize, last: &str| {
        thread::scope(|scope| {
            scope.spawn(|| {
                (0..n_refusals).for_each(|_| serve(&listener, &[busy]));
                if !last.is_empty() {
                    serve(&listener, &[last]);
                }
            });
            Client::connect(&path).unwrap().call(Call::Ping)
        })
    };
    assert_eq!(ask(4, "{\"id\":5,\"ok\":1}\n").unwrap(), json!(1), "the fifth time");
    let gave_up = ask(5, "").unwrap_err();
    assert_eq!(gave_up.to_string(), "full", "not for ever");
}
