/** Semantic tokens as the protocol encodes them. Pure. */

export interface Token {
  line: number;
  start: number;
  length: number;
  type: string;
  modifiers: readonly string[];
}

export interface Legend {
  tokenTypes: readonly string[];
  tokenModifiers: readonly string[];
}

/** Five numbers per token: lines and characters since the one before, length, type, bits of modifiers. */
export function decoded(data: readonly number[], { tokenTypes, tokenModifiers }: Legend): Token[] {
  const tokens: Token[] = [];
  let [line, start] = [0, 0];
  for (let at = 0; at + 5 <= data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + 5);
    start = lines === 0 ? start + characters : characters;
    line += lines;
    const modifiers = tokenModifiers.filter((_, bit) => (bits >> bit) & 1);
    tokens.push({ line, start, length, type: tokenTypes[type] ?? 'unknown', modifiers });
  }
  return tokens;
}
