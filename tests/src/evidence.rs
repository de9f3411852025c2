//! Why an agent is taken to wait: scripted agents for each reason, reports, and explanations.

use std::fs;

use serde_json::Value;

use crate::harness::{Instance, wait_for};

impl Instance {
    /// Starts a script as the agent of workspace `one` and waits until it is taken to wait.
    #[track_caller]
    fn run_until_it_waits(&self, script: &str) -> Value {
        self.start_agent("one", &["sh", "-c", script]);
        self.wait("one", "needs_input");
        // What it asks is read off the screen a moment later.
        let agent = || self.workspace("one")["agent"].clone();
        wait_for(|| Some(agent()).filter(|agent| agent["reason"]["kind"] != "silence"))
            .unwrap_or_else(agent)
    }

    fn explain(&self) -> Value {
        serde_json::from_str(&self.ok(["explain", "-w", "one", "--json"])).expect("JSON")
    }
}

#[track_caller]
fn check(script: &str, kind: &str, text: Option<&str>, source: &str) {
    let instance = Instance::headless();
    fs::create_dir_all(instance.path("one")).expect("a folder");
    instance.open("one");
    let agent = instance.run_until_it_waits(script);
    assert_eq!(agent["reason"]["kind"], kind, "of {script}: {agent}");
    assert_eq!(agent["reason"]["text"].as_str(), text, "of {script}: {agent}");
    let explanation = instance.explain();
    assert_eq!(explanation["winner"]["source"], source, "of {script}: {explanation}");
}

/// An OSC 7501 report; `done` is "Run it?" in base64.
fn status(state: &str) -> String {
    format!(r"printf '\033]7501;state={state}\033\\'; echo; sleep 60")
}

#[test]
fn a_program_that_says_what_it_is_blocked_on_is_believed() {
    let blocked = status("blocked:kind=permission:msg=UnVuIGl0Pw==");
    check(&blocked, "permission", Some("Run it?"), "status");
    check(&status("done"), "turn_done", None, "status");
    check(&status("error"), "error", None, "status");
}

#[test]
fn prompts_of_line_programs_are_told_apart() {
    let prompt = |text: &str| format!("printf '{text} '; read answer; sleep 60");
    let confirm = prompt("Continue? [y/N]");
    check(&confirm, "confirmation", Some("Continue? [y/N]"), "terminal_read");
    check(&prompt("Your name?"), "question", Some("Your name?"), "terminal_read");
    let password = "printf 'Password: '; stty -echo; read secret; sleep 60";
    check(password, "password", Some("Password:"), "terminal_read");
}

/// A program that fills the screen with a question and two answers, and waits for a key.
fn menu(question: &str) -> String {
    format!(
        r"stty raw -echo; printf '\033[?1049h\033[2J{question}\r\n> 1. Yes\r\n  2. No'; \
        head -c 1 >/dev/null; sleep 60"
    )
}

#[test]
fn a_menu_on_a_full_screen_is_a_permission_with_its_question() {
    let question = "Do you want to proceed?";
    check(&menu(question), "permission", Some(question), "terminal_read");
}

#[test]
fn what_is_asked_at_a_first_start_is_told_apart() {
    for question in [
        "Do you trust the files in this folder?",
        "How would you like to authenticate for this project?",
    ] {
        check(&menu(question), "first_run", Some(question), "terminal_read");
    }
}

#[test]
fn an_error_before_the_prompt_is_what_it_stopped_at() {
    let stops = |error: &str| format!("printf 'working\\n{error}\\n\\n> '; read answer; sleep 60");
    for error in [
        "Invalid API key - Please run /login",
        "Usage limit reached. It will reset at 3pm",
        "API Error: 529 overloaded_error",
        "stream disconnected before completion: error sending request",
    ] {
        check(&stops(error), "error", Some(error), "terminal_read");
    }
}

#[test]
fn a_report_with_a_text_of_several_lines_is_one() {
    // Three lines.
    let blocked = status("blocked:kind=permission:msg=YXBwcm92ZSBCYXNoOgptYWtlIGNsZWFuCm1ha2U=");
    check(&blocked, "permission", Some("approve Bash: make clean make"), "status");
}

#[test]
fn a_dialog_is_seen_while_something_moves_above_it() {
    let script = r"stty raw -echo; printf '\033[2J\033[H\r\n\r\nRun it?\r\n\342\235\257 1. Yes\r\n  2. No\r\n';
        while :; do for glyph in '\342\240\213' '\342\240\231' '\342\240\271' '\342\240\270'; do
        printf '\0337\033[1;1H'$glyph' busy\0338'; sleep 0.1; done; done";
    check(script, "question", Some("Run it?"), "screen");
}

