/** Arrow key navigation: the nearest node in the direction of the key. Pure. */
import type { Box } from './camera.ts';

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

const DIRECTIONS: Record<Arrow, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export function isArrow(key: string): key is Arrow {
  return key in DIRECTIONS;
}

/**
 * The index of the next box from `boxes[from]`; `undefined` if there is none in that direction. The distance to the side
 * counts twice, so that keys follow rows and columns.
 */
export function nextBox(boxes: readonly Box[], from: number, arrow: Arrow): number | undefined {
  const start = boxes[from];
  if (!start) return undefined;
  const [dx, dy] = DIRECTIONS[arrow];
  const [x, y] = centerOf(start);
  let best: { index: number; distance: number } | undefined;
  for (const [index, box] of boxes.entries()) {
    const [bx, by] = centerOf(box);
    const ahead = (bx - x) * dx + (by - y) * dy;
    const aside = Math.abs((bx - x) * dy) + Math.abs((by - y) * dx);
    if (index === from || ahead < 1 || aside > 4 * ahead) continue;
    const distance = ahead + 2 * aside;
    if (!best || distance < best.distance) best = { index, distance };
  }
  return best?.index;
}

function centerOf({ x, y, width, height }: Box): [number, number] {
  return [x + width / 2, y + height / 2];
}
