/**
 * The script of the preview webview: draws with Graphviz (WebAssembly), shows node states, handles mouse and keyboard.
 */
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { isArrow, nextBox } from './arrows.ts';
import { exported } from './export.ts';
import type { DrawMessage, FromWebview, GraphRef, StatesMessage, ToWebview } from './messages.ts';
import { themed } from './svg.ts';
import { View } from './view.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromWebview): void; setState(state: GraphRef): void };

const editor = acquireVsCodeApi();
const stage = element('stage');
const notice = element('notice');
const announcement = element('announcement');
const view = new View(stage);

let graphviz: Graphviz | undefined;
let drawn = '';
let source = '';
let labels: DrawMessage['labels'] = {};
let states: StatesMessage = { kind: 'states', nodes: {}, taken: [] };
let cursor: string | undefined;
let following = true;

void start();

async function start(): Promise<void> {
  try {
    graphviz = await Graphviz.load();
  } catch (error) {
    showNotice(`The preview could not load Graphviz: ${String(error)}`);
    return;
  }
  window.addEventListener('message', ({ data }: MessageEvent<ToWebview>) => onMessage(data));
  addNodeListeners();
  addButtonListeners();
  editor.postMessage({ kind: 'ready' });
}

function onMessage(message: ToWebview): void {
  switch (message.kind) {
    case 'draw':
      return draw(message);
    case 'states':
      return showStates(message);
    case 'cursor':
      return moveCursor(message.node);
    case 'export':
      return void exportAs(message.format);
  }
}

function draw(message: DrawMessage): void {
  document.title = message.title;
  editor.setState(message.graph);
  showNotice(message.notice);
  if (message.dot === '' || !graphviz) return;
  labels = message.labels;
  if (message.dot !== drawn) {
    try {
      source = graphviz.layout(message.dot, 'svg', 'dot');
    } catch (error) {
      // The last graph is kept.
      showNotice(`Graphviz cannot draw this: ${String(error instanceof Error ? error.message : error)}`);
      editor.postMessage({ kind: 'problem', message: String(error) });
      return;
    }
    drawn = message.dot;
    const focused = document.activeElement?.closest('g.node')?.id;
    stage.innerHTML = themed(source);
    view.onDrawn(message.graph, initialFocus);
    prepareNodes(focused);
  }
  stage.setAttribute('aria-label', message.title);
  showStates(states);
}

/** The center of the initial view of a large graph: the running node, else the node at the cursor, else the first. */
function initialFocus(): Element | undefined {
  return liveNode() ?? nodeOf(cursor) ?? nodes()[0];
}

function nodes(): SVGGElement[] {
  return [...stage.querySelectorAll<SVGGElement>('g.node')];
}

function nodeOf(id: string | undefined): SVGGElement | undefined {
  return id === undefined ? undefined : nodes().find((node) => node.id === id);
}

function liveNode(): SVGGElement | undefined {
  const live = (id: string) => LIVE.has(states.nodes[id] ?? '');
  return nodes().find(({ id }) => live(id));
}

const LIVE: ReadonlySet<string> = new Set(['running', 'waiting', 'retrying']);

/** A single tab stop; arrow keys move between nodes. */
function prepareNodes(focused: string | undefined): void {
  for (const [index, node] of nodes().entries()) {
    node.setAttribute('role', 'button');
    node.setAttribute('tabindex', index === 0 ? '0' : '-1');
  }
  for (const edge of stage.querySelectorAll('g.edge')) edge.setAttribute('aria-hidden', 'true');
  if (focused !== undefined) focus(nodeOf(focused));
}

function focus(node: SVGGElement | undefined): void {
  if (!node) return;
  makeTabStop(node);
  node.focus({ preventScroll: true });
  view.reveal(node);
}

function makeTabStop(node: SVGGElement): void {
  for (const other of stage.querySelectorAll('g.node[tabindex="0"]')) other.setAttribute('tabindex', '-1');
  node.setAttribute('tabindex', '0');
}

function showStates(now: StatesMessage): void {
  const before = states;
  states = now;
  const taken = new Set(states.taken);
  for (const group of stage.querySelectorAll<SVGGElement>('g.node, g.edge')) {
    const state = states.nodes[group.id];
    for (const name of [...group.classList]) {
      if (name.startsWith('state-') && name !== `state-${state}`) group.classList.remove(name);
    }
    if (state) group.classList.add(`state-${state}`);
    group.classList.toggle('taken', taken.has(group.id));
    group.classList.toggle('at-cursor', group.id === cursor);
    if (group.classList.contains('node')) group.setAttribute('aria-label', described(group.id));
  }
  const changed = Object.keys(states.nodes).filter((id) => states.nodes[id] !== before.nodes[id]);
  announcement.textContent = changed.map(described).join('; ');
  const live = liveNode();
  if (following && live && changed.includes(live.id)) view.reveal(live);
}

function described(id: string): string {
  return [labels[id] ?? id, states.nodes[id]].filter(Boolean).join(', ');
}

function moveCursor(node: string | undefined): void {
  cursor = node;
  for (const other of stage.querySelectorAll('.at-cursor')) other.classList.remove('at-cursor');
  const at = nodeOf(cursor);
  at?.classList.add('at-cursor');
  if (at && !stage.contains(document.activeElement)) makeTabStop(at);
  if (following && at) view.reveal(at);
}

function addNodeListeners(): void {
  const openSource = (target: EventTarget | null) => {
    const group = target instanceof Element ? target.closest('g.node, g.edge') : null;
    if (group) editor.postMessage({ kind: 'reveal', element: group.id });
  };
  stage.addEventListener('click', ({ target }) => {
    if (!view.dragged) openSource(target);
  });
  stage.addEventListener('focusin', ({ target }) => {
    const node = target instanceof Element ? target.closest('g.node') : null;
    if (node?.matches(':focus-visible')) view.reveal(node);
  });
  stage.addEventListener('keydown', (event) => {
    const all = nodes();
    const at = all.findIndex((node) => node === document.activeElement);
    if (at < 0) return;
    if (event.key === 'Enter' || event.key === ' ') openSource(all[at] ?? null);
    else if (event.key === 'Home') focus(all[0]);
    else if (event.key === 'End') focus(all.at(-1));
    else if (isArrow(event.key)) focus(all[nextBox(all.map((node) => view.boxOf(node)), at, event.key) ?? at]);
    else return;
    event.preventDefault();
  });
}

function addButtonListeners(): void {
  const follow = element('follow');
  const actions: Record<string, () => void> = {
    in: () => view.zoomBy(1.25),
    out: () => view.zoomBy(0.8),
    fit: () => view.fit(),
    follow: () => {
      following = !following;
      follow.setAttribute('aria-pressed', String(following));
      if (following) moveCursor(cursor);
    },
    svg: () => editor.postMessage({ kind: 'save', format: 'svg' }),
    png: () => editor.postMessage({ kind: 'save', format: 'png' }),
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-does]')) {
    button.addEventListener('click', () => actions[button.dataset['does'] ?? '']?.());
  }
  window.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
    const action = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit' }[key];
    if (action !== undefined && !ctrlKey && !metaKey) actions[action]?.();
  });
}

async function exportAs(format: 'svg' | 'png'): Promise<void> {
  if (source === '') return;
  const data = await exported(source, format);
  if (data !== undefined) editor.postMessage({ kind: 'exported', format, data });
}

function showNotice(message: string | undefined): void {
  notice.textContent = message ?? '';
  notice.hidden = message === undefined;
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
