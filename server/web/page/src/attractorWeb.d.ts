/** The module that `ci/web/build.sh` builds, as far as the page uses it. */
declare module 'attractor-web' {
  export default function init(options: { module_or_path: URL }): Promise<unknown>;
  /** Takes a message of the language server protocol and returns those that the server sends then. */
  export function handle(message: string): string[];
}

/** The pipelines that `scripts/build.mjs` includes in the page. */
declare module 'pipelines' {
  export const pipelines: readonly { group: string; name: string; text: string }[];
}
