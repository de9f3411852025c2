//! Which words become what.

use super::*;

fn values() -> TokenValues {
    TokenValues::default()
        .with(Token::Worktree, "/src/my api")
        .with(Token::Workspace, "api")
        .with(Token::TaskId, "7")
        .with(Token::Message, "$TRACKSIDE_WORKSPACE; rm -rf \"$HOME\"")
}

#[track_caller]
fn check(word: &str, expected: &str) {
    assert_eq!(check_word(word), Ok(()), "{word} is a word for a config file");
    assert_eq!(values().expand(&[word.to_owned()]), Ok(vec![expected.to_owned()]), "{word}");
}

#[track_caller]
fn missing(word: &str, token: Token) {
    assert_eq!(check_word(word), Ok(()), "{word} is a word for a config file");
    assert_eq!(values().expand(&[word.to_owned()]), Err(MissingToken(token)), "{word}");
}

#[track_caller]
fn unknown(word: &str, token: &str) {
    let refusal = check_word(word).expect_err(word);
    assert!(refusal.starts_with(&format!("unknown token `{token}`, ")), "{word}: {refusal}");
}

#[test]
fn tokens_are_replaced_also_inside_words() {
    check("$TRACKSIDE_WORKTREE", "/src/my api");
    check("--x=$TRACKSIDE_WORKTREE/y", "--x=/src/my api/y");
    check("$TRACKSIDE_WORKSPACE$TRACKSIDE_TASK_ID", "api7");
    check("$TRACKSIDE_TASK_ID-$TRACKSIDE_TASK_ID", "7-7");
    check("é$TRACKSIDE_WORKSPACEé", "éapié");
    check("plain", "plain");
    check("", "");
}

#[test]
fn the_longest_name_wins_and_other_text_may_follow() {
    check("$TRACKSIDE_TASK_ID_x", "7_x");
    check("$TRACKSIDE_TASK_ID_", "7_");
    check("$TRACKSIDE_WORKSPACEs", "apis");
    check("$TRACKSIDE_WORKSPACE.log", "api.log");
}

#[test]
fn what_is_no_token_of_ours_stays() {
    check("$HOME ${TRACKSIDE_WORKSPACE} $TRACKSIDE", "$HOME ${TRACKSIDE_WORKSPACE} $TRACKSIDE");
    check("$(id) `id` $$", "$(id) `id` $$");
}

#[test]
fn a_value_is_not_looked_at_again() {
    check("$TRACKSIDE_MESSAGE", "$TRACKSIDE_WORKSPACE; rm -rf \"$HOME\"");
}

#[test]
fn a_token_without_a_value_is_named() {
    missing("$TRACKSIDE_PROMPT", Token::Prompt);
    missing("a$TRACKSIDE_SESSION_ID", Token::SessionId);
    let line = MissingToken(Token::Prompt).to_string();
    assert_eq!(line, "$TRACKSIDE_PROMPT has no value here", "in words");
}

#[test]
fn unknown_tokens_are_refused() {
    unknown("$TRACKSIDE_FOO", "$TRACKSIDE_FOO");
    unknown("a$TRACKSIDE_PROMPTS/b", "$TRACKSIDE_PROMPTS");
    unknown("$TRACKSIDE_WORKTREE2", "$TRACKSIDE_WORKTREE2");
    unknown("$TRACKSIDE_", "$TRACKSIDE_");
    unknown("$TRACKSIDE_prompt", "$TRACKSIDE_");
    unknown("$TRACKSIDE_PROMPT$TRACKSIDE_X", "$TRACKSIDE_X");
}

#[test]
fn the_program_finds_the_same_values_in_its_environment() {
    let variables: Vec<_> =
        TokenValues::default().with(Token::Worktree, "/a").variables().collect();
    assert_eq!(variables, [("TRACKSIDE_WORKTREE".to_owned(), "/a".to_owned())], "by its name");
}
