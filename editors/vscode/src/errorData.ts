/** `data` of the error of a server command. */
import type { CommandErrorData } from './protocol.ts';

export function errorData(error: unknown): CommandErrorData | undefined {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  return typeof data === 'object' && data !== null && 'code' in data ? (data as CommandErrorData) : undefined;
}
