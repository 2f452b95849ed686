// @ts-check
// Roles by ARIA and HTML-AAM, as Chromium gives them: an explicit valid role wins, then what the element is.

/** @type {Record<string, string>} */
const INPUT_ROLES = {
  button: 'button', checkbox: 'checkbox', color: 'button', date: 'textbox', 'datetime-local': 'textbox',
  email: 'textbox', file: 'button', hidden: '', image: 'button', month: 'textbox', number: 'spinbutton', password: 'textbox',
  radio: 'radio', range: 'slider', reset: 'button', search: 'searchbox', submit: 'button', tel: 'textbox',
  text: 'textbox', time: 'textbox', url: 'textbox', week: 'textbox',
};
/** Input types whose list of suggestions makes a combobox of them. */
const LISTED = new Set(['text', 'search', 'email', 'tel', 'url', 'number', 'date', 'time', 'month', 'week', 'datetime-local']);
/** Elements whose tag alone says what they are. @type {Map<string, string>} */
const ELEMENT_ROLES = new Map(Object.entries({
  article: 'article', aside: 'complementary', button: 'button', dd: 'definition', details: 'group', dialog: 'dialog',
  dt: 'term', fieldset: 'group', figure: 'figure', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading',
  h5: 'heading', h6: 'heading', hr: 'separator', iframe: 'iframe', frame: 'iframe', li: 'listitem',
  main: 'main', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group',
  option: 'option', output: 'status', progress: 'progressbar', search: 'search', table: 'table', tbody: 'rowgroup',
  td: 'cell', textarea: 'textbox', tfoot: 'rowgroup', thead: 'rowgroup', tr: 'row', ul: 'list',
}));
const INTERACTIVE = new Set([
  'button', 'checkbox', 'combobox', 'link', 'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
  'radio', 'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem',
]);
const KNOWN = new Set([
  ...Object.values(INPUT_ROLES), ...ELEMENT_ROLES.values(), ...INTERACTIVE, 'alert', 'alertdialog', 'application',
  'banner', 'columnheader', 'contentinfo', 'feed', 'form', 'grid', 'gridcell', 'img', 'log', 'marquee', 'menu', 'menubar',
  'note', 'radiogroup', 'region', 'rowheader', 'scrollbar', 'tablist', 'tabpanel', 'timer', 'toolbar', 'tooltip', 'tree',
  'treegrid',
]);
KNOWN.delete('');
/** Roles that are others by another name. @type {Map<string, string>} */
const SYNONYMS = new Map(Object.entries({
  image: 'img', directory: 'list', 'doc-backlink': 'link', 'doc-biblioref': 'link', 'doc-glossref': 'link', 'doc-noteref': 'link',
}));
/** Valid roles that say no more than their text does. */
const PLAIN = new Set([
  'blockquote', 'caption', 'code', 'comment', 'deletion', 'document', 'emphasis', 'generic', 'insertion', 'mark',
  'paragraph', 'strong', 'subscript', 'suggestion', 'superscript', 'time',
]);
/** What makes an author's `presentation` void. */
const GLOBAL_ARIA = [
  'aria-label', 'aria-labelledby', 'aria-describedby', 'aria-description', 'aria-live', 'aria-controls', 'aria-owns', 'aria-atomic',
  'aria-busy', 'aria-current', 'aria-details', 'aria-flowto', 'aria-keyshortcuts', 'aria-roledescription', 'aria-relevant',
];
/** Roles that mean nothing outside of their owners. @type {Map<string, Set<string>>} */
const OWNERS = new Map([
  ['option', new Set(['listbox', 'menu', 'suggestion'])],
  ['treeitem', new Set(['tree', 'treeitem'])],
]);
const SVG = 'http://www.w3.org/2000/svg';

/** Whether it takes focus, by the keyboard or by script. @param {Element} el @param {string} tag */
function isFocusable(el, tag) {
  if (hasAttr(el, 'tabindex') && !Number.isNaN(parseInt(attr(el, 'tabindex') ?? '', 10))) return true;
  if (tag === 'a' || tag === 'area') return hasAttr(el, 'href');
  if (tag === 'button' || tag === 'select' || tag === 'textarea') return !fits(el, ':disabled');
  if (tag === 'input') return typeOf(el) !== 'hidden' && !fits(el, ':disabled');
  return tag === 'summary' || tag === 'iframe' || isEditingHost(el);
}

/** The type of an input, as the browser understands it. @param {Element} el @returns {string} */
function typeOf(el) {
  return /** @type {any} */ (el).type;
}

/** The outermost element of something that can be typed into. @param {Element} el */
function isEditingHost(el) {
  const value = attr(el, 'contenteditable');
  if (value === null) return false;
  const said = value.toLowerCase();
  if (said !== '' && said !== 'true' && said !== 'plaintext-only') return false;
  const parent = parentOf(el);
  return !parent || !(parent instanceof HTMLElement) || !editableNow(parent);
}

/** @param {Element} el @param {string} role */
function isOwned(el, role) {
  const owners = OWNERS.get(role);
  if (!owners) return true;
  for (let up = parentOf(el); up; up = parentOf(up)) {
    const above = attr(up, 'role')?.trim().toLowerCase() ?? '';
    if (owners.has(above)) return true;
    if (above && above !== 'group' && above !== 'none' && above !== 'presentation' && above !== 'generic') break;
  }
  const id = attr(el, 'id');
  const top = id ? null : closestTo(el, '[id]');
  const owned = id ?? (top && attr(top, 'id'));
  const owner = owned ? selectIn[/** @type {9} */ (kindOf(rootOf(el)))](rootOf(el), `[aria-owns~="${CSS.escape(owned)}"]`)[0] : null;
  return !!owner;
}

