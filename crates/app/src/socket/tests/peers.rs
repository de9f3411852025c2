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

    let found = ancestors(grandchild);
    let expected = [i32::try_from(child.id()).unwrap(), own_pid()];
    assert_eq!(found[..2], expected, "its parent and us");
    assert!(found[2..] == ancestors(own_pid()), "and ours");
    assert!(environ_has(grandchild, "SOCKET_TEST_SESSION"), "inherited");
    assert!(!environ_has(grandchild, "SOCKET_TEST_SESSIO"), "a name is a whole name");
    assert!(!environ_has(own_pid(), "SOCKET_TEST_SESSION"), "not the other way");

    drop(child.stdin.take());
    child.wait().unwrap();
    assert!(ancestors(grandchild).is_empty(), "one that is gone has none");
    assert!(!environ_has(grandchild, "SOCKET_TEST_SESSION"), "and no environment");
}

#[test]
fn numbers_that_are_no_process_have_no_ancestors() {
    for pid in [0, -1, i32::MAX, i32::MIN] {
        assert!(ancestors(pid).is_empty(), "of {pid}");
        assert!(!environ_has(pid, "PATH"), "of {pid}");
    }
}
