// @ts-check
// Accessible names and descriptions by AccName 1.2 and HTML-AAM, with the spaces that Chromium puts between parts.

const FROM_CONTENT = new Set([
  'button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'radio', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem',
]);
/** Roles that add nothing of their content to the name of what is around them. */
const NO_CONTENT = new Set([
  'alert', 'alertdialog', 'application', 'article', 'banner', 'complementary', 'dialog', 'feed', 'figure', 'form', 'grid',
  'group', 'iframe', 'log', 'main', 'marquee', 'math', 'menu', 'menubar', 'meter', 'navigation', 'note', 'progressbar',
  'radiogroup', 'scrollbar', 'search', 'separator', 'slider', 'spinbutton', 'status', 'tablist', 'tabpanel', 'timer',
  'toolbar', 'tree', 'treegrid',
]);

/** Whether an element keeps its content out of the name of what is around it. @param {Element} el @param {string} tag @param {string} role */
function keepsContent(el, tag, role) {
  if (tag === 'blockquote' || tag === 'hgroup' || tag === 'form') return true;
  // Without a written role a table may be there for the layout only.
  return (NO_CONTENT.has(role) && tag !== 'details') || (role === 'table' && hasAttr(el, 'role'));
}

const MAX_DEPTH = 60;
const MAX_NAME = 4000;

/**
 * How a subtree is read. `own` is the control being named, which adds nothing to its own label; `everything` reads a
 * hidden label, too; `referred` is a text that an id led to: it leads no further.
 * @typedef {{own: Element | null, everything: boolean, referred: boolean, role: string, depth: number}} Reading
 */

/** Text of a subtree as a name: alternatives of images, values of embedded controls, hidden parts left out. @param {Node} node @param {Element | null} own */
function textOf(node, own = null) {
  refreshStyles();
  return contentOf(/** @type {Element} */ (node), { own, everything: false, referred: false, role: '', depth: 0 }, false);
}

/** @param {Element} el @param {Reading} how @param {boolean} unseen text of `el` itself is invisible @returns {string} */
function contentOf(el, how, unseen) {
  if (how.depth > MAX_DEPTH) return '';
  if (!unseen && holdsTextOnly(el) && !hasAttr(el, 'aria-owns')) {
    const text = shownLetters(rawText(el) ?? '', el);
    return styles.selector === NO_SELECTOR ? text : generated(el, '::before') + text + generated(el, '::after');
  }
  const inside = { ...how, depth: how.depth + 1 };
  let text = unseen ? '' : generated(el, '::before');
  const closed = !how.everything && tagOf(el) === 'details' && !hasAttr(el, 'open');
  for (const child of childrenOf(el)) {
    const kind = kindOf(child);
    if (closed && kind === 3) continue;
    if (kind === 3) {
      if (!unseen) text += shownLetters(dataOf(child), el);
    } else if (kind === 1 && child !== how.own) text += partOf(/** @type {Element} */ (child), inside);
    if (text.length > MAX_NAME) break;
  }
  if (hasAttr(el, 'aria-owns')) for (const owned of referred(el, 'aria-owns')) text += ` ${partOf(owned, inside)} `;
  return unseen ? text : text + generated(el, '::after');
}

/** What an element adds to the name of what is around it, with spaces where a box or another source of text begins. @param {Element} el @param {Reading} how @returns {string} */
function partOf(el, how) {
  const tag = tagOf(el);
  if (tag === 'br' || tag === 'wbr') return ' ';
  if (NEVER_SHOWN.has(tag) || tag === 'rt') return '';
  let unseen = false;
  let display = '';
  if (!how.everything) {
    if (isAriaHidden(el)) return '';
    const shown = rendering(el);
    if (shown === GONE) return '';
    unseen = shown === UNSEEN;
    if (shown === BOXLESS) display = 'contents';
  }
  const other = unseen ? '' : otherTextOf(el, tag, how);
  if (other !== null && !unseen) return ` ${other} `;
  const role = roleOf(el);
  if (keepsContent(el, tag, role)) return titlePart(el);
  if (how.role === 'treeitem' && (role === 'group' || role === 'treeitem')) return '';
  const text = contentOf(el, how, unseen);
  if (!text.trim()) return unseen || role === '' ? text : titlePart(el) || text;
  if (BLOCKS.has(tag)) return ` ${text} `;
  display ||= styleOf(el).display;
  return display === 'inline' || display === 'contents' || display.startsWith('ruby') ? text : ` ${text} `;
}

