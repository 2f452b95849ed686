//! Arguments against the handed-out vectors, and what actions ask beyond.

use serde_json::{Value, json};

use super::{ArgsError, Field, Schema};
use crate::actions::vectors::action_runtime;

fn schema() -> Schema {
    let mut name = Field::new("skillName", "string", "which").required();
    name.aliases = vec!["name".into()];
    Schema::of([name, Field::new("count", "integer", ""), Field::new("mode", "string", "").one_of(&["a", "b"])])
}

#[test]
fn the_vectors_are_read_as_recorded() {
    for vector in action_runtime("args") {
        let schema = Schema::parse(vector["schema"].clone()).unwrap();
        let (args, mut wanted) = (&vector["args"], vector["result"].clone());
        // The reference rewrites case variants on its own. Here aliases are opt-in (DESIGN 4.4).
        if args.get("documentNo").is_some() {
            wanted = json!({"ok": false, "error": "Missing required arg \"document_no\" for act.",
                "key": "document_no", "reason": "missing"});
        }
        let got = match schema.validate("act", args) {
            Ok(valid) => {
                let mut got = serde_json::to_value(valid).unwrap();
                got["ok"] = true.into();
                got
            }
            Err(error) => {
                json!({"ok": false, "error": error.to_string(), "key": error.key(), "reason": error.reason()})
            }
        };
        assert_eq!(got, wanted, "{vector}");
    }
}

#[test]
fn aliases_are_rewritten_in_place_of_nothing_else() {
    let valid = schema().strict("use", &json!({"count": 2, "name": "x"})).unwrap();
    assert_eq!(Value::from(valid.normalized_args), json!({"count": 2, "skillName": "x"}));
    assert_eq!(valid.alias_rewrites.len(), 1);
    let variant = schema().strict("use", &json!({"skill_name": "x"})).unwrap_err();
    assert_eq!((variant.reason(), variant.key()), ("missing", "skillName"));
}

#[test]
fn a_key_that_is_not_listed_is_refused_with_those_that_are() {
    let error = schema().strict("use", &json!({"skillName": "x", "colour": "red"})).unwrap_err();
    assert_eq!((error.reason(), error.key()), ("unknown", "colour"));
    assert_eq!(error.to_string(), "Unknown arg \"colour\" for use; it takes skillName, count, mode.");
    let none = Schema::default().strict("use", &json!({"colour": "red"})).unwrap_err();
    assert_eq!(
        (none.to_string().as_str(), none.hint().as_str()),
        ("Unknown arg \"colour\" for use; it takes none.", "give no args")
    );
}

#[test]
fn null_counts_as_not_given_and_no_args_as_none() {
    let valid = schema().strict("use", &json!({"skillName": "x", "count": null})).unwrap();
    assert_eq!(Value::from(valid.normalized_args), json!({"skillName": "x"}));
    assert_eq!(schema().strict("use", &json!({"skillName": " \t"})).unwrap_err().reason(), "missing");
    assert!(Schema::default().strict("use", &Value::Null).is_ok());
    for args in [json!([]), json!("x"), json!(7), json!(true)] {
        assert_eq!(Schema::default().strict("use", &args).unwrap_err().reason(), "content", "{args}");
    }
}

#[test]
fn every_error_has_a_hint() {
    let key = || "k".to_owned();
    let action = || "act".to_owned();
    for error in [
        ArgsError::Missing { action: action(), key: key() },
        ArgsError::Type { action: action(), key: key(), expected: "string".into(), received: "null" },
        ArgsError::Unknown { action: action(), key: key(), known: vec!["a".into()] },
        ArgsError::Content { action: action(), message: "m".into() },
    ] {
        assert!(!error.hint().is_empty(), "{error}");
    }
}

#[test]
fn the_json_schema_keeps_the_order_and_leaves_aliases_out() {
    let schema = schema().json_schema();
    let wanted = json!({
        "type": "object",
        "properties": {
            "skillName": {"type": "string", "description": "which"},
            "count": {"type": "integer"},
            "mode": {"type": "string", "enum": ["a", "b"]},
        },
        "required": ["skillName"],
    });
    assert_eq!(schema.to_string(), wanted.to_string());
    assert!(Schema::default().json_schema().get("required").is_none());
}
