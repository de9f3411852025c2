//! The `processes` thread: looks at what programs do, as the kernel tells it.
//!
//! A look takes some reads in `/proc` for each process, so the loop does not do it itself. Every wish is
//! answered, also for a program that is gone.

use std::io;

use agent::{Process, ProcessSample};
use base::{LogErr as _, Worker};
use crossbeam_channel::{Sender, unbounded};
use pty::{PtySample, PtySampler};
use workspace::{Fact, ProgramId};

use crate::flights::Flight;
use crate::news::NewsSender;

#[derive(Debug)]
pub(crate) struct Sampling {
    worker: Worker<Sender<Job>>,
}

type Job = (ProgramId, Option<PtySampler>, Flight);

impl Sampling {
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn start(news: NewsSender) -> io::Result<Self> {
        let (sender, jobs) = unbounded::<Job>();
        let worker = Worker::spawn("processes", sender, move || {
            for (program, sampler, flight) in jobs {
                let sample = sampler.and_then(|sampler| sampler.sample().ok()).map(converted);
                if let Some(sample) = &sample {
                    flight.sampled(sample);
                }
                news.fact(Fact::Sampled { program, sample });
            }
        })?;
        Ok(Self { worker })
    }

    pub(crate) fn sample(&self, program: ProgramId, sampler: Option<PtySampler>, flight: Flight) {
        if let Some(jobs) = self.worker.stop_handle() {
            jobs.send((program, sampler, flight)).log_err("looking at processes");
        }
    }
}

fn converted(sample: PtySample) -> ProcessSample {
    let processes = sample.processes.into_iter().map(|process| Process {
        pid: process.pid,
        cpu_ticks: process.cpu_ticks,
        reads_terminal: process.reads_terminal,
    });
    ProcessSample {
        is_canonical: sample.is_canonical,
        echoes: sample.echoes,
        foreground: sample.foreground,
        processes: processes.collect(),
    }
}
