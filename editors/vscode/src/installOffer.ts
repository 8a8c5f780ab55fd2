/**
 * What the extension offers where the server executable is missing: a command for this platform, to copy, and the page
 * with all ways to install it.
 */

export interface InstallOffer {
  /** What to do, as a sentence. */
  advice: string;
  /** The command to run in a terminal, where there is one. */
  command?: string;
  /** The page that describes every way to install. */
  page: string;
}

const PAGE = 'https://github.com/attractor-dot/attractor/blob/main/docs/install.md';
// There is no release yet: it is built from source, on every platform alike.
const FROM_SOURCE = 'cargo install --locked --git https://github.com/attractor-dot/attractor attractor-cli';

/** The offer for a platform, as `process.platform` names it. */
export function installOffer(platform: string): InstallOffer {
  switch (platform) {
    case 'win32':
      return { advice: 'It does not run on Windows itself: open the folder in WSL.', page: `${PAGE}#windows-with-wsl` };
    case 'linux':
      return { advice: `Install it with Rust and a C compiler: ${FROM_SOURCE}`, command: FROM_SOURCE, page: `${PAGE}#from-source` };
    default:
      return { advice: 'See how to install it on this platform.', page: `${PAGE}#platforms` };
  }
}
