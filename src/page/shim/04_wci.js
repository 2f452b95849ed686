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

/** Elements in document order, light children before a shadow root's, to whatever depth. @param {Node} root @param {boolean} nested @param {[Element, boolean][]} found */
function annotatedIn(root, nested, found) {
  const elements = selectIn[/** @type {1} */ (kindOf(root))](root, '*');
  for (let at = 0, { length } = elements; at < length; at += 1) {
    const el = elements[at];
    if (hasAttr(el, 'data-wci-id') || hasAttr(el, 'data-wci-role')) found.push([el, nested]);
    const inner = shadowRoot(el);
    if (inner) annotatedIn(inner, true, found);
  }
}

/** Beyond this many elements, shadow roots are not searched for annotations. */
const MAX_SEARCHED = 200000;

/** All annotated elements in document order, and their numbers. */
function wciElements() {
  /** @type {any[]} */
  const list = [];
  /** @type {number[]} */
  const wciIds = [];
  const body = bodyOf(document);
  if (!body) return { wci: list, wciIds };
  /** @type {[Element, boolean][]} */
  const found = [];
  if (countIn(document, '*').length <= MAX_SEARCHED) annotatedIn(document, false, found);
  else for (const el of all(document, '[data-wci-id], [data-wci-role]')) found.push([el, false]);
  /** @type {Map<Element, number>} */
  const places = new Map();
  for (const [el, nested] of found) {
    if (list.length >= MAX_NODES) break;
    if (!holds(body, el) && !nested) continue;
    if (!attr(el, 'data-wci-id') && !attr(el, 'data-wci-role')) continue;
    /** @type {Record<string, string>} */
    const attrs = {};
    for (const key of WCI_KEYS) {
      const value = attr(el, `data-wci-${key}`);
      if (value !== null) attrs[key] = value.toWellFormed();
    }
    const secret = secretOf(el);
    const state = stateOf(attr(el, 'data-wci-state'));
    if (secret) {
      // The raw text holds the value, too.
      delete attrs.state;
      if (state) delete state.value;
    }
    let parent;
    let hidden = false;
    for (let up = /** @type {any} */ (el); up; up = kindOf(up) === 11 ? up.host : parentNode(up)) {
      if (kindOf(up) !== 1) continue;
      if (parent === undefined && up !== el) parent = places.get(up);
      hidden ||= isTrue(attr(up, 'data-wci-hidden'));
    }
    places.set(el, list.length);
    wciIds.push(numberOf(el));
    list.push({
      parent, tag: tagOf(el), htmlId: (attr(el, 'id') ?? '').toWellFormed(), attrs,
      text: (rawText(el) || '').trim().slice(0, 120).toWellFormed(),
      state, options: optionsOf(attr(el, 'data-wci-options')), hidden, nested, secret,
      disabled: fits(el, ':disabled') || attr(el, 'aria-disabled') === 'true', visible: isShown(el),
    });
  }
  return { wci: list, wciIds };
}

