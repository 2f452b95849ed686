//! `gannet schema` and `gannet completions`: what others need to know of us, in their form.

use clap::CommandFactory;
use serde_json::{Value, json};

use crate::{
    actions::registry::Registry,
    cli::{
        args::{Cli, CompletionsArgs, ProviderArg, SchemaArgs},
        failure::Failure,
    },
    mcp::server,
    spec::tool::ToolSpec,
};

/// The tools in a provider's form.
pub fn schema(args: &SchemaArgs) -> Result<String, Failure> {
    let specs: Vec<&ToolSpec> = Registry::standard().offered(&args.caps).collect();
    let each = |form: &dyn Fn(&ToolSpec) -> Value| specs.iter().map(|spec| form(spec)).collect::<Vec<Value>>();
    let schemas = match args.provider {
        ProviderArg::Openai => json!(each(&|spec| json!({
            "type": "function",
            "function": {"name": spec.name, "description": spec.description, "parameters": spec.input_schema},
        }))),
        ProviderArg::Anthropic => json!(each(&|spec| json!({
            "name": spec.name, "description": spec.description, "input_schema": spec.input_schema,
        }))),
        ProviderArg::Gemini => json!([{"functionDeclarations": each(&|spec| json!({
            "name": spec.name, "description": spec.description, "parameters": plain(&spec.input_schema),
        }))}]),
        ProviderArg::Mcp => json!({"tools": server::tools(&args.caps)}),
    };
    serde_json::to_string_pretty(&schemas).map_err(|error| Failure::internal(&error))
}

/// A schema in the subset that Gemini knows: no `additionalProperties`, and every property with a type.
fn plain(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut fields: serde_json::Map<String, Value> = fields
                .iter()
                .filter(|(key, _)| *key != "additionalProperties")
                .map(|(key, value)| (key.clone(), plain(value)))
                .collect();
            for property in fields.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
                if let Some(property) = property.1.as_object_mut()
                    && !property.contains_key("type")
                {
                    property.insert("type".into(), "string".into());
                }
            }
            Value::Object(fields)
        }
        other => other.clone(),
    }
}

/// The completion script of a shell.
pub fn completions(args: &CompletionsArgs) -> Result<String, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gannet", &mut script);
    String::from_utf8(script).map_err(|error| Failure::internal(&error))
}
