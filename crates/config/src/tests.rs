//! What is accepted, what is refused, and in which words.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use super::*;

fn read(text: &str) -> Config {
    parse(text, Path::new("config.toml")).unwrap_or_else(|err| panic!("{text:?}: {err}"))
}

/// The text is refused, with exactly that after the file's name.
#[track_caller]
fn refused(text: &str, expected: &str) {
    let err = parse(text, Path::new("config.toml")).expect_err(text).to_string();
    assert_eq!(err, format!("config.toml:{expected}"), "for {text:?}");
}

/// For texts too long to print: the refusal begins like that and is one short line.
#[track_caller]
fn refused_briefly(text: &str, expected_start: &str) {
    let err = parse(text, Path::new("config.toml")).unwrap_err().to_string();
    assert!(err.starts_with(&format!("config.toml:{expected_start}")), "got {err}");
    assert!(!err.contains('\n') && err.chars().count() < 450, "got {err}");
}

#[test]
fn an_empty_file_means_the_defaults() {
    assert_eq!(read(""), Config::default(), "nothing is set");
    assert_eq!(read("\u{feff}[limits]\r\n"), Config::default(), "BOM and CRLF are fine");
}

#[test]
fn the_default_text_is_the_default_config_with_and_without_its_marks() {
    let text = default_text();
    assert_eq!(read(&text), Config::default(), "as written");
    let is_setting = |line: &str| line.starts_with('#') && !line.starts_with("# ");
    let bare = |line: &'static str| if is_setting(line) { &line[1..] } else { line };
    let lines: Vec<&str> = text.leak().lines().map(bare).collect();
    assert_eq!(read(&lines.join("\n")), Config::default(), "with every setting switched on");
    let n_settings = lines.iter().filter(|line| line.contains(" = ") && !line.starts_with('#'));
    let (n_resume, n_run) = (4, 5);
    let expected = 4 + 1 + 1 + 7 + 1 + 1 + 8 + 7 * 7 + n_resume + n_run;
    assert_eq!(n_settings.count(), expected, "all settings but the two without value");
}

#[test]
fn settings_are_read() {
    let config = read(
        "theme = \"light\"\nfont_size = 12.5\ntext_rendering = \"lcd\"\nreduced_motion = true\n\
         [limits]\nmax_agents = 3\nslots = 0\nstop_grace = \"1.5s\"\nshutdown_timeout = \"2m\"\n\
         [terminal]\nscrollback_lines = 200_000\nshell = \"/bin/zsh\"\n\
         shift_enter = \"newline\"\n\
         copy_on_select = true\nkeep_history = true\nminimum_contrast = 4.5\n\
         [keys]\n\"ctrl-x\" = \"agent.stop\"",
    );
    assert_eq!((config.theme, config.font_size), (ThemeChoice::Light, 12.5), "appearance");
    assert_eq!(config.reduced_motion, ReducedMotion::Always, "motion");
    let limits = Limits {
        max_agents: 3,
        slots: 0,
        stop_grace: Duration::from_millis(1_500),
        shutdown_timeout: Duration::from_secs(120),
    };
    assert_eq!(config.limits, limits, "limits");
    assert_eq!(config.text_rendering, TextRendering::Lcd, "text");
    let terminal = TerminalConfig {
        scrollback_lines: 200_000,
        shell: Some(PathBuf::from("/bin/zsh")),
        shift_enter: ShiftEnter::Newline,
        copy_on_select: true,
        keep_history: true,
        minimum_contrast: 4.5,
    };
    assert_eq!(config.terminal, terminal, "terminal");
    assert_eq!(config.keys["ctrl-x"], "agent.stop", "keys");
}

#[test]
fn motion_is_left_to_the_desktop_or_not() {
    #[track_caller]
    fn check(text: &str, expected: ReducedMotion) {
        assert_eq!(read(text).reduced_motion, expected, "{text:?}");
    }
    check("", ReducedMotion::Auto);
    check("reduced_motion = \"auto\"", ReducedMotion::Auto);
    check("reduced_motion = true", ReducedMotion::Always);
    check("reduced_motion = false", ReducedMotion::Never);
}

