/** Launch configurations: what is left out of one, and the one for F5 without any. */

export interface DebugConfiguration {
  type: string;
  request: string;
  name: string;
  [key: string]: unknown;
}

/** The configuration with what it leaves out; none where there is no file to debug. `file` is the pipeline in front. */
export function debugConfiguration(given: DebugConfiguration, file: string | undefined): DebugConfiguration | undefined {
  if (given.request === 'attach') return given;
  const isEmpty = given.type === '' || given.type === undefined;
  const program = given['program'] ?? file;
  if (program === undefined) return undefined;
  return isEmpty
    ? { type: 'attractor', request: 'launch', name: 'Debug pipeline', program, stopOnEntry: true }
    : { ...given, program };
}
