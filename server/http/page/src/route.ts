/** The views of the page and their addresses, which are in the fragment. Pure. */

export type Route =
  | { view: 'runs' }
  | { view: 'submit' }
  /** A run, and the node that is selected. */
  | { view: 'run'; id: string; node?: string };

export function parseRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  const [first, id] = path.split('/');
  if (first === 'new') return { view: 'submit' };
  if (first !== 'runs' || !id) return { view: 'runs' };
  const node = new URLSearchParams(query).get('node');
  return { view: 'run', id: decoded(id), ...(node ? { node } : {}) };
}

export function fragmentOf(route: Route): string {
  switch (route.view) {
    case 'runs':
      return '#/';
    case 'submit':
      return '#/new';
    case 'run': {
      const query = route.node === undefined ? '' : `?${new URLSearchParams({ node: route.node })}`;
      return `#/runs/${encodeURIComponent(route.id)}${query}`;
    }
  }
}

/** The one-use ticket in the fragment the page is opened with. */
export function ticketOf(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('ticket') ?? undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
