//! The planner on small pages: no browser, one call a case. Pages are views in the WCI schema, as the product makes them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    decide::{Decision, Verdict, decide},
    state::{FlowState, Intent, Memory, Outcome, Seen, SiteFacts, Turn},
    task::goals,
    words::words,
};
use crate::{
    planner::envelope::Envelope,
    spec::action::{ActionError, Effect, ErrorCode, Reason},
};

const TASK: &str = "create an account and put the blue kettle in the cart";

/// A run's inputs, with what a case changes.
struct Case {
    task: &'static str,
    data: BTreeMap<String, String>,
    page: Seen,
    site: SiteFacts,
    memory: Memory,
}

impl Case {
    fn new(title: &str, nodes: Value) -> Self {
        let view = json!({"page_title": title, "nodes": nodes}).to_string();
        let page = Seen::parse(&view, "http://shop.example/here.html").expect("a view");
        Self { task: TASK, data: BTreeMap::new(), page, site: SiteFacts::default(), memory: Memory::default() }
    }

    fn task(mut self, task: &'static str) -> Self {
        self.task = task;
        self
    }

    fn data(mut self, pairs: &[(&str, &str)]) -> Self {
        self.data = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        self
    }

    fn after(mut self, intent: Intent, target: &str, verb: &str, value: Option<&str>, outcome: Outcome) -> Self {
        let goal = self.memory.closed.len();
        let (target, verb, url) = (target.to_owned(), verb.to_owned(), self.page.url.clone());
        self.memory.turns.push(Turn { goal, intent, target, verb, value: value.map(Value::from), url, outcome });
        self
    }

    fn decide(&self) -> Decision {
        let Self { task, data, page, site, memory } = self;
        decide(&FlowState { task, data, page, site, memory })
    }

    /// `verb node = value` of the action that is chosen.
    #[track_caller]
    fn acts(&self, wanted: &str) {
        let decision = self.decide();
        let Envelope::Action(act) = &decision.envelope else { panic!("no action: {decision:?}") };
        let text = |key: &str| act.args.get(key).map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
        let node = text("nodeId").or_else(|| text("url")).unwrap_or_default();
        let verb = text("action").unwrap_or_else(|| act.name.clone());
        let value = text("value").map(|value| format!(" = {value}")).unwrap_or_default();
        assert_eq!(format!("{verb} {node}{value}"), wanted, "{decision:?}");
    }

    #[track_caller]
    fn asks(&self, part: &str) {
        let decision = self.decide();
        let Envelope::Clarify { question, .. } = &decision.envelope else { panic!("no question: {decision:?}") };
        assert!(question.contains(part), "{question}");
    }
}

fn changed() -> Outcome {
    Outcome { success: true, effect: Some(Effect::Changed), ..Outcome::default() }
}

fn navigated() -> Outcome {
    Outcome { success: true, effect: Some(Effect::Navigated), ..Outcome::default() }
}

fn failed(code: ErrorCode, reason: Option<Reason>, message: &str, hint: &str) -> Outcome {
    let error = ActionError { code, message: message.into(), hint: hint.into(), reason };
    Outcome { error: Some(error), ..Outcome::default() }
}

fn form() -> Value {
    json!([
        {"id": "q", "role": "form", "desc": "Search products", "action": "fill", "scope": "search"},
        {"id": "n", "role": "form", "desc": "Full name", "action": "fill", "required": true, "scope": "f"},
        {"id": "m", "role": "form", "desc": "E-mail address", "action": "fill", "required": true, "scope": "f"},
        {"id": "c", "role": "form", "desc": "Country", "action": "select", "required": true, "scope": "f",
            "options": ["Austria", "Federal Republic of Germany"]},
        {"id": "h", "role": "form", "desc": "How did you hear of us?", "action": "fill", "scope": "f"},
        {"id": "t", "role": "form", "desc": "I accept the terms", "action": "check", "required": true, "scope": "f"},
        {"id": "go", "role": "action", "desc": "Create account", "action": "click", "scope": "f"},
    ])
}

const DATA: [(&str, &str); 3] = [("name", "Ada"), ("email", "ada@example.com"), ("country", "Germany")];

#[test]
fn words_of_one_meaning_are_one() {
    assert_eq!(words("Sign up"), words("Create your account"));
    assert_eq!(words("Add to basket"), words("put in the cart"));
    assert_eq!(words("E-mail"), words("email"));
    assert_eq!(words("emailAddress"), ["email", "address"]);
    assert_eq!(words("Blue kettles"), words("blue kettle"));
    assert_eq!(words("glass boxes"), ["glass", "box"]);
}

