//! What a program is doing, decided from all that is known of it.
//!
//! One source after the other is asked, the strongest first; the first that has something to say is
//! believed. A source that is not sure says nothing.

mod report;

use std::time::{Duration, Instant};

use terminal::{BlockedOn, ProgramState, ProgressState};

use crate::claim::{Claim, Says, Source};
use crate::clock::Clock;
use crate::evidence::{Asked, ECHO, Evidence, TitleSign};
use crate::question::Standing;
use crate::{ProcessSample, Reason, TitleSays};

/// A program that draws its progress while it works goes on drawing.
const PROGRESS_LASTS: Duration = Duration::from_secs(15);
/// A sign of work in a title that does not move is a leftover.
const TITLE_LASTS: Duration = Duration::from_secs(4);
const TITLE_HOLDS: Duration = Duration::from_millis(250);
/// Text that flows on after a call for attention takes that back.
const CALL_HOLDS: Duration = Duration::from_millis(1500);
const FLOWS: Duration = Duration::from_secs(1);
/// An answer is worked on for so long at least.
const ANSWERED: Duration = Duration::from_millis(500);
const PROMPT_HOLDS: Duration = Duration::from_millis(350);
/// A program that fills the screen draws more than once when it starts.
const SCREEN_HOLDS: Duration = Duration::from_secs(1);
const FIRST_HOLDS: Duration = Duration::from_secs(1);
const QUESTION_HOLDS: Duration = Duration::from_millis(600);
/// A dialog in which nothing moves, whatever does above it.
const DIALOG_HOLDS: Duration = Duration::from_millis(800);
const READ_HOLDS: Duration = Duration::from_millis(300);
/// An animation has ended after a pause so many times longer than any before.
const GAPS: f32 = 3.5;
const LEAST_PAUSE: Duration = Duration::from_millis(900);
/// Of one core; more than any program uses that waits.
const BUSY_PERCENT: u64 = 25;
const VERY_BUSY_PERCENT: u64 = 60;
/// A tool that shows nothing for longer is waited for in vain.
const TOOL_LASTS: Duration = Duration::from_secs(30);
/// Silence of a program of which more is known than that.
const QUIET: Duration = Duration::from_secs(3);
/// A program that fills the screen may take its time until it does.
const BLANK: Duration = Duration::from_secs(20);

type Rule = fn(&Evidence, &mut Clock) -> Option<Claim>;

/// The strongest first.
const RULES: [Rule; 18] = [
    status,
    report::report,
    progress,
    title,
    notification,
    submitted,
    line_editor,
    first_prompt,
    terminal_read,
    screen,
    command_runs,
    animation,
    prompt_line,
    field,
    prompt_left,
    processes,
    earlier,
    output,
];

/// What is to be believed. `None` while nothing is known: the program is starting.
pub(crate) fn decide(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let found = RULES.iter().find_map(|rule| rule(evidence, clock));
    found.or_else(|| silence(evidence, clock))
}

/// What each source says, the strongest first: what is believed and what is not. A question that is not
/// believed yet, as something moves in it, is among the latter.
pub(crate) fn all(evidence: &Evidence, clock: &mut Clock) -> Vec<Claim> {
    let rules = RULES.iter().chain([&(silence as Rule)]);
    let mut claims: Vec<Claim> = Vec::new();
    for claim in rules.filter_map(|rule| rule(evidence, clock)) {
        if claims.iter().all(|known| known.source != claim.source) {
            claims.push(claim);
        }
    }
    let has_screen = claims.iter().any(|claim| claim.source == Source::Screen);
    if let Some(asked) = asked(evidence).filter(|_| !has_screen && !claims.is_empty()) {
        let at = claims.iter().skip(1).take_while(|claim| claim.source < Source::Screen).count();
        claims.insert(1 + at, asked_claim(asked));
    }
    claims
}

