// @ts-check
// What both shops know: products, the account and the cart, kept in this browser only.

const store = (() => {
  const products = [
    { id: 'stoneware-mug', name: 'Stoneware mug', price: 14, art: 'mug', color: '#b5835a', text: 'Holds a third of a litre, and warmth.' },
    { id: 'linen-towel', name: 'Linen towel', price: 18, art: 'towel', color: '#8fa98f', text: 'Washed soft, dries quickly.' },
    { id: 'olive-board', name: 'Olive wood board', price: 36, art: 'board', color: '#a9793f', text: 'No two have the same grain.' },
    { id: 'red-kettle', name: 'Red kettle', price: 49, art: 'kettle', color: '#b8453a', text: 'Enamelled steel, 1.5 litres, whistles.' },
    { id: 'blue-kettle', name: 'Blue kettle', price: 49, art: 'kettle', color: '#2f6fa3', text: 'Enamelled steel, 1.5 litres, whistles.' },
    { id: 'blue-bowl', name: 'Blue bowl', price: 22, art: 'bowl', color: '#3f86b5', text: 'Deep enough for noodles.' },
    { id: 'glass-carafe', name: 'Glass carafe', price: 27, art: 'carafe', color: '#8fb8b5', text: 'One litre, hand-blown.' },
    { id: 'iron-pan', name: 'Cast-iron pan', price: 58, art: 'pan', color: '#4a4f57', text: 'Outlives its first three owners.' },
  ];
  /** @type {Record<string, string>} */
  const shapes = {
    kettle: '<path d="M62 70q6-26 38-26t38 26v28H62z"/><path d="M76 50q24-34 48 0" fill="none" stroke-width="6"/><path d="M138 72l22-14"/><circle cx="100" cy="41" r="5"/>',
    mug: '<path d="M72 44h48v46q0 12-12 12H84q-12 0-12-12z"/><path d="M120 56h12q10 0 10 14t-10 14h-12" fill="none" stroke-width="6"/>',
    towel: '<path d="M72 28h56v76H72z"/><path d="M72 88h56" stroke="#fff" opacity=".6"/>',
    board: '<rect x="58" y="44" width="78" height="54" rx="10"/><circle cx="147" cy="71" r="8" fill="none" stroke-width="6"/>',
    bowl: '<path d="M54 56h92q0 42-46 42T54 56z"/>',
    carafe: '<path d="M88 26h24v22q24 12 24 36 0 20-20 20H84q-20 0-20-20 0-24 24-36z" opacity=".75"/>',
    pan: '<circle cx="88" cy="66" r="34"/><path d="M120 70h52" stroke-width="10"/>',
  };

  /** @param {string} key @param {any} fallback */
  function read(key, fallback) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') ?? fallback;
    } catch {
      return fallback;
    }
  }

  /** @param {string} key @param {any} value */
  const write = (key, value) => localStorage.setItem(key, JSON.stringify(value));

  return Object.freeze({
    products,
    /** @param {string} id */
    product: (id) => products.find((one) => one.id === id),
    /** Products that share a word with the query, those that share more first. @param {string} query */
    search(query) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const score = (/** @type {any} */ one) => words.filter((word) => one.name.toLowerCase().includes(word)).length;
      return products.filter((one) => score(one) > 0).sort((a, b) => score(b) - score(a));
    },
    /** @param {{art: string, color: string}} product */
    art: ({ art, color }) => `<svg viewBox="0 0 200 120" aria-hidden="true" fill="${color}" stroke="${color}" stroke-width="4" stroke-linecap="round">${shapes[art]}</svg>`,
    /** @param {number} amount */
    money: (amount) => `€${amount.toFixed(2)}`,
    account: () => read('account', null),
    // The password is checked on the form and kept nowhere.
    createAccount: (/** @type {{name: string, email: string, country: string}} */ account) => write('account', account),
    deleteAccount: () => localStorage.removeItem('account'),
    /** @returns {string[]} */
    cart: () => read('cart', []),
    addToCart: (/** @type {string} */ id) => write('cart', [...read('cart', []), id]),
    removeFromCart(/** @type {string} */ id) {
      const cart = read('cart', []);
      const at = cart.indexOf(id);
      if (at >= 0) cart.splice(at, 1);
      write('cart', cart);
    },
    emptyCart: () => write('cart', []),
    total: () => read('cart', []).reduce((/** @type {number} */ sum, /** @type {string} */ id) => sum + (products.find((one) => one.id === id)?.price ?? 0), 0),
    /** A line for the next page, shown once. @param {string} [text] */
    notice(text) {
      if (text) return sessionStorage.setItem('notice', text);
      const said = sessionStorage.getItem('notice');
      sessionStorage.removeItem('notice');
      return said;
    },
  });
})();