/** @param {Element} el */
function titlePart(el) {
  const title = attr(el, 'title');
  return title && title.trim() ? ` ${title} ` : '';
}

/** Text that stands for an element's content in somebody else's name; null when the content does. @param {Element} el @param {string} tag @param {Reading} how @returns {string | null} */
function otherTextOf(el, tag, how) {
  if (!how.referred && hasAttr(el, 'aria-labelledby')) {
    const text = byIds(el, 'aria-labelledby');
    if (text) return text;
  }
  const value = embeddedValue(el, tag);
  const label = attr(el, 'aria-label');
  if (label && label.trim() && (value === null || value === '')) return label;
  if (value !== null) return value;
  switch (tag) {
    case 'img':
      return (attr(el, 'alt') ?? '') || (attr(el, 'title') ?? '');
    case 'svg':
      return hasAttr(el, 'role') && roleOf(el) === '' ? null : svgTitle(el) || null;
    case 'iframe':
    case 'embed':
    case 'object':
      return attr(el, 'title') ?? '';
    case 'canvas':
      return contentOf(el, { ...how, everything: true }, false);
    case 'video':
    case 'audio':
      return '';
    case 'optgroup':
      return attr(el, 'label') ?? '';
    default:
      return namespaceOf(el) === SVG ? svgTitle(el) || null : null;
  }
}

/** The value that an embedded control has in a sentence, as in `every [5] minutes`; null for what is no such control. @param {Element} el @param {string} tag @returns {string | null} */
function embeddedValue(el, tag) {
  const any = /** @type {any} */ (el);
  if (tag === 'input') {
    if (secretOf(el)) return '';
    const role = roleOf(el);
    if (role === 'textbox' || role === 'searchbox' || role === 'spinbutton' || role === 'slider' || role === 'combobox') return any.value;
    return nativeText(el, tag, role);
  }
  if (tag === 'textarea') return secretOf(el) ? '' : any.value;
  if (tag === 'select') return Array.from(any.selectedOptions, (/** @type {any} */ option) => option.label).join(' ');
  if (tag === 'progress' || tag === 'meter') return tag === 'progress' && any.position < 0 ? '' : String(any.value);
  if (!hasAttr(el, 'role')) return null;
  switch (roleOf(el)) {
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'progressbar':
    case 'meter':
      return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || '';
    case 'combobox':
    case 'listbox':
      return all(el, '[role=option][aria-selected=true]').map((one) => textOf(one)).join(' ');
    default:
      return null;
  }
}

/** Texts of the elements that an attribute names, hidden ones too. @param {Element} el @param {string} attribute */
function byIds(el, attribute) {
  const texts = [];
  for (const other of referred(el, attribute)) {
    const label = attr(other, 'aria-label');
    if (label && label.trim()) {
      texts.push(label);
      continue;
    }
    const tag = tagOf(other);
    const everything = !isReadable(other);
    const value = embeddedValue(other, tag) ?? (tag === 'img' ? attr(other, 'alt') ?? '' : null);
    const native = value ?? nativeText(other, tag, roleOf(other));
    texts.push(native || contentOf(other, { own: null, everything, referred: true, role: '', depth: 0 }, false) || (attr(other, 'title') ?? ''));
  }
  return clean(texts.join(' '));
}

/** Neither style nor its author hides it, here or above. @param {Element} el */
function isReadable(el) {
  if (!isShown(el)) return false;
  for (let up = /** @type {Element | null} */ (el); up; up = parentOf(up)) if (isAriaHidden(up)) return false;
  return true;
}

/** Labels by control, while a snapshot is taken: `labels` searches the document for each control. @type {Map<Element, Element[]> | null} */
let labelIndex = null;

function indexLabels() {
  labelIndex = new Map();
  for (const label of all(document, 'label')) {
    const { control } = /** @type {any} */ (label);
    if (!control) continue;
    const known = labelIndex.get(control);
    if (known) known.push(label);
    else labelIndex.set(control, [label]);
  }
}

