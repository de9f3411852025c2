//! What is said to run in a terminal.

use super::*;

fn shell(name: &str) -> Fixture {
    let fixture = Fixture::start(name, &["sh", "-i"]);
    eventually("a prompt", || !fixture.text().is_empty());
    fixture
}

fn type_line(fixture: &Fixture, line: &str) {
    fixture.session.write(format!("{line}\n").into_bytes()).unwrap();
}

#[track_caller]
fn eventually_in_front(fixture: &Fixture, name: &str, is_leader: bool) {
    eventually(name, || {
        let front = fixture.session.foreground();
        front.is_some_and(|front| front.name == name && front.is_leader == is_leader)
    });
}

#[test]
fn a_shell_at_its_prompt_is_in_front_of_itself() {
    let fixture = shell("at-prompt");
    eventually_in_front(&fixture, "sh", true);
    assert_eq!(fixture.session.others(), [""; 0], "nothing was started");
}

#[test]
fn the_program_in_front_is_named_until_it_ends() {
    let fixture = shell("in-front");
    type_line(&fixture, "cat");
    eventually_in_front(&fixture, "cat", false);
    assert_eq!(fixture.session.others(), ["cat"], "all that was started");
    fixture.session.write(vec![4]).unwrap();
    eventually_in_front(&fixture, "sh", true);
}

#[test]
fn what_is_left_of_a_pipeline_is_in_front() {
    let fixture = shell("pipeline");
    type_line(&fixture, "true | sleep 60");
    eventually_in_front(&fixture, "sleep", false);
}

#[test]
fn jobs_in_the_background_are_among_the_others() {
    let fixture = shell("background");
    type_line(&fixture, "sleep 60 & setsid sleep 61 &");
    eventually("two jobs", || fixture.session.others() == ["sleep", "sleep"]);
    eventually_in_front(&fixture, "sh", true);
}

#[test]
fn one_look_tells_the_others_of_each_session() {
    let (one, two) = (shell("one-of-two"), shell("two-of-two"));
    type_line(&one, "sleep 60 &");
    type_line(&two, "setsid cat /dev/zero >/dev/null &");
    let others = || PtySession::others_of(&[&two.session, &one.session]);
    eventually("one job each", || others() == [["cat"], ["sleep"]]);
    assert_eq!(PtySession::others_of(&[]), Vec::<Vec<String>>::new(), "nobody asked about");
}

#[test]
fn the_directory_is_that_of_the_program_in_front() {
    let fixture = shell("directory");
    let inner = fixture.path("inner");
    fs::create_dir(&inner).unwrap();
    type_line(&fixture, "cd inner");
    let inner = inner.canonicalize().unwrap();
    eventually("inner", || {
        let front = fixture.session.foreground();
        front.and_then(|front| front.directory) == Some(inner.clone())
    });
}
