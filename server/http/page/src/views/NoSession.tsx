/** Shown without a session: how to get one. */
import { useState } from 'preact/hooks';
import { api, messageOf } from '../api.ts';
import { useTitle } from '../hooks.ts';

export function NoSession({ onSession }: { onSession: () => void }) {
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  useTitle('Attractor');
  const open = (event: Event) => {
    event.preventDefault();
    setError(undefined);
    api.openSessionWithToken(token.trim()).then(onSession, (problem: unknown) => setError(messageOf(problem)));
  };
  return (
    <section class="empty no-session">
      <h1>Open the address that the server printed</h1>
      <p>
        <code>attractor serve</code> prints an address with a ticket, which opens this page once; <code>--open</code> opens it in the
        browser. A session lasts a day.
      </p>
      <form onSubmit={open}>
        <label for="token">Or enter the token of the server</label>
        <div class="reply">
          <input id="token" type="password" autocomplete="off" value={token} onInput={({ currentTarget }) => setToken(currentTarget.value)} />
          <button class="primary" disabled={token.trim() === ''}>
            Open
          </button>
        </div>
      </form>
      {error && (
        <p class="banner error" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
