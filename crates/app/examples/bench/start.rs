//! From nothing to the first frame, against a graphics device alone.
//!
//! Both are processes started the same way with the same folders, one after the other, so that
//! whatever else the machine does hits both.

use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use control::Call;
use render::{Gpu, GpuChoice};

use crate::instance::{Home, Process, Surface};
use crate::table::{Row, Unit, milliseconds};
use crate::{Effort, GPU_ONLY, clock};

const GOAL: f64 = 2.5;

/// How long after the start of the program.
#[derive(Debug, Clone, Copy)]
struct Times {
    /// It has handed over its first frame.
    frame: Duration,
    /// It has also written a screenshot, so all that was drawn before is finished.
    picture: Duration,
}

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let n_rounds = match effort {
        Effort::Quick => 3,
        Effort::Full => 9,
    };
    // The driver keeps compiled shaders in the home folder: the first start of all is slower.
    let cold_device = device(&Home::new()?)?;
    let (mut home, cold) = program(Home::new()?)?;
    let (mut devices, mut frames, mut pictures) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..n_rounds {
        devices.push(device(&home)?);
        let (next, times) = program(home)?;
        frames.push(times.frame);
        pictures.push(times.picture);
        home = next;
    }
    let device = clock::percentile(&mut devices, 50);
    let frame = clock::percentile(&mut frames, 50);
    let picture = clock::percentile(&mut pictures, 50);
    let name = "start, headless: first frame / device alone";
    Ok(vec![
        Row::note("start, headless: first frame, median", time(frame)),
        Row::note("start: instance, adapter, device alone, median", time(device)),
        Row::at_most(name, ratio(frame, device), GOAL, Unit::Times),
        Row::note("start: the same with an empty shader cache", against(cold.frame, cold_device)),
        Row::note("start: first screenshot written / device alone", against(picture, device)),
    ])
}

fn time(time: Duration) -> String {
    format!("{:.1} ms", milliseconds(time))
}

fn ratio(program: Duration, device: Duration) -> f64 {
    program.as_secs_f64() / device.as_secs_f64()
}

fn against(program: Duration, device: Duration) -> String {
    format!("{} / {} = {:.2} x", time(program), time(device), ratio(program, device))
}

/// Starts the program and ends it again.
fn program(home: Home) -> Result<(Home, Times)> {
    let (instance, frame) = clock::timed(|| home.start(Surface::Headless));
    let mut instance = instance?;
    let path = instance.folder().join("first.png");
    let (answer, more) = clock::timed(|| instance.call(Call::Screenshot { path }));
    answer?;
    Ok((instance.quit()?, Times { frame, picture: frame + more }))
}

/// How long a process needs that does nothing but open a device.
fn device(home: &Home) -> Result<Duration> {
    let this = std::env::current_exe()?;
    let (process, time) = clock::timed(|| -> Result<Process> {
        let mut command = home.command(&this, Surface::Headless);
        command.arg(GPU_ONLY).stdout(Stdio::piped());
        let mut process = Process(command.spawn()?);
        let mut said = [0];
        let mut stdout = process.0.stdout.take().context("a pipe")?;
        ensure!(stdout.read(&mut said)? == 1, "no device could be opened");
        Ok(process)
    });
    let mut process = process?;
    process.0.wait()?;
    Ok(time)
}

/// What the process of [`device`] does.
pub(crate) fn open_device() -> Result<()> {
    let gpu = Gpu::new(GpuChoice::Auto)?;
    let mut stdout = std::io::stdout();
    stdout.write_all(b"!")?;
    stdout.flush()?;
    drop(gpu);
    Ok(())
}
