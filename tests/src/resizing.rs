//! Another width under a shell that is being typed into: nothing is lost, nothing is there twice.

use crate::harness::{Instance, on_both, wait_for};

/// Longer than the narrow pane, so that the shell has to go up when it draws its line anew.
const PROMPT: &str = "someone@a-machine-with-a-name:~/a/rather/long/path (main)$ ";
const TYPED: &str = "echo a command that is long enough to be wrapped once there is less room";
const PRINT: &str = "for i in 1 2 3; do echo line $i$(printf %70s | tr ' ' x); done";

impl Instance {
    /// Zooms step by step, faster than a shell is told of sizes, and waits until it has drawn its line
    /// for the last one. Returns all that the terminal holds.
    #[track_caller]
    fn zoom(&self, key: &str, is_drawn: impl Fn(&str) -> bool) -> String {
        self.ok(["keys", &[key; 14].join(" ")]);
        let look = || self.ok(["screen"]).trim_end().to_owned();
        let drawn = wait_for(|| Some(look()).filter(|screen| is_drawn(screen)));
        assert!(drawn.is_some(), "it never settled:\n{}", look());
        self.all_text()
    }

    /// All lines, whole, those above the screen too.
    #[track_caller]
    fn all_text(&self) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("all.txt");
        let arguments = serde_json::json!({ "path": path }).to_string();
        self.ok(["do", "terminal.save_output", &arguments]);
        let text = wait_for(|| std::fs::read_to_string(&path).ok().filter(|text| !text.is_empty()));
        text.expect("saved output").trim_end().to_owned()
    }
}

#[test]
fn a_shell_keeps_its_lines_and_its_prompt_through_many_sizes() {
    on_both(|instance| {
        std::fs::create_dir_all(instance.path("one")).expect("a folder");
        instance.open("one");
        let shell = ["env", &format!("PS1={PROMPT}"), "bash", "--norc", "--noprofile"];
        instance.ok(["terminal", "new", "--"].iter().copied().chain(shell));
        instance.wait_for_screen("one", "(main)$");
        instance.ok(["type", &format!("{PRINT}\n")]);
        instance.wait_for_screen("one", "line 3");
        instance.ok(["type", TYPED]);
        let line = format!("{PROMPT}{TYPED}");
        let lines = (1..=3).map(|i| format!("line {i}{}", "x".repeat(70)));
        let lines = [format!("{PROMPT}{PRINT}")].into_iter().chain(lines).chain([line.clone()]);
        let expected: Vec<String> = lines.collect();
        for round in 1..=4 {
            for (key, wrapped) in [("ctrl-=", true), ("ctrl-0", false)] {
                let is_drawn = |screen: &str| {
                    unwrap(screen, &line).last() == Some(&line)
                        && screen.contains("\nxx") == wrapped
                };
                let all = instance.zoom(key, is_drawn);
                // The line that is being edited is never wrapped by us, so its rows are lines here.
                assert_eq!(unwrap(&all, &line), expected, "round {round}, {key}");
            }
        }
    });
}

/// The lines of `all`, of which the last one may have been cut into several.
fn unwrap(all: &str, last: &str) -> Vec<String> {
    let mut lines: Vec<String> = all.lines().map(str::to_owned).collect();
    let mut tail = lines.pop().unwrap_or_default();
    while tail != last && last.ends_with(&tail) {
        let Some(before) = lines.pop() else { break };
        tail = before + &tail;
    }
    lines.push(tail);
    lines
}