/** The role that the author wrote and that counts: '' for a plain container, null for none. @param {Element} el @param {string} tag @param {string} written @returns {string | null} */
function writtenRole(el, tag, written) {
  for (const token of written.toLowerCase().split(/\s+/)) {
    const role = SYNONYMS.get(token) ?? token;
    if (role === 'none' || role === 'presentation') {
      // What takes focus or is described keeps its semantics whatever its author says.
      if (isFocusable(el, tag) || GLOBAL_ARIA.some((name) => hasAttr(el, name))) return null;
      return '';
    }
    if (PLAIN.has(role)) return '';
    if (!KNOWN.has(role)) continue;
    if ((role === 'region' || role === 'form') && !named(el)) continue;
    if (!isOwned(el, role)) continue;
    return role;
  }
  return null;
}

/** @param {Element} el @returns {string} the role; '' for none */
function roleOf(el) {
  const tag = tagOf(el);
  const written = attr(el, 'role');
  if (written) {
    const role = writtenRole(el, tag, written);
    if (role !== null) return role === '' && isEditingHost(el) ? 'textbox' : role;
  }
  const role = nativeRole(el, tag);
  return role === '' || (role === 'heading' && hasAttr(el, 'contenteditable')) ? (isEditingHost(el) ? 'textbox' : role) : role;
}

/** @param {Element} el @param {string} tag @returns {string} */
function nativeRole(el, tag) {
  switch (tag) {
    case 'div':
    case 'span':
    case 'p':
      return '';
    case 'a':
      if (hasAttr(el, 'href') || hasAttr(el, 'xlink:href')) return 'link';
      return hasAttr(el, 'onclick') ? 'link' : '';
    case 'area':
      return hasAttr(el, 'href') ? 'link' : '';
    case 'input':
      return inputRole(el);
    case 'button':
      return 'button';
    case 'select':
      return isListbox(/** @type {any} */ (el)) ? 'listbox' : 'combobox';
    case 'img':
      return attr(el, 'alt') === '' && !named(el) ? '' : 'img';
    case 'svg':
      return named(el) || svgTitle(el) ? 'img' : '';
    case 'canvas':
      return named(el) ? 'img' : '';
    case 'section':
      return named(el) ? 'region' : '';
    case 'form':
      return named(el) ? 'form' : '';
    case 'header':
      return inSection(el) ? '' : 'banner';
    case 'footer':
      return inSection(el) ? '' : 'contentinfo';
    case 'th':
      return attr(el, 'scope') === 'row' ? 'rowheader' : 'columnheader';
    case 'summary':
      return isSummary(el) ? 'button' : '';
    case 'datalist':
      return '';
    default:
      return ELEMENT_ROLES.get(tag) ?? '';
  }
}

/** @param {Element} el */
function inputRole(el) {
  const type = typeOf(el);
  if (LISTED.has(type) && /** @type {any} */ (el).list) return 'combobox';
  return INPUT_ROLES[type] ?? 'textbox';
}

/** Shows more than one option at once. @param {HTMLSelectElement} select */
function isListbox(select) {
  return select.size > 1 || (select.multiple && select.size !== 1);
}

/** @param {Element} el */
function inSection(el) {
  return closestTo(el, 'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]') !== null;
}

/** What opens and closes a details element. @param {Element} el */
function isSummary(el) {
  const parent = parentNode(el);
  return !!parent && kindOf(parent) === 1 && tagOf(parent) === 'details';
}

/** Named by its author, which makes a landmark of a section or form. @param {Element} el */
function named(el) {
  return (attr(el, 'aria-label') ?? '').trim() !== '' || hasAttr(el, 'aria-labelledby') || (attr(el, 'title') ?? '').trim() !== '';
}

/** The first child of an element that has this tag. @param {Element} el @param {string} tag @returns {Element | null} */
function childOf(el, tag) {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
    if (kindOf(child) === 1 && tagOf(child) === tag) return child;
  }
  return null;
}

/** The title of a drawing, or of the symbol that it uses. @param {Element} el */
function svgTitle(el) {
  const own = childOf(el, 'title');
  if (own) return clean(rawText(own) ?? '');
  const use = childOf(el, 'use');
  const href = use && (attr(use, 'href') ?? attr(use, 'xlink:href'));
  const symbol = href?.startsWith('#') ? byId(el, href.slice(1)) : null;
  const title = symbol && childOf(symbol, 'title');
  return title ? clean(rawText(title) ?? '') : '';
}

/** Reacts to clicks though nothing says so: a handler, a focus stop, or a hand cursor of its own. @param {Element} el @param {boolean} inHand whether what is around it has the hand cursor already */
function isClickable(el, inHand) {
  if (hasAttr(el, 'onclick') || hasAttr(el, 'onmousedown')) return true;
  const tabindex = attr(el, 'tabindex');
  if (tabindex !== null && Number(tabindex) >= 0) return true;
  return !inHand && hasHand(el);
}

