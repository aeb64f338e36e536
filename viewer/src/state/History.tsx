import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { VirtualList } from "../panel/VirtualList";
import * as store from "../store";
import type { Run } from "../trace/run";
import { picked as pickedPath, type Picked } from "./choice";
import { changeLogOf, historyOf, momentAt, pointsOf, scaleOf, type Moment, type Scale } from "./history";

/** How one variable went over time: a chart where there is one to draw, and every value as a link. */
export function History({ run, picked }: { run: Run; picked: Picked }) {
  const revision = store.revision.value;
  const moments = useMemo(() => {
    const part = run.states.part(picked.part);
    return part ? historyOf(part, picked.path) : changeLogOf(run).history(picked.node, picked.path);
  }, [run, picked, revision]);
  const scale = useMemo(() => scaleOf(moments), [moments]);
  const at = momentAt(moments, store.step.value);
  const name = `${picked.part || `node ${picked.node}`}: ${picked.path}`;
  return (
    <section class="past" aria-label={`History of ${name}`}>
      <div class="past-head">
        <h2>History of <span class="mono">{name}</span></h2>
        <span class="state-none">{moments.length === 1 ? "one value, all the time" : `${moments.length.toLocaleString("en")} values`}</span>
        <button type="button" onClick={() => { pickedPath.value = null; }} aria-label="Close the history">✕</button>
      </div>
      <div class="past-body">
        {scale ? <Chart run={run} moments={moments} scale={scale} name={name} /> : null}
        <div class="past-list">
          <VirtualList id="past" label={`Values of ${name}`} count={moments.length} rowHeight={24} at={at}
            onSelect={(index) => store.selectStep(moments[index]!.step)}
            row={(index) => (
              <span class="past-row">
                <span class="past-step">{moments[index]!.step === 0 ? "start" : `step ${moments[index]!.step}`}</span>
                <span class="mono" title={moments[index]!.text ?? ""}>{moments[index]!.text?.slice(0, 300) ?? "(none)"}</span>
              </span>
            )} />
        </div>
      </div>
    </section>
  );
}

const HEIGHT = 128;
const SIDE = 70;
const PAD = 12;

function Chart({ run, moments, scale, name }: { run: Run; moments: Moment[]; scale: Scale; name: string }) {
  const length = Math.max(1, run.length);
  const host = useRef<SVGSVGElement>(null);
  const width = useSignal(600);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(() => { width.value = Math.max(200, host.current?.clientWidth ?? 0); });
    if (host.current) watcher.observe(host.current);
    return () => watcher.disconnect();
  }, []);
  const points = useMemo(() => pointsOf(moments, scale, length, width.value), [moments, scale, length, width.value]);
  const x = (step: number) => SIDE + (step / length) * (width.value - SIDE - PAD);
  const span = scale.high - scale.low || 1;
  const y = (value: number) => HEIGHT - PAD - 4 - ((value - scale.low) / span) * (HEIGHT - 2 * PAD - 4);
  let path = "";
  points.forEach((point, i) => {
    if (!point) return;
    const before = points[i - 1];
    path += before ? `H${x(point.step).toFixed(1)}` : `M${x(point.step).toFixed(1)} ${y(point.low).toFixed(1)}`;
    if (point.low !== point.high) path += `V${y(point.low).toFixed(1)}V${y(point.high).toFixed(1)}`;
    path += `V${y(point.last).toFixed(1)}`;
    if (points[i + 1] === null) path += `H${x(moments.find((one) => one.text === null && one.step > point.step)?.step ?? length).toFixed(1)}`;
  });
  if (points[points.length - 1]) path += `H${x(length).toFixed(1)}`;
  const labels: [number, string][] = scale.kind === "words"
    ? scale.words.map((word, i) => [i, word])
    : scale.low === scale.high ? [[scale.low, String(scale.low)]] : [[scale.low, String(scale.low)], [scale.high, String(scale.high)]];
  const choose = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width.value;
    store.selectStep(((at - SIDE) / (width.value - SIDE - PAD)) * length);
  };
  return (
    <svg class="past-chart" ref={host} viewBox={`0 0 ${width.value} ${HEIGHT}`} role="img" onClick={choose}
      aria-label={`Chart of ${name} over ${run.length} steps; the list says the same in words`}>
      {labels.map(([value, text]) => (
        <g key={text}>
          <line class="past-grid" x1={SIDE} x2={width.value - PAD} y1={y(value)} y2={y(value)} />
          <text class="past-label" x={SIDE - 6} y={y(value) + 4}>{text.length > 10 ? `${text.slice(0, 9)}…` : text}</text>
        </g>
      ))}
      <path class="past-line" d={path} />
      <line class="past-now" x1={x(store.step.value)} x2={x(store.step.value)} y1={4} y2={HEIGHT - 4} />
    </svg>
  );
}
