// @ts-check
// Reading and writing controls. Keys and pointer come from the browser; what no key can do natively headless
// (a select's popup, a date field's segments) goes through the native setter and is read back.

/** Everything an action needs to know of an element. @param {Element} el */
function state(el) {
  const any = /** @type {any} */ (el);
  const secret = secretOf(el);
  const editable = any.isContentEditable === true;
  const checkable = tagOf(el) === 'input' && (any.type === 'checkbox' || any.type === 'radio');
  const ariaChecked = attr(el, 'aria-checked');
  const file = tagOf(el) === 'input' && any.type === 'file';
  const valued = ['input', 'textarea', 'select'].includes(tagOf(el)) && !file;
  return {
    tag: tagOf(el), type: tagOf(el) === 'input' || tagOf(el) === 'button' ? any.type : '', role: roleOf(el), secret,
    value: secret ? null : valued ? any.value.toWellFormed() : editable ? any.innerText.toWellFormed() : null,
    empty: valued ? any.value === '' : editable ? !rawText(el) : true,
    checked: checkable ? any.checked : ariaChecked === null ? null : ariaChecked === 'true',
    files: file ? Array.from(any.files, (one) => /** @type {File} */ (one).name.toWellFormed()) : null,
    disabled: isDisabled(el), editable, multiple: any.multiple === true,
    validity: any.willValidate && any.validity && !any.validity.valid ? any.validationMessage : null,
    href: attr(el, 'href'), base: document.baseURI, url: location.href,
    focused: hasFocus(el) || (editable && holds(el, focusIn(document))),
    wciId: attr(el, 'data-wci-id'), annotated: hasAttr(el, 'data-wci-id') || hasAttr(el, 'data-wci-role'),
    precondition: attr(el, 'data-wci-precondition'),
    barred: hasAttr(el, 'disabled') || attr(el, 'aria-disabled') === 'true',
    label: tagOf(el) === 'label' && any.control ? numberOf(any.control) : null,
    shown: isShown(el) && boxesOf(el).some((box) => box.width > 0 && box.height > 0),
    said: describe(el),
  };
}

/** @type {null | {el: Element, states: Map<Element, string | null>, before: any, submits: number}} */
let action = null;

/** Raw state of every annotated element that has an id. */
function rawStates() {
  /** @type {Map<Element, string | null>} */
  const states = new Map();
  eachElement(document, (one) => {
    if (hasAttr(one, 'data-wci-id')) states.set(one, attr(one, 'data-wci-state'));
  });
  return states;
}

/** An action begins on an element: what it is, and what it and its neighbours say now. @param {Element} el */
function begin(el) {
  watch(rootOf(el));
  const now = version();
  action = { el, states: rawStates(), before: publicState(el), submits: now.submit };
  return { control: state(el), counts: now };
}

/** The published state of an element without its secrets. @param {Element} el */
function publicState(el) {
  const now = stateOf(attr(el, 'data-wci-state')) ?? {};
  if (secretOf(el)) delete now.value;
  return now;
}

const MAX_SIDE_EFFECTS = 64;

/** Other annotated elements whose raw state is another one than in `states`; brings `states` up to date. */
function changedStates() {
  /** @type {{nodeId: string, change: any}[]} */
  const side = [];
  if (!action) return side;
  const { el, states } = action;
  const wciId = attr(el, 'data-wci-id');
  for (const [one, raw] of rawStates()) {
    const id = attr(one, 'data-wci-id') ?? '';
    const seen = states.has(one);
    const known = states.get(one);
    states.set(one, raw);
    // A re-rendered twin of the target is the target; one of another element is that element.
    if (one === el || (id === wciId && !connected(el)) || (seen && known === raw)) continue;
    if (!seen && [...states].some(([old, text]) => !connected(old) && attr(old, 'data-wci-id') === id && text === raw)) continue;
    if (side.length < MAX_SIDE_EFFECTS) side.push({ nodeId: id.toWellFormed(), change: publicState(one) });
  }
  return side;
}

/** What an action may say of its target: only what is so now. @param {{verb: string, value?: any, patch?: any}} done @param {any} control */
function observedPatch(done, control) {
  switch (done.verb) {
    case 'click':
      return control.type === 'checkbox' || control.type === 'radio' ? { checked: control.checked } : { clicked: true };
    case 'check':
      return { checked: control.checked };
    case 'fill':
      // The value of a secret is no state; that something was filled in is told all the same.
      if (control.secret) return {};
      return control.value === null ? null : { value: String(done.value) === control.value ? done.value : control.value };
    case 'clear':
    case 'select':
      return control.secret ? {} : control.value === null ? null : { value: control.value };
    case 'focus':
      return control.focused ? { focused: true } : null;
    case 'submit':
      return action && counts.submit > action.submits ? { submitted: true } : null;
    case 'upload':
      return { files: control.files };
    case 'navigate':
      return done.patch ?? null;
    default:
      return null;
  }
}

/**
 * An action has been done: writes the observed state back, tells the page as the WCI bridge does, and reads what came of it.
 * @param {Element} el @param {{nodeId: string, verb: string, value?: any, patch?: any}} done
 */
