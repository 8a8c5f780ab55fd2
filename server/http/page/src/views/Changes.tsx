/** What a run, or one of its nodes, changed in files. */
import { useEffect, useState } from 'preact/hooks';
import { api, messageOf, type ChangedFile } from '../api.ts';
import { Dialog } from './Dialog.tsx';
import { FileDiff } from './FileDiff.tsx';

export function Changes({ id, node, onClose }: { id: string; node: string | undefined; onClose: () => void }) {
  const [files, setFiles] = useState<readonly ChangedFile[]>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    api.diff(id, node).then(
      ({ files: changed }) => setFiles(changed),
      (problem: unknown) => setError(messageOf(problem)),
    );
  }, [id, node]);
  return (
    <Dialog title={node === undefined ? 'Changes of this run' : `Changes of ${node}`} onClose={onClose} wide>
      {error && (
        <p class="banner error" role="alert">
          {error}
        </p>
      )}
      {!files && !error && <p class="pane-note">Reading…</p>}
      {files?.length === 0 && <p class="pane-note">No file was changed.</p>}
      {files?.map((file) => (
        <FileDiff key={file.path} file={file} open={files.length <= 5} />
      ))}
    </Dialog>
  );
}
