// Mouse, pen and fingers on the diagram: drag pans, wheel pans, wheel with ctrl and two fingers zoom,
// a click selects.
import type { DiagramCanvas } from "./canvas";
import type { Hit } from "./hit";

const CLICK = 4; // pixels that a click may move

export interface PointerWishes {
  select: (hit: Hit) => void;
  hover: (hit: Hit, x: number, y: number) => void;
}

export function listenToPointer(diagram: DiagramCanvas, wishes: PointerWishes): () => void {
  const element: HTMLCanvasElement = diagram.element;
  const down = new Map<number, { x: number; y: number }>();
  let moved = 0;
  let spread = 0;

  const place = (event: PointerEvent | WheelEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const fingers = () => {
    const [a, b] = [...down.values()];
    return a && b ? { distance: Math.hypot(a.x - b.x, a.y - b.y), y: (a.y + b.y) / 2 } : null;
  };

  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      const factor = Math.exp(-event.deltaY * lines * 0.0022);
      if (event.shiftKey) diagram.spreadBy(factor);
      else diagram.zoomBy(factor, place(event).y);
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0;
    const [dx, dy] = sideways ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
    diagram.panBy(dx * lines, dy * lines);
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    down.set(event.pointerId, place(event));
    if (down.size === 1) moved = 0;
    spread = fingers()?.distance ?? 0;
  };
  const onMove = (event: PointerEvent) => {
    const now = place(event);
    const before = down.get(event.pointerId);
    if (!before) {
      const hit = diagram.hit(now.x, now.y);
      diagram.point(hit);
      wishes.hover(hit, now.x, now.y);
      return;
    }
    down.set(event.pointerId, now);
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    const pinch = fingers();
    if (pinch && spread > 0) {
      diagram.zoomBy(pinch.distance / spread, pinch.y, false);
      spread = pinch.distance;
    } else if (moved > CLICK) {
      element.classList.add("diagram-dragged");
      diagram.panBy(before.x - now.x, before.y - now.y);
      wishes.hover({ what: "nothing" }, 0, 0);
    }
  };
  const onUp = (event: PointerEvent) => {
    const was = down.delete(event.pointerId);
    element.classList.remove("diagram-dragged");
    spread = 0;
    if (!was || moved > CLICK || event.type === "pointercancel") return;
    const { x, y } = place(event);
    wishes.select(diagram.hit(x, y));
  };
  const onLeave = () => {
    diagram.point({ what: "nothing" });
    wishes.hover({ what: "nothing" }, 0, 0);
  };

  const stop = new AbortController();
  const { signal } = stop;
  element.addEventListener("wheel", onWheel, { passive: false, signal });
  element.addEventListener("pointerdown", onDown, { signal });
  element.addEventListener("pointermove", onMove, { signal });
  element.addEventListener("pointerup", onUp, { signal });
  element.addEventListener("pointercancel", onUp, { signal });
  element.addEventListener("pointerleave", onLeave, { signal });
  return () => stop.abort();
}
