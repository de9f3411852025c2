//! Programs of a host: how they start, are served, and end.

use std::mem;
use std::sync::{Arc, Mutex};
use std::thread;

use host::{ClientError, Transcript};
use pty::{Adopted, ByteSink, PtySession, PtySize};

use super::shapes::ZOO;
use super::*;

#[track_caller]
fn check_refused(argv: &[&str], change: impl FnOnce(&mut Launch)) {
    let fixture = Fixture::new();
    let mut launch = fixture.launch(argv);
    change(&mut launch);
    let request = pty::SpawnRequest {
        argv: launch.argv.iter().cloned().map(Into::into).collect(),
        cwd: launch.cwd.clone().into(),
        env: launch.env.iter().cloned().map(|(k, v)| (k.into(), v.into())).collect(),
        size: PtySize { columns: 80, rows: 24, pixel_width: 0, pixel_height: 0 },
        name: "local".to_owned(),
    };
    let local = PtySession::spawn(request, |_| Recorder::default(), |_| {}).unwrap_err();
    let Err(ClientError::Spawn(remote)) = fixture.client().spawn(launch) else {
        panic!("{argv:?} should be refused");
    };
    assert_eq!(remote.to_string(), local.to_string(), "the same words");
    assert_eq!(mem::discriminant(&remote), mem::discriminant(&local), "the same error");
    assert_eq!(remote.exit_code(), local.exit_code(), "the same code");
    assert!(fixture.client().list().unwrap().is_empty(), "nothing is left");
    let transcripts = fixture.folder.path().join("transcripts");
    assert!(!transcripts.exists(), "no transcript either");
}

#[test]
fn what_cannot_start_is_refused_as_if_it_were_started_here() {
    check_refused(&[], |_| {});
    check_refused(&["no-such-agent"], |_| {});
    check_refused(&["/etc/passwd"], |_| {});
    check_refused(&["sh"], |launch| launch.cwd = Text::from(Path::new("/no/such/folder")));
    check_refused(&["sh", "a\0b"], |_| {});
    let huge = Text::from(OsStr::new(&"x".repeat(2 * 1024 * 1024)));
    check_refused(&["sh"], |launch| launch.env.push((Text::from(OsStr::new("HUGE")), huge)));
}

#[test]
fn a_name_that_leads_elsewhere_is_refused() {
    let fixture = Fixture::new();
    for name in ["", "..", ".", "a/b", "/etc", ".hidden", "a\0"] {
        let launch = Launch { name: name.to_owned(), ..fixture.launch(&["true"]) };
        let Err(ClientError::Refused(error)) = fixture.client().spawn(launch) else {
            panic!("{name:?} should be refused");
        };
        assert!(error.message.contains("plain file name"), "{error}");
    }
}

#[test]
fn codes_and_signals_are_told_with_time_and_size() {
    let fixture = Fixture::new();
    for (script, code, signal, text) in [
        ("echo bye; exit 3", Some(3), None, "bye\r\n"),
        ("exit 0", Some(0), None, ""),
        ("echo x; kill -TERM $$", None, Some(15), "x\r\n"),
    ] {
        let (spawned, _terminal) = fixture.sh(script);
        let program = spawned.program;
        let event = fixture.event(|event| matches!(event, Event::Exited { .. }));
        let Event::Exited { program: number, end } = event else { unreachable!() };
        assert_eq!((number, end.code, end.signal), (program, code, signal), "{script}");
        assert_eq!(end.total, text.len() as u64, "{script}");
        fixture.gone(program);
        let status = fixture.status(program);
        assert_eq!((status.ended, status.is_gone), (Some(end), true), "{script}: listed so");
        assert_eq!(fixture.tail(program, 0).all(), text.as_bytes(), "{script}: all of it");
        fixture.client().forget(program).unwrap();
        let folder = PathBuf::from(status.transcript.unwrap());
        let exit = Transcript::open(&folder).unwrap().exit().expect("it is written down");
        assert_eq!((exit.code, exit.signal, exit.total), (code, signal, end.total), "{script}");
        assert_eq!(exit.at_ms, end.at_ms, "{script}: the same moment");
    }
    assert!(fixture.client().list().unwrap().is_empty(), "all are forgotten");
}

#[test]
fn labels_are_kept_for_the_app_and_numbers_never_reused() {
    let mut fixture = Fixture::new();
    let (keeper, _terminal) = fixture.sh("sleep 100");
    let (first, _terminal) = fixture.sh("true");
    fixture.gone(first.program);
    fixture.client().forget(first.program).unwrap();
    let (second, _terminal) = fixture.sh("sleep 100");
    assert!(second.program > first.program, "another number");
    assert_eq!(fixture.status(second.program).label, json!({"workspace": 1}), "as it was given");
    fixture.client().relabel(second.program, json!([1, {"a": null}])).unwrap();
    fixture.leave();
    fixture.come();
    assert_eq!(fixture.status(second.program).label, json!([1, {"a": null}]), "the new one");
    let refused = fixture.client().relabel(second.program, json!("x".repeat(20_000))).unwrap_err();
    assert!(refused.to_string().contains("longer than 16384"), "{refused}");
    let refused = fixture.client().forget(keeper.program).unwrap_err();
    assert!(refused.to_string().contains("runs"), "{refused}");
    let refused = fixture.client().attach(first.program).unwrap_err();
    assert_eq!(refused.to_string(), format!("there is no program {}", first.program), "why");
}

