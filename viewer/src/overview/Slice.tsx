import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { changesOf } from "../panel/facts";
import { cut } from "../panel/tree";
import { ChangeLine, Long, StepLink } from "../panel/words";
import * as store from "../store";
import { whySlice } from "../trace/causality";
import type { Run } from "../trace/run";
import { drawSlice, sliceWords, type SliceDrawing } from "./slice";

const MARGIN = 46;
const HEAD = 40;
const AT = 15; // where in its row a step is drawn
const MOST_ROWS = 40;
const MORE_ROWS = 100;
const MOST_CHANGES = 5; // of one step, before the others are asked for

/** The steps that explain the violation: a small space-time diagram beside what each step changed. */
export function Slice({ run }: { run: Run }) {
  const most = useSignal(MOST_ROWS);
  const slice = useMemo(() => whySlice(run), [run, run.length]);
  const cutAt = Math.max(0, slice.length - most.value);
  const steps = slice.slice(cutAt);
  const drawing = drawSlice(run, steps);
  const list = useRef<HTMLOListElement>(null);
  const tops = useSignal<number[]>([]);
  useLayoutEffect(() => {
    const host = list.current;
    if (!host) return;
    const measure = () => {
      const next = [...host.children].map((row) => (row as HTMLElement).offsetTop);
      next.push(host.offsetHeight);
      if (next.join() !== tops.peek().join()) tops.value = next;
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(host);
    return () => watcher.disconnect();
  }, [run, cutAt, slice.length]);
  if (slice.length === 0) return <p class="over-note">It is violated from the start, before any step.</p>;
  return (
    <>
      <p class="over-note">
        {sliceWords(run, slice)} Time goes down{drawing.edges.some((edge) => edge.kind === "message")
          ? "; an arrow is a message, from the step that sent it to the step that took it." : "."}
      </p>
      {cutAt > 0 ? (
        <p class="over-note">
          These are the last {steps.length} of them.{" "}
          <button type="button" onClick={() => { most.value += MORE_ROWS; }}>Show {Math.min(MORE_ROWS, cutAt)} more before</button>
        </p>
      ) : null}
      <div class="why">
        <Drawing drawing={drawing} tops={tops.value} />
        <ol class="why-steps" ref={list} style={{ paddingTop: `${HEAD}px` }}>
          {steps.map((number) => <SliceStep run={run} number={number} key={number} />)}
        </ol>
      </div>
    </>
  );
}

function SliceStep({ run, number }: { run: Run; number: number }) {
  const all = useSignal(false);
  const step = run.step(number);
  const changes = changesOf(run, number);
  const bad = number === run.verdictStep;
  const shown = all.value ? changes : changes.slice(0, changes.length > MOST_CHANGES + 1 ? MOST_CHANGES : MOST_CHANGES + 1);
  return (
    <li class={bad ? "bad" : ""}>
      <div class="why-head">
        <StepLink number={number} to="diagram">{number}<span class="unseen"> in the diagram</span></StepLink>
        <span class="why-label" title={run.label(number)}>{cut(run.label(number), 150)}</span>
        {bad ? <span class="why-bad">{run.isError ? "✗ error" : "✗ violated"}</span> : null}
      </div>
      <ul>
        {shown.map((change, i) => <li key={i}><ChangeLine change={change} most={60} brief /></li>)}
        {changes.length > shown.length || (all.value && changes.length > MOST_CHANGES + 1) ? (
          <li><button type="button" class="link" onClick={() => { all.value = !all.value; }}>
            {all.value ? "show less" : `and ${changes.length - shown.length} more`}
          </button></li>
        ) : null}
        {step.decided?.map((value, i) => <li key={`d${i}`} class="why-said">decides <Long text={value} most={90} /></li>)}
        {step.log?.map((line, i) => <li key={`l${i}`} class="why-said">logs “<Long text={line} most={90} />”</li>)}
        {step.failure ? <li class="why-said">fails: <Long text={step.failure} most={160} /></li> : null}
      </ul>
    </li>
  );
}

function Drawing({ drawing, tops }: { drawing: SliceDrawing; tops: number[] }) {
  const gap = Math.max(40, Math.min(92, 330 / drawing.columns.length));
  const width = MARGIN * 2 + (drawing.columns.length - 1) * gap;
  const height = tops[drawing.rows.length] ?? HEAD + drawing.rows.length * 48;
  const x = (column: number) => MARGIN + column * gap;
  const y = (row: number) => (tops[row] ?? HEAD + row * 48) + AT;
  return (
    <svg class="why-drawing" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img"
      aria-label={`Space-time diagram of ${drawing.rows.length} steps of ${drawing.columns.map((one) => one.name).join(", ")}; the list says the same in words`}>
      <defs>
        <marker id="why-tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
          <path d="M0 0.5 L8 4 L0 7.5 Z" />
        </marker>
      </defs>
      {drawing.columns.map((column, i) => (
        <g key={i}>
          <line class="why-lane" x1={x(i)} x2={x(i)} y1={HEAD - 6} y2={height} />
          <text class={`why-name ${column.involved ? "involved" : ""}`} x={x(i)} y={14}>{cut(column.name, 12)}</text>
          <text class="why-type" x={x(i)} y={28}>{cut(column.type, 14)}</text>
        </g>
      ))}
      {drawing.edges.map((edge, i) => {
        const from = drawing.rows[edge.from]!;
        const to = drawing.rows[edge.to]!;
        const [x1, y1, x2, y2] = [x(from.column), y(edge.from), x(to.column), y(edge.to)];
        if (edge.kind === "order") return <line key={i} class="why-order" x1={x1} x2={x2} y1={y1} y2={y2} />;
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [dx, dy] = [((x2 - x1) / length) * 9, ((y2 - y1) / length) * 9];
        // The label sits near the tip: every step takes one message at most, so no two labels meet.
        const [lx, ly] = x1 === x2 ? [x2 + 8, y2 - 10] : [x2 - Math.sign(x2 - x1) * 14, y2 - 8 - Math.min(10, 300 / length)];
        return (
          <g key={i} class={`why-edge ${edge.kind}`}>
            <line x1={x1 + dx} y1={y1 + dy} x2={x2 - dx} y2={y2 - dy} marker-end="url(#why-tip)" />
            <text x={lx} y={ly} text-anchor={x1 === x2 ? "start" : x2 > x1 ? "end" : "start"}>{cut(edge.label, 18)}</text>
          </g>
        );
      })}
      {drawing.rows.map((row, i) => (
        <g key={row.step} class={`why-step ${row.bad ? "bad" : row.fault ? "fault" : ""}`}>
          {row.outside ? (
            <g class="why-edge message">
              <line x1={x(row.column) - 34} y1={y(i) - 12} x2={x(row.column) - 9} y2={y(i) - 3} marker-end="url(#why-tip)" />
            </g>
          ) : null}
          <Mark x={x(row.column)} y={y(i)} row={row} />
        </g>
      ))}
    </svg>
  );
}

function Mark({ x, y, row }: { x: number; y: number; row: SliceDrawing["rows"][number] }) {
  const go = () => {
    store.selectStep(row.step);
    store.view.value = "diagram";
  };
  if (row.bad) {
    return (
      <g onClick={go}>
        <circle cx={x} cy={y} r={9} />
        <path class="why-cross" d={`M${x - 4} ${y - 4} L${x + 4} ${y + 4} M${x + 4} ${y - 4} L${x - 4} ${y + 4}`} />
      </g>
    );
  }
  if (row.fault) return <path onClick={go} d={`M${x} ${y - 8} L${x + 8} ${y} L${x} ${y + 8} L${x - 8} ${y} Z`} />;
  return <circle onClick={go} cx={x} cy={y} r={6} />;
}
