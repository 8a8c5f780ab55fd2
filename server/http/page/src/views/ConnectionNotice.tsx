/** Says when what is shown may not be current, or not complete. */
import type { Connection } from '../eventStream.ts';
import { useNow } from '../hooks.ts';
import { plural } from '../../shared/format.ts';

export function ConnectionNotice({ connection, missing, onRetry }: { connection: Connection; missing: number; onRetry: () => void }) {
  const now = useNow(connection.kind === 'offline');
  return (
    <>
      {connection.kind === 'offline' && (
        <p class="banner warning" role="alert">
          The server cannot be reached. What is shown is from before; it continues when the server does.{' '}
          <span aria-hidden="true">Next try in {Math.max(0, Math.ceil((connection.until - now) / 1000))} s.</span>{' '}
          <button class="link" onClick={onRetry}>
            Try now
          </button>
        </p>
      )}
      {connection.kind === 'refused' && (
        <p class="banner error" role="alert">
          {connection.message}{' '}
          <button class="link" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
      {missing > 0 && (
        <p class="banner warning">
          {plural(missing, 'event')} of this run {missing === 1 ? 'is' : 'are'} missing; what is shown is incomplete.
        </p>
      )}
    </>
  );
}
