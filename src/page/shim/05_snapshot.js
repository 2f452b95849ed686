// @ts-check
// The facts of this document, one pass over the composed tree.
//
// Each element is asked once whether it is rendered, and for its box only if it is reported. Text is gathered into runs
// that end where a box begins or another reported element stands; what the name around it says already is not repeated.

const MAX_NODES = 50000;
const MAX_MS = 1500;
/** Elements looked at once for a closed shadow root, in one snapshot. */
const MAX_HOSTS = 100;

/** Elements that are boxes unless style says otherwise. */
const BLOCKS = new Set([
  'address', 'article', 'aside', 'blockquote', 'body', 'caption', 'center', 'dd', 'details', 'dialog', 'div', 'dl', 'dt', 'fieldset',
  'figcaption', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hgroup', 'hr', 'legend', 'li', 'main',
  'menu', 'nav', 'ol', 'optgroup', 'option', 'p', 'pre', 'search', 'section', 'summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul',
]);
/** Elements whose own text is white space, unless a script does what no parser would. */
const ROWS_ONLY = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'colgroup']);
/** Nothing below these is the page's own content. */
const LEAVES = new Set(['input', 'textarea', 'select', 'iframe', 'frame', 'img', 'canvas', 'video', 'audio', 'progress', 'meter', 'hr', 'embed']);
/** Roles whose name says the text below them. */
const SAYS_CONTENT = new Set(['heading', 'cell', 'gridcell', 'columnheader', 'rowheader', 'tooltip']);
/** Elements that may have a shadow root, beside those with a hyphen. */
const HOSTS = new Set(['article', 'aside', 'blockquote', 'div', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'main', 'nav', 'p', 'section', 'span']);

/** Elements that were looked at for a closed shadow root, with the size they had. @type {WeakMap<Element, string>} */
const lookedAt = new WeakMap();

/**
 * What holds around a node: the name above it, states that it inherits, and the part of the viewport that the boxes
 * around it leave visible, with the box that cuts it.
 * @typedef {{said: string, disabled: boolean, inHand: boolean, clear: boolean, clip: number[], clipper: Element | null}} Around
 */

/** @param {number} n */
function rounded(n) {
  return Math.round(n * 100) / 100;
}

/** @param {DOMRect} rect @param {number} left @param {number} top @param {number} right @param {number} bottom */
function meets(rect, left, top, right, bottom) {
  return rect.bottom > top && rect.right > left && rect.top < bottom && rect.left < right;
}

/** Whether a node is laid out from further out than the box that clips what is around it. @param {Node} node @param {Element} clipper */
function escapes(node, clipper) {
  const free = styleOf(clipper).position === 'static';
  for (let up = kindOf(node) === 1 ? /** @type {Element} */ (node) : parentOf(node); up && up !== clipper; up = parentOf(up)) {
    const { position } = styleOf(up);
    if (position === 'fixed' || (position === 'absolute' && free)) return true;
  }
  return false;
}

/** Where the content of a frame element is. @param {Element} el @param {DOMRect} rect */
function contentBox(el, rect) {
  const style = styleOf(el);
  const inner = (/** @type {'Left'} */ side) => parseFloat(style[`padding${side}`]) || 0;
  const [left, top] = [borderLeft(el) + inner('Left'), borderTop(el) + inner(/** @type {any} */ ('Top'))];
  return [rect.x + left, rect.y + top, Math.max(rect.width - 2 * left, 0), Math.max(rect.height - 2 * top, 0)];
}

/** One reading of the document. */
class Reader {
  constructor() {
    /** @type {any[]} */
    this.nodes = [];
    /** Element numbers, one a node; 0 for text. @type {number[]} */
    this.ids = [];
    /** Where the content of frames begins: place in `nodes`, x, y, width, height. @type {number[][]} */
    this.frames = [];
    this.hiddenText = 0;
    this.truncated = false;
    this.visits = 0;
    this.end = performance.now() + MAX_MS;
    this.width = innerWidth;
    this.height = innerHeight;
    this.focused = focusedElement();
    /** The dialog that everything outside of is inert for. @type {Element | null} */
    this.modal = topModal();
    /** Elements moved below another one by `aria-owns`. @type {Set<Node>} */
    this.owned = new Set();
    /** Where a closed shadow root may be. @type {number[]} */
    this.hosts = [];
    /** The text run that is being gathered. @type {{text: string, first: Text, last: Text, parent: number | undefined, around: Around} | null} */
    this.run = null;
    this.range = new Range();
    /** Elements that clip their text away. @type {Map<Element, boolean>} */
    this.clipped = new Map();
    if (selectIn[9](document, '[aria-owns]').length) this.readOwned();
  }

