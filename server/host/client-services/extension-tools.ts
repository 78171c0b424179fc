import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import type { OfferedTool } from "../../../shared/contract/requests/tools.ts";
import { EXTENSION_TOOL } from "../../../shared/extension-tools.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import type { Tool, ToolSource } from "../../engine/index.ts";
import { checkJsonSchema } from "../definition/json-schema-checks.ts";
import { toProblem } from "../definition/validation-problem.ts";
import type { HostLog } from "../log/host-log.ts";
import type { ClientTools, ToolOwner } from "./client-tools.ts";

/** The longest schema of an input, in characters of its JSON: every request to a model has it. */
const MAX_SCHEMA = 50_000;
/** What models do not accept at the top of a tool's schema. */
const NOT_AT_TOP = ["anyOf", "oneOf", "allOf", "not", "enum"];

/**
 * The tools that extensions of the editor have registered, which the client offers. Teams name them `vscode/NAME`. What they
 * do is not known here, so each call asks the user; the editor's own confirmation comes after that.
 */
export class ExtensionTools {
  readonly #clientTools: ClientTools;
  readonly #log: HostLog;
  readonly #changed: () => void;
  /** What each client offers, the last one at the end. */
  readonly #offers = new Map<ToolOwner, Offer>();

  /** `changed` is called when other tools are offered. */
  constructor(clientTools: ClientTools, log: HostLog, changed: () => void) {
    this.#clientTools = clientTools;
    this.#log = log;
    this.#changed = changed;
  }

  /** The tools that can be used, as teams name them. */
  get names(): readonly string[] {
    return [...new Set([...this.#offers.values()].flatMap(({ tools }) => [...tools.keys()]))];
  }

  /** Why tools that are offered cannot be used, by their names in teams. */
  get refused(): ReadonlyMap<string, string> {
    const refused = [...this.#offers.values()].flatMap((offer) => [...offer.refused]);
    return new Map(refused.filter(([name]) => this.#toolOf(name) === undefined));
  }

  /** What a tool says of itself. */
  description(name: string): string | undefined {
    return this.#toolOf(name)?.declaration.description;
  }

  /**
   * Replaces the tools that the client offered before, and those of clients that have gone. A tool that cannot be used is
   * refused alone, and the log says why.
   */
  offer(owner: ToolOwner, given: readonly OfferedTool[]): void {
    const tools = new Map<string, Tool>();
    const refused = new Map<string, string>();
    for (const { name: own, description, inputSchema } of given) {
      const name = `${EXTENSION_TOOL}${own}`;
      const schema = usableSchema(inputSchema);
      if (typeof schema === "string") refused.set(name, schema);
      else tools.set(name, this.#clientTools.toolFor(declarationOf(name, description, schema), owner));
    }
    const before = this.#offers.get(owner)?.refused;
    for (const [name, why] of refused) {
      if (before?.get(name) !== why) this.#log.warn(`The tool ${name} cannot be used: ${why}.`);
    }
    this.#offers.delete(owner);
    for (const other of this.#offers.keys()) if (!other.isConnected) this.#offers.delete(other);
    this.#offers.set(owner, { tools, refused });
    this.#changed();
  }

  /** The tool that a name stands for, whenever it is offered. */
  sourceFor(name: string): ToolSource {
    const known = (): readonly Tool[] => {
      const tool = this.#toolOf(name);
      return tool === undefined ? [] : [tool];
    };
    const problem = (): string | undefined => (this.#toolOf(name) === undefined ? this.#problemOf(name) : undefined);
    return {
      get tools() {
        return known();
      },
      get problem() {
        return problem();
      },
      find: (called) => (called === name ? this.#toolOf(name) : undefined),
      ready: async () => {},
    };
  }

  /** That of the client whose user acts, if it offers one; otherwise the last one that is offered. */
  #toolOf(name: string): Tool | undefined {
    const own = this.#offers.get(this.#clientTools.now)?.tools.get(name);
    return own ?? [...this.#offers.values()].findLast(({ tools }) => tools.has(name))?.tools.get(name);
  }

  #problemOf(name: string): string {
    const why = this.refused.get(name);
    if (why !== undefined) return `The tool ${name} cannot be used: ${why}.`;
    return `The tool ${name} is one of an extension of VS Code, and needs VS Code with this extension.`;
  }
}

/** What one client offers: the tools that can be used, and why others cannot, by their names in teams. */
interface Offer {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly refused: ReadonlyMap<string, string>;
}

const declarationOf = (name: string, description: string, inputSchema: JsonRecord): ToolDeclaration => ({
  name,
  description,
  inputSchema,
  approval: "ask",
});

/** A schema that models accept, or why there is none. */
function usableSchema(schema: unknown): JsonRecord | string {
  if (schema === undefined || schema === null) return { type: "object", properties: {} };
  if (!isRecord(schema)) return "the schema of its input is no map of keys";
  if (JSON.stringify(schema).length > MAX_SCHEMA)
    return `the schema of its input is longer than ${MAX_SCHEMA} characters`;
  if (schema["type"] !== undefined && schema["type"] !== "object") return "its input is no object, which models need";
  const unfit = NOT_AT_TOP.find((keyword) => Object.hasOwn(schema, keyword));
  if (unfit !== undefined) return `the schema of its input has ${unfit} at its top, which models do not accept`;
  const [problem] = checkJsonSchema(schema, []).map(toProblem);
  if (problem === undefined) return { ...schema, type: "object" };
  return `the schema of its input is wrong: ${problem.path === "" ? "" : `${problem.path}: `}${problem.message}`;
}
