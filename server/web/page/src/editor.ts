/** The editor: CodeMirror with the client of the language server. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, toggleComment } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, LSPClient, renameKeymap, serverCompletion, serverDiagnostics, signatureHelp } from '@codemirror/lsp-client';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view';
import { highlighting } from './highlight.ts';
import { sanitized } from './sanitize.ts';
import { URI } from './uri.ts';

/** Milliseconds without an edit before the server gets it. */
const SYNC_DELAY = 80;

export interface EditorOptions {
  parent: HTMLElement;
  text: string;
  onUpdate(update: ViewUpdate): void;
}

/** A client without a server: `connect` it. */
export function createClient(): LSPClient {
  return new LSPClient({
    // The first request waits for the module.
    timeout: 30_000,
    sanitizeHTML: sanitized,
    extensions: [
      serverCompletion({ override: true }),
      hoverTooltips({ hoverTime: 250 }),
      keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
      signatureHelp(),
      serverDiagnostics(),
      highlighting,
    ],
  });
}

export function createEditor(client: LSPClient, { parent, text, onUpdate }: EditorOptions): EditorView {
  let pending: ReturnType<typeof setTimeout> | undefined;
  const extensions = [
    lineNumbers(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    indentUnit.of('    '),
    EditorState.languageData.of(() => [{ commentTokens: { line: '//', block: { open: '/*', close: '*/' } } }]),
    // Tab is left to the page, so that a keyboard can leave the editor.
    keymap.of([{ key: 'Mod-/', run: toggleComment }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': 'Pipeline in DOT', spellcheck: 'false' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        clearTimeout(pending);
        pending = setTimeout(() => client.sync(), SYNC_DELAY);
      }
      onUpdate(update);
    }),
    client.plugin(URI, 'dot'),
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}

/** Replaces the text in one step that can be undone. */
export function replaceText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true, userEvent: 'input.replace' });
}
