// A whole session of a real editor's client library with a real `tenterhook serve`.
//
// usage: node session.mjs HOME PROJECT COMMAND [ARG...]
// The project has a decision hook at `tool.approval.pre` that denies, and one at `agent.turn.stop` that never ends.
// Exits with 0 where everything was as it must be; otherwise an assertion says what was not.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node";

const {
  CancellationTokenSource,
  DiagnosticSeverity,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ErrorCodes,
  ExitNotification,
  HoverRequest,
  InitializeRequest,
  InitializedNotification,
  LSPErrorCodes,
  NotificationType,
  PublishDiagnosticsNotification,
  RequestType,
  ResponseError,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
} = protocol;

const [home, project, command, ...args] = process.argv.slice(2);
const uri = pathToFileURL(join(project, ".codingcode", "hooks.yaml")).href;
const decide = new RequestType("hooks/emitDecision");
const started = new NotificationType("hooks/started");

const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const exited = once(server, "exit");
const connection = createProtocolConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
connection.onError(([error]) => assert.fail(error));

/** The next notification of a type. Ask before whatever causes it. */
function next(type) {
  return new Promise((resolve) => {
    const listener = connection.onNotification(type, (params) => {
      listener.dispose();
      resolve(params);
    });
  });
}

async function fails(request, code) {
  const error = await request.then(
    () => assert.fail("it was answered"),
    (reason) => reason,
  );
  assert.ok(error instanceof ResponseError, String(error));
  assert.equal(error.code, code);
}

connection.listen();

const { capabilities, serverInfo } = await connection.sendRequest(InitializeRequest.type, {
  processId: process.pid,
  rootUri: pathToFileURL(project).href,
  workspaceFolders: [{ uri: pathToFileURL(project).href, name: "project" }],
  capabilities: { general: { positionEncodings: ["utf-8", "utf-16"] } },
  initializationOptions: { userHome: home, hookEvents: true },
});
assert.equal(serverInfo.name, "tenterhook");
assert.equal(capabilities.positionEncoding, "utf-16");
assert.equal(capabilities.textDocumentSync.change, 2);
await connection.sendNotification(InitializedNotification.type, {});

// A broken hook file is marked, in UTF-16 columns.
let published = next(PublishDiagnosticsNotification.type);
await connection.sendNotification(DidOpenTextDocumentNotification.type, {
  textDocument: {
    uri,
    languageId: "yaml",
    version: 1,
    text: "hooks:\n- {name: 🎣🎣, point: nowhere, type: observer, command: x}\n",
  },
});
let { uri: where, version, diagnostics } = await published;
assert.deepEqual([where, version, diagnostics.length], [uri, 1, 1]);
assert.equal(diagnostics[0].source, "tenterhook");
assert.equal(diagnostics[0].severity, DiagnosticSeverity.Error);
assert.deepEqual(diagnostics[0].range, { start: { line: 1, character: 22 }, end: { line: 1, character: 29 } });

// Hooks go on beside it, on the same wire, and the file on the disk is what counts for them.
const payload = {
  toolName: "bash",
  args: { command: "rm", jsonrpc: "2.0", id: 1, class: 5, "a-b": null },
  sessionId: "s",
  projectPath: project,
};
const decision = await connection.sendRequest(decide, { point: "tool.approval.pre", payload });
assert.deepEqual(decision, { decision: "deny", reason: "not here" });

// What the editor half does not know is answered, with params and without.
const place = { textDocument: { uri }, position: { line: 0, character: 0 } };
await fails(connection.sendRequest(HoverRequest.type, place), ErrorCodes.MethodNotFound);
await fails(connection.sendRequest("textDocument/nonsense"), ErrorCodes.MethodNotFound);
await fails(connection.sendRequest(decide, { point: "nowhere", payload }), ErrorCodes.InvalidParams);

// A running hook can be given up.
const source = new CancellationTokenSource();
const running = next(started);
const turn = { sessionId: "s", content: "", turnId: "t", projectPath: project };
const given = connection.sendRequest(decide, { point: "agent.turn.stop", payload: turn }, source.token);
await running;
source.cancel();
await fails(given, LSPErrorCodes.RequestCancelled);

// The mended text has no marks, and neither has a closed file.
published = next(PublishDiagnosticsNotification.type);
await connection.sendNotification(DidChangeTextDocumentNotification.type, {
  textDocument: { uri, version: 2 },
  contentChanges: [
    { range: { start: { line: 1, character: 22 }, end: { line: 1, character: 29 } }, text: "tool.execute.before" },
  ],
});
assert.deepEqual(await published, { uri, version: 2, diagnostics: [] });
published = next(PublishDiagnosticsNotification.type);
await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
assert.deepEqual(await published, { uri, diagnostics: [] });

await connection.sendRequest(ShutdownRequest.type);
await connection.sendNotification(ExitNotification.type);
const [status, signal] = await exited;
assert.deepEqual([status, signal], [0, null]);
connection.dispose();
