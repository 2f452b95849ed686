// @ts-check
// The WCI reader: raw attributes, plus what only JavaScript can say exactly (JSON.parse, String(), UTF-16 slices).

const WCI_KEYS = ['id', 'role', 'desc', 'action', 'state', 'precondition', 'required', 'options', 'emit', 'scope', 'hidden', 'priority'];

/** @param {string | null} raw */
function isTrue(raw) {
  return raw !== null && (raw === '' || raw.toLowerCase() === 'true');
}

/** A plain object, or null. @param {string | null} raw */
function stateOf(raw) {
  if (!raw) return null;
  try {
    const value = parse(raw);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** @param {string | null} raw @returns {string[] | null} */
function optionsOf(raw) {
  if (!raw) return null;
  try {
    const value = parse(raw);
    if (Array.isArray(value)) return value.map(String);
  } catch {
    // Not JSON: the comma form.
  }
  const parts = raw.split(',').map((part) => part.trim()).filter((part) => part !== '');
  return parts.length ? parts : null;
}

/** All annotated elements in document order. */
function wciElements() {
  /** @type {any[]} */
  const list = [];
  /** @param {Element} el @param {number | undefined} parent @param {boolean} hidden @param {boolean} nested */
  function visit(el, parent, hidden, nested) {
    hidden ||= isTrue(el.getAttribute('data-wci-hidden'));
    if (el.getAttribute('data-wci-id') || el.getAttribute('data-wci-role')) {
      /** @type {Record<string, string>} */
      const attrs = {};
      for (const key of WCI_KEYS) {
        const value = el.getAttribute(`data-wci-${key}`);
        if (value !== null) attrs[key] = value.toWellFormed();
      }
      const secret = secretOf(el);
      const state = stateOf(el.getAttribute('data-wci-state'));
      if (secret) {
        // The raw text holds the value, too.
        delete attrs.state;
        if (state) delete state.value;
      }
      list.push({
        id: numberOf(el), parent, tag: el.localName, htmlId: el.getAttribute('id') ?? '', attrs,
        text: (el.textContent || '').trim().slice(0, 120).toWellFormed(),
        state, options: optionsOf(el.getAttribute('data-wci-options')),
        hidden, nested, secret,
        disabled: el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true', visible: isShown(el),
      });
      parent = list.length - 1;
    }
    for (const child of childElements(el)) visit(child, parent, hidden, nested);
    for (const child of shadowRoot(el)?.children ?? []) visit(child, parent, hidden, true);
  }
  if (document.body) visit(document.body, undefined, false, false);
  return list;
}

