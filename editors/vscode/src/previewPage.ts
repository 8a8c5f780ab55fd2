/** What the preview's panel gets: its HTML, and a model as the message that draws it. */
import * as vscode from 'vscode';
import { plural } from './format.ts';
import type { Picture, Shows } from './preview/messages.ts';
import type { GraphModel } from './protocol.ts';

/** `model` as the page draws it and a screen reader reads it. */
export function pictureOf(shows: Shows, model: GraphModel | undefined, stale: string | undefined): Picture {
  const [nodes, edges] = [model?.nodes ?? [], model?.edges ?? []];
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const labels = nodes.map(({ id, element, kind }) => {
    const to = targets.get(id) ?? [];
    const leads = to.length === 0 ? '' : `leads to ${to.join(', ')}`;
    return [element, [id, kind.replaceAll('_', ' '), leads].filter(Boolean).join(', ')];
  });
  const name = shows.graph ?? shows.uri.split('/').at(-1) ?? '';
  return {
    kind: 'picture',
    shows,
    dot: model?.dot ?? '',
    title: `Graph ${decodeURIComponent(name)}, ${plural(nodes.length, 'node')}, ${plural(edges.length, 'edge')}`,
    labels: Object.fromEntries(labels),
    ...(stale === undefined ? {} : { stale }),
  };
}

export function pageOf(webview: vscode.Webview, extension: vscode.Uri): string {
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
  <link rel="stylesheet" href="${at('media', 'preview.css')}">
</head>
<body>
  <div id="stage" role="group" aria-label="Graph" aria-describedby="keys"></div>
  <div id="keys" hidden>Arrow keys move between nodes, Enter opens the source.</div>
  <div id="announcement" role="status" aria-live="polite"></div>
  <div id="notice" role="alert" hidden></div>
  <div id="bar" role="toolbar" aria-label="Preview">
    <button data-does="out" title="Zoom out (-)" aria-label="Zoom out">−</button>
    <button data-does="fit" title="Show everything, or what can be read (0)">Fit</button>
    <button data-does="in" title="Zoom in (+)" aria-label="Zoom in">+</button>
    <button data-does="follow" id="follow" aria-pressed="true" title="Follow the cursor and the running node">Follow</button>
    <button data-does="svg" title="Save as SVG">SVG</button>
    <button data-does="png" title="Save as PNG">PNG</button>
  </div>
  <script type="module" src="${at('dist', 'preview.js')}"></script>
</body>
</html>`;
}
