// From the tokens of a query to what it means, by recursive descent.
import { tokensOf, type Mistake, type Token } from "./lex";
import { FILTERS, KEYWORDS, type Comparison, type FilterName, type Operand, type Path, type Quantifier, type Query, type Segment } from "./query";
import { nearest } from "./nearest";

export type Parsed = { ok: true; query: Query } | { ok: false; mistake: Mistake };

class Wrong extends Error {
  constructor(readonly mistake: Mistake) {
    super(mistake.message);
  }
}

const COMPARISONS: Record<string, Comparison> = {
  "=": "=", "==": "=", "!=": "!=", "<>": "!=", "≠": "!=", "<": "<", "<=": "<=", "≤": "<=", ">": ">", ">=": ">=", "≥": ">=",
};

class Parser {
  private next = 0;
  constructor(private readonly tokens: Token[]) {}

  private peek(ahead = 0): Token {
    return this.tokens[Math.min(this.next + ahead, this.tokens.length - 1)]!;
  }
  private take(): Token {
    const token = this.peek();
    if (token.kind !== "end") ++this.next;
    return token;
  }
  private isSign(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "sign" && token.text === text;
  }
  private isWord(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "word" && token.text.toLowerCase() === text;
  }
  private fail(message: string, token = this.peek()): never {
    throw new Wrong({ at: token.at, end: Math.max(token.end, token.at + 1), message });
  }
  private found(token = this.peek()): string {
    return token.kind === "end" ? "the query ends here" : `found '${token.text}'`;
  }
  private expect(text: string, why: string): Token {
    if (!this.isSign(text)) this.fail(`${this.found()}; expected '${text}' ${why}`);
    return this.take();
  }

  whole(): Query {
    const query = this.or();
    if (this.isSign(")")) this.fail("this ')' closes nothing");
    if (this.peek().kind !== "end") this.fail(`${this.found()}; expected 'and', 'or' or the end`);
    return query;
  }

  private or(): Query {
    const items = [this.and()];
    while (this.isWord("or")) {
      this.take();
      items.push(this.and());
    }
    return items.length === 1 ? items[0]! : { kind: "or", items };
  }

  private and(): Query {
    const items = [this.not()];
    for (;;) {
      if (this.isWord("and")) this.take();
      else if (this.peek().kind === "end" || this.isSign(")") || this.isWord("or")) break;
      items.push(this.not());
    }
    return items.length === 1 ? items[0]! : { kind: "and", items };
  }

  private not(): Query {
    if (!this.isWord("not")) return this.primary();
    this.take();
    return { kind: "not", item: this.not() };
  }

  private primary(): Query {
    const token = this.peek();
    if (token.kind === "end") this.fail("the query ends here; expected something to look for");
    if (this.isSign("(")) {
      this.take();
      const query = this.or();
      this.expect(")", "to close the parenthesis");
      return query;
    }
    if (token.kind === "sign") {
      this.fail(`found '${token.text}'; expected text, a filter such as kind:deliver, or a predicate such as nodes[1].term > 3`);
    }
    if (token.kind === "word" && this.isSign(":", 1)) return this.filter();
    const word = token.kind === "word" ? token.text.toLowerCase() : "";
    if (word === "becomes" && this.isSign("(", 1)) {
      this.take();
      this.take();
      const item = this.or();
      this.expect(")", "to close becomes(");
      return { kind: "becomes", item };
    }
    if (word === "changed" && this.isSign("(", 1)) {
      this.take();
      this.take();
      const path = this.path();
      this.expect(")", "to close changed(");
      return { kind: "changed", path };
    }
    if ((word === "any" || word === "all") && (this.peek(1).kind === "word" || this.peek(1).kind === "string") && !this.isWord("and", 1) && !this.isWord("or", 1)) {
      this.take();
      return this.predicate(word);
    }
    if (word === "and" || word === "or") this.fail(`found '${token.text}'; expected something to look for before it`);
    return this.startsPredicate() ? this.predicate("any") : { kind: "text", text: this.take().text };
  }

  /** Whether what comes is compared, looked into, or a function: else it is text. */
  private startsPredicate(): boolean {
    const token = this.peek(1);
    if (this.isWord("len") && this.isSign("(", 1)) return true;
    if (token.kind === "sign" && token.text in COMPARISONS) return true;
    if (this.isWord("in", 1)) return true;
    return this.looksInside();
  }

  private looksInside(): boolean {
    const named = this.peek().kind === "word" || this.peek().kind === "string";
    return named && !this.peek(1).spaced && (this.isSign(".", 1) || this.isSign("[", 1));
  }

