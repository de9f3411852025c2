//! What recorded agents ask can be answered: their screens in, the answers and their keys out.

use std::path::Path;
use std::time::{Duration, Instant};

use agent::{Answer, Dialog, Given};
use config::Config;
use replay::{Labels, Player, Recording};

/// What is asked at a moment of a recording, and how each answer is given. The one that Enter gives there
/// has a star.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn check(name: &str, seconds: f64, asked: &str, answers: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/signals");
    let labels =
        std::fs::read_to_string(folder.join(format!("{name}.labels.json"))).expect("labels");
    let labels = Labels::parse(&labels).expect("labels");
    let recording = Recording::load(&folder.join(format!("{name}.jsonl"))).expect("a file");
    let rules = Config::default().rules(&labels.agent, &labels.agent);
    let player = Player::new(labels.size, rules.into(), Instant::now());
    let agent = player.play_to(&recording, Duration::from_secs_f64(seconds));
    let dialog = agent.dialog();
    let text = |dialog: &Dialog| {
        let about = dialog.about.join(" | ");
        format!("{about} > {}", dialog.question.text)
    };
    let found = dialog.as_ref().map(text).unwrap_or_default();
    assert_eq!(found.trim_start(), asked, "what {name} asks at {seconds}");
    let given = dialog.iter().flat_map(|dialog| &dialog.answers).map(words).collect::<Vec<_>>();
    assert_eq!(given.join("; "), answers, "how {name} is answered at {seconds}");
}

fn words(answer: &Answer) -> String {
    let given = match &answer.given {
        Given::Typed(text) => text.escape_debug().to_string(),
        Given::Selected { presses: 0, .. } => "Enter".to_owned(),
        Given::Selected { arrow, presses } => format!("{presses} {arrow:?}, Enter"),
    };
    let default = if answer.is_default { "*" } else { "" };
    let text = if answer.wants_text() { ", and a text" } else { "" };
    format!("{}{default}: {given}{text}", answer.label)
}

