// @ts-check
// Where a press would land, and whether it lands on its target.

/** Boxes of an element in px of the frame's viewport: one for each line of an inline, those of the content where it has none itself. @param {Element} el */
function boxesOf(el) {
  const own = Array.from(rectsOf(el));
  if (own.length) return own;
  const range = rangeIn(document);
  range.selectNodeContents(el);
  return Array.from(range.getClientRects());
}

/** What the viewport and the ancestors leave visible of an element's surroundings. @param {Element} el */
function clipOf(el) {
  const clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  let { position } = getComputedStyle(el);
  for (let up = parentOf(el); up && up !== bodyOf(document) && position !== 'fixed'; up = parentOf(up)) {
    const style = getComputedStyle(up);
    if (position === 'absolute' && style.position === 'static') continue;
    position = style.position;
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    const box = rectOf(up);
    clip.left = Math.max(clip.left, box.left);
    clip.top = Math.max(clip.top, box.top);
    clip.right = Math.min(clip.right, box.right);
    clip.bottom = Math.min(clip.bottom, box.bottom);
  }
  return clip;
}

/** The visible part of the first box that has one, of at least about a pixel. @param {Element} el */
function visiblePart(el) {
  const clip = clipOf(el);
  for (const box of boxesOf(el)) {
    const part = {
      left: Math.max(box.left, clip.left), top: Math.max(box.top, clip.top),
      right: Math.min(box.right, clip.right), bottom: Math.min(box.bottom, clip.bottom),
    };
    const width = part.right - part.left;
    const height = part.bottom - part.top;
    if (width > 0 && height > 0 && width * height > 0.99) return { ...part, box, whole: width * height > box.width * box.height - 1 };
  }
  return null;
}

/** Scrolls the element into view; alignment changes with each attempt, which beats sticky headers. @param {Element} el @param {number} attempt */
function scrollTo(el, attempt) {
  if (attempt === 0 && visiblePart(el)?.whole) return false;
  const block = /** @type {ScrollLogicalPosition} */ (['center', 'start', 'end', 'nearest'][attempt % 4]);
  bringIntoView(el, { block, inline: 'nearest', behavior: 'instant' });
  return true;
}

/** Whether an event at the found element reaches the wanted one: itself, a part of it, or its label. @param {Element} el @param {Element} found */
function reaches(el, found) {
  for (let node = /** @type {Element | null} */ (found); node; node = parentOf(node)) {
    if (node === el) return true;
    if (tagOf(node) === 'label' && /** @type {any} */ (node).control === el) return true;
  }
  return tagOf(el) === 'label' && /** @type {any} */ (el).control === found;
}

/** The deepest element at a point of this frame. @param {number} x @param {number} y */
function deepest(x, y) {
  let found = topIn[9](document, x, y);
  for (;;) {
    const root = found && shadowRoot(found);
    const inner = root && topIn[11](root, x, y);
    if (!inner || inner === found) return found;
    found = inner;
  }
}

/** What a person would press to reach an element: the list of an option, the label of a control that is not shown. @param {Element} el */
function pressable(el) {
  if (tagOf(el) === 'option' || tagOf(el) === 'optgroup') return closestTo(el, 'select') ?? el;
  if (isShown(el) && boxesOf(el).some((box) => box.width * box.height > 0.99)) return el;
  const labels = /** @type {any} */ (el).labels;
  const label = labels && Array.from(labels).find((one) => isShown(/** @type {Element} */ (one)));
  return /** @type {Element} */ (label ?? el);
}

/** Whether a person could not use it now: by itself, or by what it is a part of, through shadow roots. @param {Element} el */
function isDisabled(el) {
  if (fits(el, ':disabled')) return true;
  let aria = attr(el, 'aria-disabled');
  for (let up = /** @type {Element | null} */ (el); up; up = parentOf(up)) {
    if (hasAttr(up, 'inert') || fits(up, 'button:disabled, select:disabled')) return true;
    aria ??= attr(up, 'aria-disabled');
  }
  return aria === 'true';
}

/** The modal dialog that keeps an element from being used. @param {Element} el */
function modalOver(el) {
  const dialogs = /** @type {Element[]} */ (Array.from(countIn(document, 'dialog'))).filter((one) => fits(one, ':modal'));
  for (let up = /** @type {Element | null} */ (el); dialogs.length && up; up = parentOf(up)) {
    if (dialogs.includes(up)) return null;
  }
  return dialogs.at(-1) ?? null;
}

/** Whether an animation that runs now could move the element. @param {Element} el */
function isAnimated(el) {
  return animationsIn(document).some((/** @type {Animation} */ animation) => {
    const target = /** @type {any} */ (animation.effect)?.target;
    return animation.playState === 'running' && target instanceof Element && (target === el || holds(target, el));
  });
}

