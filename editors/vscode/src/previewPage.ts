/** The HTML of the preview, and the message that draws a graph. */
import * as vscode from 'vscode';
import { plural } from '../../../server/http/page/shared/format.ts';
import type { DrawMessage, GraphRef } from './preview/messages.ts';
import type { GraphModel } from './protocol.ts';

/** The drawing message for `model`, with labels for screen readers. */
export function drawMessage(graph: GraphRef, model: GraphModel | undefined, notice: string | undefined): DrawMessage {
  const [nodes, edges] = [model?.nodes ?? [], model?.edges ?? []];
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const labels = nodes.map(({ id, element, kind }) => {
    const to = targets.get(id) ?? [];
    const successors = to.length === 0 ? '' : `followed by ${to.join(', ')}`;
    return [element, [id, kind.replaceAll('_', ' '), successors].filter(Boolean).join(', ')];
  });
  const name = graph.graph ?? graph.uri.split('/').at(-1) ?? '';
  return {
    kind: 'draw',
    graph,
    dot: model?.dot ?? '',
    title: `Graph ${decodeURIComponent(name)}, ${plural(nodes.length, 'node')}, ${plural(edges.length, 'edge')}`,
    labels: Object.fromEntries(labels),
    kinds: Object.fromEntries(nodes.map(({ element, kind }) => [element, kind])),
    ...(notice === undefined ? {} : { notice }),
  };
}

export function webviewHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const at = (...parts: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extension, ...parts)).toString();
  const policy = [
    "default-src 'none'",
    `script-src ${webview.cspSource} 'wasm-unsafe-eval'`,
    `style-src ${webview.cspSource} 'unsafe-inline'`,
    'img-src data:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <link rel="stylesheet" href="${at('dist', 'preview.css')}">
</head>
<body>
  <div id="stage" class="graph-stage" role="group" aria-label="Graph" aria-describedby="keys"></div>
  <div id="keys" hidden>Arrow keys move between nodes, Enter opens the source.</div>
  <div id="announcement" role="status" aria-live="polite"></div>
  <div id="notice" role="alert" hidden></div>
  <div id="search" role="search" hidden>
    <input id="query" type="text" aria-label="Search nodes" placeholder="Search nodes" autocomplete="off" spellcheck="false">
    <span id="found" role="status"></span>
    <button data-does="previous" title="Previous match (Shift+Enter)" aria-label="Previous match">↑</button>
    <button data-does="next" title="Next match (Enter)" aria-label="Next match">↓</button>
    <button data-does="close" title="Close (Escape)" aria-label="Close search">×</button>
  </div>
  <div id="bar" role="toolbar" aria-label="Preview">
    <button data-does="out" title="Zoom out (-)" aria-label="Zoom out">−</button>
    <button data-does="fit" title="Zoom to fit (0)">Fit</button>
    <button data-does="in" title="Zoom in (+)" aria-label="Zoom in">+</button>
    <button data-does="follow" id="follow" aria-pressed="true" title="Follow the cursor and the running node">Follow</button>
    <button data-does="search" title="Search nodes (/ or Ctrl+F)">Search</button>
    <button data-does="svg" title="Save as SVG">SVG</button>
    <button data-does="png" title="Save as PNG">PNG</button>
  </div>
  <script type="module" src="${at('dist', 'preview.js')}"></script>
</body>
</html>`;
}
