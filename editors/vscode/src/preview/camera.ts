/** Where the picture is on the page: scale and offset in pixels. Pure. */

export interface Camera {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A part of the picture, in the picture's own units. */
export interface Box extends Size {
  x: number;
  y: number;
}

const [SMALLEST, LARGEST] = [0.02, 8];
/** Labels are 13 pixels high; below this scale nobody reads them. */
export const READABLE = 0.7;
const MARGIN = 24;

/** All of the picture, centred with a margin, never larger than life-size times 1.5. */
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
 * The first view of a picture: all of it when its labels can be read at that scale, else as much as can be
 * read around `focus`, by default its top left.
 */
export function opening(picture: Size, page: Size, focus: Box = { x: 0, y: 0, width: 0, height: 0 }): Camera {
  const whole = fit(picture, page);
  return whole.scale >= READABLE ? whole : centred(READABLE, picture, page, focus);
}

/** Moves the camera to `box` when that is not in view; never changes the scale. */
export function reveal(camera: Camera, picture: Size, page: Size, box: Box): Camera {
  const inside = (offset: number, at: number, size: number, available: number) => {
    const start = offset + at * camera.scale;
    return start >= 0 && start + size * camera.scale <= available;
  };
  const visible =
    inside(camera.x, box.x, box.width, page.width) && inside(camera.y, box.y, box.height, page.height);
  return visible ? camera : centred(camera.scale, picture, page, box);
}

/** `factor` times as large, with the point under the pointer staying where it is. */
export function zoom(camera: Camera, factor: number, pointer: { x: number; y: number }): Camera {
  const scale = clamp(camera.scale * factor);
  const by = scale / camera.scale;
  return {
    scale,
    x: pointer.x - (pointer.x - camera.x) * by,
    y: pointer.y - (pointer.y - camera.y) * by,
  };
}

/** `box` in the middle of the page, as far as that leaves no blank beside the picture. */
function centred(scale: number, picture: Size, page: Size, box: Box): Camera {
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
