import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ERROR_CODES, type ErrorCode } from "../../shared/contract/errors.ts";
import { DurableEvent, TransientEvent } from "../../shared/contract/event.ts";
import type { NotificationMessage, RequestMessage } from "../../shared/contract/message-type.ts";
import { BUDGET, HOST_STOPPED, StopReason } from "../../shared/contract/stop-reasons.ts";
import { root } from "../root.ts";
import { DESCRIPTIONS } from "../schema/descriptions.ts";
import { sourceFiles } from "../source-files.ts";
import { fillBlocks, type GeneratedPage } from "./generated-page.ts";
import { ERROR_NOTES, REASON_NOTES, STOP_NOTES } from "./notes/code-notes.ts";
import { EVENT_NOTES } from "./notes/event-notes.ts";
import { FIELD_NOTES } from "./notes/field-notes.ts";
import { NoteBook } from "./notes/note-book.ts";
import {
  alternativesOf,
  entriesOf,
  type Field,
  fieldsOf,
  isOptional,
  type SchemaNames,
  typeMarkdown,
  typeText,
} from "./zod-text.ts";

type Message = RequestMessage<z.ZodType, z.ZodType> | NotificationMessage<z.ZodType>;

/** Names in the team file's descriptions that are not the schema's own. */
const DESCRIBED_AS: Readonly<Record<string, string>> = {
  TeamDefinition: "Team",
  ParticipantDefinition: "Participant",
  HandoffDefinition: "Handoff",
  MemoryDefinition: "Memory",
  ContextDefinition: "Context",
  ToolDeclaration: "Tool",
  GraphEdge: "Edge",
};

/** The page's first example; test/contract/minimal-client.test.ts runs it. */
const EXAMPLE = "docs/examples/minimal-client.mjs";

/** Shapes that are shown in a table of their own kind. */
const EVENTS = ["DurableEvent", "TransientEvent", "TeamEvent"];

export const protocolPage: GeneratedPage = {
  path: "docs/PROTOCOL.md",
  render: async (current) => fillBlocks(current, await protocolBlocks()),
};

/**
 * Every generated block of the page by its name: one for each message (its method) and each shape (its name), and the
 * tables of events, error codes, stop reasons and status reasons.
 * @throws Error that lists what has no note, and what is noted and does not exist.
 */
async function protocolBlocks(): Promise<Map<string, string>> {
  const { messages, names } = await contract();
  const notes = new NoteBook(FIELD_NOTES, definitionNotes());
  const blocks = new Map<string, string>();
  for (const message of messages) blocks.set(message.method, messageBlock(message, names, notes));
  for (const [schema, name] of names) {
    if (!EVENTS.includes(name)) blocks.set(name, shapeBlock(schema, name, names, notes));
  }
  blocks.set("minimal-client", `\`\`\`js\n${await readFile(join(root, EXAMPLE), "utf8")}\`\`\``);
  blocks.set("events", eventBlock(names, notes));
  blocks.set("errors", errorBlock());
  blocks.set("stop-reasons", codeBlock("stop reason", Object.values(StopReason), STOP_NOTES, notes));
  notes.requireCodes(REASON_NOTES, [BUDGET, HOST_STOPPED], "status reason");
  blocks.set("status-reasons", codeBlock("`status.reason`", Object.keys(REASON_NOTES), REASON_NOTES, notes));
  notes.close();
  return blocks;
}

/** All messages and named shapes that the contract's modules export; those of shapes start with a capital letter. */
async function contract(): Promise<{ readonly messages: readonly Message[]; readonly names: SchemaNames }> {
  const messages = new Set<Message>();
  const names = new Map<z.core.$ZodType, string>();
  for (const file of sourceFiles(root, "shared/contract")) {
    if (file.endsWith(".test.ts")) continue;
    const exported: Record<string, unknown> = await import(join(root, file));
    for (const [name, value] of Object.entries(exported)) {
      if (value instanceof z.ZodType && /^[A-Z]/u.test(name)) names.set(value, names.get(value) ?? name);
      else if (isMessage(value)) messages.add(value);
    }
  }
  return { messages: [...messages], names };
}

const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "method" in value && "params" in value;

/** The notes of what team files have too are the descriptions of those. */
function definitionNotes(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const schemaOf = new Map(Object.entries(DESCRIBED_AS).map(([schema, described]) => [described, schema]));
  return new Map(Object.entries(DESCRIPTIONS).map(([name, texts]) => [schemaOf.get(name) ?? name, texts]));
}

