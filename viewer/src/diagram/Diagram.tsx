import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../keys";
import * as store from "../store";
import type { Run } from "../trace/run";
import { playing } from "../ui/playback";
import { DiagramCanvas, type DiagramElement } from "./canvas";
import "./diagram.css";
import { Headers } from "./Headers";
import type { Hit } from "./hit";
import type { View } from "./layout";
import { modelOf, type DiagramModel } from "./model";
import { Overview } from "./Overview";
import { listenToPointer } from "./pointer";
import { Toolbar } from "./Toolbar";
import { wordsFor } from "./tooltip";
import { alongLane, followBack, followForward, type Followed } from "./walk";

/** The space-time diagram of the run. */
export function Diagram() {
  const run = store.run.value;
  return run ? <Shown key={store.runIndex.value} run={run} /> : null;
}

// What was seen of a run, kept while another view is shown.
const seen = new WeakMap<Run, { view: View; past: boolean; future: boolean }>();

interface Tip {
  words: string[];
  x: number;
  y: number;
}

function describe(model: DiagramModel): string {
  const { run } = model;
  const nodes = model.lanes.length === 1 ? "1 lane" : `${model.lanes.length} lanes`;
  const verdict = run.violated
    ? ` ${run.trace.verdict?.property ?? "A property"} is violated after step ${run.verdictStep}.` : "";
  return `Space-time diagram of ${run.trace.system}: ${nodes}, ${run.length} steps, time flows ` +
    `downwards.${verdict} Left and right go from step to step, up and down along a lane, Enter ` +
    "follows a message.";
}