#[test]
fn a_clock_in_a_corner_is_no_work() {
    let script = r"stty raw -echo; printf '\r\nDone.\r\n> ';
        for second in $(seq 10 59); do printf '\0337\033[1;40H12:00:'$second'\0338'; sleep 1; done; sleep 60";
    check(script, "turn_done", None, "line_editor");
}

#[test]
fn a_dialog_that_an_answer_quotes_is_not_asked() {
    let script = r"printf 'It asks:\n\n  Do you want to proceed?\n  1. Yes\n  2. No\n\nSo much for 429 too many requests.\n\n> ';
        read answer; sleep 60";
    check(script, "turn_done", None, "terminal_read");
}

#[test]
fn a_notification_says_what_was_done() {
    let notify = r"stty raw -echo; printf 'building\r\n'; printf '\033]9;The build is ready\033\\'; sleep 60";
    check(notify, "turn_done", Some("The build is ready"), "notification");
}

#[test]
fn a_silent_command_is_no_reason_to_look() {
    let instance = Instance::headless();
    fs::create_dir_all(instance.path("one")).expect("a folder");
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo building; sleep 60"]);
    instance.wait("one", "running");
    // Longer than any silence is taken for waiting.
    let output = instance.cli(["wait", "-w", "one", "--state", "needs_input", "--timeout", "7s"]);
    assert_eq!(output.status.code(), Some(4), "it never waits: {}", instance.status());
    let explanation = instance.explain();
    assert_eq!(explanation["winner"]["source"], "command_runs", "{explanation}");
}

#[test]
fn an_agent_may_report_about_itself_and_nobody_else() {
    let instance = Instance::headless();
    for name in ["one", "two"] {
        fs::create_dir_all(instance.path(name)).expect("a folder");
        instance.open(name);
    }
    instance.start_agent("two", &["sleep", "60"]);
    let program = crate::command::binary();
    let program = program.display();
    let script = format!(
        "echo begin; {program} report needs_input --reason 'Which branch?' && echo told; \
         {program} report -w two errored || echo refused; sleep 60"
    );
    instance.start_agent("one", &["sh", "-c", &script]);
    instance.wait_for_screen("one", "refused");
    let agent = instance.workspace("one")["agent"].clone();
    assert_eq!(agent["reason"]["kind"], "question", "{agent}");
    assert_eq!(agent["reason"]["text"], "Which branch?", "{agent}");
    assert!(instance.screen("one").contains("told"), "{}", instance.screen("one"));
    assert_ne!(instance.workspace("two")["status"], "errored", "the other is left alone");
    // It holds until something is handed in.
    instance.ok(["agent", "send", "-w", "one", "--enter", "main"]);
    instance.wait("one", "running");
}

#[test]
fn a_late_report_does_not_win() {
    let instance = Instance::headless();
    fs::create_dir_all(instance.path("one")).expect("a folder");
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo here; sleep 60"]);
    let report = |state: &str, sequence: &str| {
        instance.ok(["report", "-w", "one", state, "--sequence", sequence]);
    };
    report("needs_input", "10");
    instance.wait("one", "needs_input");
    report("running", "9");
    assert_eq!(instance.workspace("one")["status"], "needs_input", "9 comes before 10");
    report("running", "11");
    instance.wait("one", "running");
    let output = instance.cli(["report", "-w", "one", "asleep"]);
    assert_eq!(output.status.code(), Some(2), "no state is called so");
}

#[test]
fn a_recording_is_played_without_an_instance() {
    let instance = Instance::headless();
    let file = instance.path("cat.jsonl");
    let lines = [
        r#"{"t":0.0,"dir":"proc","fg":1,"lf":[1,1,1],"ps":[[1,0,"cat","S",0,0,0,1,1]]}"#,
        r#"{"t":0.1,"dir":"out","b64":"UmVhZHk/IFt5L05dIA=="}"#,
        r#"{"t":0.9,"dir":"proc","fg":1,"lf":[1,1,1],"same":1}"#,
        r#"{"t":4.0,"dir":"ev","ev":"exit","code":3}"#,
    ];
    fs::write(&file, lines.join("\n")).expect("a recording");
    let text = instance.ok(["replay".as_ref(), file.as_os_str(), "--json".as_ref()]);
    let states: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let words: Vec<&str> = states.iter().filter_map(|it| it["state"].as_str()).collect();
    assert_eq!(words.first(), Some(&"starting"), "{text}");
    assert_eq!(words.last(), Some(&"exited"), "{text}");
    assert!(text.contains(r#""reason":"confirmation""#), "{text}");
    fs::write(&file, "{").expect("a recording");
    let (code, line) = instance.refused(["replay".as_ref(), file.as_os_str()]);
    assert_eq!(code, 1, "{line}");
    assert!(line.contains("cat.jsonl:1:"), "it names the line: {line}");
}
