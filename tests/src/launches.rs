//! Agents that cannot be started: one clear line, and everything else goes on.

use std::fs;

use crate::command::{refusal, wrapped};
use crate::harness::{Instance, Setup, set_mode};
use crate::system::is_alive;

/// Starts what cannot be started, and checks that nothing but that failed.
#[track_caller]
fn check_refused(instance: &Instance, agent: &[&str], says: &str) {
    let before = instance.workspace("two");
    let start = ["agent", "start", "-w", "one"];
    let (code, line) = instance.refused(start.iter().chain(agent));
    assert_eq!(code, 1, "{agent:?}: {line}");
    assert!(line.contains(says), "{agent:?} should say {says:?}: {line}");
    assert_ne!(instance.workspace("one")["status"], "running", "{agent:?} does not run");
    let after = instance.workspace("two");
    assert_eq!(after["agent"]["pid"], before["agent"]["pid"], "{agent:?}: the other is untouched");
}

/// Two workspaces, with an agent in the second.
fn with_a_bystander(setup: Setup) -> Instance {
    let instance = setup.start();
    instance.open("two");
    instance.start_agent("two", &["cat"]);
    instance.open("one");
    instance
}

#[test]
fn a_program_that_cannot_be_started_is_told_in_one_line() {
    let instance = with_a_bystander(Setup::headless());
    let script = instance.path("script");
    fs::write(&script, "#!/nowhere/interpreter\n").unwrap();
    set_mode(&script, 0o644);
    let script = script.to_str().unwrap();
    let folder = instance.path("two");
    check_refused(&instance, &["--", "no-such-program"], "no-such-program");
    check_refused(&instance, &["--", "/no/such/program"], "/no/such/program");
    check_refused(&instance, &["--", script], "not executable");
    check_refused(&instance, &["--", folder.to_str().unwrap()], folder.to_str().unwrap());
    set_mode(&instance.path("script"), 0o755);
    check_refused(&instance, &["--", script], "interpreter");
    check_refused(&instance, &["no-such-agent"], "no-such-agent");
    check_refused(&instance, &["claude"], "claude");

    instance.start_agent("one", &["cat"]);
    assert!(is_alive(instance.agent_pid("one")), "the place is free for a right one");
}

#[test]
fn an_empty_command_is_wrong_usage() {
    let instance = Instance::headless();
    instance.open("one");
    for args in [&["agent", "start", "--", ""][..], &["agent", "start", "--"], &["agent", "start"]]
    {
        let output = instance.cli(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(instance.workspace("one")["status"], "idle", "{args:?} starts nothing");
    }
}

#[test]
fn a_working_directory_that_was_deleted_is_told_in_one_line() {
    let instance = with_a_bystander(Setup::headless());
    fs::remove_dir(instance.path("one")).unwrap();
    check_refused(&instance, &["--", "cat"], "one");
    fs::create_dir(instance.path("one")).unwrap();
    instance.start_agent("one", &["cat"]);
}

#[test]
fn an_environment_too_large_is_told_in_one_line() {
    // The kernel takes 128 KiB in one variable.
    let large = "x".repeat(200 * 1024);
    let config = format!("[agents.large]\nstart = [\"cat\"]\nenv = {{ LARGE = \"{large}\" }}\n");
    let instance = with_a_bystander(Setup::headless().config(&config));
    check_refused(&instance, &["large"], "environment");
}

#[test]
fn many_variables_too_large_together_are_told_in_one_line() {
    let mut setup = Setup::headless();
    for n in 0..18 {
        setup = setup.env(&format!("LARGE_{n}"), &"x".repeat(90 * 1024));
    }
    let mut config = "[agents.large]\nstart = [\"cat\"]\n[agents.large.env]\n".to_owned();
    for n in 0..9 {
        config.push_str(&format!("MORE_{n} = \"{}\"\n", "y".repeat(90 * 1024)));
    }
    let instance = with_a_bystander(setup.config(&config));
    check_refused(&instance, &["large"], "environment");
}

#[test]
fn the_user_s_shell_is_an_agent() {
    let instance = Instance::headless();
    instance.open("one");
    instance.ok(["agent", "start", "shell"]);
    instance.ok(["agent", "send", "--enter", "echo $((6 * 7))"]);
    instance.wait_for_screen("one", "42");
}

#[test]
fn a_limit_of_agents_is_told_in_one_line() {
    let setup = Setup::headless().config("[limits]\nmax_agents = 1\n");
    let instance = with_a_bystander(setup);
    check_refused(&instance, &["--", "cat"], "max_agents");
    instance.ok(["agent", "stop", "-w", "two"]);
    instance.start_agent("one", &["cat"]);
}

/// Starts agents one after the other until there are no descriptors for another.
#[test]
fn running_out_of_descriptors_fails_the_launch_and_nothing_else() {
    let setup = Setup::headless();
    for n in 0..30 {
        fs::create_dir(setup.path(&format!("w{n}"))).unwrap();
    }
    let instance = setup.start_with_limit(64);
    let mut started = Vec::new();
    let refused = (0..30).find_map(|n| {
        let name = format!("w{n}");
        let opened = instance.cli(["open".as_ref(), instance.path(&name).as_os_str()]);
        if !opened.status.success() {
            return Some(refusal(&opened));
        }
        let output = instance.cli(["agent", "start", "-w", &name, "--", "cat"]);
        if !output.status.success() {
            return Some(refusal(&output));
        }
        started.push((instance.agent_pid(&name), name));
        None
    });
    let (code, line) = refused.expect("64 descriptors are not enough for 30 agents");
    assert_eq!(code, 1, "{line}");
    assert!(
        line.contains("open files") || line.contains("descriptors"),
        "says what ran out: {line}"
    );
    assert!(started.len() > 1, "some were started: {started:?}");
    for (pid, name) in &started {
        assert!(is_alive(*pid), "{name} goes on");
    }
    let (_, first) = &started[0];
    instance.ok(["agent", "send", "-w", first, "--enter", "still here"]);
    instance.wait_for_screen(first, "still here");
    instance.ok(["agent", "stop", "-w", first]);
    instance.start_agent(first, &["cat"]);
}

impl Setup {
    /// Starts the program with that many descriptors at most.
    fn start_with_limit(self, descriptors: u32) -> Instance {
        let script = format!("ulimit -n {descriptors}; exec \"$@\"");
        self.start_through(|program| wrapped(&program, &["sh", "-c", &script, "sh"]))
    }
}
