//! What comes out of a terminal, and that nothing is done while nothing comes.

use std::fs;

use super::*;

#[test]
fn a_program_that_closed_its_terminal_is_not_ended_and_costs_nothing() {
    let script = "tty=$(tty); echo ready; exec 0<&- 1>&- 2>&-; \
                  while [ ! -e go ]; do sleep 0.05; done; echo back > $tty; sleep 100";
    let fixture = Fixture::sh("shut", script);
    fixture.wait_for("ready");
    eventually("closing", || {
        let open = fs::read_dir(format!("/proc/{}/fd", fixture.session.pid())).unwrap();
        open.count() == 0
    });
    assert_idle("shut");
    assert!(fixture.exits.is_empty(), "it lives");
    fs::write(fixture.path("go"), "").unwrap();
    fixture.wait_for("back");
}

#[test]
fn an_idle_program_costs_nothing() {
    let fixture = Fixture::start("idle", &["cat"]);
    fixture.session.write(b"hello\n".to_vec()).unwrap();
    fixture.wait_for("hello\r\nhello\r\n");
    assert_idle("idle");
}

#[test]
fn a_session_is_dropped_quickly_under_a_flood() {
    let fixture = Fixture::start("flood", &["yes"]);
    fixture.wait_for("y\r\ny\r\n");
    within(Duration::from_secs(1), || drop(fixture));
}

#[test]
fn the_end_of_output_is_told_after_the_last_byte() {
    let fixture = Fixture::sh("end", "echo bye");
    fixture.wait_for("<closed>");
    assert_eq!(fixture.text(), "bye\r\n<closed>", "in this order");
}