async function conclude(el, done) {
  flush();
  const seen = { ...counts };
  const control = state(el);
  let change = null;
  const patch = control.annotated && action ? observedPatch(done, control) : null;
  if (patch && action) {
    const after = { ...(stateOf(attr(el, 'data-wci-state')) ?? {}), ...patch };
    if (control.secret) delete after.value;
    else {
      setAttr(el, 'data-wci-state', stringify(after));
      flush();
      // Our own writing is no effect of the action.
      counts.dom = seen.dom;
    }
    const { nodeId, verb } = done;
    const told = control.secret || done.value === undefined ? {} : { value: done.value };
    const emit = attr(el, 'data-wci-emit');
    const target = connected(el) ? el : document;
    if (emit) tell(target, new CustomEvent(emit, { bubbles: true, detail: { nodeId, action: verb, ...told, stateAfter: after } }));
    tell(target, new CustomEvent('wci:state-change', { bubbles: true, detail: { nodeId, action: verb, stateAfter: after } }));
    await null;
    change = { before: action.before, after };
  }
  return { change, side: changedStates(), control, counts: seen };
}

/** What changed on annotated elements since `conclude`, and how the element is now. @param {Element} el */
function late(el) {
  return { side: changedStates(), control: state(el), counts: version() };
}

/** @param {Element} el */
function focus(el) {
  giveFocus(el);
  return hasFocus(el) || (/** @type {any} */ (el).isContentEditable && holds(el, focusIn(document)));
}

/** Focuses and selects the whole content, so that what is typed replaces it; or puts the caret at its end. Null when the page has taken the element away meanwhile. @param {Element} el @param {boolean} all */
function selectContent(el, all) {
  const any = /** @type {any} */ (el);
  const focused = focus(el);
  if (tagOf(el) === 'input' || tagOf(el) === 'textarea') {
    if (all) any.select();
    else {
      try {
        any.setSelectionRange(any.value.length, any.value.length);
      } catch {
        // Number and email fields have no selection of their own: the caret is at the end after focus.
      }
    }
  } else {
    const selection = getSelection();
    selection?.selectAllChildren(el);
    if (!all) selection?.collapseToEnd();
  }
  return connected(el) ? focused : null;
}

/** The value a field of this type would keep of a text: '' where it refuses it. @param {any} el @param {string} value */
function kept(el, value) {
  const probe = /** @type {HTMLInputElement} */ (createIn(document, 'input'));
  for (const name of ['min', 'max', 'step']) {
    const limit = attr(el, name);
    if (limit !== null) probe.setAttribute(name, limit);
  }
  probe.type = el.type;
  probe.value = value;
  return probe.value;
}

/** @param {any} el @param {string} value */
function setNative(el, value) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(el, value);
  tell(el, new Event('input', { bubbles: true, composed: true }));
  tell(el, new Event('change', { bubbles: true }));
}

/** Tells that an edit is over, as leaving the field would, without leaving it. @param {Element} el */
function committed(el) {
  tell(el, new Event('change', { bubbles: true }));
}

/** Chooses options by value, then label, then text whatever the case. @param {any} el @param {string[]} wanted */
function select(el, wanted) {
  const options = /** @type {any[]} */ (Array.from(el.options));
  const chosen = [];
  const off = (/** @type {any} */ option) => option.disabled || option.parentElement?.disabled === true;
  for (const want of wanted) {
    const by = [
      (/** @type {any} */ option) => option.value === want,
      (/** @type {any} */ option) => clean(option.label) === clean(want),
      (/** @type {any} */ option) => clean(option.text).toLowerCase() === clean(want).toLowerCase(),
    ];
    const all = by.map((test) => options.find((option) => test(option)));
    const found = by.map((test) => options.find((option) => !off(option) && test(option))).find(Boolean);
    if (!found) return { ok: false, missing: want, off: all.some(Boolean), options: options.map((option) => option.value.toWellFormed()) };
    chosen.push(found);
  }
  const same = options.every((option) => option.selected === chosen.includes(option));
  if (!same) {
    for (const option of options) option.selected = chosen.includes(option);
    tell(el, new Event('input', { bubbles: true, composed: true }));
    tell(el, new Event('change', { bubbles: true }));
  }
  return { ok: true };
}

/** A form's submit button that can be pressed, and its first field that the browser refuses. @param {Element} el */
function formOf(el) {
  const any = /** @type {any} */ (el);
  const form = tagOf(el) === 'form' ? any : any.form instanceof HTMLFormElement ? any.form : closestTo(el, 'form');
  if (!form) return null;
  const controls = /** @type {any[]} */ (Array.from(formElements(form)));
  const isSubmit = (/** @type {any} */ one) => (one.type === 'submit' || one.type === 'image') && !isDisabled(one);
  const own = controls.includes(any) && isSubmit(any) ? any : null;
  const button = own ?? controls.find((one) => isSubmit(one) && isShown(one));
  const checked = !form.noValidate && !button?.formNoValidate;
  const invalid = checked ? controls.find((one) => one.willValidate && !one.validity.valid) : null;
  return {
    button: button ? numberOf(button) : null,
    invalid: invalid ? { number: numberOf(invalid), said: describe(invalid), message: invalid.validationMessage.toWellFormed() } : null,
  };
}

/** Submits a form that has no button, as the return key would; the submit event is the browser's own. @param {Element} el */
function submitForm(el) {
  const any = /** @type {any} */ (el);
  const form = tagOf(el) === 'form' ? any : any.form ?? closestTo(el, 'form');
  HTMLFormElement.prototype.requestSubmit.call(form);
}

/** Goes where a link in this frame leads, in this frame. @param {string} url */
function assign(url) {
  location.assign(url);
}
