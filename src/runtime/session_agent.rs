//! The product's session as a run sees it.

use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

use super::agent::{Agent, Picture, Reply};
use crate::{
    actions::{
        host::SessionError,
        session::{AgentSession, SessionOptions},
    },
    evidence::screenshot::{self, ShotFormat, ShotOptions},
    spec::{deadline::Deadline, event::RunEvent},
};

/// Longest side of an evidence picture, in px.
const MAX_SIDE: u32 = 1_280;

/// A session with the events of its gate.
pub struct SessionAgent {
    session: AgentSession,
    events: UnboundedReceiver<RunEvent>,
}

impl SessionAgent {
    /// Opens a session for a run.
    pub async fn open(options: SessionOptions) -> Result<Self, SessionError> {
        let session = AgentSession::open(options).await?;
        let events = session.events();
        Ok(Self { session, events })
    }
}

impl Agent for SessionAgent {
    async fn call(&mut self, name: &str, args: Value, deadline: Deadline) -> Reply {
        let call = self.session.call(name, args);
        match tokio::time::timeout_at(deadline.instant().into(), call).await {
            Ok(reply) => Reply { text: reply.text, structured: reply.structured, is_error: reply.is_error },
            Err(_) => Reply { text: format!("`{name}` did not end in time"), is_error: true, ..Reply::default() },
        }
    }

    async fn picture(&mut self, mark: Option<&str>, deadline: Deadline) -> Option<Picture> {
        let page = self.session.page(deadline).await.ok()?;
        let options = ShotOptions { full_page: false, format: ShotFormat::Jpeg, max_side: MAX_SIDE };
        let marked = match mark.filter(|id| !id.is_empty()) {
            Some(id) => screenshot::capture_marked(&page, id, &options, deadline).await.ok(),
            None => None,
        };
        // A node that cannot be marked is no reason to have no picture.
        let shot = match marked {
            Some(shot) => Ok(shot),
            None => screenshot::capture(&page, &options, deadline).await,
        };
        match shot {
            Ok(shot) => Some(Picture { bytes: shot.bytes, extension: "jpg" }),
            Err(error) => {
                tracing::warn!(%error, "there is no picture of this step");
                None
            }
        }
    }

    fn url(&self) -> String {
        self.session.current_url()
    }

    fn gate_events(&mut self) -> Vec<RunEvent> {
        let mut events = vec![];
        while let Ok(event) = self.events.try_recv() {
            // That the gate lets something through is no decision worth telling.
            if event.phase == "gate" && event.detail["intent"] != true {
                events.push(event);
            }
        }
        events
    }

    async fn close(self, deadline: Deadline) {
        if tokio::time::timeout_at(deadline.instant().into(), self.session.close()).await.is_err() {
            tracing::warn!("the session did not end in time");
        }
    }
}
