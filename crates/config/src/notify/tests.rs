use std::path::Path;

use super::*;

fn read(text: &str) -> NotifyConfig {
    let text = format!("[notify]\n{text}");
    crate::parse(&text, Path::new("f")).unwrap_or_else(|err| panic!("{text:?}: {err}")).notify
}

/// The line is refused, with exactly that after the file's name and the line's number.
#[track_caller]
fn refused(line: &str, expected: &str) {
    let err = crate::parse(&format!("[notify]\n{line}"), Path::new("f")).expect_err(line);
    assert_eq!(err.to_string(), format!("f:2:{expected}"), "for {line:?}");
}

#[test]
fn without_a_word_all_but_guesses_are_told_of_on_the_desktop() {
    let usual = read("");
    assert_eq!(usual, NotifyConfig::default(), "an empty table");
    assert!(usual.desktop && !usual.dnd && !usual.headless, "on, with a window");
    let left_out: Vec<&str> =
        REASONS.into_iter().filter(|name| !usual.reasons.contains(name)).collect();
    assert_eq!(left_out, ["silence", "gave_up"], "what is not told of");
}

#[test]
fn all_of_it_can_be_set() {
    let set = read(
        "desktop = false\nsound = true\ncommand = [\"say\", \"it\"]\nreasons = [\"silence\"]\n\
         dnd = true\nheadless = true\nmin_interval = \"1m\"",
    );
    let expected = NotifyConfig {
        desktop: false,
        sound: Sound::Usual,
        command: vec!["say".to_owned(), "it".to_owned()],
        reasons: BTreeSet::from(["silence"]),
        dnd: true,
        headless: true,
        min_interval: Duration::from_secs(60),
    };
    assert_eq!(set, expected, "as written");
    assert!(read("reasons = []").reasons.is_empty(), "none at all");
    assert!(read("command = []").command.is_empty(), "no program");
}

#[test]
fn a_sound_is_a_name_or_a_file() {
    #[track_caller]
    fn check(written: &str, expected: &Sound) {
        assert_eq!(read(&format!("sound = {written}")).sound, *expected, "{written}");
    }
    check("false", &Sound::None);
    check("true", &Sound::Usual);
    check("\"bell\"", &Sound::Named("bell".to_owned()));
    check("\"/usr/share/sounds/a b.oga\"", &Sound::File("/usr/share/sounds/a b.oga".into()));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let sound = "expected true, false, the name of a sound or the absolute path of a sound file";
    refused("sound = 3", &format!("9: notify.sound: invalid type: integer `3`, {sound}"));
    for text in ["", "a/b.oga", "two words"] {
        let said = format!("9: notify.sound: invalid value: string {text:?}, {sound}");
        refused(&format!("sound = {text:?}"), &said);
    }
    refused(
        "reasons = [\"error\", \"boredom\"]",
        "21: notify.reasons: invalid value: string \"boredom\", expected \"permission\", \
         \"question\", \"confirmation\", \"password\", \"first_run\", \"error\", \"turn_done\", \
         \"silence\" or \"gave_up\"",
    );
    refused(
        "reasons = \"error\"",
        "11: notify.reasons: invalid type: string \"error\", expected an array",
    );
    refused(
        "command = [\"\", \"x\"]",
        "11: notify.command: no program, expected one and its arguments, such as [\"notify.sh\"]",
    );
    refused(
        "command = [\"a\\u0000\"]",
        "11: notify.command: a NUL character, which no argument can hold",
    );
    refused("desktop = 1", "11: notify.desktop: invalid type: integer `1`, expected a boolean");
    refused(
        "min_interval = \"0s\"",
        "16: notify.min_interval: invalid value: string \"0s\", expected a duration from \"1ms\" to \
         \"24h\", such as \"500ms\", \"5s\" or \"2m\"",
    );
    refused(
        "destkop = true",
        "1: unknown field `destkop`, expected one of `desktop`, `sound`, `command`, `reasons`, \
         `dnd`, `headless`, `min_interval`; did you mean `desktop`?",
    );
}
