/**
 * Locates the server executable: the setting if there is one, else the executable bundled with the extension, else
 * `PATH`.
 *
 * A setting that does not name an executable is an error, not a reason to try the next location.
 */
import { accessSync, constants, statSync } from 'node:fs';
import * as path from 'node:path';

export type Binary =
  | { kind: 'found'; path: string; from: 'setting' | 'bundle' | 'PATH' }
  | { kind: 'missing'; reason: string };

export interface SearchLocations {
  /** The setting `attractor.server.path`, empty when not set. */
  setting: string;
  /** The folder the extension is installed in. */
  extension: string;
  /** The variable `PATH`. */
  path: string;
  platform: NodeJS.Platform;
  home: string;
}

/** Tries the locations in order. `runnable` returns whether a path is an executable file. */
export function findBinary(locations: SearchLocations, runnable = isRunnable): Binary {
  const name = locations.platform === 'win32' ? 'attractor.exe' : 'attractor';
  if (locations.setting !== '') {
    const configured = locations.setting.replace(/^~(?=$|[\\/])/, locations.home);
    if (runnable(configured)) return { kind: 'found', path: configured, from: 'setting' };
    return { kind: 'missing', reason: `The setting attractor.server.path is not an executable file: ${configured}.` };
  }
  const bundled = path.join(locations.extension, 'server', name);
  if (runnable(bundled)) return { kind: 'found', path: bundled, from: 'bundle' };
  const folders = locations.path.split(locations.platform === 'win32' ? ';' : ':');
  for (const folder of folders.filter((it) => path.isAbsolute(it))) {
    const candidate = path.join(folder, name);
    if (runnable(candidate)) return { kind: 'found', path: candidate, from: 'PATH' };
  }
  return {
    kind: 'missing',
    reason: 'The executable "attractor" was not found in this extension or on your PATH.',
  };
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
