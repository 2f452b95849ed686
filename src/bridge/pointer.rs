//! The mouse: press, hover and wheel, as the browser's own input.

use futures::future::{join_all, try_join_all};
use serde_json::{Value, json};

use super::{
    control::{Released, read},
    dispatch::Act,
    failure::Failure,
    target::{Attempts, Needs, Target, hint},
};
use crate::{
    page::{error::PageError, frames::FrameId},
    spec::action::{ActionOptions, Reason},
};

/// How many clicks one gesture may have.
const MOST_CLICKS: u32 = 3;

/// What is done at the action point.
#[derive(Debug, Clone)]
pub(crate) struct Gesture {
    /// CDP's name.
    pub button: &'static str,
    pub clicks: u32,
    /// CDP's bits.
    pub modifiers: u8,
}

impl Gesture {
    /// A gesture from an action's options.
    pub fn of(options: &ActionOptions, button: Option<&'static str>, clicks: u32) -> Result<Self, Failure> {
        let button = match (button, options.button.as_deref()) {
            (Some(button), _) => button,
            (None, None | Some("left")) => "left",
            (None, Some("right")) => "right",
            (None, Some("middle")) => "middle",
            (None, Some(other)) => {
                let message = format!("there is no button `{other}`");
                return Err(Failure::because(Reason::InvalidValue, message, "Use left, right or middle."));
            }
        };
        let clicks = options.click_count.unwrap_or(clicks);
        if !(1..=MOST_CLICKS).contains(&clicks) {
            let message = format!("clickCount {clicks} is not 1 to {MOST_CLICKS}");
            return Err(Failure::because(Reason::InvalidValue, message, "Use 1, 2 or 3."));
        }
        Ok(Self { button, clicks, modifiers: modifiers(&options.modifiers)? })
    }

    fn mask(&self) -> u8 {
        match self.button {
            "right" => 2,
            "middle" => 4,
            _ => 1,
        }
    }
}

/// CDP's bits of modifier keys.
pub(crate) fn modifiers(names: &[String]) -> Result<u8, Failure> {
    names.iter().try_fold(0, |bits, name| {
        let bit = match name.as_str() {
            "Alt" => 1,
            "Control" | "Ctrl" => 2,
            "Meta" => 4,
            "Shift" => 8,
            other => {
                let message = format!("there is no modifier `{other}`");
                return Err(Failure::because(Reason::InvalidValue, message, "Use Alt, Control, Meta or Shift."));
            }
        };
        Ok(bits | bit)
    })
}

impl Act<'_> {
    /// Presses an element; gives what received it.
    pub async fn press(&self, target: &mut Target, needs: Needs, gesture: &Gesture) -> Result<Option<String>, Failure> {
        let mut attempts = Attempts::default();
        loop {
            let (x, y) = self.ready(target, needs).await?;
            let others = self.other_frames(target);
            self.block(&others).await;
            let mut events = vec![json!({"type": "mouseMoved", "x": x, "y": y, "modifiers": gesture.modifiers})];
            for click in 1..=gesture.clicks {
                let button = |kind: &str, buttons: u8| {
                    json!({
                        "type": kind, "x": x, "y": y, "button": gesture.button, "buttons": buttons,
                        "clickCount": click, "modifiers": gesture.modifiers,
                    })
                };
                events.push(button("mousePressed", gesture.mask()));
                events.push(button("mouseReleased", 0));
            }
            let sent = self.mouse(events).await;
            let released = self.release(target, &others).await;
            match sent {
                Ok(()) => {}
                // The press closed the tab, or raised a dialog that waits: it has happened.
                Err(PageError::DialogOpen(_) | PageError::Closed) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
            let Some(released) = released else { return Ok(None) };
            if released.hit.is_some() {
                return Ok(released.hit);
            }
            let said = &target.begun.control.said;
            let (message, culprit) = match &released.message {
                Some(culprit) => (format!("{culprit} covers the action point of {said}"), released.culprit.clone()),
                None => (format!("the pointer did not reach {said}"), None),
            };
            let failure = Failure::because(Reason::Covered, message, hint(Reason::Covered, culprit.as_deref()));
            self.again(target, failure, &mut attempts).await?;
        }
    }

    /// Moves the pointer onto an element.
    pub async fn hover(&self, target: &mut Target, needs: Needs, bits: u8) -> Result<(), Failure> {
        let (x, y) = self.ready(target, needs).await?;
        // Moving harms nothing: no guard, so that everything under the pointer hears of it.
        self.release(target, &[]).await;
        self.mouse(vec![json!({"type": "mouseMoved", "x": x, "y": y, "modifiers": bits})]).await?;
        Ok(())
    }

    /// Turns the wheel at a point, by CSS px.
    pub async fn wheel(&self, (x, y): (f64, f64), (right, down): (f64, f64)) -> Result<(), Failure> {
        let events = vec![
            json!({"type": "mouseMoved", "x": x, "y": y}),
            json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": right, "deltaY": down}),
        ];
        Ok(self.mouse(events).await?)
    }

    /// Sends mouse events in order, without waiting for one before the next is on its way.
    pub async fn mouse(&self, events: Vec<Value>) -> Result<(), PageError> {
        let session = self.page.session();
        let calls = events.into_iter().map(|event| session.call_raw("Input.dispatchMouseEvent", event, self.deadline));
        self.page.guarded(try_join_all(calls)).await.map(|_| ())
    }

    /// Frames in which no press may land.
    fn other_frames(&self, target: &Target) -> Vec<FrameId> {
        self.page.frames().into_iter().filter(|frame| *frame != target.handle.frame).collect()
    }

    async fn block(&self, frames: &[FrameId]) {
        // A frame that does not answer gets no guard; the one of the target still says where the press went.
        join_all(frames.iter().map(|frame| self.page.call_frame(&frame.0, "block", &[], self.frame_deadline()))).await;
    }

    /// Takes the guards down. `None` when the target's document went with the press.
    async fn release(&self, target: &Target, others: &[FrameId]) -> Option<Hit> {
        let own = self.page.call_frame(&target.handle.frame.0, "release", &[], self.deadline);
        let rest = others.iter().map(|frame| self.page.call_frame(&frame.0, "release", &[], self.frame_deadline()));
        let (own, rest) = futures::join!(own, join_all(rest));
        let own: Released = read(own.ok()?).ok()?;
        let mut hit = Hit {
            hit: own.hit,
            message: own.message,
            culprit: own.culprit.and_then(|number| self.page.ref_beside(&target.handle, number)),
        };
        if hit.hit.is_none() {
            let elsewhere = rest.into_iter().flatten().filter_map(|said| read::<Released>(said).ok());
            if let Some(found) = elsewhere.into_iter().find(|one| one.message.is_some()) {
                hit.message = found.message;
            }
        }
        Some(hit)
    }
}

/// What a press reached.
struct Hit {
    hit: Option<String>,
    message: Option<String>,
    /// Its ref.
    culprit: Option<String>,
}
