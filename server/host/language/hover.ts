import { type Hover, MarkupKind } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { Path } from "../definition/path.ts";
import type { Language } from "./completion.ts";
import { type IncompleteText, readIncomplete } from "./incomplete-text.ts";
import { keyNamesAt, namesAt } from "./names.ts";
import { choicesOf, placesAt } from "./schema-places.ts";

/** What a key or a value at an offset of a team file means; null where there is nothing to say. */
export function hoverAt(document: TextDocument, offset: number, { schema, around }: Language): Hover | null {
  const read = readIncomplete(document.getText());
  const found = read === undefined ? undefined : scalarAt(read.root, [], offset);
  if (read === undefined || found === undefined) return null;
  const content = contentOf(read);
  const places = placesAt(schema, content, found.path);
  const names = found.isKey
    ? keyNamesAt(content, found.path.slice(0, -1), around)
    : namesAt(content, found.path, around);
  const choices = found.isKey ? choicesOf(places).map(String) : [];
  const named = names?.find(({ name }) => name === found.text);
  const parts = [
    named?.detail,
    named?.description,
    places.find(({ description }) => description !== undefined)?.description,
    choices.length > 1 ? `Values: ${choices.join(", ")}` : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return null;
  // Plain text: a description in the file can be anybody's.
  return {
    contents: { kind: MarkupKind.PlainText, value: parts.join("\n\n") },
    range: { start: document.positionAt(found.start), end: document.positionAt(found.end) },
  };
}

function contentOf(read: IncompleteText): unknown {
  try {
    return read.content();
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

interface Found {
  readonly path: Path;
  readonly isKey: boolean;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function scalarAt(node: Node | null, path: Path, offset: number): Found | undefined {
  if (isScalar(node)) return within(node, path, offset, false);
  if (isSeq<Node | null>(node)) {
    for (const [at, item] of node.items.entries()) {
      const found = scalarAt(item, [...path, at], offset);
      if (found !== undefined) return found;
    }
  }
  if (isMap<Node, Node | null>(node)) {
    for (const { key, value } of node.items) {
      // A map or list as a key is nothing that a team file has, and writing it out can take very long.
      const here = [...path, isScalar(key) ? String(key.value) : ""];
      const found = within(key, here, offset, true) ?? scalarAt(value, here, offset);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function within(node: Node, path: Path, offset: number, isKey: boolean): Found | undefined {
  const [start, end] = node.range ?? [0, 0];
  if (!isScalar(node) || offset < start || offset > end || start === end) return undefined;
  return { path, isKey, text: String(node.value), start, end };
}