#[test]
fn a_task_is_cut_where_a_new_verb_begins() {
    let site = SiteFacts::default();
    let said = |task: &str| -> Vec<String> { goals(task, &site).into_iter().map(|goal| goal.text).collect() };
    assert_eq!(said(TASK), ["create an account", "put the blue kettle in the cart"]);
    assert_eq!(
        said("Please add salt and pepper to the basket, then go to checkout."),
        ["add salt and pepper to the basket", "go to checkout"]
    );
    let goals = goals(TASK, &site);
    assert_eq!(goals[0].verb.as_deref(), Some("signup"));
    assert_eq!(goals[1].object, ["blue", "kettle"]);
    assert_eq!(goals[1].object_text, "blue kettle");
    assert_eq!(goals[1].place, ["cart"]);
}

#[test]
fn a_form_is_filled_field_by_field_and_then_sent() {
    let case = Case::new("Join", form()).data(&DATA);
    case.acts("fill n = Ada");
    let case = case.after(Intent::Fill, "n", "fill", Some("Ada"), changed());
    case.acts("fill m = ada@example.com");
    let case = case.after(Intent::Fill, "m", "fill", None, changed());
    case.acts("select c = Germany");
    let case = case.after(Intent::Fill, "c", "select", Some("Germany"), changed());
    case.acts("check t = true");
    case.after(Intent::Fill, "t", "check", None, changed()).acts("click go");
}

#[test]
fn what_is_missing_is_asked_for_all_at_once() {
    let case = Case::new("Join", form()).data(&[("name", "Ada")]);
    let case = case.after(Intent::Fill, "n", "fill", Some("Ada"), changed());
    let case = case.after(Intent::Fill, "t", "check", None, changed());
    case.asks("\"E-mail address\", \"Country\"");
    assert_eq!(case.decide().verdict, Verdict::Ask);
}

#[test]
fn a_value_that_fits_two_names_is_not_guessed() {
    let nodes = json!([
        {"id": "x", "role": "form", "desc": "Home phone", "action": "fill", "required": true},
        {"id": "go", "role": "action", "desc": "Sign up", "action": "click"},
    ]);
    let case = Case::new("Join", nodes);
    case.data(&[("home", "1"), ("phone", "2")]).asks("Home phone");
}

#[test]
fn what_the_person_gave_wins_over_what_a_field_holds() {
    let mut nodes = form();
    nodes[3]["state"] = json!({"value": "Choose…"});
    nodes[1]["state"] = json!({"value": "Ada"});
    nodes[2]["state"] = json!({"value": "old@example.com"});
    let case = Case::new("Join", nodes).data(&DATA);
    case.acts("fill m = ada@example.com");
    case.after(Intent::Fill, "m", "fill", None, changed()).acts("select c = Germany");
}

#[test]
fn an_option_is_corrected_once() {
    let outcome = failed(ErrorCode::ValidationFailed, Some(Reason::NoSuchOption), "no option `Germany`", "choose one");
    let case =
        Case::new("Join", form()).data(&DATA).after(Intent::Fill, "c", "select", Some("Germany"), outcome.clone());
    case.acts("select c = Federal Republic of Germany");
    let again = case.after(Intent::Fill, "c", "select", Some("Federal Republic of Germany"), outcome);
    again.asks("choose one");
}

#[test]
fn what_a_hint_names_is_cleared_away_first() {
    let mut nodes = form();
    nodes
        .as_array_mut()
        .expect("a list")
        .push(json!({"id": "e9", "role": "action", "desc": "Dismiss", "action": "click"}));
    let outcome = failed(ErrorCode::PreconditionUnmet, Some(Reason::Covered), "`<div>` covers it", "click `e9` first");
    let case = Case::new("Join", nodes).data(&DATA).after(Intent::Fill, "n", "fill", Some("Ada"), outcome);
    case.acts("click e9");
    case.after(Intent::Clear, "e9", "click", None, changed()).acts("fill n = Ada");
}

#[test]
fn a_value_that_the_site_refuses_is_asked_for() {
    let outcome = Outcome { validity: Some("Enter an email address.".into()), ..changed() };
    let case = Case::new("Join", form()).data(&[("email", "ada")]);
    case.after(Intent::Fill, "m", "fill", Some("ada"), outcome).asks("Enter an email address.");
}

#[test]
fn a_link_called_like_the_deed_is_followed_once() {
    let nodes = json!([
        {"id": "e1", "role": "nav", "desc": "Home", "action": "click"},
        {"id": "e2", "role": "nav", "desc": "Sign up", "action": "click"},
    ]);
    let case = Case::new("Home", nodes);
    case.acts("click e2");
    let case = case.after(Intent::Follow, "e2", "click", None, changed());
    assert_eq!(case.decide().verdict, Verdict::Cannot);
}

