// The shape of a partition as steps name it: "1,2 | 3".

/** The blocks, each with its nodes; nothing where the text has another form. */
export function parseBlocks(shape: string): number[][] {
  const blocks: number[][] = [];
  for (const part of shape.split("|")) {
    const nodes: number[] = [];
    for (const item of part.split(",")) {
      const text = item.trim();
      if (!/^-?\d+$/.test(text)) return [];
      nodes.push(Number(text));
    }
    blocks.push(nodes);
  }
  return blocks;
}

/** The name of a block: A, B, … Z, then their numbers. */
export function blockName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

/** The block of each node, by node. */
export function blockOf(blocks: readonly number[][]): Map<number, number> {
  const out = new Map<number, number>();
  blocks.forEach((nodes, block) => nodes.forEach((node) => out.set(node, block)));
  return out;
}
