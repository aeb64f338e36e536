import { useState } from "preact/hooks";
import { api, wordsOf } from "../api";
import { openFinding, rateOf, type Sample } from "./jobs";
import { bytes, count, Plot } from "./Plot";
import { fieldsOf, listOf, textOf, type Finding, type Job, type Point } from "./read";

export const STATES: Record<Job["state"], { words: string; tone: string }> = {
  running: { words: "▸ running", tone: "info" },
  done: { words: "✓ done", tone: "dull" },
  failed: { words: "✗ failed", tone: "bad" },
  stopped: { words: "■ stopped", tone: "warn" },
};

const VERDICTS: Record<string, { words: string; tone: string }> = {
  holds: { words: "✓ holds", tone: "good" },
  violated: { words: "✗ violated", tone: "bad" },
  undecided: { words: "? undecided", tone: "warn" },
};

export function VerdictTag({ verdict }: { verdict: string }) {
  const known = VERDICTS[verdict] ?? { words: verdict || "–", tone: "dull" };
  return <span class={`tag ${known.tone}`}>{known.words}</span>;
}

/** How a job stands, in one tag: its verdict where it has one. */
export function JobTag({ job }: { job: Job }) {
  const verdict = job.kind === "check" ? textOf(fieldsOf(job.report).verdict) : "";
  const bad = job.scenarios.filter((one) => one.verdict !== "holds").length;
  if (job.state === "done" && verdict) return <VerdictTag verdict={verdict} />;
  if (job.state === "done" && job.kind === "scenarios") {
    return bad > 0 ? <span class="tag bad">✗ {bad} failed</span> : <span class="tag good">✓ all as expected</span>;
  }
  const { words, tone } = STATES[job.state];
  return <span class={`tag ${tone}`}>{words}</span>;
}

function Plots({ points }: { points: Point[] }) {
  const over = (value: (point: Point) => number): Sample[] =>
    points.length === 0 ? [] : [{ seconds: 0, value: 0 }, ...points.map((point) => ({ seconds: point.seconds, value: value(point) }))];
  const speed = rateOf(points, (point) => point.states);
  const byRuns = points.some((point) => point.runs > 0);
  return (
    <div class="plots">
      <Plot title="States per second" samples={speed.length > 0 ? [{ seconds: 0, value: speed[0]!.value }, ...speed] : []} />
      <Plot title="Distinct states" samples={over((point) => point.distinct)} />
      {byRuns ? <Plot title="Runs" samples={over((point) => point.runs)} />
        : <Plot title="Frontier (waiting)" samples={over((point) => point.queue)} />}
      <Plot title="Depth" samples={over((point) => point.depth)} />
      <Plot title="Memory" samples={over((point) => point.bytes)} show={bytes} short={bytes} />
    </div>
  );
}

interface Opens {
  job: Job;
  open: (finding: Finding, scenario?: string) => void;
}

function Findings({ job, open }: Opens) {
  if (job.findings.length === 0 && job.reached.length === 0) {
    return <p class="what">{job.state === "running" ? "Nothing found yet." : "Nothing was found."}</p>;
  }
  const ready = job.state !== "running";
  return (
    <ul class="findings">
      {job.findings.map((finding) => (
        <li key={`${finding.scenario}/${finding.property}`}>
          <span class="tag bad">✗ violated</span> <b>{finding.property}</b>
          {finding.scenario ? ` in ${finding.scenario}` : ""} <span class="what">after {finding.seconds.toFixed(2)} s</span>{" "}
          {ready ? <button type="button" onClick={() => open(finding)}>Open the run</button> : <span class="what">(its run follows)</span>}
          {finding.why ? <div class="what">{finding.why}</div> : null}
        </li>
      ))}
      {job.reached.map((reached) => (
        <li key={reached.property}>
          <span class="tag info">★ reached</span> {reached.property} <span class="what">after {reached.seconds.toFixed(2)} s</span>
        </li>
      ))}
    </ul>
  );
}

