import { type CompletionItem, CompletionItemKind, MarkupKind } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { stringify } from "yaml";
import type { JsonRecord } from "../../../shared/json-record.ts";
import type { ValidationContext } from "../definition/definition-scope.ts";
import { valueAt } from "../definition/path.ts";
import { asRecord } from "../definition/unchecked-json.ts";
import { type Cursor, cursorAt } from "./cursor.ts";
import { keyNamesAt, type Name, namesAt } from "./names.ts";
import { choicesOf, keysOf, type Place, placesAt, typesOf } from "./schema-places.ts";

/** What completion and hover need to know beside the text. */
export interface Language {
  /** The JSON Schema of team files. */
  readonly schema: JsonRecord;
  readonly around: ValidationContext;
}

/** What can be written at an offset of a team file: keys, the values that the schema lists, and names. */
export function completionsAt(document: TextDocument, offset: number, language: Language): CompletionItem[] {
  const text = document.getText();
  const cursor = cursorAt(text, offset);
  if (cursor === undefined) return [];
  const isJson = document.uri.endsWith(".json");
  const write = new Writer(document, cursor, isJson);
  const { path, content } = cursor;
  if (cursor.kind === "key") return keyItems(cursor, language, write);
  const places = placesAt(language.schema, content, path);
  const values = [
    ...(namesAt(content, path, language.around) ?? []).map((name, at) => write.name(name, at)),
    ...choicesOf(places).map((choice, at) => write.choice(choice, places[0]?.description, at)),
  ];
  // On a line of its own the same word may become the first key of a map, or of the first map of a list.
  if (!cursor.isAlone || cursor.isFlow) return values;
  return [
    ...values,
    ...keyItems(cursor, language, write),
    ...itemKeys(cursor, language).map((key, at) => write.key(key.key, key, language, at, "- ")),
    ...itemNames(cursor, language).map((name, at) => write.name(name, at, "- ")),
  ];
}

function keyItems(cursor: Cursor, language: Language, write: Writer): CompletionItem[] {
  const { content, path } = cursor;
  const places = placesAt(language.schema, content, path);
  const present = Object.keys(asRecord(valueAt(content, path)));
  const most = places.map(({ schema }) => schema["maxProperties"]).find((limit) => typeof limit === "number");
  if (most !== undefined && present.length >= most) return [];
  const free = keysOf(places).filter(({ key }) => !present.includes(key));
  const names = (keyNamesAt(content, path, language.around) ?? []).filter(({ name }) => !present.includes(name));
  return [
    ...free.map((key, at) => write.key(key.key, key, language, at)),
    ...names.map((name, at) => write.key(name.name, { schema: {}, description: name.detail }, language, at)),
  ];
}

const itemKeys = ({ content, path }: Cursor, { schema }: Language): ReturnType<typeof keysOf> =>
  keysOf(placesAt(schema, content, [...path, 0]));

const itemNames = ({ content, path }: Cursor, { around }: Language): readonly Name[] =>
  namesAt(content, [...path, 0], around) ?? [];

/** Makes completion items that replace the word at the cursor. */
class Writer {
  readonly #document: TextDocument;
  readonly #cursor: Cursor;
  readonly #isJson: boolean;
  readonly #hasColon: boolean;

  constructor(document: TextDocument, cursor: Cursor, isJson: boolean) {
    this.#document = document;
    this.#cursor = cursor;
    this.#isJson = isJson;
    this.#hasColon = /^\s*:/.test(document.getText().slice(cursor.end, cursor.end + 100));
  }

  key(key: string, place: Place, language: Language, order: number, prefix = ""): CompletionItem {
    const written = this.#quoted(key);
    const { isFlow } = this.#cursor;
    const after = this.#hasColon ? "" : `:${isFlow ? " " : this.#valueStart(place, language, prefix)}`;
    return {
      ...this.#item(`${prefix}${key}`, `${prefix}${written}${after}`, order),
      kind: CompletionItemKind.Property,
      ...documented(place.description),
      ...(after.endsWith(" ") ? { command: SUGGEST } : {}),
    };
  }

  choice(value: string | number | boolean, description: string | undefined, order: number): CompletionItem {
    const label = String(value);
    const written = typeof value === "string" ? this.#quoted(value) : label;
    return { ...this.#item(label, written, order), kind: CompletionItemKind.Value, ...documented(description) };
  }

  name({ name, detail, description }: Name, order: number, prefix = ""): CompletionItem {
    const item = this.#item(`${prefix}${name}`, `${prefix}${this.#quoted(name)}`, order);
    const shown = { ...(detail === undefined ? {} : { detail }), ...documented(description) };
    return { ...item, kind: CompletionItemKind.Reference, ...shown };
  }

  #item(label: string, newText: string, order: number): CompletionItem {
    const { start, end } = this.#cursor;
    const range = { start: this.#document.positionAt(start), end: this.#document.positionAt(end) };
    const quoted = this.#document.getText(range);
    return {
      label,
      sortText: String(order).padStart(4, "0"),
      // The editor compares what is written, quotes included, with this.
      filterText: quoted.startsWith('"') || quoted.startsWith("'") ? `${quoted.charAt(0)}${label}` : label,
      textEdit: { range, newText },
      // The lines are indented here; the editor must not indent them again.
      insertTextMode: 1,
    };
  }

  /** What follows the colon of a key: a space, or a new line for a map or a list. */
  #valueStart({ schema }: Place, { schema: root }: Language, prefix: string): string {
    const indent = " ".repeat(this.#cursor.column + prefix.length + 2);
    const types = typesOf(root, schema);
    if (types.length === 0 || types.some((type) => type !== "object" && type !== "array")) return " ";
    return types.includes("array") ? `\n${indent}- ` : `\n${indent}`;
  }

  #quoted(text: string): string {
    const { quote } = this.#cursor;
    if (this.#isJson) return JSON.stringify(text);
    const plain = stringify(text, { lineWidth: 0 }).trimEnd();
    if (quote === undefined) return plain;
    return quote === '"' ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`;
  }
}

/** Shows the choices for a value right after its key. */
const SUGGEST = { title: "Suggest", command: "editor.action.triggerSuggest" };

const documented = (description: string | undefined): Partial<CompletionItem> =>
  description === undefined ? {} : { documentation: { kind: MarkupKind.PlainText, value: description } };
