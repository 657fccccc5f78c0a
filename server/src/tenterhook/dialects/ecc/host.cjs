// Calls scripts of an ECC plugin.
//
//     node host.cjs ROOT SCRIPT MODE DIRECTION    one script with one event, which is on stdin
//     node host.cjs --worker LANE                 what the lines on stdin ask for, until stdin ends (docs/workers.md)
//
// A script that exports `run` is loaded and called; any other becomes the program itself and reads stdin as it likes.
// Nothing is written where the script has no opinion, nothing that it says is lost, and a Promise is awaited.
// What is wrong with a script goes to stderr and ends with exit code 1, which decides nothing.

'use strict';

const fs = require('fs');
const Module = require('module');
const path = require('path');

const { FAULT, Stage } = require('./stage.cjs');

const BLOCK = 2;

/** As it was before any script has been loaded. */
const exit = process.exit.bind(process);

/** What is wrong with a script itself, as opposed to what it says. */
class Fault extends Error {}

/** The script's real path. It has to be a file in the plugin's folder, whatever links lead there. */
function locate(root, script) {
  let home;
  let file;
  try {
    home = fs.realpathSync(root);
    file = fs.realpathSync(path.resolve(root, script));
  } catch (error) {
    throw new Fault(`there is no script ${script}: ${error.message}`);
  }
  if (!file.startsWith(home + path.sep)) throw new Fault(`the script ${script} leads out of the plugin's folder`);
  if (!fs.statSync(file).isFile()) throw new Fault(`${script} is no file`);
  return file;
}

/** Whether a script may export `run`: ECC's own test, by two words anywhere in its text. */
function mayExportRun(file) {
  const text = fs.readFileSync(file, 'utf8');
  return /\bmodule\.exports\b/.test(text) && /\brun\b/.test(text);
}

/** What a call has come to: what it wrote, and how it ended. `run` false: the script exports none. */
function ended(exit, stdout, stderr, run = true) {
  return { exit: exit & 255, stdout, stderr, run };
}

/**
 * Load the script and call its `run`.
 *
 * While it runs, the process looks to it like one of its own: folder, environment, arguments, an empty stdin,
 * and what it writes is kept apart. All of that is put back afterwards.
 */
async function call(request) {
  const { root, file, text, mode, closed, event } = request;
  const stage = new Stage(request);
  const idle = () => {
    stage.tell(`[tenterhook] the Promise that run() of ${request.script} gave back is never kept\n`);
    stage.end(FAULT);
  };
  process.once('beforeExit', idle); // nothing is left to be done, and the Promise is still open
  let result;
  try {
    refresh(request);
    const script = require(file);
    if (!script || typeof script.run !== 'function') return ended(0, '', '', false);
    const options = {
      hookId: process.env.ECC_HOOK_ID,
      pluginRoot: root,
      scriptPath: path.resolve(root, request.script),
      truncated: process.env.ECC_HOOK_INPUT_TRUNCATED === '1',
      maxStdin: Number(process.env.ECC_HOOK_INPUT_MAX_BYTES),
    };
    result = await Promise.race([script.run(text, mode || options), stage.over]);
    if (stage.exit !== undefined) await stage.settled();
  } catch (error) {
    if (stage.exit === undefined) {
      const why = error instanceof Error ? error.message : String(error);
      return ended(FAULT, '', `${stage.stderr()}[${request.script}] failed: ${why}\n`);
    }
  } finally {
    process.removeListener('beforeExit', idle);
    stage.leave();
  }
  if (stage.exit !== undefined) return ended(stage.exit, stage.stdout(), stage.stderr());
  const said = read(result, event, closed);
  return ended(said.exit, stage.stdout() + said.stdout, stage.stderr() + said.stderr);
}

/**
 * Run a script that is a program and exports nothing: to its `process.exit`, or until it has nothing left to do.
 *
 * It finds itself as the main module, with the event on its stdin.
 */
async function runProgram(request) {
  const { root, file, text } = request;
  const stage = new Stage({ ...request, input: text });
  const idle = () => stage.end(Number(process.exitCode ?? 0) | 0);
  process.once('beforeExit', idle);
  const main = process.mainModule;
  try {
    refresh(request);
    const program = new Module(file, null);
    program.id = '.';
    program.filename = file;
    process.mainModule = program;
    Module._cache[file] = program;
    program.load(file);
    await stage.over;
    await stage.settled();
  } catch (error) {
    if (stage.exit === undefined) {
      stage.tell(`${error instanceof Error ? error.stack : error}\n`);
      stage.end(FAULT);
    }
  } finally {
    process.removeListener('beforeExit', idle);
    process.mainModule = main;
    delete Module._cache[file]; // it runs by being loaded
    stage.leave();
  }
  return ended(stage.exit, stage.stdout(), stage.stderr());
}

/** What the value that `run` gave back means. */
function read(result, event, closed) {
  if (typeof result === 'string' || Buffer.isBuffer(result)) return { exit: 0, stdout: String(result), stderr: '' };
  if (result === null || typeof result !== 'object') return { exit: 0, stdout: '', stderr: '' };
  const stderr = typeof result.stderr === 'string' ? withNewline(result.stderr) : '';
  let stdout = '';
  if (Object.hasOwn(result, 'additionalContext')) stdout = contextAnswer(result.additionalContext, event);
  else if (Object.hasOwn(result, 'stdout')) stdout = String(result.stdout ?? '');
  const code = result.exitCode;
  if (code === undefined || code === null) return { exit: 0, stdout, stderr };
  if (Number.isInteger(code)) return { exit: code, stdout, stderr };
  // Something was to be said, and nobody can tell what: a hook that guards then blocks.
  const told = `run() gave the exit code ${JSON.stringify(code)}, which is no whole number\n`;
  return { exit: closed ? BLOCK : FAULT, stdout, stderr: stderr + told };
}

