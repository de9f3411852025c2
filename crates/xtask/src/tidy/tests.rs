use std::path::Path;

use serde_json::{Value, json};

use super::licences::Package;
use super::{Problem, files, graph, imports, licences, proofs, sources};

#[track_caller]
fn expect(problems: impl IntoIterator<Item = Problem>, expected: &[&str]) {
    let found: Vec<String> = problems.into_iter().map(|problem| problem.to_string()).collect();
    assert_eq!(found, expected);
}

/// `crates` is one word per dependency: `"ui: scene *wgpu, scene:"`; a star marks an external one,
/// an `@` one for tests.
fn metadata(crates: &str) -> Value {
    let packages: Vec<Value> = crates
        .split(", ")
        .map(|line| {
            let (name, used) = line.split_once(':').unwrap();
            let dependencies: Vec<Value> = used
                .split_whitespace()
                .map(|name| match (name.strip_prefix('*'), name.strip_prefix('@')) {
                    (Some(external), _) => json!({ "name": external }),
                    (None, Some(name)) => json!({ "name": name, "path": name, "kind": "dev" }),
                    (None, None) => json!({ "name": name, "path": name }),
                })
                .collect();
            json!({ "id": name, "name": name, "dependencies": dependencies })
        })
        .collect();
    let ids: Vec<Value> = packages.iter().map(|package| package["id"].clone()).collect();
    json!({ "packages": packages, "workspace_members": ids })
}

#[track_caller]
fn check_graph(crates: &str, expected: &[&str]) {
    let edges: &[(&str, &[&str])] = &[("ui", &["scene"]), ("scene", &[])];
    let for_tests: &[(&str, &[&str])] = &[("scene", &["ui"])];
    let only_in: &[(&str, &[&str])] = &[("wgpu", &["render"])];
    let members = graph::members(&metadata(crates)).unwrap();
    expect(graph::check(&members, edges, for_tests, only_in), expected);
}

#[test]
fn only_listed_edges_are_allowed() {
    check_graph("ui: scene *bitflags, scene:", &[]);
    check_graph("ui: scene, scene: ui", &["crate scene: may not use ui"]);
    check_graph("ui: @scene, scene: @ui", &[]);
    check_graph("ui: @ui, scene:", &["crate ui: may not use ui"]);
}

#[test]
fn an_external_crate_stays_at_home() {
    check_graph("ui: *wgpu, scene:", &["crate ui: may not use wgpu (only render)"]);
}

#[test]
fn the_table_and_the_crates_name_each_other() {
    check_graph("ui:, scene:, new:", &["crate new: has no line in edges.rs"]);
    check_graph("ui:", &["edges.rs: scene is not a crate of ours"]);
}

#[track_caller]
fn check_licence(licence: Option<&str>, expected: &[&str]) {
    let package = Package { name: "p 1.0.0".to_owned(), licence: licence.map(str::to_owned) };
    expect(licences::check(&[package], &["MIT", "Apache-2.0", "Unicode-3.0"]), expected);
}

#[test]
fn one_allowed_licence_of_a_choice_is_enough() {
    check_licence(Some("MIT"), &[]);
    check_licence(Some("GPL-3.0-only OR MIT"), &[]);
    check_licence(Some("Unlicense/MIT"), &[]);
    check_licence(Some("Apache-2.0 WITH LLVM-exception OR GPL-2.0"), &[]);
    check_licence(Some("GPL-3.0"), &["package p 1.0.0: `GPL-3.0` is not an allowed licence"]);
}

#[test]
fn all_licences_of_a_sum_must_be_allowed() {
    check_licence(Some("(MIT OR GPL-2.0) AND Unicode-3.0"), &[]);
    let what = "package p 1.0.0: `MIT AND (GPL-2.0 OR (ISC))` is not an allowed licence";
    check_licence(Some("MIT AND (GPL-2.0 OR (ISC))"), &[what]);
}

