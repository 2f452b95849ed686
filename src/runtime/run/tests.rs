//! The cycle with a scripted session: budgets, stops, secrets, and the truth of what is recorded.

use std::{collections::BTreeMap, fs, time::Duration};

use serde_json::{Value, json};

use super::{RunOptions, RunOutcome, Stop, run_task};
use crate::{
    evidence::run_dir::{JOURNAL, MANIFEST, REPORT, RunDir, verify},
    runtime::{
        agent::{Agent, Picture, Reply},
        journal::Recorder,
    },
    spec::{deadline::Deadline, event::RunEvent},
};

/// One page with a form; what a click on its button does is up to the case.
struct Scripted {
    view: Value,
    after: Value,
    click: Value,
    filled: Vec<(String, Value)>,
    hangs: bool,
    clicked: u32,
}

impl Scripted {
    fn new(click: Value) -> Self {
        let nodes = json!([
            {"id": "p", "role": "form", "desc": "Password", "action": "fill", "required": true, "scope": "f"},
            {"id": "go", "role": "action", "desc": "Create account", "action": "click", "scope": "f"},
        ]);
        Self {
            view: json!({"page_title": "Join", "nodes": nodes}),
            after: json!({"page_title": "Welcome", "nodes": []}),
            click,
            filled: vec![],
            hangs: false,
            clicked: 0,
        }
    }
}

fn result(args: &Value, success: bool, extra: &Value) -> Value {
    let mut result =
        json!({"success": success, "nodeId": args["nodeId"], "action": args["action"], "timestamp": "now"});
    for (key, value) in extra.as_object().into_iter().flatten() {
        result[key] = value.clone();
    }
    result
}

impl Agent for Scripted {
    async fn call(&mut self, name: &str, args: Value, _deadline: Deadline) -> Reply {
        if self.hangs {
            std::future::pending::<()>().await;
        }
        let structured = match (name, args["action"].as_str()) {
            ("navigate", _) => json!({"ok": true, "url": args["url"]}),
            ("site_context", _) => json!({}),
            ("view", _) => {
                let left = self.clicked > 0 && self.click["observed"]["effect"] == "navigated";
                json!({"text": if left { &self.after } else { &self.view }.to_string(), "tokens": 42})
            }
            ("act", Some("fill")) => {
                self.filled.push((args["nodeId"].as_str().unwrap_or_default().to_owned(), args["value"].clone()));
                // A careless tool echoes what it was given.
                let echo = json!({"observed": {"effect": "changed", "settledMs": 1}, "value": args["value"]});
                result(&args, true, &echo)
            }
            _ => {
                self.clicked += 1;
                result(&args, self.click["error"].is_null(), &self.click)
            }
        };
        Reply { text: String::new(), is_error: structured["success"] == false, structured }
    }

    async fn picture(&mut self, mark: Option<&str>, _deadline: Deadline) -> Option<Picture> {
        mark.map(|_| Picture { bytes: b"picture".to_vec(), extension: "jpg" })
    }

    fn url(&self) -> String {
        "http://shop.example/join".into()
    }

    fn gate_events(&mut self) -> Vec<RunEvent> {
        vec![]
    }

    async fn close(self, _deadline: Deadline) {}
}

struct Ran {
    outcome: RunOutcome,
    agent: Scripted,
    base: tempfile::TempDir,
    told: Vec<String>,
}

async fn run(mut agent: Scripted, data: &[(&str, &str)], max_steps: u32, time: Duration) -> Ran {
    let base = tempfile::tempdir().expect("a directory");
    let directory = RunDir::create(&base.path().join("run")).expect("a run directory");
    let mut told = vec![];
    let mut sink = |event: &RunEvent| told.push(serde_json::to_string(event).expect("JSON"));
    let mut recorder = Recorder::new(directory, &mut sink);
    let data: BTreeMap<String, String> = data.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let options = RunOptions { url: "http://shop.example/join".into(), data, max_steps, time };
    let outcome = run_task(&mut agent, "create an account", &options, &mut recorder).await.expect("the evidence");
    recorder.finish().expect("a report and a manifest");
    Ran { outcome, agent, base, told }
}

