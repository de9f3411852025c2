//! The one notification on the desktop, over D-Bus and on a thread of its own.
//!
//! Whoever shows notifications may be missing, slow or stuck: nobody waits for it, the end of the
//! program included, and that it is so is logged once. What agents say is shown as it is, also by
//! servers that understand markup.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_channel::{Receiver, Sender};
use async_io::Timer;
use base::Worker;
use config::Sound;
use futures_lite::future::{self, Boxed};
use notify_rust::{Hint, Notification, NotificationHandle, NotificationResponse};
use workspace::{Fact, Notice, WorkspaceId};

use crate::news::NewsSender;
use crate::window::APP_ID;

/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same while we are ending.
const PATIENCE_AT_THE_END: Duration = Duration::from_millis(200);
/// Jobs that may wait; there are a few a minute.
const MAX_JOBS: usize = 16;
/// What desktops play for a message, in the words of the sound naming specification.
const USUAL_SOUND: &str = "message-new-instant";

#[derive(Debug)]
pub(super) enum Job {
    Show(Notice),
    /// Only if the one before can still be seen.
    Correct(Notice),
    Withdraw,
    /// We end, and this stays on show: a title and a text.
    Farewell(&'static str, String),
}

/// The thread and the way to it.
#[derive(Debug)]
pub(super) struct Desktop {
    /// Closing the second channel ends it at once, whatever it waits for.
    worker: Worker<(Sender<Job>, Sender<()>)>,
}

impl Desktop {
    /// # Errors
    /// The system gives us no thread.
    pub(super) fn start(news: NewsSender) -> io::Result<Self> {
        let (sender, jobs) = async_channel::bounded(MAX_JOBS);
        let (stop, stopped) = async_channel::bounded::<()>(1);
        let worker = Worker::spawn("notices", (sender, stop), move || {
            let mut presenter = Presenter { shown: None, news, has_complained: false };
            let until_stopped = async {
                // Nothing is ever sent: it is closed.
                let _closed = stopped.recv().await.is_err();
            };
            future::block_on(future::or(presenter.serve(&jobs), until_stopped));
            future::block_on(presenter.withdraw(PATIENCE_AT_THE_END));
            while let Ok(job) = jobs.try_recv() {
                if let Job::Farewell(title, text) = job {
                    future::block_on(presenter.take_leave(title, &text));
                }
            }
        })?;
        Ok(Self { worker })
    }

    /// Its thread has ended, by a fault in what it calls.
    pub(super) fn is_lost(&self) -> bool {
        self.worker.is_finished()
    }

    pub(super) fn tell(&self, job: Job) {
        let Some((jobs, _)) = self.worker.stop_handle() else { return };
        if jobs.try_send(job).is_err() {
            tracing::warn!("the desktop is behind with notifications; one was left out");
        }
    }
}

/// What is on show, and who hears of clicks on it.
struct Presenter {
    shown: Option<Shown>,
    news: NewsSender,
    has_complained: bool,
}

struct Shown {
    handle: Arc<NotificationHandle>,
    workspace: WorkspaceId,
    answer: Boxed<Answer>,
}

/// What the person did with a notification.
#[derive(Clone, Copy)]
enum Answer {
    Opened,
    /// It was dismissed, or has had its time.
    Gone,
}

enum Event {
    Job(Job),
    Answer(Answer),
    NoMoreJobs,
}

impl Presenter {
    async fn serve(&mut self, jobs: &Receiver<Job>) {
        loop {
            match self.next(jobs).await {
                Event::Job(Job::Show(notice)) => self.show(&notice, &notice.sound).await,
                Event::Job(Job::Correct(notice)) if self.shown.is_some() => {
                    self.show(&notice, &Sound::None).await;
                }
                Event::Job(Job::Correct(_)) => {}
                Event::Job(Job::Withdraw) => self.withdraw(PATIENCE).await,
                Event::Job(Job::Farewell(title, text)) => self.take_leave(title, &text).await,
                Event::Answer(answer) => self.answered(answer),
                Event::NoMoreJobs => return,
            }
        }
    }

    async fn next(&mut self, jobs: &Receiver<Job>) -> Event {
        let job = async { jobs.recv().await.map_or(Event::NoMoreJobs, Event::Job) };
        match &mut self.shown {
            Some(shown) => {
                let answer = async { Event::Answer((&mut shown.answer).await) };
                future::or(job, answer).await
            }
            None => job.await,
        }
    }

