//! From a key to changed pixels, in our window and in alacritty's.
//!
//! There is no real screen here, so the figures say nothing about one; the ratio shows what we add
//! in queues, timers and frames that are built for nothing.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use x11rb::protocol::xproto::Window;

use crate::inner::FLOOD;
use crate::instance::{Home, Process};
use crate::peers::{Arena, NO_PEER, Side, find_alacritty, text, this};
use crate::streams::{self, Dice};
use crate::table::{Row, Unit, milliseconds};
use crate::x11::Area;
use crate::{Effort, clock};

const MEDIAN_GOAL: f64 = 1.2;
const P99_GOAL: f64 = 1.5;
const N_ROUNDS: usize = 5;
/// Between two keys, and up to half as much more, so that nothing runs in step with them.
const PAUSE_MS: u32 = 15;
/// For a new window, or a flood, to come into its stride.
const SETTLING: Duration = Duration::from_secs(2);

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let n_keys = match effort {
        Effort::Quick => 40,
        Effort::Full => 200,
    };
    let Some(program) = find_alacritty() else {
        eprintln!("{NO_PEER}");
        return Ok(vec![Row::note("latency: against alacritty", NO_PEER)]);
    };
    let arena = Arena::new()?;
    let stream = streams::write_all(arena.dir.path(), 20_000_000)?.swap_remove(0).path;
    let mut ours = arena.start_ours()?;
    let cell = arena.fit(&mut ours)?.cell;
    let mut peer = arena.start_peer(&program, cell)?;
    let our_area = prepare(&arena, &mut ours)?;
    let peer_area = prepare(&arena, &mut peer)?;
    let both = [(ours.window, our_area), (peer.window, peer_area)];
    let mut rows = compare("idle", interleave(&arena, both, n_keys)?);
    // One side floods at a time, or the two would hinder each other.
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..N_ROUNDS {
        let flood = flood_beside(&arena, &program, &stream)?;
        times[1].extend(sample(&arena, both[1], n_keys)?);
        drop(flood);
    }
    ours.start_flood(&stream)?;
    clock::let_pass(SETTLING);
    for _ in 0..N_ROUNDS {
        times[0].extend(sample(&arena, both[0], n_keys)?);
    }
    rows.extend(compare("another terminal floods", times));
    Ok(rows)
}

/// Makes the terminal answer keys with pixels, and finds out where.
fn prepare(arena: &Arena, side: &mut Side) -> Result<Area> {
    side.inner.flip_at_keys()?;
    arena.screen.focus(side.window)?;
    clock::let_pass(SETTLING);
    let area = blinking_area(arena, side.window)?;
    arena.screen.watch(side.window)?;
    Ok(area)
}

/// The pixels that change with every key, and change back with the next.
fn blinking_area(arena: &Arena, window: Window) -> Result<Area> {
    let whole = Area { x: 0, y: 0, ..arena.screen.area_of(window)? };
    let mut pictures = Vec::new();
    for _ in 0..4 {
        pictures.push(arena.screen.pixels(window, whole)?);
        arena.screen.press_key()?;
        clock::let_pass(Duration::from_millis(300));
    }
    let width = usize::from(whole.width);
    let pixel = |picture: usize, index: usize| &pictures[picture][index * 4..index * 4 + 3];
    let blinks = |index: &usize| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|picture| pixel(picture, *index));
        a == c && b == d && a != b
    };
    let n_pixels = pictures[0].len() / 4;
    let first = (0..n_pixels).find(blinks);
    ensure!(first.is_some(), "no key changed a pixel of the window");
    let first = first.unwrap_or_default();
    // A part of the block in the corner is enough, and quick to fetch.
    let (x, y) = (i16::try_from(first % width)?, i16::try_from(first / width)?);
    Ok(Area { x, y, width: 40, height: 10 })
}

/// Rounds of keys for one and the other in turn.
fn interleave(
    arena: &Arena,
    both: [(Window, Area); 2],
    n_keys: usize,
) -> Result<[Vec<Duration>; 2]> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..N_ROUNDS {
        for (side, times) in both.into_iter().zip(&mut times) {
            times.extend(sample(arena, side, n_keys)?);
        }
    }
    Ok(times)
}

fn sample(arena: &Arena, (window, area): (Window, Area), n_keys: usize) -> Result<Vec<Duration>> {
    let mut dice = Dice(1);
    let mut times = Vec::new();
    arena.screen.focus(window)?;
    clock::let_pass(Duration::from_millis(300));
    for _ in 0..n_keys {
        times.extend(arena.screen.key_to_pixels(window, area)?);
        clock::let_pass(Duration::from_millis(u64::from(PAUSE_MS + dice.below(PAUSE_MS / 2))));
    }
    ensure!(times.len() * 100 >= n_keys * 99, "{} of {n_keys} keys changed pixels", times.len());
    Ok(times)
}

/// Another alacritty that prints without end.
fn flood_beside(arena: &Arena, program: &Path, stream: &Path) -> Result<(Process, Home)> {
    let flood = arena.spawn_peer(program, &[&this()?, FLOOD, &text(stream)?], (0, 0))?;
    arena.screen.window_of(flood.0.0.id())?;
    clock::let_pass(SETTLING);
    Ok(flood)
}

fn compare(what: &str, [mut ours, mut peer]: [Vec<Duration>; 2]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (percent, word, goal) in [(50, "median", MEDIAN_GOAL), (99, "p99", P99_GOAL)] {
        let ours = milliseconds(clock::percentile(&mut ours, percent));
        let peer = milliseconds(clock::percentile(&mut peer, percent));
        let name = format!("latency, {what}: {word}, {ours:.2} / {peer:.2} ms");
        rows.push(Row::at_most(&name, ours / peer, goal, Unit::Times));
    }
    rows
}
