// What the bench drives: an MCP server over its standard streams, and raw CDP over a pipe as the floor.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const LIMIT = 60_000;

function within(promise, what) {
  let timer;
  const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new Error(`${what}: no answer in ${LIMIT} ms`)), LIMIT); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A table of waiting calls by id. */
class Waiting {
  #next = 1;
  #waiting = new Map();

  add() {
    const id = this.#next++;
    const promise = new Promise((done, fail) => this.#waiting.set(id, { done, fail }));
    return { id, promise };
  }

  settle(message) {
    const entry = this.#waiting.get(message.id);
    if (!entry) return;
    this.#waiting.delete(message.id);
    if (message.error) entry.fail(new Error(JSON.stringify(message.error)));
    else entry.done(message.result);
  }

  failAll(why) {
    for (const { fail } of this.#waiting.values()) fail(new Error(why));
    this.#waiting.clear();
  }
}

/** A client of one MCP server process. */
export class Mcp {
  #waiting = new Waiting();

  static async start(command, args, env = {}) {
    const client = new Mcp();
    client.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
    client.pid = client.process.pid;
    client.process.on('error', (error) => client.#waiting.failAll(String(error)));
    client.process.on('exit', () => client.#waiting.failAll('the server ended'));
    client.process.stdin.on('error', () => {});
    let rest = '';
    client.process.stdout.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines.filter((text) => text.startsWith('{'))) client.#waiting.settle(JSON.parse(line));
    });
    await client.request('initialize', {
      protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' },
    });
    client.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  #send(message) {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  request(method, params) {
    const { id, promise } = this.#waiting.add();
    this.#send({ jsonrpc: '2.0', id, method, params });
    return within(promise, method);
  }

  /** Calls a tool; a tool's error is an error here. */
  async call(name, args) {
    const result = await this.request('tools/call', { name, arguments: args });
    const text = (result.content ?? []).map((block) => block.text ?? '').join('\n');
    if (result.isError) throw new Error(`${name}: ${text.slice(0, 300)}`);
    return { text, structured: result.structuredContent };
  }

  async close() {
    const ended = new Promise((done) => this.process.once('exit', done));
    if (this.process.exitCode !== null) return;
    this.process.stdin.end();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  }
}

/** Chromium's arguments for the floor: the fewest that make it comparable. */
export function chromiumArgs(profile) {
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return ['--headless=new', '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-extensions', '--disable-gpu', `--user-data-dir=${profile}`, ...root];
}

export function temporary() {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'gannet-bench-'));
}

/** Raw CDP over `--remote-debugging-pipe`, one page. */
export class RawCdp {
  #waiting = new Waiting();
  #listeners = new Set();

  static async start(chromium) {
    const cdp = new RawCdp();
    cdp.profile = temporary();
    cdp.process = spawn(chromium, [...chromiumArgs(cdp.profile), '--remote-debugging-pipe', '--window-size=1280,720'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    cdp.process.on('exit', () => cdp.#waiting.failAll('the browser ended'));
    let rest = '';
    cdp.process.stdio[4].setEncoding('utf8').on('data', (chunk) => {
      const messages = (rest + chunk).split('\0');
      rest = messages.pop();
      for (const text of messages) {
        const message = JSON.parse(text);
        if (message.id) cdp.#waiting.settle(message);
        else for (const listener of cdp.#listeners) listener(message);
      }
    });
    cdp.process.stdio[3].on('error', () => {});
    const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank' });
    cdp.session = (await cdp.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    await cdp.send('Page.enable');
    return cdp;
  }

  send(method, params = {}) {
    const { id, promise } = this.#waiting.add();
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return within(promise, method);
  }

  async navigate(url) {
    let listener;
    const loaded = new Promise((done) => {
      listener = (message) => { if (message.method === 'Page.loadEventFired') done(); };
      this.#listeners.add(listener);
    });
    await this.send('Page.navigate', { url });
    await within(loaded, 'load');
    this.#listeners.delete(listener);
  }

  async evaluate(expression) {
    const { result } = await this.send('Runtime.evaluate', { expression, returnByValue: true });
    return result.value;
  }

  async click(x, y) {
    const event = (type, rest = {}) => this.send('Input.dispatchMouseEvent', { type, x, y, ...rest });
    await event('mouseMoved');
    await event('mousePressed', { button: 'left', clickCount: 1 });
    await event('mouseReleased', { button: 'left', clickCount: 1 });
  }

  async close() {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.stdio[3].end();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
    fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