  readOwned() {
    for (const owner of all(document, '[aria-owns]')) {
      for (const other of referred(owner, 'aria-owns')) if (other !== owner && !holds(other, owner)) this.owned.add(other);
    }
  }

  /** Whether the cap on nodes or on time is reached. */
  isFull() {
    this.visits += 1;
    if (this.nodes.length >= MAX_NODES || ((this.visits & 255) === 0 && performance.now() > this.end)) this.truncated = true;
    return this.truncated;
  }

  /** @param {any} fact @param {DOMRect} rect @param {Around} around @param {Node} node what is placed */
  place(fact, rect, around, node) {
    fact.rect = [rounded(rect.x), rounded(rect.y), rounded(rect.width), rounded(rect.height)];
    if (!meets(rect, 0, 0, this.width, this.height)) return;
    const [left, top, right, bottom] = around.clip;
    if (!around.clipper || meets(rect, left, top, right, bottom) || escapes(node, around.clipper)) fact.inView = true;
  }

  /** @param {any} fact @param {number} id */
  add(fact, id) {
    this.nodes.push(fact);
    this.ids.push(id);
  }

  /** What an element leaves visible of what is in it. @param {Element} el @param {Around} around @returns {Around} */
  clippedBy(el, around) {
    if (!mayClip(el)) return around;
    const style = styleOf(el);
    if (style.overflowX === 'visible' && style.overflowY === 'visible') return around;
    const box = rectOf(el);
    const [left, top, right, bottom] = around.clip;
    return {
      ...around, clipper: el,
      clip: [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)],
    };
  }

  /** Text that belongs to the run before it, or begins one. @param {Text} node @param {number | undefined} parent @param {Around} around */
  text(node, parent, around) {
    const data = dataOf(node);
    if (!/\S/.test(data)) {
      if (this.run && data) this.run.text += ' ';
      return;
    }
    const holder = parentOf(node);
    if (around.clear) {
      this.hiddenText += 1;
      return;
    }
    if (this.run && this.run.parent !== parent) this.flush();
    const text = holder ? shownLetters(data, holder) : data;
    if (this.run) {
      this.run.text += text;
      this.run.last = node;
    } else {
      this.run = { text, first: node, last: node, parent, around };
    }
  }

  /** Ends the run of text and reports it, unless it was said already or nobody can see it. */
  flush() {
    const { run } = this;
    this.run = null;
    if (!run) return;
    const text = clean(run.text);
    if (!text || run.around.said.includes(text)) return;
    if (this.isFull()) return;
    this.range.setStartBefore(run.first);
    this.range.setEndAfter(run.last);
    const rect = this.range.getBoundingClientRect();
    if (this.isOutOfSight(rect, run.first)) {
      this.hiddenText += 1;
      return;
    }
    const fact = { parent: run.parent, role: 'text', name: cut(text) };
    this.place(fact, rect, run.around, run.first);
    this.add(fact, 0);
  }

  /** Without an area, clipped to nothing, or where no scrolling leads. @param {DOMRect} rect @param {Text} text */
  isOutOfSight(rect, text) {
    if (rect.width < 0.5 || rect.height < 0.5) return true;
    if (rect.bottom + scrollY <= 0 || (rect.right + scrollX <= 0 && document.dir !== 'rtl')) return true;
    let up = parentOf(text);
    for (let steps = 0; up && steps < 2; steps += 1) {
      let clipped = this.clipped.get(up);
      if (clipped === undefined) {
        clipped = clipsAway(up, rectOf(up));
        this.clipped.set(up, clipped);
      }
      if (clipped) return true;
      up = parentOf(up);
    }
    return false;
  }

  /** One hostile node must not hide the page: what cannot be read is counted as hidden. @param {Element} el @param {number | undefined} parent @param {Around} around */
  element(el, parent, around) {
    if (this.isFull()) return;
    try {
      this.visible(el, parent, around);
    } catch {
      this.hiddenText += 1;
    }
  }

  /** @param {Element} el @param {number | undefined} parent @param {Around} around */
  visible(el, parent, around) {
    const tag = tagOf(el);
    if (NEVER_SHOWN.has(tag) || tag === 'area') return;
    if (tag === 'br') {
      if (this.run) this.run.text += ' ';
      return;
    }
    if (isAriaHidden(el) || hasAttr(el, 'inert')) return;
    if (this.modal && this.modal !== el && !this.leadsToModal(el)) return;
    const how = rendering(el);
    if (how === GONE) {
      this.hiddenText += 1;
      return;
    }
    if (how === UNSEEN) {
      // `visibility` may be taken back by a child; text of its own is not shown.
      for (const child of this.below(el)) if (kindOf(child) === 1) this.element(/** @type {Element} */ (child), parent, around);
      return;
    }
    const role = roleOf(el);
    if (role === 'option' && tag === 'option') return;
    let inside = around;
    const disabled = around.disabled || attr(el, 'aria-disabled') === 'true';
    const interactive = INTERACTIVE.has(role);
    let clickable = false;
    if (!interactive && role !== 'iframe' && tag !== 'body' && tag !== 'html') clickable = isClickable(el, around.inHand);
    const anchor = clickable && tag === 'a' && role === '';
    const custom = !clickable && tag === 'label' && role === '' && this.standsForHidden(el);
    const inline = !BLOCKS.has(tag) && (how === BOXLESS || styleOf(el).display === 'inline');
    const reported = role !== '' || clickable || custom;
    if (reported || !inline) this.flush();
    let at = parent;
    const clear = around.clear || how === CLEAR;
    if (reported) {
      const fact = this.report(el, tag, anchor ? 'link' : role, parent, around, disabled, clickable || custom);
      at = this.nodes.length - 1;
      const says = interactive || clickable || custom || SAYS_CONTENT.has(role);
      inside = { ...around, said: says ? fact.name : around.said, disabled, inHand: around.inHand || interactive || clickable, clear };
      if (tag === 'img' && hasAttr(el, 'usemap')) this.areas(el, at, fact.rect, inside);
      if (role === 'textbox' || role === 'searchbox' || (role === 'combobox' && tag === 'input')) {
        this.controlsOnly(el, at, inside);
        return;
      }
    } else if (clear !== around.clear || disabled !== around.disabled) {
      inside = { ...around, clear, disabled };
    }
    if (LEAVES.has(tag)) return;
    if (!inline) inside = this.clippedBy(el, inside);
    // A label whose control is shown says nothing that the control's name does not.
    if (tag === 'label' && !reported && this.controlShown(el)) inside = { ...inside, said: clean(textOf(el)) };
    const before = this.nodes.length;
    if (!reported || !this.saysAll(el, inside.said)) this.children(el, at, inside);
    if (!inline || reported) this.flush();
    if ((this.nodes.length === before || tag.includes('-')) && this.hosts.length < MAX_HOSTS) this.mayHost(el, tag);
  }

  /** Whether the text of a reported element, all that is in it, was said as its name. @param {Element} el @param {string} said */
  saysAll(el, said) {
    if (!holdsTextOnly(el) || this.owned.size) return false;
    const text = clean(rawText(el) ?? '');
    return text === '' || said.includes(text);
  }

  /** @param {Element} el @param {number | undefined} at @param {Around} inside */
  children(el, at, inside) {
    const tag = tagOf(el);
    if (ROWS_ONLY.has(tag) && !this.owned.size && !shadowRoot(el)) {
      for (let child = firstElementIn(el); child && !this.truncated; child = nextElementOf(child)) this.element(child, at, inside);
      return;
    }
    if (tag === 'details' && !hasAttr(el, 'open') && !shadowRoot(el)) {
      // Of a closed one only the summary shows; its text nodes have no visibility of their own.
      for (const child of this.below(el)) if (kindOf(child) === 1) this.element(/** @type {Element} */ (child), at, inside);
      return;
    }
    for (const child of this.below(el)) {
      const kind = kindOf(child);
      if (kind === 3) this.text(/** @type {Text} */ (child), at, inside);
      else if (kind === 1) this.element(/** @type {Element} */ (child), at, inside);
      if (this.truncated) return;
    }
  }

  /** What is inside of a field is its value; only what can be used by itself is reported. @param {Element} el @param {number} at @param {Around} inside */
  controlsOnly(el, at, inside) {
    if (LEAVES.has(tagOf(el))) return;
    const before = this.nodes.length;
    this.children(el, at, inside);
    this.flush();
    const facts = this.nodes.splice(before);
    const ids = this.ids.splice(before);
    facts.forEach((fact, place) => {
      if (fact.interactive) this.add({ ...fact, parent: at }, ids[place]);
    });
  }

  /** Children as the accessibility tree has them. @param {Element} el @returns {Node[]} */
  below(el) {
    const children = childrenOf(el);
    if (!this.owned.size) return children;
    const own = children.filter((child) => !this.owned.has(child));
    if (hasAttr(el, 'aria-owns')) for (const other of referred(el, 'aria-owns')) if (this.owned.has(other)) own.push(other);
    return own;
  }

  /** @param {Element} el @param {string} tag @param {string} role @param {number | undefined} parent @param {Around} around @param {boolean} disabled @param {boolean} clickable */
  report(el, tag, role, parent, around, disabled, clickable) {
    const name = cut(nameOf(el, role || 'button'));
    const rect = rectOf(el);
    /** @type {any} */
    const fact = { parent, tag, role };
    if (name) fact.name = name;
    this.place(fact, rect, around, el);
    if (INTERACTIVE.has(role)) fact.interactive = true;
    else if (clickable) fact.clickable = true;
    addStates(el, tag, role, fact, disabled);
    if (tag === 'label') this.takeStates(el, fact);
    if (el === this.focused && tag !== 'body') fact.focused = true;
    if (tag === 'dialog' ? fits(el, ':modal') : attr(el, 'aria-modal') === 'true') fact.modal = true;
    if (role === 'iframe') this.frames.push([this.nodes.length, ...contentBox(el, rect)]);
    for (const [key, attribute] of NOTED) {
      const value = attr(el, attribute);
      if (value) fact[key] = value.toWellFormed();
    }
    if (hasAttr(el, 'aria-describedby') || hasAttr(el, 'aria-description') || hasAttr(el, 'title')) {
      const description = descriptionOf(el, name);
      if (description) fact.description = cut(description);
    }
    this.add(fact, numberOf(el));
    fact.name ??= '';
    return fact;
  }

  /** The links of an image map, where the image shows them. @param {Element} image @param {number} parent @param {number[]} box @param {Around} around */
  areas(image, parent, box, around) {
    const name = (attr(image, 'usemap') ?? '').replace(/^#/, '');
    const map = name && all(rootOf(image), 'map').find((one) => attr(one, 'name') === name || attr(one, 'id') === name);
    for (const area of map ? all(map, 'area[href]') : []) {
      const numbers = (attr(area, 'coords') ?? '').split(',').map(Number);
      const fact = this.report(area, 'area', 'link', parent, around, around.disabled, false);
      const [x, y, right, bottom] = numbers;
      const isRect = numbers.length >= 4 && numbers.every(Number.isFinite) && (attr(area, 'shape') ?? 'rect') === 'rect';
      this.place(fact, isRect ? new DOMRect(box[0] + x, box[1] + y, right - x, bottom - y) : new DOMRect(...box), around, image);
    }
  }

  /** @param {Element} label */
  controlShown(label) {
    const { control } = /** @type {any} */ (label);
    return !!control && isShown(control);
  }

  /** A label whose own control is not rendered is what a person presses. @param {Element} label */
  standsForHidden(label) {
    const { control } = /** @type {any} */ (label);
    return !!control && !isShown(control);
  }

  /** @param {Element} label @param {any} fact */
  takeStates(label, fact) {
    const { control } = /** @type {any} */ (label);
    if (!control || isShown(control)) return;
    const checked = checkedState(control, tagOf(control), '');
    if (checked) fact.checked = checked;
    if (fits(control, ':disabled')) fact.disabled = true;
  }

  /** @param {Element} el */
  leadsToModal(el) {
    for (let up = /** @type {Element | null} */ (this.modal); up; up = parentOf(up)) if (up === el) return true;
    for (let up = parentOf(el); up; up = parentOf(up)) if (up === this.modal) return true;
    return false;
  }

  /** Remembers an element that shows something though nothing is in it. @param {Element} el @param {string} tag */
  mayHost(el, tag) {
    if (!(tag.includes('-') || HOSTS.has(tag)) || shadowRoot(el)) return;
    const rect = rectOf(el);
    if (rect.width < 1 || rect.height < 1) return;
    const size = `${rect.width} ${rect.height}`;
    if (lookedAt.get(el) === size) return;
    lookedAt.set(el, size);
    this.hosts.push(numberOf(el));
  }
}

