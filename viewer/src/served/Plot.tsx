import type { Sample } from "./jobs";

const WIDTH = 300;
const HEIGHT = 80;

/** 1234567 → 1.23 M; for places where only the size matters. */
export function brief(value: number): string {
  const sizes: [number, string][] = [[1e9, " G"], [1e6, " M"], [1e3, " k"]];
  for (const [size, name] of sizes) if (value >= size) return `${(value / size).toPrecision(3)}${name}`;
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(2);
}

export const count = (value: number) => Math.round(value).toLocaleString("en");

export function bytes(value: number): string {
  const sizes: [number, string][] = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
  for (const [size, name] of sizes) if (value >= size) return `${(value / size).toPrecision(3)} ${name}`;
  return `${value} B`;
}

/** The corners of the line, in the drawing's own units. */
export function lineOf(samples: Sample[]): { path: string; most: number; until: number } {
  const most = Math.max(1e-9, ...samples.map((sample) => sample.value));
  const until = Math.max(1e-9, samples[samples.length - 1]?.seconds ?? 0);
  const path = samples.map((sample, i) => {
    const x = (sample.seconds / until) * WIDTH;
    const y = HEIGHT - (sample.value / most) * (HEIGHT - 4);
    return `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }).join("");
  return { path, most, until };
}

interface Props {
  title: string;
  samples: Sample[];
  show?: (value: number) => string;
  short?: (value: number) => string;
}

/** One number over time: a line, and the number as text. */
export function Plot({ title, samples, show = count, short = brief }: Props) {
  const now = samples[samples.length - 1]?.value ?? 0;
  const { path, most, until } = lineOf(samples);
  const words = samples.length === 0 ? "nothing yet" : `now ${show(now)}, at most ${show(most)}, in ${until.toFixed(1)} seconds`;
  return (
    <figure class="plot">
      <figcaption><span>{title}</span> <b>{samples.length === 0 ? "–" : show(now)}</b></figcaption>
      <div class="plot-box">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${words}`}>
          {samples.length > 0 ? <path class="area" d={`${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} /> : null}
          {samples.length > 0 ? <path class="line" d={path} vector-effect="non-scaling-stroke" /> : null}
        </svg>
        <span class="most" aria-hidden="true">{samples.length > 0 ? short(most) : ""}</span>
        <span class="until" aria-hidden="true">{samples.length > 0 ? `${until.toFixed(1)} s` : ""}</span>
      </div>
    </figure>
  );
}
