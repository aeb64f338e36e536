import type { PropertyVerdict } from "./wire";

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

/** Every property, and where it stands. What is violated comes first. */
export function Verdicts({ verdicts, ended = false }: { verdicts: PropertyVerdict[]; ended?: boolean }) {
  if (verdicts.length === 0) return <p class="what">This subject has no properties.</p>;
  const sorted = [...verdicts].sort((a, b) => Number(b.violated) - Number(a.violated));
  return (
    <ul class="verdicts">
      {sorted.map((verdict) => {
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
