//! Arguments of actions: what each may be, checked before anything runs (action contract, "Planner Metadata Contract").
//!
//! A schema is a map of keys. Aliases are opt-in, key by key; nothing else is ever renamed. What is nested in an argument
//! is checked when the action reads it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// One argument.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Field {
    #[serde(skip)]
    pub key: String,
    /// `string`, `number`, `integer`, `boolean`, `object` or `array`; any other is not checked.
    #[serde(rename = "type", default)]
    pub kind: String,
    #[serde(default)]
    pub required: bool,
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default)]
    pub description: String,
    /// Keywords of JSON Schema beside type and description: `enum`, `items`, `properties`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// All arguments of an action, in the order in which they are listed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schema {
    pub fields: Vec<Field>,
}

/// An alias that was rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rewrite {
    pub from: String,
    pub to: String,
    /// Both keys were given; the canonical one counts.
    pub collision: bool,
}

/// Arguments that passed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Valid {
    pub normalized_args: Map<String, Value>,
    pub alias_rewrites: Vec<Rewrite>,
}

/// What is wrong with arguments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgsError {
    #[error("Missing required arg \"{key}\" for {action}.")]
    Missing { action: String, key: String },
    #[error("Arg \"{key}\" for {action} expected {expected}, received {received}.")]
    Type { action: String, key: String, expected: String, received: &'static str },
    #[error("Unknown arg \"{key}\" for {action}; it takes {}.", listed(.known))]
    Unknown { action: String, key: String, known: Vec<String> },
    /// The key is known and of its type, but its content is not readable.
    #[error("Args of {action} are not valid: {message}")]
    Content { action: String, message: String },
}

impl ArgsError {
    /// `missing`, `type`, `unknown` or `content`.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::Type { .. } => "type",
            Self::Unknown { .. } => "unknown",
            Self::Content { .. } => "content",
        }
    }

    /// The argument that is at fault; empty when it is no single one.
    pub fn key(&self) -> &str {
        match self {
            Self::Missing { key, .. } | Self::Type { key, .. } | Self::Unknown { key, .. } => key,
            Self::Content { .. } => "",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Missing { key, .. } => format!("give \"{key}\""),
            Self::Type { key, expected, .. } => format!("give \"{key}\" as {expected}"),
            Self::Unknown { known, .. } if known.is_empty() => "give no args".into(),
            Self::Unknown { .. } => "use only the args that are listed".into(),
            Self::Content { .. } => "give the args as the schema has them".into(),
        }
    }
}

fn listed(keys: &[String]) -> String {
    if keys.is_empty() { "none".into() } else { keys.join(", ") }
}

impl Field {
    /// An optional argument.
    pub fn new(key: &str, kind: &str, description: &str) -> Self {
        Self {
            key: key.into(),
            kind: kind.into(),
            required: false,
            aliases: vec![],
            description: description.into(),
            more: Map::new(),
        }
    }

    /// The argument must be given.
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Only these values.
    pub fn one_of(mut self, values: &[&str]) -> Self {
        self.more.insert("enum".into(), json!(values));
        self
    }

    /// Further keywords of JSON Schema.
    pub fn with(mut self, key: &str, value: Value) -> Self {
        self.more.insert(key.into(), value);
        self
    }
}

impl Schema {
    /// A schema of these arguments.
    pub fn of(fields: impl IntoIterator<Item = Field>) -> Self {
        Self { fields: fields.into_iter().collect() }
    }

    /// Reads `{key: {type, required, aliases}}`, the form of the action contract.
    pub fn parse(value: Value) -> Result<Self, serde_json::Error> {
        let map: Map<String, Value> = serde_json::from_value(value)?;
        let fields = map.into_iter().map(|(key, value)| {
            let mut field: Field = serde_json::from_value(value)?;
            field.key = key;
            Ok(field)
        });
        Ok(Self { fields: fields.collect::<Result<_, serde_json::Error>>()? })
    }

    /// The schema as JSON Schema; aliases are left out, so that a provider emits canonical keys.
    pub fn json_schema(&self) -> Value {
        let mut properties = Map::new();
        for field in &self.fields {
            let mut property = Map::new();
            if !field.kind.is_empty() {
                property.insert("type".into(), field.kind.as_str().into());
            }
            if !field.description.is_empty() {
                property.insert("description".into(), field.description.as_str().into());
            }
            property.extend(field.more.clone());
            properties.insert(field.key.clone(), property.into());
        }
        let required: Vec<&str> =
            self.fields.iter().filter(|field| field.required).map(|field| field.key.as_str()).collect();
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    /// Checks arguments and rewrites aliases. Keys that the schema does not know are kept; see [`Schema::strict`].
    pub fn validate(&self, action: &str, args: &Value) -> Result<Valid, ArgsError> {
        let mut given = args.as_object().cloned().unwrap_or_default();
        let mut alias_rewrites = vec![];
        for field in &self.fields {
            for alias in &field.aliases {
                let canonical = given.contains_key(&field.key);
                // `shift_remove` keeps the order of the others.
                let Some(value) = given.shift_remove(alias) else { continue };
                alias_rewrites.push(Rewrite { from: alias.clone(), to: field.key.clone(), collision: canonical });
                if !canonical {
                    given.insert(field.key.clone(), value);
                }
            }
        }
        for field in &self.fields {
            let value = given.get(&field.key).filter(|value| !is_blank(value));
            match value {
                None if field.required => {
                    return Err(ArgsError::Missing { action: action.into(), key: field.key.clone() });
                }
                None => {}
                Some(value) if !is_of(&field.kind, value) => {
                    return Err(ArgsError::Type {
                        action: action.into(),
                        key: field.key.clone(),
                        expected: field.kind.clone(),
                        received: kind_of(value),
                    });
                }
                Some(_) => {}
            }
        }
        Ok(Valid { normalized_args: given, alias_rewrites })
    }

    /// As [`Schema::validate`], and refuses keys that are not in the schema. Blank arguments count as not given.
    pub fn strict(&self, action: &str, args: &Value) -> Result<Valid, ArgsError> {
        if !args.is_null() && !args.is_object() {
            let message = format!("expected an object, received {}", kind_of(args));
            return Err(ArgsError::Content { action: action.into(), message });
        }
        let mut valid = self.validate(action, args)?;
        let known = |key: &str| self.fields.iter().any(|field| field.key == key);
        if let Some(key) = valid.normalized_args.keys().find(|key| !known(key)) {
            let known = self.fields.iter().map(|field| field.key.clone()).collect();
            return Err(ArgsError::Unknown { action: action.into(), key: key.clone(), known });
        }
        valid.normalized_args.retain(|_, value| !value.is_null());
        Ok(valid)
    }
}

/// Absent in the eyes of the contract: null, or a string of white space.
fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        // `integer` and unions are checked when the action reads them.
        _ => true,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests;
