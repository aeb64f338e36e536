import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isUp } from "../panel/facts";
import { modelOf, type DiagramModel } from "../diagram/model";
import { blockName } from "../diagram/partition";
import { useKeys } from "../keys";
import * as store from "../store";
import type { Run } from "../trace/run";
import { playing, position } from "../ui/playback";
import { Card } from "./Card";
import { skyAt } from "./flights";
import { Messages } from "./Messages";
import { circleOf } from "./place";
import "./ring.css";
import { RingNode, type NodeLook } from "./RingNode";
import { firstVariable, variableAt, variablesOf } from "./variables";

const CARD = 350; // the width of the card with its margin
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The nodes in a circle, and the messages on their way between them. */
export function Ring() {
  const run = store.run.value;
  return run ? <Shown key={store.runIndex.value} run={run} /> : null;
}

function Shown({ run }: { run: Run }) {
  const revision = store.revision.value;
  const model = useMemo(() => modelOf(run), [run, revision]);
  const variables = useMemo(() => variablesOf(run.states), [run]);
  const [variable, setVariable] = useState(() => firstVariable(run.states));
  const [opened, setOpened] = useState<number | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      setSize({ width: stage.current!.clientWidth, height: stage.current!.clientHeight });
    });
    observer.observe(stage.current!);
    return () => observer.disconnect();
  }, []);
  const close = () => {
    document.getElementById(`ring-node-${opened}`)?.focus();
    setOpened(null);
  };
  useKeys(opened === null ? [] : [{ keys: ["Escape"], what: "close the card", run: close }], [opened]);

  // What is shown is what has happened at the moment; a step by hand arrives a little later.
  const whole = Math.floor(Math.min(position.value, run.length) + 1e-6);
  const moment = calm.matches ? whole : Math.min(position.value, run.length);
  const step = whole;
  const words = step === 0 ? "The start" : `${step}: ${run.label(step)}`;
  useEffect(() => { if (!playing.peek()) store.notice.value = words; }, [words]);

  const bad = run.violated && step === run.verdictStep;
  const lanes = model.lanes;
  const room = size.width - (opened === null || size.width < 700 ? 0 : CARD);
  const circle = circleOf(lanes.length, room, size.height);
  const sky = skyAt(model, moment, store.hiddenTypes.value);
  const acting = step === 0 ? -1 : model.laneOfStep(run.step(step));
  const partition = model.partitionAt(step);
  const looks = lanes.map((lane, i): NodeLook => {
    const block = partition?.blocks.get(lane.node);
    return {
      lane, index: i, acting: i === acting,
      up: lane.client || isUp(run, lane.node, step),
      involved: bad && (run.trace.verdict?.nodes ?? []).includes(lane.node),
      value: variableAt(run, lane.node, variable, step),
      operation: operationAt(model, i, step),
      waiting: sky.waitingAt.get(lane.node) ?? 0,
      block: block === undefined ? "" : blockName(block),
    };
  });
  return (
    <section class="ring" aria-label="Ring">
      <div class="ring-tools">
        <label class="ring-pick">
          Variable
          <select value={variable} disabled={variables.length === 0}
            onChange={(event) => setVariable(event.currentTarget.value)}>
            {variables.length === 0 ? <option value="">this run has no states</option> : null}
            {variables.length > 0 ? <option value="">none</option> : null}
            {variables.map((path) => <option key={path} value={path}>{path}</option>)}
          </select>
        </label>
        <p class={`ring-event mono ${bad ? "bad" : ""}`} title={words}>
          {words}{bad ? "  ✗ violation" : ""}
        </p>
      </div>
      <div class="ring-stage" ref={stage} data-flights={sky.flights.length} data-waiting={sky.waiting.length}>
        {size.width > 0 ? (
          <svg width={size.width} height={size.height} role="group"
            aria-label={`${lanes.length} nodes in a circle, ${describe(sky)}`}>
            <circle class="ring-line" cx={circle.centre.x} cy={circle.centre.y} r={circle.radius} />
            <Messages sky={sky} model={model} circle={circle} moment={moment} step={step} />
            {looks.map((look) => (
              <RingNode key={look.lane.node} look={look} count={lanes.length} circle={circle}
                variable={variable} opened={opened === look.lane.node}
                onOpen={() => setOpened(opened === look.lane.node ? null : look.lane.node)} />
            ))}
          </svg>
        ) : null}
        {partition ? <p class="ring-partition">partition {partition.text}</p> : null}
        {opened !== null ? <Card run={run} node={opened} step={step} onClose={close} /> : null}
      </div>
    </section>
  );
}

function describe(sky: { flights: unknown[]; waitingAt: ReadonlyMap<number, number> }): string {
  let waiting = 0;
  for (const count of sky.waitingAt.values()) waiting += count;
  return `${sky.flights.length} messages moving, ${waiting} waiting`;
}

/** What a client is doing, or has just done. */
function operationAt(model: DiagramModel, lane: number, step: number): string {
  let text = "";
  model.operations.visit(step, step, (placed) => {
    if (placed.lane !== lane || placed.from > step) return;
    const { call, result } = placed.operation;
    const over = placed.to >= 0 && placed.to <= step;
    if (over && text !== "") return;
    text = over ? `${call} = ${result ?? ""}` : `${call} …`;
  });
  return text;
}
