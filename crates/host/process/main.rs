//! A host and nothing else, for tests: `host-process --state-dir DIR --socket PATH [--limit BYTES]`.

use std::path::PathBuf;
use std::process::ExitCode;

use host::Options;

fn main() -> ExitCode {
    let mut options = Options::new("", "");
    let mut args = std::env::args_os().skip(1);
    while let (Some(name), Some(value)) = (args.next(), args.next()) {
        match name.to_str() {
            Some("--state-dir") => options.state_dir = PathBuf::from(value),
            Some("--socket") => options.socket = PathBuf::from(value),
            Some("--limit") => {
                let limit = value.to_str().and_then(|value| value.parse().ok());
                options.transcript_limit = limit.unwrap_or(options.transcript_limit);
            }
            Some(_) | None => return ExitCode::from(2),
        }
    }
    match host::run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
