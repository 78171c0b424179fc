import type { RandomInt } from "../../server/engine/testing/random.ts";

type Json = unknown;

/** What is put in the place of other values and keys. */
export interface Replacements {
  readonly values: readonly Json[];
  readonly keys: readonly string[];
}

/** A copy of plain JSON with one random place changed: replaced, removed, wrapped, doubled, renamed, or with a new key. */
export function mutated(value: Json, random: RandomInt, replacements: Replacements): Json {
  const places = placesIn(value);
  const place = places[random(places.length)] ?? [];
  return changedAt(value, place, (found) => change(found, random, replacements));
}

/** In place of a value: it is removed. */
const REMOVED = Symbol("removed");

function change(value: Json, random: RandomInt, { values, keys }: Replacements): Json {
  const picked = expanded(values[random(values.length)]);
  const key = keys[random(keys.length)] ?? "";
  switch (random(8)) {
    case 0:
      return REMOVED;
    case 1:
      return [value];
    case 2:
      return { [key]: value };
    case 3:
      if (Array.isArray(value)) return [...(value as readonly Json[]), ...(value as readonly Json[])];
      return isMap(value) ? withKey(value, key, picked) : picked;
    case 4:
      return isMap(value) ? renamed(value, random, key) : picked;
    case 5:
      return typeof value === "string"
        ? `${value.slice(0, random(value.length + 1))}${typeof picked === "string" ? picked : (JSON.stringify(picked) ?? "")}`
        : picked;
    case 6:
      return typeof value === "number" ? [-value, value * 1e6, value + 0.5, String(value)][random(4)] : picked;
    default:
      return picked;
  }
}

/** Values that would be long in the corpus. */
function expanded(value: Json): Json {
  if (value === "LONG") return "long ".repeat(20_000);
  if (value === "MANY") return Array.from({ length: 2_000 }, (_, at) => ({ [`k${at}`]: at }));
  if (value !== "DEEP") return value;
  let deep: Json = 1;
  for (let level = 0; level < 3_000; level++) deep = level % 2 === 0 ? [deep] : { a: deep };
  return deep;
}

type Path = readonly (string | number)[];
type Map = Readonly<Record<string, Json>>;

const isMap = (value: Json): value is Map => typeof value === "object" && value !== null && !Array.isArray(value);

function placesIn(value: Json, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null || path.length > 30) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function changedAt(value: Json, [step, ...rest]: Path, work: (value: Json) => Json): Json {
  if (step === undefined) return work(value);
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item, at) => (at === step ? changedAt(item, rest, work) : item));
    return items.filter((item) => item !== REMOVED);
  }
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, key === step ? changedAt(inner, rest, work) : inner] as const,
  );
  return Object.fromEntries(entries.filter(([, inner]) => inner !== REMOVED));
}

const withKey = (value: Map, key: string, added: Json): Json =>
  Object.fromEntries([...Object.entries(value), [key, added]]);

function renamed(value: Map, random: RandomInt, name: string): Json {
  const entries = Object.entries(value);
  const chosen = random(Math.max(1, entries.length));
  return Object.fromEntries(entries.map(([key, inner], at) => [at === chosen ? name : key, inner]));
}
