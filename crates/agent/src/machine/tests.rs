//! The rules by which states change, one line a case.

use std::sync::OnceLock;

use terminal::{BlockedOn, ProgramState, ProgramStatus, Progress, ProgressState};

use super::*;
use crate::question::Standing;
use crate::{Process, Reported, ReportedBy};

mod news;
mod properties;
mod sources;
mod table;

/// Plays a script such as `"0.0 output, 5.0 tick"` and writes the states it passes through.
///
/// Times are seconds since the start; the words are those of [`Stage::play`].
#[track_caller]
fn check(script: &str, expected: &str) {
    let mut stage = Stage::new(Timeouts::default());
    let mut states = vec![describe(stage.machine.state())];
    for (now, event) in steps(script) {
        let before = stage.machine.state();
        let transition = stage.play(event, now);
        let changed = before != stage.machine.state();
        if event != "restart" {
            assert_eq!(transition.is_some(), changed, "a transition iff it changed: {event}");
        }
        if let Some(transition) = transition {
            assert_eq!(transition.to, stage.machine.state(), "it says where to: {event}");
            assert_eq!(stage.machine.since(), stage.start + now, "it was entered now: {event}");
        }
        if changed {
            states.push(describe(stage.machine.state()));
        }
    }
    assert_eq!(states.join(" > "), expected, "states passed through by: {script}");
}

/// The steps of a script in order: a time, or `FROM..TO/EVERY` for one that is repeated, and an event.
fn steps(script: &str) -> impl Iterator<Item = (Duration, &str)> {
    let seconds = |text: &str| text.parse::<f64>().expect("seconds");
    script.split(", ").filter(|step| !step.is_empty()).flat_map(move |step| {
        let (time, event) = step.split_once(' ').expect("a time and an event");
        let (from, to, every) = match time.split_once("..") {
            None => (seconds(time), seconds(time), 1.0),
            Some((from, rest)) => {
                let (to, every) = rest.split_once('/').expect("how often");
                (seconds(from), seconds(to), seconds(every))
            }
        };
        let at = move |index: i32| from + f64::from(index) * every;
        let times = (0..).map(at).take_while(move |at| *at <= to + 1e-6);
        times.map(move |at| (whole_ms(at), event))
    })
}

/// A machine, and what the words of a script need to know beside it.
struct Stage {
    machine: AgentStateMachine,
    start: Instant,
    cpu_ticks: u64,
    sampled: Duration,
}

impl Stage {
    fn new(timeouts: Timeouts) -> Self {
        let start = epoch();
        let machine = AgentStateMachine::new(timeouts, start);
        Self { machine, start, cpu_ticks: 0, sampled: Duration::ZERO }
    }

    /// The person: `type` (a key that submits nothing), `send` (input that ends in a carriage return),
    /// `send-lf`, `end` (of input), `press KEY`, `nothing`, `seen`.
    ///
    /// The program: `output` (unseen), `text`, `cell`, `frame` (of an animation), `count`, `blink`,
    /// `scroll`, `blank`, the first of which may be `full` (screen); `status STATE`, `part ID STATE`,
    /// `title TEXT`, `progress STATE`, `notify TEXT`, `bell`, `paste on|off`, `ask REASON [TEXT]`,
    /// `exit CODE`, `signal N`.
    ///
    /// We: `redraw`, `tick`, `restart`, `report STATE`, `hook STATE`, `unsampled`, `line
    /// prompt|typed|empty|label [hidden]` (the cursor), `sample WORDS` with `cooked` or
    /// `raw`, `hidden` (no echo), `reading`, `cpu=PERCENT`, `child=PID`, `front=GROUP`.
    fn play(&mut self, event: &str, at: Duration) -> Option<Transition> {
        let now = self.start + at;
        let (word, rest) = event.split_once(' ').unwrap_or((event, ""));
        let machine = &mut self.machine;
        match word {
            "output" => machine.on_output(now),
            "text" | "cell" | "frame" | "count" | "blink" | "scroll" | "blank" => {
                machine.on_motion(motion(word, rest), now)
            }
            "type" => machine.on_input(b"y", now),
            "press" => machine.on_input(rest.as_bytes(), now),
            "send" => machine.on_input(b"yes\r", now),
            "send-lf" => machine.on_input(b"\n", now),
            "end" => machine.on_input(b"\x04", now),
            "nothing" => machine.on_input(b"", now),
            "seen" => {
                machine.seen();
                None
            }
            "redraw" => machine.on_redraw(now),
            "tick" => machine.on_deadline(now),
            "exit" => machine.on_exit(Exit::Code(rest.parse().expect("a code")), now),
            "signal" => machine.on_exit(Exit::Signal(rest.parse().expect("a signal")), now),
            "give" => machine.give_up(now),
            "restart" => {
                machine.restart(now);
                None
            }
            "report" => machine.on_report(report(ReportedBy::Script, rest, now), now),
            "hook" => machine.on_report(report(ReportedBy::Hook, rest, now), now),
            "ask" => {
                let reading = Reading { question: question(rest), ..Reading::default() };
                machine.on_reading(reading, now)
            }
            "line" => machine.on_reading(line(rest), now),
            "unsampled" => {
                machine.sample_failed(now);
                None
            }
            "sample" => {
                let sample = self.sample(rest, at);
                self.machine.on_sample(sample, now)
            }
            _ => machine.on_signal(&signal(word, rest), rules(), now),
        }
    }

