/** Colors by the semantic tokens of the server, for the part of the text that is visible. */
import { LSPPlugin, type LSPClientExtension } from '@codemirror/lsp-client';
import { RangeSetBuilder, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { decoded, type Legend } from './semanticTokens.ts';

/** Milliseconds without an edit or a scroll before tokens are requested. */
const DELAY = 60;

interface TokensProvider {
  legend: Legend;
}

/** Says that the server has the text, so that tokens can be requested. */
export const serverReady = StateEffect.define<null>();
const highlighted = StateEffect.define<null>();

class Highlighter {
  decorations: DecorationSet = Decoration.none;
  #pending: ReturnType<typeof setTimeout> | undefined;
  #alive = true;

  constructor(view: EditorView) {
    this.#request(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged) this.decorations = this.decorations.map(update.changes);
    const ready = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(serverReady)));
    if (update.docChanged || update.viewportChanged || ready) this.#request(update.view);
  }

  destroy(): void {
    this.#alive = false;
    clearTimeout(this.#pending);
  }

  #request(view: EditorView): void {
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => void this.#load(view), DELAY);
  }

  async #load(view: EditorView): Promise<void> {
    const plugin = LSPPlugin.get(view);
    const provider = plugin?.client.serverCapabilities?.semanticTokensProvider as TokensProvider | undefined;
    if (!plugin || !provider) return;
    plugin.client.sync();
    const { from, to } = view.viewport;
    const text = view.state.doc;
    const params = { textDocument: { uri: plugin.uri }, range: { start: plugin.toPosition(from), end: plugin.toPosition(to) } };
    const answer = await plugin.client.request<unknown, { data: number[] } | null>('textDocument/semanticTokens/range', params).catch(() => null);
    // Tokens of an older text are of no use: its change has requested newer ones.
    if (!answer || !this.#alive || view.state.doc !== text) return;
    const builder = new RangeSetBuilder<Decoration>();
    for (const { line, start, length, type, modifiers } of decoded(answer.data, provider.legend)) {
      if (line >= text.lines) continue;
      const begin = text.line(line + 1).from + start;
      const end = Math.min(begin + length, text.length);
      if (end > begin) builder.add(begin, end, mark(type, modifiers));
    }
    this.decorations = builder.finish();
    view.dispatch({ effects: highlighted.of(null) });
  }
}

const marks = new Map<string, Decoration>();

function mark(type: string, modifiers: readonly string[]): Decoration {
  const name = [`token-${type}`, ...modifiers.map((modifier) => `token-${modifier}`)].join(' ');
  const known = marks.get(name) ?? Decoration.mark({ class: name });
  marks.set(name, known);
  return known;
}

export const highlighting: LSPClientExtension = {
  clientCapabilities: {
    textDocument: { semanticTokens: { requests: { range: true }, tokenTypes: [], tokenModifiers: [], formats: ['relative'] } },
  },
  editorExtension: ViewPlugin.fromClass(Highlighter, { decorations: (highlighter) => highlighter.decorations }),
};
