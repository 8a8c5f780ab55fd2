/** A file with the changes to it. */
import type { ChangedFile } from '../api.ts';
import { diffLines } from '../diff.ts';

const SIGNS = { added: 'new', modified: '', deleted: 'deleted' } as const;

export function FileDiff({ file, open }: { file: ChangedFile; open: boolean }) {
  const lines = diffLines(file.diff ?? '');
  const note = file.change === undefined ? '' : SIGNS[file.change];
  const heading = (
    <>
      <span class="path">{file.path}</span>
      {note && <span class="muted">{note}</span>}
      {(file.added ?? 0) > 0 && <span class="added">+{file.added}</span>}
      {(file.removed ?? 0) > 0 && <span class="removed">−{file.removed}</span>}
    </>
  );
  if (lines.length === 0) return <p class="file">{heading}</p>;
  return (
    <details class="file" open={open}>
      <summary>{heading}</summary>
      <pre class="diff" tabIndex={0}>
        {lines.map(({ kind, text }, index) => (
          <span key={index} class={kind}>
            {`${text}\n`}
          </span>
        ))}
      </pre>
    </details>
  );
}
