//! What a tile is to say beside the state: news that nobody has seen, and parts that work.

use super::*;

/// What there is to say after a script: `unread`, `calm`, and how many parts work.
#[track_caller]
fn check(script: &str, expected: &str) {
    let mut stage = Stage::new(Timeouts::default());
    for (now, event) in steps(script) {
        stage.play(event, now);
    }
    let machine = &stage.machine;
    let parts = Some(machine.n_parts_working()).filter(|n| *n > 0).map(|n| format!("{n} parts"));
    let said = [
        machine.is_unread().then(|| "unread".to_owned()),
        machine.is_calm().then(|| "calm".to_owned()),
        parts,
    ];
    assert_eq!(said.into_iter().flatten().collect::<Vec<_>>().join(" "), expected, "{script}");
}

#[test]
fn what_is_done_is_unread_until_it_is_looked_at() {
    check("0.1 text, 1 status idle, 2 tick", "unread");
    check("0.1 text, 1 status idle, 2 tick, 3 seen", "calm");
    check("0.1 text, 1 status idle, 2 tick, 70 tick", "unread");
    check("0.1 text, 1 status idle, 2 tick, 70 tick, 71 seen", "calm");
    check("0.1 text, 1 status idle, 2 tick, 3 seen, 4 send, 5 text, 6 status working, 7 tick", "");
    check("0.1 text, 6 tick, 7 seen, 8 status idle, 9 tick", "unread");
    check("0.1 text, 1 exit 0", "unread");
    check("0.1 text, 0.5 seen, 1 exit 3", "unread");
    check("0.1 text, 1 exit 3, 2 seen", "");
}

#[test]
fn who_asks_or_works_is_neither_read_nor_unread() {
    check("0.1 text", "");
    check("0.1 text, 1 ask permission Run it?", "");
    check("0.1 text, 1 ask permission Run it?, 2 seen", "");
}

#[test]
fn parts_are_counted_while_they_work_and_the_program_lives() {
    check("0.1 part a working, 0.2 part b working, 0.3 part c idle", "2 parts");
    check("0.1 part a working, 0.2 part b working, 0.3 part a clear", "1 parts");
    check("0.1 part a working, 1 status idle, 2 tick, 3 seen", "calm 1 parts");
    check("0.1 part a working, 1 exit 0, 2 seen", "");
}
