import type { z } from "zod";

/** One row of a field table: the key, or the keys that lead to it, and its type as text. */
export interface Field {
  readonly keys: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** The exported schemas by what they are called on the page. */
export type SchemaNames = ReadonlyMap<z.core.$ZodType, string>;

type Def = z.core.$ZodTypes["_zod"]["def"];

const defOf = (schema: z.core.$ZodType): Def => (schema as z.core.$ZodTypes)._zod.def;

const NAME = (name: string): string => `«${name}»`;

/** The text of a type as Markdown: names become links to their headings, all else is code. Events share a heading. */
export function typeMarkdown(text: string): string {
  return text
    .split(/(«\w+»)/)
    .filter((part) => part !== "")
    .map((part) => {
      const name = /^«(\w+)»$/.exec(part)?.[1];
      if (name !== undefined) return `[${name}](#${name.endsWith("Event") ? "events" : name.toLowerCase()})`;
      return part === "[]" ? "\\[\\]" : `\`${part.trim()}\``.replace("|", "\\|").replaceAll(/(?<!\\)\|/g, "\\|");
    })
    .join(" ")
    .replaceAll(" \\[\\]", "\\[\\]");
}

/** What a schema allows, as text in the manner of TypeScript; `names` are given by name, but for `schema` itself. */
export function typeText(schema: z.core.$ZodType, names: SchemaNames, isTop = false): string {
  const name = names.get(schema);
  if (name !== undefined && !isTop) return NAME(name);
  const def = defOf(schema);
  const text = (inner: z.core.$ZodType): string => typeText(inner, names);
  switch (def.type) {
    case "string":
    case "boolean":
    case "unknown":
    case "null":
      return def.type;
    case "number":
      return isInteger(def) ? "integer" : "number";
    case "literal":
      return def.values.map((value) => JSON.stringify(value)).join(" | ");
    case "enum":
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(" | ");
    case "array":
      return listOf(text(def.element));
    case "record":
      return `{ [key]: ${text(def.valueType)} }`;
    case "optional":
    case "readonly":
      return text(def.innerType);
    case "nullable":
      return `${text(def.innerType)} | null`;
    case "union":
      return def.options.map(text).join(" | ");
    case "lazy":
      return typeText(def.getter(), names, isTop);
    case "object":
      return `{ ${Object.entries(def.shape)
        .map(([key, value]) => `${key}${isOptional(value) ? "?" : ""}: ${text(value)}`)
        .join(", ")} }`;
    default:
      throw new Error(`the page cannot show a schema of type ${def.type}; teach scripts/docs/zod-text.ts`);
  }
}

/** What a union allows, one text for each of its members; a single text for any other schema. */
export function alternativesOf(schema: z.core.$ZodType, names: SchemaNames): string[] {
  const def = defOf(schema);
  if (def.type === "nullable") return [...alternativesOf(def.innerType, names), "null"];
  return def.type === "union" ? def.options.map((option) => typeText(option, names)) : [typeText(schema, names, true)];
}

/** The fields of an object, those of unnamed objects within it by the keys that lead to them; undefined for no object. */
export function fieldsOf(schema: z.core.$ZodType, names: SchemaNames, above = ""): Field[] | undefined {
  const def = defOf(schema);
  if (def.type === "lazy") return fieldsOf(def.getter(), names, above);
  if (def.type !== "object") return undefined;
  return Object.entries(def.shape).flatMap(([key, value]) => {
    const { inner, suffix } = unwrapped(value, names);
    const keys = `${above}${key}`;
    const isUnnamed = !names.has(inner);
    const within = isUnnamed ? fieldsOf(inner, names, `${keys}${suffix}.`) : undefined;
    const type = within === undefined || within.length === 0 ? typeText(value, names) : `object${suffix}`;
    return [{ keys, type, isOptional: isOptional(value) }, ...(within ?? [])];
  });
}

/** True where the key may be left out. */
export const isOptional = (schema: z.core.$ZodType): boolean => (schema as z.core.$ZodTypes)._zod.optin === "optional";

/** The values of an enumeration, in their order; undefined for any other schema. */
export function entriesOf(schema: z.core.$ZodType): string[] | undefined {
  const def = defOf(schema);
  return def.type === "enum" ? Object.values(def.entries).map(String) : undefined;
}

function unwrapped(schema: z.core.$ZodType, names: SchemaNames): { inner: z.core.$ZodType; suffix: string } {
  const def = defOf(schema);
  if (names.has(schema)) return { inner: schema, suffix: "" };
  if (def.type === "optional" || def.type === "readonly") return unwrapped(def.innerType, names);
  if (def.type === "array") {
    const { inner, suffix } = unwrapped(def.element, names);
    return { inner, suffix: `${suffix}[]` };
  }
  return { inner: schema, suffix: "" };
}

const listOf = (element: string): string => (/ \| /.test(element) ? `(${element})[]` : `${element}[]`);

const isInteger = ({ checks = [] }: Def): boolean =>
  checks.some((check) => "format" in check._zod.def && String(check._zod.def.format).includes("int"));
