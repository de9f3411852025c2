//! Agents that print while the window is killed again and again, at any moment: none of them ends, and no line
//! is lost or there twice.
//!
//! `cargo xtask soak` does it a hundred times; see [`CRASHES`] and [`SEED`].

use std::fs;
use std::time::Duration;

use crate::harness::{Instance, wait_for};
use crate::hosted::hosted;
use crate::system::{is_alive, let_pass};

const N_AGENTS: usize = 10;
/// How often it is killed, if not as often as here.
const CRASHES: (&str, usize) = ("TRACKSIDE_CRASHES", 10);
/// Makes the same moments again.
const SEED: (&str, usize) = ("TRACKSIDE_CRASH_SEED", 5);
/// Every so often it may live long enough to be asked.
const ASKED_EACH: usize = 3;

/// Some three hundred lines a second, until there is a file called `stop`.
const COUNTING: &str = "i=0; while [[ ! -e stop ]]; do for n in 1 2 3 4 5 6 7; do echo line $((++i)); \
                        done; read -rt 0.02; done; echo end $i; exec cat";

fn number((name, usual): (&str, usize)) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Numbers that look random, and are the same for the same seed (splitmix64).
struct Dice(u64);

impl Dice {
    fn throw(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }
}

fn name(agent: usize) -> String {
    format!("agent-{agent}")
}

/// The numbers of all lines, which must be one more each time.
#[track_caller]
fn check_lines(text: &str, what: &str) -> (u64, u64) {
    let number = |line: &str| line.trim_end().strip_prefix("line ")?.parse::<u64>().ok();
    let numbers: Vec<u64> = text.lines().filter_map(number).collect();
    let odd = numbers.windows(2).find(|pair| pair[0] + 1 != pair[1]);
    assert!(odd.is_none(), "{what}: {odd:?} follow each other");
    let others: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && number(line).is_none()).collect();
    let is_head = |line: &&str| line.starts_with("── launch 1 ") || line.starts_with("end ");
    assert!(others.iter().all(is_head), "{what}: {others:?}");
    (numbers[0], *numbers.last().expect("lines"))
}

impl Instance {
    /// All that is shown of an agent, what lies above the screen included.
    fn whole_screen(&self, agent: usize) -> String {
        let file = self.path("saved");
        if file.exists() {
            fs::remove_file(&file).unwrap();
        }
        self.open(&name(agent));
        let path = file.to_str().unwrap().replace('"', "\\\"");
        self.ok(["do", "terminal.save_output", &format!("{{\"path\":\"{path}\"}}")]);
        fs::read_to_string(&file).unwrap()
    }

    fn transcript_of(&self, agent: usize) -> String {
        self.ok(["transcript", "-w", &name(agent)])
    }
}

#[test]
fn no_agent_ends_and_no_line_is_lost_however_often_the_window_is_killed() {
    let (n_crashes, seed) = (number(CRASHES), number(SEED));
    println!("{n_crashes} crashes; the same again with {}={seed}", SEED.0);
    let mut dice = Dice(u64::try_from(seed).unwrap());
    let mut instance = hosted();
    let pids: Vec<i32> = (0..N_AGENTS)
        .map(|agent| {
            fs::create_dir(instance.path(&name(agent))).unwrap();
            instance.open(&name(agent));
            instance.start_agent(&name(agent), &["bash", "-c", COUNTING]);
            instance.wait_for_screen(&name(agent), "line 1");
            instance.agent_pid(&name(agent))
        })
        .collect();
    let host = instance.host_pid();
    for crash in 0..n_crashes {
        let_pass(Duration::from_millis(dice.throw(700)));
        instance.crash();
        let dead: Vec<usize> = (0..N_AGENTS).filter(|agent| !is_alive(pids[*agent])).collect();
        assert!(dead.is_empty(), "after crash {crash} these have ended: {dead:?}");
        if crash % ASKED_EACH == 0 {
            instance.start_hosted_again();
            let agent = usize::try_from(dice.throw(N_AGENTS as u64)).unwrap();
            instance.wait_for_screen(&name(agent), "line");
            check_lines(&instance.whole_screen(agent), "as shown again");
        } else {
            instance.begin_hosted_again();
        }
    }
    instance.crash();
    instance.start_hosted_again();
    assert_eq!(instance.host_pid(), host, "one host for all");
    for agent in 0..N_AGENTS {
        fs::write(instance.path(&name(agent)).join("stop"), "").unwrap();
    }
    for (agent, pid) in pids.into_iter().enumerate() {
        let name = name(agent);
        instance.wait_for_screen(&name, "end ");
        assert_eq!(instance.agent_pid(&name), pid, "{name} is the same program");
        let (transcript, shown) = (instance.transcript_of(agent), instance.whole_screen(agent));
        let (first, last) = check_lines(&transcript, &format!("transcript of {name}"));
        assert_eq!(first, 1, "from the beginning");
        assert!(transcript.contains(&format!("end {last}")), "all that {name} has printed");
        let (first_shown, last_shown) = check_lines(&shown, &format!("screen of {name}"));
        assert!(last_shown - first_shown > 300.min(last / 2), "{first_shown} to {last_shown}");
        assert_eq!(last_shown, last, "{name} to its end");
    }
    let states = instance.workspaces();
    assert_eq!(states.len(), N_AGENTS, "no more and no fewer: {states:?}");
    wait_for(|| instance.cli(["quit", "--stop-agents"]).status.success().then_some(()));
}
