/**
 * A text with more characters is stored apart from the event that contains it, and in pieces: what is read at once stays
 * short, equal texts are stored once, and a checkpoint does not repeat them. For shorter ones, a row of their own would cost
 * more than it saves.
 */
const LONG = 64 * 1024;

/** The key beside the fields of a stored value that says how many texts were cut out of it. */
const COUNT = "$texts";

/** A text and where it belongs: the path of keys and indexes to it, as JSON. */
export interface CutText {
  readonly place: string;
  readonly text: string;
}

/** What is stored of a value: its JSON, in which long texts are empty, and these. @throws what `JSON.stringify` throws. */
export interface CutJson {
  readonly json: string;
  readonly texts: readonly CutText[];
}

export function cutJson(value: object): CutJson {
  // Nearly every value has none, and is neither copied nor are its places noted.
  if (!hasLongText(value)) return { json: JSON.stringify(value), texts: [] };
  const texts: CutText[] = [];
  const cut = cutIn(value, [], texts);
  return { json: JSON.stringify(texts.length === 0 ? value : { ...(cut as object), [COUNT]: texts.length }), texts };
}

/** Whether texts were cut out of a stored value. */
export const hasTexts = (value: unknown): boolean => countIn(value) > 0;

/** The value with the texts that were cut out of it, in itself. @throws Error when these are others. */
export function withTexts(value: unknown, texts: readonly CutText[]): unknown {
  if (texts.length !== countIn(value)) throw new Error(`It has ${texts.length} of ${countIn(value)} texts.`);
  for (const { place, text } of texts) insert(value, place, text);
  return value;
}

/** How many texts were cut out of a stored value. */
export function countIn(value: unknown): number {
  const count: unknown = isObject(value) && Object.hasOwn(value, COUNT) ? Reflect.get(value, COUNT) : 0;
  return typeof count === "number" ? count : 0;
}

/** Every event is looked at, so this makes no lists. What an object inherits would only be looked at in vain. */
function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length > LONG;
  if (Array.isArray(value)) return value.some(hasLongText);
  if (!isObject(value)) return false;
  for (const key in value) if (hasLongText(Reflect.get(value, key))) return true;
  return false;
}

function cutIn(value: unknown, path: readonly (string | number)[], texts: CutText[]): unknown {
  if (typeof value === "string") {
    // UTF-8, in which texts are stored, has no halves of characters.
    if (value.length <= LONG || !value.isWellFormed()) return value;
    texts.push({ place: JSON.stringify(path), text: value });
    return "";
  }
  if (Array.isArray(value)) {
    const items = value.map((item, at) => cutIn(item, [...path, at], texts));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  let cut: object = value;
  for (const [key, item] of Object.entries(value)) {
    const next = cutIn(item, [...path, key], texts);
    if (next !== item) cut = { ...cut, [key]: next };
  }
  return cut;
}

function insert(value: unknown, place: string, text: string): void {
  const { key, parent } = placeIn(value, place);
  // An assignment would not set a field named __proto__.
  Object.defineProperty(parent, key, { value: text, writable: true, enumerable: true, configurable: true });
}

/** Where a text belongs. @throws Error when it does not belong there. */
export function placeIn(value: unknown, place: string): { readonly key: string | number; readonly parent: object } {
  const path: unknown = JSON.parse(place);
  if (!isPath(path)) throw new Error("A text belongs nowhere.");
  const key = path.at(-1);
  const parent = path.slice(0, -1).reduce<unknown>(child, value);
  if (key === undefined || !isObject(parent) || child(parent, key) !== "") throw new Error("A text belongs nowhere.");
  return { key, parent };
}

const isPath = (value: unknown): value is readonly (string | number)[] =>
  Array.isArray(value) && value.every((key) => typeof key === "string" || typeof key === "number");

const child = (value: unknown, key: string | number): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
