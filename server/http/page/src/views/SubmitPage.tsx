/** Starts a run: of a pipeline of the project, or of one that is pasted, dropped or chosen as a file. */
import { useRef, useState } from 'preact/hooks';
import { api, ApiError, consentOf, messageOf, type Consent, type Diagnostic, type ProjectPipeline, type Submission } from '../api.ts';
import { useTitle } from '../hooks.ts';
import { parseInputs, readFields } from '../inputs.ts';
import { placeIn } from '../place.ts';
import { nameOf, useProjectPipelines } from '../projectPipelines.ts';
import { fragmentOf } from '../route.ts';
import { ConsentDialog } from './ConsentDialog.tsx';

const MODES = [
  { name: 'run', label: 'Run', what: 'Commands and models are real.' },
  { name: 'simulate', label: 'Simulate models', what: 'Commands and gates are real, models are simulated.' },
  { name: 'dry_run', label: 'Dry run', what: 'Only the way through the graph: nothing runs, nothing is asked, and nothing is stored.' },
] as const;

export function SubmitPage() {
  const pipelines = useProjectPipelines();
  const [chosen, setChosen] = useState<ProjectPipeline>();
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [dot, setDot] = useState('');
  const [inputs, setInputs] = useState('');
  const [mode, setMode] = useState<string>('run');
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [error, setError] = useState<string>();
  const [diagnostics, setDiagnostics] = useState<readonly Diagnostic[]>([]);
  /** What has to be approved, and the run it is about. */
  const [asked, setAsked] = useState<{ consent: Consent; submission: Submission }>();
  const text = useRef<HTMLTextAreaElement>(null);
  useTitle('New run — Attractor');
  const submit = (event: Event) => {
    event.preventDefault();
    setDiagnostics([]);
    const values = chosen ? readFields(fields, secretsOf(chosen)) : parseInputs(inputs);
    if (typeof values === 'string') return setError(values);
    start({ ...(chosen ? { path: chosen.path, graph: chosen.graph } : { dot }), inputs: values, mode });
  };
  const start = (submission: Submission) => {
    setError(undefined);
    setAsked(undefined);
    setBusy(true);
    api
      .submit(submission)
      .then(({ id }) => (location.hash = fragmentOf({ view: 'run', id })))
      .catch((problem: unknown) => {
        const consent = consentOf(problem);
        if (consent) return setAsked({ consent, submission });
        setError(messageOf(problem));
        if (problem instanceof ApiError) setDiagnostics((problem.body['diagnostics'] as Diagnostic[] | undefined) ?? []);
      })
      .finally(() => setBusy(false));
  };
  const choose = (pipeline: ProjectPipeline | undefined) => {
    setChosen(pipeline);
    setFields({});
    setError(undefined);
    setDiagnostics([]);
  };
  const load = (file: File | null | undefined) => {
    if (!file) return;
    choose(undefined);
    file.text().then(setDot, () => setError(`${file.name} cannot be read.`));
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
      {pipelines.length > 0 && <Source pipelines={pipelines} chosen={chosen} onChoose={choose} />}
      <p class="muted">{placeOf(chosen, pipelines.length > 0)}</p>
      {!chosen && (
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
      )}
      {error && <Refusal error={error} diagnostics={diagnostics} field={text.current} />}
      {chosen ? (
        <InputFields pipeline={chosen} values={fields} onChange={setFields} />
      ) : (
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
      )}
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
      {asked && chosen && (
        <ConsentDialog
          pipeline={chosen.path}
          consent={asked.consent}
          onApprove={() => start({ ...asked.submission, approve: asked.consent.digest })}
          onClose={() => setAsked(undefined)}
        />
      )}
      <div class="actions">
        <button class="primary" disabled={(!chosen && dot.trim() === '') || busy}>
          {busy ? 'Starting…' : 'Start run'}
        </button>
      </div>
    </form>
  );
}

function secretsOf({ inputs }: ProjectPipeline): string[] {
  return inputs.filter(({ secret }) => secret).map(({ name }) => name);
}

/** Where the run works. */
function placeOf(chosen: ProjectPipeline | undefined, hasProject: boolean): string {
  if (chosen) return chosen.goal ?? 'The pipeline works in the project.';
  const here = 'The pipeline works in a folder of its own.';
  return hasProject ? `${here} One of the project works there.` : `${here} To run one in your project, use the editor or the terminal.`;
}

interface SourceProps {
  pipelines: readonly ProjectPipeline[];
  chosen: ProjectPipeline | undefined;
  onChoose: (pipeline: ProjectPipeline | undefined) => void;
}

function Source({ pipelines, chosen, onChoose }: SourceProps) {
  return (
    <div class="field">
      <label for="source">From</label>
      <select id="source" value={chosen ? pipelines.indexOf(chosen) : -1} onChange={({ currentTarget }) => onChoose(pipelines[Number(currentTarget.value)])}>
        <option value={-1}>a text or a file of this computer</option>
        <optgroup label="The project">
          {pipelines.map((pipeline, index) => (
            <option key={index} value={index}>
              {nameOf(pipeline, pipelines)}
            </option>
          ))}
        </optgroup>
      </select>
    </div>
  );
}

interface InputFieldsProps {
  pipeline: ProjectPipeline;
  values: Readonly<Record<string, string>>;
  onChange: (values: Readonly<Record<string, string>>) => void;
}

function InputFields({ pipeline, values, onChange }: InputFieldsProps) {
  return (
    <>
      {pipeline.inputs.map(({ name, required, secret, default: value }) => (
        <div key={name} class="field">
          <label for={`input-${name}`}>{name}</label>
          <input
            id={`input-${name}`}
            {...(secret ? { type: 'password' } : {})}
            autocomplete="off"
            required={required}
            placeholder={value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)}
            value={values[name] ?? ''}
            onInput={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
        </div>
      ))}
    </>
  );
}

/** Why the run was not started. Without a field, the text is not on the page. */
function Refusal({ error, diagnostics, field }: { error: string; diagnostics: readonly Diagnostic[]; field: HTMLTextAreaElement | null }) {
  return (
    <div class="banner error" role="alert">
      <p>{error}</p>
      <ul>
        {diagnostics.map(({ line, column, message, rule, severity }, index) => (
          <li key={index}>
            {field ? (
              <button type="button" class="link" onClick={() => moveTo(field, line, column)}>
                Line {line}
              </button>
            ) : (
              `Line ${line}`
            )}
            , {severity}: {`${message} `}
            <span class="muted">{rule}</span>
          </li>
        ))}
      </ul>
    </div>
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
