import { changesOf } from "../panel/facts";
import { ChangeLine, Long } from "../panel/words";
import * as store from "../store";
import type { Run } from "../trace/run";
import type { Alignment, Row } from "./align";
import { SIGNS, WORDS } from "./Compare";
import { insteadOf, stateDifferences } from "./differences";

interface Props {
  row: Row;
  first: boolean;
  mine: Run;
  theirs: Run;
  a: number;
  b: number;
  alignment: Alignment;
}

/** The chosen row: what each run did there, and how the states differ. */
export function Detail({ row, first, mine, theirs, a, b, alignment }: Props) {
  const index = row.a > 0 ? alignment.rowOfA[row.a]! : alignment.rowOfB[row.b]!;
  const differ = stateDifferences(mine, theirs, row);
  const node = row.a > 0 ? mine.step(row.a).node : theirs.step(row.b).node;
  const name = node !== undefined && node >= 0 ? `node ${mine.nodeName(node)}` : "the state";
  return (
    <section class="cmp-detail" aria-label="The chosen row">
      <h2>
        <span aria-hidden="true">{SIGNS[row.relation]} </span>{first ? "First divergence: " : ""}{WORDS[row.relation]}
      </h2>
      {differ.length > 0 ? (
        <div class="cmp-differ">
          <h3>In {name}, after the step</h3>
          <table>
            <thead><tr><th scope="col">value</th><th scope="col">left: {mine.name}</th><th scope="col">right: {theirs.name}</th></tr></thead>
            <tbody>
              {differ.slice(0, 30).map((one) => (
                <tr key={one.path}>
                  <th scope="row" class="mono">{one.path || "all"}</th>
                  <td class="mono">{one.left === null ? <i>none</i> : <Long text={one.left} most={120} what="value" />}</td>
                  <td class="mono">{one.right === null ? <i>none</i> : <Long text={one.right} most={120} what="value" />}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {differ.length > 30 ? <p class="step-note">… and {differ.length - 30} more values.</p> : null}
        </div>
      ) : null}
      <div class="cmp-sides">
        <Side run={mine} number={row.a} at={a} instead={row.a === 0 ? insteadOf(alignment, mine, theirs, index) : 0} />
        <Side run={theirs} number={row.b} at={b} instead={row.b === 0 ? insteadOf(alignment, mine, theirs, index) : 0} />
      </div>
    </section>
  );
}

function Side({ run, number, at, instead }: { run: Run; number: number; at: number; instead: number }) {
  const show = (step: number) => {
    store.selectRun(at, step);
    store.view.value = "diagram";
  };
  const changes = number > 0 ? changesOf(run, number) : [];
  return (
    <div class="cmp-side">
      <h3>{run.name} ({run.role})</h3>
      {number === 0 ? (
        <p class="step-note">
          It does not do this.{instead > 0 ? <> The same node next does: <button type="button" class="link mono" onClick={() => show(instead)}>step {instead}: {run.label(instead).slice(0, 90)}</button></> : " The node does nothing more."}
        </p>
      ) : (
        <>
          <p><button type="button" class="link" onClick={() => show(number)}>step {number} in the diagram</button>{" "}
            <span class="mono">{run.label(number).slice(0, 200)}</span></p>
          <ul>
            {changes.slice(0, 12).map((change, i) => <li key={i}><ChangeLine change={change} most={90} brief /></li>)}
            {changes.length > 12 ? <li class="step-note">… and {changes.length - 12} more changes</li> : null}
            {(run.sentBy[number] ?? []).slice(0, 6).map((message) => (
              <li key={message.id} class="step-note">sends <span class="mono">{(message.text || message.type).slice(0, 90)}</span> → {run.nodeName(message.to)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
