// @ts-check
// The pages of this shop: plain HTML, no annotation.

const shop = (() => {
  /** @param {string} id @returns {any} */
  const find = (id) => document.getElementById(id);

  /** @param {string} text */
  function notice(text) {
    find('notice').textContent = text;
  }

  function refresh() {
    const account = store.account();
    find('count').textContent = String(store.cart().length);
    if (account) find('who').textContent = `Account of ${account.name}`;
    if (account && find('greeting')) find('greeting').textContent = `Signed in as ${account.name}.`;
  }

  /** @param {any[]} products */
  function cards(products) {
    for (const one of products) {
      const card = document.createElement('article');
      card.className = 'card';
      card.innerHTML = `${store.art(one)}<h2>${one.name}</h2><p>${one.text}</p>
        <div class="foot"><span class="price">${store.money(one.price)}</span>
        <button aria-label="Add ${one.name} to basket">Add to basket</button></div>`;
      card.querySelector('button')?.addEventListener('click', () => {
        store.addToCart(one.id);
        notice(`${one.name} is in your basket.`);
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
    }
    form.addEventListener('input', check);
    form.addEventListener('change', check);
    form.addEventListener('submit', (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!/@.+\..+/.test(find('email').value)) {
        find('problem').textContent = 'Give an email address with a domain, such as name@example.com.';
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
    cart.forEach((id) => {
      const one = store.product(id);
      if (!one) return;
      const line = document.createElement('div');
      line.className = 'row';
      line.innerHTML = `${store.art(one)}<h2>${one.name}</h2><span class="price">${store.money(one.price)}</span>
        <button class="quiet" aria-label="Remove ${one.name}">Remove</button>`;
      line.querySelector('button')?.addEventListener('click', () => {
        store.removeFromCart(id);
        refresh();
        lines();
      });
      find('lines').append(line);
    });
    find('total').textContent = store.money(store.total());
    find('to-checkout').hidden = !cart.length;
  }

  function checkout() {
    find('total').textContent = store.money(store.total());
    find('order').disabled = !store.cart().length;
    find('order').addEventListener('click', () => {
      store.emptyCart();
      find('total').textContent = store.money(0);
      find('order').disabled = true;
      notice('Thank you: the order was placed.');
      refresh();
    });
  }

  const said = store.notice();
  if (said) notice(said);
  refresh();
  return { cards, results, registration, lines, checkout };
})();
