// The query language of the search: what a query is, and how it is written. parse.ts reads it,
// evaluate.ts answers it.
//
//   Vote                              text, anywhere in the step
//   kind:deliver type:Vote node:2     filters; side by side means "and"
//   nodes[1].term > 3                 a predicate over the state after the step
//   nodes[*].role = Leader            of any node; `all nodes[*].term >= 1` of every one
//   len(nodes[1].log) >= 2, changed(nodes[1].term), becomes(nodes[2].role = Leader)
//   2 in nodes[1].granted, nodes[1].role in (Leader, Candidate)
//   and, or, not, parentheses

export interface Place {
  at: number; // where in the text it stands
  end: number;
}

export type Segment =
  | { kind: "field"; name: string }
  | { kind: "key"; key: string }
  | { kind: "every" };

/** `nodes[1].log[0].term`; a root other than `nodes` is a part's name, or a field of any node. */
export interface Path extends Place {
  root: string;
  segments: Segment[];
}

export type Operand =
  | { kind: "number"; value: number }
  | { kind: "word"; text: string; quoted: boolean }
  | { kind: "path"; path: Path }
  | { kind: "len"; path: Path };

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";
export type Quantifier = "any" | "all";

export const FILTERS = ["kind", "type", "node", "from", "step"] as const;
export type FilterName = (typeof FILTERS)[number];

export type Query =
  | { kind: "and" | "or"; items: Query[] }
  | { kind: "not" | "becomes"; item: Query }
  | { kind: "text"; text: string }
  | ({ kind: "filter"; name: FilterName; value: string } & Place)
  | { kind: "compare"; quantifier: Quantifier; left: Operand; operator: Comparison; right: Operand }
  | { kind: "in"; quantifier: Quantifier; left: Operand; right: Operand[] | Operand }
  | { kind: "holds"; quantifier: Quantifier; path: Path }
  | { kind: "changed"; path: Path };

/** Words that mean something by themselves; as text they are quoted. */
export const KEYWORDS: ReadonlySet<string> = new Set(["and", "or", "not", "any", "all", "in", "len", "changed", "becomes"]);

const PLAIN_WORD = /^[^\s()[\]{}<>=!,:."*\d-][^\s()[\]{}<>=!,:."*]*$/;

export function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function word(text: string, quoted = false): string {
  return quoted || !PLAIN_WORD.test(text) || KEYWORDS.has(text) ? quote(text) : text;
}

/** How names of fields are written: `(disk)` with its parentheses, odd ones quoted. */
function field(name: string): string {
  const bare = /^\((.+)\)$/.exec(name)?.[1];
  if (bare !== undefined && PLAIN_WORD.test(bare)) return name;
  return PLAIN_WORD.test(name) ? name : quote(name);
}

export function printPath(path: Path): string {
  const tail = path.segments.map((segment) => {
    if (segment.kind === "field") return `.${field(segment.name)}`;
    if (segment.kind === "every") return "[*]";
    return `[${/^-?\d+$/.test(segment.key) ? segment.key : word(segment.key)}]`;
  });
  return field(path.root) + tail.join("");
}

function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case "number":
      return String(operand.value);
    case "word":
      return word(operand.text, operand.quoted);
    case "path":
      return printPath(operand.path);
    case "len":
      return `len(${printPath(operand.path)})`;
  }
}

/** A query as it is typed; reading it again gives the same. */
export function printQuery(query: Query): string {
  const inner = (item: Query) => (item.kind === "and" || item.kind === "or" ? `(${printQuery(item)})` : printQuery(item));
  const all = (quantifier: Quantifier) => (quantifier === "all" ? "all " : "");
  switch (query.kind) {
    case "and":
    case "or":
      return query.items.map(inner).join(` ${query.kind} `);
    case "not":
      return `not ${inner(query.item)}`;
    case "becomes":
      return `becomes(${printQuery(query.item)})`;
    case "text":
      return word(query.text, /^-?\d/.test(query.text));
    case "filter":
      return `${query.name}:${/^[\w*.-]+$/.test(query.value) ? query.value : quote(query.value)}`;
    case "compare":
      return `${all(query.quantifier)}${printOperand(query.left)} ${query.operator} ${printOperand(query.right)}`;
    case "in": {
      const right = Array.isArray(query.right) ? `(${query.right.map(printOperand).join(", ")})` : printOperand(query.right);
      return `${all(query.quantifier)}${printOperand(query.left)} in ${right}`;
    }
    case "holds":
      return all(query.quantifier) + printPath(query.path);
    case "changed":
      return `changed(${printPath(query.path)})`;
  }
}
