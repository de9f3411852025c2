//! Agents that crash and are started again.

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{Setup, wait_at_most};

/// Tells which of its lives it is in, by its folder's own count, and waits to be killed.
const MORTAL: &str = r#"
[agents.mortal]
start = ["sh", "-c", 'echo x >> lives; echo "life $(wc -l < lives)"; exec cat']
restart = "on-crash"
"#;

/// Three pauses of 1, 4 and 16 s lie between the first life and the last.
const FOR_ALL_PAUSES: Duration = Duration::from_secs(60);

#[test]
fn it_is_started_again_three_times_and_then_given_up() {
    let instance = Setup::headless().config(MORTAL).start();
    instance.open("one");
    instance.ok(["agent", "start", "mortal"]);
    for life in 1..=4 {
        let text = format!("life {life}");
        let is_up = || {
            let screen = instance.screen("one");
            screen.contains(&text).then(|| instance.workspace("one")["agent"]["pid"].as_i64())?
        };
        let pid = wait_at_most(FOR_ALL_PAUSES, is_up).expect("it lives again");
        kill(Pid::from_raw(i32::try_from(pid).unwrap()), Signal::SIGKILL).unwrap();
    }
    instance.wait("one", "stopped");
    let agent = &instance.workspace("one")["agent"];
    assert_eq!(agent["reason"]["kind"], "gave_up", "it says why: {agent}");
    assert_eq!(agent["launches"], 4, "the first time and three more");
    let screen = instance.screen("one");
    assert!(screen.contains("launch 2") && screen.contains("life 1"), "all of it stays:\n{screen}");

    instance.ok(["agent", "restart"]);
    instance.wait_for_screen("one", "life 5");
    instance.ok(["agent", "stop"]);
    instance.wait("one", "stopped");
    assert!(instance.workspace("one")["agent"]["reason"].is_null(), "stopped as it was told to");
}
