import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { SchemaError } from "./schema-error.ts";

/** The base of a schema without an `$id`; it is never requested. */
const BASE = "schema:/";

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Finds what `$ref` names within one schema document. */
export class References {
  /** True if the document uses a keyword that needs to know what other keywords have evaluated. */
  readonly hasUnevaluated: boolean;
  readonly #resources = new Map<string, unknown>();
  readonly #anchors = new Map<string, unknown>();
  readonly #bases = new Map<JsonRecord, string>();
  readonly #found = new Map<JsonRecord, unknown>();
  readonly #idKey: "$id" | "id";

  constructor(root: JsonRecord, draft: string) {
    this.#idKey = draft === "4" ? "id" : "$id";
    this.#resources.set(BASE, root);
    let hasUnevaluated = false;
    for (const schema of this.#collect(root)) {
      hasUnevaluated ||= Object.hasOwn(schema, "unevaluatedProperties") || Object.hasOwn(schema, "unevaluatedItems");
    }
    this.hasUnevaluated = hasUnevaluated;
  }

  /** The schema that `ref` names in `schema`. @throws SchemaError if there is none. */
  resolve(schema: JsonRecord, ref: string): unknown {
    const known = this.#found.get(schema);
    if (known !== undefined) return known;
    const target = this.#find(schema, ref);
    if (target === undefined) throw new SchemaError(`Unresolved $ref ${JSON.stringify(ref.slice(0, 200))}`);
    this.#found.set(schema, target);
    return target;
  }

  #find(schema: JsonRecord, ref: string): unknown {
    const uri = absolute(ref, this.#bases.get(schema) ?? BASE);
    if (uri === undefined) return undefined;
    const [document = "", fragment = ""] = uri.split("#", 2);
    const resource = this.#resources.get(document);
    if (fragment === "" || resource === undefined) return resource;
    return fragment.startsWith("/") ? pointed(resource, fragment) : this.#anchors.get(`${document}#${fragment}`);
  }

  /** Every object of the document, after its base is recorded. */
  *#collect(root: JsonRecord): Generator<JsonRecord, void> {
    const waiting: { readonly value: unknown; readonly base: string }[] = [{ value: root, base: BASE }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { value } = next;
      let { base } = next;
      if (Array.isArray(value)) {
        for (const item of value as readonly unknown[]) waiting.push({ value: item, base });
      } else if (isRecord(value)) {
        base = this.#place(value, base);
        yield value;
        for (const [key, inner] of Object.entries(value)) if (!DATA.has(key)) waiting.push({ value: inner, base });
      }
    }
  }

  /** Records an object's base and anchors; returns the base of what is in it. */
  #place(schema: JsonRecord, outer: string): string {
    const id = schema[this.#idKey];
    const uri = typeof id === "string" ? absolute(id, outer) : undefined;
    const [document = "", fragment = ""] = uri?.split("#", 2) ?? [];
    const base = document === "" || fragment !== "" ? outer : document;
    if (base !== outer) this.#resources.set(base, schema);
    // Before 2019-09, an anchor is an `$id` that is only a fragment.
    for (const anchor of [schema["$anchor"], schema["$dynamicAnchor"], fragment]) {
      if (typeof anchor === "string" && anchor !== "") this.#anchors.set(`${base}#${anchor}`, schema);
    }
    this.#bases.set(schema, base);
    return base;
  }
}

const absolute = (reference: string, base: string): string | undefined => URL.parse(reference, base)?.href;

/** What a JSON pointer, percent-encoded, points at. */
function pointed(root: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, part) => {
      const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      return typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as JsonRecord)[key]
        : undefined;
    }, root);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