const LONG: Duration = Duration::from_secs(20);
const PASSWORD: &str = "plunge-dive";

fn navigated() -> Value {
    json!({"observed": {"effect": "navigated", "title": "Welcome", "settledMs": 3}})
}

#[tokio::test]
async fn a_task_is_done_and_its_secret_is_in_no_file() {
    let ran = run(Scripted::new(navigated()), &[("password", PASSWORD)], 9, LONG).await;
    assert_eq!(ran.outcome.stop, Stop::Done, "{:?}", ran.outcome);
    assert_eq!(ran.outcome.steps, 2);
    assert_eq!(ran.agent.filled, [("p".to_owned(), json!(PASSWORD))], "the page gets the value itself");
    let root = ran.base.path().join("run");
    for name in
        [JOURNAL, REPORT, MANIFEST, "views/0001.json", "views/0001.txt", "results/0001.json", "screenshots/0002.jpg"]
    {
        assert!(root.join(name).is_file(), "{name} is missing");
    }
    assert_eq!(verify(&root).expect("a check"), vec![]);
    let mut left = vec![root];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(fs::read_dir(path).expect("a directory").flatten().map(|entry| entry.path()));
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
            assert!(!text.contains(PASSWORD), "{} holds the password", path.display());
        }
    }
    assert!(!ran.told.join("").contains(PASSWORD), "a listener was told the password");
}

#[tokio::test]
async fn events_are_numbered_and_in_order() {
    let ran = run(Scripted::new(navigated()), &[("password", PASSWORD)], 9, LONG).await;
    let events: Vec<RunEvent> = ran.told.iter().map(|event| serde_json::from_str(event).expect("JSON")).collect();
    let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    let phases: Vec<&str> = events.iter().map(|event| event.phase.as_str()).collect();
    assert_eq!(
        phases,
        [
            "run", "orient", "observe", "decide", "act", "observe", "decide", "act", "observe", "evaluate", "decide",
            "finish"
        ]
    );
}

#[tokio::test]
async fn what_is_missing_ends_the_run_with_a_question() {
    let ran = run(Scripted::new(navigated()), &[], 9, LONG).await;
    assert!(matches!(ran.outcome.stop, Stop::Asked { .. }), "{:?}", ran.outcome);
    assert!(ran.agent.filled.is_empty());
}

#[tokio::test]
async fn budgets_are_kept() {
    let ran = run(Scripted::new(navigated()), &[("password", PASSWORD)], 1, LONG).await;
    assert_eq!(ran.outcome.stop, Stop::StepsSpent { steps: 1 });
    let mut agent = Scripted::new(navigated());
    agent.hangs = true;
    let ran = run(agent, &[], 9, Duration::from_millis(50)).await;
    assert!(matches!(ran.outcome.stop, Stop::PageFailed { .. }), "{:?}", ran.outcome);
    assert!(ran.outcome.took_ms < 5_000, "{}", ran.outcome.took_ms);
}

#[tokio::test]
async fn a_success_without_effect_is_not_done() {
    let idle = json!({"observed": {"effect": "none", "settledMs": 1}});
    let ran = run(Scripted::new(idle), &[("password", PASSWORD)], 9, LONG).await;
    assert!(matches!(ran.outcome.stop, Stop::CannotGoOn { .. }), "{:?}", ran.outcome);
    assert_eq!(ran.agent.clicked, 2);
}

#[tokio::test]
async fn a_person_is_asked_where_the_gate_says_so() {
    let error = json!({"error": {"code": "HUMAN_CONFIRMATION_REQUIRED", "message": "needs a person", "hint": "ask"}});
    let ran = run(Scripted::new(error), &[("password", PASSWORD)], 9, LONG).await;
    assert!(matches!(ran.outcome.stop, Stop::NeedsPerson { .. }), "{:?}", ran.outcome);
}
