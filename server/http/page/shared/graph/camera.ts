/** Scale and offset, in pixels, of the graph in its stage. Pure. */

export interface Camera {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A rectangle in the units of the SVG. */
export interface Box extends Size {
  x: number;
  y: number;
}

const [SMALLEST, LARGEST] = [0.02, 8];
/** Minimum scale at which labels of 13 pixels are readable. */
export const READABLE = 0.7;
const MARGIN = 24;

/** Shows the whole graph, centered with a margin, at a scale of at most 1.5. */
export function fit(picture: Size, page: Size, margin = MARGIN): Camera {
  const available = (whole: number) => Math.max(1, whole - 2 * margin);
  const scale = clamp(
    Math.min(available(page.width) / picture.width, available(page.height) / picture.height, 1.5),
  );
  return {
    scale,
    x: (page.width - picture.width * scale) / 2,
    y: (page.height - picture.height * scale) / 2,
  };
}

/**
 * The initial view of a graph: the whole graph if its labels are readable at that scale, else the part around `focus`,
 * by default its top left.
 */
export function initialView(picture: Size, page: Size, focus: Box = { x: 0, y: 0, width: 0, height: 0 }): Camera {
  const whole = fit(picture, page);
  return whole.scale >= READABLE ? whole : centered(READABLE, picture, page, focus);
}

/** Moves the camera to `box` if it is not visible; keeps the scale. */
export function reveal(camera: Camera, picture: Size, page: Size, box: Box): Camera {
  const inside = (offset: number, at: number, size: number, available: number) => {
    const start = offset + at * camera.scale;
    return start >= 0 && start + size * camera.scale <= available;
  };
  const visible =
    inside(camera.x, box.x, box.width, page.width) && inside(camera.y, box.y, box.height, page.height);
  return visible ? camera : centered(camera.scale, picture, page, box);
}

/** Multiplies the scale by `factor`, keeping the point under the pointer in place. */
export function zoom(camera: Camera, factor: number, pointer: { x: number; y: number }): Camera {
  const scale = clamp(camera.scale * factor);
  const by = scale / camera.scale;
  return {
    scale,
    x: pointer.x - (pointer.x - camera.x) * by,
    y: pointer.y - (pointer.y - camera.y) * by,
  };
}

/** Centers `box`, without leaving empty space next to the graph. */
function centered(scale: number, picture: Size, page: Size, box: Box): Camera {
  const offset = (at: number, size: number, whole: number, available: number) => {
    const drawn = whole * scale;
    if (drawn + 2 * MARGIN <= available) return (available - drawn) / 2;
    const wanted = available / 2 - (at + size / 2) * scale;
    return Math.min(MARGIN, Math.max(available - drawn - MARGIN, wanted));
  };
  return {
    scale,
    x: offset(box.x, box.width, picture.width, page.width),
    y: offset(box.y, box.height, picture.height, page.height),
  };
}

function clamp(scale: number): number {
  return Number.isFinite(scale) ? Math.min(LARGEST, Math.max(SMALLEST, scale)) : 1;
}