function messageBlock(message: Message, names: SchemaNames, notes: NoteBook): string {
  const { method, params } = message;
  const fields = fieldsOf(params, names) ?? [];
  const parts = [fields.length === 0 ? "Params: none." : `Params:\n\n${fieldTable(fields, method, notes)}`];
  if (message.kind === "request") parts.push(resultText(message.result, `${method} result`, names, notes));
  return parts.join("\n\n");
}

function resultText(result: z.ZodType, name: string, names: SchemaNames, notes: NoteBook): string {
  const fields = names.has(result) ? undefined : fieldsOf(result, names);
  if (fields !== undefined) return `Result:\n\n${fieldTable(fields, name, notes)}`;
  if (names.has(result)) return `Result: ${typeMarkdown(typeText(result, names))}.`;
  const texts = alternativesOf(result, names);
  if (texts.length === 1) return `Result: ${typeMarkdown(texts[0] ?? "")}.`;
  return `Result, one of:\n\n${alternatives(texts)}\n\n${wrapped(notes.take(name, ""))}`;
}

function shapeBlock(schema: z.core.$ZodType, name: string, names: SchemaNames, notes: NoteBook): string {
  const values = entriesOf(schema);
  if (values !== undefined) {
    return table(
      ["value", "meaning"],
      values.map((value) => [`\`${value}\``, notes.take(name, value)]),
    );
  }
  const fields = fieldsOf(schema, names);
  if (fields !== undefined) return fieldTable(fields, name, notes);
  return `One of:\n\n${alternatives(alternativesOf(schema, names))}\n\n${wrapped(notes.take(name, ""))}`;
}

const alternatives = (texts: readonly string[]): string =>
  texts.map((text) => `- ${typeMarkdown(text).replaceAll("\\|", "|")}`).join("\n");

/** Prose in lines of at most 120 columns. */
const wrapped = (text: string): string => text.replaceAll(/(?=.{121})(.{1,120}) /g, "$1\n");

function fieldTable(fields: readonly Field[], name: string, notes: NoteBook): string {
  return table(
    ["field", "type", "meaning"],
    fields.map(({ keys, type, isOptional: optional }) => [
      `\`${keys}${optional ? "?" : ""}\``,
      typeMarkdown(type),
      notes.take(name, keys),
    ]),
  );
}

function eventBlock(names: SchemaNames, notes: NoteBook): string {
  const shapes = new Map([...names].map(([schema, name]) => [name, schema]));
  const events = [
    ...DurableEvent.options.map((schema) => ({ schema, isDurable: true })),
    ...TransientEvent.options.map((schema) => ({ schema, isDurable: false })),
  ].map((event) => ({ ...event, type: [...event.schema.shape.type.values].join() }));
  const types = Object.keys(EVENT_NOTES);
  notes.checkCodes(
    EVENT_NOTES,
    events.map(({ type }) => type),
    "event",
  );
  const rows = events
    .toSorted((a, b) => types.indexOf(a.type) - types.indexOf(b.type))
    .map(({ schema, type, isDurable }) => {
      const { text = "", like } = EVENT_NOTES[type] ?? {};
      const shape = like === undefined ? [] : Object.keys(shapeOf(shapes.get(like)));
      const place = ["seq", "at", "runId", "path", "type"];
      const own = Object.entries<z.ZodType>(schema.shape).filter(
        ([key]) => !place.includes(key) && !shape.includes(key),
      );
      const fields = own.map(
        ([key, value]) => `\`${key}${isOptional(value) ? "?" : ""}\`: ${typeMarkdown(typeText(value, names))}`,
      );
      if (like !== undefined) fields.push(`the fields of [${like}](#${like.toLowerCase()})`);
      return [`\`${type}\``, fields.join(", ") || "none", isDurable ? text : `No \`seq\`, not stored. ${text}`];
    });
  return table(["type", "fields", "when"], rows);
}

const shapeOf = (schema: z.core.$ZodType | undefined): Readonly<Record<string, unknown>> =>
  schema instanceof z.ZodObject ? schema.shape : {};

function errorBlock(): string {
  const codes = Object.entries(ERROR_CODES) as [ErrorCode, number][];
  return table(
    ["code", "`data.code`", "when, and what else is in `data`"],
    codes.map(([code, number]) => [`${number}`, `\`${code}\``, ERROR_NOTES[code]]),
  );
}

function codeBlock(
  title: string,
  codes: readonly string[],
  texts: Readonly<Record<string, string>>,
  notes: NoteBook,
): string {
  notes.checkCodes(texts, codes, title);
  return table(
    [title, "when"],
    codes.map((code) => [`\`${code}\``, texts[code] ?? ""]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
