// What one call of a script finds around it, and what of it is put back when the call is over.
//
// To the script, the process is one of its own: folder, environment, arguments, an empty stdin, and outputs that are
// kept apart. Several calls of one process must not be on stage at once.

'use strict';

const fs = require('fs');
const { PassThrough } = require('stream');

/** The exit code of a script that is faulty: it decides nothing. */
const FAULT = 1;

/** Thrown in place of `process.exit`, so that a script ends itself and not its host. */
class Exit extends Error {}

/** The surroundings of one call. */
class Stage {
  constructor({ file, cwd, environment }) {
    const cameFrom = process.cwd();
    if (cwd) process.chdir(cwd); // first: it alone may fail, and then nothing has to be put back
    this.exit = undefined;
    /** Settles when the script ends itself in a callback, where nobody would catch it. */
    this.over = new Promise((resolve) => {
      this.end = (code) => {
        this.exit ??= code;
        resolve(undefined);
      };
    });
    this.written = { 1: [], 2: [] };
    this.before = {
      cwd: cameFrom,
      globals: new Set(Reflect.ownKeys(globalThis)),
      environment: { ...process.env },
      argv: process.argv,
      stdin: Object.getOwnPropertyDescriptor(process, 'stdin'),
      exit: process.exit,
      exitCode: process.exitCode,
      timers: { setTimeout, setInterval, setImmediate },
      writeSync: fs.writeSync,
      readSync: fs.readSync,
      readFileSync: fs.readFileSync,
      out: process.stdout.write,
      err: process.stderr.write,
      listeners: process.eventNames().map((name) => [name, process.rawListeners(name)]),
    };
    this.timers = [];
    for (const [name, start] of Object.entries(this.before.timers)) {
      const begin = (...words) => {
        const timer = start(...words);
        this.timers.push(timer);
        return timer;
      };
      globalThis[name] = Object.assign(begin, start); // with what belongs to it, such as its promisified form
    }
    if (environment) replaceEnvironment(environment);
    process.argv = [process.execPath, file];
    // As a stream that has been read to its end: nothing comes, not even its end.
    const nothing = new PassThrough();
    Object.defineProperty(process, 'stdin', { configurable: true, enumerable: true, get: () => nothing });
    process.exit = (code) => {
      this.end(Number(code ?? process.exitCode ?? 0) | 0);
      throw new Exit('the script ended itself');
    };
    process.on('uncaughtException', (error) => {
      if (error instanceof Exit) return;
      this.written[2].push(Buffer.from(`${error instanceof Error ? error.stack : error}\n`));
      this.end(FAULT);
    });
    const keep = (descriptor) => (chunk, encoding, done) => {
      this.written[descriptor].push(Buffer.from(chunk));
      const after = typeof encoding === 'function' ? encoding : done;
      if (typeof after === 'function') process.nextTick(after);
      return true;
    };
    process.stdout.write = keep(1);
    process.stderr.write = keep(2);
    const { writeSync } = this.before;
    fs.writeSync = (descriptor, data, ...rest) => {
      if (descriptor !== 1 && descriptor !== 2) return writeSync(descriptor, data, ...rest);
      const bytes = bytesOf(data, rest);
      this.written[descriptor].push(bytes);
      return bytes.length;
    };
    const { readSync, readFileSync } = this.before;
    fs.readSync = (descriptor, ...rest) => (descriptor === 0 ? 0 : readSync(descriptor, ...rest));
    fs.readFileSync = (file, options) => {
      if (file !== 0 && file !== '/dev/stdin') return readFileSync(file, options);
      return options ? '' : Buffer.alloc(0);
    };
  }

  tell(text) {
    this.written[2].push(Buffer.from(text));
  }

  stdout() {
    return Buffer.concat(this.written[1]).toString();
  }

  stderr() {
    return Buffer.concat(this.written[2]).toString();
  }

  leave() {
    const { before } = this;
    for (const timer of this.timers) {
      clearTimeout(timer);
      clearImmediate(timer);
    }
    Object.assign(globalThis, before.timers);
    for (const name of Reflect.ownKeys(globalThis)) if (!before.globals.has(name)) delete globalThis[name];
    fs.writeSync = before.writeSync;
    fs.readSync = before.readSync;
    fs.readFileSync = before.readFileSync;
    process.stdout.write = before.out;
    process.stderr.write = before.err;
    process.exit = before.exit;
    process.exitCode = before.exitCode;
    process.argv = before.argv;
    Object.defineProperty(process, 'stdin', before.stdin);
    replaceEnvironment(before.environment);
    process.chdir(before.cwd);
    dropListeners(before.listeners);
  }
}

/** What `fs.writeSync` was given, as a copy. */
function bytesOf(data, [offset, length]) {
  if (typeof data === 'string') return Buffer.from(data);
  const whole = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const from = typeof offset === 'number' ? offset : 0;
  return Buffer.from(whole.subarray(from, typeof length === 'number' ? from + length : undefined));
}

/** Listeners that a script has added to the process would otherwise pile up. */
function dropListeners(known) {
  const kept = new Map(known);
  for (const name of process.eventNames()) {
    for (const listener of process.rawListeners(name)) {
      if (!(kept.get(name) ?? []).includes(listener)) process.removeListener(name, listener);
    }
  }
}

function replaceEnvironment(wanted) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(wanted, name)) delete process.env[name];
  for (const [name, value] of Object.entries(wanted)) if (process.env[name] !== value) process.env[name] = value;
}

module.exports = { FAULT, Stage };
