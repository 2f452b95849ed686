// @ts-check
// Roles by HTML-AAM: an explicit valid role wins, then what the element is.

const INPUT_ROLES = {
  button: 'button', checkbox: 'checkbox', color: 'button', date: 'textbox', 'datetime-local': 'textbox',
  email: 'textbox', file: 'button', image: 'button', month: 'textbox', number: 'spinbutton', password: 'textbox',
  radio: 'radio', range: 'slider', reset: 'button', search: 'searchbox', submit: 'button', tel: 'textbox',
  text: 'textbox', time: 'textbox', url: 'textbox', week: 'textbox',
};
const ELEMENT_ROLES = {
  article: 'article', aside: 'complementary', button: 'button', datalist: 'listbox', dd: 'definition',
  details: 'group', dialog: 'dialog', dt: 'term', fieldset: 'group', figure: 'figure', footer: 'contentinfo',
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', header: 'banner',
  hr: 'separator', iframe: 'iframe', frame: 'iframe', img: 'img', svg: 'img', canvas: 'img', li: 'listitem', main: 'main', math: 'math', menu: 'list',
  meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option', output: 'status',
  p: '', progress: 'progressbar', search: 'search', select: 'combobox', summary: 'button', table: 'table',
  tbody: 'rowgroup', td: 'cell', textarea: 'textbox', tfoot: 'rowgroup', th: 'columnheader', thead: 'rowgroup',
  tr: 'row', ul: 'list',
};
const INTERACTIVE = new Set([
  'button', 'checkbox', 'combobox', 'link', 'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
  'radio', 'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem',
]);
const KNOWN = new Set([
  ...Object.values(INPUT_ROLES), ...Object.values(ELEMENT_ROLES), ...INTERACTIVE, 'alert', 'alertdialog', 'application',
  'columnheader', 'feed', 'form', 'grid', 'gridcell', 'log', 'marquee', 'menu', 'menubar', 'none', 'note',
  'presentation', 'radiogroup', 'region', 'rowheader', 'scrollbar', 'tablist', 'tabpanel', 'timer', 'toolbar',
  'tooltip', 'tree', 'treegrid',
]);

/** @param {Element} el @returns {string} the role; '' for none */
function roleOf(el) {
  for (const role of (el.getAttribute('role') || '').toLowerCase().split(/\s+/)) {
    if (!role || !KNOWN.has(role)) continue;
    // A control that takes focus keeps its semantics whatever its author says.
    if ((role === 'none' || role === 'presentation') && /** @type {any} */ (el).tabIndex >= 0) break;
    return role === 'none' || role === 'presentation' ? '' : role;
  }
  const tag = el.localName;
  if (tag === 'a' || tag === 'area') return el.hasAttribute('href') ? 'link' : '';
  if (tag === 'input') {
    const type = /** @type {HTMLInputElement} */ (el).type;
    if (type === 'hidden') return '';
    const role = INPUT_ROLES[/** @type {keyof INPUT_ROLES} */ (type)] ?? 'textbox';
    return role === 'textbox' && el.hasAttribute('list') ? 'combobox' : role;
  }
  if (tag === 'select') {
    const select = /** @type {HTMLSelectElement} */ (el);
    return select.multiple || select.size > 1 ? 'listbox' : 'combobox';
  }
  if (tag === 'img' && el.getAttribute('alt') === '') return '';
  if ((tag === 'svg' || tag === 'canvas') && !el.hasAttribute('aria-label') && !el.hasAttribute('role')) return '';
  if (tag === 'section') return named(el) ? 'region' : '';
  if (tag === 'form') return named(el) ? 'form' : '';
  if ((tag === 'header' || tag === 'footer') && el.closest('article, aside, main, nav, section')) return '';
  if (tag === 'th' && el.getAttribute('scope') === 'row') return 'rowheader';
  if (tag === 'summary' && parentOf(el)?.localName !== 'details') return '';
  if (/** @type {HTMLElement} */ (el).isContentEditable && !parentOf(el)?.isContentEditable) return 'textbox';
  return ELEMENT_ROLES[/** @type {keyof ELEMENT_ROLES} */ (tag)] ?? '';
}

/** Named by its author, which makes a landmark of a section or form. @param {Element} el */
function named(el) {
  return el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby') || el.hasAttribute('title');
}

/** Reacts to clicks though nothing says so: a handler, a focus stop, or a hand cursor of its own. @param {Element} el @param {CSSStyleDeclaration} style */
function isClickable(el, style) {
  if (el.hasAttribute('onclick') || el.hasAttribute('onmousedown')) return true;
  const tabindex = el.getAttribute('tabindex');
  if (tabindex !== null && Number(tabindex) >= 0) return true;
  if (style.cursor !== 'pointer') return false;
  const parent = parentOf(el);
  return !parent || getComputedStyle(parent).cursor !== 'pointer';
}

