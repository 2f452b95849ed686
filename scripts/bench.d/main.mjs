// Bars P1 to P4 and P8 as ratios in one run. Peers that are not installed are left out, and that is said.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { Mcp, RawCdp, chromiumArgs, temporary } from './drivers.mjs';
import { serve } from './pages.mjs';

const options = { peers: 'target/peers', gannet: 'target/release/gannet', runs: '7' };
for (let i = 2; i + 1 < process.argv.length; i += 2) options[process.argv[i].replace(/^--/, '')] = process.argv[i + 1];
const runs = Number(options.runs);
const usual = ['/usr/lib/chromium/chromium', '/usr/lib/chromium-browser/chromium-browser', '/opt/google/chrome/chrome'];
const chromium = options.chromium ?? usual.find((file) => fs.existsSync(file)) ?? 'chromium';
const asRoot = process.getuid?.() === 0;
const modules = path.resolve(options.peers, 'node_modules');
const pwCli = path.join(modules, '@playwright/mcp/cli.js');
const abCli = path.join(modules, 'agent-browser/bin/agent-browser.js');
const leftOut = [];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function timed(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Median of `count` timings after one that warms up. */
async function measure(count, work) {
  await work(-1);
  const times = [];
  for (let i = 0; i < count; i++) times.push(await timed(() => work(i)));
  return median(times);
}

function runOnce(command, args, env = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    let out = '';
    let errors = '';
    child.stdout.on('data', (chunk) => { out += chunk; });
    child.stderr.on('data', (chunk) => { errors += chunk; });
    child.on('error', fail);
    child.on('exit', (code) => (code === 0 ? done(out) : fail(new Error(`${command} ${args.join(' ')}: ${code} ${errors.slice(-300)}`))));
  });
}

/** Runs one part; a failing peer costs its column, a failing Gannet the whole run. */
async function peer(name, present, work) {
  if (!present) { leftOut.push(`${name}: not installed below ${options.peers}`); return {}; }
  try { return await work(); } catch (error) { leftOut.push(`${name}: ${String(error.message ?? error).slice(0, 200)}`); return {}; }
}

const rows = [];
function report(bar, what, gannet, against) {
  for (const [name, value, limit] of against) {
    if (!(value > 0)) continue;
    const ratio = gannet / value;
    rows.push([bar, what, gannet.toFixed(1), name, value.toFixed(1), ratio.toFixed(2), `<= ${limit}`, ratio <= limit ? 'met' : 'MISSED']);
  }
}

const rss = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

// Every element's box, style and own text: the least that any in-page distiller reads.
const WALK = `(() => { let n = 0, t = 0; const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) { n++; if (node.nodeType === 3) { t += node.data.length; continue; }
const s = getComputedStyle(node), r = node.getBoundingClientRect(); if (s.visibility === 'visible' && s.display !== 'none' && r.width > 0) t += (node.getAttribute('role') ?? node.tagName).length; }
return [n, t]; })()`;
const PAGES = ['form', 'cards', 'table'];

