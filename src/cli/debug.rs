//! `gannet debug`: one layer alone, one JSON value in, one out. No browser, no network.

use std::io::Read;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    actions::{args::Schema, permission::ActionPolicy, url_rule},
    cli::{
        args::{DebugArgs, Layer},
        failure::{Exit, Failure},
    },
    site::{directives, manifest},
    spec::tool::Permission,
};

#[derive(Deserialize)]
struct UrlInput {
    url: String,
}

#[derive(Deserialize)]
struct SiteInput {
    txt: Option<String>,
    json: Option<String>,
}

#[derive(Deserialize)]
struct ArgsInput {
    schema: Value,
    args: Value,
}

#[derive(Deserialize)]
struct PolicyInput {
    policy: Value,
    action: ActionInput,
}

#[derive(Deserialize)]
struct ActionInput {
    name: String,
    tier: Option<u8>,
    permission: Option<Permission>,
}

/// Reads standard input, and answers as the layer would.
pub fn run(args: &DebugArgs) -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| Failure::output(&error))?;
    let answer = match args.layer {
        Layer::Url => json!(url_rule::judge(&read::<UrlInput>(&text)?.url, &[])),
        Layer::Site => site(&read(&text)?),
        Layer::Args => {
            let input: ArgsInput = read(&text)?;
            let schema = Schema::parse(input.schema).map_err(|error| wrong(&error))?;
            match schema.validate("act", &input.args) {
                Ok(valid) => {
                    json!({"ok": true, "aliasRewrites": valid.alias_rewrites, "normalizedArgs": valid.normalized_args})
                }
                Err(error) => {
                    json!({"ok": false, "error": error.to_string(), "key": error.key(), "reason": error.reason()})
                }
            }
        }
        Layer::Policy => {
            let input: PolicyInput = read(&text)?;
            match ActionPolicy::parse(&input.policy) {
                Ok(policy) => json!(policy.evaluate(&input.action.name, input.action.tier, input.action.permission)),
                Err(error) => json!({"thrown": error.to_string()}),
            }
        }
    };
    serde_json::to_string_pretty(&answer).map_err(|error| Failure::internal(&error))
}

fn site(input: &SiteInput) -> Value {
    let directives = input.txt.as_deref().map(directives::parse);
    let manifest = input.json.as_deref().map(manifest::parse);
    json!({
        "policy": directives.as_ref().map(|(policy, _)| policy),
        "manifest": manifest.as_ref().and_then(|(manifest, _)| manifest.as_ref()),
        "diagnostics": {
            "txt": directives.map(|(_, diagnostics)| diagnostics).unwrap_or_default(),
            "json": manifest.map(|(_, diagnostics)| diagnostics).unwrap_or_default(),
        },
    })
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| wrong(&error))
}

fn wrong(error: &serde_json::Error) -> Failure {
    Failure {
        exit: Exit::Usage,
        message: format!("standard input is not what this layer takes: {error}"),
        hint: "`gannet debug --help` shows the shape of each layer".into(),
    }
}