#[test]
fn an_entry_for_a_built_in_agent_changes_only_what_it_names() {
    let config = read("[agents.claude]\nstale_timeout = \"5m\"\nrestart = \"on-crash\"");
    let built_in = &Config::default().agents["claude"];
    let claude = &config.agents["claude"];
    assert_eq!(claude.start, built_in.start, "the command stays");
    assert_eq!(claude.run, built_in.run, "and so does the one for tasks");
    assert_eq!(claude.stale_timeout, Duration::from_secs(300), "what was named is new");
    assert_eq!(claude.restart, RestartPolicy::OnCrash, "what was named is new");
    assert!(claude.hooks, "hooks are on unless switched off");
    let config = read("[agents.claude]\nhooks = false");
    assert!(!config.agent_command("claude").unwrap().hooks, "carried to the launch");
}

#[test]
fn an_agent_of_your_own_needs_only_a_start() {
    let config = read("[agents.mine]\nstart = [\"my-agent\", \"$TRACKSIDE_WORKTREE/x\"]");
    assert_eq!(config.agents.len(), Config::default().agents.len() + 1, "joins the built-in ones");
    let mine = config.agent_command("mine").unwrap();
    assert_eq!(mine.argv, ["my-agent", "$TRACKSIDE_WORKTREE/x"], "command");
    assert_eq!(mine.title, "mine", "called by its name");
    assert_eq!(mine.needs_input_timeout, Duration::from_secs(5), "the usual patience");
}

#[test]
fn agents_are_found_by_name() {
    let config = read("[terminal]\nshell = \"/bin/dash\"");
    assert_eq!(config.agent_command("shell").unwrap().argv, ["/bin/dash"], "the configured shell");
    assert_eq!(config.agent_command("fake").unwrap().argv, ["sh"], "the debugging agent");
    assert_eq!(config.agent_command("claude").unwrap().title, "Claude Code", "display name");
    assert!(Config::default().shell().starts_with('/'), "some shell without a setting");
    assert_eq!(
        config.agent_command("cluade").unwrap_err().to_string(),
        "no agent is called `cluade`; \
         known agents: aider, claude, codex, fake, gemini, opencode, shell",
        "the error lists the names"
    );
}

#[test]
fn built_in_agents_are_run_as_they_document() {
    let agents = Config::default().agents;
    let check = |name: &str, resume: &str, run: &str| {
        let words = |words: &[String]| words.join(" ").replace("$TRACKSIDE_", "");
        let agent = &agents[name];
        assert_eq!(
            (words(&agent.resume), words(&agent.run)),
            (resume.into(), run.into()),
            "{name}"
        );
    };
    let stream = "claude -p PROMPT --output-format stream-json --verbose";
    check("claude", "claude --resume SESSION_ID", stream);
    check("codex", "codex resume SESSION_ID", "codex exec PROMPT");
    check("gemini", "gemini --resume SESSION_ID", "gemini -p PROMPT");
    check("opencode", "opencode --session SESSION_ID", "opencode run PROMPT");
    check("aider", "", "aider --message PROMPT");
    check("shell", "", "");
    check("fake", "", "");
}

#[test]
fn durations_have_a_unit_and_a_range() {
    let read = |text: &str| read(&format!("limits.stop_grace = {text:?}")).limits.stop_grace;
    assert_eq!(read("500ms"), Duration::from_millis(500), "milliseconds");
    assert_eq!(read("5s"), Duration::from_secs(5), "seconds");
    assert_eq!(read("0.25 m"), Duration::from_secs(15), "fractions, and a space");
    assert_eq!(read("24h"), Duration::from_secs(86_400), "the longest");
    for text in
        ["0s", "-1s", "NaN", "nans", "infs", "5", "", "s", "1e3s", "1.2.3s", "25h", "5 days"]
    {
        refused(
            &format!("limits.stop_grace = {text:?}"),
            &format!(
                "1:21: limits.stop_grace: invalid value: string {text:?}, expected a duration \
                 from \"1ms\" to \"24h\", such as \"500ms\", \"5s\" or \"2m\""
            ),
        );
    }
}

