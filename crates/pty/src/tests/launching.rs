//! What a program finds when it starts, and what is refused (D38, D41).

use std::fs;
use std::os::unix::fs::PermissionsExt;

use nix::sys::signal::{SigSet, Signal};

use super::*;

/// Requests `argv` in a folder with a plain file, a script without interpreter, and a folder.
#[track_caller]
fn check_refused(argv: &[&str], change: impl FnOnce(&mut SpawnRequest), expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plain"), "hello").unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    let orphan = folder.path().join("orphan");
    fs::write(&orphan, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&orphan, fs::Permissions::from_mode(0o755)).unwrap();
    let mut request = request(argv, folder.path());
    change(&mut request);
    let message = spawn(request).expect_err("it should be refused").to_string();
    let message = message.replace(folder.path().to_str().unwrap(), "DIR");
    assert_eq!(message, expected, "{argv:?}");
}

#[test]
fn a_command_that_names_no_program_is_refused() {
    let message = "the command is empty; name a program to run";
    check_refused(&[], |_| {}, message);
    check_refused(&[""], |_| {}, message);
}

#[test]
fn a_program_that_is_not_there_is_refused() {
    let advice = "check its spelling, install it, or add its folder to PATH";
    check_refused(&["no-such-agent"], |_| {}, &format!("no-such-agent was not found; {advice}"));
    check_refused(&["./nothing"], |_| {}, &format!("./nothing was not found; {advice}"));
    check_refused(&["/no/sh"], |_| {}, &format!("/no/sh was not found; {advice}"));
}

#[test]
fn the_path_is_that_of_the_request() {
    let empty = |request: &mut SpawnRequest| request.env = vec![("PATH".into(), "/none".into())];
    let advice = "check its spelling, install it, or add its folder to PATH";
    check_refused(&["sh"], empty, &format!("sh was not found; {advice}"));
    let folder = tempfile::tempdir().unwrap();
    let without_path = SpawnRequest { env: Vec::new(), ..request(&["sh"], folder.path()) };
    assert!(spawn(without_path).is_ok(), "without PATH the usual folders are searched");
}

#[test]
fn what_is_no_program_is_refused() {
    let advice = "make it so with `chmod +x`, or name the program that runs it";
    check_refused(&["./plain"], |_| {}, &format!("DIR/./plain is not executable; {advice}"));
    check_refused(&["./folder"], |_| {}, &format!("DIR/./folder is not executable; {advice}"));
    let here = |request: &mut SpawnRequest| request.env = vec![("PATH".into(), ".".into())];
    check_refused(&["plain"], here, &format!("DIR/./plain is not executable; {advice}"));
}

#[test]
fn a_missing_folder_is_refused_rather_than_replaced() {
    let message = "the folder DIR/gone is missing or cannot be read; restore it or choose another";
    check_refused(&["sh"], |request| request.cwd.push("gone"), message);
    let message = "the folder DIR/plain is missing or cannot be read; restore it or choose another";
    check_refused(&["sh"], |request| request.cwd.push("plain"), message);
}

#[test]
fn what_the_kernel_refuses_to_run_is_an_error_and_not_an_exit() {
    let message = "./orphan could not be started: No such file or directory (os error 2); \
                   the interpreter its first line names is missing";
    check_refused(&["./orphan"], |_| {}, message);
    let message = "sh could not be started: Argument list too long (os error 7); \
                   shorten its arguments or its environment";
    let huge = |request: &mut SpawnRequest| {
        request.env.push(("HUGE".into(), "x".repeat(2 * 1024 * 1024).into()));
    };
    check_refused(&["sh"], huge, message);
    let message = "sh could not be started: nul byte found in provided data; \
                   its arguments or environment hold a NUL character";
    check_refused(&["sh", "a\0b"], |_| {}, message);
}

#[test]
fn a_program_gets_three_descriptors_and_no_signal_settings_of_ours() {
    let script = "ls -1 /proc/$$/fd; echo end; grep -E 'Sig(Blk|Ign)' /proc/self/status";
    // As the app does, so that its own end is an orderly one.
    let blocked: SigSet = [Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
    blocked.thread_block().unwrap();
    let fixture = Fixture::sh("audit", script);
    blocked.thread_unblock().unwrap();
    fixture.exit();
    let text = fixture.text();
    assert!(text.starts_with("0\r\n1\r\n2\r\nend\r\n"), "only the terminal is open: {text}");
    for set in ["SigBlk", "SigIgn"] {
        let mask = text.lines().find_map(|line| line.strip_prefix(set)?.strip_prefix(":\t"));
        let mask = u64::from_str_radix(mask.expect("the line is there"), 16).unwrap();
        // Signals 32 and 33 belong to libc, which refuses to touch them.
        assert_eq!(mask & !0x1_8000_0000, 0, "{set} is empty: {text}");
    }
}

#[test]
fn a_program_gets_the_environment_of_the_request_and_a_mark() {
    let fixture = Fixture::start("env", &["env"]);
    fixture.exit();
    let text = fixture.text();
    let mut keys: Vec<&str> = text.lines().filter_map(|l| Some(l.split_once('=')?.0)).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["HOME", "PATH", "TERM", "TRACKSIDE_SESSION"], "and nothing else: {text}");
}

#[test]
fn a_program_leads_its_session_in_its_folder_under_its_own_name() {
    let script = "echo name $0; pwd; ps -o pid=,sid=,pgid=,tpgid= -p $$ | tr -s ' ' '\\n' | uniq | xargs echo ids";
    let fixture = Fixture::sh("self", script);
    fixture.exit();
    let folder = fs::canonicalize(fixture.folder.path()).unwrap();
    fixture.wait_for(folder.to_str().unwrap());
    fixture.wait_for("name sh\r\n");
    fixture.wait_for(&format!("ids {}\r\n", fixture.session.pid()));
}
