import type { Problem } from "../../../shared/contract/problem.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";

/** AutoGen's short names for its model clients. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["azure_openai_chat_completion_client", "AzureOpenAIChatCompletionClient"],
  ["openai_chat_completion_client", "OpenAIChatCompletionClient"],
]);

/** Deeper than any team that makes sense, in components within components. */
const MAX_DEPTH = 50;

/** What comes out of a reading beside the definition. */
export class ImportReport {
  /** One sentence for everything that has no counterpart here, with its place. */
  readonly omitted: string[] = [];
  readonly problems: Problem[] = [];

  omit(place: string, why: string): void {
    this.omitted.push(`${place} is left out: ${why}.`);
  }

  addProblem(path: string, message: string): undefined {
    this.problems.push({ path, message });
    return undefined;
  }
}

/** One component as AutoGen's `dump_component` writes it: the class that reads it back, and that class's config. */
export interface AutoGenComponent {
  /** The class's name without its module; the whole provider where it is none of AutoGen's own packages. */
  readonly className: string;
  readonly path: string;
  readonly config: ComponentConfig;
}

/** Reads a component's envelope. Its version is not looked at: keys that came or went with one are read where they are. */
export function parseComponent(
  value: unknown,
  place: string,
  reading: ImportReport,
  depth = 0,
): AutoGenComponent | undefined {
  if (!isRecord(value) || typeof value["provider"] !== "string") {
    return reading.addProblem(place, "should be an AutoGen component: a map with `provider` and `config`");
  }
  if (depth > MAX_DEPTH) return reading.addProblem(place, `is nested more than ${MAX_DEPTH} components deep`);
  const { provider, config = {} } = value;
  if (!isRecord(config)) return reading.addProblem(at(place, "config"), "should be a map of keys");
  return {
    className: classOf(provider),
    path: place,
    config: new ComponentConfig(config, at(place, "config"), reading, depth),
  };
}

function classOf(provider: string): string {
  const isOwn = provider.startsWith("autogen_") || !provider.includes(".");
  const name = isOwn ? provider.slice(provider.lastIndexOf(".") + 1) : provider;
  return SHORT_NAMES.get(name) ?? name;
}

/** A value with where it stands. */
export interface LocatedValue {
  readonly value: unknown;
  readonly path: string;
}

/**
 * A component's config. What is asked for counts as taken over; `rest` leaves out what nobody has asked for. `null` is
 * nothing.
 */
export class ComponentConfig {
  readonly path: string;
  readonly #values: JsonRecord;
  readonly #reading: ImportReport;
  readonly #depth: number;
  readonly #taken = new Set<string>();

  constructor(values: JsonRecord, place: string, reading: ImportReport, depth = 0) {
    this.#values = values;
    this.path = place;
    this.#reading = reading;
    this.#depth = depth;
  }

  /** Where a key stands. */
  pathOf(key: string): string {
    return at(this.path, key);
  }

  take(key: string): unknown {
    this.#taken.add(key);
    return Object.hasOwn(this.#values, key) ? (this.#values[key] ?? undefined) : undefined;
  }

  text(key: string): string | undefined {
    const value = this.take(key);
    return value === undefined || typeof value === "string" ? value : this.#wrongType(key, "text");
  }

  /** A text that has to be there. */
  requiredText(key: string): string | undefined {
    const value = this.text(key);
    return value === undefined && this.take(key) === undefined ? this.#wrongType(key, "text") : value;
  }

  number(key: string): number | undefined {
    const value = this.take(key);
    return value === undefined || typeof value === "number" ? value : this.#wrongType(key, "a number");
  }

  /** A number that has to be there. */
  requiredNumber(key: string): number | undefined {
    const value = this.number(key);
    return value === undefined && this.take(key) === undefined ? this.#wrongType(key, "a number") : value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.take(key);
    return value === undefined || typeof value === "boolean" ? value : this.#wrongType(key, "true or false");
  }

  /** A list's items; none where there is no list. A single map stands for a list of one, as in earlier versions. */
  list(key: string): LocatedValue[] {
    const value = this.take(key);
    if (value === undefined) return [];
    if (isRecord(value)) return [{ value, path: this.pathOf(key) }];
    if (!Array.isArray(value)) return this.#wrongType(key, "a list") ?? [];
    return value.map((item: unknown, index) => ({ value: item, path: `${this.pathOf(key)}[${index}]` }));
  }

  /** A map's values by their keys. */
  map(key: string): Record<string, LocatedValue> {
    const value = this.take(key);
    if (value === undefined) return {};
    if (!isRecord(value)) return this.#wrongType(key, "a map of keys") ?? {};
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, { value: item, path: at(this.pathOf(key), name) }]),
    );
  }

  /** The config within a map that is no component; undefined where the value is no map, which is said. */
  nested({ value, path: place }: LocatedValue): ComponentConfig | undefined {
    if (isRecord(value)) return new ComponentConfig(value, place, this.#reading, this.#depth);
    return this.#reading.addProblem(place, "should be a map of keys");
  }

  component(key: string): AutoGenComponent | undefined {
    const value = this.take(key);
    return value === undefined ? undefined : parseComponent(value, this.pathOf(key), this.#reading, this.#depth + 1);
  }

  components(key: string): AutoGenComponent[] {
    return this.list(key).flatMap(
      ({ value, path: place }) => parseComponent(value, place, this.#reading, this.#depth + 1) ?? [],
    );
  }

  /** Keys that need no counterpart: what they ask for is so in any case. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.#taken.add(key);
  }

  /** Leaves out what holds something and was not taken. `why` has the reasons of some keys. */
  omitUnused(why: Readonly<Record<string, string>> = {}): void {
    for (const [key, value] of Object.entries(this.#values)) {
      if (this.#taken.has(key) || isEmpty(value)) continue;
      this.#reading.omit(this.pathOf(key), (Object.hasOwn(why, key) && why[key]) || "there is nothing like it here");
    }
  }

  #wrongType(key: string, expected: string): undefined {
    return this.#reading.addProblem(this.pathOf(key), `should be ${expected}`);
  }
}

/** A path with one more key, as the contract writes paths. */
function at(place: string, key: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${place}[${JSON.stringify(key)}]`;
  return place === "" ? key : `${place}.${key}`;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The same map without the keys that hold nothing. */
export function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
