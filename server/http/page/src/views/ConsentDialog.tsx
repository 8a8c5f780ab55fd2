/** Shows what a pipeline of the project runs, and asks whether it may. Nothing is focused that would start it. */
import type { Consent } from '../api.ts';
import { Dialog } from './Dialog.tsx';
import { Markdown } from './Markdown.tsx';

interface Props {
  pipeline: string;
  consent: Consent;
  onApprove: () => void;
  onClose: () => void;
}

export function ConsentDialog({ pipeline, consent: { document, changes }, onApprove, onClose }: Props) {
  return (
    <Dialog title={`Run ${pipeline}?`} onClose={onClose} wide>
      <p>Nobody has approved what this pipeline runs as it is now. Read it, then decide.</p>
      {changes && (
        <details open>
          <summary>Changes since it was approved last</summary>
          <pre class="consent-changes" tabIndex={0}>
            {changes}
          </pre>
        </details>
      )}
      <div class="consent">
        <Markdown text={document} />
      </div>
      <div class="actions">
        <button type="button" autofocus onClick={onClose}>
          Cancel
        </button>
        <button type="button" onClick={onApprove}>
          Run once
        </button>
      </div>
    </Dialog>
  );
}
