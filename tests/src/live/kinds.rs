//! The agents there are, and what each needs to run here: settings of its user's, and no network.

use crate::live::world::{KEY, PORT};

/// A real agent. In all texts `{root}` stands for the folder it works in, `{base}` for where its model
/// is, `{key}` for the key to that, and `{own}` for a file that a hook of the user's own makes.
#[derive(Debug)]
pub(super) struct Kind {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub env: &'static [(&'static str, &'static str)],
    /// Files in its home that are its user's alone.
    pub settings: &'static [(&'static str, &'static str)],
    /// Files that it keeps its own state in. There, so that it does not ask what it asks new users.
    pub state: &'static [(&'static str, &'static str)],
    /// Parts of the paths of files that hold ids and times, and so differ from session to session.
    pub varying: &'static [&'static str],
    /// What its one request is taken for.
    pub asks: &'static str,
}

pub(super) const CLAUDE: Kind = Kind {
    name: "claude",
    arguments: &["--permission-mode", "default"],
    env: &[
        ("ANTHROPIC_BASE_URL", "{base}"),
        ("ANTHROPIC_API_KEY", "{key}"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
    ],
    settings: &[
        (
            ".claude/settings.json",
            r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "touch '{own}'"}]}]}}"#,
        ),
        (".claude/settings.local.json", r#"{"env": {"OF_THE_USER": "1"}}"#),
    ],
    state: &[(
        ".claude.json",
        r#"{"hasCompletedOnboarding": true, "theme": "dark",
            "customApiKeyResponses": {"approved": ["{key}"], "rejected": []},
            "projects": {"{root}": {"hasTrustDialogAccepted": true,
                "hasCompletedProjectOnboarding": true}}}"#,
    )],
    varying: &[".claude.json"],
    asks: "permission",
};

pub(super) const CODEX: Kind = Kind {
    name: "codex",
    // With any such argument it does without the server that its sessions share, and that would
    // outlive them: ours is one, too.
    arguments: &["-c", "approval_policy=\"on-request\""],
    env: &[("OPENAI_API_KEY", "{key}")],
    settings: &[
        (
            ".codex/config.toml",
            r#"model_provider = "own"
model = "gpt-5.1-codex"
check_for_update_on_startup = false
sandbox_mode = "read-only"

[model_providers.own]
name = "own"
base_url = "{base}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"

[projects."{root}"]
trust_level = "trusted"

# What it would add by itself.
[tui]
show_tooltips = false
screen_reader_detection_done = true
"#,
        ),
        (".codex/auth.json", r#"{"OPENAI_API_KEY": "{key}"}"#),
    ],
    state: &[],
    varying: &["sqlite", "installation_id", "shell_snapshots"],
    asks: "permission",
};

pub(super) const AIDER: Kind = Kind {
    name: "aider",
    arguments: &[],
    env: &[("OPENAI_API_KEY", "{key}"), ("LITELLM_LOCAL_MODEL_COST_MAP", "True")],
    settings: &[(
        ".aider.conf.yml",
        // Of some users it asks whether they may be counted.
        "model: openai/editor\nopenai-api-base: {base}/v1\ngit: false\ncheck-update: false\n\
         show-model-warnings: false\nshow-release-notes: false\nanalytics: false\n",
    )],
    state: &[],
    varying: &["analytics.json", "chat.history"],
    asks: "confirmation",
};

pub(super) const OPENCODE: Kind = Kind {
    name: "opencode",
    arguments: &[],
    env: &[
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
        ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
    ],
    settings: &[(
        ".config/opencode/opencode.json",
        // It would add the schema by itself.
        r#"{"$schema": "https://opencode.ai/config.json", "autoupdate": false, "share": "disabled",
            "permission": {"bash": "ask"}, "enabled_providers": ["own"],
            "model": "own/model", "small_model": "own/model",
            "provider": {"own": {"npm": "@ai-sdk/openai-compatible", "name": "Own",
                "options": {"baseURL": "{base}/v1", "apiKey": "{key}"},
                "models": {"model": {"name": "Model", "tool_call": true,
                    "limit": {"context": 100000, "output": 8000}}}}}}"#,
    )],
    state: &[],
    varying: &["opencode.db", "opencode.log", ".lock/"],
    asks: "permission",
};

pub(super) const GEMINI: Kind = Kind {
    name: "gemini",
    arguments: &[],
    env: &[("GEMINI_API_KEY", "{key}"), ("GOOGLE_GEMINI_BASE_URL", "{base}")],
    settings: &[
        (
            ".gemini/settings.json",
            r#"{"security": {"auth": {"selectedType": "gemini-api-key"}}, "telemetry": {"enabled": false},
                "privacy": {"usageStatisticsEnabled": false}, "ide": {"hasSeenNudge": true},
                "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}}"#,
        ),
        (".gemini/trustedFolders.json", r#"{"{root}": "TRUST_FOLDER"}"#),
    ],
    state: &[],
    varying: &[],
    asks: "permission",
};

impl Kind {
    /// One of its texts, with what stands in it for other things filled in.
    pub(super) fn filled(text: &str, root: &str, own: &str) -> String {
        let base = format!("http://127.0.0.1:{PORT}");
        let values = [("{root}", root), ("{own}", own), ("{base}", &base), ("{key}", KEY)];
        values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}
