// @ts-check
// The pages of this shop, and what they tell agents.

const shop = (() => {
  /** @param {string} id @returns {any} */
  const find = (id) => document.getElementById(id);

  /** @param {Element | null} el @param {Record<string, string>} attributes */
  function annotate(el, attributes) {
    for (const [name, value] of Object.entries(attributes)) el?.setAttribute(`data-wci-${name}`, value);
  }

  /** Tells agents what a person sees. @param {Element | null} el @param {Record<string, any>} state */
  function say(el, state) {
    el?.setAttribute('data-wci-state', JSON.stringify(state));
  }

  /** @param {string} text */
  function notice(text) {
    find('notice').textContent = text;
    say(find('notice'), { message: text });
  }

  function refresh() {
    const account = store.account();
    find('count').textContent = String(store.cart().length);
    if (account) find('who').textContent = `Account of ${account.name}`;
    if (account) annotate(find('who'), { desc: `Account of ${account.name}, who is signed in` });
    if (account && find('greeting')) find('greeting').textContent = `Signed in as ${account.name}.`;
    say(find('greeting'), { signedIn: Boolean(account), name: account?.name ?? null });
    say(document.querySelector('[data-wci-id="nav-cart"]'), { items: store.cart().length });
  }

  /** @param {any[]} products */
  function cards(products) {
    for (const one of products) {
      const card = document.createElement('article');
      card.className = 'card';
      card.innerHTML = `${store.art(one)}<h2>${one.name}</h2><p>${one.text}</p>
        <div class="foot"><span class="price">${store.money(one.price)}</span>
        <button aria-label="Add ${one.name} to cart">Add to cart</button></div>`;
      const add = card.querySelector('button');
      const heading = card.querySelector('h2');
      annotate(heading, { id: `product-${one.id}`, role: 'display', desc: `${one.name}, ${store.money(one.price)}`, scope: 'product-list', priority: '2' });
      annotate(add, { id: `add-${one.id}`, role: 'action', desc: `Add ${one.name} to the cart`, action: 'click', scope: 'product-list', priority: '2' });
      add?.addEventListener('click', () => {
        store.addToCart(one.id);
        notice(`${one.name} is in your cart.`);
        refresh();
      });
      find('products').append(card);
    }
  }

  function results() {
    const query = new URLSearchParams(location.search).get('q') ?? '';
    const found = store.search(query);
    document.querySelector('[name=q]')?.setAttribute('value', query);
    find('found').textContent = `${found.length} found for “${query}”`;
    say(find('found'), { count: found.length, query });
    cards(found);
  }

  function registration() {
    const account = store.account();
    const form = find('register');
    if (account) {
      form.hidden = true;
      find('account').hidden = false;
      find('signed-in').textContent = `Signed in as ${account.name}, ${account.email}.`;
      find('delete').addEventListener('click', () => {
        store.deleteAccount();
        location.reload();
      });
      return;
    }
    function check() {
      find('create').disabled = !form.checkValidity();
      for (const id of ['name', 'email', 'country', 'source']) {
        const { value, validity } = find(id);
        say(find(id), { value, valid: value ? validity.valid : null });
      }
      // Whether there is a password may be told, the password never.
      say(find('password'), { filled: find('password').value !== '', valid: find('password').value ? find('password').validity.valid : null });
      say(find('terms'), { checked: find('terms').checked });
      say(find('create'), { enabled: !find('create').disabled });
    }
    form.addEventListener('input', check);
    form.addEventListener('change', check);
    form.addEventListener('submit', (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!/@.+\..+/.test(find('email').value)) {
        find('problem').textContent = 'Give an email address with a domain, such as name@example.com.';
        say(find('problem'), { message: find('problem').textContent, level: 'error' });
        return;
      }
      store.createAccount({ name: find('name').value, email: find('email').value, country: find('country').value });
      store.notice(`Your account was created. Welcome, ${find('name').value}.`);
      location.href = 'index.html';
    });
    check();
  }

  function lines() {
    const cart = store.cart();
    find('lines').replaceChildren();
    if (!cart.length) find('lines').textContent = 'Nothing is in it yet.';
    cart.forEach((id, at) => {
      const one = store.product(id);
      if (!one) return;
      const line = document.createElement('div');
      line.className = 'row';
      line.innerHTML = `${store.art(one)}<h2>${one.name}</h2><span class="price">${store.money(one.price)}</span>
        <button class="quiet" aria-label="Remove ${one.name}">Remove</button>`;
      annotate(line.querySelector('h2'), { id: `line-${at + 1}`, role: 'display', desc: `In the cart: ${one.name}, ${store.money(one.price)}`, scope: 'cart', priority: '1' });
      annotate(line.querySelector('button'), { id: `remove-${at + 1}`, role: 'action', desc: `Remove ${one.name}`, action: 'click', scope: 'cart', priority: '4' });
      line.querySelector('button')?.addEventListener('click', () => {
        store.removeFromCart(id);
        refresh();
        lines();
      });
      find('lines').append(line);
    });
    find('total').textContent = store.money(store.total());
    say(find('total'), { amount: store.total(), items: cart.length });
    find('to-checkout').hidden = !cart.length;
  }

  function checkout() {
    find('total').textContent = store.money(store.total());
    find('order').disabled = !store.cart().length;
    say(find('total'), { amount: store.total() });
    say(find('order'), { enabled: !find('order').disabled });
    find('order').addEventListener('click', () => {
      store.emptyCart();
      find('total').textContent = store.money(0);
      find('order').disabled = true;
      say(find('total'), { amount: 0 });
      say(find('order'), { enabled: false });
      notice('Thank you: the order was placed.');
      refresh();
    });
  }

  const said = store.notice();
  if (said) notice(said);
  refresh();
  return { cards, results, registration, lines, checkout };
})();
