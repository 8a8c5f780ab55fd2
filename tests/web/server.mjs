// The module under Node, as a client of the language server protocol.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${root}/target`;

// The generated code keeps the memory of the module to itself.
let memory;
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    ({ memory } = this.exports);
  }
};

export const { handle } = createRequire(import.meta.url)(`${target}/nodejs-module/attractor_web.js`);

/** The bytes of the module's memory, which never shrinks. */
export const memoryBytes = () => memory.buffer.byteLength;

let id = 0;

/** The messages that answer a notification. */
export const notify = (method, params) => handle(JSON.stringify({ jsonrpc: "2.0", method, params })).map((text) => JSON.parse(text));

/** The response to a request. */
export const request = (method, params) => {
  id += 1;
  return JSON.parse(handle(JSON.stringify({ jsonrpc: "2.0", id, method, params })).at(-1));
};

/** A new session. */
export const begin = (capabilities = {}) => {
  notify("exit");
  return request("initialize", { capabilities });
};

/** Opens a document and returns its diagnostics. */
export const open = (uri, text) => {
  const [published] = notify("textDocument/didOpen", { textDocument: { uri, languageId: "dot", version: 1, text } });
  return published.params.diagnostics;
};

/** Puts a text into a document and returns its diagnostics. */
export const type = (uri, version, line, character, text) => {
  const position = { line, character };
  const contentChanges = [{ range: { start: position, end: position }, text }];
  const [published] = notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
  return published.params.diagnostics;
};

/** A chain of nodes with conditions. */
export const chain = (nodes) => {
  const lines = ["digraph chain {", '  goal = "Measure"', "  start [shape=Mdiamond]", "  done [shape=Msquare]"];
  for (let number = 0; number < nodes; number += 1) {
    lines.push(`  n${number} [label="Step ${number}", prompt="Do step ${number} of $goal"]`);
    lines.push(number === 0 ? "  start -> n0" : `  n${number - 1} -> n${number} [condition="outcome=success"]`);
  }
  lines.push(`  n${nodes - 1} -> done`, "}");
  return `${lines.join("\n")}\n`;
};