    fn sample(&mut self, words: &str, at: Duration) -> ProcessSample {
        let passed = at.saturating_sub(self.sampled).max(Duration::from_millis(250));
        self.sampled = at;
        let mut sample = ProcessSample { echoes: true, foreground: 1, ..Default::default() };
        let process = |pid| Process { pid, cpu_ticks: 0, reads_terminal: false };
        sample.processes.push(process(1));
        for word in words.split(' ') {
            match word.split_once('=').unwrap_or((word, "")) {
                ("cooked", _) => sample.is_canonical = true,
                ("raw", _) => (sample.is_canonical, sample.echoes) = (false, false),
                ("hidden", _) => sample.echoes = false,
                ("reading", _) => sample.processes[0].reads_terminal = true,
                ("cpu", percent) => {
                    let percent: u64 = percent.parse().expect("a percentage");
                    self.cpu_ticks += percent * u64::try_from(passed.as_millis()).unwrap() / 1000;
                }
                ("child", pid) => sample.processes.push(process(pid.parse().expect("a pid"))),
                ("front", group) => sample.foreground = group.parse().expect("a group"),
                (other, _) => panic!("unknown sample {other}"),
            }
        }
        sample.processes[0].cpu_ticks = self.cpu_ticks;
        sample
    }
}

fn motion(word: &str, rest: &str) -> Motion {
    let is_full_screen = rest == "full";
    let still = Motion { shows_something: true, is_full_screen, ..Motion::default() };
    match word {
        "text" => Motion { text: 20, ..still },
        "cell" => Motion { text: 1, ..still },
        "frame" => Motion { animated: 3, ..still },
        "count" => Motion { counting: 1, ..still },
        "blink" => Motion { blinking: 1, ..still },
        "scroll" => Motion { scrolled: 1, ..still },
        "blank" => Motion { is_full_screen, ..Motion::default() },
        other => panic!("unknown motion {other}"),
    }
}

fn signal(word: &str, rest: &str) -> TerminalSignal {
    let progress = |state| TerminalSignal::Progress(Progress { state, percent: None });
    match (word, rest) {
        ("status", state) => TerminalSignal::Status(status(None, state)),
        ("part", rest) => {
            let (id, state) = rest.split_once(' ').expect("an id and a state");
            TerminalSignal::Status(status(Some(id.to_owned()), state))
        }
        ("title", text) => TerminalSignal::Title(text.to_owned()),
        ("progress", "on") => progress(ProgressState::Indeterminate),
        ("progress", "half") => progress(ProgressState::Normal),
        ("progress", "error") => progress(ProgressState::Error),
        ("progress", "paused") => progress(ProgressState::Paused),
        ("progress", "off") => progress(ProgressState::Removed),
        ("notify", text) => TerminalSignal::Notification { title: None, body: text.to_owned() },
        ("bell", _) => TerminalSignal::Bell,
        ("paste", on) => TerminalSignal::BracketedPaste(on == "on"),
        (other, _) => panic!("unknown event {other}"),
    }
}

