// @ts-check
// Accessible names by AccName 1.2: labelledby, label, native alternatives, content, title, placeholder.

const FROM_CONTENT = new Set([
  'button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'radio', 'row', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem',
]);

/** Text of a subtree as a name: alternatives of images, values of embedded controls, hidden parts left out. @param {Node} node @param {number} depth @param {Element | null} own the control being named, which adds nothing to its own label @returns {string} */
function textOf(node, depth = 0, own = null) {
  if (depth > 50) return '';
  let text = '';
  for (const child of childrenOf(node)) {
    if (child.nodeType === Node.TEXT_NODE) {
      text += child.nodeValue;
    } else if (child instanceof Element) {
      if (child === own) continue;
      const tag = child.localName;
      if (tag === 'script' || tag === 'style' || tag === 'template' || tag === 'noscript') continue;
      if (child.getAttribute('aria-hidden') === 'true' || !isShown(child)) continue;
      const label = child.getAttribute('aria-label');
      let part = label || (tag === 'img' ? child.getAttribute('alt') || '' : textOf(child, depth + 1, own));
      if (tag === 'input' && !secretOf(child)) part = /** @type {HTMLInputElement} */ (child).value;
      if (tag === 'select') part = /** @type {HTMLSelectElement} */ (child).selectedOptions[0]?.label || '';
      if (tag === 'svg' && !part) part = child.querySelector('title')?.textContent || '';
      text += getComputedStyle(child).display.startsWith('inline') ? part : ` ${part} `;
    }
  }
  return text;
}

/** @param {Element} el @param {string} attribute */
function byIds(el, attribute) {
  const root = /** @type {Document | ShadowRoot} */ (el.getRootNode());
  const texts = [];
  for (const id of (el.getAttribute(attribute) || '').split(/\s+/)) {
    const other = id && root.getElementById?.(id);
    if (other) texts.push(other.getAttribute('aria-label') || textOf(other));
  }
  return clean(texts.join(' '));
}

/** @param {Element} el @param {string} role */
function nameOf(el, role) {
  const labelled = byIds(el, 'aria-labelledby');
  if (labelled) return labelled;
  const label = clean(el.getAttribute('aria-label') || '');
  if (label) return label;
  const tag = el.localName;
  const labels = /** @type {any} */ (el).labels;
  if (labels?.length && role !== '') {
    const text = clean(Array.from(labels, (one) => textOf(one, 0, el)).join(' '));
    if (text) return text;
  }
  if (tag === 'input') {
    const input = /** @type {HTMLInputElement} */ (el);
    if (['button', 'submit', 'reset'].includes(input.type)) {
      return clean(input.value || { submit: 'Submit', reset: 'Reset', button: '' }[input.type] || '');
    }
    if (input.type === 'image') return clean(input.alt || input.value || input.title || 'Submit');
  }
  if (tag === 'img' || tag === 'area') {
    const alt = clean(el.getAttribute('alt') || '');
    if (alt) return alt;
  }
  if (tag === 'fieldset') {
    const legend = el.querySelector(':scope > legend');
    if (legend) return clean(textOf(legend));
  }
  if (tag === 'table') {
    const caption = el.querySelector(':scope > caption');
    if (caption) return clean(textOf(caption));
  }
  if (tag === 'figure') {
    const caption = el.querySelector(':scope > figcaption');
    if (caption) return clean(textOf(caption));
  }
  if (FROM_CONTENT.has(role) || tag === 'summary') {
    const text = clean(textOf(el));
    if (text) return text;
  }
  const title = clean(el.getAttribute('title') || '');
  if (title) return title;
  return clean(el.getAttribute('placeholder') || el.getAttribute('aria-placeholder') || '');
}

const SECRET = /^(current-password|new-password|one-time-code|cc-number|cc-csc|cc-exp|cc-exp-month|cc-exp-year)$/;

/** Holds a password, a one-time code or card data. @param {Element} el */
function secretOf(el) {
  if (el.localName !== 'input' && el.localName !== 'textarea') return false;
  if (/** @type {HTMLInputElement} */ (el).type === 'password' || el.hasAttribute('data-gannet-was-password')) return true;
  return (el.getAttribute('autocomplete') || '').toLowerCase().split(/\s+/).some((token) => SECRET.test(token));
}

