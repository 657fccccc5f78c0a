// Serves a hook's handler: many events as a worker, or one as a plain hook (docs/workers.md of tenterhook).
// Works with Node's own modules alone.

'use strict';

const fs = require('node:fs');

/** What one event has come to. */
async function handle(handler, event) {
  process.exitCode = undefined;
  try {
    const answer = await handler(event);
    const code = Number(process.exitCode ?? 0);
    if (answer === undefined || answer === null) return { exitCode: code, stdout: '', stderr: '' };
    return { exitCode: code, stdout: typeof answer === 'string' ? answer : JSON.stringify(answer), stderr: '' };
  } catch (error) {
    return { exitCode: 1, stdout: '', stderr: `${error instanceof Error ? error.stack : error}\n` };
  } finally {
    process.exitCode = undefined;
  }
}

/** What is printed from now on goes to stderr; the way to stdout that is left is given back. */
function contain() {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return write;
}

async function once(handler) {
  const text = fs.readFileSync(0, 'utf8');
  const write = contain();
  const { exitCode, stdout, stderr } = await handle(handler, JSON.parse(text || 'null'));
  process.stderr.write(stderr);
  process.exitCode = exitCode;
  write(stdout);
}

async function answer(handler, line, home, environment) {
  let id = -1;
  try {
    const request = JSON.parse(line);
    id = Number.isInteger(request.id) ? request.id : -1;
    Object.assign(process.env, request.env ?? {});
    if (request.cwd) process.chdir(request.cwd);
    return { id, ...(await handle(handler, request.event)) };
  } catch (error) {
    return { id, error: `the request cannot be served: ${error instanceof Error ? error.message : error}` };
  } finally {
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
    for (const [name, value] of Object.entries(environment)) if (process.env[name] !== value) process.env[name] = value;
    process.chdir(home);
  }
}

async function serve(handler) {
  const write = contain();
  const home = process.cwd();
  const environment = { ...process.env };
  const lines = require('node:readline').createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.trim()) write(`${JSON.stringify(await answer(handler, line, home, environment))}\n`);
  }
}

exports.run = (handler) => (process.env.TENTERHOOK_WORKER === '1' ? serve(handler) : once(handler));
