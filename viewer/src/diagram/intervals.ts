// Finds the intervals that touch a range of rows. An interval lies in the level of its length and there
// in the bucket of its first row, so that it reaches into the next bucket at most. Adding costs a
// constant, which matters for runs that grow while they are watched; asking costs what is found and
// what the range holds of buckets, never the length of the run.

export type Visitor = (id: number) => boolean | void;

export class IntervalIndex {
  private readonly levels: (number[] | undefined)[][] = [];
  private readonly first: number[] = [];
  private readonly last: number[] = [];

  private static level(length: number): number {
    return length <= 0 ? 0 : 32 - Math.clz32(length);
  }

  /** REQUIRES: 0 ≤ from ≤ to, and nothing with this id is there. */
  add(id: number, from: number, to: number): void {
    this.first[id] = from;
    this.last[id] = to;
    const level = IntervalIndex.level(to - from);
    while (this.levels.length <= level) this.levels.push([]);
    const buckets = this.levels[level]!;
    const at = from >> level;
    const bucket = buckets[at];
    if (bucket) bucket.push(id);
    else buckets[at] = [id];
  }

  /**
   * Visits what touches the rows from `low` to `high`, both included, and is at least `shortest` rows
   * long; longest levels first. A visitor that answers false ends it, and so does this function.
   */
  visit(low: number, high: number, visitor: Visitor, shortest = 0): boolean {
    for (let level = this.levels.length - 1; level >= 0; --level) {
      if (2 ** level - 1 < shortest) break;
      const buckets = this.levels[level]!;
      const end = Math.min(high >> level, buckets.length - 1);
      for (let at = Math.max(0, (low >> level) - 1); at <= end; ++at) {
        const bucket = buckets[at];
        if (!bucket) continue;
        for (const id of bucket) {
          const from = this.first[id]!;
          const to = this.last[id]!;
          if (from > high || to < low || to - from < shortest) continue;
          if (visitor(id) === false) return false;
        }
      }
    }
    return true;
  }
}

/** A stretch of rows that may not have ended yet. */
export interface Stretch {
  from: number;
  to: number; // -1: it goes on
}

/** Stretches, of which the open ones count up to the end of time. */
export class Stretches<T extends Stretch> {
  readonly all: T[] = [];
  readonly open = new Set<T>();
  private readonly index = new IntervalIndex();

  add(stretch: T): void {
    if (stretch.to < 0) this.open.add(stretch);
    else this.file(stretch);
  }

  end(stretch: T, at: number): void {
    if (!this.open.delete(stretch)) return;
    stretch.to = at;
    this.file(stretch);
  }

  private file(stretch: T): void {
    this.index.add(this.all.length, stretch.from, Math.max(stretch.from, stretch.to));
    this.all.push(stretch);
  }

  /** As IntervalIndex.visit; the open ones come last. */
  visit(low: number, high: number, visitor: (stretch: T) => void, shortest = 0): void {
    this.index.visit(low, high, (id) => { visitor(this.all[id]!); }, shortest);
    for (const stretch of this.open) if (stretch.from <= high) visitor(stretch);
  }

  /** Whether some stretch that fits covers the row, ends excluded. */
  covers(row: number, fits: (stretch: T) => boolean): boolean {
    let found = false;
    this.visit(row, row, (stretch) => {
      if (fits(stretch) && (stretch.to < 0 || stretch.to > row)) found = true;
    });
    return found;
  }
}
