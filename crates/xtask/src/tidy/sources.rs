//! Rules about the text of one Rust file.

use super::Problem;

/// Lines of code, tests not counted, from which a file is asked to be split, and refused.
const LONG: usize = 500;
const TOO_LONG: usize = 800;

/// Notes of unfinished work. Written so that this file does not hold the words itself.
const NOTES: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

pub(super) fn check(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !is_test_file(path) {
        problems.extend(check_header(path, text));
        problems.extend(check_length(path, text));
    }
    for (index, line) in text.lines().enumerate() {
        let found = check_note(line).or_else(|| check_attribute(line));
        problems.extend(found.map(|what| Problem::error(path, what).at_line(index + 1)));
    }
    problems
}

/// Files that hold nothing but tests. The end-to-end package is code like any other.
fn is_test_file(path: &str) -> bool {
    let inside = path.split_once("src/").map_or(path, |(_, inside)| inside);
    inside.split('/').any(|part| part == "tests" || part == "tests.rs")
}

fn check_header(path: &str, text: &str) -> Option<Problem> {
    let first = text.lines().next().unwrap_or_default();
    let says_something = first.strip_prefix("//!").is_some_and(|header| !header.trim().is_empty());
    let what = "starts without a `//!` header that says what it is for";
    (!says_something).then(|| Problem::error(path, what).at_line(1))
}

fn check_length(path: &str, text: &str) -> Option<Problem> {
    let lines: Vec<&str> = text.lines().collect();
    let is_tests = |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod tests {");
    let n_lines = lines.windows(2).position(is_tests).unwrap_or(lines.len());
    if n_lines > TOO_LONG {
        let what = format!("has {n_lines} lines; the limit is {TOO_LONG}");
        return Some(Problem::error(path, what));
    }
    let what = format!("has {n_lines} lines; split it before it has {TOO_LONG}");
    (n_lines > LONG).then(|| Problem::warning(path, what))
}

/// A note in a comment must say which issue will end it: `(#12)` right behind the word.
fn check_note(line: &str) -> Option<String> {
    let (_, comment) = line.split_once("//")?;
    NOTES.iter().find_map(|note| {
        let (before, after) = comment.split_once(note)?;
        let is_word = !before.ends_with(is_word_part) && !after.starts_with(is_word_part);
        let number = after.strip_prefix("(#").and_then(|rest| rest.split_once(')'));
        let has_issue = number.is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        (is_word && !has_issue).then(|| format!("{note} without an issue; write `{note}(#12)`"))
    })
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A test that does not run proves nothing, and one that expects a panic proves too little.
fn check_attribute(line: &str) -> Option<String> {
    ["ignore", "should_panic"].iter().find_map(|name| {
        let rest = line.trim_start().strip_prefix("#[")?.strip_prefix(name)?;
        let ends = rest.starts_with([']', ' ', '=', '(']);
        ends.then(|| format!("`#[{name}]` is not used here"))
    })
}
