//! Programs that do not want to end, for whoever ends them: also used by the tests of `host`.

/// Every shape prints `pid N` for each process that must be gone, the program itself included.
pub(crate) const ZOO: &[(&str, usize, &str)] = &[
    ("heeds everything", 1, "echo pid $$; sleep 100"),
    ("ignores HUP", 1, "trap '' HUP; echo pid $$; while :; do sleep 100; done"),
    ("ignores TERM", 1, "trap '' TERM; echo pid $$; while :; do sleep 100; done"),
    ("ignores all it can", 1, "trap '' TERM HUP INT QUIT; echo pid $$; while :; do sleep 9; done"),
    ("interactive shell", 1, "echo pid $$; exec sh -i"),
    ("setsid", 2, "setsid sh -c 'echo pid $$; exec sleep 100' & echo pid $$; wait"),
    (
        "stubborn setsid",
        2,
        "trap '' TERM HUP; setsid sh -c 'echo pid $$; sleep 100; sleep 100' & echo pid $$; wait",
    ),
    (
        "double fork",
        2,
        "(setsid sh -c 'sh -c \"echo pid \\$\\$; exec sleep 100\" & exit' &); echo pid $$; sleep 100",
    ),
    (
        "daemon of a program that has ended",
        2,
        "trap '' HUP; echo pid $$; (setsid sh -c 'sh -c \"echo pid \\$\\$; exec sleep 9\" & exit' &)",
    ),
    (
        "setsid with a wiped environment",
        2,
        "env -i $(which setsid) sh -c 'echo pid $$; exec sleep 100' & echo pid $$; wait",
    ),
    ("nohup", 2, "nohup sleep 100 >/dev/null 2>&1 & echo pid $!; echo pid $$; wait"),
    ("stopped", 1, "echo pid $$; kill -STOP $$; sleep 100"),
    ("stopped child", 2, "sh -c 'echo pid $$; kill -STOP $$; sleep 9' & echo pid $$; wait"),
    ("job in a group of its own", 2, "set -m; sleep 100 & echo pid $!; echo pid $$; wait"),
    ("holds the terminal", 2, "trap '' HUP; sleep 100 & echo pid $!; echo pid $$; exit 0"),
    ("starts another when told to end", 1, "trap 'setsid sleep 100 &' TERM; echo pid $$; sleep 9"),
    ("closed its terminal", 1, "echo pid $$; exec 0<&- 1>&- 2>&-; sleep 100; sleep 100"),
    ("orphans that have ended", 2, "(setsid sh -c 'echo pid $$' &); echo pid $$; sleep 100"),
    (
        "a family",
        1,
        "for i in 1 2 3 4 5 6 7 8 9 10; do (sleep 9 & sleep 9) & done; echo pid $$; wait",
    ),
];
