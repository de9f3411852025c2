//! The rail is right: figures on recordings of real agents, which may only get better.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use config::Config;
use replay::{Score, Table};

/// What was reached. A change that makes one of them worse is a step back; one that makes it better
/// raises it here.
struct Floor {
    waits: usize,
    missed: usize,
    false_alarms: usize,
    flaps: usize,
    median: Duration,
    p95: Duration,
}

#[track_caller]
fn check(name: &str, score: &Score, floor: &Floor) {
    let notes = score.notes.join("\n");
    assert_eq!(score.waits, floor.waits, "{name}: waits that are labelled");
    let missed = score.waits - score.found;
    assert!(missed <= floor.missed, "{name}: {missed} are missed\n{notes}");
    assert!(score.false_alarms <= floor.false_alarms, "{name}: false alarms\n{notes}");
    assert!(score.flaps <= floor.flaps, "{name}: flaps\n{notes}");
    assert!(score.latency(0.5) <= floor.median, "{name}: median {:?}", score.latency(0.5));
    assert!(score.latency(0.95) <= floor.p95, "{name}: p95 {:?}\n{notes}", score.latency(0.95));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn recorded_waits_are_found_soon_and_nothing_else_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/signals");
    let config = Config::default();
    let rules = |agent: &str| Arc::new(config.rules(agent, agent));
    let table = Table::of(&folder, rules, Instant::now()).unwrap();
    let floor = |waits, (missed, false_alarms, flaps), (median, p95)| Floor {
        waits,
        missed,
        false_alarms,
        flaps,
        median: Duration::from_millis(median),
        p95: Duration::from_millis(p95),
    };
    check("first", &table.first, &floor(107, (0, 1, 0), (300, 1250)));
    check("later", &table.later, &floor(99, (0, 0, 0), (490, 1150)));
    check("unseen", &table.unseen, &floor(24, (0, 0, 0), (350, 1150)));
    check("frozen", &table.frozen, &floor(106, (1, 2, 0), (480, 1150)));
    check("all", &table.all, &floor(336, (1, 3, 0), (430, 1200)));
}