#[test]
fn the_key_that_detaches_is_read() {
    let config = read("[attach]\ndetach_key = \"ctrl-]\"");
    assert_eq!(config.attach.detach_key.to_string(), "ctrl-]", "as set");
    refused(
        "[attach]\ndetach_key = \"ctrl-m\"",
        "2:14: attach.detach_key: invalid value: string \"ctrl-m\", expected \"ctrl-\" and a letter or one of \
         \\ ] ^ _, such as \"ctrl-\\\\\"; not ctrl-c, -i, -j and -m, which programs need",
    );
}

#[test]
fn unknown_keys_are_refused_with_the_known_ones() {
    refused(
        "[terminal]\nscrollback_line = 1",
        "2:1: unknown field `scrollback_line`, expected one of `scrollback_lines`, `shell`, \
         `shift_enter`, `copy_on_select`, `keep_history`, `minimum_contrast`; \
         did you mean `scrollback_lines`?",
    );
    refused(
        "[agents.claude]\nstrat = [\"x\"]",
        "2:1: unknown field `strat`, expected one of `display_name`, `start`, `resume`, `run`, \
         `needs_input_timeout`, `stale_timeout`, `restart`, `hooks`, `env`, `rules`; \
         did you mean `start`?",
    );
    refused(
        "include = \"config.toml\"",
        "1:1: unknown field `include`, expected one of `theme`, `font_size`, `text_rendering`, \
         `reduced_motion`, `agents`, `limits`, `terminal`, `environment`, `notify`, `recording`, \
         `attach`, `keys`",
    );
}

#[test]
fn font_sizes_out_of_range_are_refused() {
    let expected = "expected a number from 6 to 72";
    for (value, found) in [
        ("nan", "invalid value: floating point `NaN`"),
        ("-1", "invalid value: integer `-1`"),
        ("1e9", "invalid value: floating point `1000000000.0`"),
        ("inf", "invalid value: floating point `inf`"),
        ("5.99", "invalid value: floating point `5.99`"),
        ("99999999999999999999", "invalid value: huge number"),
        ("\"14\"", "invalid type: string \"14\""),
        ("1979-05-27", "invalid type: date"),
    ] {
        refused(&format!("font_size = {value}"), &format!("1:13: font_size: {found}, {expected}"));
    }
    refused(
        "[terminal]\nminimum_contrast = 0.5",
        "2:20: terminal.minimum_contrast: invalid value: floating point `0.5`, expected a number \
         from 1 to 21",
    );
    refused(
        "text_rendering = \"clear\"",
        "1:18: text_rendering: invalid value: string \"clear\", expected \"auto\", \"lcd\" or \
         \"grayscale\"",
    );
}

#[test]
fn numbers_out_of_range_are_refused() {
    for (line, expected) in [
        (
            "limits.slots = -1",
            "1:16: limits.slots: invalid value: integer `-1`, expected a whole number from 0 to 1000",
        ),
        (
            "limits.slots = 1.5",
            "1:16: limits.slots: invalid type: floating point `1.5`, expected a whole number from 0 to 1000",
        ),
        (
            "limits.max_agents = 0",
            "1:21: limits.max_agents: invalid value: integer `0`, expected a whole number from 1 to 1000",
        ),
        (
            "terminal.scrollback_lines = 1_000_000_000_000",
            "1:29: terminal.scrollback_lines: invalid value: integer `1000000000000`, expected a whole number from 0 to 200000",
        ),
        (
            "terminal.scrollback_lines = 18446744073709551615",
            "1:29: terminal.scrollback_lines: invalid value: integer `18446744073709551615`, expected a whole number from 0 to 200000",
        ),
    ] {
        refused(line, expected);
    }
}

