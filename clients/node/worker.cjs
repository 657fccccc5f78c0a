// Serves a hook's handler: many events as a worker, or one as a plain hook (docs/workers.md of tenterhook).
// Works with Node's own modules alone.

'use strict';

const exit = process.exit.bind(process);
const LINE_END = 10;
const FAULT = 1;

/** Thrown in place of an exit, so that a handler ends its event and not its worker. */
class Exit extends Error {}

exports.run = function run(handler) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr); // nothing stray is to be taken for an answer
  if (process.env.TENTERHOOK_WORKER === '1') serve(handler, write);
  else handleOne(handler, write);
};

function handleOne(handler, write) {
  const chunks = [];
  process.stdin.on('data', (chunk) => chunks.push(chunk));
  process.stdin.on('end', async () => {
    let code = FAULT;
    let said = '';
    try {
      said = inWords(await handler(JSON.parse(Buffer.concat(chunks).toString() || 'null')));
      code = process.exitCode ?? 0;
    } catch (error) {
      process.stderr.write(`${told(error)}\n`);
    }
    write(said, () => exit(code));
  });
}

function serve(handler, write) {
  const { AsyncLocalStorage } = require('node:async_hooks');
  const events = new AsyncLocalStorage(); // so that what an event has left behind never ends another one
  const enter = surroundings();
  const lines = [];
  let current;
  let ended = false;

  process.exit = (code) => {
    const event = events.getStore();
    if (event === undefined) exit(code);
    event.settle({ exitCode: Number(code ?? process.exitCode ?? 0) });
    throw new Exit('the handler has ended its event');
  };
  process.on('uncaughtException', (error) => {
    if (error instanceof Exit) return;
    if (current === undefined) {
      process.stderr.write(`${told(error)}\n`);
      exit(FAULT);
    }
    // A plain hook would have died of it. What its code would still do is unknown: this worker ends too.
    current.settle({ exitCode: FAULT, stderr: `${told(error)}\n`, last: true });
  });

  async function work() {
    while (lines.length > 0) {
      const request = parsed(lines.shift());
      const answer = await new Promise((settle) => {
        current = { settle };
        events.run(current, () => handle(handler, request, enter).then(settle));
      });
      current = undefined;
      process.exitCode = undefined;
      const line = `${JSON.stringify({ id: request.id, ...answer })}\n`;
      if (answer.last) {
        write(line, () => exit(0));
        return;
      }
      write(line);
    }
    if (ended) exit(0);
  }

  let working = Promise.resolve();
  let rest = [];
  process.stdin.on('data', (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      lines.push(Buffer.concat([...rest, chunk.subarray(from, end)]));
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
    working = working.then(work);
  });
  process.stdin.on('end', () => {
    ended = true;
    working.then(work);
  });
}

function parsed(line) {
  try {
    const request = JSON.parse(line.toString());
    if (Number.isInteger(request?.id)) return request;
    return { id: -1, fault: 'it has no id' };
  } catch (error) {
    return { id: -1, fault: error.message };
  }
}

/** What became of one event. One that has ended by `process.exit` is answered by that. */
async function handle(handler, { event = null, env = {}, cwd, fault }, enter) {
  try {
    if (fault !== undefined) throw new Error(fault);
    enter(env, cwd);
  } catch (error) {
    return { error: `the request cannot be served: ${error.message}` };
  }
  try {
    const stdout = inWords(await handler(event));
    return { exitCode: Number(process.exitCode ?? 0), stdout };
  } catch (error) {
    return { exitCode: FAULT, stderr: `${told(error)}\n` };
  }
}

function inWords(answer) {
  return typeof answer === 'string' ? answer : JSON.stringify(answer ?? undefined) ?? '';
}

function told(error) {
  return error instanceof Error ? error.stack : String(error);
}

/** The folder and the variables of an event; only what events change is put back, for all of it takes long. */
function surroundings() {
  const home = process.cwd();
  const own = new Map();
  return (env, cwd = home) => {
    for (const [name, value] of own) {
      if (name in env) continue;
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    for (const name of Object.keys(env)) {
      if (!own.has(name)) own.set(name, process.env[name]);
      process.env[name] = env[name];
    }
    process.chdir(cwd);
  };
}