  private filter(): Query {
    const name = this.take();
    const known = FILTERS.find((one) => one === name.text.toLowerCase());
    if (!known) {
      const near = nearest(name.text, FILTERS);
      this.fail(`there is no filter '${name.text}:'${near ? `; did you mean '${near}:'?` : ""} Filters are ${FILTERS.join(", ")}; to look for text, put it in quotes`, name);
    }
    const colon = this.take();
    let value = "";
    let end = colon.end;
    // A value goes on until white space: `type:Vote*`, `step:3..9`.
    for (;;) {
      const token = this.peek();
      const first = end === colon.end;
      if (token.kind === "end" || token.spaced || this.isSign(")") || this.isSign("(")) break;
      if (token.kind === "sign" && token.text !== "*" && token.text !== ".") break;
      value += token.text;
      end = token.end;
      this.take();
      if (first && token.kind === "string") break;
    }
    if (value === "") this.fail(`${this.found()}; expected what ${known}: is to be, such as ${EXAMPLES[known]}, without a space`);
    if (known === "step" && !/^\d+(\.\.\d+)?$/.test(value)) {
      this.fail(`found 'step:${value}'; expected a number or a range, such as step:3..9`, { ...name, end });
    }
    return { kind: "filter", name: known, value, at: name.at, end };
  }

  private predicate(quantifier: Quantifier): Query {
    const left = this.operand();
    const sign = this.peek();
    const operator = sign.kind === "sign" ? COMPARISONS[sign.text] : undefined;
    if (operator) {
      this.take();
      return { kind: "compare", quantifier, left, operator, right: this.operand(`after '${sign.text}'`) };
    }
    if (this.isWord("in")) {
      this.take();
      return { kind: "in", quantifier, left, right: this.list() };
    }
    if (left.kind === "path") return { kind: "holds", quantifier, path: left.path };
    this.fail(`${this.found()}; expected a comparison, such as = or >=, or 'in'`);
  }

  private list(): Operand[] | Operand {
    const close = this.isSign("(") ? ")" : this.isSign("[") ? "]" : this.isSign("{") ? "}" : "";
    if (!close) return this.operand("after 'in', or a list such as (Leader, Candidate)");
    this.take();
    const items = [this.operand("in the list")];
    while (this.isSign(",")) {
      this.take();
      items.push(this.operand("after ','"));
    }
    this.expect(close, "or ',' in the list");
    return items;
  }

  private operand(where = "here"): Operand {
    const token = this.peek();
    if (token.kind === "number") return { kind: "number", value: Number(this.take().text) };
    if (token.kind === "string" && !this.looksInside()) return { kind: "word", text: this.take().text, quoted: true };
    if (this.isWord("len") && this.isSign("(", 1)) {
      this.take();
      this.take();
      const path = this.path();
      this.expect(")", "to close len(");
      return { kind: "len", path };
    }
    if ((token.kind !== "word" && token.kind !== "string") || (token.kind === "word" && KEYWORDS.has(token.text))) {
      this.fail(`${this.found()}; expected a value ${where}: a number, a word, "text", or a path such as nodes[1].term`);
    }
    // On the left a word is a field of any node; on the right it is a value, such as Leader.
    if (this.looksInside() || where === "here") return { kind: "path", path: this.path() };
    return { kind: "word", text: this.take().text, quoted: false };
  }

  private path(): Path {
    const root = this.peek();
    if (root.kind !== "word" && root.kind !== "string") {
      this.fail(`${this.found()}; expected a path, such as nodes[1].term`);
    }
    this.take();
    const segments: Segment[] = [];
    let end = root.end;
    for (;;) {
      if (this.peek().spaced) break;
      if (this.isSign(".")) {
        this.take();
        const token = this.peek();
        if (this.isSign("(") && this.peek(1).kind === "word" && this.isSign(")", 2)) {
          this.take();
          segments.push({ kind: "field", name: `(${this.take().text})` });
        } else if (token.kind === "word" || token.kind === "string") {
          segments.push({ kind: "field", name: token.text });
        } else {
          this.fail(`${this.found()}; expected the name of a field after '.'`);
        }
        end = this.take().end;
      } else if (this.isSign("[")) {
        this.take();
        if (this.isSign("*")) {
          segments.push({ kind: "every" });
          this.take();
        } else if (["word", "string", "number"].includes(this.peek().kind)) {
          segments.push({ kind: "key", key: this.take().text });
        } else {
          this.fail(`${this.found()}; expected a number, a name or * after '['`);
        }
        end = this.expect("]", "to close '['").end;
      } else {
        break;
      }
    }
    return { root: root.text, segments, at: root.at, end };
  }
}

const EXAMPLES: Record<FilterName, string> = {
  kind: "kind:deliver", type: "type:Vote", node: "node:2", from: "from:1", step: "step:3..9",
};

export function parseQuery(text: string): Parsed {
  const tokens = tokensOf(text);
  if (!Array.isArray(tokens)) return { ok: false, mistake: tokens };
  try {
    return { ok: true, query: new Parser(tokens).whole() };
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, mistake: error.mistake };
    throw error;
  }
}
