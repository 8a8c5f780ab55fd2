/**
 * Which server program to start: the setting when there is one, else the program bundled with the
 * extension, else `PATH`.
 *
 * Who writes a path means it: a setting that names no program is told, not passed over.
 */
import { accessSync, constants, statSync } from 'node:fs';
import * as path from 'node:path';

export type Binary =
  | { kind: 'found'; path: string; from: 'setting' | 'bundle' | 'PATH' }
  | { kind: 'missing'; reason: string };

export interface Places {
  /** The setting `attractor.server.path`, empty when not set. */
  setting: string;
  /** The folder the extension is installed in. */
  extension: string;
  /** The variable `PATH`. */
  path: string;
  platform: NodeJS.Platform;
  home: string;
}

/** Looks at the places in order. `runnable` tells whether a path is a program. */
export function findBinary(places: Places, runnable = isRunnable): Binary {
  const name = places.platform === 'win32' ? 'attractor.exe' : 'attractor';
  if (places.setting !== '') {
    const wanted = places.setting.replace(/^~(?=$|[\\/])/, places.home);
    if (runnable(wanted)) return { kind: 'found', path: wanted, from: 'setting' };
    return { kind: 'missing', reason: `The setting attractor.server.path names ${wanted}, which is no program.` };
  }
  const bundled = path.join(places.extension, 'server', name);
  if (runnable(bundled)) return { kind: 'found', path: bundled, from: 'bundle' };
  const folders = places.path.split(places.platform === 'win32' ? ';' : ':');
  for (const folder of folders.filter((it) => path.isAbsolute(it))) {
    const candidate = path.join(folder, name);
    if (runnable(candidate)) return { kind: 'found', path: candidate, from: 'PATH' };
  }
  return {
    kind: 'missing',
    reason: 'The program "attractor" is neither in this extension nor on your PATH.',
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
