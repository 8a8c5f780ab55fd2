/**
 * The page of the preview: draws with Graphviz (as WebAssembly), colours by run state, moves the camera.
 * Runs in the webview's browser; knows nothing of the editor but the messages.
 */
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { fit, zoom, type Camera } from './camera.ts';
import type { FromPage, Picture, States, ToPage } from './messages.ts';
import { standalone, themed } from './svg.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const editor = acquireVsCodeApi();
const stage = element('stage');
const notice = element('notice');

let graphviz: Graphviz | undefined;
let camera: Camera | undefined;
let drawn = '';
let source = '';
let states: States = { kind: 'states', nodes: {}, taken: [] };
let cursor: string | undefined;

void start();

async function start(): Promise<void> {
  try {
    graphviz = await Graphviz.load();
  } catch (error) {
    say(`The preview could not load Graphviz: ${String(error)}`);
    return;
  }
  window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => take(data));
  window.addEventListener('resize', () => place());
  wireCamera();
  wireButtons();
  editor.postMessage({ kind: 'ready' });
}

function take(message: ToPage): void {
  switch (message.kind) {
    case 'picture':
      return draw(message);
    case 'states':
      states = message;
      return colour();
    case 'cursor':
      cursor = message.node;
      return colour();
    case 'export':
      return exportAs(message.format);
  }
}

function draw({ dot, title, stale }: Picture): void {
  document.title = title;
  say(stale);
  if (dot === '' || dot === drawn || !graphviz) return;
  try {
    source = graphviz.layout(dot, 'svg', 'dot');
  } catch (error) {
    // The last good picture stays.
    say(`Graphviz cannot draw this: ${String(error instanceof Error ? error.message : error)}`);
    editor.postMessage({ kind: 'problem', message: String(error) });
    return;
  }
  const first = drawn === '';
  drawn = dot;
  stage.innerHTML = themed(source);
  for (const group of groups()) group.addEventListener('click', () => clicked(group));
  if (first) camera = undefined;
  place();
  colour();
}

function groups(): SVGGElement[] {
  return [...stage.querySelectorAll<SVGGElement>('g.node, g.edge')];
}

function clicked(group: SVGGElement): void {
  if (!dragged) editor.postMessage({ kind: 'reveal', element: group.id });
}

function colour(): void {
  const taken = new Set(states.taken);
  for (const group of groups()) {
    for (const name of [...group.classList]) {
      if (name.startsWith('state-')) group.classList.remove(name);
    }
    const state = states.nodes[group.id];
    if (state) group.classList.add(`state-${state}`);
    group.classList.toggle('taken', taken.has(group.id));
    group.classList.toggle('at-cursor', group.id === cursor);
  }
}

function place(): void {
  const svg = stage.querySelector('svg');
  if (!svg) return;
  const box = svg.viewBox.baseVal;
  const page = { width: stage.clientWidth, height: stage.clientHeight };
  const at = camera ?? fit({ width: box.width, height: box.height }, page);
  svg.setAttribute('width', String(box.width));
  svg.setAttribute('height', String(box.height));
  svg.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.scale})`;
}

/** Where the camera is, also while it only follows the size of the page. */
function cameraNow(): Camera {
  const box = stage.querySelector('svg')?.viewBox.baseVal;
  const page = { width: stage.clientWidth, height: stage.clientHeight };
  return camera ?? fit({ width: box?.width ?? 1, height: box?.height ?? 1 }, page);
}

let dragged = false;

function wireCamera(): void {
  stage.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      camera = zoom(cameraNow(), Math.exp(-event.deltaY / 400), { x: event.offsetX, y: event.offsetY });
      place();
    },
    { passive: false },
  );
  let from: { x: number; y: number; camera: Camera } | undefined;
  stage.addEventListener('pointerdown', (event) => {
    dragged = false;
    from = { x: event.clientX, y: event.clientY, camera: cameraNow() };
  });
  window.addEventListener('pointermove', (event) => {
    if (!from) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.hypot(dx, dy) < 4 && !dragged) return;
    dragged = true;
    camera = { ...from.camera, x: from.camera.x + dx, y: from.camera.y + dy };
    place();
  });
  window.addEventListener('pointerup', () => (from = undefined));
}

function wireButtons(): void {
  const middle = () => ({ x: stage.clientWidth / 2, y: stage.clientHeight / 2 });
  const actions: Record<string, () => void> = {
    in: () => (camera = zoom(cameraNow(), 1.25, middle())),
    out: () => (camera = zoom(cameraNow(), 0.8, middle())),
    fit: () => (camera = undefined),
    svg: () => editor.postMessage({ kind: 'save', format: 'svg' }),
    png: () => editor.postMessage({ kind: 'save', format: 'png' }),
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-does]')) {
    button.addEventListener('click', () => {
      actions[button.dataset['does'] ?? '']?.();
      place();
    });
  }
  window.addEventListener('keydown', ({ key }) => {
    const action = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit' }[key];
    if (action === undefined) return;
    actions[action]?.();
    place();
  });
}

function exportAs(format: 'svg' | 'png'): void {
  if (source === '') return;
  const svg = standalone(themed(source));
  if (format === 'svg') {
    editor.postMessage({ kind: 'exported', format, data: svg });
    return;
  }
  const box = stage.querySelector('svg')?.viewBox.baseVal;
  if (!box) return;
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement('canvas');
    // Twice the size: sharp on dense screens and in documents.
    canvas.width = Math.ceil(box.width * 2);
    canvas.height = Math.ceil(box.height * 2);
    const context = canvas.getContext('2d');
    if (!context) return;
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const data = canvas.toDataURL('image/png').split(',')[1] ?? '';
    editor.postMessage({ kind: 'exported', format, data });
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

function say(message: string | undefined): void {
  notice.textContent = message ?? '';
  notice.hidden = message === undefined;
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
