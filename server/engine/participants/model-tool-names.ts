import type { ContextItem, ToolSpec } from "../model.ts";

/** What every model accepts as the name of a tool. */
const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;

/**
 * The names that a model knows tools by. A tool of a server is `server/tool` to users and rules, which models do not accept;
 * they are given `server_tool`.
 */
export class ModelToolNames {
  readonly #shown = new Map<string, string>();
  readonly #meant = new Map<string, string>();

  /** Names of these tools differ, whatever their own are. */
  constructor(tools: readonly ToolSpec[]) {
    for (const { name } of tools) if (LEGAL.test(name)) this.#meant.set(name, name);
    for (const { name } of tools) {
      if (LEGAL.test(name)) continue;
      const shown = freeName(legalName(name), this.#meant);
      this.#shown.set(name, shown);
      this.#meant.set(shown, name);
    }
  }

  tools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
    if (this.#shown.size === 0) return tools;
    return tools.map((tool) => {
      const shown = this.#shown.get(tool.name);
      return shown === undefined ? tool : { ...tool, name: shown };
    });
  }

  /** The items with names that the model accepts, also those of calls whose tools are gone. */
  items(items: readonly ContextItem[]): readonly ContextItem[] {
    if (!items.some(hasOtherName)) return items;
    return items.map((item) => {
      if (!hasOtherName(item)) return item;
      if (item.role === "tool") return { ...item, name: this.#shownName(item.name) };
      if (item.role !== "assistant") return item;
      return { ...item, calls: item.calls.map((call) => ({ ...call, name: this.#shownName(call.name) })) };
    });
  }

  /** The tool that a model means by a name. */
  meant(shown: string): string {
    return this.#meant.get(shown) ?? shown;
  }

  #shownName(name: string): string {
    return this.#shown.get(name) ?? (LEGAL.test(name) ? name : legalName(name));
  }
}

function hasOtherName(item: ContextItem): boolean {
  if (item.role === "tool") return !LEGAL.test(item.name);
  return item.role === "assistant" && item.calls.some(({ name }) => !LEGAL.test(name));
}

const legalName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, MAX_LENGTH) || "_";

/** The name, or with a number at its end if another tool has it. */
function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  let free = name;
  for (let at = 2; taken.has(free); at++) free = `${name.slice(0, MAX_LENGTH - 1 - String(at).length)}_${at}`;
  return free;
}
