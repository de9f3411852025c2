//! The page of actions and keys, made from the tables so that it cannot fall behind.

use std::fmt::Write as _;

use crate::{ACTIONS, Context, default_bindings};

/// `docs/actions.md`, whole.
pub fn actions_page() -> String {
    let mut page = String::from(
        "# Actions and keys\n\n\
         Made from the tables in `crates/workspace`; `cargo xtask test` fails while it is out of date.\n\
         Every action can be had by `trackside do NAME [JSON]`; those without a needed argument are in\n\
         the palette, and a key is bound in `config.toml`: `[keys]`, `\"ctrl-shift-x\" = \"agent.stop\"`.\n\n\
         | action | keys | does | arguments |\n|---|---|---|---|\n",
    );
    for spec in ACTIONS {
        let row =
            format!("| `{}` | {} | {} | {} |", spec.name, keys_of(spec.name), spec.doc, spec.args);
        // Writing to a string cannot fail.
        let _written = writeln!(page, "{row}").is_ok();
    }
    page
}

fn keys_of(action: &str) -> String {
    let keys: Vec<String> = default_bindings()
        .iter()
        .filter(|binding| binding.action == action)
        .map(|binding| {
            let chords: Vec<String> = binding.sequence.iter().map(ToString::to_string).collect();
            let place = match binding.context {
                Context::Anywhere => "",
                Context::OutsideTerminals => " (outside terminals)",
                Context::Terminal => " (in a terminal)",
                Context::Scrollback => " (in a terminal, not on the alternate screen)",
                Context::Editor => " (in a file)",
            };
            format!("{}{place}", chords.join(" "))
        })
        .collect();
    keys.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_in_docs_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/actions.md");
        if std::env::var_os("TRACKSIDE_UPDATE_DOCS").is_some() {
            std::fs::write(path, actions_page()).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            written == actions_page(),
            "docs/actions.md is out of date: TRACKSIDE_UPDATE_DOCS=1 cargo test -p workspace the_page"
        );
    }
}