/** Facts that stand in attributes. */
const NOTED = [['htmlId', 'id'], ['testId', 'data-testid'], ['wciId', 'data-wci-id']];

/** The dialog on top of the others, when one is modal. @returns {Element | null} */
function topModal() {
  const modals = all(document, 'dialog:modal');
  const focused = focusIn(document);
  return modals.find((one) => focused && one !== focused && holds(one, focused)) ?? modals.at(-1) ?? null;
}

/** @returns {string} JSON of the whole snapshot */
function snapshot() {
  refreshStyles();
  indexLabels();
  renderings = new Map();
  const reader = new Reader();
  const body = bodyOf(document) ?? rootElementOf(document);
  if (body) reader.element(body, undefined, {
    said: '', disabled: false, inHand: false, clear: false, clip: [0, 0, reader.width, reader.height], clipper: null,
  });
  reader.flush();
  labelIndex = null;
  renderings = null;
  const root = scrollerOf(document) ?? rootElementOf(document);
  return stringify({
    url: location.href, title: titleOf(document).toWellFormed(), viewport: [reader.width, reader.height],
    scroll: [scrollX, scrollY, root?.scrollWidth ?? 0, root?.scrollHeight ?? 0],
    nodes: reader.nodes, ids: reader.ids, frames: reader.frames, ...wciElements(), truncated: reader.truncated, hiddenText: reader.hiddenText, hosts: reader.hosts,
  });
}
