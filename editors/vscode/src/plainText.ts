/**
 * Markdown as plain text, for notifications and quick picks, which show it raw. Pure.
 *
 * Links lose their target: a notification would make a text from a pipeline file clickable.
 */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*])([*_])(?=[^\s*_])([^*_\n]+?)(?<=\S)\1(?!\w)/g, '$2')
    .replace(/(`+)(.+?)\1/g, '$2')
    .replace(/^\s{0,3}(?:#{1,6}|>)\s+/gm, '');
}
