//! Writing down what is to be remembered, on a thread of its own: a disk may take its time.

use std::io;
use std::path::PathBuf;

use base::{LogErr as _, Worker};
use crossbeam_channel::{Sender, unbounded};
use store::{Choice, Choices, Fingerprint, Look, Session, Trust};
use workspace::{Fact, Keeping, Launch, RailLook, WorkspaceId};

use crate::news::NewsSender;

/// Something to be remembered.
#[derive(Debug)]
pub(crate) enum Job {
    Choice { root: PathBuf, launch: Launch },
    RailLook(RailLook),
    Session(Session),
    Trust { root: PathBuf, fingerprint: Fingerprint, workspace: WorkspaceId, launch: Launch },
}

/// The thread and the way to it. What was handed over is written before it ends.
#[derive(Debug)]
pub(crate) struct Keeper {
    worker: Worker<Sender<Job>>,
}

impl Keeper {
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn start(state_dir: PathBuf, news: NewsSender) -> io::Result<Self> {
        let (sender, jobs) = unbounded::<Job>();
        let worker = Worker::spawn("store", sender, move || {
            let mut session_fails = false;
            for job in jobs {
                match job {
                    Job::Choice { root, launch } => {
                        Choices::keep(&state_dir, &root, to_choice(launch))
                            .log_err("remembering which agent was started");
                    }
                    Job::RailLook(look) => {
                        to_look(look).keep(&state_dir).log_err("remembering how the rail looks");
                    }
                    Job::Session(session) => {
                        let was_gone = !state_dir.is_dir();
                        let kept = session.keep(&state_dir);
                        if was_gone && kept.is_ok() {
                            let folder = state_dir.display();
                            news.fact(Fact::Notice(format!(
                                "{folder} was deleted while Trackside runs; it is made anew"
                            )));
                        }
                        let is_news = kept.is_err() || session_fails;
                        session_fails = kept.is_err();
                        if is_news {
                            let kept =
                                kept.map_err(|err| format!("what is open is not kept: {err}"));
                            news.fact(Fact::Keeping(Keeping::Session, kept));
                        }
                    }
                    Job::Trust { root, fingerprint, workspace, launch } => {
                        let granted = Trust::grant(&state_dir, &root, fingerprint);
                        news.fact(match granted {
                            Ok(_) => Fact::FolderTrusted { workspace, launch },
                            Err(err) => Fact::Refused(format!("not trusted: {err}")),
                        });
                    }
                }
            }
        })?;
        Ok(Self { worker })
    }

    pub(crate) fn keep(&self, job: Job) {
        if let Some(jobs) = self.worker.stop_handle() {
            jobs.send(job).log_err("remembering something");
        }
    }
}

fn to_choice(launch: Launch) -> Choice {
    match launch {
        Launch::Named(name) => Choice::Agent(name),
        Launch::Command(argv) => Choice::Command(argv),
    }
}

/// What was chosen in earlier runs, as a fact.
pub(crate) fn choices(state_dir: &std::path::Path) -> Fact {
    let loaded = Choices::load(state_dir).log_err("reading which agents were started");
    let choices = loaded.map(|loaded| loaded.value).unwrap_or_default();
    let choice = |(root, choice): (&std::path::Path, &Choice)| {
        let launch = match choice {
            Choice::Agent(name) => Launch::Named(name.clone()),
            Choice::Command(argv) => Launch::Command(argv.clone()),
        };
        (root.to_owned(), launch)
    };
    Fact::ChoicesRead(choices.iter().map(choice).collect())
}

fn to_look(RailLook { is_compact, width, is_grouped }: RailLook) -> Look {
    Look { compact_rail: Some(is_compact), rail_width: Some(width), grouped_rail: Some(is_grouped) }
}

/// How the rail was left in an earlier run, as a fact.
pub(crate) fn rail_look(state_dir: &std::path::Path) -> Fact {
    let loaded = Look::load(state_dir).log_err("reading how the rail was left");
    let look = loaded.map(|loaded| loaded.value).unwrap_or_default();
    let usual = RailLook::default();
    Fact::RailLookRead(RailLook {
        is_compact: look.compact_rail.unwrap_or(usual.is_compact),
        width: look.rail_width.unwrap_or(usual.width),
        is_grouped: look.grouped_rail.unwrap_or(usual.is_grouped),
    })
}
