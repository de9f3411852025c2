//! What agents have printed, as bytes for a terminal.
//!
//! Written as text with `<1;34>` for the escape sequence that sets those attributes, so that it can
//! be read here as it looks there.

/// A coding agent at work: a diff, a test run with a progress bar, a spinner, its input box.
pub(crate) fn working() -> String {
    let input = boxed(100, &["<2>❯<0> <2>Try \"explain how buckets refill\"<0>"]);
    ansi(&format!(
        "\
<2>❯ make the limiter configurable per route<0>

<94>●<0> I'll look at how routes are declared, then give each its own bucket.

<32>●<0> <1>Read<0>(src/routes.rs)
  <2>⎿<0>  Read <1>118<0> lines

<32>●<0> <1>Update<0>(src/limit.rs)
  <2>⎿<0>  Updated with <1>2<0> additions and <1>1<0> removal
     <2>31<0>    impl Limiter {{
     <31>32 -      pub fn new(rate: f64) -> Self {{<0>
     <32>32 +      pub fn new(rate: f64, burst: u32) -> Self {{<0>
     <32>33 +          let buckets = DashMap::with_capacity(64);<0>

<33>●<0> <1>Bash<0>(cargo test --all)
  <2>⎿<0>  <1;32>   Compiling<0> api v0.4.0
     <1;32>    Finished<0> `test` profile in 6.31s
     test bucket::refills_over_time ... <32>ok<0>
     test bucket::never_exceeds_its_burst ... <32>ok<0>
     test routes::each_has_its_own ... <31>FAILED<0>
     <36>⠹<0> 14/32  <34>████████████▌<90>░░░░░░░░░░░░░░░<0>  44%

<38;5;173>✻ Simmering…<0> <2>(42s · ↓ 2.1k tokens · esc to interrupt)<0>

{input}
  <2>? for shortcuts<0>"
    )) + "\x1b[2A\x1b[5G"
}

/// A permission prompt as coding agents show it; the cursor is hidden meanwhile.
pub(crate) fn permission() -> String {
    let question = boxed(
        70,
        &[
            "<1>Bash command<0>",
            "",
            "  cargo test --all",
            "  <2>Run all tests of the workspace<0>",
            "",
            "Do you want to proceed?",
            "<94>❯ 1. Yes<0>",
            "  2. Yes, and don't ask again for <1>cargo test<0>",
            "  3. No, and tell it what to do differently <2>(esc)<0>",
        ],
    );
    ansi(&format!(
        "\
<94>●<0> I'll add a token bucket per API key and check it in the middleware.

<32>●<0> <1>Update<0>(src/limit.rs)
  <2>⎿<0>  Updated with <1>4<0> additions and <1>1<0> removal
     <2>31<0>    impl Limiter {{
     <31>32 -      pub fn check(&self) -> bool {{ true }}<0>
     <32>32 +      pub fn check(&self, key: &str, now: Instant) -> bool {{<0>
     <32>33 +          let mut bucket = self.buckets.entry(key.into()).or_default();<0>
     <32>34 +          bucket.refill(now, self.rate);<0>
     <32>35 +          bucket.take(1)<0>
     <2>36<0>        }}

<32>●<0> <1>Read<0>(tests/limits.rs)
  <2>⎿<0>  Read <1>64<0> lines

<94>●<0> Now I want to see that the tests still pass.

{question}"
    )) + "\x1b[?25l"
}

/// A program that ended on an error.
pub(crate) fn failed() -> String {
    ansi(
        "\
<1>$<0> terraform plan -out plan.bin
<36>module.network.aws_vpc.main:<0> Refreshing state... [id=vpc-0a1b2c]
<36>module.network.aws_subnet.a:<0> Refreshing state... [id=subnet-11]
<36>module.database.aws_db_instance.main:<0> Refreshing state... [id=db-main]

<31>╷<0>
<31>│<0> <1;31>Error: <0><1>Unsupported attribute<0>
<31>│<0>
<31>│<0>   on network.tf line 41, in resource \"aws_route\" \"default\":
<31>│<0>   <2>41:<0>   gateway_id = aws_internet_gateway.main.<4>gateway_id<0>
<31>│<0>
<31>│<0> This object has no argument, nested block, or exported attribute
<31>│<0> named \"gateway_id\".
<31>╵<0>

<7> infra <0> <33>±main<0> giving up after <1>3<0> attempts
",
    )
}

/// A file to edit.
/// A folder's own settings.
pub(crate) const PROJECT: &str = r#"
[agents.claude]
start = ["claude", "--model", "opus", "--append-system-prompt", "Answer in French", "--add-dir", "/srv/shared/notes"]
env = { ANTHROPIC_BASE_URL = "http://localhost:8080", NODE_OPTIONS = "--require ./trace.js" }

[agents.notes]
display_name = "Notes"
start = ["$TRACKSIDE_WORKTREE/bin/notes", "--watch"]
"#;

pub(crate) const SOURCE: &str = "\
//! Limits requests per key with a token bucket.

use std::time::Instant;

use dashmap::DashMap;

pub struct Limiter {
    /// Tokens a second.
    rate: f64,
    buckets: DashMap<String, Bucket>,
}

struct Bucket { tokens: f64, at: Instant }

impl Limiter {
    pub fn check(&self, key: &str, now: Instant) -> bool {
        let mut bucket = self.buckets.entry(key.into()).or_default();
        bucket.refill(now, self.rate);
        bucket.take(1.0)
    }
}

impl Bucket {
    fn refill(&mut self, now: Instant, rate: f64) {
        let passed = now.duration_since(self.at).as_secs_f64();
        self.tokens = (self.tokens + passed * rate).min(rate);
        self.at = now;
    }

    fn take(&mut self, n: f64) -> bool {
        let enough = self.tokens >= n;
        if enough {
            self.tokens -= n;
        }
        enough
    }
}
";

/// Lines in a box of that many columns.
fn boxed(columns: usize, lines: &[&str]) -> String {
    let edge = "─".repeat(columns - 2);
    let row = |line: &&str| {
        let shown = parts(line).filter_map(Result::ok).map(|text| text.chars().count());
        let space = " ".repeat(columns - 4 - shown.sum::<usize>());
        format!("<2>│<0> {line}{space} <2>│<0>\n")
    };
    let rows: String = lines.iter().map(row).collect();
    format!("<2>╭{edge}╮<0>\n{rows}<2>╰{edge}╯<0>")
}

fn ansi(markup: &str) -> String {
    let bytes = |part| match part {
        Ok(text) => str::replace(text, "\n", "\r\n"),
        Err(attributes) => format!("\x1b[{attributes}m"),
    };
    parts(markup).map(bytes).collect()
}

/// The text between attributes as `Ok`, the attributes as `Err`.
fn parts(markup: &str) -> impl Iterator<Item = Result<&str, &str>> {
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ';');
    let mut rest = markup;
    std::iter::from_fn(move || {
        if let Some((attributes, behind)) = rest.strip_prefix('<').and_then(|it| it.split_once('>'))
            && is_number(attributes)
        {
            rest = behind;
            return Some(Err(attributes));
        }
        let first = rest.chars().next()?.len_utf8();
        let end = rest[first..].find('<').map_or(rest.len(), |at| first + at);
        let (text, behind) = rest.split_at(end);
        rest = behind;
        Some(Ok(text))
    })
}
