import * as store from "../store";
import type { Run } from "../trace/run";
import { Again } from "./Again";
import { countsOf, propertiesOf } from "./counts";
import { Long } from "../panel/words";

/** A run that violates nothing: what it is, and what happened in it. */
export function Correct({ run }: { run: Run }) {
  const imported = run.trace.source;
  const show = () => {
    store.selectStep(0);
    store.view.value = "diagram";
  };
  return (
    <>
      <section class="over-hero good" aria-labelledby="over-title">
        <p class="over-kind">✓ {imported ? `An imported run (${imported})` : "Nothing is violated in this run"}</p>
        <h1 id="over-title">{run.trace.system || run.name}</h1>
        <div class="over-foot">
        <p class="over-where">{run.length.toLocaleString("en")} steps of {run.lanes.length > 0 ? `${run.lanes.length} nodes` : "a model without nodes"}.</p>
        <div class="over-buttons">
          <button type="button" class="primary" onClick={show}>Show the run</button>
        </div>
        </div>
      </section>
      <div class="over-columns">
        <section class="over-box" aria-labelledby="over-happened">
          <h2 id="over-happened">What happened</h2>
          <Happened run={run} />
        </section>
        <div class="over-side">
          <Facts run={run} />
          <Again run={run} />
          <Properties />
        </div>
      </div>
    </>
  );
}

export function Happened({ run }: { run: Run }) {
  const counts = countsOf(run);
  const list = (items: [string, number][]) => items.map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`).join(", ");
  return (
    <>
      <p>Actions: {list(counts.kinds) || "none"}.</p>
      <p>{counts.faults.length > 0 ? <>⚡ Faults: {list(counts.faults)}.</> : "No fault happened."}</p>
      {counts.messages.length > 0 ? (
        <table class="over-counts">
          <thead><tr><th scope="col">message</th><th scope="col">sent</th><th scope="col">delivered</th><th scope="col">lost</th><th scope="col">in flight</th></tr></thead>
          <tbody>
            {counts.messages.slice(0, 40).map((row) => (
              <tr key={row.type}>
                <th scope="row" class="mono">{row.type}</th>
                <td>{row.sent}</td><td>{row.delivered}</td><td>{row.dropped}</td><td>{row.waiting}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {run.operations.length > 0 ? <p>Clients made {run.operations.length} operations; {run.operations.filter((one) => one.to < 0).length} did not return.</p> : null}
    </>
  );
}

/** Where the run comes from. */
export function Facts({ run }: { run: Run }) {
  const trace = run.trace;
  const parameters = Object.entries(trace.parameters ?? {}).filter(([, value]) => value !== "");
  const facts: [string, string][] = [
    ["system", trace.system],
    ...(trace.scenario ? [["scenario", trace.scenario] as [string, string]] : []),
    ...(trace.source ? [["from", trace.source] as [string, string]] : []),
    ...(trace.strategy ? [["found by", `${trace.strategy}, seed ${trace.seed ?? 0}`] as [string, string]] : []),
    ["steps", (trace.minimised_from ?? 0) > run.length ? `${run.length}, minimised from ${trace.minimised_from}` : String(run.length)],
    ["nodes", run.lanes.length > 0 ? run.lanes.map((lane) => lane.name).join(", ") : "none: a raw model"],
  ];
  return (
    <section class="over-box" aria-labelledby="over-facts">
      <h2 id="over-facts">The run</h2>
      <dl class="over-facts">
        {facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd><Long text={value} /></dd></div>)}
      </dl>
      {parameters.length > 0 ? (
        <details>
          <summary>{parameters.length === 1 ? "1 parameter" : `${parameters.length} parameters`}</summary>
          <dl class="over-facts">
            {parameters.map(([name, value]) => <div key={name}><dt class="mono">{name}</dt><dd class="mono"><Long text={value} /></dd></div>)}
          </dl>
        </details>
      ) : null}
    </section>
  );
}

const SIGNS: Record<string, string> = { holds: "✓", violated: "✗", undecided: "?" };

export function Properties() {
  const properties = propertiesOf(store.reportJson.value);
  if (properties.length === 0) return null;
  return (
    <section class="over-box" aria-labelledby="over-properties">
      <h2 id="over-properties">Properties</h2>
      <table class="over-counts">
        <thead><tr><th scope="col">property</th><th scope="col">kind</th><th scope="col">verdict</th></tr></thead>
        <tbody>
          {properties.map((property) => (
            <tr key={property.name}>
              <th scope="row">{property.name}</th><td>{property.kind}</td>
              <td class={`verdict ${property.verdict}`}>{SIGNS[property.verdict] ?? ""} {property.verdict}{property.note ? <span class="over-note"> ({property.note})</span> : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
