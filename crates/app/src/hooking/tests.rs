//! What the user's files mean for a launch.

use std::fs;

use tempfile::TempDir;

use super::*;

/// A home, and a folder to start in.
struct Desk {
    dir: TempDir,
}

impl Desk {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir_all(dir.path().join("home/.codex")).unwrap();
        fs::create_dir_all(dir.path().join("repo/sub/.codex")).unwrap();
        Self { dir }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.dir.path().join(name), text).unwrap();
    }

    fn has_hooks(&self, command: &str, variables: &[(&str, &str)]) -> bool {
        let home = self.dir.path().join("home");
        let mut env = vec![(OsString::from("HOME"), home.into_os_string())];
        env.extend(variables.iter().map(|(name, value)| (name.into(), value.into())));
        let hooking = Hooking { program: Some("/bin/trackside".to_owned()) };
        let cwd = self.dir.path().join("repo/sub");
        let argv = vec![command.to_owned()];
        hooking.add(argv.clone(), &Launching { launch: 1, env: &env, cwd: &cwd }) != argv
    }
}

#[test]
fn without_settings_of_their_own_agents_are_asked() {
    let desk = Desk::new();
    for agent in ["claude", "codex", "aider"] {
        assert!(desk.has_hooks(agent, &[]), "{agent}");
    }
    assert!(!desk.has_hooks("sh", &[]), "it knows no hooks");
}

#[test]
fn a_setting_of_the_user_s_own_is_found_wherever_the_agent_looks_for_it() {
    for (file, text, agent) in [
        ("home/.codex/config.toml", "notify = ['x']", "codex"),
        ("repo/sub/.codex/config.toml", "notify = ['x']", "codex"),
        ("home/.aider.conf.yml", "notifications: true", "aider"),
        ("repo/.aider.conf.yml", "notifications: true", "aider"),
        ("repo/.env", "AIDER_NOTIFICATIONS=true", "aider"),
    ] {
        let desk = Desk::new();
        desk.write(file, text);
        assert!(!desk.has_hooks(agent, &[]), "{agent} with {file}");
        assert!(desk.has_hooks("claude", &[]), "claude with {file}");
    }
    let desk = Desk::new();
    assert!(!desk.has_hooks("aider", &[("AIDER_NOTIFICATIONS", "1")]), "a variable");
}

#[test]
fn codex_s_own_folder_may_be_elsewhere() {
    let desk = Desk::new();
    desk.write("home/.codex/config.toml", "notify = ['x']");
    let elsewhere = desk.dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let codex_home = [("CODEX_HOME", elsewhere.to_str().unwrap())];
    assert!(desk.has_hooks("codex", &codex_home), "the other is not read");
    fs::write(elsewhere.join("config.toml"), "notify = ['x']").unwrap();
    assert!(!desk.has_hooks("codex", &codex_home), "this one is");
}

#[test]
fn what_cannot_be_read_is_taken_to_say_anything() {
    let desk = Desk::new();
    fs::create_dir(desk.dir.path().join("home/.codex/config.toml")).unwrap();
    assert!(!desk.has_hooks("codex", &[]), "a folder");
    let desk = Desk::new();
    desk.write("home/.codex/config.toml", &"#\n".repeat(200_000));
    assert!(!desk.has_hooks("codex", &[]), "too large");
    let desk = Desk::new();
    let pipe = desk.dir.path().join("repo/sub/.codex/config.toml");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(!desk.has_hooks("codex", &[]), "a pipe, for which nobody waits");
}
