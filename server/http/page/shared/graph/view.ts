/** Positions the graph in its stage, handles the mouse, and keeps the position while the graph changes. */
import { fit, initialView, READABLE, reveal, zoom, type Box, type Camera, type Size } from './camera.ts';

/** `auto` adapts to the size of the stage; `whole` shows the whole graph at any scale. */
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
  readonly #resized: ResizeObserver;
  /** Ends the listeners on the window. */
  readonly #end = new AbortController();

  constructor(stage: HTMLElement) {
    this.#stage = stage;
    this.#resized = new ResizeObserver(() => (this.#untouched ? this.#open() : this.#position()));
    this.#resized.observe(stage);
    this.#wireMouse();
  }

  /** Called after drawing. Another graph gets an initial view, around `focus` if it is large. */
  onDrawn(key: string, focus: () => Element | undefined): void {
    const first = key !== this.#shown;
    this.#shown = key;
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

  dispose(): void {
    this.#resized.disconnect();
    this.#end.abort();
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
    this.#wireDragging();
  }

  /** One pointer moves the graph, two zoom it. */
  #wireDragging(): void {
    const stage = this.#stage;
    const { signal } = this.#end;
    const pointers = new Map<number, { x: number; y: number }>();
    let from: { x: number; y: number; spread: number; camera: Camera } | undefined;
    const start = () => {
      const { x, y, spread } = gesture([...pointers.values()]);
      from = pointers.size === 0 ? undefined : { x, y, spread, camera: this.#camera() };
    };
    stage.addEventListener('pointerdown', (event) => {
      if (pointers.size === 0) this.dragged = false;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      start();
    });
    const move = (event: PointerEvent) => {
      if (!from || !pointers.has(event.pointerId)) return;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const now = gesture([...pointers.values()]);
      const [dx, dy] = [now.x - from.x, now.y - from.y];
      if (pointers.size === 1 && Math.hypot(dx, dy) < 4 && !this.dragged) return;
      this.dragged = true;
      const moved = { ...from.camera, x: from.camera.x + dx, y: from.camera.y + dy };
      const of = stage.getBoundingClientRect();
      const factor = from.spread > 0 ? now.spread / from.spread : 1;
      this.#move(zoom(moved, factor, { x: now.x - of.left, y: now.y - of.top }));
    };
    const end = (event: PointerEvent) => {
      if (pointers.delete(event.pointerId)) start();
    };
    window.addEventListener('pointermove', move, { signal });
    window.addEventListener('pointerup', end, { signal });
    window.addEventListener('pointercancel', end, { signal });
  }
}

/** The center of the pointers, and how far apart they are. */
function gesture(pointers: readonly { x: number; y: number }[]): { x: number; y: number; spread: number } {
  const [first, second] = pointers;
  if (!first) return { x: 0, y: 0, spread: 0 };
  if (!second) return { ...first, spread: 0 };
  return {
    x: (first.x + second.x) / 2,
    y: (first.y + second.y) / 2,
    spread: Math.hypot(first.x - second.x, first.y - second.y),
  };
}
