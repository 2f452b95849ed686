// @ts-check
// The facts of this document, one pass over the composed tree.

/** @param {Element} el @param {string} role @param {any} node */
function addStates(el, role, node) {
  const any = /** @type {any} */ (el);
  const aria = (/** @type {string} */ name) => el.getAttribute(`aria-${name}`);
  const type = el.localName === 'input' ? any.type : '';
  if (type === 'checkbox' || type === 'radio') node.checked = any.indeterminate ? 'mixed' : String(any.checked);
  else if (aria('checked')) node.checked = aria('checked');
  if (aria('pressed')) node.pressed = aria('pressed');
  if (aria('expanded')) node.expanded = aria('expanded') === 'true';
  else if (el.localName === 'summary') node.expanded = any.parentElement?.open === true;
  if (aria('selected')) node.selected = aria('selected') === 'true';
  if (aria('current') && aria('current') !== 'false') node.current = aria('current');
  if (el.matches(':disabled') || el.closest('[aria-disabled="true"]')) node.disabled = true;
  if (any.required === true || aria('required') === 'true') node.required = true;
  if (aria('invalid') === 'true' || (el.matches(':user-invalid'))) node.invalid = true;
  if (any.readOnly === true || aria('readonly') === 'true') node.readonly = true;
  if (el === document.activeElement || el === /** @type {any} */ (el.getRootNode()).activeElement) node.focused = el !== document.body;
  const level = /^h[1-6]$/.test(el.localName) ? el.localName[1] : aria('level');
  if (level && role === 'heading') node.level = Number(level);
  if (secretOf(el)) node.secret = true;
  else if (el.localName === 'select') {
    if (any.multiple) node.multiple = true;
    node.options = Array.from(any.options).slice(0, 200).map((/** @type {any} */ option) => ({
      label: cut(clean(option.label)), value: option.value.toWellFormed(), selected: option.selected, disabled: option.disabled,
    }));
    node.value = Array.from(any.selectedOptions, (/** @type {any} */ option) => clean(option.label)).join(', ');
  } else if (type === 'file') node.value = Array.from(any.files ?? [], (/** @type {any} */ file) => file.name).join(', ');
  else if (el.localName === 'textarea' || (el.localName === 'input' && !['checkbox', 'radio', 'button', 'submit', 'reset', 'image'].includes(type))) node.value = cut(any.value.toWellFormed());
  else if (aria('valuetext') || aria('valuenow')) node.value = aria('valuetext') || aria('valuenow');
  else if (el.localName === 'progress' || el.localName === 'meter') node.value = String(any.value);
  else if (role === 'textbox') node.value = cut(clean(any.innerText ?? ''));
  if (type) node.inputType = type;
  if (typeof any.placeholder === 'string' && any.placeholder) node.placeholder = cut(clean(any.placeholder));
  if (role === 'link' && any.href) node.href = String(any.href.baseVal ?? any.href);
  if (any.name && typeof any.name === 'string' && node.interactive) node.htmlName = any.name;
}

/** @returns {string} JSON of the whole snapshot */
function snapshot() {
  /** @type {any[]} */
  const nodes = [];
  let hiddenText = 0;
  let truncated = false;
  const width = innerWidth;
  const height = innerHeight;

  /** One hostile node must not hide the page: what cannot be read is counted as hidden. @param {Node} node @param {number | undefined} parent @param {string} said the nearest name, whose words need no repeating */
  function visit(node, parent, said) {
    try {
      visitNode(node, parent, said);
    } catch {
      hiddenText += 1;
    }
  }

  /** @param {Node} node @param {number | undefined} parent @param {string} said */
  function visitNode(node, parent, said) {
    if (nodes.length >= MAX_NODES) {
      truncated = true;
      return;
    }
    if (node.nodeType === Node.TEXT_NODE) {
      const text = clean(node.nodeValue || '');
      const holder = text && parentOf(node);
      if (holder && holder.checkVisibility() && !holder.checkVisibility({ opacityProperty: true })) {
        hiddenText += 1;
        return;
      }
      if (text && !said.includes(text)) nodes.push({ parent, role: 'text', name: cut(text), inView: true });
      return;
    }
    if (!(node instanceof Element)) return;
    const tag = node.localName;
    if (tag === 'script' || tag === 'style' || tag === 'template' || tag === 'noscript' || tag === 'head') return;
    if (node.getAttribute('aria-hidden') === 'true' || /** @type {any} */ (node).inert) return;
    if (!isShown(node)) {
      // display: none hides the subtree; visibility may be taken back by a child.
      if (node.checkVisibility()) for (const child of childrenOf(node)) visit(child, parent, said);
      else hiddenText += 1;
      return;
    }
    const style = getComputedStyle(node);
    const role = roleOf(node);
    let interactive = INTERACTIVE.has(role);
    const clickable = !interactive && role !== 'iframe' && node !== document.body && isClickable(node, style);
    if (tag === 'option' || tag === 'optgroup') return;
    let at = parent;
    let inside = said;
    if (role || clickable) {
      const name = cut(clickable && !role ? nameOf(node, 'button') : nameOf(node, role));
      const rect = node.getBoundingClientRect();
      /** @type {any} */
      const fact = { id: numberOf(node), parent, tag, role, name, rect: [rect.x, rect.y, rect.width, rect.height] };
      if (interactive) fact.interactive = true;
      if (clickable) fact.clickable = true;
      if (rect.bottom > 0 && rect.right > 0 && rect.top < height && rect.left < width) fact.inView = true;
      addStates(node, role, fact);
      if (['textbox', 'searchbox', 'spinbutton'].includes(role) || (role === 'combobox' && tag === 'input')) fact.editable = !fact.readonly && !fact.disabled;
      if (tag === 'dialog' ? node.matches(':modal') : node.getAttribute('aria-modal') === 'true') fact.modal = true;
      const htmlId = node.getAttribute('id');
      if (htmlId) fact.htmlId = htmlId.toWellFormed();
      if (role === 'iframe') {
        // Where the frame's own coordinates begin.
        fact.content = [rect.x + node.clientLeft + parseFloat(style.paddingLeft), rect.y + node.clientTop + parseFloat(style.paddingTop)];
      }
      const testId = node.getAttribute('data-testid');
      if (testId) fact.testId = testId.toWellFormed();
      const wci = node.getAttribute('data-wci-id');
      if (wci) fact.wciId = wci.toWellFormed();
      const description = byIds(node, 'aria-describedby') || clean(node.getAttribute('aria-description') || '');
      if (description) fact.description = cut(description);
      nodes.push(fact);
      at = nodes.length - 1;
      if (interactive || clickable || role === 'heading' || role === 'cell' || role === 'columnheader') inside = name;
      if (tag === 'textarea' || tag === 'select' || (role === 'textbox' && tag !== 'input')) return;
    }
    // A label whose control is shown says nothing that the control's name does not.
    if (tag === 'label' && /** @type {HTMLLabelElement} */ (node).control && isShown(/** @type {any} */ (node).control)) {
      inside = clean(textOf(node));
    }
    for (const child of childrenOf(node)) visit(child, at, inside);
  }
  if (document.body) visit(document.body, undefined, '');
  const root = document.scrollingElement ?? document.documentElement;
  return stringify({
    url: location.href, title: document.title.toWellFormed(), viewport: [width, height],
    scroll: [scrollX, scrollY, root?.scrollWidth ?? 0, root?.scrollHeight ?? 0],
    nodes, wci: wciElements(), truncated, hiddenText,
  });
}

