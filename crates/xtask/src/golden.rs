//! `cargo xtask golden`: comparing the pictures of the window, or accepting new ones.
//!
//! The comparison is a test like any other and lives with the program, in the `golden` tests of the
//! `app` crate; this only runs it, and tells it through `TRACKSIDE_ACCEPT_GOLDEN` which pictures to
//! replace.

use std::ffi::OsString;

use crate::test::{self, Selection};
use crate::{packages, unexpected};

/// Read by the golden tests: the name of the picture to replace, or `all`.
const ACCEPT: &str = "TRACKSIDE_ACCEPT_GOLDEN";

pub(crate) const HELP: &str = "\
Usage: cargo xtask golden [--accept [NAME]]

Draws every golden picture and compares it with the one in tests/data/golden. Where one differs,
what was drawn and where it differs are in target/golden/NAME.got.png and NAME.diff.png.

  --accept [NAME]   replace the picture of that name, or all that differ, by what was drawn now
                    (the tests see TRACKSIDE_ACCEPT_GOLDEN=NAME or =all); look at it before you
                    commit it
  -h, --help        this text
";

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    let accept = parse(args)?;
    packages::install_missing(&[packages::TO_RUN]);
    let environment: Vec<(&str, &str)> =
        accept.iter().map(|name| (ACCEPT, name.as_str())).collect();
    let selection = Selection { package: Some("app"), binary: Some("golden"), filters: &[] };
    test::run_tests(&selection, &environment)?;
    if accept.is_some() {
        println!("accepted; look at what changed in tests/data/golden before you commit it");
    }
    Ok(())
}

/// Which pictures to accept: `None` for none, else a name or `all`.
fn parse(args: &[OsString]) -> anyhow::Result<Option<String>> {
    let words: Vec<Option<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    match words.as_slice() {
        [] => Ok(None),
        [Some("--accept")] => Ok(Some("all".to_owned())),
        [Some("--accept"), Some(name)] if !name.starts_with('-') => Ok(Some((*name).to_owned())),
        [Some("--accept"), _, extra @ ..] if !extra.is_empty() => {
            Err(unexpected("golden", &args[2]))
        }
        [Some("--accept"), ..] => Err(unexpected("golden", &args[1])),
        [..] => Err(unexpected("golden", &args[0])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &[&str], expected: Result<Option<&str>, &str>) {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let parsed = parse(&args).map_err(|err| err.to_string());
        let expected = expected.map(|name| name.map(str::to_owned)).map_err(str::to_owned);
        assert_eq!(parsed, expected, "{args:?}");
    }

    #[test]
    fn nothing_is_accepted_unasked() {
        check(&[], Ok(None));
        check(&["--accept"], Ok(Some("all")));
        check(&["--accept", "palette_dark"], Ok(Some("palette_dark")));
    }

    #[test]
    fn the_odd_argument_is_named() {
        check(&["palette"], Err("unexpected `palette`; see `cargo xtask golden --help`"));
        check(&["--accept", "-x"], Err("unexpected `-x`; see `cargo xtask golden --help`"));
        check(&["--accept", "a", "b"], Err("unexpected `b`; see `cargo xtask golden --help`"));
    }
}
