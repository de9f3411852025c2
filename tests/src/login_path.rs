//! Programs that only the user's login shell knows where to find.

use std::fs;
use std::time::Duration;

use crate::harness::{Instance, Setup, set_mode, timed};

/// An instance whose shell is that script, with an agent called `hidden` on the script's `PATH` only.
///
/// `FOLDER` stands for the folder with the agent, `RUN` for running what the shell was asked to.
fn with_shell(login_path: &str, script: &str) -> Instance {
    let setup = Setup::headless();
    let (shell, folder) = (setup.path("shell"), setup.path("tools"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("hidden"), "#!/bin/sh\necho found; cat\n").unwrap();
    set_mode(&folder.join("hidden"), 0o755);
    let run = "while [ \"$1\" != -c ]; do shift; done; exec /bin/sh -c \"$2\"";
    let script = script.replace("RUN", run).replace("FOLDER", folder.to_str().unwrap());
    fs::write(&shell, format!("#!/bin/sh\n{script}\n")).unwrap();
    set_mode(&shell, 0o755);
    let config = format!(
        "[environment]\nlogin_path = {login_path:?}\n[terminal]\nshell = {shell:?}\n\
         [agents.hidden]\nstart = [\"hidden\"]\n"
    );
    setup.config(&config).start()
}

const NOISY: &str = "echo Welcome; pwd > ~/where; tty > ~/tty; export PATH=FOLDER:$PATH; RUN";

#[test]
fn an_agent_on_the_login_shells_path_is_found() {
    let instance = with_shell("always", NOISY);
    instance.open("one");
    instance.ok(["agent", "start", "hidden"]);
    instance.wait_for_screen("one", "found");
    let read = |name: &str| fs::read_to_string(instance.path("home").join(name)).unwrap();
    assert_eq!(read("where").trim(), instance.path("home").to_str().unwrap(), "asked at home");
    assert_eq!(read("tty").trim(), "not a tty", "without a terminal");
}

#[test]
fn a_launch_waits_until_the_path_is_known() {
    let instance = with_shell("always", &format!("sleep 1; {NOISY}"));
    instance.open("one");
    let (_, took) = timed(|| instance.ok(["agent", "start", "hidden"]));
    assert!(took > Duration::from_millis(100), "it waited: {took:?}");
    assert!(instance.workspace("one")["agent"]["pid"].is_u64(), "and was started");
}

#[test]
fn start_up_files_that_hang_hold_nothing_up_for_long() {
    let instance = with_shell("always", "sleep 1000 & echo $! > ~/sleep; sleep 1001");
    instance.open("one");
    let (_, took) = timed(|| instance.ok(["terminal", "new", "--", "cat"]));
    assert!(took < Duration::from_secs(20), "{took:?}");
    let (code, line) = instance.refused(["agent", "start", "hidden"]);
    assert_eq!((code, line.contains("hidden was not found")), (1, true), "{line}");
    let pid = fs::read_to_string(instance.path("home/sleep")).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    assert!(stat.is_empty() || stat.contains(") Z "), "what they started was killed: {stat}");
}

#[test]
fn no_shell_is_asked_unless_wanted() {
    for login_path in ["never", "auto"] {
        let instance = with_shell(login_path, NOISY);
        instance.open("one");
        let (code, line) = instance.refused(["agent", "start", "hidden"]);
        assert_eq!((code, line.contains("hidden was not found")), (1, true), "{line}");
        assert!(!instance.path("home/where").exists(), "{login_path}: started from a shell");
    }
}
