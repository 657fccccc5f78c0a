// What one call of a script finds around it, and what of it is put back when the call is over.
//
// To the script, the process is one of its own: folder, environment, arguments, an empty stdin, and outputs that are
// kept apart. Several calls of one process must not be on stage at once.

'use strict';

const fs = require('fs');
const { PassThrough } = require('stream');

/** As it was before any script has been loaded. */
const exit = process.exit.bind(process);

/** The exit code of a script that is faulty: it decides nothing. */
const FAULT = 1;

/** Thrown in place of `process.exit`, so that a script ends itself and not its host. */
class Exit extends Error {}

/** The one that a script is on now. */
let current;

// Always there: a script may end itself in a callback, and what it threw then comes here after it has left the stage.
process.on('uncaughtException', (error) => {
  if (error instanceof Exit) return;
  if (current) {
    current.tell(`${error instanceof Error ? error.stack : error}\n`);
    current.end(FAULT);
    return;
  }
  fs.writeSync(2, `${error instanceof Error ? error.stack : error}\n`);
  exit(FAULT);
});

/** The surroundings of one call. */
class Stage {
  constructor({ file, cwd, environment, input }) {
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
    // Without an input as a stream that has been read to its end: nothing comes, not even its end.
    const stdin = new PassThrough();
    if (input !== undefined) stdin.end(input);
    Object.defineProperty(process, 'stdin', { configurable: true, enumerable: true, get: () => stdin });
    process.exit = (code) => {
      this.end(Number(code ?? process.exitCode ?? 0) | 0);
      throw new Exit('the script ended itself');
    };
    current = this;
    const keep = (descriptor) => (chunk, encoding, done) => {
      if (this.exit === undefined) this.written[descriptor].push(Buffer.from(chunk)); // else the script has ended
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
      if (this.exit === undefined) this.written[descriptor].push(bytes);
      return bytes.length;
    };
    const { readSync, readFileSync } = this.before;
    let unread = Buffer.from(input ?? '');
    fs.readSync = (descriptor, buffer, ...rest) => {
      if (descriptor !== 0) return readSync(descriptor, buffer, ...rest);
      const [offset, length] = typeof rest[0] === 'object' && rest[0] ? [rest[0].offset, rest[0].length] : rest;
      const count = unread.copy(buffer, offset ?? 0, 0, length ?? buffer.length);
      unread = unread.subarray(count);
      return count;
    };
    fs.readFileSync = (file, options) => {
      if (file !== 0 && file !== '/dev/stdin') return readFileSync(file, options);
      const all = unread;
      unread = Buffer.alloc(0);
      return options ? all.toString(typeof options === 'string' ? options : options.encoding ?? 'utf8') : all;
    };
  }

  /** After the script has ended itself: what it has thrown for that passes through its own code first. */
  settled() {
    return new Promise((resolve) => {
      this.before.timers.setImmediate(resolve);
    });
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
    current = undefined;
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
