//! What a run needs of a session: call a tool by name, look at the page, end. The product's session and the tests'
//! scripted one stand behind it.

use serde_json::Value;

use crate::spec::{deadline::Deadline, event::RunEvent};

/// A tool's answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// For a model.
    pub text: String,
    /// The exact result object.
    pub structured: Value,
    pub is_error: bool,
}

/// A picture of the page, secrets covered.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub bytes: Vec<u8>,
    /// File name extension, such as `jpg`.
    pub extension: &'static str,
}

/// A browser session with tools. Every call ends by its deadline and answers failures as replies.
pub trait Agent: Send {
    fn call(&mut self, name: &str, args: Value, deadline: Deadline) -> impl Future<Output = Reply> + Send;

    /// The viewport, with a node marked when one is named. Evidence only: `None` when there is no picture to be had.
    fn picture(&mut self, mark: Option<&str>, deadline: Deadline) -> impl Future<Output = Option<Picture>> + Send;

    /// Address of the current tab.
    fn url(&self) -> String;

    /// What the gate decided since the last call of this.
    fn gate_events(&mut self) -> Vec<RunEvent>;

    fn close(self, deadline: Deadline) -> impl Future<Output = ()> + Send;
}
