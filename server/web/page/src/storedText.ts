/** The text between visits. Browsers may refuse storage, or have no place for a large text: the page works without it. */

const KEY = 'attractor.playground.text';

export function storedText(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether the text is stored now. */
export function storeText(text: string): boolean {
  try {
    localStorage.setItem(KEY, text);
    return true;
  } catch {
    return false;
  }
}