function Properties({ report }: { report: unknown }) {
  const properties = listOf(fieldsOf(report).properties).map(fieldsOf);
  const bounds = listOf(fieldsOf(report).bounds).map(textOf).filter(Boolean);
  if (properties.length === 0) return null;
  return (
    <section aria-label="Properties">
      <h3>Properties</h3>
      <table>
        <thead><tr><th scope="col">Property</th><th scope="col">Kind</th><th scope="col">Verdict</th><th scope="col">Note</th></tr></thead>
        <tbody>
          {properties.map((property) => (
            <tr key={textOf(property.name)}>
              <td>{textOf(property.name)}</td><td>{textOf(property.kind)}</td>
              <td><VerdictTag verdict={textOf(property.verdict)} /></td><td>{textOf(property.note)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bounds.length > 0 ? <p class="what">Not all was seen: {bounds.join("; ")}.</p> : null}
    </section>
  );
}

function Scenarios({ job, open }: Opens) {
  const last = job.progress[job.progress.length - 1];
  return (
    <section aria-label="Scenarios">
      {last && job.state === "running" ? (
        <p>
          <progress aria-label="Scenarios that are over" value={job.scenarios.length} max={Math.max(1, last.total)} />{" "}
          {job.scenarios.length} of {last.total}{last.name ? <span class="what">, now {last.name}</span> : null}
        </p>
      ) : null}
      {job.scenarios.length > 0 ? (
        <table>
          <thead><tr><th scope="col">Scenario</th><th scope="col">Verdict</th><th scope="col">Outcome</th><th scope="col">Runs that failed</th></tr></thead>
          <tbody>
            {job.scenarios.map((one) => (
              <tr key={one.name}>
                <td>{one.name}</td><td><VerdictTag verdict={one.verdict} /></td>
                <td>{one.outcome}{one.effort ? <div class="what">{one.effort}</div> : null}</td>
                <td>
                  {one.violations.map((violation) => (
                    <div key={violation.property}>
                      <button type="button" class="linkish" disabled={job.state === "running"}
                        onClick={() => open(violation, one.name)}>{violation.property}</button>
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}

function Numbers({ job }: { job: Job }) {
  const last = job.progress[job.progress.length - 1];
  if (!last) return null;
  const words = job.kind === "scenarios" ? [`${last.seconds.toFixed(1)} s`] : [
    `${count(last.distinct)} distinct states`, `${count(last.states)} transitions`,
    ...(last.runs > 0 ? [`${count(last.runs)} runs`] : []), `depth ${count(last.depth)}`,
    `${last.violations} ${last.violations === 1 ? "violation" : "violations"}`, bytes(last.bytes), `${last.seconds.toFixed(1)} s`,
  ];
  return <p class="numbers">{words.join(" · ")}</p>;
}

/** One search: how it goes, and what it found. */
export function JobView({ job }: { job: Job }) {
  const [trouble, setTrouble] = useState("");
  const attempt = (work: () => Promise<unknown>) => {
    setTrouble("");
    work().catch((error: unknown) => setTrouble(wordsOf(error)));
  };
  const open = (finding: Finding, scenario?: string) => attempt(() => openFinding(job, finding, scenario));
  return (
    <section class="card job" aria-labelledby="job-title">
      <header>
        <JobTag job={job} />
        <h2 id="job-title" class="mono">{job.what}</h2>
        {job.state === "running"
          ? <button type="button" onClick={() => attempt(() => api.stopJob(job.id))}>Stop</button> : null}
        {job.state === "stopped" ? <span class="tag warn">■ stopped</span> : null}
      </header>
      <Numbers job={job} />
      {job.error ? <p class="wrong" role="alert">✗ {job.error}</p> : null}
      {trouble ? <p class="wrong" role="alert">✗ {trouble}</p> : null}
      {job.kind === "scenarios" ? <Scenarios job={job} open={open} /> : (
        <>
          <Plots points={job.progress} />
          <section aria-label="Findings"><h3>Found</h3><Findings job={job} open={open} /></section>
          <Properties report={job.report} />
        </>
      )}
    </section>
  );
}
