//! The one list of actions: names, aliases, schemas, permission and the function that runs each. Command line, MCP and
//! planners read it here.

use std::future::Future;
use std::pin::Pin;
use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{
    actions::{
        act,
        args::{ArgsError, Schema},
        batch, console, dialog,
        error::ToolError,
        evaluate, find, navigate, network, permission, read_url,
        reply::ToolReply,
        screenshot,
        session::Call,
        site_context, tabs, view, wait_for,
    },
    spec::tool::{Permission, Tier, ToolSpec},
};

/// What an action answers when it has run.
pub type Ran<'a> = Pin<Box<dyn Future<Output = Result<ToolReply, ToolError>> + Send + 'a>>;

/// One action.
pub struct Action {
    pub spec: ToolSpec,
    pub schema: Schema,
    /// Runs it with arguments that passed the schema.
    pub run: for<'a> fn(Call<'a>) -> Ran<'a>,
}

/// What an action's file says of it.
pub struct Definition {
    pub name: &'static str,
    pub description: &'static str,
    pub tier: Tier,
    pub permission: Permission,
    pub aliases: &'static [&'static str],
    /// The capability that must be on for the action to be offered.
    pub capability: Option<&'static str>,
    pub schema: Schema,
    pub run: for<'a> fn(Call<'a>) -> Ran<'a>,
}

/// The actions, in the order in which they are listed.
pub struct Registry {
    actions: Vec<Action>,
    specs: Vec<ToolSpec>,
}

static STANDARD: LazyLock<Registry> = LazyLock::new(|| {
    Registry::of([
        navigate::definition(),
        view::definition(),
        act::definition(),
        batch::definition(),
        find::definition(),
        wait_for::definition(),
        tabs::definition(),
        dialog::definition(),
        read_url::definition(),
        screenshot::definition(),
        site_context::definition(),
        console::definition(),
        network::definition(),
        evaluate::definition(),
    ])
});

impl Registry {
    /// The built-in actions.
    pub fn standard() -> &'static Self {
        &STANDARD
    }

    fn of(definitions: impl IntoIterator<Item = Definition>) -> Self {
        let actions: Vec<Action> = definitions
            .into_iter()
            .map(|definition| Action {
                spec: ToolSpec {
                    name: definition.name,
                    description: definition.description,
                    tier: definition.tier,
                    permission: permission::of_tier(definition.permission, definition.tier),
                    input_schema: definition.schema.json_schema(),
                    aliases: definition.aliases,
                    capability: definition.capability,
                },
                schema: definition.schema,
                run: definition.run,
            })
            .collect();
        let specs = actions.iter().map(|action| action.spec.clone()).collect();
        Self { actions, specs }
    }

    /// All of them, capabilities included.
    pub fn list(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// Those that are offered with these capabilities.
    pub fn offered<'a>(&'a self, caps: &'a [String]) -> impl Iterator<Item = &'a ToolSpec> {
        self.specs.iter().filter(|spec| has_capability(spec, caps))
    }

    /// The spec of a name or alias.
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.action(name).map(|action| &action.spec)
    }

    /// The action of a name or alias.
    pub fn action(&self, name: &str) -> Option<&Action> {
        self.actions.iter().find(|action| action.spec.name == name || action.spec.aliases.contains(&name))
    }
}

/// Whether a tool is offered with these capabilities.
pub fn has_capability(spec: &ToolSpec, caps: &[String]) -> bool {
    spec.capability.is_none_or(|needed| caps.iter().any(|cap| cap == needed))
}

/// Reads checked arguments into an action's own type.
pub fn read<T: DeserializeOwned>(action: &str, args: Map<String, Value>) -> Result<T, ArgsError> {
    serde_json::from_value(Value::Object(args))
        .map_err(|error| ArgsError::Content { action: action.to_owned(), message: error.to_string() })
}

#[cfg(test)]
mod tests;
