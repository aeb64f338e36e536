// How much happens where, for pictures in which a row is less than a few pixels high: events and
// faults per lane, summed over ever longer stretches of rows.

const BASE = 4; // rows of a bucket of the lowest level

export interface Strip {
  rows: number; // of one bucket
  level: number;
}

export class Density {
  // By level, then bucket, then lane: how many events, and how many of them are faults.
  private readonly levels: { events: number[][]; faults: number[][] }[] = [];
  private most: number[] = [];

  constructor(private readonly height = 16) {
    for (let i = 0; i < height; ++i) this.levels.push({ events: [], faults: [] });
  }

  add(row: number, lane: number, fault: boolean): void {
    for (let level = 0; level < this.height; ++level) {
      const bucket = Math.floor(row / (BASE << level));
      const { events, faults } = this.levels[level]!;
      const counts = (events[bucket] ??= []);
      const count = (counts[lane] ?? 0) + 1;
      counts[lane] = count;
      if (count > (this.most[level] ?? 0)) this.most[level] = count;
      if (!fault) continue;
      const bad = (faults[bucket] ??= []);
      bad[lane] = (bad[lane] ?? 0) + 1;
    }
  }

  /** The finest level whose buckets are at least `pixels` high where a row is `rowPx` high. */
  stripFor(rowPx: number, pixels: number): Strip {
    let level = 0;
    while (level + 1 < this.height && (BASE << level) * rowPx < pixels) ++level;
    return { rows: BASE << level, level };
  }

  events(strip: Strip, bucket: number, lane: number): number {
    return this.levels[strip.level]!.events[bucket]?.[lane] ?? 0;
  }
  faults(strip: Strip, bucket: number, lane: number): number {
    return this.levels[strip.level]!.faults[bucket]?.[lane] ?? 0;
  }
  /** The most events that one lane has in one bucket of the strip. */
  peak(strip: Strip): number {
    return this.most[strip.level] ?? 1;
  }
}
