/** The playground: connects the editor, the language server, the problems, the preview and what is stored or shared. */
import { setDiagnosticsEffect } from '@codemirror/lint';
import { formatDocument, LSPPlugin } from '@codemirror/lsp-client';
import type { ViewUpdate } from '@codemirror/view';
import { pipelines } from 'pipelines';
import { createClient, createEditor, replaceText } from './editor.ts';
import { element } from './element.ts';
import { serverReady } from './highlight.ts';
import type { Preview } from './preview.ts';
import { ProblemList } from './problems.ts';
import { ServerProcess } from './serverProcess.ts';
import { fromFragment, MAX_LINK, toFragment } from './shareLink.ts';
import { storedText, storeText } from './storedText.ts';

/** Milliseconds without an edit before the text is stored and the preview is drawn. */
const SETTLED = 300;

element('app').hidden = false;
const problems = new ProblemList(element('problems'));
const client = createClient();
const shared = await fromFragment(location.hash);
const view = createEditor(client, {
  parent: element('editor'),
  text: shared.kind === 'text' ? shared.text : (storedText() ?? pipelines[0]?.text ?? ''),
  onUpdate,
});
let preview: Preview | undefined;
let settled: ReturnType<typeof setTimeout> | undefined;

if (shared.kind === 'problem') showMessage(shared.message);
const server = new ServerProcess({
  onStart(transport) {
    client.disconnect();
    client.connect(transport);
    client.initializing.then(() => {
      showStatus('Language server ready');
      view.dispatch({ effects: serverReady.of(null) });
    }, () => undefined);
  },
  onDeath(reason, again) {
    showStatus(again ? 'The language server was started again' : 'The language server has stopped');
    if (!again) showMessage(`The language server stops again and again (${reason}). Your text is kept; change it, then`, { label: 'start it again', run: () => server.restart() });
  },
});
server.start();
fillExamples();
element('format').addEventListener('click', () => formatDocument(view));
element('share').addEventListener('click', () => void share());
element('preview').addEventListener('click', () => void togglePreview());
element('message').querySelector('.quiet')?.addEventListener('click', () => (element('message').hidden = true));
window.addEventListener('hashchange', () => void openShared());
if ('serviceWorker' in navigator) navigator.serviceWorker.register('serviceWorker.js').catch(() => undefined);

function onUpdate(update: ViewUpdate): void {
  if (update.transactions.some(({ effects }) => effects.some((effect) => effect.is(setDiagnosticsEffect)))) {
    performance.mark('diagnostics');
    problems.show(update.view);
  }
  if (!update.docChanged) return;
  clearTimeout(settled);
  settled = setTimeout(onSettled, SETTLED);
}

function onSettled(): void {
  if (!storeText(view.state.doc.toString())) showStatus('The browser does not store this text: copy it before you leave');
  void preview?.draw();
}

async function openShared(): Promise<void> {
  const found = await fromFragment(location.hash);
  if (found.kind === 'text') replaceText(view, found.text);
  if (found.kind === 'problem') showMessage(found.message);
}

async function share(): Promise<void> {
  const fragment = await toFragment(view.state.doc.toString());
  if (fragment.length > MAX_LINK) return showMessage('The text is too large for a link: copy it into a file and share that.');
  history.replaceState(null, '', fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    showStatus('Link copied');
  } catch {
    showStatus('The link is in the address bar');
  }
}

async function togglePreview(): Promise<void> {
  const [button, graph] = [element('preview'), element('graph')];
  graph.hidden = !graph.hidden;
  button.setAttribute('aria-expanded', String(!graph.hidden));
  if (graph.hidden) return;
  try {
    preview ??= new (await import('./preview.ts')).Preview({ client, onOpen: ({ line, character }) => {
      const anchor = LSPPlugin.get(view)?.fromPosition({ line, character }, view.state.doc) ?? 0;
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    } });
    await preview.draw();
  } catch {
    showMessage('The preview could not be loaded. Try again when you are online.');
  }
}

function fillExamples(): void {
  const select = element<HTMLSelectElement>('examples');
  select.append(new Option('Open an example…', ''));
  for (const [group, members] of Map.groupBy(pipelines, (one) => one.group)) {
    const options = document.createElement('optgroup');
    options.label = group;
    options.append(...members.map(({ name }) => new Option(name, `${group}/${name}`)));
    select.append(options);
  }
  select.addEventListener('change', () => {
    const chosen = pipelines.find(({ group, name }) => `${group}/${name}` === select.value);
    select.value = '';
    if (!chosen) return;
    replaceText(view, chosen.text);
    showStatus(`Opened ${chosen.name}; undo brings your text back`);
  });
}

function showStatus(text: string): void {
  element('status').textContent = text;
}

function showMessage(text: string, action?: { label: string; run(): void }): void {
  const place = element('message');
  const parts: (string | Node)[] = [text];
  if (action) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = action.label;
    button.addEventListener('click', () => {
      place.hidden = true;
      action.run();
    });
    parts.push(' ', button);
  }
  place.querySelector('span')?.replaceChildren(...parts);
  place.hidden = false;
}