async function floor(site) {
  const first = await measure(Math.min(runs, 5), async () => {
    const profile = temporary();
    await runOnce(chromium, [...chromiumArgs(profile), '--dump-dom', site.url('/form')]);
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const cdp = await RawCdp.start(chromium);
  const navigate = await measure(runs * 2, (i) => cdp.navigate(site.url(`/form?${i}`)));
  await cdp.navigate(site.url('/click'));
  const [x, y] = await cdp.evaluate("(() => { const r = document.getElementById('go').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()");
  const click = await measure(runs * 2, async () => { await cdp.click(x, y); await cdp.evaluate("document.getElementById('n').textContent"); });
  const walk = {};
  for (const page of PAGES) {
    await cdp.navigate(site.url(`/${page}`));
    walk[page] = await measure(runs, () => cdp.evaluate(WALK));
  }
  await cdp.close();
  return { first, navigate, click, walk };
}

async function gannet(site) {
  const first = await measure(Math.min(runs, 5), () => runOnce(options.gannet, ['view', site.url('/form')]));
  const mcp = await Mcp.start(options.gannet, ['mcp']);
  const memory = { idle: rss(mcp.pid) };
  const navigate = await measure(runs * 2, (i) => mcp.call('navigate', { url: site.url(`/form?${i}`) }));
  await mcp.call('navigate', { url: site.url('/click') });
  const click = await measure(runs * 2, () => mcp.call('act', { nodeId: 'css=#go', action: 'click' }));
  const view = {};
  for (const page of PAGES) {
    await mcp.call('navigate', { url: site.url(`/${page}`) });
    view[page] = await measure(runs, () => mcp.call('view', {}));
  }
  memory.table = rss(mcp.pid);
  for (let i = 1; i < 16; i++) {
    await mcp.call('tabs', { op: 'new' });
    await mcp.call('navigate', { url: site.url('/form') });
    await mcp.call('view', {});
  }
  memory.tabs16 = rss(mcp.pid);
  await mcp.close();
  return { first, navigate, click, view, memory };
}

async function playwright(site) {
  const mcp = await Mcp.start(process.execPath, [pwCli, '--headless', '--isolated', '--browser', 'chromium',
    '--executable-path', chromium, ...(asRoot ? ['--no-sandbox'] : [])]);
  try {
    await mcp.call('browser_navigate', { url: site.url('/click') });
    const snapshot = (await mcp.call('browser_snapshot', {})).text;
    const ref = /button "Count"[^\n]*\[ref=(\w+)\]/.exec(snapshot)?.[1];
    const tools = (await mcp.request('tools/list', {})).tools;
    const properties = tools.find((tool) => tool.name === 'browser_click').inputSchema.properties;
    const key = 'target' in properties ? 'target' : 'ref';
    const click = await measure(Math.min(runs, 5), () => mcp.call('browser_click', { element: 'Count', [key]: ref }));
    const view = {};
    for (const page of PAGES) {
      await mcp.call('browser_navigate', { url: site.url(`/${page}`) });
      view[page] = await measure(Math.min(runs, 3), () => mcp.call('browser_snapshot', {}));
    }
    return { click, view };
  } finally {
    await mcp.close();
  }
}

async function agentBrowser(site) {
  const env = (session) => ({
    AGENT_BROWSER_SESSION: session, AGENT_BROWSER_EXECUTABLE_PATH: chromium, AGENT_BROWSER_ARGS: asRoot ? '--no-sandbox' : '',
  });
  const native = path.join(modules, 'agent-browser/bin', `agent-browser-${process.platform}-${process.arch}`);
  const [command, before] = fs.existsSync(native) ? [native, []] : [process.execPath, [abCli]];
  if (fs.existsSync(native)) fs.chmodSync(native, 0o755);
  const ab = (session, ...args) => runOnce(command, [...before, ...args], env(session));
  const firsts = [];
  for (let i = 0; i < 3; i++) {
    firsts.push(await timed(async () => { await ab(`bench${i}`, 'open', site.url('/form')); await ab(`bench${i}`, 'snapshot'); }));
    await ab(`bench${i}`, 'close');
  }
  await ab('bench', 'open', site.url('/click'));
  try {
    const click = await measure(runs, () => ab('bench', 'click', '#go'));
    return { first: median(firsts), click };
  } finally {
    await ab('bench', 'close');
  }
}

const site = await serve();
const raw = await floor(site);
const own = await gannet(site);
const pw = await peer('@playwright/mcp', fs.existsSync(pwCli), () => playwright(site));
const ab = await peer('agent-browser', fs.existsSync(abCli), () => agentBrowser(site));
site.close();

report('P1', 'first page, ms', own.first, [['chromium --dump-dom', raw.first, 1.3], ['agent-browser', ab.first, 0.6]]);
report('P2', 'navigate, ms', own.navigate, [['raw CDP', raw.navigate, 1.2]]);
report('P3', 'click, ms', own.click, [['raw CDP', raw.click, 2], ['playwright-mcp', pw.click, 0.1], ['agent-browser', ab.click, 1]]);
for (const [page, limit] of [['form', 0.6], ['cards', 0.3], ['table', 0.2]]) {
  report('P4', `view ${page}, ms`, own.view[page], [['playwright-mcp', pw.view?.[page], limit], ['in-page walk', raw.walk[page], 1.5]]);
}
report('P8', 'RSS idle, MB', own.memory.idle, [['bar', 25, 1]]);
report('P8', 'RSS after the table, MB', own.memory.table, [['bar', 40, 1]]);
report('P8', 'RSS at 16 tabs, MB', own.memory.tabs16, [['bar', 90, 1]]);
report('P8', 'binary, MB', fs.statSync(options.gannet).size / 1e6, [['bar', 25, 1]]);

const head = ['bar', 'what', 'gannet', 'against', 'it', 'ratio', 'wanted', ''];
const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
for (const row of [head, ...rows]) console.log(row.map((cell, i) => cell.padEnd(widths[i])).join('  ').trimEnd());
console.log(`\nMedians of ${runs} to ${runs * 2} runs (peers: 3 to ${runs}); floor and peers measured in this run.`);
for (const line of leftOut) console.log(`Left out: ${line}`);
