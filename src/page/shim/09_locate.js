// @ts-check
// From a locator to element numbers, and the names of near misses.

const MOST_FOUND = 5;

/** Elements that a label names. */
const LABELLED = 'input, select, textarea, button, meter, output, progress, [contenteditable], [role], [aria-label], [aria-labelledby]';

/**
 * Text as a person compares it: exact matches if there are any, else those that contain it whatever the case.
 * @param {Element[]} found @param {(el: Element) => string} read @param {{text: string, exact: boolean}} wanted
 */
function byText(found, read, wanted) {
  const text = clean(wanted.text);
  const lower = text.toLowerCase();
  /** @type {Element[]} */
  const exact = [];
  /** @type {Element[]} */
  const loose = [];
  for (const el of found) {
    const said = clean(read(el));
    if (said === text) exact.push(el);
    else if (lower && said.toLowerCase().includes(lower)) loose.push(el);
  }
  return exact.length || wanted.exact ? exact : loose;
}

/** All elements that pass, open shadow roots included. @param {(el: Element) => boolean} passes */
function every(passes) {
  /** @type {Element[]} */
  const found = [];
  eachElement(document, (el) => {
    if (passes(el)) found.push(el);
  });
  return found;
}

/** What a person reads on an element. @param {Element} el */
function saidOf(el) {
  const input = /** @type {HTMLInputElement} */ (el);
  if (tagOf(el) === 'input') return ['button', 'submit', 'reset'].includes(input.type) ? input.value : '';
  return textOf(el);
}

/** Shown elements whose text is wanted, innermost ones only. @param {{text: string, exact: boolean}} wanted */
function byOwnText(wanted) {
  const text = clean(wanted.text).toLowerCase();
  const skipped = new Set(['html', 'head', 'body', 'script', 'style', 'template', 'noscript', 'title']);
  // The raw text is cheap and holds at least what is shown.
  const near = every((el) => !skipped.has(tagOf(el))
    && clean(tagOf(el) === 'input' ? /** @type {any} */ (el).value : rawText(el) ?? '').toLowerCase().includes(text)
    && !secretOf(el) && isShown(el));
  const found = byText(near, saidOf, wanted);
  const outer = new Set();
  for (const el of found) for (let up = parentOf(el); up; up = parentOf(up)) outer.add(up);
  return found.filter((el) => !outer.has(el));
}

/** @param {string} kind @param {any} one @param {any} other @returns {Element[]} */
function matching(kind, one, other) {
  if (kind === 'wci') return every((el) => attr(el, 'data-wci-id') === one);
  if (kind === 'testid') return every((el) => attr(el, 'data-testid') === one);
  if (kind === 'css') return every((el) => fits(el, one));
  if (kind === 'text') return byOwnText(one);
  if (kind === 'label') {
    const labelled = every((el) => fits(el, LABELLED) && isShown(el));
    return byText(labelled, (el) => nameOf(el, roleOf(el) || 'textbox'), one);
  }
  const found = every((el) => roleOf(el) === one && attr(el, 'aria-hidden') !== 'true' && isShown(el));
  return other ? byText(found, (el) => nameOf(el, one), other) : found;
}

/**
 * Numbers of the elements that a locator means, in document order; `error` for a selector that does not parse.
 * @param {'wci' | 'css' | 'role' | 'label' | 'text' | 'testid'} kind @param {any} one @param {any} other
 */
function query(kind, one, other) {
  try {
    if (kind === 'css') all(fragmentIn(document), one);
    const found = matching(kind, one, other);
    const first = found.slice(0, MOST_FOUND);
    return { total: found.length, ids: first.map(numberOf), said: first.map(candidate) };
  } catch (error) {
    return { total: 0, ids: [], said: [], error: String(/** @type {any} */ (error).message) };
  }
}

/** `button "Go"`, or the tag of what has no role. @param {Element} el */
function candidate(el) {
  const role = roleOf(el);
  const name = role ? nameOf(el, role) : '';
  return name ? `${role} "${cut(name).slice(0, 60).toWellFormed()}"` : describe(el).toWellFormed();
}
