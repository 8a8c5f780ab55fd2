/** The label of an answer, for a button. Pure. */

/** `[A] Approve`, `A) Approve`, `A - Approve` → `Approve`: removes the accelerator key. */
export function plainLabel(label: string): string {
  return label.replace(/^\s*(?:\[\w\]|\w\)|\w\s-)\s+/, '').trim() || label;
}
