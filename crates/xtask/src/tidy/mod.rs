//! `cargo xtask tidy`: the rules of the house that no compiler knows.
//!
//! Each check is a function from text or from cargo's metadata to problems; only this file and
//! [`files`] look at the disk.

mod edges;
mod files;
mod graph;
mod imports;
mod licences;
mod proofs;
mod sources;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fmt;
use std::fs;

use anyhow::{Context, bail};

use crate::{cargo, unexpected};

pub(crate) const HELP: &str = "\
Usage: cargo xtask tidy

Checks the rules of the house: which crate may use which, external crates only where they belong,
licences, file sizes and headers, import groups, unnumbered work notes, ignored tests, large files,
paths of one machine, tests that documents name. docs/STYLE.md gives the reasons.

  -h, --help   this text
";

/// One broken rule, or one that is about to break.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    /// A file or a crate, and the line if there is one.
    place: String,
    line: Option<usize>,
    what: String,
    severity: Severity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Error,
    Warning,
}

impl Problem {
    fn error(place: impl Into<String>, what: impl Into<String>) -> Self {
        let (place, what) = (place.into(), what.into());
        Self { place, line: None, what, severity: Severity::Error }
    }

    fn warning(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(place, what) }
    }

    /// Lines count from 1.
    fn at_line(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, line, what, severity } = self;
        f.write_str(place)?;
        if let Some(line) = line {
            write!(f, ":{line}")?;
        }
        match severity {
            Severity::Error => write!(f, ": {what}"),
            Severity::Warning => write!(f, ": warning: {what}"),
        }
    }
}

pub(crate) fn run(args: &[OsString]) -> anyhow::Result<()> {
    match args {
        [] => check(),
        [arg, ..] => Err(unexpected("tidy", arg)),
    }
}

/// Prints every problem, and fails if one is more than a warning.
pub(crate) fn check() -> anyhow::Result<()> {
    let root = cargo::root();
    let metadata = cargo::metadata()?;
    let members = graph::members(&metadata)?;
    let packages = licences::packages(&metadata)?;

    let mut problems = graph::check(&members, edges::OURS, edges::FOR_TESTS, edges::ONLY_IN);
    problems.extend(licences::check(&packages, edges::LICENCES));
    let deny = fs::read_to_string(root.join("deny.toml")).context("cannot read deny.toml")?;
    problems.extend(licences::check_deny_file(&deny, edges::LICENCES));

    let files = files::list(&root)?;
    for file in &files {
        problems.extend(file.check(&root)?);
        if let Some(text) = file.source(&root)? {
            problems.extend(sources::check(&file.path, &text));
            problems.extend(imports::check(&file.path, &text));
        }
    }

    let ending = fs::read_to_string(root.join(proofs::ENDING))
        .with_context(|| format!("cannot read {}", proofs::ENDING))?;
    let module = |name: &str| fs::read_to_string(root.join(format!("tests/src/{name}.rs"))).ok();
    problems.extend(proofs::check(proofs::ENDING, &ending, module));

    problems.sort();
    for problem in &problems {
        println!("{problem}");
    }
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    match problems.iter().filter(is_error).count() {
        0 => println!("{} files and {} packages are tidy", files.len(), packages.len()),
        n_errors => bail!("{n_errors} problem(s)"),
    }
    Ok(())
}
