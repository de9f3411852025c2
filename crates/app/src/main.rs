//! The `trackside` program: a thin door to the `app` library.

use std::process::ExitCode;

fn main() -> ExitCode {
    app::run()
}
