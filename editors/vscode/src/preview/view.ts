/** The camera at work: places the picture on the page, moves it by mouse, keeps it in place while it changes. */
import { fit, opening, READABLE, reveal, zoom, type Box, type Camera, type Size } from './camera.ts';
import type { Shows } from './messages.ts';

/** `auto` follows the size of the page; `whole` shows everything, however small. */
type Mode = 'auto' | 'whole' | Camera;

export class View {
  /** Whether the last press of the mouse moved the picture, so that its release is no click. */
  dragged = false;
  readonly #stage: HTMLElement;
  #mode: Mode = 'auto';
  /** Nobody has moved the camera since the picture was opened. */
  #untouched = true;
  #shown = '';
  #focus: () => Element | undefined = () => undefined;

  constructor(stage: HTMLElement) {
    this.#stage = stage;
    window.addEventListener('resize', () => (this.#untouched ? this.#open() : this.#place()));
    this.#wireMouse();
  }

  /** A new picture is on the stage. Of another graph it is looked at afresh, around `focus` if it is large. */
  drawn(shows: Shows, focus: () => Element | undefined): void {
    const now = `${shows.uri} ${shows.graph ?? ''}`;
    const first = now !== this.#shown;
    this.#shown = now;
    this.#focus = focus;
    if (first) this.#open();
    else this.#place();
  }

  /** Everything at once; when that cannot be read, a second time goes back to what can. */
  fit(): void {
    const readable = fit(this.#picture(), this.#page()).scale >= READABLE;
    if (readable || this.#mode === 'whole') return this.#open();
    this.#move('whole');
  }

  zoomBy(factor: number): void {
    const { width, height } = this.#page();
    this.#move(zoom(this.#camera(), factor, { x: width / 2, y: height / 2 }));
  }

  reveal(part: Element): void {
    const camera = this.#camera();
    const moved = reveal(camera, this.#picture(), this.#page(), this.boxOf(part));
    if (moved !== camera) this.#move(moved);
  }

  /** Where a part of the picture is, in the picture's units. */
  boxOf(part: Element): Box {
    const { x, y, scale } = this.#camera();
    const [on, of] = [part.getBoundingClientRect(), this.#stage.getBoundingClientRect()];
    return {
      x: (on.left - of.left - x) / scale,
      y: (on.top - of.top - y) / scale,
      width: on.width / scale,
      height: on.height / scale,
    };
  }

  #open(): void {
    this.#mode = 'auto';
    // Boxes are measured on the page, so the picture has to be placed before.
    this.#place();
    const focus = this.#focus();
    const camera = opening(this.#picture(), this.#page(), focus && this.boxOf(focus));
    if (camera.scale !== this.#camera().scale) this.#mode = camera;
    this.#place();
    this.#untouched = true;
  }

  #move(mode: Mode): void {
    this.#mode = mode;
    this.#untouched = false;
    this.#place();
  }

  #camera(): Camera {
    return typeof this.#mode === 'string' ? fit(this.#picture(), this.#page()) : this.#mode;
  }

  #picture(): Size {
    const box = this.#svg()?.viewBox.baseVal;
    return { width: box?.width ?? 1, height: box?.height ?? 1 };
  }

  #page(): Size {
    return { width: this.#stage.clientWidth, height: this.#stage.clientHeight };
  }

  #svg(): SVGSVGElement | null {
    return this.#stage.querySelector('svg');
  }

  #place(): void {
    const svg = this.#svg();
    if (!svg) return;
    const { width, height } = this.#picture();
    svg.setAttribute('width', String(width));
    svg.setAttribute('height', String(height));
    const { x, y, scale } = this.#camera();
    svg.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  #wireMouse(): void {
    this.#stage.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const camera = this.#camera();
        const of = this.#stage.getBoundingClientRect();
        const pointer = { x: event.clientX - of.left, y: event.clientY - of.top };
        // As in the editor: the wheel scrolls, with Ctrl (or a pinch) it zooms.
        this.#move(
          event.ctrlKey
            ? zoom(camera, Math.exp(-event.deltaY / 200), pointer)
            : { ...camera, x: camera.x - event.deltaX, y: camera.y - event.deltaY },
        );
      },
      { passive: false },
    );
    let from: { x: number; y: number; camera: Camera } | undefined;
    this.#stage.addEventListener('pointerdown', (event) => {
      this.dragged = false;
      from = { x: event.clientX, y: event.clientY, camera: this.#camera() };
    });
    window.addEventListener('pointermove', (event) => {
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.hypot(dx, dy) < 4 && !this.dragged) return;
      this.dragged = true;
      this.#move({ ...from.camera, x: from.camera.x + dx, y: from.camera.y + dy });
    });
    window.addEventListener('pointerup', () => (from = undefined));
  }
}
