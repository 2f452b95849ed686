// @ts-check
// What a person can see of an element: asked of the browser once, of computed style only where it says no.

const styleOf = getComputedStyle.bind(globalThis);

/** Nothing of it is rendered, nor of what is below it. */
const GONE = 0;
/** `visibility: hidden`; what is below may be shown again. */
const UNSEEN = 1;
/** No box of its own (`display: contents`); what is below it is shown. */
const BOXLESS = 2;
/** Fully transparent, by itself or from above. */
const CLEAR = 3;
const SHOWN = 4;

const WITH_VISIBILITY = { visibilityProperty: true };
const WITH_ALL = { visibilityProperty: true, opacityProperty: true };

/** Elements that never show anything. */
const NEVER_SHOWN = new Set([
  'script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base', 'param', 'source', 'track',
  'datalist', 'noembed', 'noframes', 'rp', 'desc', 'metadata', 'defs', 'symbol', 'clippath', 'mask',
]);

/** What was found out while a snapshot is taken: the walk and the names ask the same. @type {Map<Element, number> | null} */
let renderings = null;

/** How an element is rendered whose ancestors are. @param {Element} el */
function rendering(el) {
  const known = renderings?.get(el);
  if (known !== undefined) return known;
  const found = askRendering(el);
  renderings?.set(el, found);
  return found;
}

/** @param {Element} el */
function askRendering(el) {
  if (visibility(el, WITH_ALL)) return SHOWN;
  if (visibility(el, WITH_VISIBILITY)) return CLEAR;
  if (visibility(el)) return UNSEEN;
  const style = styleOf(el);
  if (style.display !== 'contents') return GONE;
  return style.visibility === 'visible' ? BOXLESS : UNSEEN;
}

/** Shown to a person, styles considered; `display: contents` has no box but shows its children. @param {Element} el */
function isShown(el) {
  if (visibility(el, WITH_VISIBILITY)) return true;
  const style = styleOf(el);
  if (style.display !== 'contents' || style.visibility !== 'visible') return false;
  for (let up = parentOf(el); up; up = parentOf(up)) {
    if (visibility(up)) return true;
    if (styleOf(up).display !== 'contents') return false;
  }
  return false;
}

/** Taken out of the accessibility tree by its author. @param {Element} el */
function isAriaHidden(el) {
  const value = attr(el, 'aria-hidden');
  return value !== null && value.toLowerCase() === 'true';
}

/** Clips what is inside it to next to nothing: text for screen readers only. @param {Element} el @param {DOMRect} rect */
function clipsAway(el, rect) {
  if (rect.width > 1 && rect.height > 1) return false;
  const style = styleOf(el);
  if (style.display === 'contents' || style.display === 'inline') return false;
  return (rect.width <= 1 && style.overflowX !== 'visible') || (rect.height <= 1 && style.overflowY !== 'visible')
    || (style.position === 'absolute' && style.clip !== 'auto') || style.clipPath !== 'none';
}