#[test]
fn claude_code_is_answered_by_numbers_and_its_first_dialogs_by_arrows() {
    check(
        "claude-ask",
        21.0,
        "☐ Database > Which database should the service use?",
        "SQLite*: 1; PostgreSQL: 2; Type something.: 3, and a text; Chat about this: 4",
    );
    check(
        "claude-build",
        14.9,
        "Bash command | Tip: auto mode handles these prompts for you — choose \"switch to auto \
         mode\" below | Run a shell command | for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo \
         compiling unit $i; sleep 1; done | A variable in this command can't be checked before it \
         runs > Do you want to proceed?",
        "Yes*: 1; Yes, and switch to auto mode · auto mode handles these prompts for you: 2; No: \
         3",
    );
    check(
        "claude-firstrun",
        12.2,
        "Accessing workspace: | /tmp/demo-repo | project, or work from your team). If not, take a \
         moment to review what's in this folder first. | Claude Code'll be able to read, edit, \
         and execute files here. | Security guide > Quick safety check: Is this a project you \
         created or one you trust? (Like your own code, a well-known open source",
        "No, exit*: Enter; Yes, I trust this folder: 1 ArrowDown, Enter",
    );
    check(
        "claude-firstrun",
        12.7,
        "Accessing workspace: | /tmp/demo-repo | project, or work from your team). If not, take a \
         moment to review what's in this folder first. | Claude Code'll be able to read, edit, \
         and execute files here. | Security guide > Quick safety check: Is this a project you \
         created or one you trust? (Like your own code, a well-known open source",
        "No, exit: 1 ArrowUp, Enter; Yes, I trust this folder*: Enter",
    );
    check(
        "claude-firstrun",
        24.9,
        "Detected a custom API key in your environment | ANTHROPIC_API_KEY: \
         sk-ant-...sk-test-dummy > Do you want to use this API key?",
        "Yes: 1 ArrowUp, Enter; No (recommended)*: Enter",
    );
    check(
        "claude-firstrun",
        25.4,
        "Detected a custom API key in your environment | ANTHROPIC_API_KEY: \
         sk-ant-...sk-test-dummy > Do you want to use this API key?",
        "Yes*: Enter; No (recommended): 1 ArrowDown, Enter",
    );
    check(
        "claude-nopst",
        22.0,
        "Bash command | Tip: auto mode handles these prompts for you — choose \"switch to auto \
         mode\" below | Run a shell command | touch made-by-agent.txt > Do you want to proceed?",
        "Yes*: 1; Yes, and always allow access to /tmp/demo-repo from this project: 2; Yes, and \
         switch to auto mode · auto mode handles these prompts for you: 3; No: 4",
    );
    check(
        "claude197-edit",
        23.0,
        "Create file | notes.txt | 1 first line | 2 second line > Do you want to create \
         notes.txt?",
        "Yes*: 1; Yes, allow all edits during this session (shift+tab): 2; No: 3",
    );
    check(
        "claude197-firstrun",
        13.1,
        "Accessing workspace: | /tmp/demo-repo | project, or work from your team). If not, take a \
         moment to review what's in this folder first. | Claude Code'll be able to read, edit, \
         and execute files here. | Security guide > Quick safety check: Is this a project you \
         created or one you trust? (Like your own code, a well-known open source",
        "Yes, I trust this folder*: 1; No, exit: 2",
    );
    check(
        "claude197-firstrun",
        25.2,
        "Detected a custom API key in your environment | ANTHROPIC_API_KEY: \
         sk-ant-...sk-test-dummy > Do you want to use this API key?",
        "Yes: 1; No (recommended)*: 2",
    );
    check(
        "claude197-perm",
        23.6,
        "Bash command | touch made-by-agent.txt | Run a shell command > Do you want to proceed?",
        "Yes*: 1; Yes, and always allow access to demo-repo/ from this project: 2; No: 3",
    );
    check(
        "v-claude-plan",
        24.0,
        "Claude wants to exit plan mode > Exit plan mode?",
        "Yes, and switch to default (ask each time) for this session*: 1; No: 2",
    );
    check(
        "w-claude-cpubuild",
        15.9,
        "Bash command | Tip: auto mode handles these prompts for you — choose \"switch to auto \
         mode\" below | Run a shell command | python3 spin.py | This command requires approval > \
         Do you want to proceed?",
        "Yes*: 1; Yes, and don’t ask again for: python3 *: 2; Yes, and switch to auto mode · auto \
         mode handles these prompts for you: 3; No: 4",
    );
    check(
        "w-claude-trust",
        8.3,
        "Accessing workspace: | /tmp/demo-repo | own code, a well-known open source project, or \
         work from your team). If not, | take a moment to review what's in this folder first. | \
         Claude Code'll be able to read, edit, and execute files here. | Security guide > Quick \
         safety check: Is this a project you created or one you trust? (Like your",
        "No, exit*: Enter; Yes, I trust this folder: 1 ArrowDown, Enter",
    );
    check(
        "w-claude-trust",
        8.7,
        "Accessing workspace: | /tmp/demo-repo | own code, a well-known open source project, or \
         work from your team). If not, | take a moment to review what's in this folder first. | \
         Claude Code'll be able to read, edit, and execute files here. | Security guide > Quick \
         safety check: Is this a project you created or one you trust? (Like your",
        "No, exit: 1 ArrowUp, Enter; Yes, I trust this folder*: Enter",
    );
    check(
        "w-claude-trust",
        25.2,
        "Theme > Choose the text style that looks best with your terminal",
        "Auto (match terminal): 1 ArrowUp, Enter; Dark mode*: Enter; Light mode: 1 ArrowDown, \
         Enter; Dark mode (colorblind-friendly): 2 ArrowDown, Enter; Light mode \
         (colorblind-friendly): 3 ArrowDown, Enter; Dark mode (ANSI colors only): 4 ArrowDown, \
         Enter",
    );
    check(
        "w-claude-trust",
        25.8,
        "Theme > Choose the text style that looks best with your terminal",
        "Auto (match terminal): 2 ArrowUp, Enter; Dark mode: 1 ArrowUp, Enter; Light mode*: \
         Enter; Dark mode (colorblind-friendly): 1 ArrowDown, Enter; Light mode \
         (colorblind-friendly): 2 ArrowDown, Enter; Dark mode (ANSI colors only): 3 ArrowDown, \
         Enter",
    );
    check(
        "w-claude-trust",
        41.3,
        "Create file | notes.txt | 1 first line | 2 second line > Do you want to create \
         notes.txt?",
        "Yes*: 1; Yes, and switch to accept edits (auto-approve file edits and common file: 2; \
         No: 3",
    );
}

