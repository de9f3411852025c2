//! Scripts in virtual time: `"0 a permission, 0.5 b question, 3 a -"` says who waits for what from
//! when on, `here` and `away` where the person is.

use agent::AgentIds;

use super::*;

fn reason(name: &str) -> Option<Reason> {
    let all = [
        Reason::Permission,
        Reason::Question,
        Reason::Confirmation,
        Reason::Password,
        Reason::FirstRun,
        Reason::Error,
        Reason::TurnDone,
        Reason::Silence,
        Reason::GaveUp,
    ];
    all.into_iter().find(|reason| reason.name() == name)
}

/// Plays a script and writes down what is said, looking only when something changes or is due.
struct Play {
    notifier: Notifier,
    config: NotifyConfig,
    ids: BTreeMap<String, AgentId>,
    waiting: Vec<(AgentId, Reason)>,
    manner: Manner,
    said: Vec<String>,
    start: Instant,
    looks: usize,
}

impl Play {
    #[expect(clippy::disallowed_methods, reason = "a moment to count from")]
    fn new(config: NotifyConfig) -> Self {
        let mut minted = AgentIds::default();
        Self {
            notifier: Notifier::default(),
            config,
            ids: ["a", "b", "c", "d"].map(|name| (name.to_owned(), minted.mint())).into(),
            waiting: Vec::new(),
            manner: Manner::Tell,
            said: Vec::new(),
            start: Instant::now(),
            looks: 0,
        }
    }

    fn names(&self, ids: &[AgentId]) -> String {
        let name = |id: &AgentId| {
            let found = self.ids.iter().find(|(_, known)| *known == id);
            found.map_or("?", |(name, _)| name.as_str()).to_owned()
        };
        ids.iter().map(name).collect::<Vec<_>>().join("+")
    }

    fn look(&mut self, now: Instant) {
        self.looks += 1;
        let said = self.notifier.look(&self.waiting, self.manner, &self.config, now);
        let shown = self.names(self.notifier.shown());
        let words = match said {
            Said::Nothing => return,
            Said::News { fresh } => format!("tell {} of {shown}", self.names(&fresh)),
            Said::Fewer => format!("left {shown}"),
            Said::Withdrawn => "withdraw".to_owned(),
        };
        let at = (now - self.start).as_secs_f32();
        self.said.push(format!("{at} {words}"));
    }

    fn pass_until(&mut self, until: Instant) {
        while let Some(due) = self.notifier.next_deadline(&self.config).filter(|due| *due <= until)
        {
            self.look(due);
            let next = self.notifier.next_deadline(&self.config);
            assert!(next.is_none_or(|next| next > due), "no deadline is left in the past");
        }
    }

    fn step(&mut self, step: &str) {
        let mut words = step.split_whitespace();
        let mut word = || words.next().unwrap_or_default();
        let now = self.start + Duration::from_secs_f32(word().parse().expect("a time"));
        self.pass_until(now);
        match (word(), word()) {
            ("here", _) => self.manner = Manner::HoldBack,
            ("away", _) => self.manner = Manner::Tell,
            ("end", _) => {}
            (name, what) => {
                let id = self.ids[name];
                self.waiting.retain(|(waits, _)| *waits != id);
                self.waiting.extend(reason(what).map(|reason| (id, reason)));
            }
        }
        self.look(now);
    }
}

#[track_caller]
fn play(script: &str, config: NotifyConfig) -> Play {
    let mut play = Play::new(config);
    script.split(", ").for_each(|step| play.step(step));
    play.pass_until(play.start + Duration::from_secs(3600));
    play
}

#[track_caller]
fn check(script: &str, said: &str) {
    let play = play(script, NotifyConfig::default());
    assert_eq!(play.said.join(", "), said, "after {script:?}");
}

#[test]
fn who_begins_to_wait_is_told_of_after_a_moment_and_once() {
    check("0 a permission", "1 tell a of a");
    check("0 a permission, 9 end, 99 end", "1 tell a of a");
    check("0 a turn_done", "1 tell a of a");
}

