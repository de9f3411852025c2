//! A path that is more likely a command with a slip of the finger in it.

use std::fs;

use clap::CommandFactory as _;

use super::Cli;

/// What to say instead of opening a new file named like a command, such as `agnet`. A path that is there,
/// or that is written like one (`./agnet`, `agnet.md`), is meant.
pub(crate) fn complaint(paths: &[String]) -> Option<String> {
    let first = paths.first().filter(|first| fs::symlink_metadata(first).is_err())?;
    let meant = command_like(first)?;
    Some(format!(
        "there is no file or folder `{first}`; did you mean `trackside {meant}`? (a new file of that name: \
         `trackside ./{first}`)"
    ))
}

fn command_like(word: &str) -> Option<String> {
    let is_word = word.chars().all(|c| c.is_ascii_alphabetic());
    let command = Cli::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let typed = word.to_ascii_lowercase();
    let near = names.map(|name| (distance(&typed, name), !name.starts_with(&typed), name));
    let (slips, _, name) = near.min().filter(|_| is_word)?;
    // Short words are near to many.
    let most = if word.len() < 5 { 1 } else { 2 };
    (slips <= most && name != word).then(|| name.to_owned())
}

/// Behind a command that was understood, words are its own.
pub(crate) fn is_command(word: &str) -> bool {
    Cli::command().get_subcommands().any(|command| command.get_name() == word)
}

/// Letters to be added, left out, replaced, or swapped with the next.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, a) in one.iter().enumerate() {
        let mut this = vec![row + 1];
        for (column, b) in other.iter().enumerate() {
            let replaced = last[column] + usize::from(a != b);
            let best = replaced.min(last[column + 1] + 1).min(this[column] + 1);
            let is_swap = row > 0 && column > 0 && one[row - 1] == *b && *a == other[column - 1];
            this.push(if is_swap { best.min(before_last[column - 1] + 1) } else { best });
        }
        before_last = std::mem::replace(&mut last, this);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, meant: Option<&str>) {
        assert_eq!(command_like(word).as_deref(), meant, "{word}");
    }

    #[test]
    fn slips_are_known() {
        check("agnet", Some("agent"));
        check("Agent", Some("agent"));
        check("statu", Some("status"));
        check("trmnal", Some("terminal"));
        check("scren", Some("screen"));
        check("dcotor", Some("doctor"));
        check("opn", Some("open"));
    }

    #[test]
    fn other_names_are_those_of_files() {
        for name in ["notes", "main.rs", "todo", "README", "agent2.md", "./agnet", "src/agnet", ""]
        {
            check(name, None);
        }
    }

    #[test]
    fn what_is_there_is_meant() {
        assert_eq!(complaint(&["/".to_owned()]), None, "a folder");
        assert_eq!(complaint(&[]), None, "nothing");
        let said = complaint(&["agnet".to_owned(), "list".to_owned()]).expect("a complaint");
        assert!(said.contains("`trackside agent`") && said.contains("./agnet"), "{said}");
    }

    #[test]
    fn swapped_letters_are_one_slip() {
        assert_eq!(distance("agnet", "agent"), 1, "swapped");
        assert_eq!(distance("", "do"), 2, "added");
        assert_eq!(distance("quit", "quit"), 0, "the same");
        assert_eq!(distance("abc", "ca"), 3, "not swapped at once");
    }
}