#[test]
fn codex_is_answered_by_numbers() {
    check(
        "codex-edit",
        20.9,
        "Description: Apply proposed file edits | Destination: /tmp/demo-repo/notes.txt > Would \
         you like to make the following edits?",
        "Yes, proceed (y)*: 1; Yes, and don't ask again for these files (a): 2; No, and tell \
         Codex what to do differently (esc): 3",
    );
    check(
        "codex-firstrun",
        12.6,
        "can run code automatically, even without a model request. Continue only if you trust \
         these files. Your trust | decision will be saved. > Trust this folder? Codex can read, \
         edit, and run files here, subject to your permission settings. Folder settings",
        "Trust and continue*: 1; Back to Agent Command Center: 2",
    );
    check(
        "codex-perm",
        22.1,
        "Environment: local | Reason: Need to run this command | $ touch made-by-agent.txt > \
         Would you like to run the following command?",
        "Yes, proceed (y)*: 1; Yes, and don't ask again for commands that start with `touch \
         made-by-agent.txt` (p): 2; No, and tell Codex what to do differently (esc): 3",
    );
    check(
        "w-codex-login",
        8.4,
        "> Choose how you want to use Codex.",
        "Sign in with ChatGPT*: 1; Sign in with Device Code: 2; Sign in another way: 3",
    );
    check(
        "w-codex-login",
        14.9,
        "> Sign in another way",
        "Use an OpenAI API key*: 1; Use Amazon Bedrock: 2",
    );
    check("w-codex-login", 21.4, "> Press enter to save", "");
    check(
        "w-codex-login",
        30.2,
        "permission settings. Folder settings can run code automatically, even | without a model \
         request. Continue only if you trust these files. Your trust | decision will be saved. > \
         Trust this folder? Codex can read, edit, and run files here, subject to your",
        "Trust and continue*: 1; Back to Agent Command Center: 2",
    );
    check(
        "w-codex-login",
        52.6,
        "Description: command failed; retry without sandbox? | Destination: \
         /tmp/demo-repo/notes.txt > Would you like to make the following edits?",
        "Yes, proceed (y)*: 1; Yes, and don't ask again for these files (a): 2; No, and tell \
         Codex what to do differently (esc): 3",
    );
}

#[test]
fn gemini_is_answered_by_numbers() {
    check(
        "gemini-ask",
        23.9,
        "Answer Questions > Which database should the service use?",
        "SQLite*: 1; PostgreSQL: 2; Enter a custom value: 3, and a text",
    );
    check(
        "gemini-firstrun",
        19.2,
        "Trusting a folder allows Gemini CLI to load its local configurations, including custom \
         commands, hooks, MCP | servers, agent skills, and settings. These configurations could \
         execute code on your behalf or change the behavior | of the CLI. > Do you trust the \
         files in this folder?",
        "Trust folder (demo-repo)*: 1; Trust parent folder (tmp): 2; Don't trust: 3",
    );
    check(
        "gemini-perm",
        24.0,
        "? Shell touch made-by-agent.txt | touch made-by-agent.txt > Allow execution of [Shell]?",
        "Allow once*: 1; Allow for this session: 2; No, suggest changes (esc): 3",
    );
    check(
        "gemini-silent",
        21.4,
        "? Shell sleep 15; echo finished > out.txt | sleep 15; echo finished > out.txt | \
         Redirection detected. To auto-accept, press Shift+Tab > Allow execution of [Shell]?",
        "Allow once*: 1; Allow for this session: 2; No, suggest changes (esc): 3",
    );
}