/// `STATE`, or `STATE: what the program says`.
fn status(id: Option<String>, text: &str) -> ProgramStatus {
    let (word, message) = match text.split_once(": ") {
        Some((word, message)) => (word, Some(message.to_owned())),
        None => (text, None),
    };
    let state = match word {
        "working" => ProgramState::Working,
        "idle" => ProgramState::Idle,
        "done" => ProgramState::Done,
        "error" => ProgramState::Error,
        "permission" => ProgramState::Blocked(BlockedOn::Permission),
        "question" => ProgramState::Blocked(BlockedOn::Question),
        "auth" => ProgramState::Blocked(BlockedOn::Auth),
        "blocked" => ProgramState::Blocked(BlockedOn::Other),
        "clear" => ProgramState::Cleared,
        other => panic!("unknown status {other}"),
    };
    ProgramStatus { state, id, app: None, title: None, message, progress: None }
}

/// `STATE`, or `STATE: what it says`.
fn report(by: ReportedBy, text: &str, at: Instant) -> Report {
    let (word, text) =
        text.split_once(": ").map_or((text, None), |(word, text)| (word, Some(text)));
    Report { says: reported(word), by, text: text.map(str::to_owned), at }
}

fn reported(word: &str) -> Reported {
    match word {
        "running" => Reported::Running,
        "permission" => Reported::NeedsInput(Reason::Permission),
        "question" => Reported::NeedsInput(Reason::Question),
        "cleared" => Reported::Cleared,
        "completed" => Reported::Completed,
        "errored" => Reported::Errored,
        other => panic!("unknown report {other}"),
    }
}

fn question(rest: &str) -> Option<Question> {
    let (word, text) = rest.split_once(' ').unwrap_or((rest, "may I?"));
    let reason = match word {
        "nothing" => return None,
        "permission" => Reason::Permission,
        "question" => Reason::Question,
        "confirmation" => Reason::Confirmation,
        "password" => Reason::Password,
        "first_run" => Reason::FirstRun,
        "error" => Reason::Error,
        other => panic!("unknown question {other}"),
    };
    let is_menu = matches!(reason, Reason::Permission | Reason::Question | Reason::FirstRun);
    let (rule, text, choices) = (word.to_owned(), text.to_owned(), Vec::new());
    let standing = if reason == Reason::Error { Standing::Words } else { Standing::Question };
    Some(Question { reason, rule, text, subject: None, is_menu, choices, standing, top: 2 })
}

/// What a screen says that asks nothing, by what stands before its cursor.
fn line(rest: &str) -> Reading {
    let (word, is_cursor_shown) = match rest.strip_suffix(" hidden") {
        Some(word) => (word, false),
        None => (rest, true),
    };
    let plain = Reading { is_cursor_shown, ..Reading::default() };
    match word {
        "prompt" => Reading { prompt: Some("prompt".to_owned()), ..plain },
        "typed" => plain,
        "empty" => Reading { is_line_empty: true, ..plain },
        "label" => Reading { question: Some(label()), ..plain },
        other => panic!("unknown line {other}"),
    }
}

fn label() -> Question {
    Question {
        reason: Reason::Question,
        rule: "label".to_owned(),
        text: "name: (demo)".to_owned(),
        subject: None,
        is_menu: false,
        choices: Vec::new(),
        standing: Standing::Words,
        top: 2,
    }
}

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| config::Config::default().rules("any", "any"))
}

fn describe(state: AgentState) -> String {
    match state {
        AgentState::Starting => "Starting".to_owned(),
        AgentState::Running => "Running".to_owned(),
        AgentState::NeedsInput { reason, .. } => format!("NeedsInput({})", reason.name()),
        AgentState::Stale { .. } => "Stale".to_owned(),
        AgentState::Exited { exit } => format!("Exited({exit})"),
        AgentState::Stopped => "Stopped".to_owned(),
    }
}

/// Some instant: the machine only ever compares and adds.
#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn epoch() -> Instant {
    Instant::now()
}

#[test]
fn silence_means_needs_input() {
    check("0.0 output, 4.9 tick, 5.0 tick", "Starting > Running > NeedsInput(silence)");
    check("0.0 output, 3.0 output, 5.0 tick, 7.9 tick", "Starting > Running");
    check("0.0 output, 3.0 output, 8.0 tick", "Starting > Running > NeedsInput(silence)");
}

#[test]
fn a_program_that_prints_nothing_needs_input_too() {
    check("4.9 tick", "Starting");
    check("5.0 tick", "Starting > NeedsInput(silence)");
}

