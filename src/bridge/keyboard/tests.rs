//! Unit tests of key names and strokes.

use super::{chord, stroke, strokes};

#[test]
fn names_chords_and_aliases_are_read() {
    for (text, modifiers, key) in [
        ("Enter", 0, "Enter"),
        ("Control+A", 2, "a"),
        ("Ctrl+Shift+ArrowLeft", 10, "ArrowLeft"),
        ("Shift+Tab", 8, "Tab"),
        ("Esc", 0, "Escape"),
        ("Space", 0, " "),
        ("+", 0, "+"),
        ("Control++", 2, "+"),
        ("A", 0, "A"),
    ] {
        let chord = chord(text).unwrap();
        assert_eq!((chord.modifiers, chord.key.key), (modifiers, key), "{text}");
    }
}

#[test]
fn what_is_no_key_is_an_error_with_a_hint() {
    for text in ["", "Entre", "Control+", "Hyper+A", "ab"] {
        let error = chord(text).unwrap_err();
        assert!(error.hint.contains("Control+A"), "{text}: {error:?}");
    }
}

#[test]
fn a_letter_has_text_and_a_command_has_none() {
    let [down, up] = stroke(chord("a").unwrap());
    assert_eq!(down["type"], "keyDown");
    assert_eq!(down["text"], "a");
    assert_eq!(up["type"], "keyUp");
    let [down, _] = stroke(chord("Control+A").unwrap());
    assert_eq!(down["type"], "rawKeyDown");
    assert_eq!(down["text"], serde_json::Value::Null);
    let [down, _] = stroke(chord("Enter").unwrap());
    assert_eq!(down["text"], "\r");
}

#[test]
fn modifiers_go_down_before_and_up_after() {
    let events = strokes(chord("Control+Shift+K").unwrap());
    let told: Vec<String> =
        events.iter().map(|event| format!("{} {}", event["type"], event["key"]).replace('"', "")).collect();
    assert_eq!(
        told,
        ["rawKeyDown Control", "rawKeyDown Shift", "rawKeyDown k", "keyUp k", "keyUp Shift", "keyUp Control"]
    );
}
