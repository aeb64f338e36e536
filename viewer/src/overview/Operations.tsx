import { Long, StepLink } from "../panel/words";
import { reasonOperations } from "../trace/causality";
import type { Operation, Run } from "../trace/run";

const MOST = 40;

/** The operations that the reason is about: when they were called, when they returned, and what has no place. */
export function Operations({ run }: { run: Run }) {
  const told = reasonOperations(run);
  if (told.length === 0) return null;
  const others = run.operations.length - told.length;
  const unplaced = told.some((one) => one.unplaced);
  return (
    <section class="over-box" aria-labelledby="over-operations">
      <h2 id="over-operations">{!unplaced ? "The operations" : told.length === 1 ? "The operation without a place" : "The operations that have no order together"}</h2>
      <div class="over-scroll" role="region" aria-labelledby="over-operations" tabIndex={0}>
        <table class="over-values">
          <thead><tr><th scope="col">client</th><th scope="col">operation</th><th scope="col">called</th><th scope="col">returned</th><th scope="col">takes effect</th></tr></thead>
          <tbody>
            {told.slice(0, MOST).map((one) => (
              <tr key={`${one.client}/${one.index}`}>
                <th scope="row">{run.nodeName(one.client)}</th>
                <td class="mono"><Long text={one.call} most={90} what="call" />{one.result ? <> = <strong><Long text={one.result} most={90} what="result" /></strong></> : null}</td>
                <td><Step at={one.from} /></td>
                <td>{one.to < 0 ? "never" : <Step at={one.to} />}</td>
                <td><Place of={one} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="over-note">
        {told.length > MOST ? `${told.length - MOST} more are left out here. ` : ""}
        {unplaced && others > 0 ? `They have no order whatever the other ${others === 1 ? "operation" : `${others} operations`} did. ` : ""}
        Bold: what the reason compares.
      </p>
    </section>
  );
}

function Step({ at }: { at: number }) {
  return at === 0 ? <>start</> : <StepLink number={at} to="diagram">step {at}</StepLink>;
}

function Place({ of }: { of: Operation }) {
  if (of.unplaced) return <span class="why-bad">✗ no place</span>;
  return <>{of.point < 0 ? "" : of.point === 0 ? "at the start" : `after step ${of.point}`}</>;
}
