//! Rows of figures, and how they are written.

use std::time::Duration;

/// One figure beside its goal.
#[derive(Debug)]
pub(crate) struct Row {
    name: String,
    measured: String,
    goal: String,
    verdict: String,
}

/// What numbers are counted in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    Milliseconds,
    Mebibytes,
    Times,
    Count,
    /// Of one core.
    Percent,
    EachSecond,
}

impl Unit {
    fn write(self, value: f64) -> String {
        match self {
            Self::Milliseconds => format!("{value:.3} ms"),
            Self::Mebibytes => format!("{value:.2} MiB"),
            Self::Times => format!("{value:.2} x"),
            Self::Count => format!("{value:.0}"),
            Self::Percent => format!("{value:.2} %"),
            Self::EachSecond => format!("{value:.2} /s"),
        }
    }
}

impl Row {
    /// A figure that should not be above its goal.
    pub(crate) fn at_most(name: &str, measured: f64, goal: f64, unit: Unit) -> Self {
        let is_met = measured <= goal;
        let word = if is_met { "met" } else { "MISSED" };
        let verdict = if goal > 0.0 {
            format!("{word} ({:.2} of the goal)", measured / goal)
        } else {
            word.to_owned()
        };
        Self {
            name: name.to_owned(),
            measured: unit.write(measured),
            goal: format!("<= {}", unit.write(goal)),
            verdict,
        }
    }

    /// A figure that should not be below its goal.
    pub(crate) fn at_least(name: &str, measured: f64, goal: f64, unit: Unit) -> Self {
        let word = if measured >= goal { "met" } else { "MISSED" };
        Self {
            name: name.to_owned(),
            measured: unit.write(measured),
            goal: format!(">= {}", unit.write(goal)),
            verdict: format!("{word} ({:.2} of the goal)", measured / goal),
        }
    }

    /// A figure without a goal, to make sense of others.
    pub(crate) fn note(name: &str, measured: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            measured: measured.into(),
            goal: String::new(),
            verdict: String::new(),
        }
    }

    fn cells(&self) -> [&str; 4] {
        [&self.name, &self.measured, &self.goal, &self.verdict]
    }
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[expect(clippy::cast_precision_loss, reason = "no machine has so much memory")]
pub(crate) fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Columns as wide as their widest cell.
pub(crate) fn render(rows: &[Row]) -> String {
    let heading = ["", "measured", "goal", ""];
    let mut widths = heading.map(str::len);
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row.cells()) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let [name, measured, goal, _] = widths;
    let mut text = String::new();
    for [a, b, c, d] in std::iter::once(heading).chain(rows.iter().map(Row::cells)) {
        let line = format!("{a:name$}  {b:>measured$}  {c:>goal$}  {d}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
