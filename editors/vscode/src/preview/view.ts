/** Positions the graph in the webview, handles the mouse, and keeps the position while the graph changes. */
import { fit, initialView, READABLE, reveal, zoom, type Box, type Camera, type Size } from './camera.ts';
import type { GraphRef } from './messages.ts';

/** `auto` adapts to the size of the webview; `whole` shows the whole graph at any scale. */
type Mode = 'auto' | 'whole' | Camera;

export class View {
  /** Whether the mouse was dragged since it was pressed, so that its release is not a click. */
  dragged = false;
  readonly #stage: HTMLElement;
  #mode: Mode = 'auto';
  /** Whether the camera was not moved since the graph was opened. */
  #untouched = true;
  #shown = '';
  #focus: () => Element | undefined = () => undefined;

  constructor(stage: HTMLElement) {
    this.#stage = stage;
    window.addEventListener('resize', () => (this.#untouched ? this.#open() : this.#position()));
    this.#wireMouse();
  }

  /** Called after drawing. Another graph gets an initial view, around `focus` if it is large. */
  onDrawn(graph: GraphRef, focus: () => Element | undefined): void {
    const now = `${graph.uri} ${graph.graph ?? ''}`;
    const first = now !== this.#shown;
    this.#shown = now;
    this.#focus = focus;
    if (first) this.#open();
    else this.#position();
  }

  /** Shows the whole graph; if that is not readable, a second call restores the readable view. */
  fit(): void {
    const readable = fit(this.#graphSize(), this.#pageSize()).scale >= READABLE;
    if (readable || this.#mode === 'whole') return this.#open();
    this.#move('whole');
  }

  zoomBy(factor: number): void {
    const { width, height } = this.#pageSize();
    this.#move(zoom(this.#camera(), factor, { x: width / 2, y: height / 2 }));
  }

  reveal(part: Element): void {
    const camera = this.#camera();
    const moved = reveal(camera, this.#graphSize(), this.#pageSize(), this.boxOf(part));
    if (moved !== camera) this.#move(moved);
  }

  /** The box of an SVG element in the units of the SVG. */
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
    // Boxes are measured in the page, so the graph has to be positioned first.
    this.#position();
    const focus = this.#focus();
    const camera = initialView(this.#graphSize(), this.#pageSize(), focus && this.boxOf(focus));
    if (camera.scale !== this.#camera().scale) this.#mode = camera;
    this.#position();
    this.#untouched = true;
  }

  #move(mode: Mode): void {
    this.#mode = mode;
    this.#untouched = false;
    this.#position();
  }

  #camera(): Camera {
    return typeof this.#mode === 'string' ? fit(this.#graphSize(), this.#pageSize()) : this.#mode;
  }

  #graphSize(): Size {
    const box = this.#svg()?.viewBox.baseVal;
    return { width: box?.width ?? 1, height: box?.height ?? 1 };
  }

  #pageSize(): Size {
    return { width: this.#stage.clientWidth, height: this.#stage.clientHeight };
  }

  #svg(): SVGSVGElement | null {
    return this.#stage.querySelector('svg');
  }

  #position(): void {
    const svg = this.#svg();
    if (!svg) return;
    const { width, height } = this.#graphSize();
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
        // As in the editor: the wheel scrolls; with Ctrl, or a pinch gesture, it zooms.
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
