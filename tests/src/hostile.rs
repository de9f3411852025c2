//! Programs that mean harm, or were killed at a bad time, in the real program.
//!
//! Most of what hostile output could do is tested in `crates/terminal`, where a table says which
//! test shows what; here is what takes the whole: memory, keys, sizes, titles.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{Instance, PATIENCE, Setup, timed, wait_at_most, wait_for};

/// Does what it is told, line by line, and shows nothing of that.
const OBEYS: &[&str] =
    &["sh", "-c", "stty -echo; echo ready; while read -r x; do eval \"$x\"; done"];

/// What a bomb may leave in memory, what it scrolled included.
const LARGEST: u64 = 32 << 20;

/// All that a full-screen program may switch on.
const MODES: &str = r"\033[?1049h\033[?1000;1002;1003;1006;1004;2004;1h\033[>31u\033[>4;2m\033[4h\033[2;3r\033(0full";

/// Tells each size that it is told.
const COUNTS_SIZES: &str = r#"
import os, signal
count = 0
def told(*_):
    global count
    count += 1
    size = os.get_terminal_size(0)
    os.write(1, b"told %d %d %d end\r\n" % (count, size.lines, size.columns))
signal.signal(signal.SIGWINCH, told)
os.write(1, b"ready\r\n")
while True:
    signal.pause()
"#;

/// Output, as a script of the shell.
const BOMBS: &[(&str, &str)] = &[
    ("an endless title", r"printf '\033]2;'; head -c 512M /dev/zero | tr '\0' A; printf '\033\\'"),
    (
        "stacks of titles and keyboard modes",
        r"t=$(head -c 60000 /dev/zero | tr '\0' T); printf '\033]2;%s\007' $t; yes $(printf '\033[22t\033[>31u') | head -n 5000",
    ),
    ("marks on one cell", r"printf e; yes $(printf '\314\201') | head -n 1000000 | tr -d '\n'"),
    (
        "marks on all cells",
        r"yes $(printf 'e\314\201\314\201\314\201\314\201\314\201\314\201\314\201\314\201\314\201') | head -n 100000 | tr -d '\n'",
    ),
    (
        "links",
        r#"awk 'BEGIN { p = sprintf("%2000s", ""); gsub(/ /, "p", p); for (i = 0; i < 60000; i++) printf "\033]8;;http://h/%d/%s%s\007x\033]8;;\007", i, p, i % 2 ? p : "" }'"#,
    ),
    (
        "a picture",
        r"printf '\033Pq#65'; yes '!2147483647@' | head -c 16M | tr -d '\n'; printf '\033\\'",
    ),
    (
        "an endless update",
        r"printf '\033[?2026h'; yes some words of a line | head -c 8M; printf '\033[?2026h'",
    ),
    (
        "underlines of many colours",
        r#"awk 'BEGIN { for (i = 0; i < 200000; i++) printf "\033[58:5:%dmx", i % 256 }'"#,
    ),
];

impl Instance {
    fn resident(&self) -> u64 {
        self.stats()["memory"]["resident_bytes"].as_u64().expect("a number")
    }

