// @ts-check
// The entry points.

/** An element by its number, its WCI id or a CSS selector. @param {{local?: number, id?: string}} query */
function element({ local, id }) {
  if (local) return byNumber(local);
  if (!id) return null;
  /** @type {Element | null} */
  let found = null;
  const css = id.startsWith('css=') ? id.slice(4) : null;
  eachElement(document, (el) => {
    if (found) return;
    if (css === null ? el.getAttribute('data-wci-id') === id : matches(el, css)) found = el;
  });
  return found;
}

/** @param {Element} el @param {string} css */
function matches(el, css) {
  try {
    return el.matches(css);
  } catch {
    return false;
  }
}

/** Ids near a wanted one, for the error. @param {string} wanted */
function nearest(wanted) {
  /** @type {string[]} */
  const ids = [];
  eachElement(document, (el) => {
    const id = el.getAttribute('data-wci-id');
    if (id && ids.length < 200) ids.push(id);
  });
  const score = (/** @type {string} */ id) => id.split(/[-_\s]/).filter((part) => part && wanted.includes(part)).length;
  return ids.sort((a, b) => score(b) - score(a)).slice(0, 5);
}

globalThis.gannet = Object.freeze({
  snapshot, adopt, element, nearest, query, describe, number: numberOf, title: () => clean(document.title),
  text: () => (document.body?.innerText ?? '').toWellFormed(),
  prepare, block, release, viewport, frame, version, rest,
  begin, control: state, conclude, late, focus, selectContent, kept, setNative, committed, select, formOf, submitForm, assign,
});