#[test]
fn waiting_for_long_is_stale() {
    check("5.0 tick, 64.9 tick", "Starting > NeedsInput(silence)");
    check("5.0 tick, 65.0 tick", "Starting > NeedsInput(silence) > Stale");
    check("5.0 tick, 65.0 tick, 999.0 tick", "Starting > NeedsInput(silence) > Stale");
}

#[test]
fn output_ends_the_waiting() {
    check("5.0 tick, 6.0 output", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 65.0 tick, 70.0 output", "Starting > NeedsInput(silence) > Stale > Running");
    check(
        "5.0 tick, 6.0 output, 10.9 tick, 11.0 tick",
        "Starting > NeedsInput(silence) > Running > NeedsInput(silence)",
    );
}

#[test]
fn an_answer_ends_the_waiting_before_any_output() {
    check("5.0 tick, 6.0 send", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 6.0 send-lf", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 65.0 tick, 66.0 send", "Starting > NeedsInput(silence) > Stale > Running");
}

#[test]
fn an_answer_gives_the_program_its_full_time() {
    check("5.0 tick, 6.0 send, 10.9 tick", "Starting > NeedsInput(silence) > Running");
    check(
        "5.0 tick, 6.0 send, 11.0 tick",
        "Starting > NeedsInput(silence) > Running > NeedsInput(silence)",
    );
    check("0.0 output, 4.9 send, 5.0 tick, 9.8 tick", "Starting > Running");
    check("4.9 send, 5.0 tick, 9.8 tick", "Starting");
}

#[test]
fn the_echo_of_typing_is_not_output() {
    check("5.0 tick, 6.0 type, 6.01 output", "Starting > NeedsInput(silence)");
    check("5.0 tick, 6.0 type, 6.29 output", "Starting > NeedsInput(silence)");
    check("5.0 tick, 6.0 type, 6.3 output", "Starting > NeedsInput(silence) > Running");
    check("1.0 type, 1.1 output", "Starting");
}

#[test]
fn echo_does_not_postpone_the_silence() {
    check("0.0 output, 4.8 type, 4.9 output, 5.0 tick", "Starting > Running > NeedsInput(silence)");
}

#[test]
fn output_after_an_answer_is_never_echo() {
    check("5.0 tick, 6.0 type, 6.1 send, 6.15 output, 11.1 tick", {
        "Starting > NeedsInput(silence) > Running"
    });
}

#[test]
fn our_own_redraw_is_not_output() {
    check("5.0 tick, 6.0 redraw, 6.49 output", "Starting > NeedsInput(silence)");
    check("5.0 tick, 6.0 redraw, 6.5 output", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 65.0 tick, 66.0 redraw, 66.1 output", {
        "Starting > NeedsInput(silence) > Stale"
    });
    check("0.0 output, 4.6 redraw, 4.9 output, 5.0 tick", "Starting > Running");
    check("0.0 output, 4.6 redraw, 4.9 output, 5.1 tick", {
        "Starting > Running > NeedsInput(silence)"
    });
    check("0.0 output, 4.8 redraw, 5.1 redraw, 5.2 tick, 5.7 output, 6.0 tick", {
        "Starting > Running"
    });
}

#[test]
fn the_first_output_counts_even_right_after_a_resize() {
    check("0.0 redraw, 0.1 output", "Starting > Running");
    check("0.0 redraw, 0.1 output, 0.2 output, 5.1 tick", {
        "Starting > Running > NeedsInput(silence)"
    });
}

#[test]
fn typing_restarts_the_stale_clock() {
    check("5.0 tick, 60.0 type, 65.0 tick, 119.9 tick", "Starting > NeedsInput(silence)");
    check("5.0 tick, 60.0 type, 120.0 tick", "Starting > NeedsInput(silence) > Stale");
}

#[test]
fn typing_at_a_stale_agent_makes_it_wait_again() {
    check("5.0 tick, 65.0 tick, 70.0 type, 129.9 tick", {
        "Starting > NeedsInput(silence) > Stale > NeedsInput(silence)"
    });
    check("5.0 tick, 65.0 tick, 70.0 type, 130.0 tick", {
        "Starting > NeedsInput(silence) > Stale > NeedsInput(silence) > Stale"
    });
}

#[test]
fn typing_ahead_changes_nothing_while_it_works() {
    check("0.0 output, 2.0 type, 5.0 tick", "Starting > Running > NeedsInput(silence)");
    check("2.0 type, 4.9 tick, 5.0 tick", "Starting > NeedsInput(silence)");
}

