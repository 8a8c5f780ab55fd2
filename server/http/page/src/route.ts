/** The views of the page and their addresses, which are in the fragment. Pure. */

export type Route =
  | { view: 'runs' }
  | { view: 'submit' }
  /** A run, the node that is selected, and the sub-pipeline whose graph is shown. */
  | { view: 'run'; id: string; node?: string; graph?: string };

export function parseRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  const [first, id] = path.split('/');
  if (first === 'new') return { view: 'submit' };
  if (first !== 'runs' || !id) return { view: 'runs' };
  const parameters = new URLSearchParams(query);
  const [node, graph] = [parameters.get('node'), parameters.get('graph')];
  return { view: 'run', id: decoded(id), ...(node ? { node } : {}), ...(graph ? { graph } : {}) };
}

export function fragmentOf(route: Route): string {
  switch (route.view) {
    case 'runs':
      return '#/';
    case 'submit':
      return '#/new';
    case 'run': {
      const { id, node, graph } = route;
      const query = new URLSearchParams({ ...(node === undefined ? {} : { node }), ...(graph === undefined ? {} : { graph }) });
      return `#/runs/${encodeURIComponent(id)}${query.size === 0 ? '' : `?${query}`}`;
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
