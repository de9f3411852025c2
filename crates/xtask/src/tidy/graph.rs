//! The edges between our crates, and who names which external crate.

use anyhow::Context;
use serde_json::Value;

use super::Problem;

/// One of our crates and what its manifest names, for building, testing or its build script.
#[derive(Debug)]
pub(super) struct Member {
    name: String,
    ours: Vec<String>,
    /// Those of ours that only tests and examples name.
    for_tests: Vec<String>,
    external: Vec<String>,
}

/// Our crates, from cargo's metadata.
pub(super) fn members(metadata: &Value) -> anyhow::Result<Vec<Member>> {
    let packages = metadata["packages"].as_array().context("metadata has no packages")?;
    let ids = metadata["workspace_members"].as_array().context("metadata has no members")?;
    let ours = packages.iter().filter(|package| ids.contains(&package["id"]));
    ours.map(member).collect()
}

fn member(package: &Value) -> anyhow::Result<Member> {
    let name = package["name"].as_str().context("a package has no name")?.to_owned();
    let mut member = Member { name, ours: Vec::new(), for_tests: Vec::new(), external: Vec::new() };
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        let name = dependency["name"].as_str().context("a dependency has no name")?.to_owned();
        // Ours, and only ours, are named by a path.
        let list = match (dependency["path"].is_string(), dependency["kind"] == "dev") {
            (true, true) => &mut member.for_tests,
            (true, false) => &mut member.ours,
            (false, _) => &mut member.external,
        };
        list.push(name);
    }
    Ok(member)
}

/// Compares what is with what may be.
pub(super) fn check(
    members: &[Member],
    edges: &[(&str, &[&str])],
    for_tests: &[(&str, &[&str])],
    only_in: &[(&str, &[&str])],
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for member in members {
        let place = format!("crate {}", member.name);
        match lookup(edges, &member.name) {
            None => problems.push(Problem::error(&place, "has no line in edges.rs")),
            Some(allowed) => {
                let besides = lookup(for_tests, &member.name).unwrap_or_default();
                let is_allowed = |used: &str| allowed.contains(&used);
                let of_tests =
                    member.for_tests.iter().filter(|used| !besides.contains(&used.as_str()));
                for used in member.ours.iter().chain(of_tests).filter(|used| !is_allowed(used)) {
                    problems.push(Problem::error(&place, format!("may not use {used}")));
                }
            }
        }
        for used in &member.external {
            if let Some(homes) = lookup(only_in, used)
                && !homes.contains(&member.name.as_str())
            {
                let homes = homes.join(", ");
                problems.push(Problem::error(&place, format!("may not use {used} (only {homes})")));
            }
        }
    }
    for (name, _) in edges {
        if !members.iter().any(|member| member.name == *name) {
            problems.push(Problem::error("edges.rs", format!("{name} is not a crate of ours")));
        }
    }
    problems
}

fn lookup<'a>(table: &[(&str, &'a [&'a str])], name: &str) -> Option<&'a [&'a str]> {
    table.iter().find(|line| line.0 == name).map(|line| line.1)
}
