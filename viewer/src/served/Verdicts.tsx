import type { PropertyVerdict } from "./read";

interface Standing {
  symbol: string;
  words: string;
  tone: "bad" | "good" | "info" | "dull";
}

/** Where a property stands at one step; where nothing can follow, nothing is open. */
export function standing(verdict: PropertyVerdict, ended = false): Standing {
  if (verdict.violated) return { symbol: "✗", words: "violated", tone: "bad" };
  if (verdict.reached) return { symbol: "★", words: "reached", tone: "info" };
  if (verdict.kind === "sometimes") return { symbol: "○", words: "not reached yet", tone: "dull" };
  if (verdict.kind === "eventually" && ended) return { symbol: "✓", words: "came true", tone: "good" };
  if (verdict.kind === "eventually") return { symbol: "…", words: "still open", tone: "dull" };
  return { symbol: "✓", words: "holds so far", tone: "good" };
}

/** More than so many that hold are folded away; what is not well stays in sight. */
const MOST_SHOWN = 6;

function List({ verdicts, ended }: { verdicts: PropertyVerdict[]; ended: boolean }) {
  return (
    <ul class="verdicts">
      {verdicts.map((verdict) => {
        const { symbol, words, tone } = standing(verdict, ended);
        return (
          <li key={verdict.property}>
            <span class={`tag ${tone}`}><span aria-hidden="true">{symbol} </span>{words}</span>
            <span> {verdict.property}
              {verdict.violated && verdict.why ? <span class="what">: {verdict.why}</span> : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Every property, and where it stands. What is violated comes first. */
export function Verdicts({ verdicts, ended = false }: { verdicts: PropertyVerdict[]; ended?: boolean }) {
  if (verdicts.length === 0) return <p class="what">This subject has no properties.</p>;
  const holds = (verdict: PropertyVerdict) => standing(verdict, ended).tone === "good";
  const good = verdicts.filter(holds);
  const other = verdicts.filter((verdict) => !holds(verdict)).sort((a, b) => Number(b.violated) - Number(a.violated));
  if (good.length <= MOST_SHOWN) return <List verdicts={[...other, ...good]} ended={ended} />;
  return (
    <>
      <List verdicts={other} ended={ended} />
      <details class="verdicts-good">
        <summary><span class="tag good"><span aria-hidden="true">✓ </span>{good.length} properties hold so far</span></summary>
        <List verdicts={good} ended={ended} />
      </details>
    </>
  );
}
