import { isRecord } from "../../../../shared/json-record.ts";
import { parseJson } from "../../../../shared/parse-json.ts";

/** How many positions in a text are tried as the start of an object. */
const MAX_CANDIDATES = 100;

/** Finds the JSON objects in a text, in order: the whole text, or objects inside code fences or other text. */
export function findJsonObjects(text: string): Record<string, unknown>[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const found: Record<string, unknown>[] = [];
  let from = text.indexOf("{");
  for (let place = 0; from !== -1 && place < MAX_CANDIDATES; place++) {
    const end = endOfObject(text, from);
    const object = end === undefined ? undefined : parsed(text.slice(from, end));
    if (object !== undefined) found.push(object);
    from = text.indexOf("{", object === undefined || end === undefined ? from + 1 : end);
  }
  return found;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The position after the brace that closes the one at `start`; braces in strings are ignored. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === "{") depth++;
    if (token === "}") depth--;
    if (depth === 0) return start + index + 1;
  }
  return undefined;
}
