/**
 * Converts Markdown to plain text for notifications and quick picks, which do not render it. Pure.
 *
 * Link targets are removed: a notification would make links from a pipeline file clickable.
 */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*])([*_])(?=[^\s*_])([^*_\n]+?)(?<=\S)\1(?!\w)/g, '$2')
    .replace(/(`+)(.+?)\1/g, '$2')
    .replace(/^\s{0,3}(?:#{1,6}|>)\s+/gm, '');
}
