//! What a folder's settings may say, and what a hostile folder gets.

use std::fs;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

fn parse(text: &str) -> Result<Project, ProjectError> {
    Project::parse(text, Path::new("config.toml"), &Config::default())
}

fn read(text: &str) -> Project {
    parse(text).unwrap_or_else(|err| panic!("{text:?}: {err}"))
}

/// The settings that decide what runs, one a line.
#[track_caller]
fn check(text: &str, settings: &str) {
    let shown: Vec<String> = read(text).settings().iter().map(ToString::to_string).collect();
    assert_eq!(shown.join("\n"), settings, "of {text:?}");
}

/// Exactly that is said after the file's name.
#[track_caller]
fn refused(text: &str, expected: &str) {
    let err = parse(text).expect_err(text).to_string();
    assert_eq!(err, format!("config.toml:{expected}"), "for {text:?}");
}

#[test]
fn what_decides_what_runs_is_found() {
    check("", "");
    check("[agents.claude]\nstart = ['claude', '-x y']", "claude.start = [\"claude\", \"-x y\"]");
    check(
        "[agents.a]\nrun = ['r']\nresume = ['q']\nstart = ['s']",
        "a.start = [\"s\"]\na.resume = [\"q\"]\na.run = [\"r\"]",
    );
    check("[agents.claude.env]\nB = '2'\nA = '1'", "claude.env.A = \"1\"\nclaude.env.B = \"2\"");
    check("[agents.claude]\nenv = {}", "claude.env = {}");
    check("[agents.claude]\nhooks = true", "claude.hooks = true");
    check(
        "[agents.b]\nstart = ['b']\n[agents.a]\nstart = ['a']",
        "a.start = [\"a\"]\nb.start = [\"b\"]",
    );
}

#[test]
fn what_runs_nothing_needs_no_trust() {
    let harmless = "[agents.claude]\ndisplay_name = 'C'\nstale_timeout = '2m'\nneeds_input_timeout = '9s'\nrestart = 'never'";
    check(harmless, "");
    assert!(!read(harmless).commands("claude"), "it commands nothing");
    assert!(read(harmless).touches("claude"), "but says something");
}

#[test]
fn nothing_can_hide_in_what_is_shown() {
    check(
        "[agents.a]\nstart = ['s', '\u{202e}x', \"\\u001b[2K\\r\\n\"]",
        "a.start = [\"s\", \"\\u{202e}x\", \"\\u{1b}[2K\\r\\n\"]",
    );
    check("[agents.claude.env]\n\"A x\" = '1'", "claude.env.\"A x\" = \"1\"");
    check(
        "[agents.claude.env]\nA = \"1\\nclaude.hooks = true\"",
        "claude.env.A = \"1\\nclaude.hooks = true\"",
    );
}

#[test]
fn a_project_is_over_the_user_and_touches_nothing_else() {
    let user = crate::parse(
        "font_size = 20\n[agents.claude]\nstart = ['my-claude']\nhooks = false\n[agents.mine]\nstart = ['m']",
        Path::new("user"),
    )
    .unwrap();
    let text = "[agents.claude]\nenv = { A = '1' }\n[agents.mine]\nstale_timeout = '2m'\n[agents.new]\nstart = ['n']";
    let project = Project::parse(text, Path::new("config.toml"), &user).unwrap();
    let merged = project.over(&user);
    assert_eq!(merged.agents["claude"].start, ["my-claude"], "the user's, as it names none");
    assert_eq!(merged.agents["claude"].env["A"], "1", "the project's");
    assert!(!merged.agents["claude"].hooks, "the user's");
    assert_eq!(merged.agents["new"].start, ["n"], "added");
    assert_eq!(merged.agents["codex"], user.agents["codex"], "not touched");
    assert_eq!(merged.font_size, 20.0, "not touched");
    let commands = |name: &str| project.commands(name);
    assert_eq!(
        ["claude", "mine", "new", "codex"].map(commands),
        [true, false, true, false],
        "which"
    );
}

