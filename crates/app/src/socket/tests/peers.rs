//! Who a process comes from.

use std::process::{self, Command, Stdio};

use crate::socket::peer::{ancestors, environ_has, parent_in};

fn own_pid() -> i32 {
    i32::try_from(process::id()).unwrap()
}

#[test]
fn the_parent_is_found_whatever_the_process_calls_itself() {
    for (stat, expected) in [
        ("42 (sh) S 7 42 42 0", Some(7)),
        ("42 (a) S 1 (b c) R 9 1 1", Some(9)),
        ("42 () ()) Z 3 1", Some(3)),
        ("42 (\u{fffd} \n) S 5 1", Some(5)),
        ("42 (sh) S", None),
        ("42 sh S 7", None),
        ("", None),
    ] {
        assert_eq!(parent_in(stat.as_bytes()), expected, "in {stat:?}");
    }
}

#[test]
fn a_descendant_is_known_by_its_ancestors() {
    let script = "sh -c 'echo $$; read line'; true";
    let mut child = Command::new("sh")
        .args(["-c", script])
        .env("SOCKET_TEST_SESSION", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let output = child.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
    let grandchild: i32 = line.trim().parse().unwrap();

    let found = ancestors(grandchild).expect("it lives");
    let expected = [i32::try_from(child.id()).unwrap(), own_pid()];
    assert_eq!(found[..2], expected, "its parent and us");
    assert_eq!(Some(&found[2..]), ancestors(own_pid()).as_deref(), "and ours");
    assert_eq!(environ_has(grandchild, "SOCKET_TEST_SESSION"), Some(true), "inherited");
    assert_eq!(environ_has(grandchild, "SOCKET_TEST_SESSIO"), Some(false), "a whole name");
    assert_eq!(environ_has(own_pid(), "SOCKET_TEST_SESSION"), Some(false), "not upwards");

    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(ancestors(grandchild), None, "nobody knows of one that is gone");
    assert_eq!(environ_has(grandchild, "SOCKET_TEST_SESSION"), None, "nor of its environment");
}

#[test]
fn numbers_that_are_no_process_have_no_ancestors() {
    for pid in [0, -1, i32::MAX, i32::MIN] {
        assert_eq!(ancestors(pid), None, "of {pid}");
        assert_eq!(environ_has(pid, "PATH"), None, "of {pid}");
    }
}
