//! Unit tests of scripts: what is read, and how what is wrong is said.

use serde_json::json;

use super::{Step, parse, slug, steps::Expect};

#[test]
fn every_form_of_a_step_is_read() {
    let text = "name: booking\nsteps:\n  - goto: http://a.b/\n  - view\n  - view: markdown\n  - fill: {node: label=Name, value: Ada}\n  \
        - click: e5\n  - press: Enter\n  - act: {nodeId: e7, action: check}\n  - wait: 20\n  - expect: Booked\n  \
        - expect: {node: e7, value: true}\n  - shot: {file: a.png, fullPage: true}\n";
    let script = parse(text, "booking.yaml").unwrap();
    assert_eq!(script.name, "booking");
    let steps: Vec<Step> = script.steps.iter().map(|(step, _)| step.clone()).collect();
    assert_eq!(
        steps,
        [
            Step::Goto(json!({"url": "http://a.b/"})),
            Step::View(json!({})),
            Step::View(json!({"format": "markdown"})),
            Step::Act(json!({"value": "Ada", "nodeId": "label=Name", "action": "fill"})),
            Step::Act(json!({"nodeId": "e5", "action": "click"})),
            Step::Act(json!({"nodeId": "", "value": "Enter", "action": "press"})),
            Step::Act(json!({"nodeId": "e7", "action": "check"})),
            Step::Wait(json!({"ms": 20})),
            Step::Expect(Expect { text: Some("Booked".into()), ..Expect::default() }),
            Step::Expect(Expect { node: Some("e7".into()), value: Some(json!(true)), ..Expect::default() }),
            Step::Shot { file: "a.png".into(), full_page: true },
        ]
    );
    let lines: Vec<usize> = script.steps.iter().map(|(_, line)| *line).collect();
    assert_eq!(lines[0], 3);
    assert_eq!(lines[3], 6);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, line, why) in [
        ("steps:\n  - goto: x\n  - clickk: e5\n", 3, "`clickk` is no step"),
        ("steps:\n  - {goto: x, view: y}\n", 2, "exactly one key"),
        ("steps:\n  - expect: {txt: a}\n", 2, "unknown field"),
        ("steps:\n  - expect: {value: a}\n", 2, "no node"),
        ("steps: []\n", 0, "no steps"),
        ("steps:\n  - goto: [\n", 3, ""),
        ("name: a\nstep: []\n", 2, "unknown field"),
    ] {
        let error = parse(text, "a.yaml").unwrap_err();
        assert!(error.why.contains(why), "{text}: {error}");
        assert!(error.line == line || why.is_empty(), "{text}: line {} of {error}", error.line);
    }
}

#[test]
fn a_name_becomes_part_of_a_file_name() {
    assert_eq!(slug("Book a Boat!"), "book-a-boat");
    assert_eq!(slug("../.."), "script");
}
