// What an editor in a browser asks of the module.

import assert from "node:assert/strict";
import { test } from "node:test";

import { begin, chain, handle, notify, open, request, type } from "./server.mjs";

const uri = "file:///page/it.dot";

test("a pipeline gets diagnostics, hovers, completions and edits", () => {
  const { result } = begin();
  assert.equal(result.capabilities.positionEncoding, "utf-16");
  const text = 'digraph it {\n  start [shape=Mdiamond]\n  work [prompt="Do it"]\n  done [shape=Msquare]\n  start -> work -> done\n}\n';
  assert.deepEqual(open(uri, text).filter(({ severity }) => severity === 1), []);
  const at = { textDocument: { uri }, position: { line: 2, character: 4 } };
  assert.match(request("textDocument/hover", at).result.contents.value, /work/);
  assert.ok(request("textDocument/completion", { ...at, position: { line: 2, character: 8 } }).result.items.length > 10);
  const renamed = request("textDocument/rename", { ...at, newName: "labour" }).result.changes[uri];
  assert.equal(renamed.length, 2);
  const drawn = request("workspace/executeCommand", { command: "attractor.graph", arguments: [{ uri }] }).result;
  assert.equal(drawn.nodes.length, 3);
});

test("columns are counted in UTF-16", () => {
  begin();
  open(uri, "// 🙂\ndigraph { a -> }\n");
  const found = type(uri, 2, 0, 5, "\n");
  assert.ok(found.some(({ code, range }) => code === "syntax" && range.start.line === 2));
});

test("what waits while somebody types is reported when the document is saved", () => {
  begin();
  open(uri, "digraph it {\n  start [shape=Mdiamond]\n  done [shape=Msquare]\n  start -> done\n}\n");
  type(uri, 2, 3, 0, "  alone\n");
  const [published] = notify("textDocument/didSave", { textDocument: { uri } });
  assert.ok(published.params.diagnostics.length > 0);
});

test("an open document is a file for the others", () => {
  begin();
  open("file:///page/part.dot", "digraph part { start [shape=Mdiamond] done [shape=Msquare] start -> done }");
  open(uri, 'digraph it {\n  start [shape=Mdiamond]\n  sub [type=pipeline, sub_pipeline="part.dot"]\n  done [shape=Msquare]\n  start -> sub -> done\n}\n');
  const links = request("textDocument/documentLink", { textDocument: { uri } }).result;
  assert.deepEqual(links.map(({ target }) => target), ["file:///page/part.dot"]);
});

test("garbage is answered", () => {
  begin();
  for (const garbage of ["", "{", "null", "[]", '"x"', '{"id":1}', "\u0000", "[".repeat(100000), '{"id":1,"method":7}']) {
    assert.doesNotThrow(() => handle(garbage));
  }
  assert.equal(JSON.parse(handle("{")[0]).error.code, -32700);
  assert.equal(request("textDocument/hover", { position: "here" }).error.code, -32602);
  assert.equal(request("no/such/method", {}).error.code, -32601);
  assert.equal(request("workspace/executeCommand", { command: "attractor.run" }).error.code, -32602);
  notify("exit");
  assert.equal(request("textDocument/hover", {}).error.code, -32002);
});

test("texts of five megabytes and blocks of twenty thousand levels are answered", () => {
  begin();
  const large = chain(48_000);
  assert.ok(large.length > 5_000_000);
  open(uri, large);
  assert.ok(request("textDocument/hover", { textDocument: { uri }, position: { line: 2, character: 4 } }).result);
  const nested = `digraph {${"subgraph {".repeat(20_000)}${"}".repeat(20_000)}}`;
  assert.ok(open(uri, nested).length > 0);
  for (const method of ["documentSymbol", "foldingRange", "semanticTokens/full"]) {
    assert.ok("result" in request(`textDocument/${method}`, { textDocument: { uri } }), method);
  }
});