function contextAnswer(context, event) {
  const parts = (Array.isArray(context) ? context : [context]).map((part) => String(part ?? '').trim());
  const additionalContext = parts.filter(Boolean).join('\n');
  if (!additionalContext) return '';
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } });
}

function withNewline(text) {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** By plugin: what its modules were loaded under. */
const loadedUnder = new Map();

/**
 * Have the plugin's modules loaded anew where they might have come out otherwise: in another folder, with other
 * variables, from changed files. Else a module keeps what it keeps itself, and costs nothing.
 */
function refresh({ root, file, cwd, environment }) {
  const variables = Object.entries(environment ?? {}).filter(([name]) => !name.startsWith('TENTERHOOK_')).sort();
  const under = JSON.stringify([cwd, variables]);
  const written = fs.statSync(file).mtimeMs;
  const before = loadedUnder.get(root);
  if (before === undefined || before.under !== under || (before.files.get(file) ?? written) !== written) {
    const home = fs.realpathSync(root) + path.sep;
    for (const name of Object.keys(require.cache)) if (name.startsWith(home)) delete require.cache[name];
    loadedUnder.set(root, { under, files: new Map([[file, written]]) });
  } else {
    before.files.set(file, written);
  }
}

/** Make the script the program: as if node had been started with it. */
function become(file) {
  process.argv = [process.execPath, file];
  Module.runMain();
}

/** As a process of its own, for a script that was loaded to see whether it exports `run`, and does not. */
function spawn(file, text) {
  const { spawnSync } = require('child_process');
  const child = spawnSync(process.execPath, [file], { input: text, maxBuffer: 64 * 1024 * 1024 });
  if (child.status === null) throw new Fault(child.error ? child.error.message : `it was ended by ${child.signal}`);
  return { exit: child.status, stdout: child.stdout, stderr: child.stderr };
}

/** Write everything, then end: whoever ends while a pipe is full loses what has not gone into it. */
function finish({ exit: code, stdout, stderr }) {
  process.stderr.write(stderr, () => process.stdout.write(stdout, () => exit(code)));
}

async function once([root, script, mode, direction]) {
  const file = locate(root, script);
  if (!mayExportRun(file)) {
    become(file);
    return;
  }
  // All of stdin is read before the script is loaded: some scripts listen to it as soon as they are.
  const text = fs.readFileSync(0, 'utf8');
  const event = process.env.CLAUDE_HOOK_EVENT_NAME;
  const answer = await call({ root, script, file, text, mode, closed: direction === 'closed', event });
  finish(answer.run ? answer : spawn(file, text));
}

function inWords(error) {
  return `[tenterhook] ${error instanceof Fault ? error.message : error.stack}\n`;
}

function fail(error) {
  finish({ exit: FAULT, stdout: '', stderr: inWords(error) });
}

/** The environment of a call: the worker's own with what is different; its mark stays, strays are found by it. */
function environmentOf(changes) {
  const environment = { ...process.env };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete environment[name];
    else environment[name] = value;
  }
  return environment;
}

/** The answer to one request. `error` sends the event to a process of its own. */
async function serveOne({ id, root, script, mode, closed, point, text, folders, env }) {
  let answer;
  try {
    const file = locate(root, script);
    const cwd = folders.find((folder) => fs.existsSync(folder));
    const environment = environmentOf(env);
    const request = { root, script, file, text, mode, closed, event: point, cwd, environment };
    answer = await (mayExportRun(file) ? call(request) : runProgram(request));
  } catch (error) {
    return { id, exitCode: FAULT, stderr: inWords(error) };
  }
  if (!answer.run) return { id, error: `${script} exports no run()` };
  return { id, exitCode: answer.exit, stdout: answer.stdout, stderr: answer.stderr };
}

/** Serve line by line. What a script leaves open would be there for the next one, so this process ends then. */
function serve() {
  const input = process.stdin;
  let rest = [];
  let working = Promise.resolve();
  const work = async (line) => {
    const open = resources();
    input.unref?.(); // while a script is at work, only what it waits for keeps this process alive
    const answer = await serveOne(JSON.parse(line));
    input.ref?.();
    const spent = resources() > open;
    process.stdout.write(`${JSON.stringify({ ...answer, last: spent })}\n`, () => spent && exit(0));
  };
  input.on('data', (chunk) => {
    const pieces = splitLines(chunk);
    rest.push(pieces[0]);
    for (const piece of pieces.slice(1)) {
      const line = Buffer.concat(rest).toString();
      rest = [piece];
      working = working.then(() => work(line));
    }
  });
  input.on('end', () => working.then(() => exit(0)));
}

function splitLines(chunk) {
  const pieces = [];
  let from = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
    pieces.push(chunk.subarray(from, end));
    from = end + 1;
  }
  pieces.push(chunk.subarray(from));
  return pieces;
}

/** How many things are open that could still call back: children, connections, watched files. */
function resources() {
  const own = new Set(['Timeout', 'Immediate', 'TTYWrap', 'PipeWrap']);
  return process.getActiveResourcesInfo().filter((name) => !own.has(name)).length;
}

if (process.argv[2] === '--worker') serve();
else once(process.argv.slice(2)).catch(fail);
