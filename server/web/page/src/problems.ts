/** The list of problems under the editor. */
import { type Diagnostic, forEachDiagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** More problems than this are counted only. */
const SHOWN = 100;

interface Problem {
  diagnostic: Diagnostic;
  from: number;
}

export class ProblemList {
  readonly #section: HTMLElement;

  constructor(section: HTMLElement) {
    this.#section = section;
  }

  show(view: EditorView): void {
    const problems = problemsOf(view.state);
    const title = this.#section.querySelector('h2');
    if (title) title.textContent = problems.length === 0 ? 'No problems' : `Problems (${problems.length})`;
    const shown = problems.slice(0, SHOWN).map((problem) => item(view, problem));
    if (problems.length > SHOWN) shown.push(textItem(`${problems.length - SHOWN} more`));
    this.#section.querySelector('ul')?.replaceChildren(...shown);
  }
}

function problemsOf(state: EditorState): Problem[] {
  const problems: Problem[] = [];
  forEachDiagnostic(state, (diagnostic, from) => problems.push({ diagnostic, from }));
  return problems;
}

function item(view: EditorView, { diagnostic, from }: Problem): HTMLElement {
  const line = view.state.doc.lineAt(from);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `problem ${diagnostic.severity}`;
  const [severity, place] = [document.createElement('strong'), document.createElement('span')];
  severity.textContent = diagnostic.severity;
  place.textContent = `${line.number}:${from - line.from + 1}`;
  button.append(severity, ' ', diagnostic.message, ' ', place);
  button.addEventListener('click', () => {
    // The text may have changed since the list was shown.
    const anchor = Math.min(from, view.state.doc.length);
    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    view.focus();
  });
  const result = document.createElement('li');
  result.append(button);
  return result;
}

function textItem(text: string): HTMLElement {
  const result = document.createElement('li');
  result.textContent = text;
  return result;
}