fn status(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    if evidence.status.only_a_part_works() {
        return Some(Claim::new(Source::Status, Says::Working, evidence.last_sign()));
    }
    let told = evidence.status.told(clock)?;
    let says = match told.state {
        ProgramState::Working => Says::Working,
        ProgramState::Done | ProgramState::Idle => Says::Waiting(Reason::TurnDone),
        ProgramState::Error => Says::Waiting(Reason::Error),
        ProgramState::Blocked(on) => Says::Waiting(match on {
            BlockedOn::Permission => Reason::Permission,
            BlockedOn::Question | BlockedOn::Other => Reason::Question,
            BlockedOn::Auth => Reason::Password,
        }),
        ProgramState::Cleared => return None,
    };
    Some(Claim::new(Source::Status, says, told.at).saying(told.text.as_deref()))
}

fn progress(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let progress = evidence.progress?;
    let since = evidence.last_output?;
    let is_work = matches!(progress.state, ProgressState::Normal | ProgressState::Indeterminate);
    (is_work && clock.within(since, PROGRESS_LASTS)).then_some(Claim::new(
        Source::Progress,
        Says::Working,
        since,
    ))
}

fn title(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let TitleSign { says, since, rule } = evidence.title.as_ref()?;
    let since = *since;
    let says = match *says {
        TitleSays::Working if clock.within(since, TITLE_LASTS) => Says::Working,
        TitleSays::Waiting(reason)
            if evidence.submitted.is_none_or(|at| at < since)
                && clock.passed(since, TITLE_HOLDS) =>
        {
            Says::Waiting(reason.unwrap_or(Reason::TurnDone))
        }
        TitleSays::Working | TitleSays::Waiting(_) => return None,
    };
    Some(Claim::new(Source::Title, says, since).by(rule.as_deref()))
}

fn notification(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let call = evidence.call.as_ref()?;
    let flows_on = evidence
        .last_text
        .is_some_and(|text| text > call.at + CALL_HOLDS && clock.within(text, FLOWS));
    let moves_on = evidence.animation.is_known() && evidence.animation.last > Some(call.at);
    let claim = Claim::new(Source::Notification, Says::Waiting(call.reason), call.at);
    let claim = claim.saying(call.text.as_deref()).by(call.rule.as_deref());
    (!flows_on && !moves_on).then_some(claim)
}

fn submitted(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let since = evidence.submitted?;
    let claim = Claim::new(Source::Submitted, Says::Working, since);
    clock.within(since, ANSWERED).then_some(claim)
}

fn line_editor(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let since = evidence.prompt.back?;
    if evidence.submitted.is_some_and(|at| since < at) || evidence.kernel.is_canonical() {
        return None;
    }
    let settled = evidence.last_text.map_or(since, |text| text.max(since));
    let holds = if evidence.is_full_screen { SCREEN_HOLDS } else { PROMPT_HOLDS };
    // Once there, a prompt stays whatever else is printed.
    let is_known = evidence.waits_since.is_some_and(|waits| since <= waits);
    (is_known || clock.passed(settled, holds)).then_some(Claim::new(
        Source::LineEditor,
        Says::Waiting(Reason::TurnDone),
        since,
    ))
}

/// A program that has wanted pastes to be bracketed from its start, and has come to rest.
fn first_prompt(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let since = evidence.prompt.first?;
    let (sample, at) = evidence.kernel.sample.as_ref()?;
    let last_sign = evidence.last_sign();
    let is_at_rest = *at > last_sign && !sample.is_canonical && is_idle(evidence);
    let is_first = evidence.submitted.is_none() && evidence.is_up && !evidence.animation.is_known();
    (is_first && is_at_rest && clock.passed(last_sign, FIRST_HOLDS)).then_some(Claim::new(
        Source::LineEditor,
        Says::Waiting(Reason::TurnDone),
        since,
    ))
}

