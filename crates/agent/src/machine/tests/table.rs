//! Every state beside every kind of event.

use super::*;

/// How each state is reached; the last step is no later than 99 s, and what follows is at 100 s.
const STATES: [(&str, &str); 7] = [
    ("Starting", "99.9 restart"),
    ("Running", "99.9 text"),
    ("NeedsInput", "90 text, 95 tick"),
    ("Asked", "90 text, 91 ask permission"),
    ("Stale", "0 text, 5 tick, 65 tick"),
    ("Exited", "90 exit 3"),
    ("Stopped", ""),
];

/// What becomes of each state within a second of an event, in the order of [`STATES`]. `.`: nothing.
const TABLE: &str = "
output                 | Running | . | Running | . | Running | . | .
text                   | Running | . | Running | . | Running | . | .
cell                   | Running | . | . | . | . | . | .
scroll                 | Running | . | Running | . | Running | . | .
frame                  | Running | . | . | . | . | . | .
count                  | Running | . | . | . | . | . | .
blink                  | Running | . | . | . | . | . | .
blank                  | . | . | . | . | . | . | .
type                   | . | . | . | Running | NeedsInput(silence) | . | .
press 1                | . | . | . | Running | NeedsInput(silence) | . | .
send                   | . | . | Running | Running | Running | . | .
send-lf                | . | . | Running | Running | Running | . | .
end                    | . | . | Running | Running | Running | . | .
nothing                | . | . | . | . | . | . | .
seen                   | . | . | . | . | . | . | .
redraw                 | . | . | . | . | . | . | .
tick                   | . | . | . | . | . | . | .
ask nothing            | . | . | . | NeedsInput(silence) | . | . | .
ask permission         | NeedsInput(permission) | NeedsInput(permission) | NeedsInput(permission) | . | NeedsInput(permission) | . | .
ask permission again?  | NeedsInput(permission) | NeedsInput(permission) | NeedsInput(permission) | . | NeedsInput(permission) | . | .
ask confirmation       | NeedsInput(confirmation) | NeedsInput(confirmation) | NeedsInput(confirmation) | NeedsInput(confirmation) | NeedsInput(confirmation) | . | .
ask error              | . | . | NeedsInput(error) | NeedsInput(error) | . | . | .
sample cooked          | . | . | Running | . | Running | . | .
sample cooked reading  | NeedsInput(silence) | NeedsInput(silence) | . | . | NeedsInput(silence) | . | .
sample cooked hidden reading | NeedsInput(password) | NeedsInput(password) | NeedsInput(password) | NeedsInput(password) | NeedsInput(password) | . | .
sample raw             | . | . | . | . | . | . | .
sample raw reading     | NeedsInput(silence) | NeedsInput(silence) | . | . | NeedsInput(silence) | . | .
sample raw child=7     | . | . | . | . | . | . | .
unsampled              | . | . | . | . | . | . | .
status working         | . | . | Running | Running | Running | . | .
status idle            | NeedsInput(turn_done) | NeedsInput(turn_done) | NeedsInput(turn_done) | . | NeedsInput(turn_done) | . | .
status done            | NeedsInput(turn_done) | NeedsInput(turn_done) | NeedsInput(turn_done) | . | NeedsInput(turn_done) | . | .
status error           | NeedsInput(error) | NeedsInput(error) | NeedsInput(error) | NeedsInput(error) | NeedsInput(error) | . | .
status permission      | NeedsInput(permission) | NeedsInput(permission) | NeedsInput(permission) | . | NeedsInput(permission) | . | .
status question        | NeedsInput(question) | NeedsInput(question) | NeedsInput(question) | NeedsInput(question) | NeedsInput(question) | . | .
status auth            | NeedsInput(password) | NeedsInput(password) | NeedsInput(password) | NeedsInput(password) | NeedsInput(password) | . | .
status clear           | . | . | . | . | . | . | .
part a working         | . | . | Running | Running | Running | . | .
part a permission      | . | . | . | . | . | . | .
report running         | . | . | Running | Running | Running | . | .
report permission      | NeedsInput(permission) | NeedsInput(permission) | NeedsInput(permission) | . | NeedsInput(permission) | . | .
report completed       | NeedsInput(turn_done) | NeedsInput(turn_done) | NeedsInput(turn_done) | . | NeedsInput(turn_done) | . | .
report errored         | NeedsInput(error) | NeedsInput(error) | NeedsInput(error) | NeedsInput(error) | NeedsInput(error) | . | .
title ⠋ x              | . | . | Running | Running | Running | . | .
title ✳ x              | NeedsInput(turn_done) | NeedsInput(turn_done) | NeedsInput(turn_done) | . | NeedsInput(turn_done) | . | .
title ✋ x              | NeedsInput(permission) | NeedsInput(permission) | NeedsInput(permission) | . | NeedsInput(permission) | . | .
title x                | . | . | . | . | . | . | .
progress on            | . | . | Running | Running | . | . | .
progress paused        | . | . | . | . | . | . | .
progress off           | . | . | . | . | . | . | .
notify come            | NeedsInput(turn_done) | NeedsInput(turn_done) | NeedsInput(turn_done) | . | NeedsInput(turn_done) | . | .
bell                   | NeedsInput(turn_done) | NeedsInput(turn_done) | NeedsInput(turn_done) | . | NeedsInput(turn_done) | . | .
paste on               | . | . | . | . | . | . | .
paste off              | . | . | . | . | . | . | .
exit 0                 | Exited(exit 0) | Exited(exit 0) | Exited(exit 0) | Exited(exit 0) | Exited(exit 0) | . | Exited(exit 0)
signal 9               | Exited(SIGKILL) | Exited(SIGKILL) | Exited(SIGKILL) | Exited(SIGKILL) | Exited(SIGKILL) | . | Exited(SIGKILL)
give up                | . | . | . | . | . | Stopped | .
restart                | . | Starting | Starting | Starting | Starting | Starting | Starting
";

fn after(state: &str, script: &str, event: &str) -> String {
    let mut stage = Stage::new(Timeouts::default());
    for (at, event) in steps(script) {
        stage.play(event, at);
    }
    if state == "Stopped" {
        // Also what was kept on disk says so.
        stage.machine =
            AgentStateMachine { state: AgentState::Stopped, judged_until: None, ..stage.machine };
    }
    let before = describe(stage.machine.state());
    let at = Duration::from_secs(100);
    stage.play(event, at);
    let until = stage.start + at + Duration::from_secs(1);
    while let Some(due) = stage.machine.next_deadline().filter(|due| *due <= until) {
        stage.machine.on_deadline(due);
    }
    let after = describe(stage.machine.state());
    if before == after { ".".to_owned() } else { after }
}

#[test]
fn every_event_in_every_state_does_what_the_table_says() {
    let events: Vec<&str> =
        TABLE.lines().filter_map(|line| Some(line.split_once(" | ")?.0.trim())).collect();
    let mut table = String::from("\n");
    for event in events {
        let cells: Vec<String> =
            STATES.iter().map(|(state, script)| after(state, script, event)).collect();
        table.push_str(&format!("{event:22} | {}\n", cells.join(" | ")));
    }
    assert_eq!(
        table, TABLE,
        "event | Starting | Running | NeedsInput | Asked | Stale | Exited | Stopped"
    );
}
