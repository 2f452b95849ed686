//! Envelopes against the handed-out vectors (`vectors.json`), and the cases that those leave open.

use serde_json::{Value, json};

use super::{Envelope, Known, Rejection, read};

/// The 28 unconditional actions of the runtime that the vectors were recorded from.
fn known() -> Known {
    let names = "list_agent_skills read_agent_skill use_agent_skill execute_skill_tool web_search read_url \
        handoff_to_skill spawn_subagent todo_plan todo_advance todo_cancel todo_run_next todo_inspect workspace_list \
        workspace_read workspace_propose_patch workspace_write workspace_replace workspace_apply_patch \
        workspace_insert_after_section workspace_remove workspace_move workspace_multi_edit \
        workspace_finalize_candidate workspace_review_candidate workspace_publish_candidate remember \
        ask_clarification";
    let aliases = |name: &str| match name {
        "web_search" => vec!["search".to_owned(), "websearch".to_owned()],
        _ => vec![],
    };
    let actions = names.split_whitespace().map(|name| (name.to_owned(), aliases(name))).collect();
    Known { actions, finalize: true }
}

fn rejected(answer: &Value) -> Option<Rejection> {
    read(&answer.to_string(), &known()).envelope.err()
}

#[test]
fn the_vectors_are_read_as_recorded() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("vectors.json")).expect("the vectors are JSON");
    assert_eq!(vectors.len(), 26);
    for vector in vectors {
        let text = vector["text"].as_str().expect("a text");
        let found = read(text, &known()).to_json();
        assert_eq!(found["diagnosis"], vector["diagnosis"], "diagnosis of {text}");
        assert_eq!(found["parsed"], vector["parsed"], "parsed of {text}");
        assert_eq!(found["repaired"], vector["repaired"], "repaired of {text}");
    }
}

#[test]
fn the_first_balanced_object_wins() {
    let text = r#"I think {"type":"final","answer":"a } in a string"} and then {"type":"action","name":"web_search"}"#;
    let Ok(Envelope::Final { answer, .. }) = read(text, &known()).envelope else { panic!("it is final") };
    assert_eq!(answer, "a } in a string");
}

#[test]
fn a_plan_keeps_its_valid_actions_and_says_what_it_left_out() {
    let answer = json!({"type": "plan", "partial_ok": "yes", "actions": [
        {"type": "action", "name": "read_url", "args": {"url": "https://a.example"}, "section": {"prompt": "Sum up."}},
        {"type": "final", "answer": "no"},
        {"name": "fly"},
        7,
    ]});
    let reading = read(&answer.to_string(), &known());
    let Ok(Envelope::Plan { actions, partial_ok, .. }) = &reading.envelope else { panic!("it is a plan") };
    assert_eq!(actions.len(), 1);
    assert!(!partial_ok, "only `true` is true");
    let reasons: Vec<_> = reading.invalid_actions.iter().map(|invalid| invalid.reason).collect();
    assert_eq!(reasons, ["shape", "unknown_action_name", "shape"]);
    let written = serde_json::to_value(reading.envelope.expect("a plan")).expect("JSON");
    assert_eq!(written["actions"][0]["type"], "action");
    assert_eq!(written["actions"][0]["section"]["prompt"], "Sum up.");
}

#[test]
fn every_rejection_can_happen() {
    assert_eq!(rejected(&json!([1])), Some(Rejection::NotObject));
    assert_eq!(rejected(&json!({"a": 1})), Some(Rejection::MissingTypeOrAction));
    assert_eq!(rejected(&json!({"type": "final", "answer": "  "})), Some(Rejection::MissingFinalAnswer));
    assert_eq!(rejected(&json!({"type": "clarify"})), Some(Rejection::MissingClarifyQuestion));
    assert_eq!(rejected(&json!({"type": "plan"})), Some(Rejection::PlanActionsNotArray));
    assert_eq!(rejected(&json!({"type": "plan", "actions": []})), Some(Rejection::PlanHasNoValidActions));
    assert_eq!(rejected(&json!({"type": "action"})), Some(Rejection::MissingActionName));
    assert_eq!(rejected(&json!({"type": "action", "name": "fly"})), Some(Rejection::UnknownActionName));
    let without = Known { finalize: false, ..known() };
    let reading = read(r#"{"type":"finalize"}"#, &without);
    assert_eq!(reading.envelope, Err(Rejection::TerminalFinalizeNotAllowed));
}

#[test]
fn no_text_breaks_the_reader() {
    for text in ["{", "}", "```json", "``` ```", "{\"a\":\"\\", "[[[[", "]", "\u{0}{\"", "{}}{{", "é{\"ü\":\"}\"}"] {
        let _ = read(text, &known());
    }
}
