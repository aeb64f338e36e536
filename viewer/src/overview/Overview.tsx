import * as store from "../store";
import { pickPair } from "../compare/choice";
import { Long, StepLink } from "../panel/words";
import { currentLink } from "../served/linking";
import { whySlice } from "../trace/causality";
import type { Run } from "../trace/run";
import { CopyButton } from "../ui/CopyButton";
import { Again } from "./Again";
import { Correct, Facts, Properties } from "./Correct";
import { Diverged } from "./Diverged";
import { Operations } from "./Operations";
import { Slice } from "./Slice";
import { valueTable } from "./values";
import "./overview.css";

/** The first thing to see: what is violated, where, by whom, and why; or that nothing is. */
export function Overview() {
  const run = store.run.value;
  void store.revision.value;
  if (!run) return null;
  return (
    <div class="over">
      {run.divergence ? <Diverged run={run} /> : run.violated ? <Violated run={run} /> : <Correct run={run} />}
    </div>
  );
}

const KINDS: Record<string, string> = {
  always: "must always hold, and does not",
  eventually: "must hold in the end, and does not",
  sometimes: "must be reachable, and is not",
  failure: "a handler failed",
  error: "what comes next, or what a check says, could not be said",
  scenario: "what the scenario expects did not happen",
};

interface Other {
  pair: [number, number]; // left and right, by index
  label: string;
}

/** The runs of the page that this one is worth being compared with. */
function othersOf(run: Run): Other[] {
  const runs = store.runs.value;
  const mine = store.runIndex.value;
  const steps = (index: number) => `${runs[index]!.length} steps`;
  const others: Other[] = [];
  const original = run.role === "original" ? -1 : withRole(run, "original");
  if (original >= 0) others.push({ pair: [original, mine], label: `Compare with the original (${steps(original)})` });
  const minimised = run.role === "original" ? withRole(run, "violation") : -1;
  if (minimised >= 0) others.push({ pair: [mine, minimised], label: `Compare with the minimised run (${steps(minimised)})` });
  const passing = withRole(run, "passing");
  if (passing >= 0) others.push({ pair: [mine, passing], label: `Compare with the run that passes (${steps(passing)})` });
  return others;
}

/** The run of that role, of several the one for the same property; -1: there is none. */
function withRole(run: Run, role: string): number {
  const fits = store.runs.value.flatMap((other, i) => (other.role === role && other !== run ? [i] : []));
  const property = run.trace.verdict?.property;
  return fits.find((i) => store.runs.value[i]!.trace.verdict?.property === property) ?? fits[0] ?? -1;
}

function Violated({ run }: { run: Run }) {
  const verdict = run.trace.verdict!;
  const nodes = verdict.nodes ?? [];
  const from = run.trace.minimised_from ?? 0;
  const showRun = () => {
    store.selectStep(run.verdictStep);
    store.view.value = "diagram";
  };
  const compare = ([a, b]: [number, number]) => {
    pickPair(a, b);
    store.view.value = "compare";
  };
  return (
    <>
      <section class="over-hero" aria-labelledby="over-title">
        <p class="over-kind">{run.isError ? "✗ Error" : "✗ Violated property"} <span>({verdict.word ? `${verdict.word}: ` : ""}{KINDS[verdict.kind ?? "always"] ?? verdict.kind})</span></p>
        <h1 id="over-title">{verdict.property}</h1>
        <p class="over-why"><Long text={verdict.why ?? "The trace does not say why."} most={420} what="reason" /></p>
        <div class="over-foot">
        <p class="over-where">
          It shows after <StepLink number={run.verdictStep} to="diagram">{run.verdictStep === 0 ? "the start" : `step ${run.verdictStep} of ${run.length}`}</StepLink>
          {nodes.length > 0 ? <> at {nodes.length === 1 ? "node" : "nodes"} <strong>{nodes.map((node) => run.nodeName(node)).join(", ")}</strong></> : null}
          {" "}of <strong>{run.trace.system}</strong>
          {run.trace.parameters?.bug ? <> with the planted bug <strong>{run.trace.parameters.bug}</strong></> : null}.
          {run.goesRound ? <> From there it goes on for ever: <StepLink number={run.loopStart! + 1} to="diagram">step {run.loopStart! + 1}</StepLink> to {run.length} come again and again.</> : null}
          {run.loopStart !== null && !run.goesRound ? <> It may stay there for ever.</> : null}
          {from > run.length ? <> Minimised from {from} to {run.length} steps.</> : null}
        </p>
        <div class="over-buttons">
          <button type="button" class="primary" onClick={showRun}>Show the full run</button>
          {othersOf(run).map((other) => (
            <button type="button" key={other.label} onClick={() => compare(other.pair)}>{other.label}</button>
          ))}
          <CopyButton label="Copy link" text={currentLink} title="A link to this violation" none="no link: save the trace instead" />
        </div>
        </div>
      </section>
      <div class="over-columns">
        <section class="over-box" aria-labelledby="over-slice">
          <h2 id="over-slice">Why: the steps that led to it</h2>
          <Slice run={run} />
        </section>
        <div class="over-side">
          <Operations run={run} />
          <Values run={run} nodes={nodes.length > 0 ? nodes : lastNodes(run)} />
          <Again run={run} />
          <Facts run={run} />
          <Properties />
        </div>
      </div>
    </>
  );
}

function lastNodes(run: Run): number[] {
  if (run.lanes.length === 0) return run.states.ofNode(-1) ? [-1] : [];
  const last = whySlice(run).at(-1);
  const node = last === undefined ? undefined : run.step(last).node;
  return node === undefined || run.lane(node) < 0 ? [] : [node];
}

function Values({ run, nodes }: { run: Run; nodes: readonly number[] }) {
  if (nodes.length === 0) return null;
  const table = valueTable(run, nodes, run.verdictStep);
  const showState = () => {
    store.selectStep(run.verdictStep);
    store.view.value = "state";
  };
  return (
    <section class="over-box" aria-labelledby="over-values">
      <h2 id="over-values">{run.lanes.length === 0 ? "The state then" : nodes.length === 1 ? "The node then" : "The nodes then"}</h2>
      {table.rows.length === 0 ? <p class="over-note">No value tells more than the reason does.</p> : (
        <div class="over-scroll" role="region" aria-labelledby="over-values" tabIndex={0}>
          <table class="over-values">
            <thead>
              <tr>
                <th scope="col">after step {run.verdictStep}</th>
                {table.nodes.map((node) => (
                  <th scope="col" key={node.node}>
                    {node.node < 0 ? "" : node.type ? `${node.type} ` : "node "}{node.name}{node.up ? "" : " (down)"}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={row.path}>
                  <th scope="row" class="mono"><Path path={row.path} /></th>
                  {row.values.map((value, i) => (
                    <td key={i} class={`mono ${row.compared[i] ? "told" : ""}`}>
                      {value === null ? <span class="over-note">none</span> : <Long text={value} most={90} what="value" />}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="over-note">
        {table.complete ? (table.rows.some((row) => row.compared.includes(true)) ? "Bold: what the reason compares. " : "") : "This trace has no states: these are the values that changed last. "}
        <button type="button" class="link" onClick={showState}>All of the state</button>
      </p>
    </section>
  );
}

/** A path that may be broken between its parts only. */
function Path({ path }: { path: string }) {
  return <>{path.split(/(?=[.[])/).map((part, i) => i === 0 ? part : <><wbr />{part}</>)}</>;
}