/// Keeps what it is fed.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<String>>);

impl ByteSink for Recorder {
    fn feed(&mut self, bytes: &[u8]) {
        self.0.lock().unwrap().push_str(&String::from_utf8_lossy(bytes));
    }

    fn timeout(&mut self) -> Option<Duration> {
        None
    }

    fn on_timeout(&mut self) {}

    fn closed(&mut self) {
        self.0.lock().unwrap().push_str("<closed>");
    }
}

#[test]
fn a_session_that_adopts_a_program_is_like_one_that_started_it() {
    let fixture = Fixture::new();
    let (spawned, master) = fixture.sh("read -r line; echo \"got $line\"; stty size; exit 7");
    let source = fixture.client().open(spawned.program, 0).unwrap();
    let start = source.start();
    let recorder = Recorder::default();
    let adopted = Adopted {
        master,
        source,
        pid: spawned.pid.unsigned_abs(),
        mark: spawned.mark,
        child: fixture.client().child(spawned.program),
        name: "adopted".to_owned(),
    };
    let session = PtySession::adopt(adopted, |_| recorder.clone()).unwrap();
    let size = PtySize { columns: 132, rows: 50, pixel_width: 0, pixel_height: 0 };
    session.resizer().resize(size).unwrap();
    eventually("somebody in front", || session.foreground().is_some_and(|it| it.name == "sh"));
    assert!(session.sampler().sample().unwrap().is_canonical, "its modes are seen");
    session.write(b"hello\n".to_vec()).unwrap();
    let Event::Exited { end, .. } = fixture.event(|it| matches!(it, Event::Exited { .. })) else {
        unreachable!()
    };
    assert_eq!(end.code, Some(7), "its code");
    let (told, news) = crossbeam_channel::bounded(1);
    session.ended(end.total - start, move || told.send(()).unwrap());
    news.recv_timeout(PATIENCE).expect("all is fed");
    let text = recorder.0.lock().unwrap().clone();
    assert!(text.contains("got hello\r\n50 132\r\n"), "{text}");
    eventually("the end of its output", || recorder.0.lock().unwrap().ends_with("<closed>"));
}

#[test]
fn nobody_outlives_a_stop() {
    let fixture = Fixture::new();
    thread::scope(|scope| {
        for (shape, count, script) in ZOO {
            let fixture = &fixture;
            scope.spawn(move || {
                let (spawned, _terminal) = fixture.sh(script);
                let pids = fixture.tail(spawned.program, 0).pids(*count);
                let (stopped, news) = crossbeam_channel::bounded(1);
                fixture.client().stop(spawned.program, GRACE, move || stopped.send(()).unwrap());
                news.recv_timeout(PATIENCE).expect("it should stop");
                for pid in pids {
                    assert!(!Path::new(&format!("/proc/{pid}")).exists(), "{shape}: {pid} is left");
                }
            });
        }
    });
    assert!(fixture.client().list().unwrap().iter().all(|it| it.is_gone), "all are gone");
    let records = fixture.folder.path().join("host/pids");
    assert_eq!(fs::read_dir(records).unwrap().count(), 0, "no record is left");
}

#[test]
fn adopted_programs_stop_by_their_session_and_outlive_its_drop() {
    let fixture = Fixture::new();
    let (spawned, master) = fixture.sh("echo ready; sleep 100");
    let adopt = |master| {
        let adopted = Adopted {
            master,
            source: fixture.client().open(spawned.program, 0).unwrap(),
            pid: spawned.pid.unsigned_abs(),
            mark: spawned.mark.clone(),
            child: fixture.client().child(spawned.program),
            name: "adopted".to_owned(),
        };
        PtySession::adopt(adopted, |_| Recorder::default()).unwrap()
    };
    drop(adopt(master));
    assert!(is_running(spawned.pid), "it runs on");
    let (_attached, master) = fixture.client().attach(spawned.program).unwrap();
    let session = adopt(master);
    let (stopped, news) = crossbeam_channel::bounded(1);
    session.stop(GRACE, move || stopped.send(()).unwrap());
    news.recv_timeout(PATIENCE).expect("it should stop");
    assert!(!is_running(spawned.pid), "it is gone");
}

#[test]
fn a_program_gets_three_descriptors_and_the_limit_that_we_had() {
    let fixture = Fixture::new();
    for _ in 0..3 {
        fixture.sh("sleep 100");
    }
    let (spawned, _terminal) = fixture.sh("ls -1 /proc/$$/fd; echo end; ulimit -n; echo done");
    let mut tail = fixture.tail(spawned.program, 0);
    let text = tail.until("done").text();
    assert!(text.starts_with("0\r\n1\r\n2\r\nend\r\n"), "only the terminal is open: {text}");
    let (soft, _) =
        nix::sys::resource::getrlimit(nix::sys::resource::Resource::RLIMIT_NOFILE).unwrap();
    let limit =
        if soft == nix::libc::RLIM_INFINITY { "unlimited".to_owned() } else { soft.to_string() };
    assert!(text.contains(&format!("end\r\n{limit}\r\n")), "the limit is {limit}: {text}");
}
