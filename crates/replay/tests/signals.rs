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
    false_alarms: usize,
    flaps: usize,
    median: Duration,
    p95: Duration,
}

#[track_caller]
fn check(name: &str, score: &Score, floor: &Floor) {
    let notes = score.notes.join("\n");
    assert_eq!(score.waits, floor.waits, "{name}: waits that are labelled");
    assert_eq!(score.found, score.waits, "{name}: all are found\n{notes}");
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
    let floor = |waits, (false_alarms, flaps), (median, p95)| Floor {
        waits,
        false_alarms,
        flaps,
        median: Duration::from_millis(median),
        p95: Duration::from_millis(p95),
    };
    check("first", &table.first, &floor(107, (1, 0), (290, 1250)));
    check("later", &table.later, &floor(133, (0, 0), (440, 1150)));
    check("unseen", &table.unseen, &floor(24, (0, 0), (350, 1150)));
    check("frozen", &table.frozen, &floor(72, (0, 0), (380, 750)));
    check("all", &table.all, &floor(336, (1, 0), (380, 1150)));
}