#[test]
fn wrong_types_are_refused_in_the_words_of_the_file() {
    for (line, expected) in [
        (
            "theme = 1",
            "1:9: theme: invalid type: integer `1`, expected \"auto\", \"dark\" or \"light\"",
        ),
        (
            "theme = \"blue\"",
            "1:9: theme: invalid value: string \"blue\", expected \"auto\", \"dark\" or \"light\"",
        ),
        (
            "theme = 1979-05-27T07:32:00Z",
            "1:9: theme: invalid type: date, expected \"auto\", \"dark\" or \"light\"",
        ),
        (
            "reduced_motion = \"yes\"",
            "1:18: reduced_motion: invalid value: string \"yes\", expected \"auto\", true or false",
        ),
        (
            "reduced_motion = 1",
            "1:18: reduced_motion: invalid type: integer `1`, expected \"auto\", true or false",
        ),
        (
            "reduced_motion = []",
            "1:18: reduced_motion: invalid type: array, expected \"auto\", true or false",
        ),
        ("limits = 1", "1:10: limits: invalid type: integer `1`, expected a table of limits"),
        ("[[agents]]", "1:1: agents: invalid type: array, expected a table"),
        (
            "agents.x = 1",
            "1:12: agents.x: invalid type: integer `1`, expected a table with the settings of an agent",
        ),
        ("keys.ctrl-x = {}", "1:15: keys.ctrl-x: invalid type: table, expected a string"),
        (
            "terminal.shift_enter = \"submit\"",
            "1:24: terminal.shift_enter: invalid value: string \"submit\", expected \"enter\" or \"newline\"",
        ),
        (
            "terminal.shell = \"bash\"",
            "1:18: terminal.shell: invalid value: string \"bash\", expected the absolute path of a program, such as \"/bin/bash\"",
        ),
        (
            "agents.claude.restart = \"always\"",
            "1:25: agents.claude.restart: invalid value: string \"always\", expected \"never\" or \"on-crash\"",
        ),
        (
            "agents.claude.hooks = \"off\"",
            "1:23: agents.claude.hooks: invalid type: string \"off\", expected a boolean",
        ),
        (
            "agents.claude.env = { A = 1 }",
            "1:27: agents.claude.env.A: invalid type: integer `1`, expected a string",
        ),
        (
            "agents.claude.env = { \"A=B\" = \"1\" }",
            "1:21: agents.claude.env: `A=B` cannot be set, expected a name without `=` and text without NUL",
        ),
    ] {
        refused(line, expected);
    }
}

#[test]
fn commands_that_cannot_run_are_refused() {
    for (line, expected) in [
        ("[agents.x]", "1:9: agents.x: missing field `start`, expected a command such as [\"x\"]"),
        (
            "agents.x.start = []",
            "1:18: agents.x.start: an empty command, expected a program and its arguments, such as [\"claude\"]",
        ),
        (
            "agents.claude.start = [\"\"]",
            "1:23: agents.claude.start: an empty command, expected a program and its arguments, such as [\"claude\"]",
        ),
        (
            "agents.x.start = \"claude\"",
            "1:18: agents.x.start: invalid type: string \"claude\", expected an array",
        ),
        (
            "agents.x.start = [\"a\", 1]",
            "1:24: agents.x.start: invalid type: integer `1`, expected a string",
        ),
        (
            "agents.x.start = [\"a\\u0000b\"]",
            "1:18: agents.x.start: a NUL character, which no argument can hold",
        ),
        (
            "agents.x.run = [\"a\", \"b$TRACKSIDE_FOO\"]",
            "1:16: agents.x.run: unknown token `$TRACKSIDE_FOO`, expected one of $TRACKSIDE_{TASK_ID, SLUG, PROMPT, BODY, MESSAGE, SESSION_ID, PROJECT_ROOT, WORKTREE, WORKSPACE, PHASE, SOCKET}",
        ),
        (
            "agents.\"a b\".start = [\"x\"]",
            "1:8: agents: the name `a b` is not 1 to 64 letters, digits, `-`, `_` or `.`",
        ),
    ] {
        refused(line, expected);
    }
}

