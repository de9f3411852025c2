//! From the state to the file and back, and numbers that nobody wrote.

use super::*;

fn times() -> Times {
    Times::new(crate::clock())
}

fn view(line: usize) -> KeptView {
    let at = |line| Position { line, column: 3 };
    KeptView { anchor: at(line), cursor: at(line + 1), scroll: (line, 5) }
}

fn session(end: KeptEnd, since: Instant) -> KeptSession {
    let file = |name: &str, line| KeptTab::File { path: name.into(), view: view(line) };
    let terminal = |folder: Option<&str>, mark: Option<&str>| KeptTab::Terminal {
        folder: folder.map(PathBuf::from),
        mark: mark.map(ToOwned::to_owned),
    };
    let tabs = |tabs: Vec<KeptTab>, active| Box::new(KeptPanes::Tabs { tabs, active });
    let inner = KeptPanes::Split {
        axis: Axis::Column,
        share: 700,
        first: tabs(vec![terminal(Some("/a/b"), Some("m1"))], Some(0)),
        second: tabs(vec![file("/a/\u{e9} \n", 9), terminal(None, None)], Some(1)),
    };
    let panes = KeptPanes::Split {
        axis: Axis::Row,
        share: 300,
        first: tabs(vec![KeptTab::Agent, file("/a/x", 0)], Some(1)),
        second: Box::new(inner),
    };
    let agent = KeptAgent {
        name: "claude".to_owned(),
        command: vec!["claude".to_owned(), "a b".to_owned()],
        by_name: true,
        launches: 2,
        session: Some("1-2".to_owned()),
        end,
        since,
        mark: Some("m2".to_owned()),
        doing: (end == KeptEnd::Alive).then(|| KeptDoing {
            state: AgentState::Stale { since },
            reason: Some(Reason::Permission),
            text: Some("Run it?".to_owned()),
            is_seen: true,
        }),
    };
    let one = KeptWorkspace {
        root: "/a".into(),
        name: "a-2".to_owned(),
        agent: Some(agent),
        panes,
        focused: 2,
    };
    let two = KeptWorkspace {
        root: "/b".into(),
        name: "b".to_owned(),
        agent: None,
        panes: *tabs(Vec::new(), None),
        focused: 0,
    };
    KeptSession { workspaces: vec![one, two], active: Some(1), as_of: None }
}

#[test]
fn what_is_written_is_what_is_read() {
    let times = times();
    let since = times.now.checked_sub(Duration::from_secs(100)).expect("the machine is up");
    for end in [
        KeptEnd::Alive,
        KeptEnd::Stopped,
        KeptEnd::Exited { exit: Exit::Code(3), was_asked: false },
        KeptEnd::Exited { exit: Exit::Code(-1), was_asked: true },
        KeptEnd::Exited { exit: Exit::Signal(9), was_asked: false },
        KeptEnd::Exited { exit: Exit::Signal(15), was_asked: true },
    ] {
        let session = session(end, since);
        let mut read = kept_session(to_store(&session, times), times);
        let agent = read.workspaces[0].agent.as_mut().expect("an agent");
        let off = agent.since.max(since) - agent.since.min(since);
        assert!(off <= Duration::from_secs(1), "to the second: {off:?}");
        agent.since = since;
        if let Some(doing) = &mut agent.doing {
            assert_eq!(doing.state.name(), "stale", "what it did");
            doing.state = AgentState::Stale { since };
        }
        let as_of = read.as_of.take().expect("when");
        let off = times.now.saturating_duration_since(as_of);
        assert!(off <= Duration::from_millis(1), "it was written now: {off:?}");
        assert_eq!(read, session, "an agent that is {end:?}");
    }
}

#[test]
fn a_clock_that_was_set_is_no_trouble() {
    let times = times();
    let day = Duration::from_secs(24 * 60 * 60);
    let at = times.wall_of(times.now);
    let later = Times { wall: times.wall + day, ..times };
    let before = Times { wall: times.wall - day, ..times };
    assert_eq!(before.at_wall(at), times.now, "set back, it has only just begun");
    let age = later.now.saturating_duration_since(later.at_wall(at));
    assert!(age.is_zero() || age >= day, "set ahead, it is a day old, if the machine is: {age:?}");
    assert_eq!(times.at_wall(u64::MAX), times.now, "no time there is");
    assert!(times.at_wall(0) <= times.now, "long ago");
    // A machine may begin in 1970, and be told the time later.
    let today = Times { oldest: Duration::from_secs(3600), ..times };
    let age = |at: Instant| today.now.saturating_duration_since(at);
    assert!(
        age(today.at_wall_ms(0)) <= Duration::from_secs(3600),
        "no older than the machine's start"
    );
    let minute = today.at_wall_ms(today.wall_ms(today.now) - 60_000);
    assert!(
        age(minute).abs_diff(Duration::from_secs(60)) < Duration::from_secs(1),
        "as old as it is"
    );
    let uptime = uptime().expect("it has been started");
    assert!(age(Times::of_this_boot(today.now).at_wall_ms(1)) <= uptime, "at most the uptime");
}

/// Changes a stored session; gives what is made of it.
fn read(change: impl FnOnce(&mut SessionWorkspace)) -> KeptSession {
    let times = times();
    let mut stored = to_store(&session(KeptEnd::Alive, times.now), times);
    change(&mut stored.workspaces[0]);
    kept_session(stored, times)
}

fn agent(change: impl FnOnce(&mut SessionAgent)) -> Option<KeptAgent> {
    let mut kept = read(|workspace| change(workspace.agent.as_mut().expect("an agent")));
    kept.workspaces.remove(0).agent
}

#[test]
fn what_makes_no_sense_is_left_out_or_cut() {
    let elsewhere = read(|workspace| workspace.root = "a/b".to_owned());
    assert_eq!(elsewhere.workspaces.len(), 1, "a folder that depends on where one is");
    assert_eq!(elsewhere.active, Some(0), "the other one is still on show");
    let named = read(|workspace| workspace.name = "a\u{1b}[31m".to_owned());
    assert_eq!(named.workspaces[0].name, "a?[31m", "a name that commands");
    assert_eq!(agent(|agent| agent.command.clear()), None, "nothing to start again");
    let often = agent(|agent| agent.launches = u32::MAX).expect("an agent").launches;
    assert!(often < u32::MAX, "there is room for one more");
    for id in ["", "--yolo", "a b", "a\n", &"x".repeat(500)] {
        let session =
            agent(|agent| agent.session_id = Some(id.to_owned())).expect("an agent").session;
        assert_eq!(session, None, "{id:?} is no session");
    }
    let tab = |path: &str, number| SessionTab::File {
        path: path.to_owned(),
        anchor: (number, number),
        cursor: (number, number),
        scroll: (number, number),
    };
    let tabs = vec![tab("relative", 0), tab("/a", u64::MAX)];
    let panes = SessionPanes::Tabs { active: Some(usize::MAX), tabs };
    let kept = read(|workspace| workspace.panes = panes);
    let most = usize::try_from(MOST).expect("a small number");
    let at = Position { line: most, column: most };
    let view = KeptView { anchor: at, cursor: at, scroll: (most, most) };
    let expected =
        KeptPanes::Tabs { tabs: vec![KeptTab::File { path: "/a".into(), view }], active: Some(0) };
    assert_eq!(kept.workspaces[0].panes, expected, "what is left of the tabs");
}
