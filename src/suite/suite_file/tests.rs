//! Every form from its smallest example, and what cannot be read.

use std::fs;

use serde_json::json;

use super::*;
use crate::suite::task::Check;

fn read_as(name: &str, text: &str) -> Result<Suite, SuiteError> {
    let directory = tempfile::tempdir().expect("there is a temporary directory");
    let path = directory.path().join(name);
    fs::write(&path, text).expect("it can be written");
    let mut options = ReadOptions::default();
    options.sites.set("shopping", "http://shop.test");
    read(&path, &options)
}

fn webarena(id: u64) -> Value {
    json!({
        "task_id": id, "sites": ["shopping"], "intent": "look", "intent_template_id": 7, "require_login": true,
        "storage_state": "./.auth/shopping_state.json", "start_url": "__SHOPPING__/a |AND| __SHOPPING__/b",
        "geolocation": null, "eval": {
            "eval_types": ["url_match"], "reference_answers": null, "reference_url": "__SHOPPING__/c",
            "program_html": [], "url_note": "GOLD in PRED"
        }
    })
}

#[test]
fn webarena_has_tabs_and_filled_placeholders() {
    let suite = read_as("any.json", &json!([webarena(0), webarena(1)]).to_string()).expect("it is WebArena's form");
    assert_eq!((suite.form, suite.tasks.len()), (Form::WebArena, 2));
    let task = &suite.tasks[1];
    assert_eq!(task.start_urls, ["http://shop.test/a", "http://shop.test/b"]);
    let Check::WebArena(eval) = &task.check else { panic!("{:?}", task.check) };
    assert_eq!(eval.reference_url.as_deref(), Some("http://shop.test/c"));
}

#[test]
fn pictures_make_it_visualwebarena() {
    let mut task = webarena(3);
    task["image"] = json!(["a.png", "b.png"]);
    task["viewport_size"] = json!({"width": 800});
    let suite = read_as("any.json", &json!([task]).to_string()).expect("it is VisualWebArena's form");
    assert_eq!(suite.form, Form::VisualWebArena);
    assert_eq!(suite.tasks[0].images, ["a.png", "b.png"]);
    assert_eq!(suite.tasks[0].viewport, Some((800, 720)));
}

#[test]
fn verified_checks_keep_their_placeholders() {
    let task = json!([{
        "task_id": 44, "sites": ["shopping"], "intent": "open", "start_urls": ["__SHOPPING__"], "revision": 2,
        "intent_template_id": 1, "intent_template": "open", "instantiation_dict": {},
        "eval": [{"evaluator": "NetworkEventEvaluator", "expected": {"url": "__SHOPPING__/x"}}]
    }]);
    let suite = read_as("any.json", &task.to_string()).expect("it is WebArena-Verified's form");
    assert_eq!(suite.form, Form::Verified);
    assert_eq!(suite.tasks[0].start_urls, ["http://shop.test"]);
    let Check::Verified { evaluators } = &suite.tasks[0].check else { panic!("{:?}", suite.tasks[0].check) };
    assert_eq!(evaluators[0]["expected"]["url"], "__SHOPPING__/x");
    assert_eq!(suite.tasks[0].kinds(), ["NetworkEventEvaluator"]);
}

const OWN: &str = "
name: shop
sites: {shop: http://shop.test, shopping: http://other.test}
tasks:
  - {id: a, intent: buy, start_url: __SHOP__/, data: {name: Ada}, eval: {eval_types: [url_match], reference_url: __SHOPPING__/b}}
  - {id: b, intent: pay, start_url: __SHOP__/pay, depends_on: [a], eval: {eval_types: [string_match]}}
";

#[test]
fn our_own_form_knows_sites_of_its_own() {
    let suite = read_as("shop.yaml", OWN).expect("it is our own form");
    assert_eq!((suite.form, suite.name.as_str()), (Form::Own, "shop"));
    assert_eq!(suite.tasks[0].start_urls, ["http://shop.test/"]);
    let Check::WebArena(eval) = &suite.tasks[0].check else { panic!("{:?}", suite.tasks[0].check) };
    assert_eq!(eval.reference_url.as_deref(), Some("http://shop.test/b"), "the command's site wins");
}

#[test]
fn what_cannot_be_read_is_named() {
    let fails = |name: &str, text: &str| read_as(name, text).expect_err("it cannot be read").to_string();
    assert!(fails("a.json", "[").contains("not well-formed"));
    assert!(fails("a.json", "[]").contains("no form of a suite"));
    assert!(fails("a.json", &json!([{"eval": {"eval_types": []}}]).to_string()).contains("task 0"));
    assert!(fails("a.json", &json!([webarena(1), webarena(1)]).to_string()).contains("twice"));
    assert!(fails("a.yaml", &OWN.replace("[a]", "[c]")).contains("depends on `c`"));
    assert!(fails("a.yaml", &OWN.replace("[a]", "[b]")).contains("depends on itself"));
    assert!(fails("a.yaml", &OWN.replace("intent: pay", "goal: pay")).contains("goal"));
}
