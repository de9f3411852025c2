//! Names and secrets in a line of text.

use std::ops::Range;

use regex_automata::meta::Regex;

/// Who is recorded, and where.
#[derive(Debug, Clone, Default)]
pub struct Identity {
    pub users: Vec<String>,
    pub homes: Vec<String>,
    pub hosts: Vec<String>,
}

/// What looks like a secret. Where there is a group, only that is one.
const SECRETS: &[&str] = &[
    // E-mail addresses.
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
    // Keys that are known by how they begin.
    r"\bsk-[A-Za-z0-9_-]{8,}",
    r"\b[spr]k_(?:live|test)_[A-Za-z0-9]{8,}",
    r"\bgh[pousr]_[A-Za-z0-9]{16,}",
    r"\bgithub_pat_[A-Za-z0-9_]{16,}",
    r"\bglpat-[A-Za-z0-9_-]{16,}",
    r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}",
    r"\bAIza[A-Za-z0-9_-]{30,}",
    r"\bxox[a-z]-[A-Za-z0-9-]{10,}",
    r"\bhf_[A-Za-z0-9]{20,}",
    r"\bnpm_[A-Za-z0-9]{30,}",
    r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?",
    // What is said to be one.
    r"(?i)\bauthorization\s*[:=]\s*[\x22']?(?:(?:basic|bearer|token|digest)\s+)?([^\s\x22']+)",
    r"(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})",
    concat!(
        r"(?i)(?:api[_-]?key|access[_-]?key|private[_-]?key|secret|token|passw(?:or)?d|passphrase",
        r"|credentials?)[A-Za-z0-9_]*[\x22']?\s*(?::|=|\bis\b)\s*[\x22']?([^\s\x22',;]{4,})"
    ),
    r"://[^/\s:@]*:([^/\s@]+)@",
    concat!(
        r"\b(?:curl|https?)\s[^|;&]*?-(?:-user|-proxy-user|-auth|u|U|a)",
        r"(?:[\s=]*)[\x22']?[^\s:\x22'=-][^\s:\x22']*:([^\s\x22']+)"
    ),
    r"(?i)\b(?:key|signature|sig|nonce|salt)\b[\x22']?\s*[:=]\s*[\x22']?([A-Za-z0-9+/_=-]{16,})",
];

/// A run of such characters is a secret if it is as mixed as one.
const RUN: &str = r"[A-Za-z0-9+_=-]{32,}";

#[derive(Debug)]
pub(super) struct Finder {
    /// Whether there is anything to find.
    any: Regex,
    names: Vec<Regex>,
    secrets: Vec<Regex>,
    run: Regex,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) range: Range<usize>,
    /// It says who or where, and is no secret.
    pub(super) is_name: bool,
}

impl Finder {
    /// `None` for a name that is too long to look for.
    pub(super) fn new(identity: &Identity) -> Option<Self> {
        let words = identity.users.iter().chain(&identity.hosts).filter(|it| it.len() > 1);
        let words = words.filter(|it| *it != "localhost");
        let words = words.map(|word| format!(r"\b{{start-half}}{}\b{{end-half}}", escape(word)));
        let homes = identity.homes.iter().filter(|it| it.len() > 1);
        let homes = homes.map(|home| format!(r"{}\b{{end-half}}", escape(home)));
        let names: Vec<String> = homes.chain(words).collect();
        let all = names.iter().map(String::as_str).chain(SECRETS.iter().copied()).chain([RUN]);
        let build = |pattern: &str| Regex::new(pattern).ok();
        Some(Self {
            any: Regex::new_many(&all.collect::<Vec<_>>()).ok()?,
            names: names.iter().map(|it| build(it)).collect::<Option<_>>()?,
            secrets: SECRETS.iter().map(|it| build(it)).collect::<Option<_>>()?,
            run: build(RUN)?,
        })
    }

    /// Where they are; some may overlap.
    pub(super) fn find(&self, text: &str) -> Vec<Found> {
        if !self.any.is_match(text) {
            return Vec::new();
        }
        let names = self.names.iter().flat_map(|regex| regex.find_iter(text));
        let names = names.map(|hit| Found { range: hit.range(), is_name: true });
        let secrets = self.secrets.iter().flat_map(|regex| regex.captures_iter(text));
        let secrets = secrets.filter_map(|hit| hit.get_group(1).or_else(|| hit.get_group(0)));
        let runs = self.run.find_iter(text).map(|hit| hit.range());
        let runs = runs.filter(|range| text.get(range.clone()).is_some_and(is_mixed));
        let secrets = secrets.map(|span| span.range()).chain(runs);
        names.chain(secrets.map(|range| Found { range, is_name: false })).collect()
    }
}

/// Capital and small letters and digits, each more than once: words and hashes are not like that.
pub(super) fn is_mixed(run: &str) -> bool {
    let count = |is: fn(&char) -> bool| run.chars().filter(is).count();
    count(char::is_ascii_uppercase) > 2
        && count(char::is_ascii_lowercase) > 2
        && count(char::is_ascii_digit) > 2
}

/// A text as a pattern that matches only it.
fn escape(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}
