//! The `context` vectors (50 to 82) and the policy vectors (40 to 42) of the reference: discovery, parsed files,
//! requests made, policy questions and refusals. Read from `../shared/vectors/wci` where it lies, else from the copies
//! in `tests/vectors/wci`. What DESIGN 4.4 wants otherwise stands in one table, and is asserted as what it is instead.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Mutex,
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};
use url::Url;

use crate::{
    site::{
        context::SiteContext,
        discovery::{Fetch, Fetched, Hints, Unreachable, discover},
        policy::{Attempt, Decision, Enclosing, Engine, PolicyState, SitePolicy, scope_chain},
        rates::{Kind, Rates},
    },
    spec::{deadline::Deadline, policy::WciPolicy},
};

/// Why, and what is there instead, by JSON pointer.
type Difference = (&'static str, Vec<(&'static str, Value)>);

/// Vectors that differ on purpose: why, and what is there instead (JSON pointers into the context as tested).
fn differences() -> BTreeMap<&'static str, Difference> {
    let wk_manifest = json!({"wci_version": "1.0", "site": {"name": "wk"}});
    BTreeMap::from([
        (
            "50-txt-full",
            (
                "`Manifest:` and `Context:` are followed",
                vec![(
                    "/requests",
                    json!([
                        "/.well-known/wci/context.md",
                        "/.well-known/wci/directives.txt",
                        "/.well-known/wci/manifest.json",
                        "/m/wci.json",
                        "/m/wci.md",
                        "/wci.json",
                        "/wci.md",
                        "/wci.txt",
                    ]),
                )],
            ),
        ),
        (
            "52-txt-empty-allow",
            (
                "an empty list is an empty list, not a list of one empty scope",
                vec![("/policy/allowedScopes", json!([])), ("/denied", json!([])), ("/refusal", Value::Null)],
            ),
        ),
        (
            "53-txt-nan-limit",
            ("a limit that is no number leaves the default", vec![("/policy/rateLimitActions", json!(60))]),
        ),
        (
            "57-txt-html-fallback",
            (
                "an HTML page is no site file",
                vec![
                    ("/policy/deniedScopes", json!([])),
                    ("/narrative", Value::Null),
                    ("/denied", json!([])),
                    ("/refusal", Value::Null),
                ],
            ),
        ),
        (
            "66-disc-empty-body-root",
            (
                "an empty body is absent, so the well-known address counts",
                vec![
                    ("/policy/siteName", json!("wk")),
                    ("/policy/wciVersion", json!("1.0")),
                    ("/manifest", wk_manifest.clone()),
                    ("/narrative", json!("# wk")),
                ],
            ),
        ),
        (
            "67-disc-manifest-malformed",
            (
                "a broken body does not hide the well-known one",
                vec![
                    ("/manifest", wk_manifest),
                    ("/policy/siteName", json!("wk")),
                    ("/policy/wciVersion", json!("1.0")),
                ],
            ),
        ),
        ("68-disc-manifest-nonobject", ("an array is no manifest", vec![("/manifest", Value::Null)])),
        (
            "71-disc-txt-manifest-pointer",
            (
                "`Manifest:` and `Context:` are followed",
                vec![
                    ("/manifest", json!({"wci_version": "1.0", "site": {"name": "elsewhere"}})),
                    ("/narrative", json!("# elsewhere")),
                    ("/policy/siteName", json!("elsewhere")),
                    ("/policy/wciVersion", json!("1.0")),
                    (
                        "/requests",
                        json!([
                            "/.well-known/wci/context.md",
                            "/.well-known/wci/directives.txt",
                            "/.well-known/wci/manifest.json",
                            "/elsewhere.json",
                            "/elsewhere.md",
                            "/wci.json",
                            "/wci.md",
                            "/wci.txt",
                        ]),
                    ),
                ],
            ),
        ),
        ("73-disc-server-error", ("an empty narrative is none", vec![("/narrative", Value::Null)])),
        (
            "60-disc-root",
            ("facts of the manifest fill what wci.txt leaves open", vec![("/policy/wciVersion", json!("1.0"))]),
        ),
        (
            "61-disc-wellknown",
            ("facts of the manifest fill what wci.txt leaves open", vec![("/policy/wciVersion", json!("1.0"))]),
        ),
        (
            "63-disc-headers",
            ("facts of the manifest fill what wci.txt leaves open", vec![("/policy/wciVersion", json!("1.0"))]),
        ),
        (
            "82-manifest-not-enforced",
            (
                "wci.txt and wci.json are joined, the stricter rule wins",
                vec![
                    ("/policy/deniedScopes", json!(["checkout"])),
                    ("/policy/authRequired", json!(["checkout"])),
                    ("/policy/requireHumanConfirmation", json!(["checkout"])),
                    ("/policy/rateLimitActions", json!(0)),
                    ("/policy/rateLimitDistil", json!(0)),
                    ("/policy/siteName", json!("S")),
                    ("/policy/sitePurpose", json!("P")),
                    ("/policy/wciVersion", json!("1.0")),
                    ("/policy/authMethod", json!("oauth2")),
                    ("/denied", json!(["checkout"])),
                    ("/auth", json!(["checkout"])),
                    ("/human", json!(["checkout"])),
                    (
                        "/refusal",
                        json!({
                            "code": "SCOPE_DENIED",
                            "message": "Scope \"checkout\" is denied by wci.json.",
                            "hint": "Do not retry this scope; choose an allowed scope or inform the user.",
                        }),
                    ),
                ],
            ),
        ),
    ])
}

