//! The element that an action is for, and when it can be acted on.
//!
//! # Before input
//! 1. The id is resolved. A WCI id or a locator that means nothing yet may come to mean something: it is asked for again
//!    within the patience of the action. A ref that is gone stays gone.
//! 2. The element is visible: styles show it, and a pixel of it has an area. A control that is not shown is reached
//!    through its label.
//! 3. It is enabled: neither `:disabled`, nor inert, nor `aria-disabled`; for text also not read-only.
//! 4. It is scrolled into view where it is not wholly visible; each attempt aligns it differently, which gets it out
//!    from under sticky headers.
//! 5. It is stable: where something moved lately, its box is the same in two frames.
//! 6. The action point is the middle of the visible part of its first box, clipped by viewport and ancestors.
//! 7. The topmost element at that point is the element, a part of it, or its label.
//! 8. From now on a guard in the page lets pointer events through to that element alone, in every frame.
//!
//! What fails is tried again after 0, 20, 100, 100, then each 250 ms, until the patience is over; the last reason is
//! then the error, with the culprit named.

use std::time::Duration;

use serde_json::json;

use super::{
    control::{Begun, Prepared, read},
    dispatch::Act,
    failure::Failure,
};
use crate::{
    page::resolve::Handle,
    spec::action::{Position, Reason},
};

/// Waits between attempts, in ms; the last one repeats.
const WAITS: [u64; 5] = [0, 20, 100, 100, 250];

/// An element with what was seen of it when the action began.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub handle: Handle,
    pub begun: Begun,
}

/// What must hold before the input.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Needs {
    pub enabled: bool,
    pub editable: bool,
    /// The pointer must reach it.
    pub hit: bool,
    pub position: Option<Position>,
}

impl Needs {
    pub const POINTER: Self = Self { enabled: true, editable: false, hit: true, position: None };
    pub const TEXT: Self = Self { enabled: true, editable: true, hit: false, position: None };
    pub const SHOWN: Self = Self { enabled: false, editable: false, hit: false, position: None };
}

/// A counter of attempts, with the waits between them.
#[derive(Debug, Default)]
pub(crate) struct Attempts(usize);

impl Attempts {
    pub fn number(&self) -> usize {
        self.0
    }

    /// Waits before the next attempt; false when there is no time for one.
    pub async fn next(&mut self, act: &Act<'_>) -> bool {
        let wait = Duration::from_millis(WAITS[self.0.min(WAITS.len() - 1)]);
        if act.patience.remaining() <= wait {
            return false;
        }
        self.0 += 1;
        tokio::time::sleep(wait).await;
        true
    }
}

impl Act<'_> {
    /// Step 1.
    pub async fn find(&self, id: &str) -> Result<Target, Failure> {
        let mut attempts = Attempts::default();
        loop {
            let handle = self.page.resolve_within(id, self.patience, self.deadline).await?;
            match self.begin(handle).await {
                // Its frame went between the two looks.
                Err(failure) if failure.is_about_the_element() && !is_ref(id) && attempts.next(self).await => {}
                begun => return begun,
            }
        }
    }

    /// The first look at an element.
    pub async fn begin(&self, handle: Handle) -> Result<Target, Failure> {
        let begun = read(self.page.call(&handle, "begin", &[], self.deadline).await?)?;
        Ok(Target { handle, begun })
    }

    /// Steps 2 to 8: the action point in px of the top frame's viewport.
    pub async fn ready(&self, target: &mut Target, needs: Needs) -> Result<(f64, f64), Failure> {
        let mut attempts = Attempts::default();
        loop {
            let failure = match self.look(target, needs, attempts.number()).await {
                Ok(point) => return Ok(point),
                Err(failure) => failure,
            };
            self.again(target, failure, &mut attempts).await?;
        }
    }

    /// Waits for another attempt after a failure that may pass; gives the failure back when it may not.
    pub async fn again(&self, target: &mut Target, failure: Failure, attempts: &mut Attempts) -> Result<(), Failure> {
        let passes = failure.is_about_the_element()
            || matches!(&failure, Failure::Action(error) if error.reason.is_some_and(may_pass));
        if !passes || !attempts.next(self).await {
            return Err(failure);
        }
        if failure.is_about_the_element() {
            if is_ref(self.target) {
                return Err(failure);
            }
            *target = self.find(self.target).await?;
        }
        Ok(())
    }

    async fn look(&self, target: &Target, needs: Needs, attempt: usize) -> Result<(f64, f64), Failure> {
        let position = needs.position.map(|position| json!({"x": position.x, "y": position.y}));
        let wanted = json!({
            "attempt": attempt, "enabled": needs.enabled, "editable": needs.editable, "hit": needs.hit,
            "position": position,
        });
        let seen: Prepared = read(self.page.call(&target.handle, "prepare", &[wanted], self.deadline).await?)?;
        if !seen.ok {
            return Err(self.refusal(target, &seen));
        }
        let (point, size) = ((seen.x, seen.y), (seen.width, seen.height));
        Ok(self.page.to_top(&target.handle.frame, point, size, self.deadline).await?)
    }

    fn refusal(&self, target: &Target, seen: &Prepared) -> Failure {
        let reason = seen.reason.unwrap_or(Reason::Unsupported);
        let message = seen.message.clone().unwrap_or_default();
        let culprit = seen.culprit.and_then(|number| self.page.ref_beside(&target.handle, number));
        Failure::because(reason, message, hint(reason, culprit.as_deref()))
    }
}

/// What to do about it.
pub(crate) fn hint(reason: Reason, culprit: Option<&str>) -> String {
    match (reason, culprit) {
        (Reason::Covered, Some(culprit)) => format!("Close or move what covers it first: {culprit}."),
        (Reason::Covered, None) => "Close what covers it first, or scroll.".into(),
        (Reason::NotVisible, _) => "Open the menu, tab or section that shows it first.".into(),
        (Reason::Disabled, _) => "Fill or choose first what enables it.".into(),
        (Reason::NotStable, _) => "Wait until it rests, then repeat.".into(),
        (Reason::NotInViewport, _) => "Scroll its container first.".into(),
        (Reason::NotEditable, _) => "Choose another field.".into(),
        _ => "Take a new view.".into(),
    }
}

fn may_pass(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Covered
            | Reason::NotVisible
            | Reason::Disabled
            | Reason::NotStable
            | Reason::NotInViewport
            | Reason::NotEditable
    )
}

fn is_ref(id: &str) -> bool {
    let last = id.rsplit(" >> ").next().unwrap_or(id).trim();
    last.strip_prefix('e').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