#[test]
fn an_unreadable_licence_is_reported_not_guessed() {
    check_licence(None, &["package p 1.0.0: names no licence"]);
    for (licence, why) in [
        ("MIT OR", "it ends too early"),
        ("(MIT", "a parenthesis is not closed"),
        ("MIT MIT", "`MIT` is not expected"),
        ("AND MIT", "`AND` is not expected"),
        ("MIT WITH", "`WITH` names no exception"),
    ] {
        let what = format!("package p 1.0.0: cannot read licence `{licence}`: {why}");
        check_licence(Some(licence), &[&what]);
    }
}

#[test]
fn both_lists_of_licences_are_the_same() {
    let text = "[bans]\n[licenses]\nallow = [\n    \"MIT\",\n    \"ISC\",\n]\n[sources]\n";
    let expected =
        ["deny.toml: does not list Zlib, edges.rs does", "deny.toml: lists ISC, edges.rs does not"];
    expect(licences::check_deny_file(text, &["MIT", "Zlib"]), &expected);
    expect(licences::check_deny_file(text, &["MIT", "ISC"]), &[]);
}

#[track_caller]
fn check_source(path: &str, text: &str, expected: &[&str]) {
    expect(sources::check(path, text), expected);
}

#[test]
fn every_file_but_tests_says_what_it_is_for() {
    let what = "a.rs:1: starts without a `//!` header that says what it is for";
    check_source("a.rs", "//! Counts.\n", &[]);
    check_source("a.rs", "use std::fmt;\n", &[what]);
    check_source("a.rs", "//!\n//! Counts.\n", &[what]);
    check_source("a.rs", "", &[what]);
    check_source("crates/ui/src/rail/tests.rs", "use super::*;\n", &[]);
    check_source("crates/ui/src/tests/rail.rs", "use super::*;\n", &[]);
    let what = "tests/src/lib.rs:1: starts without a `//!` header that says what it is for";
    check_source("tests/src/lib.rs", "use super::*;\n", &[what]);
}

#[test]
fn a_long_file_is_warned_of_and_a_too_long_one_refused() {
    let file = |n_lines: usize| format!("//! Long.\n{}", "fn f() {}\n".repeat(n_lines - 1));
    check_source("a.rs", &file(500), &[]);
    let warning = "a.rs: warning: has 501 lines; split it before it has 800";
    check_source("a.rs", &file(501), &[warning]);
    check_source("a.rs", &file(801), &["a.rs: has 801 lines; the limit is 800"]);
    check_source("src/tests.rs", &file(801), &[]);
    let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", file(700));
    check_source("a.rs", &(file(500) + &tests), &[]);
}

#[test]
fn a_note_of_unfinished_work_names_its_issue() {
    let note = |text: &str| format!("//! Counts.\nfn f() {{}} // {}{text}\n", concat!("TO", "DO"));
    let word = concat!("TO", "DO");
    let what = format!("a.rs:2: {word} without an issue; write `{word}(#12)`");
    check_source("a.rs", &note("(#7): faster"), &[]);
    check_source("a.rs", &note("S of a person"), &[]);
    for text in [": faster", "(#x): faster", "(me): faster", ""] {
        check_source("a.rs", &note(text), &[&what]);
    }
}

#[test]
fn tests_are_neither_ignored_nor_expected_to_panic() {
    let ignored = "a.rs:3: `#[ignore]` is not used here";
    check_source("a.rs", "//! Counts.\n#[test]\n    #[ignore = \"slow\"]\n", &[ignored]);
    check_source("a.rs", "//! Counts.\n#[test]\n#[ignore]\n", &[ignored]);
    let panics = "a.rs:3: `#[should_panic]` is not used here";
    check_source("a.rs", "//! Counts.\n#[test]\n#[should_panic(expected = \"x\")]\n", &[panics]);
    check_source("a.rs", "//! Counts.\n#[ignored_by_others]\n", &[]);
}

