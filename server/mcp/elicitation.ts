import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { type ElicitAnswer, ElicitField, type ElicitQuestion } from "../../shared/contract/mcp-question.ts";
import { isRecord } from "../../shared/json-record.ts";
import { safeParse } from "../../shared/safe-parse.ts";

/** Asks the user; an abort takes the question back. */
export type Elicit = (question: ElicitQuestion, signal: AbortSignal) => Promise<ElicitAnswer>;

const MAX_FIELDS = 20;
const MAX_MESSAGE = 2_000;

/** Asks the user what a server wants to know. What cannot be asked is declined. */
export async function askedByServer(
  params: ElicitRequestParams,
  elicit: Elicit,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const question = questionOf(params);
  if (question === undefined) return { action: "decline" };
  const { action, content } = await elicit(question, signal);
  return action === "accept" && content !== undefined ? { action, content } : { action };
}

function questionOf(params: ElicitRequestParams): ElicitQuestion | undefined {
  const message = params.message.slice(0, MAX_MESSAGE);
  if (params.mode === "url") {
    const url = webAddress(params.url);
    return url === undefined ? undefined : { mode: "url", message, url };
  }
  const { properties, required = [] } = params.requestedSchema;
  const names = Object.keys(properties);
  if (names.length > MAX_FIELDS) return undefined;
  const fields: ElicitField[] = [];
  for (const name of names) {
    const field = fieldOf(name, properties[name], required.includes(name));
    if (field === undefined) return undefined;
    fields.push(field);
  }
  return { mode: "form", message, fields };
}

/** The protocol allows flat fields only: texts, numbers, yes or no, and choices. */
function fieldOf(name: string, schema: unknown, required: boolean): ElicitField | undefined {
  if (!isRecord(schema)) return undefined;
  const items = isRecord(schema["items"]) ? schema["items"] : undefined;
  const choices = choicesOf(schema, schema["enumNames"]) ?? (items && choicesOf(items, undefined));
  const { title, description, format } = schema;
  const field = {
    name,
    type: schema["type"] === "array" ? "choices" : choices === undefined ? schema["type"] : "choice",
    title,
    description,
    required,
    choices,
    default: schema["default"],
    format,
    minimum: firstOf(schema, ["minimum", "minLength", "minItems"]),
    maximum: firstOf(schema, ["maximum", "maxLength", "maxItems"]),
  };
  const given = Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined));
  const parsed = safeParse(ElicitField, given);
  return parsed.success ? parsed.data : undefined;
}

const firstOf = (schema: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown =>
  schema[keys.find((key) => schema[key] !== undefined) ?? ""];

function choicesOf(schema: Readonly<Record<string, unknown>>, names: unknown): unknown {
  const titled = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(titled)) {
    return titled.map((one: unknown) => (isRecord(one) ? { value: one["const"], title: one["title"] } : {}));
  }
  const values = schema["enum"];
  if (!Array.isArray(values)) return undefined;
  const titles: readonly unknown[] = Array.isArray(names) ? names : [];
  return values.map((value: unknown, at) => ({ value, title: titles[at] ?? value }));
}

/**
 * An address as a browser takes it, so that what is shown is what opens: with its host in ASCII, where letters of other
 * scripts cannot pass for those of another name. Undefined for any other, and for one with a user, which could look like its
 * host.
 */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? url.href
    : undefined;
}
