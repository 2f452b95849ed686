// The pages of the bench, made here so that every run and every driver sees the same bytes, and their server.

import http from 'node:http';

const form = `<!doctype html><title>Registration</title><h1>Registration</h1><p>All fields are required.</p><form>
${['Full name', 'Email', 'Street', 'City', 'Postal code'].map((label, i) => `<p><label for=f${i}>${label}</label> <input id=f${i} name=f${i} required></p>`).join('\n')}
<p><label for=country>Country</label> <select id=country><option>Norway<option>Sweden<option>Denmark<option>Iceland</select></p>
<p><label><input type=radio name=plan checked> Basic</label> <label><input type=radio name=plan> Plus</label></p>
<p><label><input type=checkbox id=terms> I agree to the terms</label></p>
<p><label for=note>Note</label> <textarea id=note></textarea></p>
<p><button type=button>Register</button> <button type=reset>Reset</button></p></form>`;

const cards = `<!doctype html><title>Shop</title><style>.g{display:grid;grid-template-columns:repeat(4,1fr)}</style><h1>Shop</h1><div class=g>
${Array.from({ length: 120 }, (_, i) => `<article><h2>Product ${i + 1}</h2><p>A sturdy thing for use number ${i + 1}, made to last.</p>
<p class=price>$${(i * 7 % 90) + 9}.95</p><button>Add to cart</button> <a href="/p/${i + 1}">Details</a></article>`).join('\n')}</div>`;

const table = `<!doctype html><title>Orders</title><h1>Orders</h1><table><thead><tr><th>Id<th>Customer<th>City<th>Total<th>Status<th></tr></thead><tbody>
${Array.from({ length: 1000 }, (_, i) => `<tr><td>${10000 + i}<td>Customer ${i + 1}<td>${['Oslo', 'Bergen', 'Turku', 'Aarhus'][i % 4]}<td>${(i * 13 % 500) + 5}.00<td>${['open', 'paid', 'sent'][i % 3]}<td><a href="/o/${i}">Open</a></tr>`).join('\n')}</tbody></table>`;

const click = `<!doctype html><title>Counter</title><h1>Counter</h1><button id=go onclick="document.getElementById('n').textContent=++n">Count</button><p id=n>0</p><script>let n=0</script>`;

const all = { '/form': form, '/cards': cards, '/table': table, '/click': click };

/** Serves the pages on a loopback port of its own. */
export async function serve() {
  const server = http.createServer((request, response) => {
    const html = all[new URL(request.url, 'http://x').pathname];
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html ?? '');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: (path) => `http://127.0.0.1:${server.address().port}${path}`, close: () => server.close() };
}
