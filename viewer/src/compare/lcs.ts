// The longest common subsequence of two lists of numbers, nearly: exact where lists are short,
// anchored at what is unique where they are long, so that 10,000 steps take no time.

type Pair = [number, number];

const MOST_CELLS = 1_000_000;

/** Pairs of indexes of equal items, ascending in both. */
export function commonPairs(a: readonly number[], b: readonly number[]): Pair[] {
  const pairs: Pair[] = [];
  align(a, 0, a.length, b, 0, b.length, pairs);
  return pairs;
}

function align(a: readonly number[], aFrom: number, aTo: number, b: readonly number[], bFrom: number, bTo: number, into: Pair[]): void {
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) into.push([aFrom++, bFrom++]);
  const tail: Pair[] = [];
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) tail.push([--aTo, --bTo]);
  if (aFrom < aTo && bFrom < bTo) {
    if ((aTo - aFrom) * (bTo - bFrom) <= MOST_CELLS) exact(a, aFrom, aTo, b, bFrom, bTo, into);
    else anchored(a, aFrom, aTo, b, bFrom, bTo, into);
  }
  into.push(...tail.reverse());
}

function exact(a: readonly number[], aFrom: number, aTo: number, b: readonly number[], bFrom: number, bTo: number, into: Pair[]): void {
  const rows = aTo - aFrom;
  const width = bTo - bFrom + 1;
  const best = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; --i) {
    for (let j = width - 2; j >= 0; --j) {
      best[i * width + j] = a[aFrom + i] === b[bFrom + j]
        ? best[(i + 1) * width + j + 1]! + 1
        : Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < rows && j < width - 1;) {
    if (a[aFrom + i] === b[bFrom + j]) into.push([aFrom + i++, bFrom + j++]);
    else if (best[(i + 1) * width + j]! >= best[i * width + j + 1]!) ++i;
    else ++j;
  }
}

/** Patience: what occurs once in both is matched in order, and the gaps between are aligned. */
function anchored(a: readonly number[], aFrom: number, aTo: number, b: readonly number[], bFrom: number, bTo: number, into: Pair[]): void {
  const places = new Map<number, { a: number; b: number; count: number }>();
  for (let i = aFrom; i < aTo; ++i) {
    const known = places.get(a[i]!);
    if (known) known.count += 2;
    else places.set(a[i]!, { a: i, b: -1, count: 0 });
  }
  for (let j = bFrom; j < bTo; ++j) {
    const known = places.get(b[j]!);
    if (!known) continue;
    known.count += known.b >= 0 ? 2 : 0;
    known.b = j;
  }
  const unique = [...places.values()].filter((one) => one.count === 0 && one.b >= 0);
  if (unique.length === 0) {
    greedy(a, aFrom, aTo, b, bFrom, bTo, into);
    return;
  }
  let [fromA, fromB] = [aFrom, bFrom];
  for (const [i, j] of rising(unique.map((one): Pair => [one.a, one.b]))) {
    align(a, fromA, i, b, fromB, j, into);
    into.push([i, j]);
    [fromA, fromB] = [i + 1, j + 1];
  }
  align(a, fromA, aTo, b, fromB, bTo, into);
}

/** The longest part of the pairs (ascending in the first) that ascends in the second, too. */
function rising(pairs: Pair[]): Pair[] {
  const tops: number[] = []; // by length: the pair that ends a rise of it with the least second
  const before: number[] = new Array<number>(pairs.length).fill(-1);
  pairs.forEach(([, second], i) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tops[middle]!]![1] < second) low = middle + 1;
      else high = middle;
    }
    before[i] = low > 0 ? tops[low - 1]! : -1;
    tops[low] = i;
  });
  const rise: Pair[] = [];
  for (let i = tops.length > 0 ? tops[tops.length - 1]! : -1; i >= 0; i = before[i]!) rise.push(pairs[i]!);
  return rise.reverse();
}

function greedy(a: readonly number[], aFrom: number, aTo: number, b: readonly number[], bFrom: number, bTo: number, into: Pair[]): void {
  const waiting = new Map<number, number[]>();
  for (let j = bTo - 1; j >= bFrom; --j) {
    const places = waiting.get(b[j]!);
    if (places) places.push(j);
    else waiting.set(b[j]!, [j]);
  }
  let least = bFrom;
  for (let i = aFrom; i < aTo; ++i) {
    const places = waiting.get(a[i]!);
    while (places && places.length > 0 && places[places.length - 1]! < least) places.pop();
    const j = places?.pop();
    if (j === undefined) continue;
    into.push([i, j]);
    least = j + 1;
  }
}
