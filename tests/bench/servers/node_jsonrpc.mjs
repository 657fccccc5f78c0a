// A server on vscode-jsonrpc with one method: what most hosts would write.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../clients/package.json", import.meta.url));
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-jsonrpc/node");

const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
connection.onRequest("initialize", () => ({ capabilities: {} }));
connection.onRequest("hooks/emit", () => ({ runs: [], notices: [] }));
connection.onClose(() => process.exit(0));
connection.listen();
