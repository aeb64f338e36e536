// "Did you mean": the known word that is fewest edits away.

export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + same);
      // Two letters that changed places are one slip.
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, row[j - 1]!);
      next.push(best);
    }
    row = next;
  }
  return row[b.length]!;
}

/** The nearest of the known words, or null where none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const one of known) {
    const [typed, right] = [word.toLowerCase(), one.toLowerCase()];
    // The beginning of a name is one slip away from it, however much is left out.
    const away = typed.length >= 3 && right.startsWith(typed) ? 1 : distance(typed, right);
    if (away < least) {
      least = away;
      best = one;
    }
  }
  return best;
}
