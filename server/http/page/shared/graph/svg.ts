/** Converts the SVG of Graphviz to one in the colors of the theme. Pure. */

/**
 * Replaces the default colors of Graphviz by those of the theme, keeps colors set in the file, and removes the white
 * background.
 */
export function themed(svg: string): string {
  return svg
    .replace(/^[\s\S]*?(?=<svg)/, '')
    .replace(/<polygon fill="white" stroke="(?:none|transparent)"[^>]*\/>/, '')
    .replace(/ stroke="black"/g, ' class="line"')
    .replace(/ fill="black"/g, ' class="solid"')
    .replace(/ class="solid" class="line"/g, ' class="solid line"')
    .replace(/(<text\b(?:(?! fill=)[^>])*?)>/g, (_, tag: string) => `${tag} class="label">`)
    .replace(/ font-family="Times,serif"/g, '')
    .replace(/ font-size="14\.00"/g, ' font-size="13"');
}

/** The colors of an exported graph, which is independent of the theme. */
export const EXPORT_STYLE =
  '<style>.line{stroke:#333}.solid{fill:#333}.label{fill:#111;font-family:Helvetica,Arial,sans-serif}</style>';

/** A self-contained SVG, black on white. */
export function standalone(svg: string): string {
  return svg.replace(/(<svg\b[^>]*>)/, `$1${EXPORT_STYLE}`);
}
