//! The order of imports: std, then other crates, then this crate, a blank line between.
//!
//! Our own crates may stand among the other ones or in a group behind them. rustfmt sorts within a group but cannot make the groups on a stable toolchain. Only the imports
//! at the left margin are looked at, and not those that are made public.

use super::Problem;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Std,
    Crates,
    ThisCrate,
}

pub(super) fn check(path: &str, text: &str) -> Option<Problem> {
    let modules: Vec<&str> = text.lines().filter_map(module_name).collect();
    let is_here = |root: &str| {
        matches!(root, "crate" | "self" | "super")
            || root.starts_with(char::is_uppercase)
            || modules.contains(&root)
    };
    let mut previous: Option<Group> = None;
    let mut after_blank = true;
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        if inside {
            inside = !line.ends_with(';');
        } else if let Some(import) = line.strip_prefix("use ") {
            inside = !line.ends_with(';');
            let root = import.split([':', ';', ' ', '{']).next().unwrap_or_default();
            let group = match root {
                "std" | "core" | "alloc" => Group::Std,
                root if is_here(root) => Group::ThisCrate,
                _ => Group::Crates,
            };
            let fits = previous.is_none_or(|previous| {
                let is_next = after_blank && previous < group;
                let is_same = previous == group && (!after_blank || group == Group::Crates);
                is_next || is_same
            });
            if !fits {
                let what = "imports come as std, crates, this crate, with a blank line between";
                return Some(Problem::error(path, what).at_line(index + 1));
            }
            previous = Some(group);
            after_blank = false;
        } else if line.is_empty() {
            after_blank = true;
        } else if !line.starts_with("#[") && !line.starts_with("//") {
            // Another item: imports further down have their own reasons.
            if previous.is_some() {
                return None;
            }
        }
    }
    None
}

fn module_name(line: &str) -> Option<&str> {
    let line = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
    line.strip_prefix("mod ")?.split([';', ' ']).next()
}