fn vectors(wanted: impl Fn(&str) -> bool) -> Vec<Value> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../shared/vectors/wci");
    let place = if shared.is_dir() { shared } else { root.join("tests/vectors/wci") };
    let mut files: Vec<PathBuf> = std::fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted))
        .map(|path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
        .collect()
}

/// The files of a vector as a server, with what was asked of it.
struct Files<'a> {
    files: &'a Map<String, Value>,
    asked: Mutex<BTreeSet<String>>,
}

impl Fetch for Files<'_> {
    async fn fetch(&self, url: &Url, _: usize, _: Deadline) -> Result<Fetched, Unreachable> {
        self.asked.lock().unwrap().insert(url.path().to_owned());
        let file = self.files.get(url.path()).cloned().unwrap_or_else(|| json!({"status": 404}));
        let text = |key: &str| file[key].as_str().map(str::to_owned);
        Ok(Fetched {
            url: url.to_string(),
            status: file["status"].as_u64().unwrap_or(200) as u16,
            content_type: text("contentType"),
            body: file.as_str().map(str::to_owned).or_else(|| text("body")).unwrap_or_default().into_bytes(),
            truncated: false,
        })
    }
}

/// `meta` elements of the vectors' HTML, which always has name before content in double quotes.
fn metas(html: &str) -> Vec<(String, String)> {
    html.split("<meta name=\"")
        .skip(1)
        .filter_map(|rest| {
            let (name, rest) = rest.split_once("\" content=\"")?;
            Some((name.to_owned(), rest.split('"').next()?.to_owned()))
        })
        .collect()
}

fn hints(input: &Value) -> Hints {
    let page = format!("https://wci.test{}", input["path"].as_str().unwrap_or("/index.html"));
    let headers = input["loadContext"]["headers"].as_object().into_iter().flatten();
    let headers = headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
    Hints { page, base: None, meta: metas(input["html"].as_str().unwrap_or_default()), headers }
}

