'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { test } = require('node:test');

const WARM = { ...process.env, TENTERHOOK_WORKER: '1' };
const PACKAGE = JSON.stringify(require.resolve('..'));

function serve(handler, input, env = WARM) {
  const program = `require(${PACKAGE}).run(${handler})`;
  return spawnSync(process.execPath, ['-e', program], { input, env, encoding: 'utf8', timeout: 30_000 });
}

function answers(handler, ...requests) {
  const done = serve(handler, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
}

test('it can be imported and required', () => {
  const program = `import { run } from ${JSON.stringify(require.resolve('..'))}; run(() => 'imported')`;
  const words = ['--input-type=module', '-e', program];
  const done = spawnSync(process.execPath, words, { input: '{}', encoding: 'utf8' });
  assert.deepEqual([done.status, done.stdout], [0, 'imported'], done.stderr);
});

test('events are handled one after another', () => {
  const handler = `async (event) => {
    globalThis.at = (globalThis.at ?? 0) + 1;
    await new Promise((resolve) => setTimeout(resolve, event.wait));
    return { at: globalThis.at-- };
  }`;
  const told = answers(handler, { id: 1, event: { wait: 30 } }, { id: 2, event: { wait: 0 } });
  assert.deepEqual(told.map(({ id, stdout }) => [id, stdout]), [[1, '{"at":1}'], [2, '{"at":1}']]);
});

test('a line ends with a line feed and with nothing else', () => {
  const text = 'a\u2028b\u2029c\u0085d';
  const [told] = answers('(event) => event.text', { id: 1, event: { text } });
  assert.equal(told.stdout, text);
});

test('a request that comes in pieces is one', async () => {
  const child = spawn(process.execPath, ['-e', `require(${PACKAGE}).run((event) => event.text)`], { env: WARM });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  const bytes = Buffer.from(`${JSON.stringify({ id: 1, event: { text: '漢字' } })}\n`);
  for (const byte of bytes) {
    child.stdin.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  child.stdin.end();
  await new Promise((resolve) => child.on('close', resolve));
  assert.equal(JSON.parse(said).stdout, '漢字');
});

const EXITS = [
  ['at once', 'process.exit(2)'],
  ['after a wait', 'await null; process.exit(2)'],
  ['in a callback', 'setTimeout(() => process.exit(2)); return new Promise(() => {})'],
  ['by its exit code', 'process.exitCode = 2'],
  ['in a block that catches', 'try { process.exit(2) } catch {} return "x"'],
];
for (const [name, code] of EXITS) {
  test(`an exit is that of the event alone: ${name}`, () => {
    const handler = `async (event) => { if (event.leave) { ${code} } return 'stays'; }`;
    const [first, second] = answers(handler, { id: 1, event: { leave: true } }, { id: 2, event: {} });
    assert.deepEqual([first.exitCode, second.exitCode, second.stdout], [2, 0, 'stays']);
  });
}

test('what an event has left behind ends no other one', () => {
  const handler = `async (event) => {
    if (event.leave) setTimeout(() => process.exit(2), 5);
    else await new Promise((resolve) => setTimeout(resolve, 50));
    return 'stays';
  }`;
  const [first, second] = answers(handler, { id: 1, event: { leave: true } }, { id: 2, event: {} });
  assert.deepEqual([first.exitCode, second.exitCode], [0, 0]);
});

test('an error that nobody catches is the last answer', () => {
  const handler = `() => { setTimeout(() => { throw new Error('too late') }); return new Promise(() => {}); }`;
  const [told, ...more] = answers(handler, { id: 1 }, { id: 2 });
  assert.deepEqual([told.exitCode, told.last, told.stderr.includes('too late'), more], [1, true, true, []]);
});
