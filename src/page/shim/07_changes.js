// @ts-check
// What moves in the document: counted all the time, so that an action can say whether it had an effect.

let changedAt = 0;
/** When the page was last seen to be at rest for a whole frame. */
let restedAt = 0;
const counts = { dom: 0, input: 0, scroll: 0, focus: 0, submit: 0 };
/** @type {MutationObserver[]} */
const observers = [];
const watched = new WeakSet();

/** @param {MutationRecord[]} records */
function took(records) {
  if (!records.length) return;
  counts.dom += records.length;
  changedAt = performance.now();
}

/** Watches a root: the document, or an open shadow root on the way to it. @param {Node} root */
function watch(root) {
  for (let at = root; !watched.has(at); ) {
    watched.add(at);
    const observer = new MutationObserver(took);
    observer.observe(at, { subtree: true, childList: true, attributes: true, characterData: true });
    observers.push(observer);
    if (!(at instanceof ShadowRoot)) break;
    at = at.host.getRootNode();
  }
}
watch(document);

/** Counts what the observers have seen but not reported yet. */
function flush() {
  for (const observer of observers) took(observer.takeRecords());
}

/** @param {'input' | 'scroll' | 'focus' | 'submit'} kind @param {string[]} types */
function countEvents(kind, types) {
  for (const type of types) {
    addEventListener(type, () => {
      counts[kind] += 1;
      changedAt = performance.now();
    }, true);
  }
}
countEvents('input', ['input', 'change']);
countEvents('scroll', ['scroll']);
countEvents('focus', ['focusin', 'focusout']);
countEvents('submit', ['submit']);

/** The counters now. */
function version() {
  flush();
  return { ...counts };
}

/**
 * Waits for rest: a frame without a change once something has changed, `idle` ms when nothing has, `most` ms at most.
 * @param {{dom: number, input: number, scroll: number}} since @param {number} idle @param {number} most
 */
async function rest(since, idle, most) {
  const start = performance.now();
  for (;;) {
    flush();
    const seen = counts.dom + counts.input + counts.scroll;
    await frame();
    flush();
    const took = performance.now() - start;
    const changed = counts.dom !== since.dom || counts.input !== since.input || counts.scroll !== since.scroll;
    const still = seen === counts.dom + counts.input + counts.scroll;
    if (still) restedAt = performance.now();
    if (took >= most || (changed ? still : took >= idle)) break;
  }
  return { ...counts };
}
