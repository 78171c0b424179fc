import type { Problem } from "../../../shared/contract/problem.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";

/** AutoGen's short names of its model clients. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["azure_openai_chat_completion_client", "AzureOpenAIChatCompletionClient"],
  ["openai_chat_completion_client", "OpenAIChatCompletionClient"],
]);

/** The maximum nesting of components. */
const MAX_DEPTH = 50;

/** What an import reports besides the definition. */
export class ImportReport {
  /** One sentence for each part without a counterpart, with its path. */
  readonly omitted: string[] = [];
  readonly problems: Problem[] = [];

  omit(path: string, why: string): void {
    this.omitted.push(`${path} is left out: ${why}.`);
  }

  addProblem(path: string, message: string): undefined {
    this.problems.push({ path, message });
    return undefined;
  }
}

/** A component as written by AutoGen's `dump_component`: a class, and its config. */
export interface AutoGenComponent {
  /** The class's name without its module; for a class outside AutoGen's packages, the whole provider. */
  readonly className: string;
  readonly path: string;
  readonly config: ComponentConfig;
}

/** Parses a component's envelope. Its version is ignored: keys are read when they are there. */
export function parseComponent(
  value: unknown,
  path: string,
  report: ImportReport,
  depth = 0,
): AutoGenComponent | undefined {
  if (!isRecord(value) || typeof value["provider"] !== "string") {
    return report.addProblem(path, "should be an AutoGen component: a map with `provider` and `config`");
  }
  if (depth > MAX_DEPTH) return report.addProblem(path, `is nested more than ${MAX_DEPTH} components deep`);
  const { provider, config = {} } = value;
  if (!isRecord(config)) return report.addProblem(at(path, "config"), "should be a map of keys");
  return {
    className: classOf(provider),
    path,
    config: new ComponentConfig(config, at(path, "config"), report, depth),
  };
}

function classOf(provider: string): string {
  const isOwn = provider.startsWith("autogen_") || !provider.includes(".");
  const name = isOwn ? provider.slice(provider.lastIndexOf(".") + 1) : provider;
  return SHORT_NAMES.get(name) ?? name;
}

/** A value with its path in the JSON. */
export interface LocatedValue {
  readonly value: unknown;
  readonly path: string;
}

/** A component's config. Keys that are read count as imported; `omitUnused` reports the others. `null` counts as absent. */
export class ComponentConfig {
  readonly path: string;
  readonly #values: JsonRecord;
  readonly #report: ImportReport;
  readonly #depth: number;
  readonly #taken = new Set<string>();

  constructor(values: JsonRecord, path: string, report: ImportReport, depth = 0) {
    this.#values = values;
    this.path = path;
    this.#report = report;
    this.#depth = depth;
  }

  /** The path of a key. */
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

  /** A text that must be present. */
  requiredText(key: string): string | undefined {
    const value = this.text(key);
    return value === undefined && this.take(key) === undefined ? this.#wrongType(key, "text") : value;
  }

  number(key: string): number | undefined {
    const value = this.take(key);
    return value === undefined || typeof value === "number" ? value : this.#wrongType(key, "a number");
  }

  /** A number that must be present. */
  requiredNumber(key: string): number | undefined {
    const value = this.number(key);
    return value === undefined && this.take(key) === undefined ? this.#wrongType(key, "a number") : value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.take(key);
    return value === undefined || typeof value === "boolean" ? value : this.#wrongType(key, "true or false");
  }

  /** The items of a list; empty without a list. A single map counts as a list of one, as in earlier versions. */
  list(key: string): LocatedValue[] {
    const value = this.take(key);
    if (value === undefined) return [];
    if (isRecord(value)) return [{ value, path: this.pathOf(key) }];
    if (!Array.isArray(value)) return this.#wrongType(key, "a list") ?? [];
    return value.map((item: unknown, index) => ({ value: item, path: `${this.pathOf(key)}[${index}]` }));
  }

  /** The values of a map by their keys. */
  map(key: string): Record<string, LocatedValue> {
    const value = this.take(key);
    if (value === undefined) return {};
    if (!isRecord(value)) return this.#wrongType(key, "a map of keys") ?? {};
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, { value: item, path: at(this.pathOf(key), name) }]),
    );
  }

  /** The config inside a map that is not a component; undefined for another value, which is reported. */
  nested({ value, path }: LocatedValue): ComponentConfig | undefined {
    if (isRecord(value)) return new ComponentConfig(value, path, this.#report, this.#depth);
    return this.#report.addProblem(path, "should be a map of keys");
  }

  component(key: string): AutoGenComponent | undefined {
    const value = this.take(key);
    return value === undefined ? undefined : parseComponent(value, this.pathOf(key), this.#report, this.#depth + 1);
  }

  components(key: string): AutoGenComponent[] {
    return this.list(key).flatMap(
      ({ value, path }) => parseComponent(value, path, this.#report, this.#depth + 1) ?? [],
    );
  }

  /** Marks keys as imported that need no counterpart. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.#taken.add(key);
  }

  /** Reports the keys that have a value and were not read. `reasons` has the reasons for some keys. */
  omitUnused(reasons: Readonly<Record<string, string>> = {}): void {
    for (const [key, value] of Object.entries(this.#values)) {
      if (this.#taken.has(key) || isEmpty(value)) continue;
      this.#report.omit(
        this.pathOf(key),
        (Object.hasOwn(reasons, key) && reasons[key]) || "it has no counterpart here",
      );
    }
  }

  #wrongType(key: string, expected: string): undefined {
    return this.#report.addProblem(this.pathOf(key), `should be ${expected}`);
  }
}

/** A path with one more key. */
function at(path: string, key: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The record without its undefined fields. */
export function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
