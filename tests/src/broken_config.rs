//! A broken configuration: the last good one stays, and one message says where the mistake is.

use std::fs;

use crate::command::{refusal, trackside};
use crate::harness::{Instance, Setup, wait_for};

/// What is wrong, the line it is in, and a word the message has to say.
fn mistakes() -> Vec<(String, usize, &'static str)> {
    let text = |text: &str, line, says| (text.to_owned(), line, says);
    let many: String = (0..100_000).map(|n| format!("k{n}=1\n")).collect();
    vec![
        text("theme = \"dark\"\ntheme = \"light\"\n", 2, "duplicate key"),
        text("\n\nfont_size = \"large\"\n", 3, "font_size"),
        text("font_size = nan\n", 1, "font_size"),
        text("font_size = -1\n", 1, "font_size"),
        text("font_size = 1e9\n", 1, "font_size"),
        text("font_size = 2026-01-01\n", 1, "font_size"),
        text("\nfont_sise = 14\n", 2, "font_sise"),
        text("[limits]\nslots = -1\n", 2, "slots"),
        text("[limits]\nstop_grace = \"-3s\"\n", 2, "stop_grace"),
        text("[terminal]\nscrollback_lines = 1000000000000\n", 2, "scrollback_lines"),
        text("[agents.mine]\nstart = \"cat\"\n", 2, "start"),
        text("[agents.mine]\nneeds_input_timeout = \"soon\"\n", 2, "needs_input_timeout"),
        text("include = [\"config.toml\"]\n", 1, "include"),
        text("theme = \n", 1, ""),
        text("theme = \"pink\"\n", 1, "pink"),
        text("theme = \"da\0rk\"\n", 1, "NUL"),
        (many, 1, "k0"),
    ]
}

fn write_config(instance: &Instance, text: &[u8]) {
    fs::write(instance.path("config/trackside/config.toml"), text).unwrap();
}

#[test]
fn a_mistake_is_told_with_file_and_line() {
    for (text, line, says) in mistakes() {
        let setup = Setup::headless().config(&text);
        let (code, message) =
            refusal(&trackside(setup.dir()).args(["config", "check"]).output().unwrap());
        let head: String = text.chars().take(60).collect();
        assert_eq!(code, 1, "{head:?}: {message}");
        let place = format!("config.toml:{line}:");
        assert!(message.contains(&place), "{head:?} is in line {line}: {message}");
        assert!(message.contains(says), "{head:?} should say {says:?}: {message}");
        assert!(message.len() < 1_000, "{head:?}: {} bytes of message", message.len());
    }
}

#[test]
fn a_file_that_is_no_text_or_far_too_large_is_told() {
    let setup = Setup::headless().config("");
    let path = setup.path("config/trackside/config.toml");
    let check = |says: &str| {
        let output = trackside(setup.dir()).args(["config", "check"]).output().unwrap();
        let (code, message) = refusal(&output);
        assert_eq!((code, message.contains(says)), (1, true), "{message}");
    };
    fs::write(&path, b"theme = \"\xff\"\n").unwrap();
    check("UTF-8");
    fs::File::create(&path).unwrap().set_len(50 << 20).unwrap();
    check("longer");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    check("config.toml");
}

#[test]
fn a_right_configuration_and_none_at_all_are_fine() {
    let setup = Setup::headless();
    let check = || trackside(setup.dir()).args(["config", "check"]).output().unwrap();
    assert!(check().status.success(), "none: {:?}", check());
    let default = trackside(setup.dir()).args(["config", "default"]).output().unwrap();
    let setup = Setup::headless().config(&String::from_utf8(default.stdout).unwrap());
    let output = trackside(setup.dir()).args(["config", "check"]).output().unwrap();
    assert!(output.status.success(), "the default one: {output:?}");
}

#[test]
fn a_broken_configuration_does_not_keep_the_program_from_starting() {
    for text in ["theme = \n", "\0", "[agents.mine]\nstart = 1\n"] {
        let mut instance = Setup::headless().config(text).start();
        instance.open("one");
        instance.start_agent("one", &["true"]);
        instance.wait("one", "completed");
        assert!(instance.ok(["doctor"]).contains("config.toml:"), "`doctor` shows the mistake");
        instance.quit();
    }
}

/// Whether the agent of that name can be started, which tells which configuration is in force.
fn knows(instance: &Instance, agent: &str) -> bool {
    let output = instance.cli(["agent", "start", "-w", "one", agent]);
    if output.status.success() {
        instance.wait("one", "exited");
    }
    output.status.success()
}

#[test]
fn changes_apply_live_and_the_last_good_ones_stay() {
    let instance = Setup::headless().config("[agents.first]\nstart = [\"true\"]\n").start();
    instance.open("one");
    assert!(knows(&instance, "first"), "what it started with");

    write_config(&instance, b"[agents.second]\nstart = [\"true\"]\n");
    wait_for(|| knows(&instance, "second").then_some(())).expect("a change applies");
    assert!(!knows(&instance, "first"), "what was removed is gone");

    write_config(&instance, b"[agents.third]\nstart = [\"true\"]\nstart = 3\n");
    let told = wait_for(|| instance.ok(["doctor"]).contains("config.toml:3:").then_some(()));
    told.expect("the mistake is told");
    assert!(knows(&instance, "second"), "the last good one stays");
    assert!(!knows(&instance, "third"), "nothing of the broken one is taken");

    write_config(&instance, b"[agents.fourth]\nstart = [\"true\"]\n");
    wait_for(|| knows(&instance, "fourth").then_some(())).expect("mended, it applies again");
}

#[test]
fn a_configuration_replaced_by_renaming_applies_live() {
    let instance = Setup::headless().config("").start();
    instance.open("one");
    let new = instance.path("config/trackside/new");
    fs::write(&new, "[agents.renamed]\nstart = [\"true\"]\n").unwrap();
    fs::rename(&new, instance.path("config/trackside/config.toml")).unwrap();
    wait_for(|| knows(&instance, "renamed").then_some(())).expect("as editors save");
}

#[test]
fn a_key_that_makes_no_sense_is_told_with_its_line() {
    let instance = Instance::headless();
    for (binding, words) in [
        ("\"ctrl-shift-x\" = \"no.such\"", "unknown action"),
        ("\"hyper-q\" = \"app.quit\"", "cannot be read as a key"),
        ("\"ctrl-shift-x\" = \"tab.activate\"", "needs arguments"),
    ] {
        write_config(&instance, format!("font_size = 15.0\n[keys]\n{binding}\n").as_bytes());
        let (code, line) = instance.refused(["config", "check"]);
        assert_eq!(code, 1, "{line}");
        assert!(line.contains("config.toml:3: [keys]") && line.contains(words), "{line}");
    }
}
