//! A soft assertion: loud where we can fix it, survivable where the user would lose work.

/// Evaluates a condition that must never hold, and returns it.
///
/// When it holds, debug builds panic and release builds log an error and go on, so the caller
/// handles the impossible case instead of crashing over it: `if never!(i > len) { return; }`.
#[macro_export]
macro_rules! never {
    ($condition:expr $(, $($why:tt)+)?) => {{
        let condition = $condition;
        if condition {
            $crate::report(concat!("never: ", stringify!($condition)), file!(), line!());
        }
        condition
    }};
}

#[doc(hidden)]
#[expect(clippy::panic, reason = "a broken invariant must not go unseen while developing")]
pub fn report(what: &str, file: &str, line: u32) {
    if cfg!(debug_assertions) {
        panic!("{what} at {file}:{line}");
    }
    tracing::error!("{what} at {file}:{line}");
}
