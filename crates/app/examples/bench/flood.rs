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

/// Lines of one letter: here the system's terminal driver is what is busy.
const SHORT_LINES: &[&str] = &["yes"];
/// Without its help we are: long lines that the driver passes on as they are.
const LONG_LINES: &[&str] = &["sh", "-c", "stty -opost; exec yes $(seq 30 | tr '\\n' ' ')"];

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let time = match effort {
        Effort::Quick => Duration::from_secs(2),
        Effort::Full => Duration::from_secs(10),
    };
    let mut rows = flood("flood of short lines", SHORT_LINES, time)?;
    rows.extend(flood("flood of long lines", LONG_LINES, time)?);
    rows.extend(parsing(time / 10));
    Ok(rows)
}

fn flood(name: &str, program: &[&str], time: Duration) -> Result<Vec<Row>> {
    let mut instance = Instance::headless()?;
    instance.start_agent("flood", command(program))?;
    clock::wait_for("output", PAUSE, || Ok((printed(&instance.stats()?) > 0).then_some(())))?;

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
    let a_second = |figure: fn(&Stats) -> u64| (figure(&after) - figure(&before)) as f64 / seconds;
    let rate = format!("{:.1} MB/s", a_second(printed) / 1e6);
    let mut rows = vec![
        Row::note(&format!("{name}: read and parsed"), rate),
        Row::note(
            &format!("{name}: frames a second"),
            format!("{:.0}", a_second(|stats| stats.frames)),
        ),
    ];
    rows.extend([(50, "median"), (99, "p99"), (100, "longest")].map(|(percent, word)| {
        let took = milliseconds(clock::percentile(&mut answers, percent));
        Row::at_most(&format!("{name}: status answered, {word}"), took, GOAL, Unit::Milliseconds)
    }));
    Ok(rows)
}

fn printed(stats: &Stats) -> u64 {
    stats.terminals.iter().map(|terminal| terminal.bytes_parsed).sum()
}

/// The emulator alone, on one core.
fn parsing(time: Duration) -> [Row; 2] {
    let lines = "y\r\n".repeat(1 << 13);
    let colors = "\x1b[1;38;5;42mtest\x1b[0m limits::each_key_has_its_own_bucket ... ok\r\n";
    [("`yes`", lines), ("coloured lines", colors.repeat(1 << 9))].map(|(name, text)| {
        let size = GridSize { columns: 168, rows: 42 };
        let terminal = TerminalBuffer::new(size, TerminalOptions::default());
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
