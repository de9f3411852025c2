//! The state folder: one instance in each, and a start from whatever is in it.

use std::fs;

use crate::command::{check_line, refusal, run_to_end, trackside};
use crate::harness::{Instance, Setup, set_mode};

#[test]
fn a_second_instance_on_the_same_state_directory_is_refused() {
    let instance = Instance::headless();
    let pid = instance.pid().to_string();
    let output = run_to_end(trackside(instance.dir.path()).args(["--headless"]));
    check_line(&output, &["already", &pid]);
    instance.status();
}

#[test]
fn another_state_directory_is_an_instance_of_its_own() {
    let instance = Instance::headless();
    instance.open("one");
    let elsewhere = instance.path("elsewhere");
    let flags = ["--state-dir", elsewhere.to_str().unwrap()];
    for args in [["status", flags[0], flags[1]], [flags[0], flags[1], "status"]] {
        let (code, line) = refusal(&instance.cli(args));
        assert_eq!(code, 3, "nothing runs there ({args:?}): {line}");
    }
}

#[test]
fn an_unusable_state_directory_is_told_in_one_line() {
    let setup = Setup::headless();
    fs::write(setup.path("file"), "precious").unwrap();
    let refused = |path: &str| run_to_end(setup.command().arg("--state-dir").arg(setup.path(path)));
    check_line(&refused("file"), &["file"]);
    check_line(&refused("file/below"), &["file/below"]);
    fs::create_dir(setup.path("open")).unwrap();
    set_mode(&setup.path("open"), 0o777);
    check_line(&refused("open"), &["open", "chmod"]);
    assert_eq!(fs::read(setup.path("file")).unwrap(), b"precious", "the file is untouched");
}

#[test]
fn whatever_is_in_the_state_folder_the_program_starts() {
    let mut instance = Instance::headless();
    instance.open("one");
    instance.quit();
    let folder = instance.path("state/trackside");
    let written: Vec<_> = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
    assert!(!written.is_empty(), "it wrote something down");
    for file in written.iter().filter(|path| path.is_file()) {
        for (what, bytes) in [
            ("nothing", Vec::new()),
            ("noise", (0..=255).cycle().take(10_000).collect()),
            ("JSON from the future", b"{\"version\":99}\n".to_vec()),
            ("very much", vec![b'\n'; 4 << 20]),
        ] {
            fs::write(file, bytes).unwrap();
            instance.start_again();
            assert!(instance.status()["workspaces"].is_array(), "{what} in {}", file.display());
            instance.quit();
        }
    }
}