#[test]
fn broken_toml_is_refused_where_it_breaks() {
    for (text, expected) in [
        ("theme = \"dark\"\ntheme = \"light\"", "2:1: duplicate key `theme`"),
        ("[limits]\n[terminal]\n[limits]", "3:2: duplicate key `limits`"),
        ("\n\"ctrl-é\" = \"abc", "2:16: invalid basic string, expected `\"`"),
        ("theme", "1:6: key with no value, expected `=`"),
        ("font_size = 13\nfont\0size = 14", "2:5: a NUL character; a config file is text"),
    ] {
        refused(text, expected);
    }
}

#[test]
fn huge_and_deep_files_cost_one_short_message() {
    let numbered = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    refused_briefly(&numbered(100_000, &|i| format!("k{i}=1\n")), "1:1: unknown field `k0`");
    let keys = numbered(100_000, &|i| format!("k{i}=''\n"));
    refused_briefly(&format!("[keys]\n{}", &keys[..900_000]), "");
    refused_briefly(
        &numbered(257, &|i| format!("[agents.a{i:03}]\nstart = ['x']\n")),
        "513:9: more than 256 agents",
    );
    refused_briefly(&format!("theme = '{}'", "x".repeat(900_000)), "1:9: theme: ");
    refused_briefly(&format!("{} = 1", "x".repeat(900_000)), "1:1: unknown field `xx");
    refused_briefly(&format!("a = {}", "[".repeat(500_000)), "1:85: cannot recurse further");
    refused_briefly(&format!("a = {}", "{a=".repeat(300_000)), "1:245: cannot recurse further");
    refused_briefly(&format!("{}a = 1", "a.".repeat(100_000)), "1:1: recursion limit");
    refused_briefly(&format!("[{}a]", "a.".repeat(100_000)), "1:1: recursion limit");
    let too_long = parse(&" ".repeat(50 << 20), Path::new("config.toml")).unwrap_err();
    assert!(matches!(too_long, ConfigError::TooLarge { .. }), "got {too_long}");
}

#[test]
fn nothing_in_a_message_moves_a_terminals_cursor() {
    refused(
        "theme = \"\\n\\u001b[31m\u{202e}\"",
        "1:9: theme: invalid value: string \"\\n\\u{1b}[31m\\u{202e}\", expected \"auto\", \"dark\" or \"light\"",
    );
    refused(
        "[agents.\"a\\nb\\u001b\"]\nstart = [\"x\"]",
        "1:9: agents: the name `a b\\u{1b}` is not 1 to 64 letters, digits, `-`, `_` or `.`",
    );
}

/// A folder in the system's place for temporary ones, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trackside-config-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, content: &[u8]) -> PathBuf {
        let path = self.0.join("config.toml");
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(err) = fs::remove_dir_all(&self.0) {
            println!("left behind {}: {err}", self.0.display());
        }
    }
}

#[test]
fn a_missing_file_means_the_defaults() {
    let folder = Folder::new("missing");
    assert_eq!(load(&folder.0.join("config.toml")).unwrap(), Config::default(), "no file");
    assert_eq!(load(Path::new("/dev/null")).unwrap(), Config::default(), "asked for nothing");
}

#[test]
fn a_file_is_read() {
    let folder = Folder::new("read");
    let path = folder.file(b"theme = \"dark\"");
    assert_eq!(load(&path).unwrap().theme, ThemeChoice::Dark, "its setting");
}

#[test]
fn files_that_are_no_config_are_refused() {
    let folder = Folder::new("refused");
    let error = |path: &Path| load(path).unwrap_err().to_string();
    let path = folder.file(b"theme = \"dark\"\nx = \"\xff\"");
    assert_eq!(error(&path), format!("{}:2:6: not UTF-8 text", path.display()), "bad bytes");
    let path = folder.0.clone();
    assert_eq!(error(&path), format!("{} is not a regular file", path.display()), "a folder");
    let path = folder.file(b"");
    fs::File::options().write(true).open(&path).unwrap().set_len(50 << 20).unwrap();
    let expected = "is longer than 1048576 bytes, the limit for a config file";
    assert_eq!(error(&path), format!("{} {expected}", path.display()), "50 MiB");
}
