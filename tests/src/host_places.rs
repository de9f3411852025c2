//! Hosts that cannot be had or talked to, and places where they may not be: programs run all the same, and the
//! person is told when they end with the window.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::harness::{Instance, set_mode, timed};
use crate::hosted::{hosted, hosted_setup};
use crate::system::is_alive;

const STARTED_WITHIN: Duration = Duration::from_secs(3);

impl Instance {
    /// Programs run, and end with it.
    #[track_caller]
    fn check_programs_are_its_own(&self, warning: &str) {
        self.open("one");
        self.start_agent("one", &["sh", "-c", "echo here; exec cat"]);
        self.wait_for_screen("one", "here");
        self.wait_for_warning("Programs end with Trackside");
        self.wait_for_warning(warning);
        let agent = self.agent_pid("one");
        self.ok(["agent", "stop"]);
        assert!(!is_alive(agent), "it is stopped as ever");
    }

    /// Programs outlive it.
    #[track_caller]
    fn check_programs_live_on(&mut self) {
        self.open("one");
        self.start_agent("one", &["sh", "-c", "echo here; exec cat"]);
        self.wait_for_screen("one", "here");
        let agent = self.agent_pid("one");
        self.crash();
        assert!(is_alive(agent), "it runs on");
        self.start_hosted_again();
        self.wait_for_screen("one", "here");
        assert_eq!(self.agent_pid("one"), agent, "it is found again");
        assert_eq!(self.warnings(), "null", "all is well");
    }
}

#[test]
fn a_socket_s_place_that_is_taken_leaves_programs_our_own() {
    type Make = fn(&Path);
    let make: [(&str, Make); 3] = [
        ("a file", |path| fs::write(path, "precious").unwrap()),
        ("a link", |path| symlink("/no/such/place", path).unwrap()),
        ("a folder", |path| fs::create_dir(path).unwrap()),
    ];
    for (what, make) in make {
        let instance = hosted();
        let path = instance.host_socket();
        make(&path);
        let before = fs::symlink_metadata(&path).unwrap().file_type();
        instance.check_programs_are_its_own("there is no host");
        assert_eq!(instance.host_pid(), None, "{what}: there is none");
        assert_eq!(fs::symlink_metadata(&path).unwrap().file_type(), before, "{what} is left");
    }
}

#[test]
fn a_dead_socket_is_replaced_and_the_warning_goes_once_there_is_a_host() {
    let instance = hosted();
    let path = instance.host_socket();
    fs::write(&path, "in the way").unwrap();
    instance.check_programs_are_its_own("there is no host");
    fs::remove_file(&path).unwrap();
    drop(UnixListener::bind(&path).unwrap());
    instance.ok(["agent", "restart"]);
    instance.wait_for_screen("one", "launch 2 ──\nhere");
    instance.wait_for_no_warning();
    assert!(instance.host_pid().is_some(), "there is one now");
}

#[test]
fn without_a_safe_runtime_folder_programs_outlive_the_window() {
    let mut instance = hosted_setup().without_env("XDG_RUNTIME_DIR").start();
    instance.check_programs_live_on();
    let setup = hosted_setup();
    set_mode(&setup.path("run"), 0o777);
    let mut instance = setup.start();
    instance.check_programs_live_on();
    assert_eq!(fs::read_dir(instance.path("run")).unwrap().count(), 0, "it is not used");
}

/// Answers each connection with one line, as another version of the host might.
struct Stranger {
    stop: AtomicBool,
    listener: UnixListener,
}

impl Stranger {
    fn serve(&self, answer: &str) {
        for stream in self.listener.incoming() {
            if self.stop.load(Ordering::Acquire) {
                return;
            }
            let mut stream = stream.unwrap();
            let _len = stream.read(&mut [0; 4096]).unwrap();
            // Who has hung up does not want to know.
            drop(stream.write_all(format!("{answer}\n").as_bytes()));
        }
    }
}

#[test]
fn a_host_of_another_version_is_left_alone_and_programs_are_our_own() {
    let refusal = r#"{"refused":{"version":9,"error":{"kind":"version","message":"this app speaks version 1 of the host's protocol, and the running host version 9"}}}"#;
    for (answer, expected) in [
        (refusal, "the running host version 9"),
        (r#"{"welcome":{"version":9,"pid":1}}"#, "version 9"),
        ("SSH-2.0-OpenSSH", "no answer"),
    ] {
        let mut instance = hosted();
        instance.open("one");
        instance.quit();
        let place = instance.path("run/stranger.sock");
        let listener = UnixListener::bind(&place).unwrap();
        let record = format!("{}\n{}\n", std::process::id(), place.display());
        fs::write(instance.path("state/trackside/host.lock"), record).unwrap();
        let stranger = Stranger { stop: AtomicBool::new(false), listener };
        thread::scope(|scope| {
            scope.spawn(|| stranger.serve(answer));
            let ((), took) = timed(|| instance.start_hosted_again());
            assert!(took < STARTED_WITHIN, "{answer}: it took {took:?}");
            instance.check_programs_are_its_own(expected);
            stranger.stop.store(true, Ordering::Release);
            drop(std::os::unix::net::UnixStream::connect(&place).unwrap());
        });
        assert!(place.exists(), "its place is left alone");
    }
}