/// What the vectors say about a context, in one shape for both sides.
fn seen(context: &SiteContext, queries: &Value, asked: &BTreeSet<String>, refusal: Value) -> Value {
    let policy = match &context.policy {
        PolicyState::Known(policy) => policy.clone(),
        PolicyState::None => Box::default(),
        PolicyState::Unavailable { why, .. } => panic!("the policy is unavailable: {why}"),
    };
    let names: Vec<&str> = queries.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let those = |test: &dyn Fn(&str) -> bool| json!(names.iter().filter(|name| test(name)).collect::<Vec<_>>());
    let manifest = context.manifest.as_ref().map(|manifest| {
        let mut value = serde_json::to_value(manifest).unwrap();
        prune(&mut value);
        value
    });
    json!({
        "policy": policy.directives,
        "manifest": manifest,
        "narrative": context.narrative.as_ref().map(|narrative| &narrative.text),
        "denied": those(&|name| policy.is_scope_denied(name)),
        "auth": those(&|name| policy.requires_auth(name)),
        "human": those(&|name| policy.requires_human_confirmation(name)),
        "requests": asked,
        "refusal": refusal,
    })
}

/// Drops flags that are false and objects that are empty: a typed manifest has them where the text has nothing.
fn prune(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.values_mut().for_each(prune);
            map.retain(|_, value| *value != json!(false) && *value != json!({}));
        }
        Value::Array(list) => list.iter_mut().for_each(prune),
        _ => {}
    }
}

fn expected(vector: &Value) -> Value {
    let context = &vector["expected"]["context"];
    let queries = context["queries"].as_array().cloned().unwrap_or_default();
    let those = |key: &str| {
        json!(queries.iter().filter(|one| one[key] == json!(true)).map(|one| &one["scope"]).collect::<Vec<_>>())
    };
    let mut manifest = context["manifest"].clone();
    prune(&mut manifest);
    json!({
        "policy": context["policy"],
        "manifest": manifest,
        "narrative": context["narrative"],
        "denied": those("denied"),
        "auth": those("auth"),
        "human": those("human"),
        "requests": vector["expected"]["requests"],
        "refusal": vector["expected"]["actions"][0]["result"]["error"],
    })
}

