/** The script of a form: draws its fields, and sends their texts. */
import type { Field, FormContent, FromForm } from './messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromForm): void };

const editor = acquireVsCodeApi();
const form = document.getElementById('form');

window.addEventListener('message', ({ data }: MessageEvent<FormContent>) => {
  if (form instanceof HTMLFormElement) draw(form, data);
});
window.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') editor.postMessage({ kind: 'cancel' });
});
editor.postMessage({ kind: 'ready' });

function draw(form: HTMLFormElement, content: FormContent): void {
  const inputs = new Map(content.fields.map((field) => [field.name, inputOf(field)]));
  const submit = element('button', content.submit);
  submit.type = 'submit';
  const cancel = element('button', 'Cancel');
  cancel.type = 'button';
  cancel.className = 'secondary';
  cancel.addEventListener('click', () => editor.postMessage({ kind: 'cancel' }));
  const buttons = element('div');
  buttons.className = 'buttons';
  buttons.append(submit, cancel);
  form.replaceChildren(
    element('h1', content.title),
    element('p', content.intro),
    ...content.fields.map((field) => row(field, inputs.get(field.name))),
    buttons,
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    const values = Object.fromEntries([...inputs].map(([name, input]) => [name, textOf(input)]));
    editor.postMessage({ kind: 'submit', values });
  };
  const first = [...inputs.values()].find((input) => input.required && textOf(input) === '') ?? [...inputs.values()][0];
  first?.focus();
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function row(field: Field, input: Input | undefined): HTMLElement {
  const label = element('label');
  const name = element('span', field.name);
  name.className = 'name';
  const type = element('span', [field.type, field.required ? 'required' : 'optional'].join(', '));
  type.className = 'type';
  label.append(name, type);
  if (field.hint !== undefined) {
    const hint = element('span', field.hint);
    hint.className = 'hint';
    label.append(hint);
  }
  if (input) label.append(input);
  return label;
}

function inputOf(field: Field): Input {
  const input = plainInputOf(field);
  input.name = field.name;
  input.setAttribute('aria-label', field.name);
  if (!(input instanceof HTMLInputElement && input.type === 'checkbox')) input.required = field.required;
  return input;
}

function plainInputOf({ type, value = '', options = [] }: Field): Input {
  if (type === 'choice') {
    const select = element('select');
    select.append(...options.map((option) => new Option(option.label, option.value, false, option.value === value)));
    return select;
  }
  if (type === 'json' || value.includes('\n')) {
    const area = element('textarea');
    area.value = value;
    area.rows = Math.min(12, Math.max(3, value.split('\n').length));
    if (type === 'json') area.addEventListener('input', () => area.setCustomValidity(problemOf(area.value)));
    return area;
  }
  const input = element('input');
  if (type === 'boolean') {
    input.type = 'checkbox';
    input.checked = value === 'true';
    return input;
  }
  input.type = type === 'secret' ? 'password' : type === 'number' ? 'number' : 'text';
  input.autocomplete = 'off';
  if (type === 'number') input.step = 'any';
  input.value = value;
  return input;
}

function problemOf(text: string): string {
  try {
    if (text.trim() !== '') JSON.parse(text);
    return '';
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function textOf(input: Input): string {
  return input instanceof HTMLInputElement && input.type === 'checkbox' ? String(input.checked) : input.value;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text?: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}
