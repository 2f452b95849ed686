// @ts-check
// Element numbers, the composed tree and visibility. Builtins are taken before any page can touch them:
// an isolated world has its own, but a document.open() or a polyfill loader may still surprise.

const MAX_NODES = 50000;
const MAX_TEXT = 400;
const { stringify, parse } = JSON;

/** A DOM getter that no page can shadow: a form's field named `children` hides the form's own. @param {any} prototype @param {string} name */
function getter(prototype, name) {
  const { get } = /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name));
  return (/** @type {any} */ node) => get.call(node);
}
const childNodes = getter(Node.prototype, 'childNodes');
const parentNode = getter(Node.prototype, 'parentNode');
const childElements = getter(Element.prototype, 'children');
const shadowRoot = getter(Element.prototype, 'shadowRoot');
const formElements = getter(HTMLFormElement.prototype, 'elements');

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
  return el?.isConnected ? el : null;
}

/** Collapses white space and makes the string one that JSON in any language can carry. @param {string} text */
function clean(text) {
  return text.replace(/[\s\u200b\ufeff]+/g, ' ').trim().toWellFormed();
}

/** Cut at `MAX_TEXT`, and said so. @param {string} text */
function cut(text) {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
}

/** Children in the composed tree: a shadow root instead of light children, assigned nodes instead of a slot's own. @param {Node} node */
function childrenOf(node) {
  if (node instanceof Element) {
    const root = shadowRoot(node);
    if (root) return childNodes(root);
    if (node instanceof HTMLSlotElement) {
      const assigned = node.assignedNodes();
      if (assigned.length) return assigned;
    }
  }
  return childNodes(node);
}

/** Parent in the composed tree. @param {Node} node @returns {Element | null} */
function parentOf(node) {
  const slot = /** @type {any} */ (node).assignedSlot;
  if (slot) return slot;
  const parent = parentNode(node);
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
}

/** Shown to a person, styles considered; `display: contents` has no box but shows its children. @param {Element} el */
function isShown(el) {
  if (el.checkVisibility({ visibilityProperty: true })) return true;
  return getComputedStyle(el).display === 'contents';
}

/** `<button id="go">`: how errors name an element. @param {Element} el */
function describe(el) {
  let text = `<${el.localName}`;
  for (const name of ['id', 'class', 'name', 'role', 'type']) {
    const value = el.getAttribute(name);
    if (value) text += ` ${name}="${clean(value).slice(0, 60)}"`;
  }
  return `${text}>`;
}

/** All elements of a tree, open shadow roots included, in document order. @param {Document | ShadowRoot | Element} root @param {(el: Element) => void} visit */
function eachElement(root, visit) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = /** @type {Element} */ (node);
    visit(el);
    const inner = shadowRoot(el);
    if (inner) eachElement(inner, visit);
  }
}

