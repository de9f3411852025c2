//! Documents that say what is tested: each test that they name must be there.

use super::Problem;

/// What survives which end, row by row.
pub(super) const ENDING: &str = "docs/ending.md";

/// `source` gives the text of an end-to-end module, if there is one of that name.
pub(super) fn check(
    path: &str,
    text: &str,
    source: impl Fn(&str) -> Option<String>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let names = line.split('`').filter(|word| is_test_name(word));
        let is_row = line.starts_with("| ") && !line.starts_with("| what ends");
        let mut n_named = 0;
        for (module, test) in names.filter_map(|name| name.split_once("::")) {
            n_named += 1;
            let is_there = source(module).is_some_and(|text| text.contains(&format!("fn {test}(")));
            if !is_there {
                let what = format!("names the test {module}::{test}, which is not there");
                problems.push(Problem::error(path, what).at_line(index + 1));
            }
        }
        if is_row && n_named == 0 {
            problems.push(Problem::error(path, "names no test for this row").at_line(index + 1));
        }
    }
    problems
}

fn is_test_name(word: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    word.split_once("::").is_some_and(|(module, test)| is_part(module) && is_part(test))
}
