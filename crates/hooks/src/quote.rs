//! Text as a word of a shell, and as a string in TOML.

/// One word, whatever it holds, for any shell of the Bourne family.
pub(crate) fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A basic string.
pub(crate) fn toml(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, in_shell: &str, in_toml: &str) {
        assert_eq!(shell(text), in_shell, "{text:?} for a shell");
        assert_eq!(toml(text), in_toml, "{text:?} in TOML");
    }

    #[test]
    fn whatever_a_path_holds_stays_one_word() {
        check("/usr/bin/trackside", "'/usr/bin/trackside'", r#""/usr/bin/trackside""#);
        check("/my apps/$HOME `x`", "'/my apps/$HOME `x`'", r#""/my apps/$HOME `x`""#);
        check("/it's", r"'/it'\''s'", r#""/it's""#);
        check(r#"/a"b\c"#, r#"'/a"b\c'"#, r#""/a\"b\\c""#);
        check("/a\nb\u{7f}", "'/a\nb\u{7f}'", r#""/a\u000Ab\u007F""#);
        check("/ä€", "'/ä€'", r#""/ä€""#);
    }

    #[test]
    fn a_shell_reads_the_word_that_was_quoted() {
        for text in ["a b", "it's", "$(echo x)`y`\\", "\"\n\t'\u{1f642}"] {
            let script = format!("printf %s {}", shell(text));
            let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text, "{script}");
        }
    }
}