#[test]
fn what_is_the_users_alone_is_refused() {
    for key in USER_ONLY {
        let said = format!("1:1: {key}: only your own config.toml may set it, not a project");
        refused(&format!("{key} = 1"), &said);
    }
    refused(
        "\n[keys]\n'ctrl-x' = 'agent.stop'",
        "2:2: keys: only your own config.toml may set it, not a project",
    );
    refused("shell = 'x'", "1:1: unknown field `shell`, expected `agents`");
    // A new setting is to be thought about here, too.
    let known = crate::parse("x = 1", Path::new("f")).unwrap_err().to_string();
    let known: Vec<&str> =
        known.split('`').skip(3).step_by(2).filter(|it| *it != "agents").collect();
    let mut users = USER_ONLY.to_vec();
    users.sort_unstable();
    let mut known = known;
    known.sort_unstable();
    assert_eq!(known, users, "each setting is an agent's or the user's alone");
}

#[test]
fn mistakes_are_told_with_their_place() {
    refused(
        "[agents.x]\nenv = {}",
        "1:9: agents.x: missing field `start`, expected a command such as [\"x\"]",
    );
    refused(
        "[agents.claude]\nstart = []",
        "2:9: agents.claude.start: an empty command, expected a program and its arguments, such as [\"claude\"]",
    );
    refused(
        "[agents.claude]\nstart = 'sh'",
        "2:9: agents.claude.start: invalid type: string \"sh\", expected an array",
    );
    refused("agents = 1", "1:10: agents: invalid type: integer `1`, expected a table");
    refused("[agents", "1:8: unclosed table, expected `]`");
    refused("a = '\0'", "1:6: a NUL character; a config file is text");
}

#[test]
fn a_broken_file_concerns_the_agents_it_names() {
    let broken = parse("[agents.claude]\nstart = ").unwrap_err();
    assert!(broken.may_concern("claude"), "it is in there");
    assert!(!broken.may_concern("codex"), "it is not");
}

/// A folder with something in the place of its settings.
fn folder(make: impl FnOnce(&Path, &Path)) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".trackside")).unwrap();
    make(root.path(), &root.path().join(PROJECT_FILE));
    root
}

/// What comes of a folder: the settings, `none`, or a refusal without the file's path.
#[track_caller]
fn check_folder(make: impl FnOnce(&Path, &Path), expected: &str) {
    let root = folder(make);
    let file = root.path().join(PROJECT_FILE).display().to_string();
    let got = match Project::load(root.path(), &Config::default()) {
        Ok(None) => "none".to_owned(),
        Ok(Some(project)) => format!("{} settings", project.settings().len()),
        Err(err) => {
            assert!(err.may_concern("claude") == err.text.is_none(), "unread, it may say anything");
            err.to_string().replace(&file, "FILE")
        }
    };
    assert_eq!(got, expected, "in {}", root.path().display());
}

#[test]
fn a_folder_has_settings_or_none() {
    check_folder(|_, _| {}, "none");
    check_folder(|root, _| fs::remove_dir(root.join(".trackside")).unwrap(), "none");
    check_folder(
        |root, _| {
            fs::remove_dir(root.join(".trackside")).unwrap();
            fs::write(root.join(".trackside"), "").unwrap();
        },
        "none",
    );
    check_folder(|_, file| fs::write(file, "[agents.a]\nstart = ['a']").unwrap(), "1 settings");
}

#[test]
fn what_is_no_file_of_the_folder_is_neither_followed_nor_waited_for() {
    let link = "FILE is a symbolic link, or below one; a project's settings must be a file in it";
    check_folder(|_, file| symlink("/etc/passwd", file).unwrap(), link);
    check_folder(|_, file| symlink("config.toml", file).unwrap(), link);
    check_folder(|_, file| symlink("/dev/zero", file).unwrap(), link);
    check_folder(
        |root, _| {
            fs::remove_dir(root.join(".trackside")).unwrap();
            symlink("/etc", root.join(".trackside")).unwrap();
        },
        link,
    );
    check_folder(|_, file| fs::create_dir(file).unwrap(), "FILE is not a regular file");
    let fifo = |_: &Path, file: &Path| {
        rustix::fs::mkfifoat(rustix::fs::CWD, file, rustix::fs::Mode::RUSR).unwrap();
    };
    check_folder(fifo, "FILE is not a regular file");
    let socket =
        |_: &Path, file: &Path| drop(std::os::unix::net::UnixListener::bind(file).unwrap());
    check_folder(socket, "FILE is not a regular file");
    let huge = |_: &Path, file: &Path| fs::File::create(file).unwrap().set_len(50 << 20).unwrap();
    check_folder(huge, "FILE is longer than 1048576 bytes, the limit for a config file");
    check_folder(|_, file| fs::write(file, b"a = '\xff'").unwrap(), "FILE:1:6: not UTF-8 text");
}
