//! What is left when the host itself is killed: found, told, and ended if the person says so.

use std::fs;
use std::time::Duration;

use serde_json::Value;

use crate::harness::{Instance, timed, wait_for};
use crate::hosted::hosted;
use crate::system::{Known, is_alive, let_pass};

/// Outlives its terminal, and has something that does so elsewhere. Each writes its number down.
const DEAF: &str = "trap '' HUP TERM; note() { echo $2 >$1.new; mv $1.new $1; }; \
    setsid sh -c 'trap \"\" HUP TERM; echo $$ >daemon.new; mv daemon.new daemon; \
    while :; do sleep 9; done' & note leader $$; echo deaf; while :; do sleep 9; done";

impl Instance {
    /// An agent that ends for SIGKILL alone, in the workspace "one".
    fn start_deaf_agent(&self) -> Known {
        self.open("one");
        self.start_agent("one", &["sh", "-c", DEAF]);
        self.wait_for_screen("one", "deaf");
        Known::in_folder(&self.path("one"), 2)
    }

    fn orphans(&self) -> Value {
        serde_json::from_str(&self.ok(["agent", "list", "--orphans", "--json"])).unwrap()
    }
}

#[test]
fn what_a_killed_host_leaves_is_listed_and_killed_without_an_instance() {
    let mut instance = hosted();
    let known = instance.start_deaf_agent();
    let agent = instance.agent_pid("one");
    // Also one that ends with its terminal.
    instance.open("two");
    instance.start_agent("two", &["cat"]);
    let soft = instance.agent_pid("two");
    instance.crash();
    instance.kill_host();
    wait_for(|| (!is_alive(soft)).then_some(())).expect("it was hung up on");

    let listed = instance.orphans();
    let orphans = listed["orphans"].as_array().unwrap();
    assert_eq!(orphans.len(), 1, "{listed}");
    assert_eq!((&orphans[0]["pid"], &orphans[0]["held"]), (&agent.into(), &false.into()));
    assert_eq!((&orphans[0]["name"], &orphans[0]["kind"]), (&"sh".into(), &"agent".into()));
    assert_eq!(orphans[0]["folder"], instance.path("one").to_str().unwrap(), "{listed}");
    assert_eq!(listed["stale"].as_array().unwrap().len(), 1, "of the other: {listed}");
    let text = instance.ok(["agent", "list", "--orphans"]);
    assert!(text.contains(&format!("pid {agent}")) && text.contains("stale record"), "{text}");
    assert_eq!(known.alive().len(), 2, "looking ends nothing");

    let (text, took) = timed(|| instance.ok(["agent", "kill-orphans"]));
    assert_eq!(known.alive(), [] as [&str; 0], "nothing is left when it returns");
    assert!(text.starts_with("ended sh") && text.contains(&agent.to_string()), "{text}");
    assert!(took < Duration::from_secs(8), "it took {took:?}");
    assert_eq!(instance.ok(["agent", "kill-orphans"]), "nothing was left behind\n", "once more");
    assert_eq!(instance.ok(["agent", "list", "--orphans"]), "nothing was left behind\n");
    assert_eq!(instance.orphans()["stale"], Value::Array(Vec::new()), "no record is left");
}

#[test]
fn the_window_offers_to_end_what_was_left() {
    let mut instance = hosted();
    let known = instance.start_deaf_agent();
    let agent = instance.agent_pid("one");
    instance.wait_until_kept("\"alive\"");
    instance.crash();
    instance.kill_host();
    let ((), took) = timed(|| instance.start_hosted_again());
    assert!(took < Duration::from_secs(3), "the start is not held up: {took:?}");
    let told = format!("sh (pid {agent})");
    instance.wait_for_warning(&told);
    assert_eq!(known.alive().len(), 2, "nothing is ended unasked");
    assert_eq!(instance.workspace("one")["agent"]["state"], "stopped", "it is not served");

    // Enter is the answer that ends nothing.
    instance.ok(["do", "agent.kill_orphans"]);
    instance.ok(["keys", "enter"]);
    instance.wait_for_no_warning();
    let_pass(Duration::from_millis(300));
    assert_eq!(known.alive().len(), 2, "they are left");

    instance.ok(["do", "agent.kill_orphans"]);
    instance.ok(["keys", "right", "enter"]);
    wait_for(|| known.alive().is_empty().then_some(())).expect("they are ended");
    instance.wait_for_no_warning();
    assert_eq!(instance.orphans()["orphans"], Value::Array(Vec::new()), "for good");
}

