/** The inputs of a pipeline as the fields of a form, and back. Pure. */
import type { Field, FormValue } from './form/messages.ts';
import type { PipelineInput } from './protocol.ts';

/** A field begins with the value of the last run, else with the default. */
export function fieldOf(input: PipelineInput): Field {
  const value = input.last ?? input.default;
  const hints = [
    input.default === undefined ? undefined : `default: ${textOf(input.default) || 'empty'}`,
    input.last === undefined || equal(input.last, input.default) ? undefined : 'filled in from the last run',
    input.secret ? 'secret: neither stored nor shown' : undefined,
  ].filter((hint) => hint !== undefined);
  return {
    name: input.name,
    type: input.secret ? 'secret' : (input.type ?? 'string'),
    required: input.required,
    ...(value === undefined || input.secret ? {} : { value: textOf(value) }),
    ...(hints.length === 0 ? {} : { hint: hints.join(' · ') }),
  };
}

/** The values to send. What is empty or has its default is left out, so that the pipeline's own default applies. */
export function valuesOf(inputs: PipelineInput[], texts: Record<string, string>): Record<string, FormValue> {
  const values: Record<string, FormValue> = {};
  for (const input of inputs) {
    const text = texts[input.name];
    if (text === undefined || (text === '' && !input.required)) continue;
    const value = read(input, text);
    if (input.required || !equal(value, input.default)) values[input.name] = value;
  }
  return values;
}

function read({ type, secret }: PipelineInput, text: string): FormValue {
  if (secret) return text;
  switch (type) {
    case 'number':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'json':
      return JSON.parse(text) as FormValue;
    default:
      return text;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
