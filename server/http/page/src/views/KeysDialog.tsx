/** The keyboard shortcuts. */
import { Dialog } from './Dialog.tsx';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ['Everywhere', [['?', 'Show this list'], ['u', 'Show the runs'], ['n', 'Start a run'], ['Tab', 'Move to the next control']]],
  ['Runs', [['/', 'Filter'], ['↑ ↓', 'Move between runs'], ['Enter', 'Open']]],
  [
    'A run',
    [
      ['q', 'Move to the question; Tab moves to its choices'],
      ['g', 'Move to the graph; arrow keys move between nodes, Enter selects one'],
      ['t', 'Move to the transcript'],
      ['f', 'Follow: the graph and the transcript show what happens now'],
      ['+ − 0', 'Zoom the graph, or show all of it'],
      ['Esc', 'Select no node'],
    ],
  ],
];

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class="keys">
        {KEYS.map(([heading, keys]) => (
          <section key={heading}>
            <h3>{heading}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
