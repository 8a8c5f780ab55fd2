/** Text with the safe part of Markdown, as elements: nothing of it is read as HTML. */
import { blocks, spans, type Block, type Span } from '../markdown.ts';

export function Markdown({ text }: { text: string }) {
  return (
    <div class="markdown">
      {blocks(text).map((block, index) => (
        <BlockOf key={index} block={block} />
      ))}
    </div>
  );
}

/** One line. */
export function InlineMarkdown({ text }: { text: string }) {
  return <Spans of={spans(text)} />;
}

function BlockOf({ block }: { block: Block }) {
  switch (block.kind) {
    case 'code':
      return <pre tabIndex={0}>{block.text}</pre>;
    case 'heading':
      return (
        <h3>
          <Spans of={block.text} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <Spans of={block.text} />
        </p>
      );
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>
              <Spans of={item} />
            </li>
          ))}
        </List>
      );
    }
  }
}

function Spans({ of }: { of: readonly Span[] }) {
  return (
    <>
      {of.map((span, index) => {
        const { kind, text } = span;
        if (kind === 'code') return <code key={index}>{text}</code>;
        if (kind === 'strong') return <strong key={index}>{text}</strong>;
        if (kind === 'emphasis') return <em key={index}>{text}</em>;
        if (kind === 'link') {
          return (
            <a key={index} href={span.address} target="_blank" rel="noreferrer noopener">
              {text}
            </a>
          );
        }
        return text;
      })}
    </>
  );
}