#[test]
fn an_app_that_loses_its_host_tells_of_what_outlives_it() {
    let instance = hosted();
    let known = instance.start_deaf_agent();
    let agent = instance.agent_pid("one");
    instance.kill_host();
    instance.wait("one", "errored");
    let told = format!("sh (pid {agent})");
    instance.wait_for_warning(&told);
    let text = instance.ok(["agent", "kill-orphans"]);
    assert!(text.starts_with("ended sh"), "{text}");
    assert_eq!(known.alive(), [] as [&str; 0], "nothing is left");
}

#[test]
fn what_a_host_holds_is_no_orphan() {
    let mut instance = hosted();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo here; exec cat"]);
    instance.wait_for_screen("one", "here");
    let agent = instance.agent_pid("one");
    assert_eq!(instance.orphans()["orphans"], Value::Array(Vec::new()), "it is on the rail");
    instance.crash();
    let listed = instance.orphans();
    assert_eq!(
        (&listed["orphans"][0]["pid"], &listed["orphans"][0]["held"]),
        (&agent.into(), &true.into()),
        "{listed}"
    );
    assert!(instance.ok(["agent", "list", "--orphans"]).contains("held by the host"), "it is said");
    assert_eq!(instance.ok(["agent", "kill-orphans"]), "nothing was left behind\n", "it is left");
    assert!(is_alive(agent), "it runs on");
    instance.start_hosted_again();
    instance.wait_for_screen("one", "here");
    assert_eq!(instance.agent_pid("one"), agent, "it is there again");
}

/// D42: records that are outdated, forged or no records at all.
#[test]
fn stale_records_signal_nobody_and_hold_nothing_up() {
    let mut instance = hosted();
    instance.open("one");
    instance.quit();
    let mut bystander = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let records = instance.path("state/trackside/host/pids");
    fs::create_dir_all(&records).unwrap();
    let record = |pid: i64, version: u32, boot: &str| {
        serde_json::json!({
            "version": version, "pid": pid, "start_ticks": 1, "boot_id": boot.trim(), "mark": "1-2-3",
            "name": "agent", "label": null, "group": pid, "host": { "pid": 1, "start_ticks": 1 },
        })
        .to_string()
    };
    let stranger = i64::from(bystander.id());
    let ours = i64::from(std::process::id());
    for (n, pid) in [stranger, ours, 1, 0, -1, i64::MIN, i64::MAX].into_iter().enumerate() {
        fs::write(records.join(format!("{n}.json")), record(pid, 1, &boot)).unwrap();
    }
    fs::write(records.join("boot.json"), record(stranger, 1, "another start")).unwrap();
    fs::write(records.join("later.json"), record(stranger, 2, &boot)).unwrap();
    fs::write(records.join("text.json"), stranger.to_string()).unwrap();
    fs::write(records.join("huge.json"), vec![b'['; 16 * 1024 * 1024]).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", records.join("link.json")).unwrap();
    nix::unistd::mkfifo(&records.join("fifo.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();

    let listed = instance.orphans();
    assert_eq!(listed["orphans"], Value::Array(Vec::new()), "{listed}");
    assert_eq!(listed["stale"].as_array().unwrap().len(), 13, "{listed}");
    let ((), took) = timed(|| instance.start_hosted_again());
    assert!(took < Duration::from_secs(3), "it took {took:?}");
    let names = || -> Vec<String> {
        let entries = fs::read_dir(&records).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries.map(|entry| name(entry).into_string().unwrap()).collect();
        names.sort();
        names
    };
    let expected = [
        "5.json.bad-1",
        "6.json.bad-1",
        "fifo.json.bad-1",
        "huge.json.bad-1",
        "later.json.bad-1",
        "link.json.bad-1",
        "text.json.bad-1",
    ];
    wait_for(|| (names() == expected).then_some(())).unwrap_or_else(|| panic!("{:?}", names()));
    assert!(bystander.try_wait().unwrap().is_none(), "nobody was signalled");
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}
