/** A heap: the least item comes first. */
export class Heap<T> {
  private readonly items: T[] = [];
  constructor(private readonly order: (a: T, b: T) => number) {}

  push(item: T): void {
    const items = this.items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.order(items[parent]!, item) <= 0) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.items;
    const top = items[0];
    const item = items.pop();
    if (items.length === 0 || item === undefined) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.order(items[child + 1]!, items[child]!) < 0) ++child;
      if (this.order(item, items[child]!) <= 0) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
    return top;
  }
}
