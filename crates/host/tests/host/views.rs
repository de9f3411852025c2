//! Several who show one program, each with a size of its own.

use super::*;

/// Somebody who shows a program.
struct Viewer {
    client: Client,
    notices: Receiver<Notice>,
    program: u64,
}

impl Viewer {
    fn new(fixture: &Fixture, program: u64) -> Self {
        let (client, notices) = connect(fixture.start());
        Self { client, notices, program }
    }

    fn shows(&self, columns: u16, rows: u16) {
        let size = SizeStatus { columns, rows, pixel_width: 0, pixel_height: 0 };
        self.client.view(self.program, Some(size));
    }

    /// What it is told next: columns, rows, and whether it is to answer.
    #[track_caller]
    fn told(&self) -> (u16, u16, bool) {
        loop {
            match self.notices.recv_timeout(PATIENCE).expect("it should be told") {
                Notice::Event(Event::Fitted { size, answers, program }) => {
                    assert_eq!(program, self.program, "of the program that it shows");
                    return (size.columns, size.rows, answers);
                }
                Notice::Event(_) => {}
                Notice::Lost => panic!("the host has gone"),
            }
        }
    }

    /// Whoever is answered has been told all there was to tell.
    fn is_told_nothing(&self) -> bool {
        self.client.list().expect("the host should answer");
        let mut notices = self.notices.try_iter();
        notices.all(|notice| !matches!(notice, Notice::Event(Event::Fitted { .. })))
    }
}

/// Prints its size now, and whenever it is told another.
const SIZES: &str = "trap 'stty size' WINCH; stty size; while :; do sleep 1000 & wait; done";

#[test]
fn the_smallest_of_all_who_show_it_wins_and_goes_with_its_viewer() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh(SIZES);
    let mut tail = fixture.tail(spawned.program, 0);
    tail.until("24 80");
    let (wide, high) =
        (Viewer::new(&fixture, spawned.program), Viewer::new(&fixture, spawned.program));
    wide.shows(120, 20);
    assert_eq!(wide.told(), (120, 20, false), "alone; somebody serves the program");
    tail.until("20 120");
    high.shows(60, 50);
    assert_eq!(high.told(), (60, 20, false), "columns and rows each");
    assert_eq!(wide.told(), (60, 20, false), "all who show it hear of it");
    tail.until("20 60");
    high.shows(60, 10);
    assert_eq!(wide.told(), (60, 10, false), "one that changes");
    tail.until("10 60");
    drop(high);
    assert_eq!(wide.told(), (120, 20, false), "as before");
    tail.until("10 60\r\n20 120\r\n");
    wide.client.view(spawned.program, None);
    assert!(wide.is_told_nothing(), "it shows nothing");
    wide.shows(120, 20);
    assert_eq!(wide.told(), (120, 20, false), "and again");
    assert!(tail.text().ends_with("20 120\r\n"), "the size stayed: {}", tail.text());
}

#[test]
fn one_of_those_who_show_it_answers_while_nobody_serves_it() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh(SIZES);
    let first = Viewer::new(&fixture, spawned.program);
    first.shows(80, 24);
    assert_eq!(first.told(), (80, 24, true), "the only one");
    let second = Viewer::new(&fixture, spawned.program);
    second.shows(80, 24);
    assert_eq!(second.told(), (80, 24, false), "one is enough");
    let tail = fixture.tail(spawned.program, 0);
    assert_eq!(first.told(), (80, 24, false), "an app serves it");
    drop(tail);
    assert_eq!(first.told(), (80, 24, true), "and has gone");
    let watching = first.client.watch(spawned.program, 0).unwrap();
    drop(first);
    assert_eq!(second.told(), (80, 24, true), "the next one");
    drop(watching);
    assert!(second.is_told_nothing(), "who only watches serves nobody");
}

#[test]
fn that_somebody_types_is_passed_on_to_all_others() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh("exec cat");
    let program = spawned.program;
    let viewer = Viewer::new(&fixture, program);
    viewer.client.typed(program, false);
    viewer.client.typed(99, true);
    viewer.client.typed(program, true);
    for submits in [false, true] {
        let event = fixture.event(|event| matches!(event, Event::Typed { .. }));
        assert_eq!(event, Event::Typed { program, submits }, "in order");
    }
    viewer.client.list().expect("the host should answer");
    assert!(viewer.notices.try_iter().next().is_none(), "not to who said so");
}

#[test]
fn a_view_of_nothing_is_no_harm() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh("exit 3");
    fixture.gone(spawned.program);
    let viewer = Viewer::new(&fixture, spawned.program);
    viewer.shows(0, 0);
    assert_eq!(viewer.told(), (1, 1, true), "at least one cell");
    fixture.client().forget(spawned.program).unwrap();
    viewer.shows(80, 24);
    viewer.client.view(99, None);
    assert!(viewer.is_told_nothing(), "there is no such program");
    fixture.assert_serves();
}
