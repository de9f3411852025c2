//! The title of the window, which the task bar shows too: how many wait, and where one is.

use workspace::{State, Workspace};

/// What everything is called that is not about one workspace.
const PRODUCT: &str = "Trackside";

pub(crate) fn of(state: &State) -> String {
    words(state.n_waiting(), state.active_workspace().map(Workspace::name))
}

fn words(n_waiting: usize, workspace: Option<&str>) -> String {
    let count = if n_waiting == 0 { String::new() } else { format!("({n_waiting}) ") };
    match workspace {
        Some(name) => format!("{count}{name} — {PRODUCT}"),
        None => format!("{count}{PRODUCT}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_counted_first() {
        assert_eq!(words(0, None), "Trackside", "nothing open");
        assert_eq!(words(0, Some("api")), "api — Trackside", "nobody waits");
        assert_eq!(words(2, Some("api")), "(2) api — Trackside", "two wait");
    }
}
