/** The lens `▶ Debug`, next to the one of the server that runs a pipeline. No editor API. */

interface Lens {
  command?: { title: string; command: string; arguments?: unknown[] };
}

/** What the lens of the server that runs a pipeline says. */
const RUN = '▶ Run pipeline';

/** The lenses with one to debug after each that runs a pipeline; `debugLens` makes it for the name of the pipeline. */
export function withDebugLenses<L extends Lens>(lenses: L[], debugLens: (run: L, graph: string | undefined) => L): L[] {
  return lenses.flatMap((lens) => {
    if (lens.command?.title !== RUN) return [lens];
    const [argument] = lens.command.arguments ?? [];
    const graph = (argument as { graph?: string } | undefined)?.graph;
    return [lens, debugLens(lens, graph)];
  });
}
