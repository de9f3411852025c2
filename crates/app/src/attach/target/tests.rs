//! Which agent is meant by what is written.

use super::*;

fn known(id: &str, name: &str, root: &str, is_active: bool) -> Known {
    Known { id: id.to_owned(), name: name.to_owned(), root: root.into(), is_active }
}

fn held(root: &str, is_alive: bool) -> Held {
    Held { program: 1, name: "claude".to_owned(), root: root.into(), is_alive }
}

/// `found` is a folder and a name, or else a part of the refusal.
#[track_caller]
fn check(wanted: Option<&str>, known: &[Known], held: &[Held], is_running: bool, found: &str) {
    let chosen = match choose(wanted, known, held, is_running) {
        Ok((root, name)) => format!("{} {name}", root.display()),
        Err(line) => line,
    };
    assert!(chosen.contains(found), "{chosen:?} should be {found:?}");
}

#[test]
fn an_instance_says_which_workspace_is_meant() {
    let known = [known("1", "api", "/src/api", false), known("2", "web", "/src/web", true)];
    let held = [held("/src/api", true), held("/src/old", true)];
    check(None, &known, &held, true, "/src/web web");
    for wanted in ["1", "api", "/src/api"] {
        check(Some(wanted), &known, &held, true, "/src/api api");
    }
    check(Some("old"), &known, &held, true, "/src/old old");
    check(Some("nowhere"), &known, &held, true, "no workspace is called `nowhere`");
    check(None, &[], &held, true, "no workspace is open");
}

#[test]
fn without_an_instance_it_is_the_one_that_was_active_or_the_only_one() {
    let known = [known("", "api", "/src/api", false), known("", "web-2", "/other/web", true)];
    let api = held("/src/api", true);
    check(None, &known, &[api.clone(), held("/other/web", true)], false, "/other/web web-2");
    check(None, &known, &[api.clone(), held("/other/web", false)], false, "/src/api api");
    check(None, &known, &[], false, "no agent runs");
    let several = [api, held("/src/lib", true)];
    check(None, &known, &several, false, "name one with -w: api, lib");
    check(Some("web-2"), &known, &several, false, "/other/web web-2");
    check(Some("/src/lib"), &known, &several, false, "/src/lib lib");
    check(Some("lib"), &[], &several, false, "/src/lib lib");
}