/// A question on a screen that is at rest, or one that is asked whatever else moves.
fn screen(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let asked = asked(evidence)?;
    let is_asked = match asked.question.standing {
        _ if asked.is_again => {
            let since = evidence.last_sign().max(asked.at);
            may_read_keys(evidence, asked.at) && clock.passed(since, DIALOG_HOLDS)
        }
        Standing::Words | Standing::Question => clock.passed(evidence.last_sign(), QUESTION_HOLDS),
        Standing::Dialog => {
            clock.passed(evidence.last_sign(), QUESTION_HOLDS)
                || clock.passed(asked.still_since, DIALOG_HOLDS)
        }
    };
    is_asked.then(|| asked_claim(asked))
}

/// Whether nothing speaks against a program that reads keys, be it that its processes cannot be looked at. One
/// that draws its dialog a last time, and then starts anew behind it, lets the kernel collect lines, or is busy.
fn may_read_keys(evidence: &Evidence, since: Instant) -> bool {
    let sample = evidence.kernel.sample.as_ref();
    let is_it = |(sample, at): &(ProcessSample, Instant)| {
        *at >= since && !sample.is_canonical && is_idle(evidence)
    };
    sample.is_none_or(is_it)
}

/// A question that stands on the screen and is more than words for what others say.
fn asked(evidence: &Evidence) -> Option<&Asked> {
    let asked = evidence.screen.as_ref().filter(|asked| !asked.is_old);
    asked.filter(|asked| asked.question.standing != Standing::Words)
}

fn asked_claim(asked: &Asked) -> Claim {
    Claim::new(Source::Screen, Says::Waiting(asked.question.reason), asked.at)
        .saying(Some(&asked.question.text))
        .by(Some(&asked.question.rule))
}

fn terminal_read(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let since = evidence.kernel.reads_since?;
    let (sample, at) = evidence.kernel.sample.as_ref()?;
    let last_sign = evidence.last_sign();
    let is_fresh = *at >= last_sign;
    let prompt = evidence.prompt_line.at.as_deref();
    let reason = match prompt {
        _ if sample.is_canonical && !sample.echoes => Reason::Password,
        Some(_) => Reason::TurnDone,
        None => Reason::Silence,
    };
    let claim = Claim::new(Source::TerminalRead, Says::Waiting(reason), since);
    let claim = claim.by(prompt.filter(|_| reason == Reason::TurnDone));
    (is_fresh && clock.passed(last_sign, READ_HOLDS)).then_some(claim)
}

/// However silent: lines are collected for nobody, so something runs that will read them later.
fn command_runs(evidence: &Evidence, _clock: &mut Clock) -> Option<Claim> {
    let (sample, at) = evidence.kernel.sample.as_ref()?;
    let is_it = sample.is_canonical && !sample.reads_terminal();
    is_it.then_some(Claim::new(Source::CommandRuns, Says::Working, *at))
}

fn animation(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let animation = evidence.animation;
    let last = animation.last?;
    if !animation.is_known() {
        return None;
    }
    let pause = animation.largest_gap.mul_f32(GAPS).max(LEAST_PAUSE);
    let since = evidence.last_sign();
    let says = if clock.within(since, pause) {
        Says::Working
    } else if evidence.kernel.cpu_percent > VERY_BUSY_PERCENT || tool_runs(evidence, clock) {
        return None;
    } else {
        Says::Waiting(Reason::TurnDone)
    };
    Some(Claim::new(Source::Animation, says, last))
}

/// A program that edits lines without a word about it, behind its prompt. One that hides its cursor draws
/// what looks like a prompt while a command that it was given runs, too.
fn prompt_line(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let (sample, since) = evidence.kernel.sample.as_ref()?;
    let last_sign = evidence.last_sign();
    let is_it = evidence.prompt_line.at.is_some()
        && (evidence.prompt_line.has_cursor || !evidence.kernel.has_new_children())
        && !evidence.is_full_screen
        && !sample.is_canonical
        && *since > last_sign
        && evidence.kernel.cpu_percent <= BUSY_PERCENT;
    let claim = Claim::new(Source::LineEditor, Says::Waiting(Reason::TurnDone), *since);
    let claim = claim.by(evidence.prompt_line.at.as_deref());
    (is_it && clock.passed(last_sign, QUESTION_HOLDS)).then_some(claim)
}

