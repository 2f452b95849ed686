//! The WCI view as JSON: keys, their order and their absence as reference 1.3.0 writes them, numbers as JavaScript does.

use std::io;

use serde::Serialize;
use serde_json::{
    Map, Value, json,
    ser::{Formatter, PrettyFormatter, Serializer},
};

use crate::spec::{
    js_number,
    view::ViewOptions,
    wci::{SiteContextSummary, WCI_VERSION, WciNodeSpec},
};

/// Facts of a view beside its nodes.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    pub title: &'a str,
    /// RFC 3339, UTC, milliseconds.
    pub now: &'a str,
    pub scope_desc: Option<&'a str>,
    pub site: Option<&'a SiteContextSummary>,
    /// Nodes left out for the budget.
    pub dropped: usize,
}

/// `JSON.stringify(view, null, 2)`.
pub fn render(nodes: &[WciNodeSpec], heading: &Heading<'_>, options: &ViewOptions) -> String {
    let mut view = Map::new();
    view.insert("wci_version".into(), WCI_VERSION.into());
    view.insert("page_title".into(), heading.title.into());
    if let Some(scope) = &options.scope {
        view.insert("scope".into(), scope.as_str().into());
        if let Some(desc) = heading.scope_desc {
            view.insert("scope_desc".into(), desc.into());
        }
    }
    view.insert("distilled_at".into(), heading.now.into());
    view.insert("node_count".into(), nodes.len().into());
    if let Some(site) = heading.site {
        view.insert("site_context".into(), json!(site));
    }
    let nodes = nodes.iter().map(|node| Value::Object(node_json(node, options))).collect();
    view.insert("nodes".into(), Value::Array(nodes));
    if heading.dropped > 0 {
        view.insert("truncated".into(), json!({"dropped": heading.dropped}));
    }
    pretty(&Value::Object(view))
}

/// One node, keys in the order of the reference.
pub fn node_json(node: &WciNodeSpec, options: &ViewOptions) -> Map<String, Value> {
    let mut out = Map::new();
    let compact = options.compact;
    out.insert("id".into(), node.id.as_str().into());
    out.insert("role".into(), node.role.as_str().into());
    if !(compact && node.desc.is_empty()) {
        out.insert("desc".into(), node.desc.as_str().into());
    }
    let mut text = |key: &str, value: &Option<String>| {
        if let Some(value) = value {
            out.insert(key.into(), value.as_str().into());
        }
    };
    text("action", &node.action);
    let state = if options.include_state { node.state.clone() } else { Map::new() };
    // Compact drops an empty state and puts it back at the end.
    let late_state = compact && state.is_empty();
    if !late_state {
        out.insert("state".into(), Value::Object(state));
    }
    if let Some(precondition) = &node.precondition {
        out.insert("precondition".into(), precondition.as_str().into());
    }
    let mut flag = |key: &str, value: Option<bool>| {
        if let Some(value) = value.filter(|value| *value || !compact) {
            out.insert(key.into(), value.into());
        }
    };
    flag("required", node.required);
    if let Some(choices) = &node.options {
        out.insert("options".into(), json!(choices));
    }
    for (key, value) in [("emits", &node.emits), ("scope", &node.scope)] {
        if let Some(value) = value {
            out.insert(key.into(), value.as_str().into());
        }
    }
    if let Some(hidden) = node.hidden.filter(|hidden| *hidden || !compact) {
        out.insert("hidden".into(), hidden.into());
    }
    if !(compact && node.priority == 3) {
        out.insert("priority".into(), node.priority.into());
    }
    if late_state {
        out.insert("state".into(), json!({}));
    }
    if let Some(source) = node.source {
        out.insert("source".into(), source.into());
    }
    out
}

/// `JSON.stringify(value, null, 2)`.
pub fn pretty(value: &Value) -> String {
    write(value, JsFormatter { pretty: Some(PrettyFormatter::new()) })
}

/// `JSON.stringify(value)`.
pub fn minified(value: &Value) -> String {
    write(value, JsFormatter { pretty: None })
}

fn write(value: &Value, formatter: JsFormatter<'_>) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, formatter);
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        // Writing a value to memory has no way to fail.
        Err(_) => value.to_string(),
    }
}

struct JsFormatter<'a> {
    pretty: Option<PrettyFormatter<'a>>,
}

macro_rules! forward {
    ($($name:ident($($arg:ident: $kind:ty),*);)*) => {
        $(fn $name<W: ?Sized + io::Write>(&mut self, writer: &mut W $(, $arg: $kind)*) -> io::Result<()> {
            match &mut self.pretty {
                Some(pretty) => pretty.$name(writer $(, $arg)*),
                None => serde_json::ser::CompactFormatter.$name(writer $(, $arg)*),
            }
        })*
    };
}

impl Formatter for JsFormatter<'_> {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(js_number::format(value).as_bytes())
    }

    forward! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }
}

#[cfg(test)]
mod tests;
