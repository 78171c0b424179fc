import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from "yaml";
import type { Problem } from "../../../shared/contract/problem.ts";
import { type Path, pathText } from "../definition/path.ts";
import type { ValidationProblem } from "../definition/validation-problem.ts";

/** A problem with the line and column, from 1, of its key or value in the file. */
export function withPosition(
  { path, message, on }: ValidationProblem,
  document: Document.Parsed,
  lines: LineCounter,
): Problem {
  const offset = offsetOf(document, path, on ?? "value");
  const { line, col } = lines.linePos(offset);
  return { path: pathText(path), message, line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** The offset of the key or value at a path; for a missing one, that of the map or list that should contain it. */
function offsetOf(document: Document.Parsed, path: Path, on: "key" | "value"): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    const holder: Node | undefined | null = isAlias(node) ? node.resolve(document) : node;
    const found = childOf(holder, step);
    if (found === undefined) return offset;
    const wantsKey = on === "key" && depth === path.length - 1;
    offset = (wantsKey ? found.key : (found.value ?? found.key))?.range?.[0] ?? offset;
    node = found.value;
  }
  return offset;
}

interface Child {
  readonly key: Node | null;
  readonly value: Node | null;
}

function childOf(holder: Node | null | undefined, step: PropertyKey): Child | undefined {
  if (isSeq<Node>(holder)) {
    const item = typeof step === "number" ? holder.items[step] : undefined;
    return item === undefined ? undefined : { key: item, value: item };
  }
  if (!isMap<Node, Node | null>(holder)) return undefined;
  const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === step);
  return pair === undefined ? undefined : { key: pair.key, value: pair.value };
}
