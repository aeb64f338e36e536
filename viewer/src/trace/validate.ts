// Holds JSON against a schema: the part of JSON Schema that trace.schema.json uses. The first mistake
// is told with its place, what was found there, and what would be right.

export interface Schema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
  $ref?: string;
  definitions?: Readonly<Record<string, Schema>>;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? text.slice(0, 59) + "…" : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Where a value stands. It is only written out for a mistake: a long trace has millions of places.
interface Place {
  inside: Place | null;
  key: string | number;
}

function placeText(place: Place | null): string {
  if (!place) return "";
  const before = placeText(place.inside);
  if (typeof place.key === "number") return `${before}[${place.key}]`;
  return before ? `${before}.${place.key}` : place.key;
}

export class Validator {
  private readonly definitions = new Map<string, Schema>();
  private readonly patterns = new Map<string, RegExp>();

  constructor(private readonly root: Schema) {
    for (const [name, schema] of Object.entries(root.definitions ?? {})) {
      this.definitions.set(`#/definitions/${name}`, schema);
    }
  }

  /** The first mistake in `value`, or null. */
  check(value: unknown): string | null {
    return this.walk(value, this.root, null);
  }

  private resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = this.definitions.get(schema.$ref);
    if (!found) throw new Error(`the schema has no definition '${schema.$ref}'`);
    return found;
  }

  private matches(pattern: string, value: string): boolean {
    let known = this.patterns.get(pattern);
    if (!known) this.patterns.set(pattern, (known = new RegExp(pattern)));
    return known.test(value);
  }

  private fail(value: unknown, place: Place | null, expected: string): string {
    const where = placeText(place) || "the file";
    return value === undefined ? `${where}: is missing; expected ${expected}`
      : `${where}: found ${shown(value)}; expected ${expected}`;
  }

  private walk(value: unknown, given: Schema, place: Place | null): string | null {
    const schema = this.resolve(given);
    const fail = (expected: string) => this.fail(value, place, expected);
    if (schema.anyOf) {
      // A null is told apart at once; of what is left, the mistake of the first is the useful one.
      const mistakes = schema.anyOf.map((one) => this.walk(value, one, place));
      return mistakes.includes(null) ? null : (mistakes[0] ?? null);
    }
    if ("const" in schema && value !== schema.const) return fail(JSON.stringify(schema.const));
    if (schema.enum && !schema.enum.includes(value)) return fail(`one of ${schema.enum.join(", ")}`);
    switch (schema.type) {
      case "string":
        if (typeof value !== "string") return fail("text");
        if (schema.pattern && !this.matches(schema.pattern, value)) {
          return fail(schema.pattern.includes("{16}") ? "16 hexadecimal digits" : schema.pattern);
        }
        return null;
      case "boolean":
        return typeof value === "boolean" ? null : fail("true or false");
      case "null":
        return value === null ? null : fail("null");
      case "integer": {
        const least = schema.minimum ?? -Infinity;
        const right = typeof value === "number" && Number.isInteger(value) && value >= least;
        return right ? null : fail(`a whole number, at least ${least}`);
      }
      case "array":
        if (!Array.isArray(value)) return fail("a list");
        for (let i = 0; schema.items && i < value.length; ++i) {
          const mistake = this.walk(value[i], schema.items, { inside: place, key: i });
          if (mistake) return mistake;
        }
        return null;
      case "object":
        return isRecord(value) ? this.walkFields(value, schema, place) : fail("an object");
      default:
        return null;
    }
  }

  private walkFields(
    value: Record<string, unknown>, schema: Schema, place: Place | null,
  ): string | null {
    const at = (name: string): Place => ({ inside: place, key: name });
    for (const name of schema.required ?? []) {
      if (value[name] !== undefined && value[name] !== null) continue;
      const mistake = this.walk(value[name], schema.properties?.[name] ?? {}, at(name));
      return mistake ?? `${placeText(at(name))}: is missing`;
    }
    for (const name of Object.keys(value)) {
      const item = value[name];
      const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
      const field = known ?? schema.additionalProperties;
      // Fields that nobody knows are left alone, as everywhere; null says the same as leaving out.
      if (field === undefined || typeof field === "boolean" || item === null) continue;
      const mistake = this.walk(item, field, at(name));
      if (mistake) return mistake;
    }
    return null;
  }
}
