//! Terminals without an agent.

use super::*;
use crate::{MAX_TERMINALS, TabAction};

fn shell() -> String {
    let shell = Config::default().shell();
    shell.rsplit('/').next().unwrap_or_default().to_owned()
}

#[track_caller]
fn check_shell(script: &str, picture: &str) {
    let name = shell();
    let picture = picture.replace("SHELL", &name.to_uppercase()).replace("shell", &name);
    check(script, &picture);
}

#[track_caller]
fn spawned(stage: &Stage) -> (&[String], &crate::StartIn) {
    let spawn = stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::Spawn { argv, start_in, .. } => Some((&argv[..], start_in)),
        _ => None,
    });
    spawn.expect("something to start")
}

#[test]
fn a_terminal_is_a_tab_that_leaves_the_rail_alone() {
    check_shell("open /a, terminal", "*a idle [SHELL]");
    check_shell("open /a, start cat, file /a/f, terminal", "*a running [agent f SHELL]");
    check_shell("open /a, terminal, start cat", "*a running [AGENT shell]");
    check_shell("open /a, start cat, terminal, after 5, after 60", "*a stale [agent SHELL]");
}

#[test]
fn keys_open_one() {
    check_shell("open /a, key ctrl-shift-`", "*a idle [SHELL]");
    check_shell("open /a, file /a/f, key ctrl-shift-`", "*a idle [f SHELL]");
    check_shell("open /a, terminal, key ctrl-shift-t", "*a idle [shell SHELL]");
    check_refused("after 0", new_terminal(), "no folder is open");
}

fn new_terminal() -> Action {
    Action::Plain(PlainAction::New { workspace: None, cwd: None, command: None })
}

#[test]
fn it_is_named_by_title_then_by_what_runs_then_by_its_program() {
    check("open /a, terminal /bin/zsh", "*a idle [ZSH]");
    check("open /a, terminal zsh, runs vim", "*a idle [VIM]");
    check("open /a, terminal zsh, runs vim, prints \x1b]2;lib.rs\x07", "*a idle [LIB.RS]");
    check("open /a, terminal zsh, prints \x1b]2;x\x07\x1b]2;\x07", "*a idle [ZSH]");
    check("open /a, terminal zsh\u{7}", "*a idle [ZSH?]");
}

#[test]
fn a_shell_that_was_left_is_gone_and_anything_else_stays() {
    check_shell("open /a, terminal, exits 0", "*a idle []");
    check_shell("open /a, terminal, type false, key enter, key ctrl-d, exits 1", "*a idle []");
    check_shell("open /a, terminal, key x, killed", "*a idle [SHELL]");
    check_shell("open /a, terminal, exits 1, key enter, exits 1", "*a idle [SHELL]");
    check("open /a, terminal make, key x, exits 1", "*a idle [MAKE]");
    check_shell("open /a, terminal, exits 3", "*a idle [SHELL]");
    check("open /a, terminal make, exits 0", "*a idle [MAKE]");
    check(
        "open /a, terminal, runs sleep, exits 0",
        &format!("*a idle [{}]", shell().to_uppercase()),
    );
}

#[test]
fn what_is_set_holds_for_terminals_that_are_open() {
    let mut stage = Stage::play("open /a, start cat, terminal");
    let mut config = Config::default();
    config.terminal.scrollback_lines = 123;
    stage.fact(Fact::ConfigRead(Box::new(config)));
    let limits = stage.state.all_terminals().map(|it| it.buffer().scrollback_limit().0);
    assert_eq!(limits.collect::<Vec<_>>(), [123, 123], "of the agent's and of the other");
}

#[test]
fn enter_runs_an_ended_one_again_where_it_was() {
    let mut stage = Stage::play("open /a, terminal make, exits 2, key x");
    stage.effects.clear();
    stage.step("key enter");
    let (argv, start_in) = spawned(&stage);
    assert_eq!(argv, ["make"], "the same");
    assert_eq!(start_in.directory.as_deref(), Some("/started".as_ref()), "where it was started");
    assert!(stage.state.focused_terminal().unwrap().is_alive(), "it lives again");
    let text = stage.state.focused_terminal().unwrap().buffer().visible_text().join("\n");
    assert!(text.contains("restarted"), "below a separator: {text}");
}

#[test]
fn typing_goes_to_the_terminal_with_the_focus() {
    for step in ["type x", "key x", "key ctrl-c", "key ctrl-w", "key alt-1"] {
        let stage = Stage::play(&format!("open /a, start cat, terminal, {step}"));
        let to_it = |effect: &Effect| {
            matches!(effect, Effect::WritePty { program: ProgramId::Terminal(_), .. })
        };
        assert!(stage.effects.last().is_some_and(to_it), "{step}: {:?}", stage.effects.last());
    }
}

