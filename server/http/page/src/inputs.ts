/** Inputs of a run as a person types them: `name=value`, one a line, or in a field each. Pure. */

/** The values, or why they cannot be read. Numbers, truth values, lists and objects are JSON; all else is text. */
export function parseInputs(text: string): Record<string, unknown> | string {
  const values: Record<string, unknown> = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const equals = line.indexOf('=');
    const name = line.slice(0, equals).trim();
    if (equals < 0 || name === '') return `Expected \`name=value\` in the inputs, found \`${line.trim()}\`.`;
    values[name] = valueOf(line.slice(equals + 1).trim());
  }
  return values;
}

/** The values of fields by name; an empty field is left out, so that a default value holds. Secrets are text. */
export function readFields(fields: Readonly<Record<string, string>>, secrets: readonly string[]): Record<string, unknown> {
  const filled = Object.entries(fields).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(filled.map(([name, text]) => [name, secrets.includes(name) ? text : valueOf(text.trim())]));
}

function valueOf(text: string): unknown {
  if (!/^(-?\d|true$|false$|null$|\[|\{|")/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
