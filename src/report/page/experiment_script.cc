// What makes the plots of an experiment's page move. No text of the page becomes markup here.
#include "report/page/experiment_script.h"

namespace ordeal::report {

const char* const kExperimentStyle = R"css(
:root { color-scheme: light dark; --ink: #1d232b; --paper: #fff; --line: #cfd6de; --soft: #5b6673; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --paper: #14181d; --line: #39424d; --soft: #98a4b2; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .7rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
code, pre { font: 13px ui-monospace, monospace; }
.note { color: var(--soft); }
.plot { margin: 1rem 0 2rem; }
.plot svg { max-width: 100%; height: auto; touch-action: none; }
.map svg { max-width: 100%; height: auto; }
.legend button { font: inherit; color: inherit; background: none; border: 1px solid var(--line);
  border-radius: 1rem; padding: .05rem .7rem; margin: 0 .4rem .4rem 0; cursor: pointer; }
.legend button[aria-pressed="false"] { opacity: .45; text-decoration: line-through; }
.read { min-height: 1.5em; color: var(--soft); font-variant-numeric: tabular-nums; }
)css";

const char* const kExperimentScript = R"js(
"use strict";
(() => {
  const NS = "http://www.w3.org/2000/svg";
  const COLOURS = ["#0b6bcb", "#c2410c", "#15803d", "#9333ea", "#b91c1c", "#0e7490", "#a16207",
    "#be185d", "#4d7c0f", "#475569"];
  const W = 760, H = 400, L = 70, R = 40, T = 10, B = 46;
  const shown = (x) => Math.abs(x) >= 100 ? Math.round(x).toLocaleString("en") :
    String(Math.round(x * 100) / 100);
  const make = (name, attributes, parent) => {
    const node = document.createElementNS(NS, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (parent) parent.append(node);
    return node;
  };
  const ticks = (low, high) => {
    const raw = (high - low) / 6, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw);
    const out = [];
    for (let x = Math.ceil(low / step) * step; x <= high + step / 1e6; x += step) out.push(x);
    return out;
  };
  const data = JSON.parse(document.getElementById("plots").textContent);
  document.querySelectorAll(".plot").forEach((box, number) => {
    const plot = data[number];
    const all = plot.series.flatMap((s) => s.points);
    if (all.length === 0) return;
    const whole = { x0: 0, x1: Math.max(...all.map((p) => p[0])) || 1,
      y0: 0, y1: (Math.max(...all.map((p) => p[3])) || 1) * 1.05 };
    let view = { ...whole };
    const hidden = new Set();
    const svg = make("svg", { viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: "img",
      tabindex: 0, "aria-label": plot.title });
    const legend = document.createElement("div");
    legend.className = "legend";
    const read = document.createElement("div");
    read.className = "read";
    read.setAttribute("aria-live", "polite");
    const hint = "drag to move, wheel or + and − to zoom, double click or 0 for all of it";
    read.textContent = hint;
    const px = (x) => L + (x - view.x0) / (view.x1 - view.x0) * (W - L - R);
    const py = (y) => H - B - (y - view.y0) / (view.y1 - view.y0) * (H - T - B);
    const colour = (i) => COLOURS[i % COLOURS.length];
    const draw = () => {
      svg.replaceChildren();
      const clip = make("clipPath", { id: `clip${number}` }, make("defs", {}, svg));
      make("rect", { x: L, y: T, width: W - L - R, height: H - T - B }, clip);
      const text = (x, y, words, anchor) => {
        make("text", { x, y, "text-anchor": anchor, fill: "currentColor", "font-size": 12 },
          svg).textContent = words;
      };
      for (const x of ticks(view.x0, view.x1)) {
        make("line", { x1: px(x), x2: px(x), y1: T, y2: H - B, stroke: "currentColor",
          opacity: .12 }, svg);
        text(px(x), H - B + 16, shown(x), "middle");
      }
      for (const y of ticks(view.y0, view.y1)) {
        make("line", { x1: L, x2: W - R, y1: py(y), y2: py(y), stroke: "currentColor",
          opacity: .12 }, svg);
        text(L - 6, py(y) + 4, shown(y), "end");
      }
      text((L + W - R) / 2, H - 8, plot.x, "middle");
      const inside = make("g", { "clip-path": `url(#clip${number})` }, svg);
      plot.series.forEach((series, i) => {
        if (hidden.has(i) || series.points.length === 0) return;
        const up = series.points.map((p) => `${px(p[0]).toFixed(1)},${py(p[3]).toFixed(1)}`);
        const down = series.points.map((p) => `${px(p[0]).toFixed(1)},${py(p[2]).toFixed(1)}`);
        if (series.band) {
          make("polygon", { points: up.concat(down.reverse()).join(" "), fill: colour(i),
            opacity: .15 }, inside);
        }
        make("polyline", { points: series.points.map((p) =>
          `${px(p[0]).toFixed(1)},${py(p[1]).toFixed(1)}`).join(" "), fill: "none",
          stroke: colour(i), "stroke-width": 1.8 }, inside);
      });
    };
    const zoom = (factor, cx, cy) => {
      const width = (view.x1 - view.x0) * factor, height = (view.y1 - view.y0) * factor;
      if (!(width > whole.x1 / 1e6) || width > whole.x1 * 100) return;
      view = { x0: cx - (cx - view.x0) * factor, y0: cy - (cy - view.y0) * factor };
      view.x1 = view.x0 + width;
      view.y1 = view.y0 + height;
      draw();
    };
    const move = (dx, dy) => {
      view = { x0: view.x0 + dx, x1: view.x1 + dx, y0: view.y0 + dy, y1: view.y1 + dy };
      draw();
    };
    const place = (event) => {
      const area = svg.getBoundingClientRect();
      const x = (event.clientX - area.left) / area.width * W;
      const y = (event.clientY - area.top) / area.height * H;
      return [view.x0 + (x - L) / (W - L - R) * (view.x1 - view.x0),
        view.y0 + (H - B - y) / (H - T - B) * (view.y1 - view.y0)];
    };
    const tell = (x) => {
      const parts = [];
      plot.series.forEach((series, i) => {
        if (hidden.has(i)) return;
        const at = series.points.filter((p) => p[0] <= x).pop();
        if (!at) return;
        parts.push(`${series.name}: ${shown(at[1])}` +
          (series.band ? ` (${shown(at[2])} to ${shown(at[3])})` : ""));
      });
      read.textContent = parts.length ? `${plot.x} ${shown(x)} — ${parts.join("; ")}` : hint;
    };
    let from = null;
    svg.addEventListener("pointerdown", (event) => {
      from = place(event);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointerup", () => { from = null; });
    svg.addEventListener("pointermove", (event) => {
      const at = place(event);
      if (from) move(from[0] - at[0], from[1] - at[1]);
      else tell(at[0]);
    });
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, ...place(event));
    }, { passive: false });
    svg.addEventListener("dblclick", () => { view = { ...whole }; draw(); });
    svg.addEventListener("keydown", (event) => {
      const middle = [(view.x0 + view.x1) / 2, (view.y0 + view.y1) / 2];
      const dx = (view.x1 - view.x0) / 10, dy = (view.y1 - view.y0) / 10;
      const keys = { "+": () => zoom(1 / 1.2, ...middle), "-": () => zoom(1.2, ...middle),
        "0": () => { view = { ...whole }; draw(); }, ArrowLeft: () => move(-dx, 0),
        ArrowRight: () => move(dx, 0), ArrowUp: () => move(0, dy), ArrowDown: () => move(0, -dy) };
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    plot.series.forEach((series, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = series.name;
      button.style.borderColor = colour(i);
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", () => {
        if (!hidden.delete(i)) hidden.add(i);
        button.setAttribute("aria-pressed", String(!hidden.has(i)));
        draw();
      });
      legend.append(button);
    });
    draw();
    box.replaceChildren(legend, svg, read);
  });
})();
)js";

}  // namespace ordeal::report