function Shown({ run }: { run: Run }) {
  const model = useMemo(() => modelOf(run), [run]);
  const kept = seen.get(run);
  const [diagram, setDiagram] = useState<DiagramCanvas | null>(null);
  const [tip, setTip] = useState<Tip | null>(null);
  const [past, setPast] = useState(kept?.past ?? false);
  const [future, setFuture] = useState(kept?.future ?? false);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [arranged, setArranged] = useState("");
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const revision = store.revision.value;

  useEffect(() => {
    const element = canvas.current as DiagramElement;
    const made = new DiagramCanvas(element, model);
    made.show({
      selected: store.step.peek(), past, future,
      hidden: store.hiddenTypes.peek(), folded: store.foldedNodes.peek(), matches: store.matches.peek(),
    });
    if (kept) made.restore(kept.view);
    const select = (hit: Hit) => {
      element.focus({ preventScroll: true });
      if (hit.what !== "nothing") store.selectStep(hit.row);
    };
    const hover = (hit: Hit, x: number, y: number) => {
      const words = wordsFor(made.model, hit);
      setTip(words.length > 0 ? { words, x, y } : null);
    };
    const deaf = listenToPointer(made, { select, hover });
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = stage.current!;
      made.resize(clientWidth, clientHeight);
      setSize({ width: clientWidth, height: clientHeight });
    });
    observer.observe(stage.current!);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const recolour = () => made.recolour();
    dark.addEventListener("change", recolour);
    setDiagram(made);
    return () => {
      deaf();
      observer.disconnect();
      dark.removeEventListener("change", recolour);
      const { past: before, future: after } = made.highlights;
      seen.set(run, { view: made.view, past: before, future: after });
      made.dispose();
    };
  }, [model]);

  const selected = store.step.value;
  const hidden = store.hiddenTypes.value;
  const folded = store.foldedNodes.value;
  const matches = store.matches.value;
  useEffect(() => { diagram?.show({ selected, past, future, hidden, folded, matches }); },
    [diagram, selected, past, future, hidden, folded, matches]);
  useEffect(() => { diagram?.grown(); }, [diagram, revision]);
  // Headers are drawn anew where lanes have moved, not at every picture.
  useEffect(() => {
    if (!diagram) return;
    const key = () => `${diagram.view.left.toFixed(0)} ${diagram.columns.gap.toFixed(1)} ` +
      `${diagram.model.lanes.length} ${size.width} ${[...folded].join()}`;
    diagram.onArrange = () => setArranged(key());
    diagram.onArrange();
  }, [diagram, size, folded]);
  const before = useRef(""); // said before the step that is announced next
  useEffect(() => {
    if (playing.peek()) return;
    store.notice.value = before.current + (selected === 0 ? "start" : `${selected}: ${run.label(selected)}`);
    before.current = "";
  }, [selected]);

  const follow = (to: Followed) => {
    if (to.step === selected) {
      store.notice.value = to.words;
      return;
    }
    before.current = `${to.words}. `;
    store.selectStep(to.step);
  };
  const pan = (dx: number, dy: number) => () => diagram?.panBy(dx, dy, true);
  useKeys([
    { keys: ["ArrowDown"], what: "next step of the same node",
      run: () => store.selectStep(alongLane(run, store.step.value, 1)) },
    { keys: ["ArrowUp"], what: "previous step of the same node",
      run: () => store.selectStep(alongLane(run, store.step.value, -1)) },
    { keys: ["Enter"], what: "follow the message to its delivery",
      run: () => follow(followForward(run, store.step.value)) },
    { keys: ["Backspace"], what: "back to where the message was sent",
      run: () => follow(followBack(run, store.step.value)) },
    { keys: ["p"], what: "highlight the causal past", run: () => setPast((is) => !is) },
    { keys: ["f"], what: "highlight the causal future", run: () => setFuture((is) => !is) },
    { keys: ["+", "="], what: "zoom in", run: () => diagram?.zoomBy(1.5) },
    { keys: ["-"], what: "zoom out", run: () => diagram?.zoomBy(1 / 1.5) },
    { keys: ["0"], what: "fit the whole run", run: () => diagram?.fit() },
    { keys: ["c"], what: "go to the selected step", run: () => diagram?.goTo(store.step.value) },
    { keys: ["Shift+ArrowUp"], what: "pan up", run: pan(0, -90) },
    { keys: ["Shift+ArrowDown"], what: "pan down", run: pan(0, 90) },
    { keys: ["Shift+ArrowLeft"], what: "pan left", run: pan(-90, 0) },
    { keys: ["Shift+ArrowRight"], what: "pan right", run: pan(90, 0) },
    { keys: ["PageUp"], what: "one screen up", run: () => pan(0, -size.height * 0.9)() },
    { keys: ["PageDown"], what: "one screen down", run: () => pan(0, size.height * 0.9)() },
    { keys: ["[", "]"], what: "lanes closer or wider",
      run: (event) => diagram?.spreadBy(event.key === "]" ? 1.25 : 0.8) },
  ], [run, diagram, selected, size]);

  const toggle = (which: "past" | "future") =>
    (which === "past" ? setPast : setFuture)((is) => !is);
  return (
    <section class="diagram" aria-label="Space-time diagram">
      {diagram ? <Toolbar diagram={diagram} highlights={{ past, future, toggle }} /> : null}
      <div class="diagram-top">{diagram ? <Headers diagram={diagram} arranged={arranged} /> : null}</div>
      <div class="diagram-body">
        <div class="diagram-stage" ref={stage}>
          <canvas ref={canvas} id="diagram-canvas" role="application" tabIndex={0}
            aria-label={describe(model)} aria-roledescription="diagram" />
          {tip ? <TipBox tip={tip} width={size.width} height={size.height} /> : null}
        </div>
        {diagram ? <Overview diagram={diagram} revision={revision} height={size.height} matches={matches} /> : null}
      </div>
    </section>
  );
}

function TipBox({ tip, width, height }: { tip: Tip; width: number; height: number }) {
  const right = tip.x > width - 340;
  const below = tip.y < height - 130;
  return (
    <div class="diagram-tip" aria-hidden="true" style={{
      ...(right ? { right: `${width - tip.x + 14}px` } : { left: `${tip.x + 14}px` }),
      ...(below ? { top: `${tip.y + 14}px` } : { bottom: `${height - tip.y + 14}px` }),
    }}>
      {tip.words.map((line, i) => <div key={i} class={i === 0 ? "diagram-tip-title" : ""}>{line}</div>)}
    </div>
  );
}
