import { parse, stringify } from "yaml";
import type { JsonSchema } from "../schema/json-schema.ts";
import { teamFileSchema } from "../schema/team-file-schema.ts";
import { fillBlocks, type GeneratedPage } from "./generated-page.ts";
import { type KeyUse, keyUses } from "./key-uses.ts";

/** The longest example in a table, in characters. */
const LONGEST_EXAMPLE = 90;

type Definitions = Readonly<Record<string, JsonSchema>>;

/** The reference of team files: its tables come from the JSON Schema, the examples in them from the YAML on the page. */
export const teamFilesPage: GeneratedPage = {
  path: "docs/TEAM-FILES.md",
  render: (current) => fillBlocks(current, teamFileBlocks(current)),
};

/** The text of every YAML example on a page. */
export const yamlExamples = (page: string): string[] =>
  [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);

/**
 * A table for each definition of the JSON Schema, by its name.
 * @throws Error that lists every key that no example on the page uses.
 */
function teamFileBlocks(page: string): Map<string, string> {
  const definitions: Definitions = teamFileSchema().definitions ?? {};
  const uses = yamlExamples(page).flatMap((text) => keyUses(parse(text), "Team", definitions));
  const missing: string[] = [];
  const blocks = new Map(
    Object.entries(definitions).map(([name, definition]) => {
      const rows = rowsOf(definition, "").map(({ keys, schema, isRequired }) => {
        const example = exampleOf(uses.filter((use) => use.definition === name && use.keys === keys));
        if (example === undefined) missing.push(`${name}.${keys}`);
        return [`\`${keys}\`${isRequired ? " (required)" : ""}`, typeText(schema), text(schema), example ?? ""];
      });
      return [name, table(["key", "value", "meaning", "example"], rows)] as const;
    }),
  );
  if (missing.length > 0) throw new Error(`no example uses ${missing.join(", ")}`);
  return blocks;
}

interface Row {
  /** The keys that lead to it from the definition, with dots between them. */
  readonly keys: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Every key of a definition and of the maps within it, but not of other definitions. */
function rowsOf(schema: JsonSchema, above: string): Row[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    if (typeof property === "boolean") return [];
    const keys = above === "" ? key : `${above}.${key}`;
    return [{ keys, schema: property, isRequired: required.includes(key) }, ...rowsOf(property, keys)];
  });
  return [...own, ...branches.flatMap((branch) => rowsOf(branch, above))];
}

function typeText(schema: JsonSchema): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return `[${reference}](#${reference.toLowerCase()})`;
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => `\`${value}\``).join(", ");
  if (schema["const"] !== undefined) return `\`${schema["const"]}\``;
  const branches = schema.anyOf ?? asSchemas(schema["oneOf"]);
  if (branches.length > 0) return [...new Set(branches.map(typeText))].join(" or ");
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`;
  const [values] = asSchemas([schema["additionalProperties"]]);
  if (schema["type"] === "object") {
    return values === undefined || Object.keys(values).length === 0 ? "map" : `map of ${typeText(values)}`;
  }
  return schema["type"] === "string" ? "text" : String(schema["type"] ?? "any value");
}

/** The name of the definition that a schema refers to. */
function referenceOf(schema: JsonSchema): string | undefined {
  const [only] = schema.allOf ?? [];
  const reference = schema["$ref"] ?? only?.["$ref"];
  return typeof reference === "string" ? reference.split("/").at(-1) : undefined;
}

const asSchemas = (value: unknown): JsonSchema[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];

const text = ({ description }: JsonSchema): string => cell(String(description ?? ""));

/** The shortest use of a key as YAML; a long value is abbreviated. */
function exampleOf(uses: readonly KeyUse[]): string | undefined {
  const texts = uses.map(({ key, value }) => inlineYaml(key, value)).sort((a, b) => a.length - b.length);
  const [shortest] = texts;
  if (shortest === undefined) return undefined;
  const [key = ""] = shortest.split(":", 1);
  return `\`${shortest.length <= LONGEST_EXAMPLE ? shortest : `${key}: …`}\``.replaceAll("|", "\\|");
}

/** One key and its value on one line, as in `{ a: [1, 2] }` without the outer braces. */
function inlineYaml(key: string, value: unknown): string {
  const text = stringify({ [key]: value }, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true });
  return text.trim().replace(/^\{ ([\s\S]*) \}$/, "$1");
}

const cell = (value: string): string => value.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
