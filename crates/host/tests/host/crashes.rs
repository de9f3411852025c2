//! Apps that are killed while programs print (F14).

use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use super::*;

const PROGRAMS: usize = 10;
const ROUNDS: usize = 10;
const LINES: u64 = 600_000;

/// An app that only takes down what one program prints.
fn app(fixture: &Fixture, program: u64, path: &Path) -> Child {
    let offset = fs::metadata(path).map_or(0, |metadata| metadata.len());
    let source = fixture.client().open(program, offset).unwrap();
    assert_eq!(source.start(), offset, "it goes on where the last one stopped");
    let stream = source.into_stream();
    stream.set_nonblocking(false).unwrap();
    let out = fs::File::options().append(true).create(true).open(path).unwrap();
    Command::new("cat").stdin(Stdio::from(OwnedFd::from(stream))).stdout(out).spawn().unwrap()
}

#[test]
fn killed_apps_lose_no_line_and_get_none_twice() {
    let mut fixture = Fixture::new();
    let programs: Vec<u64> = (0..PROGRAMS)
        .map(|_| fixture.sh(&format!("seq 1 {LINES}; echo done; sleep 100")).0.program)
        .collect();
    let path = |program: u64| fixture.folder.path().join(format!("out-{program}"));
    let paths: Vec<PathBuf> = programs.iter().map(|program| path(*program)).collect();
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let expected: String = (1..=LINES).map(|n| format!("{n}\r\n")).collect();
    let expected = expected + "done\r\n";
    let n_bytes = expected.len() as u64;
    let mut n_early = 0;
    for round in 0..ROUNDS {
        let apps: Vec<Child> = programs
            .iter()
            .zip(&paths)
            .map(|(program, path)| app(&fixture, *program, path))
            .collect();
        // Somewhere in the middle of what is left.
        let before: u64 = paths.iter().map(|path| size(path)).sum();
        let more = 100_000 + 37_123 * u64::try_from(round).unwrap();
        let total = || paths.iter().map(|path| size(path)).sum::<u64>();
        let all = || PROGRAMS as u64 * n_bytes;
        eventually("some output", || total() >= (before + more).min(all()));
        n_early += u64::from(total() < all());
        for mut app in apps {
            app.kill().unwrap();
            app.wait().unwrap();
        }
        fixture.leave();
        fixture.come();
    }
    println!("{n_early} of {ROUNDS} rounds ended in the middle");
    assert!(n_early > 2, "{n_early} of {ROUNDS} rounds ended in the middle");
    for (program, path) in programs.iter().zip(&paths) {
        let mut last = app(&fixture, *program, path);
        eventually("the rest", || size(path) >= expected.len() as u64);
        last.kill().unwrap();
        last.wait().unwrap();
        assert!(
            fs::read(path).unwrap() == expected.as_bytes(),
            "program {program}: every line once"
        );
    }
}
