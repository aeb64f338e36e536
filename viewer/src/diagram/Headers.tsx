import * as store from "../store";
import type { DiagramCanvas } from "./canvas";
import { xOf } from "./layout";

/**
 * The names of the lanes; a click folds a lane. They stay where they are when time is panned.
 * `arranged` is another text whenever lanes have moved: what else is read here is not watched.
 */
export function Headers({ diagram }: { diagram: DiagramCanvas; arranged: string }) {
  const { columns, view, model } = diagram;
  const step = Math.min(store.step.value, model.rows);
  const places = model.lanes.map((_, i) => xOf(columns, view, i));
  const before = places.filter((x) => x < columns.lanesLeft - 4).length;
  const behind = places.filter((x) => x > columns.lanesRight + 4).length;
  const page = (columns.lanesRight - columns.lanesLeft) * 0.8;
  return (
    <div class="diagram-heads" role="group" aria-label="Lanes">
      {model.lanes.map((lane, i) => {
        const box = columns.lanes[i];
        const x = places[i]!;
        if (!box || x < columns.lanesLeft - 4 || x > columns.lanesRight + 4) return null;
        const up = model.isUp(i, step);
        const kind = lane.client ? "" : lane.component ? "component" : lane.type;
        const state = lane.client ? "" : up ? "up" : "down";
        const label = [lane.client ? lane.name : `node ${lane.name}`, lane.type, state].filter(Boolean);
        return (
          <button type="button" key={lane.node} class={`diagram-head ${box.folded ? "folded" : ""}`}
            style={{ left: `${x - box.width / 2 + 2}px`, width: `${box.width - 4}px` }}
            aria-pressed={box.folded} aria-label={`${label.join(", ")}: fold the lane`}
            title={`${label.join(", ")}. Click to ${box.folded ? "unfold" : "fold"} the lane`}
            onClick={() => { store.foldedNodes.value = store.toggled(store.foldedNodes.value, lane.node); }}>
            <span class="diagram-name">{lane.name}</span>
            {state && !up ? <span class="diagram-down">{box.folded ? "✗" : "✗ down"}</span>
              : box.folded ? null : <span class="diagram-type">{lane.type || kind}</span>}
          </button>
        );
      })}
      {before > 0 ? (
        <button type="button" class="diagram-more" style={{ left: "2px" }}
          aria-label={`${before} more lanes to the left`} onClick={() => diagram.panBy(-page, 0, true)}>
          ◂ {before}
        </button>
      ) : null}
      {behind > 0 ? (
        <button type="button" class="diagram-more" style={{ left: `${columns.lanesRight + 6}px` }}
          aria-label={`${behind} more lanes to the right`} onClick={() => diagram.panBy(page, 0, true)}>
          {behind} more ▸
        </button>
      ) : null}
    </div>
  );
}
