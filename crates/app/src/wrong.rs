//! Saving the last minutes of an agent whose state is wrong, for whoever can put that right.
//!
//! What was kept is taken at once; the `wrong` thread then takes names and secrets out of it, which may
//! take seconds, and writes it to a new file that only its owner can read. No file is ever replaced.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use agent::{Expected, Timeouts};
use anyhow::{Context as _, Result, anyhow, bail};
use base::{LogErr as _, Worker};
use crossbeam_channel::{Sender, bounded};
use nix::unistd::{User, getuid};
use replay::{Identity, Scrubber, Take};
use serde_json::json;
use workspace::{Action, AgentAction, Fact, ProgramId};

use crate::app::App;
use crate::calls::WrongUsage;
use crate::files::ExportId;
use crate::news::{News, NewsSender};
use crate::requests::{Answer, Until};

/// Recordings that may wait to be saved.
const MAX_JOBS: usize = 4;
/// Characters of an agent's name that go into that of a file.
const MAX_NAME: usize = 40;

/// What is to be saved.
#[derive(Debug)]
pub(crate) struct Wish {
    pub program: ProgramId,
    /// Of the agent.
    pub name: String,
    pub shown: &'static str,
    pub timeouts: Timeouts,
    pub expected: Option<Expected>,
    /// Among the others where nobody says.
    pub path: Option<PathBuf>,
}

#[derive(Debug)]
pub(crate) struct Saver {
    worker: Worker<Sender<Job>>,
}

#[derive(Debug)]
struct Job {
    id: ExportId,
    wish: Wish,
    take: Take,
    saved: Instant,
    path: PathBuf,
    /// To be made if it is not there.
    folder: Option<PathBuf>,
    home: Option<PathBuf>,
}

impl App {
    /// Saves what was kept of an agent, or says why not.
    pub(crate) fn save_recording(&mut self, wish: Wish, now: Instant) {
        if let Err(refusal) = self.submit_recording(wish, now) {
            self.observe(Fact::Refused(format!("{refusal:#}")), now);
        }
    }

    fn submit_recording(&mut self, wish: Wish, now: Instant) -> Result<()> {
        let kept = self.sessions.flights.of(wish.program).take();
        let Some(take) = kept else {
            bail!(
                "nothing is kept of {}; set `keep = true` in `[recording]` and start it again",
                wish.name
            );
        };
        if take.is_empty() {
            bail!("{} has done nothing yet; there is nothing to save", wish.name);
        }
        let folder = self.places.recordings_dir();
        let (path, folder) = match &wish.path {
            Some(path) => (path.clone(), None),
            None => (folder.join(file_name(&wish.name, SystemTime::now())), Some(folder)),
        };
        if self.saver.is_none() {
            self.saver = Some(Saver::start(self.inbox.sender()).context("starting a thread")?);
        }
        let id = self.last_export.next();
        let home = self.places.home.clone();
        let job = Job { id, wish, take, saved: now, path: path.clone(), folder, home };
        let saver = self.saver.as_ref().and_then(|saver| saver.worker.stop_handle());
        let is_sent = saver.is_some_and(|jobs| jobs.try_send(job).is_ok());
        if !is_sent {
            bail!("other recordings are being saved; try again in a moment");
        }
        self.last_export = id;
        self.exports.insert(id);
        self.last_recording = Some(path);
        Ok(())
    }

    /// A recording was saved, or could not be.
    pub(crate) fn recording_saved(
        &mut self,
        id: ExportId,
        path: &Path,
        result: Result<(), String>,
        now: Instant,
    ) {
        self.export_ended(id, result.as_ref().copied().map_err(String::as_str));
        // Short enough for a toast, and for a shell.
        let home = self.places.home.as_deref();
        let path = match home.and_then(|home| path.strip_prefix(home).ok()) {
            Some(below) => format!("~/{}", below.display()),
            None => path.display().to_string(),
        };
        self.observe(
            match result {
                Ok(()) => Fact::Notice(format!(
                    "Read it before you share it: trackside replay --text {path}"
                )),
                Err(refusal) => Fact::Refused(refusal),
            },
            now,
        );
    }

