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

export class Validator {
  constructor(private readonly root: Schema) {}

  /** The first mistake in `value`, or null. */
  check(value: unknown): string | null {
    return this.walk(value, this.root, "");
  }

  private resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.replace("#/definitions/", "");
    const found = this.root.definitions?.[name];
    if (!found) throw new Error(`the schema has no definition '${name}'`);
    return found;
  }

  private walk(value: unknown, given: Schema, place: string): string | null {
    const schema = this.resolve(given);
    const fail = (expected: string) =>
      value === undefined
        ? `${place || "the file"}: is missing; expected ${expected}`
        : `${place || "the file"}: found ${shown(value)}; expected ${expected}`;
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
        if (schema.pattern && !new RegExp(schema.pattern).test(value)) {
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
          const mistake = this.walk(value[i], schema.items, `${place}[${i}]`);
          if (mistake) return mistake;
        }
        return null;
      case "object":
        return isRecord(value) ? this.walkFields(value, schema, place) : fail("an object");
      default:
        return null;
    }
  }

  private walkFields(value: Record<string, unknown>, schema: Schema, place: string): string | null {
    const at = (name: string) => (place ? `${place}.${name}` : name);
    for (const name of schema.required ?? []) {
      if (value[name] !== undefined && value[name] !== null) continue;
      const mistake = this.walk(value[name], schema.properties?.[name] ?? {}, at(name));
      return mistake ?? `${at(name)}: is missing`;
    }
    for (const [name, item] of Object.entries(value)) {
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
