//! Strings that a program sends beside what it prints: titles, links, messages, the clipboard.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::Scrubber;
use super::tokens::StringKind;

/// The body of a string without names and secrets.
pub(super) fn scrubbed(kind: StringKind, body: &[u8], scrubber: &Scrubber) -> Vec<u8> {
    // Pictures and the like: nothing in them says what an agent does.
    if kind == StringKind::Opaque {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(body);
    let (number, rest) = text.split_once(';').unwrap_or((&text, ""));
    let scrubbed = match number {
        // The clipboard, where a program is, files: of no use to others.
        "7" | "52" | "1337" => number.to_owned() + ";",
        "8" => format!("8;{}", link(rest, scrubber)),
        "7501" => format!("7501;{}", fields(rest, scrubber)),
        "99" => match rest.split_once(';') {
            Some((about, words)) if about.split(':').any(|field| field == "e=1") => {
                format!("99;{about};{}", packed(words, scrubber))
            }
            _ => scrubber.scrub_text(&text),
        },
        _ => scrubber.scrub_text(&text),
    };
    if scrubbed == text { body.to_vec() } else { scrubbed.into_bytes() }
}

/// A link that names someone leads nowhere.
fn link(rest: &str, scrubber: &Scrubber) -> String {
    let (parameters, address) = rest.split_once(';').unwrap_or(("", rest));
    let plain = terminal::percent_decoded(address.as_bytes());
    let plain = plain.as_deref().map_or_else(|| address.to_owned(), lossy);
    let names_someone = scrubber.scrub_text(&plain) != plain;
    let address = if names_someone { "https://example.invalid/" } else { address };
    format!("{parameters};{address}")
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `key=value` between colons; titles and messages are packed.
fn fields(rest: &str, scrubber: &Scrubber) -> String {
    let field = |field: &str| match field.split_once('=') {
        Some((key @ ("msg" | "title"), value)) => format!("{key}={}", packed(value, scrubber)),
        Some((key, value)) => format!("{key}={}", scrubber.scrub_text(value)),
        None => scrubber.scrub_text(field),
    };
    rest.split(':').map(field).collect::<Vec<_>>().join(":")
}

/// Base64 of a text; nothing where it is none.
fn packed(value: &str, scrubber: &Scrubber) -> String {
    let text = BASE64_STANDARD.decode(value.trim()).ok();
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let scrubbed = scrubber.scrub_text(&text);
    if scrubbed == text { value.to_owned() } else { BASE64_STANDARD.encode(scrubbed) }
}
