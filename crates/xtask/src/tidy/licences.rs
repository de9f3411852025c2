//! Licences of everything that is built in, read as SPDX expressions.

use std::iter::Peekable;
use std::str::SplitWhitespace;

use anyhow::{Context, bail};
use serde_json::Value;

use super::Problem;

/// A package that takes part in the build on some platform.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) licence: Option<String>,
}

/// All packages, ours included, from cargo's metadata.
pub(super) fn packages(metadata: &Value) -> anyhow::Result<Vec<Package>> {
    let packages = metadata["packages"].as_array().context("metadata has no packages")?;
    let package = |package: &Value| {
        let name = package["name"].as_str().context("a package has no name")?;
        let version = package["version"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().map(str::to_owned);
        Ok(Package { name: format!("{name} {version}"), licence })
    };
    packages.iter().map(package).collect()
}

pub(super) fn check(packages: &[Package], allowed: &[&str]) -> Vec<Problem> {
    let problem = |package: &Package| {
        let place = format!("package {}", package.name);
        let Some(licence) = &package.licence else {
            return Some(Problem::error(place, "names no licence"));
        };
        match is_allowed(licence, allowed) {
            Ok(true) => None,
            Ok(false) => {
                Some(Problem::error(place, format!("`{licence}` is not an allowed licence")))
            }
            Err(err) => {
                Some(Problem::error(place, format!("cannot read licence `{licence}`: {err}")))
            }
        }
    };
    packages.iter().filter_map(problem).collect()
}

/// `cargo deny` must not judge by another list than we do.
pub(super) fn check_deny_file(text: &str, allowed: &[&str]) -> Vec<Problem> {
    let list = text.split_once("[licenses]").and_then(|(_, rest)| rest.split_once(']'));
    let list = list.map_or("", |(list, _)| list);
    let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    let lacks = allowed.iter().filter(|licence| !listed.contains(licence));
    let extra = listed.iter().filter(|licence| !allowed.contains(licence));
    let lacks = lacks.map(|licence| format!("does not list {licence}, edges.rs does"));
    let extra = extra.map(|licence| format!("lists {licence}, edges.rs does not"));
    lacks.chain(extra).map(|what| Problem::error("deny.toml", what)).collect()
}

type Words<'a> = Peekable<SplitWhitespace<'a>>;

/// Whether an expression can be met by allowed licences alone: one side of every `OR` (or of the
/// old `/`), both sides of every `AND`. An exception (`WITH`) only ever adds rights.
fn is_allowed(expression: &str, allowed: &[&str]) -> anyhow::Result<bool> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let verdict = any(&mut words, allowed)?;
    match words.next() {
        None => Ok(verdict),
        Some(word) => bail!("`{word}` is not expected"),
    }
}

fn any(words: &mut Words<'_>, allowed: &[&str]) -> anyhow::Result<bool> {
    let mut verdict = all(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        verdict |= all(words, allowed)?;
    }
    Ok(verdict)
}

fn all(words: &mut Words<'_>, allowed: &[&str]) -> anyhow::Result<bool> {
    let mut verdict = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        verdict &= one(words, allowed)?;
    }
    Ok(verdict)
}

fn one(words: &mut Words<'_>, allowed: &[&str]) -> anyhow::Result<bool> {
    let licence = match words.next() {
        None => bail!("it ends too early"),
        Some("(") => {
            let verdict = any(words, allowed)?;
            words.next_if_eq(&")").context("a parenthesis is not closed")?;
            return Ok(verdict);
        }
        Some(word @ (")" | "AND" | "OR" | "WITH")) => bail!("`{word}` is not expected"),
        Some(licence) => licence,
    };
    if words.next_if_eq(&"WITH").is_some() {
        words.next().context("`WITH` names no exception")?;
    }
    Ok(allowed.contains(&licence))
}
