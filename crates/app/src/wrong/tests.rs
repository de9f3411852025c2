//! Names of files, and files that are there already.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use super::*;

#[track_caller]
fn check_name(agent: &str, ms: u64, expected: &str) {
    assert_eq!(file_name(agent, UNIX_EPOCH + Duration::from_millis(ms)), expected, "of {agent}");
}

#[test]
fn a_file_is_named_after_its_agent_and_the_time() {
    check_name("claude", 0, "claude-19700101-000000-000.jsonl");
    check_name("claude", 951_782_400_123, "claude-20000229-000000-123.jsonl");
    check_name("my/agent: x", 1_798_761_599_999, "my-agent--x-20261231-235959-999.jsonl");
    check_name("../..", 951_868_800_000, "agent-20000301-000000-000.jsonl");
}

#[test]
fn a_file_is_private_and_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    write(&path, b"one").unwrap();
    let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600, "its owner's alone");
    let refusal = write(&path, b"two").unwrap_err().to_string();
    assert!(refusal.ends_with("is there already; choose another path"), "{refusal}");
    assert_eq!(fs::read(&path).unwrap(), b"one", "it is what it was");
    let nowhere = folder.path().join("none/r.jsonl");
    let refusal = format!("{:#}", write(&nowhere, b"two").unwrap_err());
    assert!(refusal.contains("No such file or directory"), "{refusal}");
}
