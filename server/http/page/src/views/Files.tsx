/** The files of an attempt: prompt, response, output and what else its handler recorded. */
import { useEffect, useState } from 'preact/hooks';
import { api, messageOf, type StageRef } from '../api.ts';
import type { NodeRun } from '../run.ts';
import { Dialog } from './Dialog.tsx';

export function Files({ id, node, onClose }: { id: string; node: NodeRun; onClose: () => void }) {
  const [shown, setShown] = useState(node.attempts.length - 1);
  const [files, setFiles] = useState<readonly string[]>();
  const [error, setError] = useState<string>();
  const attempt = node.attempts[shown];
  const at: StageRef = {
    node: node.key,
    visit: attempt?.visit ?? 1,
    attempt: attempt?.attempt ?? 1,
    ...(attempt?.branch ? { branch: attempt.branch } : {}),
  };
  useEffect(() => {
    setFiles(undefined);
    setError(undefined);
    api.files(id, at).then(setFiles, (problem: unknown) => setError(messageOf(problem)));
  }, [id, node.key, shown]);
  return (
    <Dialog title={`Files of ${node.key}`} onClose={onClose} wide>
      {node.attempts.length > 1 && (
        <label class="choice">
          Attempt{' '}
          <select value={shown} onChange={({ currentTarget }) => setShown(Number(currentTarget.value))}>
            {node.attempts.map(({ visit, attempt: number, state }, index) => (
              <option key={index} value={index}>
                visit {visit}, attempt {number}: {state}
              </option>
            ))}
          </select>
        </label>
      )}
      {error && (
        <p class="banner error" role="alert">
          {error}
        </p>
      )}
      {!files && !error && <p class="pane-note">Reading…</p>}
      {files?.length === 0 && <p class="pane-note">This attempt has no files.</p>}
      {files?.map((file) => <File key={`${shown} ${file}`} id={id} at={at} name={file} />)}
    </Dialog>
  );
}

/** A file, read when it is opened. */
function File({ id, at, name }: { id: string; at: StageRef; name: string }) {
  const [text, setText] = useState<string>();
  const read = (open: boolean) => {
    if (!open || text !== undefined) return;
    api.file(id, at, name).then(setText, (problem: unknown) => setText(messageOf(problem)));
  };
  return (
    <details class="file" onToggle={({ currentTarget }) => read(currentTarget.open)}>
      <summary>
        <span class="path">{name}</span>
      </summary>
      <pre class="terminal" tabIndex={0}>
        {text ?? 'Reading…'}
      </pre>
    </details>
  );
}
