//! An agent prints as fast as it can: does the program still answer?

use std::time::Duration;

use anyhow::Result;
use control::{Call, Stats};
use terminal::{GridSize, TerminalBuffer, TerminalOptions};

use crate::instance::{Instance, command};
use crate::table::{Row, Unit, milliseconds};
use crate::{Effort, clock};

const GOAL: f64 = 100.0;
/// Between two questions, as a script would ask.
const PAUSE: Duration = Duration::from_millis(5);

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let time = match effort {
        Effort::Quick => Duration::from_secs(2),
        Effort::Full => Duration::from_secs(10),
    };
    let mut instance = Instance::headless()?;
    instance.start_agent("flood", command(&["yes"]))?;
    instance.wait("flood", "running")?;

    let before = instance.stats()?;
    let start = clock::now();
    let mut answers = Vec::new();
    while clock::now() - start < time {
        let (answer, took) = clock::timed(|| instance.call(Call::Status));
        answer?;
        answers.push(took);
        clock::let_pass(PAUSE);
    }
    let after = instance.stats()?;
    let seconds = (clock::now() - start).as_secs_f64();
    instance.quit()?;

    #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
    let bytes = (printed(&after) - printed(&before)) as f64 / seconds;
    #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
    let frames = (after.frames - before.frames) as f64 / seconds;
    let mut rows = vec![
        // The terminal makes `y` and a line feed three bytes.
        Row::note("flood (`yes`): lines a second", format!("{:.2} million", bytes / 3.0 / 1e6)),
        Row::note("flood: read and parsed", format!("{:.1} MB/s", bytes / 1e6)),
        Row::note("flood: frames a second", format!("{frames:.1}")),
    ];
    rows.extend([(50, "median"), (99, "p99"), (100, "longest")].map(|(percent, word)| {
        let took = milliseconds(clock::percentile(&mut answers, percent));
        Row::at_most(&format!("flood: status answered, {word}"), took, GOAL, Unit::Milliseconds)
    }));
    rows.extend(parsing(time / 10));
    Ok(rows)
}

/// The emulator alone, on one core.
fn parsing(time: Duration) -> [Row; 2] {
    let lines = "y\r\n".repeat(1 << 13);
    let colors = "\x1b[1;38;5;42mtest\x1b[0m limits::each_key_has_its_own_bucket ... ok\r\n";
    [("`yes`", lines), ("coloured lines", colors.repeat(1 << 9))].map(|(name, text)| {
        let size = GridSize { columns: 168, rows: 42 };
        let terminal = TerminalBuffer::new(size, TerminalOptions { scrollback_lines: 5000 });
        let start = clock::now();
        let mut n_bytes = 0;
        while clock::now() - start < time {
            terminal.feed(text.as_bytes());
            n_bytes += text.len();
        }
        #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
        let rate = n_bytes as f64 / (clock::now() - start).as_secs_f64();
        Row::note(&format!("parsing alone: {name}"), format!("{:.1} MB/s", rate / 1e6))
    })
}

fn printed(stats: &Stats) -> u64 {
    stats.terminals.iter().map(|terminal| terminal.bytes_parsed).sum()
}
