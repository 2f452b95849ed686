// @ts-check
// Where a press would land, and whether it lands on its target.

/** Scrolls the element into view; alignment changes with each attempt, which beats sticky headers. @param {Element} el @param {number} attempt */
function scrollTo(el, attempt) {
  const rect = el.getBoundingClientRect();
  const inside = rect.top >= 0 && rect.left >= 0 && rect.bottom <= innerHeight && rect.right <= innerWidth;
  if (inside && attempt === 0) return;
  const block = /** @type {ScrollLogicalPosition} */ (['center', 'start', 'end', 'nearest'][attempt % 4]);
  el.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
}

/** Whether an event at the found element reaches the wanted one: itself, a part of it, or its label. @param {Element} el @param {Element} found */
function reaches(el, found) {
  for (let node = /** @type {Element | null} */ (found); node; node = parentOf(node)) {
    if (node === el) return true;
    if (node.localName === 'label' && /** @type {any} */ (node).control === el) return true;
  }
  return el.localName === 'label' && /** @type {any} */ (el).control === found;
}

/** The deepest element at a point of this frame. @param {number} x @param {number} y */
function deepest(x, y) {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

/**
 * One look before a press: visible, enabled, scrolled to, stable, and the topmost thing at its point.
 * @param {Element} el @param {{attempt: number, needsEnabled: boolean, position?: {x: number, y: number}}} options
 */
async function prepare(el, options) {
  if (!el.isConnected) return { ok: false, reason: 'detached', message: 'the element was removed' };
  const box = el.localName === 'option' && el.closest('select') ? /** @type {Element} */ (el.closest('select')) : el;
  if (!isShown(box)) return { ok: false, reason: 'not_visible', message: `${describe(el)} is not visible` };
  if (options.needsEnabled && (el.matches(':disabled') || el.closest('[aria-disabled="true"]'))) {
    return { ok: false, reason: 'disabled', message: `${describe(el)} is disabled` };
  }
  scrollTo(box, options.attempt);
  const first = box.getBoundingClientRect();
  if (box.getAnimations({ subtree: false }).length || performance.now() - lastMutation < 100 || options.attempt > 0) {
    await frame();
    await frame();
    const second = box.getBoundingClientRect();
    if (first.x !== second.x || first.y !== second.y || first.width !== second.width || first.height !== second.height) {
      return { ok: false, reason: 'not_stable', message: `${describe(el)} is moving` };
    }
  }
  const rects = Array.from(box.getClientRects()).map((rect) => ({
    left: Math.max(rect.left, 0), top: Math.max(rect.top, 0),
    right: Math.min(rect.right, innerWidth), bottom: Math.min(rect.bottom, innerHeight),
  }));
  const rect = rects.find((one) => (one.right - one.left) * (one.bottom - one.top) > 0.99);
  if (!rect) {
    const outside = first.width > 0 && first.height > 0;
    return { ok: false, reason: outside ? 'not_in_viewport' : 'not_visible', message: `${describe(el)} ${outside ? 'cannot be scrolled into view' : 'has no area'}` };
  }
  const x = options.position ? first.left + options.position.x : (rect.left + rect.right) / 2;
  const y = options.position ? first.top + options.position.y : (rect.top + rect.bottom) / 2;
  const found = deepest(x, y);
  if (!found || !reaches(box, found)) {
    return {
      ok: false, reason: 'covered', culprit: found ? numberOf(found) : undefined,
      message: found ? `${describe(found)} covers the action point of ${describe(el)}` : `nothing is at the action point of ${describe(el)}`,
    };
  }
  return { ok: true, x, y, hit: describe(found) };
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

let lastMutation = 0;
let mutations = 0;
const observed = new WeakSet();

/** Watches a root and, as they appear, the open shadow roots below it. @param {Node} root */
function watch(root) {
  if (observed.has(root)) return;
  observed.add(root);
  new MutationObserver((records) => {
    mutations += records.length;
    lastMutation = performance.now();
  }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}
watch(document);
addEventListener('input', () => (mutations += 1), true);
addEventListener('change', () => (mutations += 1), true);
addEventListener('scroll', () => (mutations += 1), true);
addEventListener('focusin', () => (mutations += 1), true);

/** Resolves once nothing has changed for `quiet` ms, or after `most` ms. @param {number} quiet @param {number} most */
async function settle(quiet, most) {
  const start = performance.now();
  await frame();
  while (performance.now() - start < most) {
    const since = performance.now() - Math.max(lastMutation, start);
    if (since >= quiet) break;
    await new Promise((resolve) => setTimeout(resolve, Math.min(quiet - since + 1, 20)));
  }
  return { mutations, took: performance.now() - start };
}

