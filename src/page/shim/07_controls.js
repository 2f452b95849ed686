// @ts-check
// Reading and writing controls. Keys and pointer come from the browser; what no key can do natively headless
// (a select's popup, a date field's segments) goes through the native setter and is read back.

/** Everything an action needs to know of an element. @param {Element} el */
function state(el) {
  const any = /** @type {any} */ (el);
  const secret = secretOf(el);
  const attrs = {};
  for (const key of WCI_KEYS) {
    const value = el.getAttribute(`data-wci-${key}`);
    if (value !== null) /** @type {any} */ (attrs)[key] = value.toWellFormed();
  }
  const wci = stateOf(el.getAttribute('data-wci-state'));
  if (secret) delete (/** @type {any} */ (attrs)).state;
  if (secret && wci) delete wci.value;
  return {
    tag: el.localName, type: any.type ?? '', role: roleOf(el), secret, connected: el.isConnected,
    value: secret ? null : 'value' in any ? String(any.value ?? '').toWellFormed() : el.matches('[contenteditable]') ? any.innerText : null,
    empty: 'value' in any ? !any.value : true,
    checked: typeof any.checked === 'boolean' ? any.checked : el.getAttribute('aria-checked') === 'true',
    disabled: el.matches(':disabled'), ariaDisabled: el.getAttribute('aria-disabled') === 'true', readonly: any.readOnly === true,
    editable: any.isContentEditable === true, multiple: any.multiple === true,
    valid: any.validity ? any.validity.valid : null, validity: any.validationMessage || '',
    href: el.getAttribute('href'), focused: el === /** @type {any} */ (el.getRootNode()).activeElement,
    wciId: el.getAttribute('data-wci-id'), wciState: wci, attrs, inForm: !!(any.form || el.closest('form')),
    description: describe(el), mutations, url: location.href,
  };
}

/** Raw state of every annotated element, to see side effects. */
function wciStates() {
  return wciElements().filter((one) => one.attrs.id).map((one) => [one.attrs.id, one.attrs.state ?? null, one.state]);
}

/** @param {Element} el */
function focus(el) {
  /** @type {any} */ (el).focus({ preventScroll: false });
  return /** @type {any} */ (el.getRootNode()).activeElement === el;
}

/** Selects the whole content, so that what is typed replaces it. @param {Element} el */
function selectAll(el) {
  const any = /** @type {any} */ (el);
  any.focus();
  if (any.select) any.select();
  else getSelection()?.selectAllChildren(el);
}

/** @param {any} el @param {string} value */
function setNative(el, value) {
  const prototype = el.localName === 'textarea' ? HTMLTextAreaElement.prototype : el.localName === 'select' ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(el, value);
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
  return String(el.value);
}

/** Chooses options by value, then label, then text. @param {any} el @param {string[]} wanted */
function select(el, wanted) {
  const options = Array.from(el.options);
  const chosen = [];
  for (const want of wanted) {
    const by = [
      (/** @type {any} */ option) => option.value === want,
      (/** @type {any} */ option) => clean(option.label) === clean(want),
      (/** @type {any} */ option) => clean(option.text).toLowerCase() === clean(want).toLowerCase(),
    ];
    const found = by.map((test) => options.find((option) => !(/** @type {any} */ (option).disabled) && test(option))).find(Boolean);
    if (!found) return { ok: false, missing: want, options: options.map((/** @type {any} */ option) => option.value.toWellFormed()) };
    chosen.push(found);
  }
  for (const option of options) /** @type {any} */ (option).selected = chosen.includes(option);
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
  return { ok: true, value: el.value.toWellFormed() };
}

/** Writes the observed state back and tells the page, as the WCI bridge does. @param {Element} el @param {any} patch @param {any} detail */
function patchState(el, patch, detail) {
  const after = { ...(stateOf(el.getAttribute('data-wci-state')) ?? {}), ...patch };
  if (secretOf(el)) delete after.value;
  el.setAttribute('data-wci-state', stringify(after));
  const emit = el.getAttribute('data-wci-emit');
  const target = el.isConnected ? el : document;
  if (emit) target.dispatchEvent(new CustomEvent(emit, { bubbles: true, detail: { ...detail, stateAfter: after } }));
  const { nodeId, action } = detail;
  target.dispatchEvent(new CustomEvent('wci:state-change', { bubbles: true, detail: { nodeId, action, stateAfter: after } }));
  return after;
}

/** The submit control of an element's form, and the form's first invalid field. @param {Element} el */
function formOf(el) {
  const form = /** @type {any} */ (el).form ?? el.closest('form');
  if (!form) return null;
  const invalid = Array.from(formElements(form)).find((/** @type {any} */ one) => one.willValidate && !one.validity.valid);
  const submit = Array.from(formElements(form)).find((/** @type {any} */ one) => (one.type === 'submit' || one.type === 'image') && !one.disabled);
  return {
    submit: submit ? numberOf(/** @type {Element} */ (submit)) : null,
    invalid: invalid ? { id: numberOf(/** @type {Element} */ (invalid)), name: nameOf(/** @type {Element} */ (invalid), roleOf(/** @type {Element} */ (invalid))), message: /** @type {any} */ (invalid).validationMessage } : null,
  };
}

