/** The search of the preview: marks the nodes whose name or kind contains what is typed, and moves between them. */
import type { GraphView } from '../../../../server/http/page/shared/graph/graphView.ts';

export interface Search {
  open(): void;
  close(): void;
  /** Moves to the next match, or to the one before. */
  step(by: 1 | -1): void;
}

export function addSearch(view: GraphView): Search {
  const box = byId('search');
  const query = byId('query') as HTMLInputElement;
  const count = byId('found');
  let found: string[] = [];
  let at = -1;
  const show = () => {
    count.textContent = query.value === '' ? '' : found.length === 0 ? 'no match' : `${at + 1} of ${found.length}`;
  };
  const search = () => {
    found = view.find(query.value);
    at = found.length > 0 ? 0 : -1;
    if (found[0] !== undefined) view.revealNode(found[0]);
    show();
  };
  const step = (by: 1 | -1) => {
    if (found.length === 0) return;
    at = (at + by + found.length) % found.length;
    const node = found[at];
    if (node !== undefined) view.revealNode(node);
    show();
  };
  const close = () => {
    box.hidden = true;
    query.value = '';
    search();
  };
  query.addEventListener('input', search);
  query.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  return {
    open: () => {
      box.hidden = false;
      query.select();
      query.focus();
    },
    close,
    step,
  };
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
