//! `$TRACKSIDE_*`: words in a command that stand for something known only when it is run.
//!
//! They are replaced inside each argument, never by a shell: a value with blanks, quotes or dollar
//! signs stays one argument, and is not looked at again.

use std::collections::BTreeMap;

const PREFIX: &str = "$TRACKSIDE_";

/// What a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Token {
    TaskId,
    Slug,
    Prompt,
    Body,
    Message,
    SessionId,
    /// The folder that holds the repository.
    ProjectRoot,
    /// The folder that the agent works in.
    Worktree,
    /// The workspace's name.
    Workspace,
    Phase,
    /// Where the control socket is.
    Socket,
}

/// The values there are for one launch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenValues(BTreeMap<Token, String>);

/// A command names a token that has no value when it is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{PREFIX}{} has no value here", .0.name())]
pub struct MissingToken(pub Token);

/// What a word is made of.
enum Piece<'a> {
    Text(&'a str),
    Token(Token),
    /// Something that looks like a token and is none; from the `$` on.
    Unknown(&'a str),
}

impl Token {
    pub const ALL: [Self; 11] = [
        Self::TaskId,
        Self::Slug,
        Self::Prompt,
        Self::Body,
        Self::Message,
        Self::SessionId,
        Self::ProjectRoot,
        Self::Worktree,
        Self::Workspace,
        Self::Phase,
        Self::Socket,
    ];

    /// What follows `$TRACKSIDE_`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TaskId => "TASK_ID",
            Self::Slug => "SLUG",
            Self::Prompt => "PROMPT",
            Self::Body => "BODY",
            Self::Message => "MESSAGE",
            Self::SessionId => "SESSION_ID",
            Self::ProjectRoot => "PROJECT_ROOT",
            Self::Worktree => "WORKTREE",
            Self::Workspace => "WORKSPACE",
            Self::Phase => "PHASE",
            Self::Socket => "SOCKET",
        }
    }

    /// The variable by which the program finds the same value.
    pub fn variable(self) -> String {
        format!("{}{}", &PREFIX[1..], self.name())
    }
}

impl TokenValues {
    #[must_use]
    pub fn with(mut self, token: Token, value: impl Into<String>) -> Self {
        self.0.insert(token, value.into());
        self
    }

    /// The command with all tokens replaced.
    ///
    /// # Errors
    /// Names the first token without a value.
    pub fn expand(&self, words: &[String]) -> Result<Vec<String>, MissingToken> {
        words.iter().map(|word| self.expand_word(word)).collect()
    }

    fn expand_word(&self, word: &str) -> Result<String, MissingToken> {
        let mut expanded = String::new();
        for piece in pieces(word) {
            match piece {
                // An unknown one was refused when the settings were read.
                Piece::Text(text) | Piece::Unknown(text) => expanded.push_str(text),
                Piece::Token(token) => {
                    expanded.push_str(self.0.get(&token).ok_or(MissingToken(token))?);
                }
            }
        }
        Ok(expanded)
    }

    /// The same values as variables for the program's environment.
    pub fn variables(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.0.iter().map(|(token, value)| (token.variable(), value.clone()))
    }
}

/// Whether a word names only tokens that exist.
pub(crate) fn check_word(word: &str) -> Result<(), String> {
    let unknown = pieces(word).find_map(|piece| match piece {
        Piece::Unknown(text) => Some(text),
        Piece::Text(_) | Piece::Token(_) => None,
    });
    match unknown {
        None => Ok(()),
        Some(text) => Err(format!(
            "unknown token `{text}`, expected one of {PREFIX}{{{}}}",
            Token::ALL.map(Token::name).join(", ")
        )),
    }
}

/// Splits a word at its tokens.
fn pieces(word: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, len) = match rest.find(PREFIX) {
            Some(0) => token_at_start(rest),
            Some(at) => (Piece::Text(&rest[..at]), at),
            None => (Piece::Text(rest), rest.len()),
        };
        rest = &rest[len..];
        Some(piece)
    })
}

/// The longest token whose name the text goes on with. A letter or digit behind it would make
/// another name of it, and so most likely is a slip; `_` and all else is text.
fn token_at_start(text: &str) -> (Piece<'_>, usize) {
    let after = &text[PREFIX.len()..];
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    let ends = |name: &str| !after[name.len()..].starts_with(is_name);
    let known = Token::ALL
        .into_iter()
        .filter(|token| after.starts_with(token.name()) && ends(token.name()))
        .max_by_key(|token| token.name().len());
    if let Some(token) = known {
        return (Piece::Token(token), PREFIX.len() + token.name().len());
    }
    let n_name = after.find(|c| !is_name(c) && c != '_').unwrap_or(after.len());
    let len = PREFIX.len() + n_name;
    (Piece::Unknown(&text[..len]), len)
}

#[cfg(test)]
mod tests;
