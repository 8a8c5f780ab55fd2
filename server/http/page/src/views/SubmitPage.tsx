/** Starts a run of a pipeline that is pasted, dropped or chosen as a file. */
import { useRef, useState } from 'preact/hooks';
import { api, ApiError, messageOf, type Diagnostic } from '../api.ts';
import { useTitle } from '../hooks.ts';
import { parseInputs } from '../inputs.ts';
import { placeIn } from '../place.ts';
import { fragmentOf } from '../route.ts';

const MODES = [
  { name: 'run', label: 'Run', what: 'Commands and models are real.' },
  { name: 'simulate', label: 'Simulate models', what: 'Commands and gates are real, models are simulated.' },
  { name: 'dry_run', label: 'Dry run', what: 'Only the way through the graph: nothing runs, nothing is asked, and nothing is stored.' },
] as const;

export function SubmitPage() {
  const [dot, setDot] = useState('');
  const [inputs, setInputs] = useState('');
  const [mode, setMode] = useState<string>('run');
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [error, setError] = useState<string>();
  const [diagnostics, setDiagnostics] = useState<readonly Diagnostic[]>([]);
  const text = useRef<HTMLTextAreaElement>(null);
  useTitle('New run — Attractor');
  const submit = (event: Event) => {
    event.preventDefault();
    setDiagnostics([]);
    const values = parseInputs(inputs);
    if (typeof values === 'string') return setError(values);
    setError(undefined);
    setBusy(true);
    api
      .submit({ dot, inputs: values, mode })
      .then(({ id }) => (location.hash = fragmentOf({ view: 'run', id })))
      .catch((problem: unknown) => {
        setError(messageOf(problem));
        if (problem instanceof ApiError) setDiagnostics((problem.body['diagnostics'] as Diagnostic[] | undefined) ?? []);
      })
      .finally(() => setBusy(false));
  };
  const load = (file: File | null | undefined) => {
    if (file) file.text().then(setDot, () => setError(`${file.name} cannot be read.`));
  };
  return (
    <form
      class={over ? 'submit over' : 'submit'}
      onSubmit={submit}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        load(event.dataTransfer?.files[0]);
      }}
    >
      <h1>New run</h1>
      <p class="muted">The pipeline works in a folder of its own. To run one in your project, use the editor or the terminal.</p>
      <div class="field">
        <div class="field-head">
          <label for="dot">Pipeline</label>
          <label class="button">
            Open a file…
            <input type="file" class="sr-only" accept=".dot,.gv,text/vnd.graphviz" onChange={({ currentTarget }) => load(currentTarget.files?.[0])} />
          </label>
        </div>
        <textarea
          ref={text}
          id="dot"
          class="code"
          rows={14}
          required
          spellcheck={false}
          placeholder={'digraph release {\n  start [shape=Mdiamond]\n  …\n}'}
          value={dot}
          aria-invalid={diagnostics.length > 0}
          onInput={({ currentTarget }) => setDot(currentTarget.value)}
        />
      </div>
      {error && (
        <div class="banner error" role="alert">
          <p>{error}</p>
          <ul>
            {diagnostics.map(({ line, column, message, rule, severity }, index) => (
              <li key={index}>
                <button type="button" class="link" onClick={() => text.current && moveTo(text.current, line, column)}>
                  Line {line}
                </button>
                , {severity}:                 {`${message} `}
                <span class="muted">{rule}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="field">
        <label for="inputs">Inputs</label>
        <textarea
          id="inputs"
          class="code"
          rows={2}
          spellcheck={false}
          placeholder="name=value, one a line"
          value={inputs}
          onInput={({ currentTarget }) => setInputs(currentTarget.value)}
        />
      </div>
      <fieldset class="modes">
        <legend>How real</legend>
        {MODES.map(({ name, label, what }) => (
          <label key={name}>
            <input type="radio" name="mode" checked={mode === name} onChange={() => setMode(name)} />
            <span>
              {label} <span class="muted">{what}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="actions">
        <button class="primary" disabled={dot.trim() === '' || busy}>
          {busy ? 'Starting…' : 'Start run'}
        </button>
      </div>
    </form>
  );
}

/** Moves the cursor to a place in the text; lines and columns are counted from 1. */
function moveTo(field: HTMLTextAreaElement, line: number, column: number): void {
  const at = placeIn(field.value, line, column);
  field.focus();
  field.setSelectionRange(at, at);
  // Browsers do not scroll to a selection that is set.
  const height = Number.parseFloat(getComputedStyle(field).lineHeight);
  field.scrollTop = Math.max(0, (line - 3) * height);
}
