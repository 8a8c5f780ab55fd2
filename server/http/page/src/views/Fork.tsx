/** Starts another run that continues before a node. Asks what to do if files are not as they were then. */
import { useState } from 'preact/hooks';
import { api, ApiError, messageOf } from '../api.ts';
import { fragmentOf } from '../route.ts';

export function Fork({ id, node }: { id: string; node: string }) {
  const [problem, setProblem] = useState<{ message: string; asks: boolean }>();
  const fork = (files?: 'keep' | 'restore') => {
    setProblem(undefined);
    api.fork(id, node, files).then(
      (forked) => (location.hash = fragmentOf({ view: 'run', id: forked.id })),
      (error: unknown) => {
        const asks = error instanceof ApiError && error.code === 'files_differ';
        const message = asks ? `Files are not as they were when ${node} began: ${String(error.body['files'])}.` : messageOf(error);
        setProblem({ message, asks });
      },
    );
  };
  return (
    <>
      <button onClick={() => fork()} title="Start another run that continues before this node">
        Fork from here
      </button>
      {problem && (
        <div class="banner error" role="alert">
          <p>{problem.message}</p>
          {problem.asks && (
            <div class="actions">
              <button onClick={() => fork('keep')}>Keep the files as they are</button>
              <button onClick={() => fork('restore')}>Restore the files as they were</button>
            </div>
          )}
        </div>
      )}
    </>
  );
}