#[test]
fn what_is_answered_at_once_or_flickers_says_nothing() {
    check("0 a permission, 0.9 a -", "");
    check("0 a permission, 0.5 a -, 0.6 a permission, 1.2 a -, 1.3 a permission, 2 a -", "");
    check("0 a permission, 0.5 a -, 0.6 a permission", "1.6 tell a of a");
}

#[test]
fn a_guess_is_told_of_only_once_something_better_is_known() {
    check("0 a silence, 100 end", "");
    check("0 a gave_up", "");
    check("0 a silence, 3 a permission", "4 tell a of a");
    check("0 a permission, 3 a question, 5 a silence", "1 tell a of a");
}

#[test]
fn those_that_begin_together_are_told_of_together() {
    check("0 a error, 0 b error, 0 c error", "1 tell a+b+c of a+b+c");
    check("0 b question, 0.2 a error", "1 tell b of b, 6 tell a of b+a");
    check("0 a error, 2 b error, 4 c error", "1 tell a of a, 6 tell b+c of a+b+c");
    check("0 a error, 2 b error, 3 b -, 4 c error", "1 tell a of a, 6 tell c of a+c");
}

#[test]
fn the_same_agent_is_told_of_now_and_then() {
    check(
        "0 a error, 2 a -, 3 a error, 5 a -, 6 a error",
        "1 tell a of a, 2 withdraw, 11 tell a of a",
    );
    // A flapping agent for a minute, and one that has to wait for it.
    let flaps: Vec<String> = (0..40)
        .map(|i| {
            let at = f64::from(i) * 1.5;
            format!("{at} a permission, {} a -", at + 1.2)
        })
        .collect();
    let said = play(&flaps.join(", "), NotifyConfig::default()).said;
    let told = said.iter().filter(|words| words.contains("tell")).count();
    assert!(told <= 6, "told {told} times in a minute: {said:?}");
    assert!(told >= 4, "and not forgotten either: {said:?}");
}

#[test]
fn answers_shorten_the_notification_and_the_last_takes_it_away() {
    check("0 a error, 0 b error, 3 a -, 4 b -", "1 tell a+b of a+b, 3 left b, 4 withdraw");
    check("0 a error, 1 end, 2 a turn_done, 3 a -", "1 tell a of a, 3 withdraw");
}

#[test]
fn who_looks_is_told_nothing_and_not_afterwards_either() {
    check("0 here, 1 a permission, 9 away, 20 end", "");
    check("0 a permission, 0.5 here, 0.7 away", "");
    check("0 a permission, 2 here, 3 away, 9 b error", "1 tell a of a, 2 withdraw, 10 tell b of b");
    check("0 here, 0 a permission, 5 a -, 6 away, 7 a permission", "8 tell a of a");
}

#[test]
fn nothing_is_looked_at_while_nothing_is_due() {
    let play = play("0 a permission, 100 b silence, 200 here, 300 away", NotifyConfig::default());
    assert_eq!(play.looks, 5, "one for each step, and one when it was due");
    assert_eq!(play.notifier.next_deadline(&play.config), None, "and nothing more to come");
}

#[test]
fn the_interval_and_the_reasons_are_the_users() {
    let config = NotifyConfig {
        min_interval: Duration::from_secs(60),
        reasons: ["silence"].into(),
        ..NotifyConfig::default()
    };
    let said = play("0 a silence, 2 b permission, 3 a -, 4 a silence", config).said;
    assert_eq!(said, ["1 tell a of a", "3 withdraw", "61 tell a of a"]);
}

#[test]
fn every_reason_can_be_named_in_the_configuration() {
    for name in config::REASONS {
        assert!(reason(name).is_some(), "{name} is a reason");
    }
    assert_eq!(config::REASONS.len(), 9, "and they are all of them");
}
