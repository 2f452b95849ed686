// @ts-check
// Facts of one control: value, states, options. Never the value of a secret.

const MAX_OPTIONS = 200;
const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
/** Input types that hold no value a person reads. */
const VALUELESS = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'hidden']);
const EDITABLE = new Set(['textbox', 'searchbox', 'spinbutton']);
const LEVELLED = new Set(['heading', 'treeitem', 'row', 'listitem', 'comment']);

/** `true`, `false` or `mixed`; undefined for anything else. @param {string | null} value */
function threeWay(value) {
  return value === 'true' || value === 'false' || value === 'mixed' ? value : undefined;
}

/** @param {Element} el @param {string} tag @param {string} role */
function checkedState(el, tag, role) {
  if (tag === 'input') {
    const any = /** @type {any} */ (el);
    if (any.type === 'checkbox') return any.indeterminate ? 'mixed' : String(any.checked);
    if (any.type === 'radio') return String(any.checked);
  }
  const said = threeWay(attr(el, 'aria-checked'));
  return said ?? (CHECKABLE.has(role) ? 'false' : undefined);
}

/** @param {Element} el @param {string} tag */
function expandedState(el, tag) {
  const said = attr(el, 'aria-expanded');
  if (said === 'true' || said === 'false') return said === 'true';
  if (tag === 'summary' && isSummary(el)) return hasAttr(parentNode(el), 'open');
  return undefined;
}

/** The value that a person sees in a control. @param {Element} el @param {string} tag @param {string} role @returns {string | undefined} */
function valueState(el, tag, role) {
  const any = /** @type {any} */ (el);
  if (tag === 'select') return Array.from(any.selectedOptions, (/** @type {any} */ option) => clean(option.label)).join(', ');
  if (tag === 'textarea') return cut(any.value.toWellFormed());
  if (tag === 'input' && any.type === 'file') return Array.from(any.files ?? [], (/** @type {any} */ file) => file.name.toWellFormed()).join(', ');
  const said = attr(el, 'aria-valuetext');
  if (tag === 'input') {
    if (said && any.type === 'range') return cut(clean(said));
    return VALUELESS.has(any.type) ? undefined : cut(any.value.toWellFormed());
  }
  if (said) return cut(clean(said));
  const now = attr(el, 'aria-valuenow');
  if (now) return cut(clean(now));
  if (tag === 'progress') return any.position < 0 ? undefined : String(any.value);
  if (tag === 'meter') return String(any.value);
  if (role === 'textbox' || role === 'searchbox') return el instanceof HTMLElement ? cut(clean(shownText(el) ?? '')) : undefined;
  return undefined;
}

/** @param {any} select */
function selectOptions(select) {
  const found = [];
  for (const option of select.options) {
    if (found.length >= MAX_OPTIONS) break;
    if (hasAttr(option, 'hidden')) continue;
    found.push({
      label: cut(clean(option.label)), value: option.value.toWellFormed(), selected: option.selected, disabled: fits(option, ':disabled'),
    });
  }
  return found;
}

/** @param {Element} el @param {string} role @param {string} tag */
function levelOf(el, role, tag) {
  const said = parseInt(attr(el, 'aria-level') ?? '', 10);
  if (said > 0) return said;
  if (role !== 'heading') return undefined;
  return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
}

/** @param {Element} el @param {string} tag @param {string} role @param {any} node @param {boolean} disabled something around it is */
function addStates(el, tag, role, node, disabled) {
  const any = /** @type {any} */ (el);
  const control = tag === 'input' || tag === 'select' || tag === 'textarea' || tag === 'button';
  const type = tag === 'input' ? any.type : '';
  if (disabled || (control || tag === 'fieldset' ? fits(el, ':disabled') : false)) node.disabled = true;
  if (LEVELLED.has(role)) {
    const level = levelOf(el, role, tag);
    if (level) node.level = level;
  }
  const checked = checkedState(el, tag, role);
  // A box that its author calls a button is pressed, not checked.
  if (checked && role === 'button') node.pressed = checked;
  else if (checked) node.checked = checked;
  const expanded = expandedState(el, tag);
  if (expanded !== undefined) node.expanded = expanded;
  addWrittenStates(el, node);
  if (control) {
    if (any.required === true) node.required = true;
    if (any.readOnly === true) node.readonly = true;
    if (tag !== 'button' && fits(el, ':user-invalid')) node.invalid = true;
    if (any.multiple === true) node.multiple = true;
    if (tag === 'select') node.options = selectOptions(any);
    if (type) node.inputType = type;
    if (any.placeholder) node.placeholder = cut(clean(any.placeholder));
    if (any.name && node.interactive) node.htmlName = any.name.toWellFormed();
  }
  if (secretOf(el)) {
    node.secret = true;
    delete node.options;
  } else {
    const value = valueState(el, tag, role);
    if (value !== undefined) node.value = value;
  }
  if (EDITABLE.has(role) || (role === 'combobox' && tag === 'input')) node.editable = !node.readonly && !node.disabled;
  if (role === 'link') {
    const { href } = any;
    if (href) node.href = (typeof href === 'string' ? href : String(href.baseVal ?? '')).toWellFormed();
  }
}

/** States that stand in `aria-` attributes only. @param {Element} el @param {any} node */
function addWrittenStates(el, node) {
  const pressed = threeWay(attr(el, 'aria-pressed'));
  if (pressed) node.pressed ??= pressed;
  const selected = attr(el, 'aria-selected');
  if (selected === 'true' || selected === 'false') node.selected = selected === 'true';
  const current = attr(el, 'aria-current');
  if (current && current !== 'false') node.current = cut(clean(current));
  if (attr(el, 'aria-required') === 'true') node.required = true;
  if (attr(el, 'aria-readonly') === 'true') node.readonly = true;
  if (attr(el, 'aria-multiselectable') === 'true') node.multiple = true;
  const invalid = attr(el, 'aria-invalid');
  if (invalid && invalid !== 'false') node.invalid = true;
  const sort = attr(el, 'aria-sort');
  if (sort && sort !== 'none') node.sort = cut(clean(sort));
}

