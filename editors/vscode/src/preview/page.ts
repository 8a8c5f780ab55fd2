/** The script of the preview webview: connects the graph view to the extension and to the buttons. */
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { GraphView } from '../../../../server/http/page/shared/graph/graphView.ts';
import { addSearch, type Search } from './search.ts';
import type { DrawMessage, FromWebview, GraphRef, ToWebview } from './messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromWebview): void; setState(state: GraphRef): void };

const editor = acquireVsCodeApi();
const notice = element('notice');

// Graphviz is compiled while the extension fetches the graph.
const graphviz = Graphviz.load();
graphviz.catch((error: unknown) => showNotice(`The preview could not load Graphviz: ${String(error)}`));
const view = new GraphView({
  stage: element('stage'),
  announcement: element('announcement'),
  layout: async (dot) => (await graphviz).layout(dot, 'svg', 'dot'),
  onOpen: (id) => editor.postMessage({ kind: 'reveal', element: id }),
});
window.addEventListener('message', ({ data }: MessageEvent<ToWebview>) => void onMessage(view, data));
addButtonListeners(view, addSearch(view));
editor.postMessage({ kind: 'ready' });

async function onMessage(view: GraphView, message: ToWebview): Promise<void> {
  switch (message.kind) {
    case 'draw':
      return draw(view, message);
    case 'states':
      return view.showStates(message);
    case 'cursor':
      return view.select(message.node);
    case 'export':
      return exportAs(view, message.format);
  }
}

async function draw(view: GraphView, message: DrawMessage): Promise<void> {
  document.title = message.title;
  editor.setState(message.graph);
  showNotice(message.notice);
  if (message.dot === '') return;
  try {
    await view.draw({ ...message, key: `${message.graph.uri} ${message.graph.graph ?? ''}` });
  } catch (error) {
    // The last graph is kept.
    showNotice(`Graphviz cannot draw this: ${String(error instanceof Error ? error.message : error)}`);
    editor.postMessage({ kind: 'problem', message: String(error) });
  }
}

function addButtonListeners(view: GraphView, search: Search): void {
  const follow = element('follow');
  const actions: Record<string, () => void> = {
    in: () => view.zoomBy(1.25),
    out: () => view.zoomBy(0.8),
    fit: () => view.fit(),
    follow: () => {
      view.following = !view.following;
      follow.setAttribute('aria-pressed', String(view.following));
    },
    search: () => search.open(),
    previous: () => search.step(-1),
    next: () => search.step(1),
    close: () => search.close(),
    svg: () => editor.postMessage({ kind: 'save', format: 'svg' }),
    png: () => editor.postMessage({ kind: 'save', format: 'png' }),
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-does]')) {
    button.addEventListener('click', () => actions[button.dataset['does'] ?? '']?.());
  }
  window.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, target } = event;
    if (key === '/' || (key === 'f' && (ctrlKey || metaKey))) {
      if (key === '/' && target instanceof HTMLInputElement) return;
      event.preventDefault();
      search.open();
      return;
    }
    // Typed into the search.
    if (target instanceof HTMLInputElement) return;
    const action = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit' }[key];
    if (action !== undefined && !ctrlKey && !metaKey) actions[action]?.();
  });
}

async function exportAs(view: GraphView, format: 'svg' | 'png'): Promise<void> {
  const data = await view.exported(format);
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
