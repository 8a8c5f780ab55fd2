/** The start of the page: exchanges the ticket of the address for a session, then shows the view of the address. */
import { render } from 'preact';
import { api } from './api.ts';
import { ticketOf } from './route.ts';
import { App } from './views/App.tsx';

async function start(): Promise<void> {
  const root = document.getElementById('app');
  if (!root) return;
  const ticket = ticketOf(location.hash);
  if (ticket !== undefined) {
    // It is used up by the request: neither a bookmark nor the history should have it.
    history.replaceState(undefined, '', '#/');
    await api.openSession(ticket).catch(() => undefined);
  }
  render(<App />, root);
}

void start();
