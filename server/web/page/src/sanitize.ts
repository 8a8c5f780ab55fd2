/**
 * The part of HTML that documentation needs. The Markdown of a hover quotes the pipeline, which may come from a link of a
 * stranger, so everything else becomes text or is removed.
 */
const ALLOWED = new Set(['A', 'BLOCKQUOTE', 'BR', 'CODE', 'DEL', 'EM', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'HR', 'LI', 'OL', 'P', 'PRE', 'SPAN', 'STRONG', 'TABLE', 'TBODY', 'TD', 'TH', 'THEAD', 'TR', 'UL']);
/** Elements whose text is not for reading. */
const REMOVED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'SVG', 'MATH', 'NOSCRIPT']);

export function sanitized(html: string): string {
  // A document that is parsed this way runs no script and loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const result = document.createElement('div');
  copy(body, result);
  return result.innerHTML;
}

function copy(from: Node, to: Element): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? '');
    if (!(child instanceof Element) || REMOVED.has(child.tagName.toUpperCase())) continue;
    if (ALLOWED.has(child.tagName)) to.append(copied(child));
    else copy(child, to);
  }
}

function copied(element: Element): Element {
  const result = document.createElement(element.tagName);
  const address = element.getAttribute('href');
  if (address !== null && /^https?:\/\//i.test(address)) {
    result.setAttribute('href', address);
    result.setAttribute('target', '_blank');
    result.setAttribute('rel', 'noopener noreferrer');
  }
  copy(element, result);
  return result;
}