#[test]
fn it_opens_where_the_focused_terminal_is() {
    let start_in = |script: &str| spawned(&Stage::play(script)).1.clone();
    let first = start_in("open /a, terminal");
    assert_eq!((first.directory, first.like), (None, None), "nothing to go by");
    assert_eq!(first.or, PathBuf::from("/a"), "so the folder");

    let mut stage = Stage::play("open /a, terminal");
    let program = ProgramId::Terminal(stage.terminal());
    stage.step("terminal");
    assert_eq!(spawned(&stage).1.like, Some(program), "as the first one's program");
    stage.step("key ctrl-pageup");
    stage.fact(Fact::Directory { program, path: PathBuf::from("not/absolute") });
    stage.fact(Fact::Directory { program, path: PathBuf::from("/told") });
    stage.step("terminal");
    assert_eq!(spawned(&stage).1.directory, Some(PathBuf::from("/told")), "or where that says");

    let mut stage = Stage::play("open /a, start cat");
    stage.fact(Fact::Directory { program: stage.agent(), path: PathBuf::from("/agent") });
    stage.step("terminal");
    assert_eq!(spawned(&stage).1.directory, Some(PathBuf::from("/agent")), "agents tell, too");
}

#[test]
fn closing_asks_only_while_something_runs() {
    let mut stage = Stage::play("open /a, terminal, key ctrl-shift-w");
    assert_eq!(stage.picture(), "*a idle []", "a shell at its prompt goes at once");
    assert!(matches!(stage.effects.last(), Some(Effect::Stop { .. })), "{:?}", stage.effects);

    stage = Stage::play("open /a, terminal zsh, runs vim, key ctrl-shift-w");
    let Some(Overlay::Confirm(question)) = stage.state.overlay() else { panic!("a question") };
    assert!(question.question.contains("vim"), "names what runs: {}", question.question);
    stage.step("key enter");
    assert_eq!(stage.picture(), "*a idle [VIM]", "Enter keeps it");
    stage.step("key ctrl-shift-w right enter");
    assert_eq!(stage.picture(), "*a idle []", "ended and closed");
    assert!(matches!(stage.effects.last(), Some(Effect::Stop { .. })), "{:?}", stage.effects);

    let stage = Stage::play("open /a, terminal make, exits 1, key ctrl-shift-w");
    assert!(matches!(stage.effects.last(), Some(Effect::Forget { .. })), "{:?}", stage.effects);
}

#[test]
fn a_question_is_moot_once_its_program_has_ended() {
    let mut stage = Stage::play("open /a, terminal zsh, runs vim, key ctrl-shift-w");
    stage.step("runs");
    stage.step("exits 1");
    assert!(stage.state.overlay().is_none(), "nothing left to ask about");
}

#[test]
fn quitting_and_closing_the_folder_name_what_runs() {
    let stage = Stage::play("open /a, terminal, key ctrl-shift-q");
    assert!(stage.state.is_quitting(), "prompts hold nobody up");
    let stage = Stage::play("open /a, terminal zsh, runs vim, terminal, key ctrl-shift-q");
    let Some(Overlay::Confirm(question)) = stage.state.overlay() else { panic!("a question") };
    assert!(question.detail.contains("vim is running"), "{}", question.detail);
    let close = || Action::Workspace(WorkspaceAction::Close(None));
    check_refused("open /a, terminal zsh, runs vim", close(), "vim is running in a terminal of a");

    let mut stage = Stage::play("open /a, terminal");
    stage.act(close()).unwrap();
    assert!(matches!(stage.effects.last(), Some(Effect::Stop { .. })), "{:?}", stage.effects);
    assert_eq!(stage.state.plain_terminals().count(), 0, "gone with its folder");
}

#[test]
fn there_is_a_limit_with_a_clear_refusal() {
    let mut stage = Stage::play("open /a");
    for _ in 0..MAX_TERMINALS {
        stage.step("terminal");
    }
    let refusal = stage.act(new_terminal()).expect_err("a refusal").to_string();
    assert!(refusal.contains("64 terminals are open"), "{refusal}");
    stage.act(Action::Tab(TabAction::Close(None))).unwrap();
    stage.act(new_terminal()).unwrap();
}

#[test]
fn news_of_a_closed_terminal_is_ignored() {
    let mut stage = Stage::play("open /a, terminal");
    let terminal = stage.terminal();
    let program = ProgramId::Terminal(terminal);
    stage.step("key ctrl-shift-w");
    stage.fact(Fact::Spawned { program, pid: 9, cwd: PathBuf::new(), outlives_us: false });
    stage.fact(Fact::Running { terminal, name: Some("vim".to_owned()) });
    stage.fact(Fact::Directory { program, path: PathBuf::from("/x") });
    stage.fact(Fact::Exited { program, exit: Exit::Code(0) });
    assert_eq!(stage.picture(), "*a idle []", "nothing happened");
}
