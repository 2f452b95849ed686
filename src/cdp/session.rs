//! One flat CDP session: the handle through which every command goes.

use std::sync::Arc;

use chromiumoxide::Command;
use serde_json::value::RawValue;

use crate::{
    cdp::{error::CdpError, router::Router},
    spec::deadline::Deadline,
};

/// A session of the browser, a page, an out-of-process frame or a worker. Cheap to clone.
#[derive(Clone)]
pub struct Session {
    router: Arc<Router>,
    id: Option<Arc<str>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Session").field(&self.id).finish()
    }
}

impl Session {
    pub(crate) fn new(router: Arc<Router>, id: Option<&str>) -> Self {
        Self { router, id: id.map(Arc::from) }
    }

    /// The session id; `None` for the browser's root session.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Sends a typed command and waits for its reply.
    pub async fn call<C: Command>(&self, command: C, deadline: Deadline) -> Result<C::Response, CdpError> {
        let method = command.identifier();
        let params = serde_json::value::to_raw_value(&command)
            .map_err(|error| CdpError::Encode { method: method.to_string(), message: error.to_string() })?;
        let reply = self.router.call(self.id(), &method, &params, deadline).await?;
        serde_json::from_str(reply.get())
            .map_err(|error| CdpError::Decode { method: method.to_string(), message: error.to_string() })
    }

    /// Sends a command by name and gives its result as it came: for hot paths and for commands the typed protocol lacks.
    pub async fn call_raw(
        &self,
        method: &str,
        params: serde_json::Value,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, CdpError> {
        let params = serde_json::value::to_raw_value(&params)
            .map_err(|error| CdpError::Encode { method: method.to_owned(), message: error.to_string() })?;
        self.router.call(self.id(), method, &params, deadline).await
    }

    /// Whether commands can still be answered: attached, not crashed, browser there.
    pub fn alive(&self) -> bool {
        self.router.alive(self.id())
    }
}
