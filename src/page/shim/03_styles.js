// @ts-check
// What style sheets do to text: which elements may have generated content, and whether letters are transformed. Asking
// for computed style at every name would cost more than everything else; most sheets say once that there is no need.

const MAX_RULES = 20000;
/** More alternatives than this cost more to match than computed style. */
const MAX_SELECTORS = 100;
const NO_TRANSFORM = new Set(['', 'none', 'initial', 'inherit', 'unset', 'revert']);
const PSEUDO = /::?(?:before|after)\b/;

const sheetsOf = getter(Document.prototype, 'styleSheets');
const adoptedSheetsOf = getter(Document.prototype, 'adoptedStyleSheets');

/** @typedef {{rules: number, selectors: string[], hands: string[], clips: string[], transforms: boolean}} SheetFacts */
/** @type {WeakMap<CSSStyleSheet, SheetFacts>} */
const knownSheets = new WeakMap();

/** Matches next to nothing: only quotations have generated text. */
const NO_SELECTOR = 'q';

/** What holds for the document now: what has generated text, what has a hand cursor of its own, what clips, whether letters change. */
let styles = { selector: '*', hand: '*', clip: '*', transforms: true, at: -1 };

/** Whether `content` gives letters that a person reads. @param {string} content */
function saysSomething(content) {
  if (!content || content === 'none' || content === 'normal') return false;
  return content.includes('attr(') || content.includes('quote') || /["'][^"']*["']/.test(content.replace(/[\ue000-\uf8ff\u200b\s]/g, '').replace(/""|''/g, ''));
}

/** The selectors before `::before` and `::after` of a selector list. @param {string} list */
function originating(list) {
  /** @type {string[]} */
  const found = [];
  let depth = 0;
  let part = '';
  for (const letter of `${list},`) {
    if (letter === '(' || letter === '[') depth += 1;
    if (letter === ')' || letter === ']') depth -= 1;
    if (letter !== ',' || depth > 0) {
      part += letter;
      continue;
    }
    if (PSEUDO.test(part)) {
      const base = part.replace(new RegExp(PSEUDO, 'g'), '').trim();
      found.push(base === '' || /[>+~]$/.test(base) ? `${base}*` : base);
    }
    part = '';
  }
  return found;
}

/** @param {CSSRuleList} list @param {string} outer selector of the rule around nested ones @param {SheetFacts} facts */
function readRules(list, outer, facts) {
  for (const rule of /** @type {any} */ (list)) {
    facts.rules += 1;
    if (facts.rules > MAX_RULES) throw new RangeError('too many rules');
    let inner = outer;
    if (rule.selectorText !== undefined && rule.style) {
      const own = rule.selectorText;
      inner = !outer ? own : own.includes('&') ? own.replaceAll('&', `:is(${outer})`) : `:is(${outer}) ${own}`;
      if (PSEUDO.test(own) && saysSomething(rule.style.content)) facts.selectors.push(...originating(inner));
      if (rule.style.cursor.includes('pointer')) facts.hands.push(inner);
      if (rule.style.overflowX || rule.style.overflowY) facts.clips.push(inner);
      if (!NO_TRANSFORM.has(rule.style.textTransform)) facts.transforms = true;
    }
    if (rule.styleSheet) readRules(rule.styleSheet.cssRules, '', facts);
    if (rule.cssRules?.length) readRules(rule.cssRules, inner, facts);
  }
}

/** @param {CSSStyleSheet} sheet @returns {SheetFacts} */
function sheetFacts(sheet) {
  try {
    const rules = sheet.cssRules;
    const known = knownSheets.get(sheet);
    if (known && known.rules === rules.length) return known;
    /** @type {SheetFacts} */
    const facts = { rules: 0, selectors: [], hands: [], clips: [], transforms: false };
    readRules(rules, '', facts);
    facts.rules = rules.length;
    knownSheets.set(sheet, facts);
    return facts;
  } catch {
    // Of another origin, or endless: anything may be in it.
    return { rules: 0, selectors: ['*'], hands: ['*'], clips: ['*'], transforms: true };
  }
}

/** One selector for all of them; `*` where they are many or cannot be parsed. @param {Set<string>} selectors */
function joined(selectors) {
  if (selectors.has('*') || selectors.size > MAX_SELECTORS) return '*';
  const list = [...selectors].join(',');
  try {
    fits(rootElementOf(document), list);
    return list;
  } catch {
    return '*';
  }
}

/** Reads the document's sheets again when that was not just done. */
function refreshStyles() {
  const now = performance.now();
  if (styles.at >= 0 && now - styles.at < 30) return;
  const selectors = new Set([NO_SELECTOR]);
  const hands = new Set(['[style*="pointer"]']);
  const clips = new Set(['dialog', '[popover]', '[style*="overflow"]']);
  let transforms = selectIn[9](document, '[style*="text-transform"]').length > 0;
  for (const sheet of [...sheetsOf(document), ...adoptedSheetsOf(document)]) {
    if (sheet.disabled) continue;
    const facts = sheetFacts(sheet);
    for (const selector of facts.selectors) selectors.add(selector);
    for (const selector of facts.hands) hands.add(selector);
    for (const selector of facts.clips) clips.add(selector);
    transforms ||= facts.transforms;
  }
  styles = { selector: joined(selectors), hand: joined(hands), clip: joined(clips), transforms, at: now };
}

/** Whether the element shows the hand cursor by a rule of its own. @param {Element} el */
function hasHand(el) {
  if (styles.hand !== '*' && !fits(el, styles.hand) && rootOf(el) === document) return false;
  return styleOf(el).cursor === 'pointer';
}

/** Whether style may cut off what is in an element; computed style decides. @param {Element} el */
function mayClip(el) {
  return styles.clip === '*' || fits(el, styles.clip) || rootOf(el) !== document;
}

/** Text that style puts before or after an element's content. @param {Element} el @param {'::before' | '::after'} place */
function generated(el, place) {
  if (styles.selector !== '*' && !fits(el, styles.selector) && rootOf(el) === document) return '';
  const style = styleOf(el, place);
  const { content, display } = style;
  if (content === 'none' || content === 'normal' || display === 'none') return '';
  let text = '';
  for (const [token, said, name] of content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|open-quote|close-quote|\//g)) {
    // What follows the slash is said instead.
    if (token === '/') text = '';
    else if (said !== undefined) text += said.replace(/\\(.)/g, '$1');
    else if (name) text += attr(el, name) ?? '';
    else text += token === 'open-quote' ? '“' : '”';
  }
  return display === 'inline' ? text : ` ${text} `;
}

/** Letters as style shows them. @param {string} text @param {Element} el the element that holds the text */
function shownLetters(text, el) {
  if (!styles.transforms && rootOf(el) === document) return text;
  switch (styleOf(el).textTransform) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(/(?<![\p{L}\p{N}'’_])\p{L}/gu, (letter) => letter.toUpperCase());
    default:
      return text;
  }
}

