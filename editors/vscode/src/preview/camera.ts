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

const [SMALLEST, LARGEST] = [0.05, 8];

/** All of the picture, centred with a margin, never larger than life-size times 1.5. */
export function fit(picture: Size, page: Size, margin = 24): Camera {
  const room = (whole: number) => Math.max(1, whole - 2 * margin);
  const scale = clamp(
    Math.min(room(page.width) / picture.width, room(page.height) / picture.height, 1.5),
  );
  return {
    scale,
    x: (page.width - picture.width * scale) / 2,
    y: (page.height - picture.height * scale) / 2,
  };
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

function clamp(scale: number): number {
  return Number.isFinite(scale) ? Math.min(LARGEST, Math.max(SMALLEST, scale)) : 1;
}
