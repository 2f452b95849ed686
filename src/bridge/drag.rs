//! Dragging: by the mouse alone, or with the browser's own drag data where the page starts such a drag.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    dispatch::Act,
    failure::Failure,
    target::{Needs, Target},
};
use crate::{
    page::error::PageError,
    spec::action::{Position, Reason},
};

/// Steps of the pointer between press and release: widgets that sort want to see where it goes.
const STEPS: u32 = 8;
/// How long the browser may take to say that a drag has begun.
const BEGINS: Duration = Duration::from_millis(100);

#[derive(Deserialize)]
struct Intercepted {
    data: Value,
}

impl Act<'_> {
    /// Drags an element onto another one, or by an offset in CSS px given as value.
    pub async fn drag(&self, target: &mut Target, value: Option<&Value>) -> Result<(), Failure> {
        let offset: Option<Position> = value.and_then(|value| serde_json::from_value(value.clone()).ok());
        let mut onto = match (&self.options.to, offset) {
            (Some(to), _) => Some(self.find(to).await?),
            (None, Some(_)) => None,
            (None, None) => {
                let hint = "Name the target in options.to, or give {\"x\": 40, \"y\": 0} as value.";
                return Err(Failure::because(Reason::InvalidValue, "nothing says where to drag to", hint));
            }
        };
        let needs = Needs { position: self.options.position, ..Needs::POINTER };
        let from = self.ready(target, needs).await?;
        self.page.call_frame(&target.handle.frame.0, "release", &[], self.deadline).await?;
        let to = match (&mut onto, offset) {
            (Some(onto), _) => {
                let end = self.ready(onto, Needs::SHOWN).await?;
                // Scrolling to the end may have moved the start.
                (end, self.ready(target, Needs { hit: false, ..needs }).await?)
            }
            (None, offset) => {
                let offset = offset.unwrap_or(Position { x: 0.0, y: 0.0 });
                ((from.0 + offset.x, from.1 + offset.y), from)
            }
        };
        let (to, from) = to;
        let mut events = self.page.events();
        let session = self.page.session();
        let intercept = |on: bool| session.call_raw("Input.setInterceptDrags", json!({"enabled": on}), self.deadline);
        self.page.guarded(intercept(true)).await?;
        let dragged = self.drag_between(from, to, &mut events).await;
        self.page.guarded(intercept(false)).await?;
        Ok(dragged?)
    }

    async fn drag_between(
        &self,
        from: (f64, f64),
        to: (f64, f64),
        events: &mut tokio::sync::mpsc::UnboundedReceiver<std::sync::Arc<crate::cdp::router::Event>>,
    ) -> Result<(), PageError> {
        let at = |kind: &str, (x, y): (f64, f64), buttons: u8| json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
        let moved = |(x, y): (f64, f64)| json!({"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1});
        let between = |step: u32| {
            let part = f64::from(step) / f64::from(STEPS);
            (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
        };
        self.mouse(vec![at("mouseMoved", from, 0), at("mousePressed", from, 1)]).await?;
        // The first steps are what begins a drag: the browser wants a few px.
        self.mouse(vec![moved((from.0 + 4.0, from.1 + 4.0)), moved(between(1))]).await?;
        match begun(events).await {
            Some(data) => {
                let drag = |kind: &str, (x, y): (f64, f64)| json!({"type": kind, "x": x, "y": y, "data": data});
                let mut path = vec![drag("dragEnter", between(1))];
                path.extend((2..=STEPS).map(|step| drag("dragOver", between(step))));
                path.push(drag("drop", to));
                let session = self.page.session();
                for event in path {
                    let call = session.call_raw("Input.dispatchDragEvent", event, self.deadline);
                    self.page.guarded(call).await?;
                }
                self.mouse(vec![at("mouseReleased", to, 0)]).await
            }
            None => {
                let mut path: Vec<Value> = (2..=STEPS).map(|step| moved(between(step))).collect();
                path.push(moved(to));
                path.push(at("mouseReleased", to, 0));
                self.mouse(path).await
            }
        }
    }
}

/// The data of a drag that the page has begun.
async fn begun(
    events: &mut tokio::sync::mpsc::UnboundedReceiver<std::sync::Arc<crate::cdp::router::Event>>,
) -> Option<Value> {
    let next = async {
        while let Some(event) = events.recv().await {
            if event.method == "Input.dragIntercepted" {
                return event.parse::<Intercepted>().map(|intercepted| intercepted.data);
            }
        }
        None
    };
    tokio::time::timeout(BEGINS, next).await.ok().flatten()
}
