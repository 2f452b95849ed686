// @ts-check
// Builtins, element numbers and the composed tree. An isolated world has its own builtins, but a form's fields shadow
// the form's own properties in every world (`<input name="getAttribute">`), and an image's name the document's: what
// reads a page goes through the prototypes, taken here once.

const MAX_TEXT = 400;
const { stringify, parse } = JSON;

/** `f.call(self, …args)` as `f(self, …args)`. @param {Function} f @returns {any} */
function uncurried(f) {
  return Function.prototype.bind.call(Function.prototype.call, f);
}

/** A getter that no page can shadow. @param {any} prototype @param {string} name @returns {(self: any) => any} */
function getter(prototype, name) {
  return uncurried(/** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name)).get);
}

const kindOf = getter(Node.prototype, 'nodeType');
const parentNode = getter(Node.prototype, 'parentNode');
const firstChildOf = getter(Node.prototype, 'firstChild');
const nextSiblingOf = getter(Node.prototype, 'nextSibling');
const connected = getter(Node.prototype, 'isConnected');
const rawText = getter(Node.prototype, 'textContent');
const dataOf = getter(CharacterData.prototype, 'data');
/** @type {(node: Node) => Node} */
const rootOf = uncurried(Node.prototype.getRootNode);
/** @type {(node: Node, other: Node | null) => boolean} */
const holds = uncurried(Node.prototype.contains);
const firstElementIn = getter(Element.prototype, 'firstElementChild');
const nextElementOf = getter(Element.prototype, 'nextElementSibling');
const tagOf = getter(Element.prototype, 'localName');
const namespaceOf = getter(Element.prototype, 'namespaceURI');
const openRoot = getter(Element.prototype, 'shadowRoot');
const slotOfElement = getter(Element.prototype, 'assignedSlot');
const slotOfText = getter(Text.prototype, 'assignedSlot');
/** @type {(el: Element, name: string) => string | null} */
const attr = uncurried(Element.prototype.getAttribute);
/** @type {(el: Element, name: string) => boolean} */
const hasAttr = uncurried(Element.prototype.hasAttribute);
/** @type {(el: Element, css: string) => boolean} */
const fits = uncurried(Element.prototype.matches);
/** @type {(el: Element, css: string) => Element | null} */
const closestTo = uncurried(Element.prototype.closest);
/** @type {(el: Element) => DOMRect} */
const rectOf = uncurried(Element.prototype.getBoundingClientRect);
/** @type {(el: Element) => DOMRectList} */
const rectsOf = uncurried(Element.prototype.getClientRects);
/** @type {(el: Element, name: string, value: string) => void} */
const setAttr = uncurried(Element.prototype.setAttribute);
/** @type {(el: Element, options: ScrollIntoViewOptions) => void} */
const bringIntoView = uncurried(Element.prototype.scrollIntoView);
/** @type {(target: EventTarget, event: Event) => boolean} */
const tell = uncurried(EventTarget.prototype.dispatchEvent);
/** @type {(el: Element, options?: any) => boolean} */
const visibility = uncurried(Element.prototype.checkVisibility);
const borderLeft = getter(Element.prototype, 'clientLeft');
const borderTop = getter(Element.prototype, 'clientTop');
const assignedTo = uncurried(HTMLSlotElement.prototype.assignedNodes);
const editableNow = getter(HTMLElement.prototype, 'isContentEditable');
const shownText = getter(HTMLElement.prototype, 'innerText');
const formElements = getter(HTMLFormElement.prototype, 'elements');
const bodyOf = getter(Document.prototype, 'body');
const rootElementOf = getter(Document.prototype, 'documentElement');
const titleOf = getter(Document.prototype, 'title');
const scrollerOf = getter(Document.prototype, 'scrollingElement');
const focusIn = getter(Document.prototype, 'activeElement');
const focusInRoot = getter(ShadowRoot.prototype, 'activeElement');
const createIn = uncurried(Document.prototype.createElement);
const fragmentIn = uncurried(Document.prototype.createDocumentFragment);
const rangeIn = uncurried(Document.prototype.createRange);
const animationsIn = uncurried(Document.prototype.getAnimations);
/** The topmost element at a point of a document or a shadow root. */
const topIn = { 9: uncurried(Document.prototype.elementFromPoint), 11: uncurried(ShadowRoot.prototype.elementFromPoint) };
const walkerOver = uncurried(Document.prototype.createTreeWalker);
const selectIn = {
  9: uncurried(Document.prototype.querySelectorAll),
  11: uncurried(DocumentFragment.prototype.querySelectorAll),
  1: uncurried(Element.prototype.querySelectorAll),
};
const countIn = uncurried(Document.prototype.getElementsByTagName);
const idIn = { 9: uncurried(Document.prototype.getElementById), 11: uncurried(DocumentFragment.prototype.getElementById) };

/** @param {Node} root @param {string} css @returns {Element[]} */
function all(root, css) {
  return Array.from(selectIn[/** @type {1} */ (kindOf(root))](root, css));
}

/** The element of an id in the tree of `el`. @param {Element} el @param {string} id @returns {Element | null} */
function byId(el, id) {
  const root = rootOf(el);
  return idIn[/** @type {9} */ (kindOf(root))]?.(root, id) ?? null;
}

/** Elements that an attribute names by their ids. @param {Element} el @param {string} name */
function referred(el, name) {
  const ids = attr(el, name);
  /** @type {Element[]} */
  const found = [];
  if (!ids) return found;
  for (const id of ids.split(/\s+/)) {
    const other = id ? byId(el, id) : null;
    if (other) found.push(other);
  }
  return found;
}

/** @type {WeakMap<Element, number>} */
const numbers = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const elements = new Map();
let lastNumber = 0;

/** The number of an element in this document: given once, never used again. @param {Element} el */
function numberOf(el) {
  let number = numbers.get(el);
  if (!number) {
    number = ++lastNumber;
    numbers.set(el, number);
    elements.set(number, new WeakRef(el));
  }
  return number;
}

/** The connected element of a number. @param {number} number */
function byNumber(number) {
  const el = elements.get(number)?.deref();
  return el && connected(el) ? el : null;
}

// Icon fonts live in the private use area; soft hyphens and joiners of no width are not read.
const UNREAD = /[\ue000-\uf8ff\u200b\u2060\ufeff\u00ad]/;

/** Collapses white space and makes the string one that JSON in any language can carry. @param {string} text */
function clean(text) {
  const read = UNREAD.test(text) ? text.replace(/[\ue000-\uf8ff\u200b\u2060\ufeff\u00ad]+/g, '') : text;
  return read.replace(/\s+/g, ' ').trim().toWellFormed();
}

/** Cut at `MAX_TEXT`, and said so. @param {string} text */
function cut(text) {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
}

/** Closed shadow roots that the driver found. @type {WeakMap<Element, ShadowRoot>} */
const closedRoots = new WeakMap();
let adopted = 0;

/** From now on a closed shadow root is read as an open one. @param {Element} host @param {ShadowRoot} root */
function adopt(host, root) {
  adopted += 1;
  closedRoots.set(host, root);
}

/** @param {Element} el @returns {ShadowRoot | null} */
function shadowRoot(el) {
  return openRoot(el) ?? (adopted ? closedRoots.get(el) ?? null : null);
}

/** Children in the composed tree: a shadow root instead of light children, assigned nodes instead of a slot's own. @param {Node} node @returns {Node[]} */
function childrenOf(node) {
  const isElement = kindOf(node) === 1;
  const inner = isElement ? shadowRoot(/** @type {Element} */ (node)) : null;
  if (isElement && !inner && tagOf(node) === 'slot') {
    const given = assignedTo(node);
    if (given.length) return given;
  }
  /** @type {Node[]} */
  const children = [];
  for (let child = firstChildOf(inner ?? node); child; child = nextSiblingOf(child)) children.push(child);
  return children;
}

/** Whether all that is in an element is its own text, which can then be read at once. @param {Element} el */
function holdsTextOnly(el) {
  return firstElementIn(el) === null && tagOf(el) !== 'slot' && !shadowRoot(el);
}

/** Parent in the composed tree. @param {Node} node @returns {Element | null} */
function parentOf(node) {
  const kind = kindOf(node);
  const slot = kind === 1 ? slotOfElement(node) : kind === 3 ? slotOfText(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  const above = kindOf(parent);
  return above === 1 ? parent : above === 11 ? /** @type {any} */ (parent).host ?? null : null;
}

/** `<button id="go">`: how errors name an element. @param {Element} el */
function describe(el) {
  let text = `<${tagOf(el)}`;
  for (const name of ['id', 'class', 'name', 'role', 'type']) {
    const value = attr(el, name);
    if (value) text += ` ${name}="${clean(value).slice(0, 60).toWellFormed()}"`;
  }
  return `${text}>`;
}

/** All elements of a tree, shadow roots included, in document order. @param {Document | ShadowRoot | Element} root @param {(el: Element) => void} visit */
function eachElement(root, visit) {
  const walker = walkerOver(document, root, NodeFilter.SHOW_ELEMENT);
  for (let el = walker.nextNode(); el; el = walker.nextNode()) {
    visit(el);
    const inner = shadowRoot(el);
    if (inner) eachElement(inner, visit);
  }
}

/** Gives the focus; nothing happens to what cannot have it. @param {Element} el */
function giveFocus(el) {
  for (const kind of [HTMLElement, SVGElement, MathMLElement]) {
    if (el instanceof kind) uncurried(kind.prototype.focus)(el);
  }
}

/** Whether an element has the focus of its own tree. @param {Element} el */
function hasFocus(el) {
  const root = rootOf(el);
  return el === (root === document ? focusIn(document) : kindOf(root) === 11 && 'host' in root ? focusInRoot(root) : null);
}

/** The focused element, through shadow roots. @returns {Element | null} */
function focusedElement() {
  let el = focusIn(document);
  for (;;) {
    const root = el && shadowRoot(el);
    const inner = root && focusInRoot(root);
    if (!inner) return el;
    el = inner;
  }
}