    /// The call behind `trackside agent wrong`.
    pub(crate) fn agent_wrong(
        &mut self,
        wanted: Option<&str>,
        (expected, path): (Option<String>, Option<PathBuf>),
        now: Instant,
    ) -> Result<Answer> {
        let workspace = Some(self.workspace_id(wanted)?);
        let parse = |word: String| {
            let known = Expected::ALL.map(Expected::name).join(", ");
            let unknown = || WrongUsage::new(format!("unknown state `{word}`; known are {known}"));
            Expected::parse(&word).ok_or_else(unknown)
        };
        let expected = expected.map(parse).transpose()?;
        self.refusal = None;
        self.act(Action::Agent(AgentAction::SaveRecording { workspace, expected, path }), now)?;
        if let Some(refusal) = self.refusal.take() {
            return Err(anyhow!(refusal));
        }
        let answer = json!({ "path": self.last_recording });
        Ok(Answer::Later(Until::Exported(self.last_export), answer, None))
    }
}

impl Saver {
    /// # Errors
    /// The system gives us no thread.
    fn start(news: NewsSender) -> io::Result<Self> {
        let (sender, jobs) = bounded::<Job>(MAX_JOBS);
        let worker = Worker::spawn("wrong", sender, move || {
            for job in jobs {
                let (id, path) = (job.id, job.path.clone());
                let result = save(job).map_err(|err| format!("{err:#}"));
                news.send(News::RecordingSaved { id, path, result });
            }
        })?;
        Ok(Self { worker })
    }
}

fn save(job: Job) -> Result<()> {
    let Job { wish, take, saved, path, folder, home, id: _ } = job;
    let mut recording = take.into_recording(saved);
    recording.about.agent = Some(wish.name);
    recording.about.timeouts = Some(wish.timeouts);
    recording.about.shown = Some(wish.shown.to_owned());
    recording.about.expected = wish.expected;
    let scrubber = Scrubber::new(&identity(home.as_deref()));
    let scrubber = scrubber.context("your name or home folder is too long to be looked for")?;
    scrubber.scrub(&mut recording);
    if let Some(folder) = folder {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    write(&path, recording.to_lines().as_bytes())
}

/// Who the person is, as far as what agents print may say.
fn identity(home: Option<&Path>) -> Identity {
    let user = User::from_uid(getuid()).log_err("looking up who you are").flatten();
    let variable = |name: &str| std::env::var(name).ok();
    let names = [variable("USER"), variable("LOGNAME"), user.as_ref().map(|it| it.name.clone())];
    let homes = [home.map(Path::to_owned), user.map(|user| user.dir)];
    let text = |path: PathBuf| path.to_str().map(str::to_owned);
    Identity {
        users: names.into_iter().flatten().collect(),
        homes: homes.into_iter().flatten().filter_map(text).collect(),
        hosts: vec![crate::places::host_name()],
    }
}

/// Writes a new file, whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let mut file = match opened {
        Ok(file) => file,
        Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{} is there already; choose another path", path.display());
        }
        Err(err) => {
            return Err(err).with_context(|| {
                format!("cannot save {}; choose another path with --out", path.display())
            });
        }
    };
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.map_err(|err| {
        fs::remove_file(path).log_err("removing half a recording");
        anyhow!(err).context(format!("cannot save {}; nothing is left of it", path.display()))
    })
}

/// `claude-20261118-154302-123.jsonl`, in universal time.
fn file_name(agent: &str, now: SystemTime) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._".contains(c) { c } else { '-' };
    let stem: String = agent.chars().take(MAX_NAME).map(plain).collect();
    let stem = stem.trim_matches(['-', '.']);
    let stem = if stem.is_empty() { "agent" } else { stem };
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let ms = since.subsec_millis();
    format!("{stem}-{year}{month:02}{day:02}-{hour:02}{minute:02}{second:02}-{ms:03}.jsonl")
}

/// Year, month and day, so many days after the first of 1970.
fn date(days: u64) -> (u64, u64, u64) {
    // Counted from the first of March of a year that begins 400 others.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (400 * era + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests;
