/** The node at a position of its file. Pure. */
import type { GraphNode, Position, Range } from './protocol.ts';

/** The node whose name is at the position, else whose statement is around it, else on whose line it is. */
export function nodeAt(nodes: readonly GraphNode[], position: Position): GraphNode | undefined {
  const named = nodes.find(({ range }) => contains(range, position));
  if (named) return named;
  const around = nodes.filter(({ statement }) => contains(statement, position));
  const [innermost] = around.sort((one, other) => lines(one.statement) - lines(other.statement));
  return innermost ?? nodes.find(({ range }) => range.start.line <= position.line && position.line <= range.end.line);
}

function contains({ start, end }: Range, at: Position): boolean {
  const afterStart = at.line > start.line || (at.line === start.line && at.character >= start.character);
  const beforeEnd = at.line < end.line || (at.line === end.line && at.character <= end.character);
  return afterStart && beforeEnd;
}

function lines({ start, end }: Range): number {
  return end.line - start.line;
}