/// `text` is one import per word, `/` for a blank line.
#[track_caller]
fn check_imports(text: &str, bad_line: Option<usize>) {
    let line = |word: &str| if word == "/" { "\n".to_owned() } else { format!("use {word};\n") };
    let source: String = text.split(' ').map(line).collect();
    let source = format!("//! Header.\n\nmod own;\n\n{source}\nfn f() {{}}\nuse std::late;\n");
    let problem = imports::check("a.rs", &source);
    assert_eq!(problem.and_then(|problem| problem.line), bad_line, "{text}");
}

#[test]
fn imports_come_in_three_groups() {
    check_imports("std::fmt / anyhow::bail scene::Scene / crate::a own::b State::*", None);
    check_imports("core::fmt std::fmt / anyhow::bail / scene::Scene / super::a", None);
    check_imports("std::fmt anyhow::bail", Some(6));
    check_imports("crate::a / std::fmt", Some(7));
    check_imports("std::fmt / std::io", Some(7));
    check_imports("crate::a / own::b", Some(7));
    check_imports("crate::a own::b anyhow::d", Some(7));
}

#[test]
fn an_import_of_many_lines_is_one_import() {
    let text = "use std::{\n    fmt,\n\n    io,\n};\nuse std::fs;\n\nuse crate::a;\n";
    expect(imports::check("a.rs", text), &[]);
}

#[test]
fn large_files_are_fonts_or_the_lock_file() {
    expect(files::check_size("a.png", 200 * 1024), &[]);
    let what = "a.png: has 201 KiB; the limit is 200 KiB";
    expect(files::check_size("a.png", 200 * 1024 + 1), &[what]);
    expect(files::check_size("assets/fonts/a.ttf", 1 << 20), &[]);
    expect(files::check_size("Cargo.lock", 1 << 20), &[]);
}

#[test]
fn the_path_of_the_checkout_is_nowhere() {
    let root = Path::new("/home/someone/trackside");
    let text = b"see\n/home/someone/trackside/docs\n";
    expect(files::check_paths("a.md", text, root), &["a.md:2: holds the path of this checkout"]);
    expect(files::check_paths("a.md", b"see /home/someone/else\n", root), &[]);
    expect(files::check_paths("a.md", b"see /src/api\n", Path::new("/src")), &[]);
}

#[test]
fn the_architecture_stays_short() {
    let what = "docs/ARCHITECTURE.md: has 300 lines and must have fewer than 300";
    expect(files::check_architecture("docs/ARCHITECTURE.md", &b"\n".repeat(300)), &[what]);
    expect(files::check_architecture("docs/ARCHITECTURE.md", &b"\n".repeat(299)), &[]);
    expect(files::check_architecture("docs/STYLE.md", &b"\n".repeat(300)), &[]);
}

#[test]
fn every_crate_takes_over_the_lints() {
    let what = "a/Cargo.toml: does not take over the workspace's lints \
                (`[lints] workspace = true`)";
    expect(files::check_manifest("a/Cargo.toml", b"[package]\n"), &[what]);
    let text = b"[package]\n\n[lints]\nworkspace = true\n";
    expect(files::check_manifest("a/Cargo.toml", text), &[]);
    expect(files::check_manifest("Cargo.toml", b"[workspace]\n"), &[]);
    expect(files::check_manifest("a/Cargo.toml", b"[package]\n\n[workspace]\n"), &[]);
}

#[track_caller]
fn check_proofs(text: &str, expected: &[&str]) {
    let source = |module: &str| (module == "window").then(|| "fn it_closes() {}".to_owned());
    expect(proofs::check("ending.md", text, source), expected);
}

#[test]
fn tests_that_a_document_names_are_there() {
    check_proofs("| what ends | shown by |\n|---|---|\n| it | `window::it_closes` |\n", &[]);
    check_proofs(
        "As `window::it_opens` shows.\n| it | by eye |\n| it | `doors::it_closes` |\n",
        &[
            "ending.md:1: names the test window::it_opens, which is not there",
            "ending.md:2: names no test for this row",
            "ending.md:3: names the test doors::it_closes, which is not there",
        ],
    );
}