#[tokio::test]
async fn contexts_equal_the_reference_or_the_table() {
    let differences = differences();
    let (mut wrong, mut met) = (vec![], BTreeSet::new());
    let vectors = vectors(|name| ("5".."8").contains(&name) || name.starts_with("82"));
    for vector in &vectors {
        let name = vector["name"].as_str().unwrap();
        let input = &vector["input"];
        let files = Files { files: input["files"].as_object().unwrap(), asked: Mutex::default() };
        let context = discover(&hints(input), &files, Deadline::after_ms(1_000)).await;
        let refusal = match input["actions"][0]["nodeId"].as_str() {
            // All these pages have one landmark: `checkout` in 82, `a` in the others.
            Some(id) => refusal(&context.policy, if name.starts_with("82") { "checkout" } else { "a" }, id),
            None => Value::Null,
        };
        let got = seen(&context, &input["loadContext"]["queries"], &files.asked.into_inner().unwrap(), refusal);
        let mut wanted = expected(vector);
        if let Some((_, changes)) = differences.get(name) {
            met.insert(name.to_owned());
            for (pointer, value) in changes {
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                wanted.pointer_mut(parent).unwrap()[key] = value.clone();
            }
        }
        for (key, value) in wanted.as_object().unwrap() {
            if got[key] != *value {
                wrong.push(format!("{name} {key}:\n  got    {}\n  wanted {value}", got[key]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(vectors.len() == 2 || met.len() == differences.len(), "a difference without a vector: {met:?}");
}

fn refusal(state: &PolicyState, landmark: &str, node_id: &str) -> Value {
    let scopes = [landmark.to_owned()];
    let attempt = Attempt { scopes: &scopes, verb: "click", node_id, confirmed: false };
    match Engine::new(state.clone()).decide(&attempt, Instant::now()) {
        Decision::Allow => Value::Null,
        Decision::Deny { error, .. } => serde_json::to_value(error).unwrap(),
    }
}

fn engine(vector: &Value) -> Engine {
    let directives: WciPolicy = serde_json::from_value(vector["input"]["policy"].clone()).unwrap();
    Engine::new(PolicyState::Known(Box::new(SitePolicy { directives, ..SitePolicy::default() })))
}

/// Elements around each node of the page of vectors 40 and 42, from the node up: scope, role, id.
fn around(node: &str) -> Vec<Enclosing> {
    let one = |scope: Option<&str>, role: &str, id: Option<&str>| Enclosing {
        scope: scope.map(str::to_owned),
        role: Some(role.to_owned()),
        id: id.map(str::to_owned),
    };
    let landmark = |id: &str| one(None, "landmark", Some(id));
    let button = one(None, "action", Some(node));
    match node {
        "o1" => vec![button, landmark("open")],
        "d1" => vec![button, landmark("denied")],
        "d2" => vec![one(Some("open"), "action", Some(node)), landmark("denied")],
        "d3" => vec![button, landmark("nested-open"), landmark("denied")],
        "a1" => vec![button, landmark("authy")],
        "c1" => vec![button, landmark("confirm")],
        "x1" => vec![button, landmark("all3")],
        "ac1" => vec![button, landmark("auth-confirm")],
        "ls1" => vec![button, one(Some("denied"), "landmark", Some("lm-scoped"))],
        "in-noid" => vec![button, one(None, "landmark", None)],
        "wsscope" => vec![one(Some(" denied "), "action", Some(node))],
        "open" | "denied" => vec![landmark(node)],
        _ => vec![button],
    }
}

#[test]
fn refusals_are_the_words_of_the_reference() {
    // Scope is by ancestry: what lies in a denied landmark is denied, whatever it declares.
    const DENIED_BY_ANCESTRY: [&str; 2] = ["d2", "d3"];
    let denied = json!({
        "code": "SCOPE_DENIED",
        "message": "Scope \"denied\" is denied by wci.txt.",
        "hint": "Do not retry this scope; choose an allowed scope or inform the user.",
    });
    for vector in vectors(|name| name.starts_with("40")) {
        let engine = engine(&vector);
        for action in vector["expected"]["actions"].as_array().unwrap() {
            let id = action["request"]["nodeId"].as_str().unwrap();
            if id == "missing" {
                continue;
            }
            let scopes = scope_chain(&around(id));
            let verb = action["request"]["action"].as_str().unwrap();
            let attempt = Attempt { scopes: &scopes, verb, node_id: id, confirmed: false };
            let got = match engine.decide(&attempt, Instant::now()) {
                Decision::Allow => Value::Null,
                Decision::Deny { error, .. } => serde_json::to_value(error).unwrap(),
            };
            let wanted = match DENIED_BY_ANCESTRY.contains(&id) {
                true => &denied,
                false => &action["result"]["error"],
            };
            assert_eq!(got, *wanted, "{id}");
        }
    }
}

#[test]
fn rates_slide_as_in_the_reference_but_count_attempts() {
    for vector in vectors(|name| name.starts_with("42")) {
        let engine = engine(&vector);
        let (limit, _) = engine.limits().unwrap();
        let (mut rates, mut now) = (Rates::default(), Instant::now());
        let mut got = vec![];
        let inputs = vector["input"]["actions"].as_array().unwrap();
        for input in inputs {
            if let Some(ms) = input["advanceMs"].as_u64() {
                now += Duration::from_millis(ms);
                continue;
            }
            let id = input["nodeId"].as_str().unwrap();
            if id == "missing" {
                continue;
            }
            let scopes = scope_chain(&around(id));
            let attempt = Attempt { scopes: &scopes, verb: "click", node_id: id, confirmed: false };
            got.push(match engine.decide(&attempt, now) {
                Decision::Deny { error, .. } => error.message,
                Decision::Allow => match rates.attempt(Kind::Action, limit, now) {
                    Ok(()) => "passed".into(),
                    Err(over) => over.error().message,
                },
            });
        }
        let (denied, over) = ("Scope \"denied\" is denied by wci.txt.", "Action rate limit (3/min) exceeded.");
        // The third attempt, a `select` that fails, counts here; so the fourth click is already over the limit.
        assert_eq!(got, ["passed", denied, "passed", "passed", over, over, denied, over, over, "passed"]);
    }
}