    async fn show(&mut self, notice: &Notice, sound: &Sound) {
        let before = self.shown.as_ref().map(|shown| shown.handle.id());
        let notification = notification(notice, sound, before);
        let shown = async { notification.show_async().await.map_err(|err| err.to_string()) };
        let too_late = async {
            Timer::after(PATIENCE).await;
            Err("whoever shows notifications does not answer".to_owned())
        };
        match future::or(shown, too_late).await {
            Ok(handle) => {
                let handle = Arc::new(handle);
                let answer = Box::pin(answer(Arc::clone(&handle)));
                self.shown = Some(Shown { handle, workspace: notice.workspace, answer });
            }
            Err(why) => {
                if !std::mem::replace(&mut self.has_complained, true) {
                    tracing::warn!("no notifications on the desktop: {why}");
                }
            }
        }
    }

    /// Shows what nobody will take back.
    async fn take_leave(&mut self, title: &str, text: &str) {
        let mut notification = Notification::new();
        notification.appname("Trackside").summary(title).body(&without_markup(text));
        notification.icon(APP_ID).hint(Hint::DesktopEntry(APP_ID.to_owned()));
        notification.hint(sound_hint(&Sound::None));
        let shown = async { notification.show_async().await.map_err(|err| err.to_string()) };
        let too_late = async {
            Timer::after(PATIENCE_AT_THE_END).await;
            Err("whoever shows notifications does not answer".to_owned())
        };
        if let Err(why) = future::or(shown, too_late).await {
            tracing::info!("no word of agents that go on: {why}");
        }
    }

    fn answered(&mut self, answer: Answer) {
        let Some(shown) = self.shown.take() else { return };
        match answer {
            Answer::Opened => self.news.fact(Fact::NoticeOpened(shown.workspace)),
            Answer::Gone => {}
        }
    }

    async fn withdraw(&mut self, patience: Duration) {
        let Some(shown) = self.shown.take() else { return };
        let too_late = async {
            Timer::after(patience).await;
        };
        future::or(shown.handle.close_async(), too_late).await;
    }
}

async fn answer(handle: Arc<NotificationHandle>) -> Answer {
    let mut answer = Answer::Gone;
    let take = |response: &NotificationResponse| {
        answer = match response {
            NotificationResponse::Default | NotificationResponse::Action(_) => Answer::Opened,
            NotificationResponse::Reply(_) | NotificationResponse::Closed(_) => Answer::Gone,
        };
    };
    handle.wait_for_action_async(take).await;
    answer
}

/// `before` is the notification that it replaces.
fn notification(notice: &Notice, sound: &Sound, before: Option<u32>) -> Notification {
    let mut notification = Notification::new();
    notification
        .appname("Trackside")
        .summary(&notice.title)
        .body(&without_markup(&notice.body))
        .icon(APP_ID)
        .hint(Hint::DesktopEntry(APP_ID.to_owned()))
        .hint(sound_hint(sound))
        .action("default", "Go to it");
    if let Some(id) = before {
        notification.id(id);
    }
    notification
}

fn sound_hint(sound: &Sound) -> Hint {
    match sound {
        Sound::None => Hint::SuppressSound(true),
        Sound::Usual => Hint::SoundName(USUAL_SOUND.to_owned()),
        Sound::Named(name) => Hint::SoundName(name.clone()),
        Sound::File(path) => Hint::SoundFile(path.to_string_lossy().into_owned()),
    }
}

/// Such that markup, which nearly all servers understand in a body, is shown and not obeyed.
fn without_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, shown: &str) {
        assert_eq!(without_markup(text), shown, "for {text:?}");
    }

    #[test]
    fn markup_is_shown_and_not_obeyed() {
        check("Run cargo test?", "Run cargo test?");
        check("<b>a</b> && b", "&lt;b&gt;a&lt;/b&gt; &amp;&amp; b");
        check("<a href=\"x\">&lt;", "&lt;a href=\"x\"&gt;&amp;lt;");
    }

    #[test]
    fn sounds_are_hints() {
        assert_eq!(sound_hint(&Sound::None), Hint::SuppressSound(true));
        assert_eq!(sound_hint(&Sound::Usual), Hint::SoundName("message-new-instant".to_owned()));
        assert_eq!(sound_hint(&Sound::Named("bell".into())), Hint::SoundName("bell".to_owned()));
        assert_eq!(sound_hint(&Sound::File("/a.oga".into())), Hint::SoundFile("/a.oga".to_owned()));
    }
}