    /// How long the loop took to answer each of many questions, quickest first.
    fn answer_times(&self, count: usize) -> Vec<Duration> {
        let mut stream = UnixStream::connect(self.socket()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut ask = |id| {
            let request = format!(r#"{{"version":1,"id":{id},"call":"status","args":{{}}}}"#);
            writeln!(stream, "{request}").unwrap();
            lines.next().expect("an answer").unwrap()
        };
        let mut times: Vec<_> = (0..count).map(|id| timed(|| ask(id)).1).collect();
        times.sort();
        times
    }
}

#[test]
fn bombs_cost_little_memory() {
    let instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", OBEYS);
    instance.wait_for_screen("one", "ready");
    // What is allocated on the first occasion is not the bombs' doing.
    instance.ok(["agent", "send", "--enter", "seq 5000; printf '\\033c'; echo warm"]);
    instance.wait_for_screen("one", "warm");
    for (number, (name, bomb)) in BOMBS.iter().enumerate() {
        let before = instance.resident();
        let script = format!("{bomb}; printf '\\030\\033[?2026l\\033c'; echo ok-{number}");
        instance.ok(["agent", "send", "--enter", &script]);
        instance.wait_for_screen("one", &format!("ok-{number}"));
        let grown = instance.resident().saturating_sub(before);
        assert!(grown <= LARGEST, "{name}: {grown} bytes more");
    }
}

#[test]
fn a_hostile_title_reaches_no_tab_and_no_window_manager() {
    let instance = Setup::windowed().start();
    let window = instance.display().focus_window();
    instance.open("one");
    let title = r"\033]2;evil\n\302\2332J\342\200\256\342\200\213%s\007";
    let script = format!("printf '{title}' $(head -c 1M /dev/zero | tr '\\0' A); cat");
    let tab: u64 =
        instance.ok(["terminal", "new", "--", "sh", "-c", &script]).trim().parse().unwrap();
    let shown = wait_for(|| {
        let workspace = instance.workspace("one");
        let tabs = workspace["tabs"].as_array()?;
        let tab = tabs.iter().find(|it| it["id"] == tab)?;
        tab["title"].as_str().filter(|title| title.contains("evil")).map(ToOwned::to_owned)
    });
    let shown = shown.expect("the tab has its program's title");
    assert_eq!(shown, format!("evil2J{}", "A".repeat(250)), "short and plain");
    let name = instance.display().xdotool(&["getwindowname", &window]);
    assert_eq!(name.trim_end(), "one — Trackside", "the window is not the program's to name");
}

#[test]
fn ctrl_c_reaches_a_program_that_prints_bombs() {
    for insert in ["", r"\033[4h"] {
        let instance = Instance::headless();
        instance.open("one");
        let script = format!(r"exec yes $(printf '{insert}x\033[65535b\033[65535b\033[65535b')");
        instance.start_agent("one", &["sh", "-c", &script]);
        instance.wait_for_screen("one", "xxxx");
        let times = instance.answer_times(21);
        let median = times[times.len() / 2];
        assert!(median <= Duration::from_millis(100), "the loop answers: {times:?}");
        instance.ok(["keys", "ctrl-c"]);
        let ended = wait_at_most(Duration::from_secs(20), || {
            (instance.workspace("one")["agent"]["signal"] == "SIGINT").then_some(())
        });
        assert!(ended.is_some(), "it is interrupted: {}", instance.workspace("one"));
    }
}

#[test]
fn questions_of_a_program_that_never_reads_do_not_pile_up() {
    let instance = Instance::headless();
    instance.open("one");
    // 500,000 answers would be 2.5 MB. It reads what it was sent only when all has been asked.
    let script = "stty -icanon -echo; yes $(printf '\\033[c') | head -n 500000 | tr -d '\\n'; \
        echo asked; until [ -e go ]; do sleep 0.1; done; echo answers: $(head -n 1 | wc -c); cat";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait_for_screen("one", "asked");
    let times = instance.answer_times(5);
    assert!(times[2] <= Duration::from_millis(100), "nobody waits for it: {times:?}");
    std::fs::write(instance.path("one/go"), "").unwrap();
    // What is typed comes after the answers, and is not refused because of them.
    instance.ok(["type", "typed\n"]);
    instance.wait_for_screen("one", "answers: ");
    let screen = instance.screen("one");
    let (_, count) = screen.split_once("answers: ").expect("a number");
    let count: usize = count.lines().next().unwrap_or_default().trim().parse().unwrap();
    // One batch may be on its way into the terminal, which itself holds some.
    assert!((1000..200_000).contains(&count), "{count} bytes of answers");
}

#[test]
fn after_a_killed_full_screen_program_the_next_prompt_is_usable() {
    let instance = Instance::headless();
    instance.open("one");
    let script = format!(
        "if [ -e was ]; then echo again; read -r x; echo \"got $x\"; cat; fi; : >was; \
         printf '{MODES}'; read -r x; cat"
    );
    instance.start_agent("one", &["sh", "-c", &script]);
    wait_for(|| instance.path("one/was").exists().then_some(())).expect("it has started");
    wait_for(|| (!instance.screen("one").trim().is_empty()).then_some(())).expect("full screen");
    kill(Pid::from_raw(instance.agent_pid("one")), Signal::SIGKILL).unwrap();
    instance.wait("one", "exited");
    instance.ok(["agent", "restart"]);
    instance.wait_for_screen("one", "again");
    // As keys, which would be sent in another form to the program that was killed.
    instance.ok(["type", "hello\n"]);
    instance.wait_for_screen("one", "got hello");
}

#[test]
fn a_shell_is_usable_after_a_reset_whatever_a_killed_program_left() {
    let instance = Instance::headless();
    instance.open("one");
    let tab = instance.ok(["terminal", "new"]);
    let text = || instance.ok(["terminal", "text", "--tab", tab.trim()]);
    let wait_for_text = |wanted: &str| {
        let found = wait_for(|| text().contains(wanted).then_some(()));
        assert!(found.is_some(), "no {wanted:?} in the terminal:\n{}", text());
    };
    wait_for_text("$");
    let script = format!("sh -c \"printf '{MODES}'; : >was; kill -KILL \\$\\$\"");
    instance.ok(["terminal", "send", "--tab", tab.trim(), "--enter", &script]);
    wait_for(|| instance.path("one/was").exists().then_some(())).expect("it has started");
    let at_prompt = || instance.workspace("one")["tabs"][0]["running"].is_null();
    wait_for(|| at_prompt().then_some(())).expect("it is killed");
    instance.ok(["do", "terminal.reset"]);
    instance.ok(["type", "echo still $((40+2))\n"]);
    wait_for_text("still 42");
}

#[test]
fn a_program_is_told_few_of_many_sizes_and_the_last() {
    let instance = Setup::windowed().start();
    let window = instance.display().focus_window();
    instance.open("one");
    instance.start_agent("one", &["python3", "-c", COUNTS_SIZES]);
    instance.wait_for_screen("one", "ready");
    let told = || {
        let screen = instance.screen("one").replace('\n', "");
        let (_, last) = screen.rsplit_once("told ")?;
        let (last, _) = last.split_once(" end")?;
        let mut numbers = last.split(' ').map(|number| number.parse::<u32>().ok());
        Some((numbers.next()??, numbers.next()??, numbers.next()??))
    };
    let resize = |sizes: &[(u32, u32)]| {
        let mut xdotool = Command::new("xdotool");
        xdotool.env("DISPLAY", instance.display().name());
        for (width, height) in sizes {
            xdotool.args(["windowsize", &window, &width.to_string(), &height.to_string()]);
            // A thousand of them take two seconds.
            xdotool.args(["sleep", "0.002"]);
        }
        assert!(xdotool.status().unwrap().success(), "the window takes any size");
    };
    let settle = |after: u32| {
        let mut last = None;
        wait_for(|| {
            let seen = told().filter(|seen| seen.0 > after)?;
            (last.replace(seen) == Some(seen)).then_some(seen)
        })
    };
    resize(&[(901, 601)]);
    let (count, rows, columns) = settle(0).expect("the first size is told");
    let sizes: Vec<_> = (0..1000).map(|n| (400 + n * 37 % 300, 80 + n * 53 % 150)).collect();
    let ((), took) = timed(|| {
        resize(&sizes);
        resize(&[(901, 601)]);
        wait_for(|| told().filter(|seen| seen.0 > count && (seen.1, seen.2) == (rows, columns)));
    });
    let (after, last_rows, last_columns) = settle(count).expect("more sizes are told");
    assert_eq!((last_rows, last_columns), (rows, columns), "the last size is told");
    let most = 20.0 * took.as_secs_f64() + 3.0;
    let told = f64::from(after - count);
    assert!(told <= most, "told {told} sizes in {took:?}");
    // Minimised it has no size at all.
    instance.display().xdotool(&["windowminimize", &window]);
    instance.status();
    instance.display().xdotool(&["windowactivate", "--sync", &window]);
    assert_eq!(instance.workspace("one")["agent"]["state"], "running", "it lives");
}

#[test]
fn an_update_that_never_ends_is_shown() {
    let instance = Instance::headless();
    instance.open("one");
    let script = r"printf 'before\r\n\033[?2026hheld back'; exec sleep 1000";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait_for_screen("one", "held back");
}

/// D47: whatever an agent sends, it reaches no terminal but through what it prints.
#[test]
fn an_agent_types_into_no_terminal() {
    let instance = Instance::headless();
    instance.open("two");
    instance.start_agent("two", &["cat"]);
    instance.open("one");
    let trackside = crate::command::binary();
    let send = format!("'{}' agent send --enter -w", trackside.display());
    let script = format!("{send} two harm 2>&1; {send} one harm 2>&1; echo done; exec cat");
    instance.start_agent("one", &["sh", "-c", &script]);
    instance.wait_for_screen("one", "done");
    let said = instance.screen("one").replace('\n', " ");
    assert_eq!(said.matches("may not drive").count(), 2, "refused twice: {said}");
    assert!(!instance.screen("two").contains("harm"), "nothing arrived");
}
