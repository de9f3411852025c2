//! What is known of a program, and since when: the memory from which its state is decided.
//!
//! Things that happened go in, each with its time. What follows from them is worked out in
//! [`crate::decide`], again for every moment that it is asked about.

mod animation;
mod call;
mod kernel;
mod line_editor;
mod prompt_line;
mod report;
mod status;
mod title;

use std::time::{Duration, Instant};

use terminal::{Progress, ProgressState, TerminalSignal};

pub(crate) use animation::Animation;
pub(crate) use call::Call;
pub(crate) use kernel::Kernel;
pub(crate) use line_editor::LineEditor;
pub(crate) use prompt_line::PromptLine;
pub(crate) use report::LastReport;
pub use report::{Report, Reported, ReportedBy};
pub(crate) use status::Status;
pub(crate) use title::TitleSign;

use crate::question::{Glimpse, Reading, Standing};
use crate::{
    AgentState, Earlier, Motion, ProcessSample, Question, Reason, Rules, Source, Timeouts,
};

/// Output this soon after a key that submitted nothing is the echo of that key.
pub(crate) const ECHO: Duration = Duration::from_millis(300);
/// Output this soon after we resized the program or told it about focus is its redraw.
pub(crate) const REDRAW: Duration = Duration::from_millis(500);
/// A bell this soon after a key is an answer to the key.
const KEY_BELL: Duration = Duration::from_millis(500);
/// A bell this soon after another, and after new text, belongs to what is printed.
const RINGS: Duration = Duration::from_secs(2);
/// Cells of new text that are more than a sign in a corner.
const TEXT: usize = 2;
/// A pause after which text begins to flow anew, and how long it must flow to be more than a redraw.
const FLOW: Duration = Duration::from_secs(1);
const FLOWS: Duration = Duration::from_millis(600);
/// A question that is away for a shorter time is being redrawn.
const GONE: Duration = Duration::from_millis(200);
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    pub(crate) timeouts: Timeouts,
    pub(crate) started: Instant,
    /// Something is on the screen, or it was found to wait without that.
    pub(crate) is_up: bool,
    /// Anything was written, be it invisible.
    pub(crate) last_output: Option<Instant>,
    /// New text that is no echo.
    pub(crate) last_text: Option<Instant>,
    /// Since when it has come without a long pause.
    text_flows_since: Option<Instant>,
    /// Since when the program is taken to wait.
    pub(crate) waits_since: Option<Instant>,
    /// And nothing but its silence says so, which anything that it prints takes back.
    waits_in_silence: bool,
    /// What for, as long as nobody says better.
    pub(crate) waits_for: Reason,
    pub(crate) is_full_screen: bool,
    /// What the screen asks, since when, and whether it was there when something was handed in.
    pub(crate) screen: Option<Asked>,
    pub(crate) prompt_line: PromptLine,
    /// Anything on the screen that speaks for work.
    pub(crate) last_work: Option<Instant>,
    pub(crate) last_key: Option<Instant>,
    last_bell: Option<Instant>,
    pub(crate) submitted: Option<Instant>,
    redrawn: Option<Instant>,
    pub(crate) status: Status,
    pub(crate) report: Option<Report>,
    pub(crate) title: Option<TitleSign>,
    pub(crate) progress: Option<Progress>,
    pub(crate) call: Option<Call>,
    pub(crate) animation: Animation,
    pub(crate) prompt: LineEditor,
    pub(crate) kernel: Kernel,
    pub(crate) earlier: Option<Earlier>,
}

/// A question that stands on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) at: Instant,
    /// Since when nothing has moved in it.
    pub(crate) still_since: Instant,
    /// It has been answered and was not taken away.
    pub(crate) is_old: bool,
    /// It was drawn anew as it was answered, which may be a last redraw before it goes.
    pub(crate) is_again: bool,
    /// Since when it is not seen on a screen that is not at rest.
    gone_since: Option<Instant>,
}

impl Asked {
    fn new(question: Question, now: Instant) -> Self {
        let (is_old, is_again, gone_since) = (false, false, None);
        Self { question, at: now, still_since: now, is_old, is_again, gone_since }
    }

    fn again(question: Question, now: Instant) -> Self {
        Self { is_again: true, ..Self::new(question, now) }
    }

    /// Whether that is the question it knows. One that was answered may be asked again about something else.
    fn is(&self, question: &Question) -> bool {
        let is_other = self.is_old && question.is_about_another(&self.question);
        question.asks_the_same(&self.question) && !is_other
    }
}

impl Evidence {
    pub(crate) fn new(timeouts: Timeouts, now: Instant) -> Self {
        Self {
            timeouts,
            started: now,
            is_up: false,
            last_output: None,
            last_text: None,
            text_flows_since: None,
            waits_since: None,
            waits_in_silence: false,
            waits_for: Reason::Silence,
            is_full_screen: false,
            screen: None,
            prompt_line: PromptLine::default(),
            last_work: None,
            last_key: None,
            last_bell: None,
            submitted: None,
            redrawn: None,
            status: Status::default(),
            report: None,
            title: None,
            progress: None,
            call: None,
            animation: Animation::NONE,
            prompt: LineEditor::default(),
            kernel: Kernel::default(),
            earlier: None,
        }
    }

