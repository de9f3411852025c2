//! A recording as the lines of a file, and as text for a person to read.

use std::fmt::Write as _;

use agent::{Process, ProcessSample, ReportedBy};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde_json::{Value, json};

use crate::recording::report_words;
use crate::scrub::{Piece, Tokens};
use crate::{Event, Happening, Recording, seconds};

/// Shorter output is not worth packing.
const PACKED_FROM: usize = 256;
const EFFORT: u8 = 6;

impl Recording {
    /// The file, whole.
    pub fn to_lines(&self) -> String {
        let first = self.about.first_line();
        let events = self.events.iter().map(line);
        let lines = std::iter::once(first).chain(events).chain(self.about.last_line());
        let mut file = String::new();
        for line in lines {
            // Writing to a string cannot fail.
            let _written = writeln!(file, "{line}").is_ok();
        }
        file
    }

    /// All that can be read in it: what was printed without its looks, and what was typed.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for event in &self.events {
            match &event.what {
                Happening::Output(bytes) => push_text(&mut text, bytes),
                Happening::Input(bytes) => {
                    text.push_str("\n[typed ");
                    push_text(&mut text, bytes);
                    text.push_str("]\n");
                }
                Happening::Report { text: Some(said), .. } => {
                    text.push_str("\n[reported ");
                    text.extend(said.chars().filter(|c| !c.is_control()));
                    text.push_str("]\n");
                }
                Happening::Report { .. }
                | Happening::Focus
                | Happening::Watched(_)
                | Happening::Sample(_)
                | Happening::Told(_)
                | Happening::Resize(_)
                | Happening::Exit(_) => {}
            }
        }
        text
    }
}

fn push_text(text: &mut String, bytes: &[u8]) {
    for token in Tokens::new(bytes) {
        match token.piece {
            Piece::Char(c) => text.push(c),
            Piece::String { body, .. } => {
                let body = String::from_utf8_lossy(bytes.get(body).unwrap_or_default());
                text.push_str("\n[");
                text.extend(body.chars().filter(|c| !c.is_control()));
                text.push_str("]\n");
            }
            Piece::Look => {}
            // Wherever the cursor goes, what comes then is not the same word.
            Piece::Other if !text.ends_with('\n') => text.push('\n'),
            Piece::Other => {}
        }
    }
}

fn line(event: &Event) -> Value {
    let mut line = json!({ "t": seconds(event.at) });
    let mut set = |name: &str, value: Value| line[name] = value;
    match &event.what {
        Happening::Output(bytes) => {
            set("dir", "out".into());
            let packed = (bytes.len() >= PACKED_FROM).then(|| compress_to_vec_zlib(bytes, EFFORT));
            match packed.filter(|packed| packed.len() < bytes.len()) {
                Some(packed) => set("z64", BASE64_STANDARD.encode(packed).into()),
                None => set("b64", BASE64_STANDARD.encode(bytes).into()),
            }
        }
        Happening::Input(bytes) => {
            set("dir", "in".into());
            set("k", "key".into());
            set("b64", BASE64_STANDARD.encode(bytes).into());
        }
        Happening::Focus => {
            set("dir", "in".into());
            set("k", "focus".into());
            set("b64", "".into());
        }
        Happening::Sample(sample) => sample_line(&mut line, sample),
        Happening::Told(sample) => {
            set("k", "told".into());
            sample_line(&mut line, sample);
        }
        Happening::Report { says, by, text } => {
            let (says, reason) = report_words(*says);
            set("dir", "ev".into());
            set("ev", "report".into());
            set("says", says.into());
            set("by", if *by == ReportedBy::Hook { "hook" } else { "script" }.into());
            set("reason", reason.into());
            set("text", text.as_deref().into());
        }
        Happening::Watched(is_watched) => {
            set("dir", "ev".into());
            set("ev", "watched".into());
            set("is", (*is_watched).into());
        }
        Happening::Resize(size) => {
            set("dir", "ev".into());
            set("ev", "resize".into());
            set("size", json!([size.columns, size.rows]));
        }
        Happening::Exit(exit) => {
            set("dir", "ev".into());
            set("ev", "exit".into());
            set("code", exit.code().into());
        }
    }
    line
}

fn sample_line(line: &mut Value, sample: &ProcessSample) {
    let process = |it: &Process| {
        json!([it.pid, 0, "", "", 0, 0, it.cpu_ticks, 0, u8::from(it.reads_terminal)])
    };
    line["dir"] = "proc".into();
    line["fg"] = sample.foreground.into();
    line["lf"] = json!([u8::from(sample.is_canonical), u8::from(sample.echoes), 1]);
    line["ps"] = sample.processes.iter().map(process).collect();
}

#[cfg(test)]
mod tests;
