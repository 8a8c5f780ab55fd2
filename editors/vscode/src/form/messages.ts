/** What a form asks for, and the messages between the extension and its page. Types only. */

export type FieldType = 'string' | 'number' | 'boolean' | 'json' | 'secret' | 'choice';

export interface Field {
  name: string;
  type: FieldType;
  required: boolean;
  /** The value it begins with, as text; `true` or `false` of a boolean. */
  value?: string;
  /** A line below the label. */
  hint?: string;
  /** Of a choice: the values, and what is shown of them. */
  options?: { value: string; label: string }[];
}

export interface FormContent {
  title: string;
  intro: string;
  fields: Field[];
  /** The label of the button. */
  submit: string;
}

export type FormValue = string | number | boolean | object | null;

export type FromForm =
  | { kind: 'ready' }
  | { kind: 'submit'; values: Record<string, string> }
  | { kind: 'cancel' };