/** What moved longer ago than this, in ms, would have moved again meanwhile if it still moved. */
const TWO_FRAMES = 34;

/**
 * One look before input: there, visible, enabled, scrolled to, at rest, and the topmost thing at its point. On success
 * the guard is up: what is pressed from now on reaches this element or nothing.
 * @param {Element} el
 * @param {{attempt: number, enabled: boolean, editable: boolean, hit: boolean, position?: {x: number, y: number}}} needs
 */
async function prepare(el, needs) {
  guard = null;
  const fail = (/** @type {string} */ reason, /** @type {string} */ message, /** @type {Element | null | undefined} */ culprit) => ({
    ok: false, reason, message, culprit: culprit ? numberOf(culprit) : null,
  });
  if (!connected(el)) return fail('detached', 'the element was removed');
  const box = pressable(el);
  if (!isShown(box)) return fail('not_visible', `${describe(el)} is not visible`);
  const modal = needs.enabled ? modalOver(box) : null;
  if (modal) return fail('covered', `${describe(modal)} is open and keeps everything else from being used, ${describe(el)} too`, modal);
  if (needs.enabled && isDisabled(el)) return fail('disabled', `${describe(el)} is disabled`);
  if (needs.editable && (/** @type {any} */ (el).readOnly || attr(el, 'aria-readonly') === 'true')) {
    return fail('not_editable', `${describe(el)} is read-only`);
  }
  const scrolled = scrollTo(box, needs.attempt);
  flush();
  const restless = changedAt > restedAt && performance.now() - changedAt < TWO_FRAMES;
  if (scrolled || needs.attempt > 0 || restless || isAnimated(box)) {
    const first = rectOf(box);
    await frame();
    await frame();
    if (!connected(el)) return fail('detached', 'the element was removed');
    const second = rectOf(box);
    if (first.x !== second.x || first.y !== second.y || first.width !== second.width || first.height !== second.height) {
      return fail('not_stable', `${describe(el)} is moving`);
    }
  }
  const part = visiblePart(box);
  if (!part) {
    const area = boxesOf(box).some((one) => one.width * one.height > 0.99);
    return area ? fail('not_in_viewport', `${describe(el)} cannot be scrolled into view`) : fail('not_visible', `${describe(el)} has no area`);
  }
  const from = rectOf(box);
  const x = needs.position ? from.left + needs.position.x : (part.left + part.right) / 2;
  const y = needs.position ? from.top + needs.position.y : (part.top + part.bottom) / 2;
  if (needs.hit) {
    const found = deepest(x, y);
    if (!found || !reaches(box, found)) {
      const message = found ? `${describe(found)} covers the action point of ${describe(el)}` : `nothing can be pressed at the action point of ${describe(el)}`;
      return fail('covered', message, found);
    }
    guard = { target: box, hit: '', culprit: null, decided: false };
  }
  return { ok: true, x, y, width: innerWidth, height: innerHeight, secret: secretOf(el) };
}

/** @type {null | {target: Element | null, hit: string, culprit: Element | null, decided: boolean}} */
let guard = null;

/** @param {Event} event */
function watchInput(event) {
  if (!guard || !event.isTrusted) return;
  const press = event.type === 'pointerdown' || event.type === 'mousedown';
  if (guard.decided && guard.hit) return;
  const { clientX, clientY } = /** @type {MouseEvent} */ (event);
  const found = /** @type {Element | null} */ (event.composedPath().find((one) => one instanceof Element) ?? deepest(clientX, clientY));
  const lands = !!guard.target && !!found && reaches(guard.target, found);
  if (lands && !guard.decided) {
    if (press) {
      guard.decided = true;
      guard.hit = describe(found);
    }
    return;
  }
  if (press) guard.decided = true;
  if (found) guard.culprit = found;
  event.preventDefault();
  event.stopImmediatePropagation();
}
for (const type of ['pointermove', 'mousemove', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu']) {
  addEventListener(type, watchInput, { capture: true, passive: false });
}

/** Lets nothing of the pointer through in this frame: the target is in another one. */
function block() {
  guard = { target: null, hit: '', culprit: null, decided: false };
}

/** Ends the guard and says what happened under it. */
function release() {
  const was = guard;
  guard = null;
  return {
    hit: was?.hit || null,
    culprit: was?.culprit ? numberOf(was.culprit) : null,
    message: was?.culprit ? describe(was.culprit) : null,
  };
}

/** The size of the frame's viewport, as the frame element around it shows it. */
function viewport() {
  return { width: innerWidth, height: innerHeight };
}

/** The next animation frame, or 100 ms where none comes. */
function frame() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}
