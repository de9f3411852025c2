//! Real programs, recorded, played back and compared cell by cell with what they should show.
//!
//! `tests/data/reference/README.md` says how recordings and expected screens were made and judged.

mod describe;

use std::fs;
use std::path::{Path, PathBuf};

use terminal::{GridSize, Snapshot, TerminalBuffer, TerminalOptions};

#[test]
fn recorded_programs_look_as_they_should() {
    let folders = folders();
    assert!(folders.len() > 40, "only {} recordings were found", folders.len());
    let wrong: Vec<String> = folders.iter().filter_map(|folder| difference(folder)).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), folders.len(), wrong.join("\n"));
}

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/reference");
    let entries = fs::read_dir(root).expect("the recordings");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

/// The first line that is not as expected, however the bytes are cut.
fn difference(folder: &Path) -> Option<String> {
    let read = |name: &str| fs::read(folder.join(name)).expect("a file of the recording");
    let size = String::from_utf8(read("size")).expect("a size");
    let (columns, rows) = size.trim_end().split_once('x').expect("COLUMNSxROWS");
    let size =
        GridSize { columns: columns.parse().expect("columns"), rows: rows.parse().expect("rows") };
    let expected = String::from_utf8(read("expected.txt")).expect("text");
    let recording = read("recording");
    [usize::MAX, 1, 13, 4096].into_iter().find_map(|chunk| {
        let shown = play(size, &recording, chunk.min(recording.len()));
        let lines = shown.lines().zip(expected.lines());
        let (index, (is, should)) = lines.enumerate().find(|(_, (is, should))| is != should)?;
        let name = folder.file_name()?.display();
        let line = index + 1;
        Some(format!("{name} in pieces of {chunk}, line {line}:\n  is     {is}\n  should {should}"))
    })
}

fn play(size: GridSize, recording: &[u8], chunk: usize) -> String {
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    for piece in recording.chunks(chunk) {
        terminal.feed(piece);
    }
    terminal.end_sync();
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot always differs");
    describe::describe(&snapshot)
}