    /// Of a program of which something is known already.
    pub(crate) fn going_on(timeouts: Timeouts, earlier: Earlier) -> Self {
        let mut evidence = Self::new(timeouts, earlier.since.min(earlier.as_of));
        evidence.is_up = earlier.state != AgentState::Starting;
        if let Some(since) = earlier.waits_since() {
            evidence.on_wait(Source::Earlier, earlier.reason, since);
        }
        evidence.earlier = Some(earlier);
        evidence
    }

    /// The program wrote something that nobody has looked at.
    pub(crate) fn on_output(&mut self, now: Instant) {
        self.last_output = Some(now);
        if !self.is_echo(now) && !self.is_redraw(now) {
            self.is_up = true;
            self.new_text(now);
        }
    }

    /// The program's screen was looked at after it had written something.
    pub(crate) fn on_motion(&mut self, motion: Motion, now: Instant) {
        self.last_output = Some(now);
        self.is_full_screen = motion.is_full_screen;
        if let Some(asked) = &mut self.screen
            && motion.lowest_turning.is_some_and(|row| usize::from(row) >= asked.question.top)
        {
            asked.still_since = now;
        }
        let is_first = motion.shows_something && !self.is_up;
        self.is_up |= motion.shows_something;
        if is_first {
            self.last_work = Some(now);
        }
        if self.is_redraw(now) && !is_first {
            return;
        }
        let has_text = motion.text >= TEXT || motion.scrolled > 0;
        if self.is_echo(now) {
            // Typing ahead does not hide an animation that goes on meanwhile. Digits may be typed.
            if motion.animated > 0 {
                self.animate(now);
            }
            return;
        }
        if has_text {
            self.new_text(now);
        }
        if motion.animated + motion.counting > 0 {
            self.animate(now);
        } else if motion.text == 1 && motion.blinking == 0 {
            self.last_work = Some(now);
        }
    }

    fn new_text(&mut self, now: Instant) {
        let flows = self.last_text.is_some_and(|last| now < last + FLOW);
        self.text_flows_since = self.text_flows_since.filter(|_| flows).or(Some(now));
        (self.last_text, self.last_work) = (Some(now), Some(now));
    }

    /// Whether text has come for a while since the program was taken to wait.
    pub(crate) fn text_flows(&self) -> bool {
        let Some(waits) = self.waits_since else { return true };
        let (Some(first), Some(last)) = (self.text_flows_since, self.last_text) else {
            return false;
        };
        let lasted = last.saturating_duration_since(first.max(waits));
        last > waits && (self.waits_in_silence || lasted >= FLOWS)
    }

    /// The program is taken to wait. Whatever speaks for work must do so anew.
    pub(crate) fn on_wait(&mut self, source: Source, reason: Reason, now: Instant) {
        // That whoever said so has fallen silent does not make it less true.
        if source != Source::Silence || self.waits_since.is_none() {
            self.waits_in_silence = source == Source::Silence && !self.shows_error();
            if !self.waits_in_silence {
                // Whoever knows says that what was printed until now was no work.
                self.text_flows_since = None;
            }
            // A question that is gone is no longer asked, but what is done stays done.
            let lasts = reason == Reason::TurnDone || source == Source::TerminalRead;
            self.waits_for = if lasts { reason } else { Reason::Silence };
        }
        if self.waits_since.is_none() {
            self.waits_since = Some(now);
            self.animation = Animation::NONE;
        }
        self.is_up = true;
    }

    /// The screen says that it has stopped at an error, which a redraw does not take back.
    fn shows_error(&self) -> bool {
        let asked = self.screen.as_ref().filter(|asked| !asked.is_old);
        asked.is_some_and(|asked| asked.question.reason == Reason::Error)
    }

    pub(crate) fn on_work(&mut self) {
        // What it waited and called for is over.
        if self.waits_since.take().is_some() {
            self.call = None;
        }
    }

    /// What the screen asks now.
    pub(crate) fn on_reading(&mut self, reading: Reading, now: Instant) {
        self.prompt_line.on_reading(&reading);
        self.screen = reading.question.map(|question| match self.screen.take() {
            Some(asked) if asked.is(&question) => Asked { question, ..asked },
            _ => Asked::new(question, now),
        });
    }

