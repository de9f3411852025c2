//! What holds for any bytes whatever.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// Output with more structure than noise: text, sequences with odd numbers, and some noise.
fn output() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => "[ -~\r\n\t]{0,30}".prop_map(String::into_bytes),
        2 => "[aé日€👍\u{301}\u{200d}]{0,12}".prop_map(String::into_bytes),
        4 => csi(),
        1 => "\x1b[\\]PX^_][ -~]{0,20}(\x07|\x1b\\\\)".prop_map(String::into_bytes),
        1 => "\x1b[ -/]?[0-~]".prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..12),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn csi() -> impl Strategy<Value = Vec<u8>> {
    let number = prop_oneof![Just(0u16), 1u16..30, Just(1049), Just(2026), Just(65535)];
    (prop_oneof![Just(""), Just("?"), Just(">")], vec(number, 0..3), "[@-~]").prop_map(
        |(marker, numbers, end)| {
            let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
            format!("\x1b[{marker}{}{end}", numbers.join(";")).into_bytes()
        },
    )
}

fn sizes() -> impl Strategy<Value = GridSize> {
    (2u16..40, 1u16..12).prop_map(|(columns, rows)| GridSize { columns, rows })
}

/// Everything that shows, versions aside.
fn content(snapshot: &Snapshot) -> String {
    let rows: Vec<_> = snapshot.rows.iter().map(|row| (&row.cells, &row.selected)).collect();
    let Snapshot { size, cursor, modes, display_offset, history, .. } = snapshot;
    format!("{size:?} {cursor:?} {modes:?} {display_offset} {history} {rows:?}")
}

fn fresh(terminal: &TerminalBuffer) -> Snapshot {
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot always differs");
    snapshot
}

#[derive(Debug, Clone)]
enum Step {
    Feed(Vec<u8>),
    Resize(GridSize),
    Scroll(i32),
    Select(SelectionKind, CellPoint, CellPoint),
    Restart,
    EndSync,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![
        Just(SelectionKind::Cell),
        Just(SelectionKind::Word),
        Just(SelectionKind::Line),
        Just(SelectionKind::Block)
    ];
    let point = || (0u16..14, 0u16..42).prop_map(|(row, column)| CellPoint { row, column });
    let step = prop_oneof![
        6 => output().prop_map(Step::Feed),
        1 => sizes().prop_map(Step::Resize),
        1 => (-20i32..20).prop_map(Step::Scroll),
        2 => (kind, point(), point()).prop_map(|(kind, from, to)| Step::Select(kind, from, to)),
        1 => Just(Step::Restart),
        1 => Just(Step::EndSync),
    ];
    vec(step, 1..16)
}

fn play(terminal: &TerminalBuffer, step: &Step) {
    match step {
        Step::Feed(bytes) => {
            terminal.feed(bytes);
        }
        Step::Resize(size) => terminal.resize(*size),
        Step::Scroll(lines) => terminal.scroll(Scroll::Lines(*lines)),
        Step::Select(kind, from, to) => {
            terminal.select(*kind, *from, Side::Left);
            terminal.extend_selection(*to, Side::Right);
        }
        Step::Restart => terminal.start_session("── again ──"),
        Step::EndSync => {
            terminal.end_sync();
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn it_does_not_matter_where_output_is_cut(
        bytes in output(),
        size in sizes(),
        lengths in vec(1usize..40, 1..20),
    ) {
        let [whole, pieces] = [(); 2].map(|()| TerminalBuffer::new(size, options(50)));
        whole.feed(&bytes);
        let mut rest = bytes.as_slice();
        for length in lengths.iter().cycle() {
            let (piece, after) = rest.split_at(rest.len().min(*length));
            pieces.feed(piece);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        whole.end_sync();
        pieces.end_sync();
        prop_assert_eq!(content(&fresh(&whole)), content(&fresh(&pieces)));
    }

    #[test]
    fn an_updated_snapshot_is_as_good_as_a_new_one(size in sizes(), steps in steps()) {
        let terminal = TerminalBuffer::new(size, options(50));
        let mut kept = fresh(&terminal);
        for step in &steps {
            play(&terminal, step);
            let before = content(&kept);
            let versions: Vec<u64> = kept.rows.iter().map(|row| row.version).collect();
            let rows: Vec<_> = kept.rows.iter().map(|row| (row.cells.clone(), row.selected.clone())).collect();
            let changed = terminal.snapshot_into(&mut kept);
            let after = content(&kept);
            prop_assert_eq!(changed, before != after, "it says whether anything changed");
            prop_assert_eq!(&after, &content(&fresh(&terminal)), "after {:?}", step);
            for (index, row) in kept.rows.iter().enumerate().take(rows.len()) {
                let same = rows[index] == (row.cells.clone(), row.selected.clone());
                prop_assert_eq!(same, versions[index] == row.version, "version of row {}", index);
            }
        }
    }

    #[test]
    fn nothing_makes_it_crash(size in sizes(), steps in steps()) {
        let terminal = TerminalBuffer::new(size, options(50));
        for step in &steps {
            play(&terminal, step);
            let text = terminal.selection_text();
            prop_assert!(text.is_none_or(|text| !text.is_empty()));
            prop_assert!(!terminal.crashed(), "crashed by {:?}", step);
        }
    }
}
