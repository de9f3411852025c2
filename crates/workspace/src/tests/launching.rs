//! Agents by name: what is run, what is refused before anything is made, what is asked first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use config::{Config, Project};
use terminal::GridSize;

use super::Stage;
use crate::{
    Action, ActionError, AgentAction, Availability, Confirm, Effect, Fact, Launch, Overlay, Pane,
    PickItem, ProjectSettings, Rooms, TrustLevel,
};

fn config(text: &str) -> Config {
    config::parse(text, Path::new("config.toml")).unwrap()
}

fn settings(stage: &Stage, text: &str, trust: TrustLevel) -> ProjectSettings {
    match Project::parse(text, Path::new("/a/.trackside/config.toml"), stage.state.config()) {
        Err(err) => ProjectSettings::Broken(err),
        Ok(project) => {
            let fingerprint = "print".to_owned();
            ProjectSettings::Read { project: Box::new(project), fingerprint, trust }
        }
    }
}

/// A folder `/a` with settings of its own, below the user's.
fn stage(user: &str, project: &str, trust: TrustLevel) -> Stage {
    let mut stage = Stage::play("open /a");
    stage.state.socket = Some("/run/s".to_owned());
    stage.fact(Fact::ConfigRead(Box::new(config(user))));
    if !project.is_empty() {
        let project = settings(&stage, project, trust);
        let workspace = stage.state.active_workspace().unwrap().id();
        let availability = BTreeMap::new();
        stage.fact(Fact::ProjectRead { workspace, project, availability });
    }
    stage
}

fn start(stage: &mut Stage, name: &str) -> Result<(), ActionError> {
    let launch = Launch::Named(name.to_owned());
    stage.act(Action::Agent(AgentAction::Start { workspace: None, launch }))
}

/// The command and the environment of the last program that was to be started.
fn spawned(stage: &Stage) -> (String, BTreeMap<String, String>) {
    let spawn = stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::Spawn { argv, env, .. } => Some((argv.join(" "), env.clone())),
        _ => None,
    });
    spawn.expect("something was started")
}

fn spawned_with_hooks(stage: &Stage) -> bool {
    let spawn = stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::Spawn { hooks, .. } => Some(*hooks),
        _ => None,
    });
    spawn.expect("something was started")
}

#[track_caller]
fn check_hooks(user: &str, project: &str, trust: TrustLevel, launch: Launch, expected: bool) {
    let mut stage = stage(user, project, trust);
    let start = AgentAction::Start { workspace: None, launch: launch.clone() };
    stage.act(Action::Agent(start)).expect("it starts");
    assert_eq!(spawned_with_hooks(&stage), expected, "{user:?}, {project:?}, {launch:?}");
}

#[test]
fn hooks_are_wanted_unless_they_are_switched_off_for_that_agent() {
    let named = || Launch::Named("claude".to_owned());
    let typed = || Launch::Command(vec!["/bin/claude".to_owned(), "-c".to_owned()]);
    let off = "[agents.claude]\nhooks = false";
    for launch in [named, typed] {
        check_hooks("", "", TrustLevel::None, launch(), true);
        check_hooks(off, "", TrustLevel::None, launch(), false);
        check_hooks("[agents.codex]\nhooks = false", "", TrustLevel::None, launch(), true);
        check_hooks("", off, TrustLevel::Full, launch(), false);
    }
    check_hooks("", off, TrustLevel::None, typed(), true);
    check_hooks("", "", TrustLevel::None, Launch::Command(vec!["sh".to_owned()]), true);
}

/// With these settings of the user's and the folder's, `it` runs that command.
#[track_caller]
fn runs(user: &str, project: &str, trust: TrustLevel, expected: &str) {
    let mut stage = stage(user, project, trust);
    start(&mut stage, "it").unwrap();
    assert_eq!(spawned(&stage).0, expected, "{user:?}, {project:?}");
}

/// It is refused in these words, and nothing is made for it.
#[track_caller]
fn refuses(user: &str, project: &str, expected: &str) {
    let mut stage = stage(user, project, TrustLevel::None);
    let refusal = start(&mut stage, "it").expect_err(project).to_string();
    assert!(refusal.contains(expected), "{user:?}, {project:?}: {refusal}");
    let workspace = stage.state.active_workspace().unwrap();
    assert!(workspace.agent().is_none() && workspace.tabs().is_empty(), "nothing is made");
    assert!(!stage.effects.iter().any(|it| matches!(it, Effect::Spawn { .. })), "nor started");
}