    /// What a screen asks that is not at rest: one that was answered and is gone or drawn anew may be
    /// asked again, and a dialog is one whatever moves around it.
    pub(crate) fn on_glimpse(&mut self, glimpse: Glimpse, now: Instant) {
        let Glimpse { question, is_drawn } = glimpse;
        let is_redraw = self.is_redraw(now);
        let is_dialog = |question: &Question| question.standing == Standing::Dialog;
        let Some(asked) = &mut self.screen else {
            self.screen = question.filter(is_dialog).map(|it| Asked::new(it, now));
            return;
        };
        match question {
            Some(question) if asked.is(&question) => {
                let was_gone = asked.gone_since.take().is_some();
                let is_asked = asked.is_old && question.standing != Standing::Words;
                if is_asked && (was_gone || is_drawn) && !is_redraw {
                    *asked = Asked::again(question, now);
                } else {
                    asked.question = question;
                }
            }
            Some(question) if asked.is_old && is_dialog(&question) => {
                *asked = Asked::new(question, now);
            }
            _ if asked.is_old || is_dialog(&asked.question) => {
                if now >= *asked.gone_since.get_or_insert(now) + GONE {
                    self.screen = None;
                }
            }
            Some(question) if is_dialog(&question) => *asked = Asked::new(question, now),
            Some(_) | None => {}
        }
    }

    /// Whether a question stands on the screen that may be gone any moment.
    pub(crate) fn watches_question(&self) -> bool {
        let is_watched =
            |asked: &Asked| asked.is_old || asked.question.standing == Standing::Dialog;
        self.screen.as_ref().is_some_and(is_watched)
    }

    fn animate(&mut self, now: Instant) {
        let was_known = self.animation.is_known();
        self.animation.step(now);
        self.last_work = Some(now);
        if self.animation.is_known() && !was_known {
            self.kernel.on_turn();
        }
        if self.animation.is_known() {
            self.report.take_if(|report| report.is_taken_back_by_motion(now));
        }
    }

    pub(crate) fn on_signal(&mut self, signal: &TerminalSignal, rules: &Rules, now: Instant) {
        match signal {
            TerminalSignal::Status(status) => self.status.take(status, now),
            TerminalSignal::Title(title) => {
                self.title = TitleSign::after(self.title.take(), title, rules, now);
            }
            TerminalSignal::Progress(progress) => {
                let before = self.progress.take();
                self.progress = Some(*progress).filter(|it| it.state != ProgressState::Removed);
                let works =
                    |state| matches!(state, ProgressState::Normal | ProgressState::Indeterminate);
                if before.is_none() && works(progress.state) {
                    // It called before it set to work.
                    self.call = None;
                }
            }
            TerminalSignal::Notification { title, body } => {
                let text = if body.is_empty() { title.clone() } else { Some(body.clone()) };
                self.call = Some(Call::saying(text, rules, now));
            }
            TerminalSignal::Bell => {
                let rung = self.last_bell.replace(now);
                // It rings on while it prints.
                let rings_on =
                    rung.is_some_and(|at| now < at + RINGS && self.last_text >= Some(at));
                let is_answer = self.last_key.is_some_and(|key| now < key + KEY_BELL);
                if !is_answer && !rings_on {
                    self.call = Some(Call::ringing(self.call.take(), now));
                }
            }
            TerminalSignal::BracketedPaste(is_on) => self.prompt.switch(*is_on, now),
            TerminalSignal::ClipboardStore { .. }
            | TerminalSignal::ClipboardTooLarge(_)
            | TerminalSignal::Directory(_)
            | TerminalSignal::Prompt(_) => {}
        }
    }

    pub(crate) fn on_report(&mut self, report: Report) {
        self.report = report.after(self.report.take());
    }

    pub(crate) fn on_key(&mut self, now: Instant) {
        self.last_key = Some(now);
    }

    /// The person has answered: whatever was waited for is no longer.
    pub(crate) fn on_submit(&mut self, now: Instant) {
        self.last_key = Some(now);
        self.last_bell = None;
        self.submitted = Some(now);
        self.call = None;
        self.report = None;
        self.waits_since = None;
        self.status.answered();
        if let Some(asked) = &mut self.screen {
            asked.is_old = true;
        }
        self.animation = Animation::NONE;
        self.prompt_line.on_submit();
        self.kernel.on_submit();
    }

    pub(crate) fn on_redraw(&mut self, now: Instant) {
        self.redrawn = Some(now);
    }

    pub(crate) fn on_sample(&mut self, sample: ProcessSample, now: Instant) {
        self.kernel.on_sample(sample, now);
    }

    /// When something last happened that speaks for work, the person's own doing included.
    pub(crate) fn last_sign(&self) -> Instant {
        let signs = [self.last_work, self.submitted];
        signs.into_iter().flatten().fold(self.started, Instant::max)
    }

    /// A program that has shown nothing yet has nothing to redraw.
    fn is_redraw(&self, now: Instant) -> bool {
        self.is_up && self.redrawn.is_some_and(|at| now < at + REDRAW)
    }

    fn is_echo(&self, now: Instant) -> bool {
        let typed = self.last_key.is_some_and(|key| now < key + ECHO);
        typed && self.submitted.is_none_or(|at| Some(at) < self.last_key)
    }

    /// When our own resizing or focus report stops to explain silence.
    pub(crate) fn redrawn_until(&self) -> Option<Instant> {
        Some(self.redrawn? + REDRAW)
    }
}
