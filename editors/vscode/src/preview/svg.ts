/** From Graphviz's SVG to one that follows the editor's theme. Pure: text in, text out. */

/**
 * Colours that Graphviz writes when the author chose none become the theme's; the author's stay.
 * The white page behind the graph goes.
 */
export function themed(svg: string): string {
  return svg
    .replace(/^[\s\S]*?(?=<svg)/, '')
    .replace(/<polygon fill="white" stroke="(?:none|transparent)"[^>]*\/>/, '')
    .replace(/ stroke="black"/g, ' class="line"')
    .replace(/ fill="black"/g, ' class="solid"')
    .replace(/ class="solid" class="line"/g, ' class="solid line"')
    .replace(/(<text\b(?:(?! fill=)[^>])*?)>/g, (_, tag: string) => `${tag} class="words">`)
    .replace(/ font-family="Times,serif"/g, '')
    .replace(/ font-size="14\.00"/g, ' font-size="13"');
}

/** The colours an exported picture has, since no theme goes with it. */
export const EXPORT_STYLE =
  '<style>.line{stroke:#333}.solid{fill:#333}.words{fill:#111;font-family:Helvetica,Arial,sans-serif}</style>';

/** The same picture for a file: self-contained, black on white. */
export function standalone(svg: string): string {
  return svg.replace(/(<svg\b[^>]*>)/, `$1${EXPORT_STYLE}`);
}