const IT: &str = "[agents.it]\nstart = ['mine', '$TRACKSIDE_WORKSPACE']\n";

#[test]
fn tokens_are_replaced_and_exported() {
    runs(IT, "", TrustLevel::None, "mine a");
    runs(
        "[agents.it]\nstart = ['$TRACKSIDE_WORKTREE/x', '-s=$TRACKSIDE_SOCKET']",
        "",
        TrustLevel::None,
        "/a/x -s=/run/s",
    );
    let mut stage = stage(
        "[agents.it]\nstart = ['x']\nenv = { A = '1', TRACKSIDE_SOCKET = 'none' }",
        "",
        TrustLevel::None,
    );
    start(&mut stage, "it").unwrap();
    let (_, env) = spawned(&stage);
    let expected = [
        ("A", "1"),
        ("TRACKSIDE_PROJECT_ROOT", "/a"),
        ("TRACKSIDE_SOCKET", "none"),
        ("TRACKSIDE_WORKSPACE", "a"),
        ("TRACKSIDE_WORKTREE", "/a"),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(env, expected.into(), "what is configured has the last word");
}

#[test]
fn what_cannot_run_is_refused_before_anything_is_made() {
    refuses("", "", "no agent is called `it`; known agents: aider, ");
    refuses(
        "[agents.it]\nstart = ['x', 'a$TRACKSIDE_PROMPT']",
        "",
        "$TRACKSIDE_PROMPT has no value when `it` is started by hand",
    );
    refuses("[agents.it]\nstart = ['$TRACKSIDE_SESSION_ID']", "", "$TRACKSIDE_SESSION_ID has no");
}

#[test]
fn a_project_that_is_trusted_is_over_the_user() {
    let project = "[agents.it]\nstart = ['theirs']";
    runs(IT, project, TrustLevel::Full, "theirs");
    runs("", project, TrustLevel::Full, "theirs");
    runs(IT, "[agents.other]\nstart = ['x']", TrustLevel::None, "mine a");
    runs(IT, "[agents.it]\nstale_timeout = '9s'", TrustLevel::None, "mine a");
}

#[test]
fn without_trust_neither_definition_is_used() {
    let told = "run `trackside trust /a`";
    refuses(IT, "[agents.it]\nstart = ['theirs']", told);
    refuses(IT, "[agents.it]\nrun = ['theirs']", told);
    refuses(IT, "[agents.it]\nenv = { LD_PRELOAD = 'x' }", told);
    refuses(IT, "[agents.it]\nenv = {}", told);
    refuses(IT, "[agents.it]\nhooks = true", told);
}

#[test]
fn a_broken_project_stops_only_what_it_may_be_about() {
    refuses(IT, "[agents.it]\nstrat = ['x']", "config.toml:2:1: unknown field `strat`");
    refuses(IT, "[agents.it]\nstart = [", "config.toml:2:");
    runs(IT, "[agents.claude]\nstart = [", TrustLevel::None, "mine a");
    runs(IT, "\n[keys]\nx = 'y'", TrustLevel::None, "mine a");
    let stage = stage("", "\n[keys]\nx = 'y'", TrustLevel::None);
    let toast = stage.state.toast().expect("it is said");
    assert!(toast.text.contains("config.toml:2:2: keys: only your own"), "{}", toast.text);

    let stage = self::stage("", "[agents.claude]\nstart = [1]", TrustLevel::None);
    let known = stage.state.known_agents(stage.state.active_workspace().expect("one"));
    let is_refused = |name: &str| {
        let known = known.iter().find(|known| known.agent.name == name).expect(name);
        matches!(known.availability, Some(Availability::Missing(_)))
    };
    assert!(is_refused("claude") && !is_refused("codex"), "nor is it offered: {known:?}");
}

/// The question that is asked when `it` is started in a folder that is not trusted.
fn question(project: &str, trust: TrustLevel) -> (Stage, Confirm) {
    let mut stage = stage("", project, trust);
    let confirm = ask(&mut stage);
    (stage, confirm)
}

fn ask(stage: &mut Stage) -> Confirm {
    start(stage, "it").unwrap_err();
    let workspace = stage.state.active_workspace().unwrap().id();
    stage.fact(Fact::TrustWanted { workspace, launch: Launch::Named("it".to_owned()) });
    match stage.state.overlay().cloned() {
        Some(Overlay::Confirm(confirm)) => confirm,
        other => panic!("a question, not {other:?}"),
    }
}

fn labels(confirm: &Confirm) -> Vec<&str> {
    confirm.choices.iter().map(|choice| choice.label.as_str()).collect()
}

const ASKED: &str = "[agents.a]\nstart = ['a']\n[agents.it]\nstart = ['x']\nenv = { B = '2' }";

#[test]
fn who_is_asked_sees_all_that_would_run() {
    let (_, confirm) = question(ASKED, TrustLevel::None);
    assert_eq!(confirm.question, "Trust the settings of a?", "who");
    let shown = ["it.start = [\"x\"]", "it.env.B = \"2\"", "a.start = [\"a\"]"];
    assert_eq!(confirm.preview, shown, "what, the agent's own first");
    assert_eq!(labels(&confirm), ["Do not trust", "Open the file", "Trust and start"], "answers");
    let (_, confirm) = question(ASKED, TrustLevel::Outdated);
    assert_eq!(confirm.question, "The settings of a have changed. Trust them?", "again");
}

#[test]
fn what_cannot_be_shown_cannot_be_trusted_here() {
    let long = format!("[agents.it]\nstart = ['x', '{}']", "y".repeat(2_000));
    let (_, confirm) = question(&long, TrustLevel::None);
    assert_eq!(labels(&confirm), ["Do not trust", "Open the file"], "no way to trust it unseen");
    assert!(confirm.detail.contains("trackside trust /a"), "but there is one: {}", confirm.detail);
}

#[test]
fn in_a_window_too_small_to_show_it_nothing_is_trusted() {
    for (columns, rows, can) in [(80, 24, true), (60, 24, false), (80, 18, false)] {
        let mut stage = stage("", ASKED, TrustLevel::None);
        let terminal = GridSize { columns, rows };
        let pane = Pane {
            terminal,
            file_rows: 24,
            file_columns: 80,
            under_find_bar: terminal::TopRight::default(),
        };
        stage.fact(Fact::PanesResized(Rooms::from(pane)));
        let confirm = ask(&mut stage);
        assert_eq!(labels(&confirm).contains(&"Trust and start"), can, "{columns} by {rows}");
    }
}

#[test]
fn enter_and_escape_do_not_trust() {
    for key in ["enter", "escape"] {
        let (mut stage, _) = question(ASKED, TrustLevel::None);
        stage.step(&format!("key {key}"));
        assert!(stage.state.overlay().is_none(), "{key} answers");
        assert!(!stage.effects.iter().any(|it| matches!(it, Effect::Trust { .. })), "{key}: no");
    }
}

#[test]
fn who_trusts_gets_what_was_wished_for() {
    let (mut stage, _) = question(ASKED, TrustLevel::None);
    stage.step("key right right enter");
    let Some(Effect::Trust { workspace, root, fingerprint, launch }) = stage.effects.pop() else {
        panic!("trust is to be remembered")
    };
    assert_eq!((root, fingerprint.as_str()), (PathBuf::from("/a"), "print"), "of what was shown");
    let project = settings(&stage, ASKED, TrustLevel::Full);
    stage.fact(Fact::ProjectRead { workspace, project, availability: BTreeMap::new() });
    stage.fact(Fact::FolderTrusted { workspace, launch });
    let again = stage.effects.pop();
    let Some(Effect::Act(action)) = again else { panic!("the launch is tried again: {again:?}") };
    stage.act(*action).unwrap();
    assert_eq!(spawned(&stage).0, "x", "and works");
}

/// The rows of the list of agents, `>` at the one that is chosen and `~` at those that are dim.
fn rows(stage: &mut Stage) -> Vec<String> {
    stage.step("key ctrl-shift-a");
    let Some(Overlay::Picker(picker)) = stage.state.overlay() else { panic!("a list") };
    let row = |(index, item): (usize, PickItem)| {
        let chosen = if index == picker.selected { ">" } else { "" };
        let dim = if item.is_dim { "~" } else { "" };
        format!("{chosen}{dim}{}: {}", item.title, item.note)
    };
    picker.items(&stage.state).into_iter().enumerate().map(row).collect()
}

/// Only `aider` and `codex` are installed.
fn found() -> Fact {
    let look = |name: &str| match name {
        "aider" | "codex" => Availability::Found,
        name => Availability::Missing(format!("{name} is not installed")),
    };
    let names = Config::default().agents.into_keys();
    Fact::AgentsFound(names.map(|name| (name.clone(), look(&name))).collect())
}

#[test]
fn the_list_has_what_is_installed_first_and_says_why_others_are_not() {
    let mut stage = stage("", "[agents.codex]\nstart = ['codex', '-x']", TrustLevel::None);
    stage.fact(found());
    let rows = rows(&mut stage);
    assert_eq!(rows[0], ">Aider: aider", "installed");
    assert_eq!(rows[1], "Codex: asks you first · codex -x", "the folder's");
    assert_eq!(rows[2], "~Claude Code: claude is not installed", "not installed");
    assert_eq!(rows.len(), 7, "all of them: {rows:?}");
}

#[test]
fn the_last_choice_of_each_folder_is_remembered_and_chosen() {
    let choose = |name: &str| Launch::Named(name.to_owned());
    let mut stage = Stage::play("open /b, open /a");
    stage.fact(found());
    stage.fact(Fact::ChoicesRead([(PathBuf::from("/a"), choose("codex"))].into()));
    assert!(rows(&mut stage)[1].starts_with(">Codex"), "of an earlier run");
    stage.step("key escape");
    start(&mut stage, "codex").unwrap();
    let kept = |stage: &Stage| {
        stage.effects.iter().filter(|it| matches!(it, Effect::KeepChoice { .. })).count()
    };
    assert_eq!(kept(&stage), 0, "the same again is nothing new");
    stage.step("exits 0");
    start(&mut stage, "aider").unwrap();
    assert_eq!(kept(&stage), 1, "another one is");
    stage.step("exits 0");
    assert!(rows(&mut stage)[0].starts_with(">Aider"), "and is chosen from now on");
    stage.step("key escape");
    stage.step("open /b");
    assert!(rows(&mut stage)[0].starts_with(">Aider"), "the first where nothing is known");
}

#[test]
fn a_command_can_be_run_again() {
    let mut stage = Stage::play("open /a, start top, exits 0");
    assert_eq!(rows(&mut stage)[0], ">Run “top”: as last time", "chosen");
    stage.step("key enter");
    assert_eq!(spawned(&stage).0, "top", "and run");
}

const ODD: &str =
    "[[agents.it.rules]]\nid = 'odd'\nkind = 'screen'\nreason = 'permission'\npattern = 'whence'\n";

/// Whether the agent of the folder is judged by a rule of that id.
#[track_caller]
fn check_rule(stage: &Stage, id: &str, expected: bool) {
    let agent = stage.state.active_workspace().unwrap().agent().unwrap();
    let has = agent.rules().iter().any(|rule| rule.id() == id);
    assert_eq!(has, expected, "{id} for {:?}", agent.command());
}

#[test]
fn an_agent_has_the_rules_of_its_kind_the_user_and_a_trusted_folder() {
    let mut plain = stage("", "", TrustLevel::None);
    let launch = Launch::Command(vec!["/opt/claude".to_owned()]);
    plain.act(Action::Agent(AgentAction::Start { workspace: None, launch })).unwrap();
    check_rule(&plain, "claude.theme", true);
    check_rule(&plain, "codex.approval", false);
    check_rule(&plain, "screen.permission", true);
    let mut of_user = stage(&format!("{IT}{ODD}"), "", TrustLevel::None);
    start(&mut of_user, "it").unwrap();
    check_rule(&of_user, "odd", true);
    let mut trusted = stage(IT, ODD, TrustLevel::Full);
    start(&mut trusted, "it").unwrap();
    check_rule(&trusted, "odd", true);
    refuses(IT, ODD, "trackside trust");
}

#[test]
fn changed_rules_reach_running_agents_and_bad_ones_are_told() {
    let mut stage = stage(IT, "", TrustLevel::None);
    start(&mut stage, "it").unwrap();
    check_rule(&stage, "odd", false);
    let read = |text: &str| Fact::ConfigRead(Box::new(config(&format!("{IT}{text}"))));
    stage.fact(read(ODD));
    check_rule(&stage, "odd", true);
    stage.fact(read("[[agents.it.rules]]\nid = 'odd'\n"));
    check_rule(&stage, "odd", false);
    check_rule(&stage, "screen.permission", true);
    assert!(stage.state.config_error().is_some_and(|it| it.contains("`odd`")), "told");
    stage.fact(read(""));
    assert_eq!(stage.state.config_error(), None, "and no longer");
}