#[test]
fn input_of_nothing_is_no_input() {
    check("5.0 tick, 6.0 nothing, 6.1 output", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 60.0 nothing, 65.0 tick", "Starting > NeedsInput(silence) > Stale");
}

#[test]
fn exits_end_every_state() {
    check("0.1 exit 127", "Starting > Exited(exit 127)");
    check("0.0 output, 1.0 exit 0", "Starting > Running > Exited(exit 0)");
    check("5.0 tick, 6.0 exit 3", "Starting > NeedsInput(silence) > Exited(exit 3)");
    check("5.0 tick, 65.0 tick, 66.0 signal 15", {
        "Starting > NeedsInput(silence) > Stale > Exited(SIGTERM)"
    });
    check("0.0 output, 1.0 signal 9", "Starting > Running > Exited(SIGKILL)");
}

#[test]
fn nothing_but_a_restart_leaves_exited() {
    check(
        "0.0 exit 1, 0.1 output, 0.2 send, 0.3 type, 0.4 redraw, 99.0 tick, 100.0 exit 0",
        "Starting > Exited(exit 1)",
    );
    check("0.0 exit 1, 9.0 restart, 9.1 output", "Starting > Exited(exit 1) > Starting > Running");
}

#[test]
fn a_restart_forgets_what_was_before() {
    check("0.0 output, 0.1 type, 0.2 exit 0, 0.3 restart, 0.35 output", {
        "Starting > Running > Exited(exit 0) > Starting > Running"
    });
    check("1.0 exit 0, 9.0 restart, 13.9 tick, 14.0 tick", {
        "Starting > Exited(exit 0) > Starting > NeedsInput(silence)"
    });
}

#[test]
fn late_and_double_ticks_do_no_harm() {
    check("0.0 output, 500.0 tick", "Starting > Running > NeedsInput(silence)");
    check("0.0 output, 500.0 tick, 500.0 tick", "Starting > Running > NeedsInput(silence)");
    check("0.0 output, 500.0 tick, 559.9 tick", "Starting > Running > NeedsInput(silence)");
    check("0.0 output, 500.0 tick, 560.0 tick", "Starting > Running > NeedsInput(silence) > Stale");
    check("0.0 tick, 0.0 tick", "Starting");
}

#[test]
fn the_time_waited_goes_on_counting_when_it_goes_stale() {
    let start = epoch();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut machine = AgentStateMachine::new(Timeouts::default(), start);
    machine.on_deadline(at(5));
    machine.on_deadline(at(65));
    assert_eq!(machine.state(), AgentState::Stale { since: at(5) }, "waiting since 5");
    assert_eq!(machine.since(), at(65), "stale since 65");
    machine.on_input(b"x", at(70));
    let waiting = AgentState::NeedsInput { since: at(5), reason: Reason::Silence };
    assert_eq!(machine.state(), waiting, "still waiting since 5");
}

#[test]
fn the_next_deadline_is_when_the_state_can_change() {
    let start = epoch();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut machine = AgentStateMachine::new(Timeouts::default(), start);
    assert_eq!(machine.next_deadline(), Some(at(5)), "starting: silence");
    machine.on_output(at(2));
    assert_eq!(machine.next_deadline(), Some(at(7)), "running: silence");
    machine.on_deadline(at(7));
    assert_eq!(machine.next_deadline(), Some(at(67)), "waiting: stale");
    machine.on_deadline(at(67));
    assert_eq!(machine.next_deadline(), None, "stale: nothing to wait for");
    machine.on_exit(Exit::Code(0), at(68));
    assert_eq!(machine.next_deadline(), None, "exited: nothing to wait for");
}

#[test]
fn an_endless_timeout_is_no_deadline() {
    let timeouts = Timeouts { needs_input: Duration::MAX, stale: Duration::MAX };
    let machine = AgentStateMachine::new(timeouts, epoch());
    assert_eq!(machine.next_deadline(), None, "beyond what an instant can hold");
}

/// Seconds, without what binary fractions add to them.
fn whole_ms(seconds: f64) -> Duration {
    let micros = Duration::from_secs_f64(seconds + 0.000_5).as_micros();
    Duration::from_millis(u64::try_from(micros / 1000).unwrap())
}
