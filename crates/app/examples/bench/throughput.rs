//! Output of four kinds in our window and in alacritty's: how long, and for how much CPU.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use crate::peers::{Arena, NO_PEER, Side, find_alacritty};
use crate::streams::{self, Stream};
use crate::table::{Row, Unit};
use crate::{Effort, clock};

const GOAL: f64 = 1.1;

/// What it took to show one stream once.
#[derive(Debug, Clone, Copy)]
struct Cost {
    wall: Duration,
    cpu: Duration,
}

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let (n_bytes, n_rounds) = match effort {
        Effort::Quick => (20_000_000, 3),
        Effort::Full => (100_000_000, 5),
    };
    let arena = Arena::new()?;
    let streams = streams::write_all(arena.dir.path(), n_bytes)?;
    let mut ours = arena.start_ours()?;
    let told = arena.fit(&mut ours)?;
    let mut peer = match find_alacritty() {
        Some(program) => Some(arena.start_peer(&program, told.cell)?),
        None => None,
    };
    let mut rows = vec![Row::note(
        "terminal: cells of both windows",
        format!("{}x{} of {}x{} pixels", told.columns, told.rows, told.cell.0, told.cell.1),
    )];
    let mut costs: Vec<(Vec<Cost>, Vec<Cost>)> = vec![Default::default(); streams.len()];
    // The first round fills caches and history on both sides and is not counted.
    for round in 0..=n_rounds {
        for (stream, (our_costs, peer_costs)) in streams.iter().zip(&mut costs) {
            let our_cost = show(&arena, &mut ours, &stream.path)?;
            let peer_cost =
                peer.as_mut().map(|peer| show(&arena, peer, &stream.path)).transpose()?;
            if round > 0 {
                our_costs.push(our_cost);
                peer_costs.extend(peer_cost);
            }
        }
    }
    for (stream, (ours, peer)) in streams.iter().zip(&costs) {
        rows.extend(compare(stream, ours, peer));
    }
    if peer.is_none() {
        eprintln!("{NO_PEER}");
        rows.push(Row::note("terminal: against alacritty", NO_PEER));
    }
    Ok(rows)
}

fn show(arena: &Arena, side: &mut Side, file: &Path) -> Result<Cost> {
    arena.screen.focus(side.window)?;
    let before = side.cpu()?;
    let wall = side.inner.cat(file)?;
    // The last of it is still to be drawn when the answer has come.
    clock::let_pass(Duration::from_millis(100));
    Ok(Cost { wall, cpu: side.cpu()?.saturating_sub(before) })
}

fn compare(stream: &Stream, ours: &[Cost], peer: &[Cost]) -> Vec<Row> {
    let name = stream.name;
    let (our_wall, our_cpu) = (middle(ours, |cost| cost.wall), middle(ours, |cost| cost.cpu));
    let (wall, cpu) = (middle(peer, |cost| cost.wall), middle(peer, |cost| cost.cpu));
    let rate = |time: Duration| rate(stream.n_bytes, time);
    if peer.is_empty() {
        return vec![Row::note(
            &format!("terminal, {name}: MB a second, and a CPU second"),
            format!("{:.0}, {:.0}", rate(our_wall), rate(our_cpu)),
        )];
    }
    let against = |ours: Duration, peer: Duration| format!("{:.0} / {:.0}", rate(ours), rate(peer));
    let ratio = |ours: Duration, peer: Duration| ours.as_secs_f64() / peer.as_secs_f64();
    vec![
        Row::note(&format!("terminal, {name}: MB a second"), against(our_wall, wall)),
        Row::note(&format!("terminal, {name}: MB a CPU second"), against(our_cpu, cpu)),
        Row::at_most(
            &format!("terminal, {name}: time, ours / alacritty"),
            ratio(our_wall, wall),
            GOAL,
            Unit::Times,
        ),
        Row::at_most(
            &format!("terminal, {name}: CPU, ours / alacritty"),
            ratio(our_cpu, cpu),
            GOAL,
            Unit::Times,
        ),
    ]
}

fn middle(costs: &[Cost], figure: impl Fn(&Cost) -> Duration) -> Duration {
    let mut figures: Vec<Duration> = costs.iter().map(figure).collect();
    clock::percentile(&mut figures, 50)
}

/// Millions of bytes a second.
#[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
pub(crate) fn rate(n_bytes: usize, time: Duration) -> f64 {
    n_bytes as f64 / 1e6 / time.as_secs_f64()
}