/// A program that edits lines without a word about it, behind what it asks for: `name: (demo) `.
fn field(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let asked = evidence.screen.as_ref().filter(|it| !it.is_old && it.question.is_label())?;
    let (sample, since) = evidence.kernel.sample.as_ref()?;
    let last_sign = evidence.last_sign();
    let is_it = evidence.prompt_line.has_cursor
        && !evidence.is_full_screen
        && !sample.is_canonical
        && *since > last_sign
        && is_idle(evidence);
    let question = &asked.question;
    let claim = Claim::new(Source::LineEditor, Says::Waiting(question.reason), *since);
    let claim = claim.saying(Some(&question.text)).by(Some(&question.rule));
    (is_it && clock.passed(last_sign, QUESTION_HOLDS)).then_some(claim)
}

/// A command that was typed behind a prompt, or an answer to what was asked there, after which nothing is
/// printed, or one line after the other now and then. The kernel cannot tell where the program collects lines itself, or another machine does.
fn prompt_left(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let since = evidence.submitted?;
    let line = &evidence.prompt_line;
    let last_sign = evidence.last_sign();
    let is_silent = last_sign <= since + ECHO;
    let prints_lines = evidence.kernel.has_same_reader();
    // Who draws a form hides the cursor, and may leave it on an empty line, too.
    let is_it = line.is_left && line.is_empty && line.has_cursor && !evidence.is_full_screen;
    let claim = Claim::new(Source::CommandRuns, Says::Working, last_sign);
    (is_it && (is_silent || prints_lines) && clock.within(last_sign, TOOL_LASTS)).then_some(claim)
}

fn is_idle(evidence: &Evidence) -> bool {
    evidence.kernel.cpu_percent <= BUSY_PERCENT && !evidence.kernel.has_new_children()
}

fn processes(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let (_, since) = evidence.kernel.sample.as_ref()?;
    // Programs that wait are busy now and then.
    if evidence.waits_since.is_some() {
        return None;
    }
    let is_busy = evidence.kernel.cpu_percent > BUSY_PERCENT;
    let claim = Claim::new(Source::Processes, Says::Working, *since);
    (is_busy || tool_runs(evidence, clock)).then_some(claim)
}

/// Whether something that the program has started in this turn still runs, in silence.
fn tool_runs(evidence: &Evidence, clock: &mut Clock) -> bool {
    evidence.waits_since.is_none()
        && evidence.kernel.has_tool()
        && clock.within(evidence.last_sign(), TOOL_LASTS)
}

/// What was known of it before we were started, while nothing newer is.
fn earlier(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    evidence.earlier.as_ref()?.claim(evidence.last_sign(), clock)
}

fn output(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let since = evidence.last_work.or(evidence.submitted)?;
    if !evidence.text_flows() {
        return None;
    }
    let claim = Claim::new(Source::Output, Says::Working, since);
    clock.within(evidence.last_sign(), quiet(evidence)).then_some(claim)
}

fn silence(evidence: &Evidence, clock: &mut Clock) -> Option<Claim> {
    let since = evidence.last_sign();
    // While we disturb a program its silence proves nothing.
    let undisturbed = evidence.redrawn_until().is_none_or(|at| clock.passed(at, Duration::ZERO));
    let waits_on = evidence.waits_since.is_some() && !evidence.text_flows();
    let reason = if waits_on { evidence.waits_for } else { Reason::Silence };
    let says = Says::Waiting(reason);
    let claim = Claim::new(Source::Silence, says, since);
    (waits_on || (clock.passed(since, quiet(evidence)) && undisturbed)).then_some(claim)
}

/// How long silence lasts before it says something.
fn quiet(evidence: &Evidence) -> Duration {
    let configured = evidence.timeouts.needs_input;
    match &evidence.kernel.sample {
        Some(_) if evidence.is_up => configured.min(QUIET),
        // It has prepared its terminal and is about to draw.
        Some((sample, _)) if !sample.is_canonical => configured.max(BLANK),
        _ => configured,
    }
}