/** @param {Element} el @returns {Element[]} */
function labelsOf(el) {
  if (labelIndex && rootOf(el) === document) return labelIndex.get(el) ?? [];
  return Array.from(/** @type {any} */ (el).labels ?? []);
}

/** @param {Element} el */
function labelText(el) {
  const texts = [];
  for (const label of labelsOf(el)) {
    if (!isShown(label)) continue;
    const said = attr(label, 'aria-label');
    texts.push(said && said.trim() ? said : contentOf(label, { own: el, everything: false, referred: true, role: '', depth: 0 }, false));
  }
  return clean(texts.join(' '));
}

const DEFAULT_NAMES = { submit: 'Submit', reset: 'Reset', image: 'Submit' };

/** What HTML itself says an element is called. @param {Element} el @param {string} tag @param {string} role @returns {string} */
function nativeText(el, tag, role) {
  const any = /** @type {any} */ (el);
  /** @param {string} part */
  const child = (part) => {
    const found = childOf(el, part);
    return found && isShown(found) ? clean(textOf(found)) : '';
  };
  switch (tag) {
    case 'input': {
      const text = labelText(el);
      const type = typeOf(el);
      if (text) return text;
      if (type === 'submit' || type === 'reset' || type === 'button') {
        return clean(any.value) || (hasAttr(el, 'value') ? '' : DEFAULT_NAMES[/** @type {'reset'} */ (type)] ?? '');
      }
      if (type === 'file') return clean(attr(el, 'title') || (any.multiple ? 'Choose Files' : 'Choose File'));
      if (type === 'image') return clean(attr(el, 'alt') || any.value || attr(el, 'title') || DEFAULT_NAMES.image);
      return '';
    }
    case 'textarea':
    case 'select':
    case 'button':
    case 'meter':
    case 'progress':
    case 'output':
      return labelText(el);
    case 'img':
    case 'area':
      return clean(attr(el, 'alt') ?? '');
    case 'fieldset':
      return child('legend');
    case 'table':
      return child('caption');
    case 'figure':
      return child('figcaption');
    case 'optgroup':
    case 'option':
      return clean(attr(el, 'label') ?? '');
    default:
      return namespaceOf(el) === SVG && role !== '' ? svgTitle(el) : '';
  }
}

/** @param {Element} el @param {string} role */
function nameOf(el, role) {
  if (hasAttr(el, 'aria-labelledby')) {
    const labelled = byIds(el, 'aria-labelledby');
    if (labelled) return labelled;
  }
  const label = attr(el, 'aria-label');
  if (label !== null) {
    const said = clean(label);
    if (said) return said;
  }
  const tag = tagOf(el);
  const native = nativeText(el, tag, role);
  if (native) return native;
  if (FROM_CONTENT.has(role) && tag !== 'input' && tag !== 'select') {
    refreshStyles();
    const text = clean(contentOf(el, { own: null, everything: false, referred: false, role, depth: 0 }, false));
    if (text) return text;
  }
  const title = attr(el, 'title');
  if (title !== null) {
    const said = clean(title);
    if (said) return said;
  }
  return clean(attr(el, 'placeholder') || attr(el, 'aria-placeholder') || '');
}

/** What is said beside the name. @param {Element} el @param {string} name */
function descriptionOf(el, name) {
  const described = hasAttr(el, 'aria-describedby') ? byIds(el, 'aria-describedby') : '';
  const text = described || clean(attr(el, 'aria-description') || attr(el, 'title') || '');
  return text === name ? '' : text;
}

const SECRET = /^(current-password|new-password|one-time-code|cc-number|cc-csc|cc-exp|cc-exp-month|cc-exp-year)$/;
/** Fields that were a password field once: a "show password" switch does not make the value public. */
const onceSecret = new WeakSet();

/** Holds a password, a one-time code or card data. @param {Element} el */
function secretOf(el) {
  const tag = tagOf(el);
  if (tag !== 'input' && tag !== 'textarea') return false;
  if (tag === 'input' && typeOf(el) === 'password') onceSecret.add(el);
  if (onceSecret.has(el) || hasAttr(el, 'data-gannet-was-password')) return true;
  const hint = attr(el, 'autocomplete');
  return hint !== null && hint.toLowerCase().split(/\s+/).some((token) => SECRET.test(token));
}