fn shop(second: Value) -> Case {
    let mut nodes = json!([
        {"id": "q", "role": "form", "desc": "Search products", "action": "fill", "scope": "s"},
        {"id": "sb", "role": "action", "desc": "Search", "action": "click", "scope": "s"},
        {"id": "b", "role": "nav", "desc": "Basket (1)", "action": "click"},
    ]);
    nodes.as_array_mut().expect("a list").extend(second.as_array().cloned().unwrap_or_default());
    Case::new("Home", nodes).task("put the blue kettle in the cart")
}

#[test]
fn what_is_not_there_is_searched_for() {
    let case = shop(json!([{"id": "a", "role": "action", "desc": "Add Red kettle to basket", "action": "click"}]));
    case.acts("fill q = blue kettle");
    let case = case.after(Intent::Query, "q", "fill", None, changed());
    case.acts("click sb");
    let case = case.after(Intent::Search, "sb", "click", None, navigated());
    let Envelope::Final { answer, .. } = case.decide().envelope else { panic!("nothing was found") };
    assert!(answer.contains("a search for \"blue kettle\" showed none"), "{answer}");
}

#[test]
fn only_the_wanted_thing_is_taken_and_the_place_is_looked_at() {
    let case = shop(json!([
        {"id": "r", "role": "action", "desc": "Add Red kettle to basket", "action": "click"},
        {"id": "k", "role": "action", "desc": "Add Blue kettle to basket", "action": "click"},
        {"id": "w", "role": "action", "desc": "Add Blue kettle cozy to basket", "action": "click"},
        {"id": "h", "role": "display", "desc": "Blue kettle"},
    ]));
    case.acts("click k");
    let mut case = case.after(Intent::Apply, "k", "click", None, changed());
    case.acts("click b");
    case = case.after(Intent::Follow, "b", "click", None, navigated());
    case.page.title = "Basket · Shop".into();
    let decision = case.decide();
    assert_eq!(decision.verdict, Verdict::Done, "{decision:?}");
    assert_eq!(decision.closed.len(), 1);
}

#[test]
fn two_equal_things_are_asked_about() {
    let twins = json!([
        {"id": "k", "role": "action", "desc": "Add Blue kettle to basket", "action": "click"},
        {"id": "l", "role": "action", "desc": "Add Blue kettle to basket", "action": "click"},
    ]);
    shop(twins).asks("Which one is meant");
}

#[test]
fn a_claim_needs_an_effect() {
    let idle = Outcome { success: true, effect: Some(Effect::None), ..Outcome::default() };
    let case = shop(json!([{"id": "k", "role": "action", "desc": "Add Blue kettle to basket", "action": "click"}]));
    let case = case.after(Intent::Apply, "k", "click", None, idle.clone());
    case.acts("click k");
    let case = case.after(Intent::Apply, "k", "click", None, idle);
    assert_eq!(case.decide().verdict, Verdict::Cannot);
}

#[test]
fn a_person_confirms_what_the_site_wants_confirmed() {
    let nodes = json!([{"id": "o", "role": "action", "desc": "Place the order and pay", "action": "click", "scope": "checkout"}]);
    let mut case = Case::new("Checkout", nodes).task("buy what is in the cart");
    case.site.confirm = vec!["checkout".into()];
    assert_eq!(case.decide().verdict, Verdict::Person { scope: "checkout".into() });
    case.site.confirm.clear();
    case.site.denied = vec!["checkout".into()];
    assert_eq!(case.decide().verdict, Verdict::Forbidden);
}

#[test]
fn a_policy_error_ends_the_run_with_its_reason() {
    let denied = failed(ErrorCode::ScopeDenied, None, "Scope `f` is denied.", "Inform the user.");
    let case = Case::new("Join", form()).data(&DATA).after(Intent::Fill, "n", "fill", None, denied);
    assert_eq!(case.decide().verdict, Verdict::Forbidden);
    let person = failed(ErrorCode::HumanConfirmationRequired, None, "needs a person", "ask");
    let case = Case::new("Join", form()).data(&DATA).after(Intent::Fill, "n", "fill", None, person);
    assert_eq!(case.decide().verdict, Verdict::Person { scope: "f".into() });
}

#[test]
fn the_flow_of_a_site_leads_where_no_link_does() {
    let mut case = Case::new("Home", json!([]));
    case.site = serde_json::from_value(json!({"task_flows": [
        {"id": "create-account", "description": "Create an account",
            "steps": [{"scope": "f", "url_pattern": "/register.html*"}]},
        {"id": "evil", "description": "Elsewhere", "steps": [{"scope": "x", "url_pattern": "https://evil.example/"}]},
    ]}))
    .expect("site facts");
    case.acts("navigate http://shop.example/register.html");
    case = case.task("show me what is elsewhere");
    assert_eq!(case.decide().verdict, Verdict::Cannot, "another origin is no step of a flow");
}

#[test]
fn nothing_is_decided_without_a_task() {
    assert_eq!(Case::new("Home", json!([])).task("  ").decide().verdict, Verdict::Ask);
}