#[test]
fn opencode_is_answered_by_numbers_and_permissions_by_arrows() {
    check(
        "opencode-ask",
        29.3,
        "> Which database should the service use?",
        "SQLite: 1; PostgreSQL: 2; Type your own answer: 3, and a text",
    );
    check(
        "opencode-edit",
        29.0,
        "→ Edit notes.txt | 1 + first line | 2 + second line > △ Permission required",
        "Allow once*: Enter; Allow always: 1 ArrowRight, Enter; Reject: 2 ArrowRight, Enter",
    );
    check(
        "opencode-perm",
        56.7,
        "# Shell command | $ touch made-by-agent.txt > △ Permission required",
        "Allow once*: Enter; Allow always: 1 ArrowRight, Enter; Reject: 2 ArrowRight, Enter",
    );
    check(
        "v-opencode-resize",
        40.3,
        "# Shell command | $ touch made-by-agent.txt | /tmp/demo-repo:master > △ Permission \
         required",
        "Allow once*: Enter; Allow always: 1 ArrowRight, Enter; Reject: 2 ArrowRight, Enter",
    );
}

#[test]
fn lines_are_answered_by_words() {
    check(
        "aider-edit",
        29.0,
        "… | notes.txt | <<<<<<< SEARCH | ======= | first line | >>>>>>> REPLACE | Tokens: 772 \
         sent, 23 received. | notes.txt > Create new file? (Y)es/(N)o [Yes]:",
        "Yes: y\\r; No: n\\r",
    );
    check(
        "aider-silent",
        20.5,
        "diff> scenario-aidshell please | Run this: | sleep 15 | Tokens: 2.5k sent, 12 received. \
         | sleep 15 > Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]:",
        "Yes: y\\r; No: n\\r; Don't ask again: d\\r",
    );
    check(
        "sh-prompts",
        18.7,
        "dev@demo:$ sleep 2; read -p 'Do you want to continue? [Y/n] ' a; sleep 7; echo ok $a > \
         Do you want to continue? [Y/n]",
        "Yes*: y\\r; No: n\\r",
    );
    check(
        "sh-prompts",
        44.3,
        "dev@demo:$ sleep 2; read -p 'Do you want to continue? [Y/n] ' a; sleep 7; echo ok $a | \
         Do you want to continue? [Y/n] y | ok y | dev@demo:$ sleep 1; read -s -p '[sudo] \
         password for dev: ' p; echo; sleep 6; echo granted > [sudo] password for dev:",
        "",
    );
    check(
        "sh-prompts",
        89.7,
        "dev@demo:$ sleep 1; cat > /dev/null | dev@demo:$ sleep 1; printf \"The authenticity of \
         host 'demo' can't be established.\\nAre you sure you want to continue con | necting \
         (yes/no/[fingerprint])? \"; read x; sleep 3 | The authenticity of host 'demo' can't be \
         established. > Are you sure you want to continue connecting (yes/no/[fingerprint])?",
        "Yes: yes\\r; No: no\\r",
    );
    check(
        "v-git-addp",
        10.4,
        "def main(): > (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]?",
        "Yes: y\\r; No: n\\r; q: q\\r; a: a\\r; d: d\\r; j: j\\r; J: J\\r; g: g\\r; /: /\\r; s: \
         s\\r; e: e\\r; p: p\\r; ?: ?\\r",
    );
    check(
        "v-git-addp",
        20.4,
        "def main(): > (2/3) Stage this hunk [y,n,q,a,d,K,j,J,g,/,e,p,?]?",
        "Yes: y\\r; No: n\\r; q: q\\r; a: a\\r; d: d\\r; K: K\\r; j: j\\r; J: J\\r; g: g\\r; /: \
         /\\r; e: e\\r; p: p\\r; ?: ?\\r",
    );
    check("v-py-login", 15.0, "login: dev > Password:", "");
    check(
        "v-sh-progress",
        32.5,
        "dev@demo:$ python3 fetch.py | index.tar [==============================] 100% | \
         objects.pack [==============================] 100% > Unpack 2 archives into ./vendor? \
         [y/N]",
        "Yes: y\\r; No*: n\\r",
    );
    check(
        "v-sh-yn",
        11.9,
        "Checking the release ... > Deploy version 1.4.2 to production? (y/n)",
        "Yes: y\\r; No: n\\r",
    );
}
