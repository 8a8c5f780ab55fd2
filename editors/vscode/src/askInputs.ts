/** Asks for what a run needs before it starts: the inputs of a pipeline, the secrets of a run that is resumed or forked. */
import type { FormValue } from './form/messages.ts';
import { fieldOf, valuesOf } from './inputFields.ts';
import { Command, type InputsResult } from './protocol.ts';
import { errorData } from './errorData.ts';
import type { Server } from './server.ts';
import { showForm } from './showForm.ts';

/** The inputs for a run of a pipeline; `undefined` when the form was cancelled. Without any to enter there is no form. */
export async function askInputs(
  server: Server,
  target: { uri: string; graph?: string },
  submit: string,
): Promise<Record<string, FormValue> | undefined> {
  const { uri, graph } = target;
  const argument = { uri, ...(graph === undefined ? {} : { graph }) };
  const declared = await server.query<InputsResult>(Command.inputs, argument);
  if (!declared || declared.inputs.length === 0) return {};
  const texts = await showForm({
    title: `${submit} ${declared.graph}`,
    intro: 'The inputs of this run. Fields that are left empty have the default of the pipeline.',
    fields: declared.inputs.map(fieldOf),
    submit,
  });
  return texts && valuesOf(declared.inputs, texts);
}

/** Sends what resumes or forks a run; secrets that are missing are asked for, and it is sent again with them. */
export async function withSecrets(
  what: string,
  send: (secrets: Record<string, FormValue>) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await send({});
  } catch (error) {
    const data = errorData(error);
    if (data?.code !== 'missingInputs' || !data.missing) throw error;
    const secrets = await showForm({
      title: what,
      intro: 'Secrets are not stored with a run: enter them again.',
      fields: data.missing.map((name) => ({ name, type: 'secret', required: true })),
      submit: what,
    });
    return secrets && send(secrets);
  }
}
